//! A source that can be closed while others still use it.

use super::{Map, OwnSource, Source, Witness};
use crate::error::{Error, Result, Status};
use crate::process::ForkRwLock;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Forwards all calls to another source until it is closed. After that every read fails with [`Status::Closed`]. Maps
/// made earlier stay valid.
pub(crate) struct ClosableSource {
    length: u64,
    inner: ForkRwLock<Option<Arc<dyn Source>>>,
}

impl ClosableSource {
    /// Wraps a source.
    pub(crate) fn new(source: Arc<dyn Source>) -> ClosableSource {
        ClosableSource { length: source.len(), inner: ForkRwLock::new(Some(source)) }
    }

    /// Releases the wrapped source. Its descriptor is closed when the current reads have ended. In the child of a fork,
    /// the source stays open if another thread of the parent was reading during the fork.
    pub(crate) fn close(&self) {
        if let Ok(mut inner) = self.inner.write() {
            *inner = None;
        }
    }

    fn open(&self) -> Result<Arc<dyn Source>> {
        let inner = self.inner.read()?;
        inner.clone().ok_or_else(|| Error::new(Status::Closed, "the file was closed"))
    }
}

impl Source for ClosableSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.open()?.read_at(offset, buffer)
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        self.open()?.read_ranges(ranges)
    }

    fn request_cost(&self) -> u64 {
        self.open().map_or(0, |source| source.request_cost())
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for ClosableSource {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        self.open()?.map(offset, length)
    }

    fn in_memory(&self, offset: u64, length: u64) -> Option<Map> {
        self.open().ok()?.in_memory(offset, length)
    }

    fn behind(&self) -> Option<Arc<dyn Source>> {
        self.open().ok()
    }

    fn file(&self) -> Option<Arc<File>> {
        self.open().ok()?.file()
    }

    fn opened_file(&self) -> Option<Arc<File>> {
        self.open().ok()?.opened_file()
    }

    fn will_need(&self, offset: u64, length: u64) {
        if let Ok(source) = self.open() {
            source.will_need(offset, length);
        }
    }

    fn remember(&self, witness: Witness) {
        if let Ok(source) = self.open() {
            source.remember(witness);
        }
    }

    fn check_unchanged(&self) -> Result<()> {
        self.open()?.check_unchanged()
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.open()?.is_at(path)
    }
}
