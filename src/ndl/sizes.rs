//! How many bytes the arrays of a description have.

use super::datatype::too_large;
use super::{Datatype, Description};
use crate::error::Result;

/// The size of one array or dimension coordinate. What is not known is missing: elements of unlimited dimensions without
/// a stored extent, and bytes of texts, references and lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraySize {
    /// The path name.
    pub path: String,
    /// How many elements are stored, or else how many there are.
    pub elements: Option<u128>,
    /// Bytes of an element without gaps.
    pub element_bytes: Option<u128>,
    /// Bytes of all elements.
    pub bytes: Option<u128>,
}

/// The sizes of all arrays and dimension coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Dimension coordinates and then arrays, in document order.
    pub arrays: Vec<ArraySize>,
    /// The sum of the bytes that are known.
    pub known_bytes: u128,
    /// How many of them have a size that is not known.
    pub unknown: usize,
}

impl Description {
    /// The sizes of all arrays and dimension coordinates.
    ///
    /// Fails with [`Status::Limit`](crate::Status::Limit) if 128 bits cannot count the bytes of one, or of all.
    pub fn sizes(&self) -> Result<Sizes> {
        let mut sizes = Sizes::default();
        for (path, dimcoord) in self.dimcoords.iter() {
            let counts = (Ok(dimcoord.element_count()), dimcoord.byte_count());
            sizes.add(path, counts, dimcoord.datatype.as_ref()).map_err(|error| error.at_path(path))?;
        }
        for (path, ndarray) in self.ndarrays.iter() {
            let counts = (ndarray.element_count(), ndarray.byte_count());
            sizes.add(path, counts, ndarray.datatype.as_ref()).map_err(|error| error.at_path(path))?;
        }
        Ok(sizes)
    }
}

/// Elements and bytes.
type Counts = (Result<Option<u128>>, Result<Option<u128>>);

impl Sizes {
    fn add(&mut self, path: &str, (elements, bytes): Counts, datatype: Option<&Datatype>) -> Result<()> {
        let element_bytes = datatype.map(Datatype::element_size).transpose()?.flatten();
        let size = ArraySize { path: path.to_owned(), elements: elements?, element_bytes, bytes: bytes? };
        match size.bytes {
            Some(bytes) => self.known_bytes = self.known_bytes.checked_add(bytes).ok_or_else(too_large)?,
            None => self.unknown += 1,
        }
        self.arrays.push(size);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;
    use crate::ndl::{DimCoord, Dimension, IntegerType, Ndarray, Size};

    #[test]
    fn what_is_known_is_added_up() {
        let mut description = Description::new();
        let int16 = || Some(Datatype::from(IntegerType::Int16));
        let size = Size::Fixed(3);
        description.dimcoords.insert("/x", DimCoord { size, datatype: int16(), ..DimCoord::default() });
        let shape = Some(vec![Dimension::fixed(2), Dimension::fixed(5)]);
        description.ndarrays.insert("/a", Ndarray { shape, datatype: int16(), ..Ndarray::default() });
        let shape = Some(vec![Dimension::unlimited()]);
        description.ndarrays.insert("/b", Ndarray { shape, datatype: int16(), ..Ndarray::default() });
        let sizes = description.sizes().unwrap();
        assert_eq!((sizes.known_bytes, sizes.unknown, sizes.arrays.len()), (26, 1, 3));
        let unknown = ArraySize { path: "/b".into(), elements: None, element_bytes: Some(2), bytes: None };
        assert_eq!(sizes.arrays[2], unknown);
        let shape = Some(vec![Dimension::fixed(u64::MAX); 2]);
        description.ndarrays.insert("/c", Ndarray { shape, datatype: int16(), ..Ndarray::default() });
        let error = description.sizes().unwrap_err();
        assert_eq!((error.status(), error.location().path.as_deref()), (Status::Limit, Some("/c")));
    }
}
