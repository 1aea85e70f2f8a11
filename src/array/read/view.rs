//! Views: access to stored elements without a copy.

use crate::array::convert::native::Fix;
use crate::array::{Array, Conversion, Datatype, Payload};
use crate::error::{Error, Result, Status};
use crate::source::{Map, settle};

/// The stored elements of an array, native and aligned unless the view is one of [`Array::view_stored`]. Cloning a view
/// copies no elements.
///
/// A view of a file is a memory map of it. If another process changes the file, the elements change. If the file is
/// truncated, access to the missing elements ends the program.
#[derive(Clone, Debug)]
pub struct View {
    map: Map,
    /// Byte of element (0, 0, …) in the map.
    first: usize,
    datatype: Datatype,
    shape: Vec<i64>,
    strides: Vec<i64>,
}

impl View {
    /// The address of element (0, 0, …); meaningless if there are no elements.
    pub fn as_ptr(&self) -> *const u8 {
        self.map.get(self.first..).unwrap_or_default().as_ptr()
    }

    /// The bytes of the file from the first to the last byte of all elements.
    pub fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// The datatype of the elements. A bool8 may be any byte: 0 is false, all others are true, also in records. Records
    /// are packed.
    pub fn datatype(&self) -> Datatype {
        self.datatype.clone()
    }

    /// The dimensions, slowest first.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Bytes from one element to the next along each dimension; may be negative or zero.
    pub fn strides(&self) -> &[i64] {
        &self.strides
    }
}

impl Array {
    /// Returns a view of the elements as `target`. Reads no elements.
    ///
    /// Fails with
    ///
    /// * [`Status::NotViewable`] if elements need conversion, byte swapping or decoding, if they are not aligned for
    ///   their type in memory, or if the source cannot be mapped;
    /// * [`Status::Masked`] if the array has a mask (see [`Array::without_mask`]);
    /// * the errors of [`Array::read`] for arrays that cannot be read at all.
    pub fn view(&self, target: &Datatype) -> Result<View> {
        self.located(|| self.view_as(target))
    }

    /// Fails with [`Status::NotViewable`] unless the conversion keeps all numbers.
    pub(crate) fn check_viewable(&self, conversion: &Conversion) -> Result<()> {
        match *conversion {
            Conversion::IDENTITY => Ok(()),
            _ => self.located(|| refuse("the elements have another unit")),
        }
    }

    fn view_as(&self, target: &Datatype) -> Result<View> {
        self.payload.check()?;
        self.check_unmasked()?;
        if !self.datatype.is_alike(target) {
            return refuse(&format!("the elements are {}, not {target}", self.datatype));
        }
        if Fix::new(&self.datatype, self.byteorder)?.swaps() {
            return refuse("the byte order of the elements is not that of this machine");
        }
        let view = self.view_bytes()?;
        let unit = self.datatype.unit();
        let aligned_strides =
            self.shape().iter().zip(view.strides()).all(|(&count, &stride)| count <= 1 || stride % unit as i64 == 0);
        if self.element_count() > 0 && (!view.as_ptr().addr().is_multiple_of(unit) || !aligned_strides) {
            return refuse(&format!("the elements are not aligned to {unit} bytes"));
        }
        Ok(view)
    }

    /// Returns a view of the elements in their stored form: in the byte order of the array (or of the fields of its
    /// datatype), and at any address. Reads no elements.
    ///
    /// Fails with
    ///
    /// * [`Status::NotViewable`] if elements need decoding, or if the source cannot be mapped;
    /// * the other errors of [`Array::view`].
    pub fn view_stored(&self) -> Result<View> {
        self.located(|| {
            self.payload.check()?;
            self.check_unmasked()?;
            self.view_bytes()
        })
    }

    fn view_bytes(&self) -> Result<View> {
        let (low, length) = self.geometry.span();
        let map = match &self.payload {
            Payload::Encoded { .. } => return refuse("the elements are compressed"),
            Payload::Stored { source, offset, .. } => {
                let start = offset
                    .checked_add(low)
                    .filter(|&start| start.checked_add(length).is_some_and(|end| end <= source.len()));
                let Some(start) = start else {
                    return Err(Error::new(Status::Truncated, "the file ends before the array").at_offset(source.len()));
                };
                settle(&**source, source.map(start, length))?
            }
            Payload::Chunked(_) => return refuse("the elements are stored in chunks"),
            Payload::Absent { .. } => None,
        };
        let Some(map) = map else {
            return refuse("the source of the bytes cannot be mapped");
        };
        let first = self.geometry.offset() as u64 - low;
        let strides = self.geometry.strides();
        Ok(View {
            map,
            first: usize::try_from(first).map_err(|_| Error::out_of_memory(length))?,
            datatype: self.datatype.clone(),
            shape: self.shape().to_vec(),
            strides: strides.to_vec(),
        })
    }
}

