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
mod reader;
mod temporary;
mod units;
mod zeros;

use crate::error::{Error, Result, Status};
use crate::progress;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

pub(crate) use beneath::open_beneath;
pub(crate) use closable::ClosableSource;
pub(crate) use editable::EditableSource;
pub use file::FileSource;
pub(crate) use file::{is_same_file, write_all_at};
pub(crate) use lock::{HeldLock, LockKind, Locked, hold, is_held, locks_are_proof};
pub use map::Map;
pub(crate) use mapped::MappedSource;
pub use memory::{MemorySource, SharedBytes};
pub(crate) use overlay::{Kept, OverlaySource, Patches};
pub(crate) use reader::SourceReader;
pub(crate) use temporary::TemporaryFile;
pub(crate) use units::read_in_units;
pub(crate) use zeros::ZeroSource;

/// The kind of the bytes of a source, which decides how they are read at the lowest cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceKind {
    /// The bytes are stored, or can be computed repeatedly at low cost.
    Stored,
    /// The bytes are computed when they are read. They should be read once, in order, and in multiples of `unit`.
    Computed {
        /// Number of bytes that are computed together.
        unit: u64,
    },
    /// All bytes are zero.
    Zeros,
}

/// Number of bytes of the defined fields of a block header.
pub(crate) const HEADER_FIELDS: usize = 54;

/// Bytes that were read from a source. They are compared later if only the times of the file have changed.
pub enum Witness<'a> {
    /// The bytes before the tree, from the start of the file. Replaces all witnesses recorded before.
    Header(SharedBytes),
    /// Offset and bytes of the tree.
    Tree(u64, SharedBytes),
    /// Same as `Tree`, but only a hash of the bytes is kept.
    TreeHash(u64, &'a [u8]),
    /// Offset of a block header, or of another part of the file, and its first bytes.
    Part(u64, [u8; HEADER_FIELDS]),
}

/// Bytes that can be read at any position.
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

    /// Returns a view of `length` bytes at `offset` that stays valid after the source is dropped. Returns `None` if
    /// that requires a copy.
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        let _ = (offset, length);
        Ok(None)
    }

    /// Returns a view of bytes that are addressable already, in memory or through a map of the whole source. Unlike
    /// [`map`](Source::map), it makes no new map.
    fn in_memory(&self, offset: u64, length: u64) -> Option<Map> {
        let _ = (offset, length);
        None
    }

    /// Returns the source behind this one, for a series of reads that need not look each time whether it is closed.
    fn behind(&self) -> Option<Arc<dyn Source>> {
        None
    }

    /// Returns the file that has these bytes at the same offsets, so that the system can copy them.
    fn file(&self) -> Option<Arc<File>> {
        None
    }

    /// Returns the file on disk that the bytes come from, at any offsets. Copies of the bytes get at most its rights.
    fn opened_file(&self) -> Option<Arc<File>> {
        self.file()
    }

    /// Starts to fetch these bytes in the background, because they will be read soon. Only a hint, which cannot fail.
    fn will_need(&self, offset: u64, length: u64) {
        let _ = (offset, length);
    }

    /// Returns the kind of the bytes, for callers that write out all bytes.
    fn kind(&self) -> SourceKind {
        SourceKind::Stored
    }

    /// Returns the source as an editable source if its bytes can be changed.
    fn editable(&self) -> Option<&EditableSource> {
        None
    }

    /// Records bytes that were read, if [`check_unchanged`](Source::check_unchanged) uses them.
    fn remember(&self, witness: Witness) {
        let _ = witness;
    }

    /// Fails with [`Status::FileChanged`] if the bytes are known to have changed since the source was opened.
    fn check_unchanged(&self) -> Result<()> {
        Ok(())
    }

    /// Returns whether the source is known to read the file that `path` currently names.
    fn is_at(&self, path: &Path) -> Result<bool> {
        let _ = path;
        Ok(false)
    }
}

/// Returns `result` if the source has not changed since it was opened, otherwise [`Status::FileChanged`]. A result from
/// a changed source may mix old and new bytes.
pub(crate) fn settle<T>(source: &dyn Source, result: Result<T>) -> Result<T> {
    source.check_unchanged().and(result)
}

/// Fills `buffer` from `offset`. Fails with [`Status::Truncated`] if the source ends before.
pub fn read_exact_at(source: &dyn Source, offset: u64, buffer: &mut [u8]) -> Result<()> {
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
    let available = source.len().saturating_sub(offset);
    if length > available {
        return Err(Error::new(Status::Truncated, format!("the file ends {} bytes early", length - available))
            .at_offset(source.len()));
    }
    let size = usize::try_from(length).map_err(|_| Error::out_of_memory(length))?;
    let mut buffer = try_zeroed(size)?;
    read_exact_at(source, offset, &mut buffer)?;
    Ok(buffer)
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

    #[test]
    fn a_directory_or_a_missing_file_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        assert!(FileSource::open(directory.path()).is_err());
        #[cfg(unix)]
        {
            let pipe = directory.path().join("pipe");
            let status = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
            assert!(status.success() && FileSource::open(&pipe).is_err());
        }
        let missing = FileSource::open(&directory.path().join("missing")).err().unwrap();
        assert_eq!(missing.status(), Status::FileNotFound);
    }
}
