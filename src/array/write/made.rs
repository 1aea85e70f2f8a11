//! Elements that another source produces on demand, as the packed bytes of a block.

use super::describe::check_text;
use crate::array::convert::kernel::Kernel;
use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::place::geometry::check_shape;
use crate::array::place::geometry::element_count;
use crate::error::{Error, Result, Status};
use crate::source::{OwnSource, Source, SourceKind, read_exact_at, read_in_units};
use std::sync::Arc;

/// Elements from a source that returns them packed in C order and native, converted to the byte order of the file.
pub(crate) struct MadeElements {
    source: Arc<dyn Source>,
    datatype: Datatype,
    holds_text: bool,
    kernel: Kernel,
}

impl MadeElements {
    /// Fails with [`Status::InvalidArgument`] unless the length of the source is the size of an array of this shape.
    /// The elements are not read yet. Reading fails with [`Status::Encoding`] for invalid strings.
    pub(crate) fn new(
        source: Arc<dyn Source>,
        datatype: &Datatype,
        shape: &[i64],
        byteorder: ByteOrder,
    ) -> Result<MadeElements> {
        let size = packed_size(datatype, shape)?;
        if size != source.len() {
            let message = format!("{datatype} {shape:?} takes {size} bytes, but the source has {}", source.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let kernel = Kernel::new(datatype, byteorder, datatype, false)?;
        Ok(MadeElements { source, datatype: datatype.clone(), holds_text: datatype.holds_text(), kernel })
    }

    /// Like [`MadeElements::new`], without a check of strings.
    pub(super) fn unchecked(
        source: Arc<dyn Source>,
        datatype: &Datatype,
        shape: &[i64],
        byteorder: ByteOrder,
    ) -> Result<MadeElements> {
        Ok(MadeElements { holds_text: false, ..MadeElements::new(source, datatype, shape, byteorder)? })
    }

    /// Fills `buffer` with whole elements from byte `offset` on.
    fn fill(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        read_exact_at(&*self.source, offset, buffer)?;
        if self.holds_text {
            check_text(&self.datatype, buffer)?;
        }
        self.kernel.fix(buffer);
        Ok(())
    }
}

impl Source for MadeElements {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let fill = |at, units: &mut [u8]| self.fill(at, units);
        read_in_units(self.len(), self.kernel.source_size(), offset, buffer, fill)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for MadeElements {
    fn kind(&self) -> SourceKind {
        SourceKind::Computed { unit: self.kernel.source_size() as u64 }
    }

    fn opened_file(&self) -> Option<Arc<std::fs::File>> {
        self.source.opened_file()
    }
}

/// Returns the size in bytes of the packed elements of an array of this shape. Fails with [`Status::InvalidArgument`]
/// for an invalid shape and for more than `i64::MAX` bytes.
pub fn packed_size(datatype: &Datatype, shape: &[i64]) -> Result<u64> {
    check_shape(shape)?;
    let count = element_count(shape).ok().and_then(|count| u64::try_from(count).ok());
    let size = count.and_then(|count| count.checked_mul(datatype.item_size().ok()?));
    size.filter(|&size| i64::try_from(size).is_ok()).ok_or_else(|| {
        let message = format!("{datatype} {shape:?} is too large to store: more than 2^63 - 1 bytes");
        Error::new(Status::InvalidArgument, message)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::array::tests::{Lcg, NATIVE};
    use crate::source::MemorySource;

    #[test]
    fn elements_are_swapped_from_any_byte_on() {
        let other = if NATIVE == ByteOrder::Little { ByteOrder::Big } else { ByteOrder::Little };
        let mut random = Lcg(23);
        let bytes = random.bytes(60);
        let source = Arc::new(MemorySource::of_vec(bytes.clone()));
        let made = MadeElements::new(source.clone(), &ScalarType::Int32.into(), &[5, 3], other).unwrap();
        let expected: Vec<u8> = bytes.chunks(4).flat_map(|item| item.iter().rev().copied()).collect();
        for _ in 0..200 {
            let start = random.below(62) as usize;
            let mut part = vec![0; random.below(30) as usize];
            let count = made.read_at(start as u64, &mut part).unwrap();
            assert_eq!(count, part.len().min(60usize.saturating_sub(start)));
            assert_eq!(part[..count], expected[start.min(60)..][..count]);
        }
        let status = |shape: &[i64]| {
            let made = MadeElements::new(source.clone(), &ScalarType::Int32.into(), shape, NATIVE);
            made.err().map(|error| error.status())
        };
        assert_eq!([status(&[16]), status(&[-15])], [Some(Status::InvalidArgument); 2]);
        assert_eq!(status(&[i64::MAX, 8]), Some(Status::InvalidArgument));
        let text = MadeElements::new(source, &Datatype::Ascii(60), &[1], NATIVE).unwrap();
        assert_eq!(text.read_at(3, &mut [0; 5]).unwrap_err().status(), Status::Encoding);
    }
}
