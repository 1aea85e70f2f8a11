//! Sources of bytes: files, memory, or a type of the caller.
//!
//! All reads are positioned, so several threads can share a source. Network access does not belong here.

mod ahead;
mod beneath;
mod closable;
mod editable;
mod file;
mod known;
mod lock;
mod map;
mod mapped;
mod memory;
mod overlay;
mod own;
mod part;
mod ranges;
mod reader;
mod requests;
mod spool;
mod temporary;
mod units;
mod zeros;

use crate::error::{Error, Result, Status};
use crate::progress;

pub(crate) use beneath::open_beneath;
pub(crate) use closable::ClosableSource;
pub(crate) use editable::EditableSource;
pub use file::FileSource;
pub(crate) use file::{is_same_file, write_all_at};
pub(crate) use lock::{HeldLock, LockKind, Locked, hold, is_held, locks_are_proof};
pub use map::{Map, SharedBytes};
pub(crate) use mapped::MappedSource;
pub use memory::MemorySource;
pub(crate) use overlay::{Kept, OverlaySource, Patches};
pub(crate) use own::{OwnSource, SourceKind, Witness};
pub(crate) use part::PartSource;
pub(crate) use ranges::{RawRanges, failure_of_reader};
pub(crate) use reader::SourceReader;
pub use requests::Transfers;
pub(crate) use requests::{LOCAL_COST, RequestSource, TransferCounts};
pub(crate) use spool::{Sequence, SequenceSource, Spool, SpoolFile};
pub(crate) use temporary::TemporaryFile;
pub(crate) use units::read_in_units;
pub(crate) use zeros::ZeroSource;

/// Number of bytes of the defined fields of a block header.
pub(crate) const HEADER_FIELDS: usize = 54;

/// Bytes that can be read at any position.
///
/// ```
/// use asdfkit::file::{File, OpenOptions, WriteOptions};
/// use asdfkit::source::Source;
///
/// /// Bytes that are stored in reverse order.
/// struct Reversed(Vec<u8>);
///
/// impl Source for Reversed {
///     fn len(&self) -> u64 {
///         self.0.len() as u64
///     }
///
///     fn read_at(&self, offset: u64, buffer: &mut [u8]) -> asdfkit::Result<usize> {
///         let bytes = self.0.iter().rev().skip(offset as usize);
///         Ok(buffer.iter_mut().zip(bytes).map(|(place, byte)| *place = *byte).count())
///     }
/// }
///
/// let file = File::default();
/// file.root()?.set_i64("answer", 42)?;
/// let mut bytes = file.write_to_memory(&WriteOptions::default())?;
/// bytes.reverse();
/// let file = File::open_source(std::sync::Arc::new(Reversed(bytes)), &OpenOptions::default())?;
/// assert_eq!(file.root()?.i64("answer")?, 42);
/// # Ok::<(), asdfkit::Error>(())
/// ```
pub trait Source: Send + Sync {
    /// Returns the number of bytes when the source was opened.
    fn len(&self) -> u64;

    /// Returns whether there are no bytes.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads at `offset` into the start of `buffer` and returns the number of bytes read. It is less than requested
    /// only at the end of the source.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize>;

    /// Fills each buffer from its offset. A source for which a request takes long, such as a server, can ask for all
    /// ranges at once. Regions of arrays, compressed chunks and block headers are read in this way, in rising order of
    /// offsets where the file has them in this order.
    ///
    /// Fails with [`Status::Truncated`] if the source ends before.
    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        ranges.iter_mut().try_for_each(|(offset, buffer)| fill(self, *offset, buffer))
    }

    /// Returns what a request costs, as a number of bytes: reading so many bytes takes as long. Parts of a region with
    /// smaller gaps are read as one range. A server needs about 1 MiB; the default is that of a local file.
    ///
    /// If a request costs more than the default, the first read of a file asks for its first MiB and its last 64 KiB at
    /// once, and small reads ask for more than they need.
    fn request_cost(&self) -> u64 {
        requests::LOCAL_COST
    }

    /// Returns what only the sources of this library can do.
    #[doc(hidden)]
    fn abilities(&self) -> Option<&dyn OwnSource> {
        None
    }
}

/// Returns `result` if the source has not changed since it was opened, otherwise [`Status::FileChanged`]. A result from
/// a changed source may mix old and new bytes.
pub(crate) fn settle<T>(source: &dyn Source, result: Result<T>) -> Result<T> {
    source.check_unchanged().and(result)
}

/// Fills `buffer` from `offset`. Fails with [`Status::Truncated`] if the source ends before.
pub fn read_exact_at(source: &dyn Source, offset: u64, buffer: &mut [u8]) -> Result<()> {
    fill(source, offset, buffer)
}

fn fill(source: &(impl Source + ?Sized), offset: u64, buffer: &mut [u8]) -> Result<()> {
    let mut done = 0;
    while done < buffer.len() {
        progress::check()?;
        let end = done + progress::piece_size(buffer.len() - done);
        let count = source.read_at(offset + done as u64, &mut buffer[done..end])?;
        if count == 0 {
            let missing = buffer.len() - done;
            return Err(Error::new(Status::Truncated, format!("the file ends {missing} bytes early"))
                .at_offset(offset + done as u64));
        }
        done += count;
    }
    Ok(())
}

/// Reads `length` bytes at `offset` into new memory. The memory is allocated after the check that the range lies inside
/// the source.
pub fn read_vec_at(source: &dyn Source, offset: u64, length: u64) -> Result<Vec<u8>> {
    let mut buffer = zeroed_for(source, offset, length)?;
    read_exact_at(source, offset, &mut buffer)?;
    Ok(buffer)
}

