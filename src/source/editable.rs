//! Bytes in memory that can be changed while others read them.

use super::{Map, OwnSource, Source, try_zeroed};
use crate::error::{Error, Result, Status};
use crate::process::ForkRwLock;
use std::sync::Arc;

/// A source that owns its bytes. Views of the bytes do not change.
pub struct EditableSource {
    length: u64,
    bytes: ForkRwLock<Arc<Vec<u8>>>,
}

impl EditableSource {
    /// Creates a source that owns these bytes.
    pub(crate) fn new(bytes: Vec<u8>) -> EditableSource {
        EditableSource { length: bytes.len() as u64, bytes: ForkRwLock::new(Arc::new(bytes)) }
    }

    /// Returns a second source with the same bytes. Changes of one are not visible in the other.
    pub(crate) fn fork(&self) -> Result<EditableSource> {
        Ok(EditableSource { length: self.length, bytes: ForkRwLock::new(self.bytes()?) })
    }

    /// Overwrites the bytes at `offset`, which must exist. The bytes are copied first if a view or another source uses
    /// them.
    pub(crate) fn overwrite(&self, offset: u64, new: &[u8]) -> Result<()> {
        let mut bytes = self.bytes.write()?;
        if Arc::get_mut(&mut bytes).is_none() {
            let mut copy = try_zeroed(bytes.len())?;
            copy.copy_from_slice(&bytes);
            *bytes = Arc::new(copy);
        }
        let start = usize::try_from(offset).ok();
        let bytes = Arc::get_mut(&mut bytes).map(Vec::as_mut_slice);
        let place = bytes.and_then(|bytes| bytes.get_mut(start?..)?.get_mut(..new.len()));
        place
            .ok_or_else(|| Error::new(Status::Internal, "an array extends past the end of its bytes"))?
            .copy_from_slice(new);
        Ok(())
    }

    fn bytes(&self) -> Result<Arc<Vec<u8>>> {
        Ok(self.bytes.read()?.clone())
    }
}

impl Source for EditableSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let bytes = self.bytes.read()?;
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let count = buffer.len().min(bytes.len() - start);
        buffer[..count].copy_from_slice(&bytes[start..start + count]);
        Ok(count)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for EditableSource {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        Ok(Map::of_memory(self.bytes()?, offset, length))
    }

    fn editable(&self) -> Option<&EditableSource> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_and_forks_keep_what_they_had() {
        let source = EditableSource::new(b"abcdef".to_vec());
        source.overwrite(1, b"BC").unwrap();
        let (view, fork) = (source.map(0, 6).unwrap().unwrap(), source.fork().unwrap());
        source.overwrite(4, b"EF").unwrap();
        fork.overwrite(0, b"A").unwrap();
        let all = |source: &EditableSource| source.map(0, 6).unwrap().unwrap().to_vec();
        assert_eq!((&view[..], all(&source), all(&fork)), (&b"aBCdef"[..], b"aBCdEF".to_vec(), b"ABCdef".to_vec()));
        assert_eq!(source.overwrite(5, b"xx").unwrap_err().status(), Status::Internal);
    }
}
