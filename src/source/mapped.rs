//! A source that is read through a map of the whole file. For callers who guarantee that nobody shortens the file.

use super::{Map, OwnSource, Source, Witness};
use crate::error::Result;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Reads the bytes of another source through a map. A read of mapped bytes that the file no longer has ends the process
/// with a signal.
pub(crate) struct MappedSource {
    source: Arc<dyn Source>,
    map: Map,
}

impl MappedSource {
    /// Maps a source. Returns the source unchanged if it cannot be mapped.
    pub(crate) fn wrap(source: Arc<dyn Source>) -> Result<Arc<dyn Source>> {
        Ok(match source.map(0, source.len())? {
            Some(map) => Arc::new(MappedSource { source, map }),
            None => source,
        })
    }
}

impl Source for MappedSource {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let rest = usize::try_from(offset).ok().and_then(|offset| self.map.get(offset..)).unwrap_or_default();
        let count = buffer.len().min(rest.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for MappedSource {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        self.source.map(offset, length)
    }

    fn in_memory(&self, offset: u64, length: u64) -> Option<Map> {
        self.map.part(offset, length)
    }

    fn file(&self) -> Option<Arc<File>> {
        self.source.file()
    }

    fn opened_file(&self) -> Option<Arc<File>> {
        self.source.opened_file()
    }

    fn will_need(&self, offset: u64, length: u64) {
        self.source.will_need(offset, length);
    }

    fn remember(&self, witness: Witness) {
        self.source.remember(witness);
    }

    fn check_unchanged(&self) -> Result<()> {
        self.source.check_unchanged()
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.source.is_at(path)
    }
}
