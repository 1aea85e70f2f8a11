//! A source of bytes in memory.

use super::{Map, OwnSource, SharedBytes, Source};
use crate::error::Result;
use std::sync::Arc;

/// Bytes in memory, shared with the views of them.
#[derive(Clone)]
pub struct MemorySource(SharedBytes);

debug_by_name!(MemorySource, "MemorySource");

impl MemorySource {
    /// Creates a source over these bytes.
    pub fn new(bytes: SharedBytes) -> MemorySource {
        MemorySource(bytes)
    }

    /// Creates a source that owns these bytes.
    pub fn of_vec(bytes: Vec<u8>) -> MemorySource {
        MemorySource(Arc::new(bytes))
    }

    fn bytes(&self) -> &[u8] {
        (*self.0).as_ref()
    }
}

impl Source for MemorySource {
    fn len(&self) -> u64 {
        self.bytes().len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let bytes = self.bytes();
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(bytes.len());
        let count = buffer.len().min(bytes.len() - start);
        buffer[..count].copy_from_slice(&bytes[start..start + count]);
        Ok(count)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for MemorySource {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        Ok(Map::of_memory(self.0.clone(), offset, length))
    }

    fn in_memory(&self, offset: u64, length: u64) -> Option<Map> {
        Map::of_memory(self.0.clone(), offset, length)
    }
}
