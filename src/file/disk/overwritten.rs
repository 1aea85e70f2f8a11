//! Overwritten elements of stored arrays, with a journal that can restore the old ones.

use super::journal::Journal;
use crate::error::{Error, Result, Status};
use crate::layout::{BlockHeader, Checksum, md5_of_range};
use crate::process::Process;
use crate::source::{FileSource, Source, write_all_at};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Maximum size of each of the two parts of a file that identify it, in bytes: its start, and the part before its
/// blocks.
const WITNESS: u64 = 64 << 10;

/// Record of the elements that were overwritten since the last save. Dropping it restores the old elements, unless it
/// is kept.
pub(crate) struct Overwritten {
    pub(crate) journal: Journal,
    pub(crate) file: Arc<FileSource>,
    /// Numbers of overwritten blocks, with their old checksums.
    pub(crate) blocks: BTreeMap<u64, Checksum>,
    /// Set when syncing the file failed. Elements may be lost then, and another sync would not report it.
    pub(crate) is_unsure: bool,
    /// Set when the old elements were restored because a new file would have fitted the journal.
    pub(crate) is_given_back: bool,
    pub(crate) is_kept: bool,
    process: Process,
}

impl Drop for Overwritten {
    fn drop(&mut self) {
        // Only the writing process may restore the old elements.
        if !self.is_kept
            && self.process.is_current()
            && let Some(file) = self.file.file()
        {
            // If this fails, the journal stays for the next opening.
            let _ = self.journal.roll_back(&file).and(self.file.renew_blocks());
        }
    }
}

impl Overwritten {
    /// Begins a journal of a file with `head` bytes before its blocks. `check` fails if others changed the file. The
    /// journal excludes other writers, so the check is valid from then on.
    pub(crate) fn begin(
        path: &Path,
        file: Arc<FileSource>,
        head: u64,
        durable: bool,
        check: impl FnOnce() -> Result<()>,
    ) -> Result<Overwritten> {
        let journal = Journal::begin(path, file.len(), durable)?;
        let blocks = BTreeMap::new();
        let (is_unsure, is_given_back, process) = (false, false, Process::current());
        let mut begun = Overwritten { journal, file, blocks, is_unsure, is_given_back, is_kept: false, process };
        check()?;
        for range in witnesses(head) {
            begun.journal.watch(&*begun.file, range)?;
        }
        Ok(begun)
    }

    /// Completes the batch of kept bytes in the journal. Elements may be overwritten only afterwards.
    pub(crate) fn make_ready(&mut self, number: u64, header: &BlockHeader) -> Result<()> {
        if !self.blocks.contains_key(&number) && header.checksum != [0; 16] {
            let place = header.checksum_offset();
            self.journal.keep(&*self.file, place..place + header.checksum.len() as u64)?;
        }
        if self.journal.is_waiting() { self.journal.ready() } else { Ok(()) }
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

    /// Returns true if a new file could fit the journal, because it contains the bytes that identify the old file.
    pub(crate) fn may_fit(&self, head: u64, new: &FileSource) -> Result<bool> {
        for range in witnesses(head) {
            if range.end > new.len() || md5_of_range(&*self.file, range.clone())? != md5_of_range(new, range)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(crate) fn write(&self, offset: u64, bytes: &[u8]) -> Result<()> {
        let file = self.file.file().ok_or_else(|| Error::new(Status::Internal, "the file has no descriptor"))?;
        write_all_at(&file, offset, bytes).map_err(|error| Error::io("cannot write the file", &error))
    }
}

/// Returns the ranges before the blocks that identify a file.
fn witnesses(head: u64) -> [Range<u64>; 2] {
    [0..head.min(WITNESS), head.saturating_sub(WITNESS).max(head.min(WITNESS))..head]
}
