//! A source of zeros that takes no memory.

use super::{OwnSource, Source, SourceKind};
use crate::error::Result;

/// A source of this many zero bytes.
pub(crate) struct ZeroSource(pub(crate) u64);

impl Source for ZeroSource {
    fn len(&self) -> u64 {
        self.0
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.0.saturating_sub(offset)).unwrap_or(usize::MAX);
        let count = available.min(buffer.len());
        buffer[..count].fill(0);
        Ok(count)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for ZeroSource {
    fn kind(&self) -> SourceKind {
        SourceKind::Zeros
    }
}
