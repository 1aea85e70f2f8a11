//! Overwritten elements of stored arrays, with a journal that can restore the old ones.

use super::journal::{Journal, WITNESS, mark_modified};
use super::journal_format::Purpose;
use crate::error::{Error, Result, Status};
use crate::layout::{BlockHeader, Checksum};
use crate::process::Process;
use crate::source::{FileSource, OwnSource, Source, write_all_at};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Record of the elements that were overwritten since the last save. Dropping it restores the old elements, unless it
/// is kept.
pub(crate) struct Overwritten {
    pub(crate) journal: Journal,
    pub(crate) file: Arc<FileSource>,
    /// Numbers of overwritten blocks, with their old checksums.
    pub(crate) blocks: BTreeMap<u64, Checksum>,
    /// Numbers of the HDUs of a FITS file whose data were overwritten.
    pub(crate) hdus: BTreeSet<usize>,
    /// Set when syncing the file failed. Elements may be lost then, and another sync would not report it.
    pub(crate) is_unsure: bool,
    /// Set when the new elements are final.
    pub(crate) is_kept: bool,
    process: Process,
}

impl Drop for Overwritten {
    fn drop(&mut self) {
        // Only the writing process may restore the old elements.
        // Later changes of others stay: the journal then does not fit any more.
        if !self.is_kept
            && self.process.is_current()
            && (!self.journal.is_ready() || self.file.check_unchanged().is_ok())
            && let Some(file) = self.file.file()
        {
            // If this fails, the journal stays for the next opening.
            let _ = self.journal.roll_back(&file).and(self.file.renew_blocks());
        }
    }
}

impl Overwritten {
    /// Begins a journal of a file. The bytes of `head` are those before its blocks. `check` fails if others changed the file. The
    /// journal excludes other writers, so the check is valid from then on.
    pub(crate) fn begin(
        path: &Path,
        file: Arc<FileSource>,
        head: Range<u64>,
        durable: bool,
        check: impl FnOnce() -> Result<()>,
    ) -> Result<Overwritten> {
        let journal = Journal::begin(path, &file, Purpose::Regions, durable)?;
        let (blocks, process) = (BTreeMap::new(), Process::current());
        let hdus = BTreeSet::new();
        let mut begun = Overwritten { journal, file, blocks, hdus, is_unsure: false, is_kept: false, process };
        check()?;
        for range in witnesses(head) {
            begun.journal.watch(&*begun.file, range)?;
        }
        Ok(begun)
    }

    /// Completes the batch of kept bytes in the journal, and begins to overwrite them.
    pub(crate) fn make_ready(&mut self, number: u64, header: &BlockHeader) -> Result<()> {
        if !self.blocks.contains_key(&number) {
            let offset = header.checksum_offset();
            if header.checksum == [0; 16] {
                self.journal.note_bare(offset)?;
            } else {
                self.journal.keep_checksum(offset, &header.checksum, header.stored_range(self.file.len())?)?;
            }
        }
        self.complete_batch()
    }

    /// Completes the batch of kept bytes that belong to no block, and begins to overwrite them.
    pub(crate) fn complete_batch(&mut self) -> Result<()> {
        if self.journal.is_waiting() {
            self.journal.ready()?;
        }
        self.journal.begin_writes()?;
        self.file.expect_changes();
        Ok(())
    }

    /// Overwrites bytes that belong to no block, and keeps the old ones.
    pub(crate) fn replace(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.journal.keep(&*self.file, offset..offset.saturating_add(bytes.len() as u64))?;
        self.complete_batch()?;
        self.write(offset, bytes)
    }

    /// Removes the checksum of a block before it is first overwritten.
    pub(crate) fn take_checksum(&mut self, number: u64, header: &BlockHeader) -> Result<()> {
        self.file.expect_changes();
        if let Entry::Vacant(entry) = self.blocks.entry(number) {
            entry.insert(header.checksum);
            if header.checksum != [0; 16] {
                self.write(header.checksum_offset(), &[0; 16])?;
            }
        }
        Ok(())
    }

    /// Overwrites elements.
    pub(crate) fn overwrite(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        self.journal.announce(offset, bytes)?;
        self.write(offset, bytes)
    }

    /// Accepts the current state of the file as unchanged. If `is_done`, all writes that were begun succeeded.
    ///
    /// The file gets a time of its own, so that a later change by others is noticed even if it follows at once.
    pub(crate) fn settle(&self, is_done: bool) -> Result<()> {
        if let Some(file) = self.file.file().filter(|_| is_done) {
            mark_modified(&file);
            self.journal.end_writes(&file);
        }
        self.file.renew_blocks()
    }

    /// Fails with [`Status::FileChanged`] if others replaced the file or changed its length.
    pub(crate) fn check_not_replaced(&self, path: &Path) -> Result<()> {
        let length = self.file.descriptor().metadata().map(|metadata| metadata.len());
        let length = length.map_err(|error| Error::io("cannot get the size of the file", &error))?;
        if length == self.file.len() && self.file.is_at(path)? {
            return Ok(());
        }
        Err(Error::new(Status::FileChanged, "the file was replaced or changed after its elements were overwritten"))
    }

    pub(crate) fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let file = self.file.file().ok_or_else(|| Error::new(Status::Internal, "the file has no descriptor"))?;
        write_all_at(&file, offset, bytes).map_err(|error| Error::io("cannot write the file", &error))
    }
}

/// Returns the ranges before the blocks that identify a file.
fn witnesses(head: Range<u64>) -> [Range<u64>; 2] {
    let first = head.start..head.end.min(head.start.saturating_add(WITNESS));
    let last = head.end.saturating_sub(WITNESS).max(first.end)..head.end;
    [first, last]
}
