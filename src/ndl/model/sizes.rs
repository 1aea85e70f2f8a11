//! Sizes of the arrays of a description, in elements and bytes.

use super::datatype::too_large;
use crate::error::{Error, Result, Status};
use crate::ndl::{Datatype, Description};
use crate::reserve::push;

/// Size of one array or dimension coordinate.
///
/// Unknown sizes are `None`: the number of elements along unlimited dimensions without a stored extent, and the number
/// of bytes of text, references and lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArraySize {
    /// The path name.
    pub path: String,
    /// Number of stored elements, or the number from the extents if no stored extent is given.
    pub elements: Option<u128>,
    /// Size of one element in bytes, without padding.
    pub element_bytes: Option<u128>,
    /// Size of all elements in bytes.
    pub bytes: Option<u128>,
}

/// Sizes of all arrays and dimension coordinates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// Dimension coordinates, followed by arrays, in document order.
    pub arrays: Vec<ArraySize>,
    /// Sum of all known sizes, in bytes.
    pub known_bytes: u128,
    /// Number of arrays and dimension coordinates of unknown size.
    pub unknown: usize,
}

impl Description {
    /// Returns the sizes of all arrays and dimension coordinates.
    ///
    /// Fails with [`Status::Limit`] if one size or the sum exceeds 128 bits.
    pub fn sizes(&self) -> Result<Sizes> {
        let mut sizes = Sizes::default();
        let paths = self.dimcoords.iter().map(|(path, _)| path);
        for path in paths.chain(self.ndarrays.iter().map(|(path, _)| path)) {
            let size = self.size_of(path)?;
            match size.bytes {
                Some(bytes) => sizes.known_bytes = sizes.known_bytes.checked_add(bytes).ok_or_else(too_large)?,
                None => sizes.unknown += 1,
            }
            push(&mut sizes.arrays, size)?;
        }
        Ok(sizes)
    }

    /// Returns the size of the array or the dimension coordinate with this path name.
    ///
    /// Fails with [`Status::NotFound`] if the path name is unknown, and with [`Status::Limit`] if a size exceeds 128
    /// bits.
    pub(crate) fn size_of(&self, path: &str) -> Result<ArraySize> {
        let (elements, bytes, datatype) = match (self.dimcoords.get(path), self.ndarrays.get(path)) {
            (Some(dimcoord), _) => (Ok(dimcoord.element_count()), dimcoord.byte_count(), &dimcoord.datatype),
            (None, Some(ndarray)) => (ndarray.element_count(), ndarray.byte_count(), &ndarray.datatype),
            (None, None) => {
                let message = "the description has no array and no dimension coordinate with this path name";
                return Err(Error::new(Status::NotFound, message).at_path(path));
            }
        };
        let element_bytes = datatype.as_ref().map(Datatype::element_size).transpose();
        let at_path = |error: Error| error.at_path(path);
        Ok(ArraySize {
            path: path.to_owned(),
            elements: elements.map_err(at_path)?,
            element_bytes: element_bytes.map_err(at_path)?.flatten(),
            bytes: bytes.map_err(at_path)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ndl::{DimCoord, Dimension, IntegerType, Ndarray, Size};

    #[test]
    fn known_sizes_are_summed() {
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