/// Returns zeroed memory for `length` bytes at `offset`, after the check that they lie inside the source.
pub(crate) fn zeroed_for(source: &dyn Source, offset: u64, length: u64) -> Result<Vec<u8>> {
    let available = source.len().saturating_sub(offset);
    if length > available {
        return Err(Error::new(Status::Truncated, format!("the file ends {} bytes early", length - available))
            .at_offset(source.len()));
    }
    zeroed_bytes(length)
}

/// Returns so many zeroed bytes, or fails with [`Status::OutOfMemory`].
pub(crate) fn zeroed_bytes(size: u64) -> Result<Vec<u8>> {
    try_zeroed(usize::try_from(size).map_err(|_| Error::out_of_memory(size))?)
}

/// Returns a zeroed vector, or fails with [`Status::OutOfMemory`].
pub fn try_zeroed(size: usize) -> Result<Vec<u8>> {
    let mut buffer = Vec::new();
    buffer.try_reserve_exact(size).map_err(|_| Error::out_of_memory(size as u64))?;
    buffer.resize(size, 0);
    Ok(buffer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_reads_to_its_end_and_no_further() {
        let source = MemorySource::of_vec(b"abcdef".to_vec());
        let mut buffer = [0; 4];
        assert_eq!(source.read_at(4, &mut buffer).unwrap(), 2);
        assert_eq!(source.read_at(u64::MAX, &mut buffer).unwrap(), 0);
        let error = read_exact_at(&source, 4, &mut buffer).unwrap_err();
        assert_eq!(error.status(), Status::Truncated);
        assert_eq!(error.location().offset, Some(6));
    }

    #[test]
    fn ranges_are_read_in_one_call() {
        let source: &dyn Source = &MemorySource::of_vec(b"abcdef".to_vec());
        let (mut first, mut second) = ([0; 2], [0; 3]);
        source.read_ranges(&mut [(4, &mut first), (0, &mut second)]).unwrap();
        assert_eq!((&first, &second), (b"ef", b"abc"));
        let error = source.read_ranges(&mut [(0, &mut second), (5, &mut first)]).unwrap_err();
        assert_eq!((error.status(), error.location().offset), (Status::Truncated, Some(6)));
    }

    #[test]
    fn false_lengths_take_no_memory() {
        let source = MemorySource::of_vec(vec![0; 10]);
        assert_eq!(read_vec_at(&source, 4, u64::MAX).unwrap_err().status(), Status::Truncated);
        assert_eq!(read_vec_at(&source, u64::MAX, 1).unwrap_err().status(), Status::Truncated);
        assert_eq!(read_vec_at(&source, 4, 6).unwrap(), vec![0; 6]);
    }

    #[test]
    fn maps_outlive_their_source() {
        let map = {
            let source = MemorySource::of_vec(b"abcdef".to_vec());
            source.map(1, 3).unwrap().unwrap()
        };
        assert_eq!(&map[..], b"bcd");
    }

    #[test]
    fn a_mapped_file_reads_as_the_file_does() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bytes");
        for bytes in [&b"0123456789"[..], b""] {
            std::fs::write(&path, bytes).unwrap();
            let file: std::sync::Arc<dyn Source> = std::sync::Arc::new(FileSource::open(&path).unwrap());
            let mapped = MappedSource::wrap(file.clone()).unwrap();
            for offset in [0, 3, 9, 10, 11, u64::MAX] {
                let (mut one, mut other) = ([0; 4], [0; 4]);
                let counts = (file.read_at(offset, &mut one).unwrap(), mapped.read_at(offset, &mut other).unwrap());
                assert_eq!((counts.0, one), (counts.1, other));
            }
            assert_eq!((mapped.len(), mapped.map(8, 3).unwrap().is_none()), (file.len(), true));
            std::fs::write(&path, b"longer than it was before").unwrap();
            assert_eq!(mapped.check_unchanged().unwrap_err().status(), Status::FileChanged);
        }
    }

    #[test]
    fn a_file_maps_at_any_offset_and_notices_changes() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("bytes");
        std::fs::write(&path, b"0123456789").unwrap();
        let source = FileSource::open(&path).unwrap();
        let map = source.map(3, 4).unwrap().unwrap();
        assert_eq!(&map[..], b"3456");
        assert!(source.map(8, 3).unwrap().is_none());
        source.check_unchanged().unwrap();
        std::fs::write(&path, b"01234").unwrap();
        assert_eq!(source.check_unchanged().unwrap_err().status(), Status::FileChanged);
    }

    #[test]
    fn a_closed_source_fails_and_its_maps_stay_valid() {
        let source = ClosableSource::new(std::sync::Arc::new(MemorySource::of_vec(b"abcdef".to_vec())));
        let map = source.map(0, 6).unwrap().unwrap();
        source.close();
        assert_eq!(source.read_at(0, &mut [0; 1]).unwrap_err().status(), Status::Closed);
        assert_eq!(source.map(0, 1).err().unwrap().status(), Status::Closed);
        assert_eq!(&map[..], b"abcdef");
    }

    #[cfg(target_os = "linux")]
    pub(super) fn make_pipe(path: &std::path::Path) {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
    }

    #[test]
    fn a_directory_or_a_missing_file_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        assert!(FileSource::open(directory.path()).is_err());
        #[cfg(target_os = "linux")]
        {
            let pipe = directory.path().join("pipe");
            make_pipe(&pipe);
            assert!(FileSource::open(&pipe).is_err());
        }
        let missing = FileSource::open(directory.path().join("missing")).err().unwrap();
        assert_eq!(missing.status(), Status::FileNotFound);
    }
}
