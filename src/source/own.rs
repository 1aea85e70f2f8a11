//! Abilities of the sources of this library beyond reading: maps, files on disk, changes since the source was opened.

use super::{EditableSource, HEADER_FIELDS, Map, SharedBytes, Source};
use crate::error::Result;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

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
    /// Offset of the records of an array that grows, the size of each, and its first bytes. As long as one of them stands
    /// there, the file may become longer, and the tree may get another number of rows.
    Growing(u64, u64, Vec<u8>),
}

/// A source of this library. Callers implement [`Source`] only.
pub trait OwnSource: Source {
    /// Returns a view of `length` bytes at `offset` that stays valid after the source is dropped. Returns `None` if
    /// that requires a copy.
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        let _ = (offset, length);
        Ok(None)
    }

    /// Returns a view of bytes that are addressable already, in memory or through a map of the whole source. Unlike
    /// [`map`](OwnSource::map), it makes no new map.
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

    /// Records bytes that were read, if [`check_unchanged`](OwnSource::check_unchanged) uses them.
    fn remember(&self, witness: Witness) {
        let _ = witness;
    }

    /// Fails with [`Status::FileChanged`](crate::Status::FileChanged) if the bytes are known to have changed since the
    /// source was opened.
    fn check_unchanged(&self) -> Result<()> {
        Ok(())
    }

    /// Returns true if the source was opened by a name that belonged to the file itself, not to a link.
    fn is_named(&self) -> bool {
        false
    }

    /// Returns whether the source is known to read the file that `path` currently names.
    fn is_at(&self, path: &Path) -> Result<bool> {
        let _ = path;
        Ok(false)
    }
}

/// The abilities of any source. Those of the caller behave as the bodies of [`OwnSource`] say.
impl dyn Source + '_ {
    /// Returns whether the type of the source is the caller's own.
    pub(crate) fn is_of_caller(&self) -> bool {
        self.behind().map_or_else(|| self.abilities().is_none(), |behind| behind.abilities().is_none())
    }

    /// Returns whether the source is the caller's own, and a request costs more than one to a local file.
    pub(crate) fn has_slow_requests(&self) -> bool {
        self.is_of_caller() && self.request_cost() > super::requests::LOCAL_COST
    }

    pub(crate) fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        self.abilities().map_or(Ok(None), |own| own.map(offset, length))
    }

    pub(crate) fn in_memory(&self, offset: u64, length: u64) -> Option<Map> {
        self.abilities().and_then(|own| own.in_memory(offset, length))
    }

    pub(crate) fn behind(&self) -> Option<Arc<dyn Source>> {
        self.abilities().and_then(OwnSource::behind)
    }

    pub(crate) fn file(&self) -> Option<Arc<File>> {
        self.abilities().and_then(OwnSource::file)
    }

    pub(crate) fn opened_file(&self) -> Option<Arc<File>> {
        self.abilities().and_then(OwnSource::opened_file)
    }

    pub(crate) fn will_need(&self, offset: u64, length: u64) {
        if let Some(own) = self.abilities() {
            own.will_need(offset, length);
        }
    }

    pub(crate) fn kind(&self) -> SourceKind {
        self.abilities().map_or(SourceKind::Stored, OwnSource::kind)
    }

    pub(crate) fn editable(&self) -> Option<&EditableSource> {
        self.abilities().and_then(OwnSource::editable)
    }

    pub(crate) fn remember(&self, witness: Witness) {
        if let Some(own) = self.abilities() {
            own.remember(witness);
        }
    }

    pub(crate) fn check_unchanged(&self) -> Result<()> {
        self.abilities().map_or(Ok(()), OwnSource::check_unchanged)
    }

    pub(crate) fn is_at(&self, path: &Path) -> Result<bool> {
        self.abilities().map_or(Ok(false), |own| own.is_at(path))
    }
}
