//! Reader of a source from first to last byte, for decoders of whole files.

use super::{HEADER_FIELDS, Source, Witness};
use crate::progress::{self, Counted};
use std::io::Read;
use std::sync::Arc;

/// Distance in bytes between the parts of a source that are recorded to detect a change.
const PARTS_DISTANCE: usize = 32 * 1024;

/// Reads a source from its beginning, and records parts of the bytes that it reads.
///
/// Errors of the source are inside the `std::io::Error`, from where `downcast` takes them.
pub(crate) struct SourceReader {
    source: Arc<dyn Source>,
    offset: u64,
    counted: Option<Counted>,
}

impl SourceReader {
    /// Makes a reader. The bytes are counted as progress of kind `counted`.
    pub(crate) fn new(source: Arc<dyn Source>, counted: Option<Counted>) -> SourceReader {
        SourceReader::at(source, 0, counted)
    }

    /// Makes a reader that begins at an offset.
    pub(crate) fn at(source: Arc<dyn Source>, offset: u64, counted: Option<Counted>) -> SourceReader {
        SourceReader { source, offset, counted }
    }

    /// Records parts of the bytes at the current offset, the last one at their end.
    fn remember(&self, bytes: &[u8]) {
        let last = bytes.len().saturating_sub(HEADER_FIELDS);
        for at in (0..last).step_by(PARTS_DISTANCE).chain([last]) {
            if let Some(part) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
                self.source.remember(Witness::Part(self.offset + at as u64, *part));
            }
        }
    }
}

impl Read for SourceReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.source.read_at(self.offset, buffer).map_err(std::io::Error::other)?;
        self.remember(buffer.get(..count).unwrap_or_default());
        self.offset += count as u64;
        if let Some(kind) = self.counted {
            progress::count(kind, count as u64);
        }
        Ok(count)
    }
}