fn refuse<T>(why: &str) -> Result<T> {
    let message = format!("no view is possible because {why}; reading copies the elements");
    Err(Error::new(Status::NotViewable, message))
}

#[cfg(test)]
mod tests {
    use crate::Status;
    use crate::array::read::mask::Missing;
    use crate::array::tests::{NATIVE, encoded, stored};
    use crate::array::{Array, ByteOrder, DeclaredShape, Geometry, Payload, ScalarType};
    use crate::codec::Codec;
    use crate::source::FileSource;
    use std::sync::Arc;

    fn array(byteorder: ByteOrder, shape: &[i64], strides: Option<&[i64]>, offset: i64, payload: Payload) -> Array {
        let shape = DeclaredShape::Fixed(shape.to_vec());
        let geometry = Geometry::new(&shape, strides, offset, 4, payload.length()).unwrap();
        let datatype = ScalarType::Int32.into();
        Array {
            datatype,
            byteorder,
            geometry,
            payload,
            missing: Missing::Nothing,
            decoded_bytes: 0,
            warnings: Vec::new(),
            owner: None,
        }
    }

    fn in_file(directory: &tempfile::TempDir, offset: u64, values: usize) -> Payload {
        let path = directory.path().join("bytes");
        let mut bytes = vec![0; offset as usize];
        bytes.extend((0..values as i32).flat_map(i32::to_ne_bytes));
        std::fs::write(&path, bytes).unwrap();
        Payload::Stored { source: Arc::new(FileSource::open(&path).unwrap()), offset, length: 4 * values as u64 }
    }

    #[test]
    fn a_view_shows_the_file_itself_and_outlives_the_array() {
        let directory = tempfile::tempdir().unwrap();
        let array = array(NATIVE, &[3, 2], Some(&[-8, 4]), 20, in_file(&directory, 64, 8));
        let view = array.view(&ScalarType::Int32.into()).unwrap();
        drop(array);
        assert_eq!((view.shape(), view.strides()), (&[3, 2][..], &[-8, 4][..]));
        assert_eq!(view.bytes().len(), 24);
        assert_eq!(view.as_ptr().addr() - view.bytes().as_ptr().addr(), 16);
        assert_eq!(view.bytes()[16..20], 5i32.to_ne_bytes());
    }

    #[test]
    fn elements_that_need_conversion_are_not_viewable() {
        let directory = tempfile::tempdir().unwrap();
        let foreign = if NATIVE == ByteOrder::Big { ByteOrder::Little } else { ByteOrder::Big };
        let status = |array: Array, target: ScalarType| array.view(&target.into()).err().map(|error| error.status());
        let refused = Some(Status::NotViewable);
        let file = in_file(&directory, 64, 8);
        assert_eq!(status(array(NATIVE, &[8], None, 0, file.clone()), ScalarType::Int32), None);
        assert_eq!(status(array(NATIVE, &[8], None, 0, file.clone()), ScalarType::Uint32), refused);
        assert_eq!(status(array(foreign, &[8], None, 0, file.clone()), ScalarType::Int32), refused);
        let view = array(foreign, &[7], None, 2, file.clone()).view_stored().unwrap();
        assert_eq!((view.bytes().len(), &view.bytes()[2..6]), (28, &1i32.to_ne_bytes()[..]));
        assert_eq!(status(array(NATIVE, &[7], None, 2, file.clone()), ScalarType::Int32), refused);
        assert_eq!(status(array(NATIVE, &[4], Some(&[6]), 0, file.clone()), ScalarType::Int32), refused);
        assert_eq!(status(array(NATIVE, &[0], None, 1, file), ScalarType::Int32), None);
        assert_eq!(status(array(NATIVE, &[8], None, 0, in_file(&directory, 54, 8)), ScalarType::Int32), refused);
        assert_eq!(status(array(NATIVE, &[2], None, 0, encoded(&[0; 8], Codec::Zlib)), ScalarType::Int32), refused);
        let Payload::Stored { source, .. } = stored(&[0; 8], 0) else { unreachable!() };
        let cut = Payload::Stored { source, offset: 4, length: 8 };
        assert_eq!(status(array(NATIVE, &[2], None, 0, cut.clone()), ScalarType::Int32), Some(Status::Truncated));
        let status = |array: Array| array.view_stored().err().map(|error| error.status());
        assert_eq!(status(array(NATIVE, &[2], None, 0, cut)), Some(Status::Truncated));
        assert_eq!(status(array(NATIVE, &[2], None, 0, encoded(&[0; 8], Codec::Zlib))), refused);
    }
}
