//! Elements that were written over where they are stored, with a journal that can give the old ones back.

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

/// How much of a file's start tells it from another, and of what stands before its blocks.
const WITNESS: u64 = 64 << 10;

/// What was written over since the file was saved. Dropped, it is given back.
pub(crate) struct Overwritten {
    pub(crate) journal: Journal,
    pub(crate) file: Arc<FileSource>,
    /// The blocks that were written to, with the checksums that they had.
    pub(crate) blocks: BTreeMap<u64, Checksum>,
    /// Set when waiting for the file failed. Elements may be lost then, and waiting again would not tell.
    pub(crate) is_unsure: bool,
    /// Set when the old elements were given back to the file for the sake of a new one.
    pub(crate) is_given_back: bool,
    pub(crate) is_kept: bool,
    process: Process,
}

impl Drop for Overwritten {
    fn drop(&mut self) {
        // To give it back is up to the process that wrote.
        if !self.is_kept
            && self.process.is_current()
            && let Some(file) = self.file.file()
        {
            // Should it fail, the journal stays for the next opening.
            let _ = self.journal.roll_back(&file).and(self.file.renew_blocks());
        }
    }
}

impl Overwritten {
    /// Begins a journal of a file, of which so many bytes stand before the blocks. `check` fails if somebody else changed
    /// the file; who overwrites has a journal, so that nobody else does after that.
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

    /// Makes sure what is kept. Nothing is overwritten before.
    pub(crate) fn make_ready(&mut self, number: u64, header: &BlockHeader) -> Result<()> {
        if !self.blocks.contains_key(&number) && header.checksum != [0; 16] {
            let place = header.checksum_offset();
            self.journal.keep(&*self.file, place..place + header.checksum.len() as u64)?;
        }
        if self.journal.is_waiting() { self.journal.ready() } else { Ok(()) }
    }

    /// Takes the block's checksum off when it is written to for the first time.
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

    /// Whether the journal could be taken for one of a new file: the new file has the bytes by which the journal knows its
    /// own file.
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
        write_all_at(&file, offset, bytes).map_err(|error| Error::io("cannot write", &error))
    }
}

/// The parts before the blocks by which a file is known again.
fn witnesses(head: u64) -> [Range<u64>; 2] {
    [0..head.min(WITNESS), head.saturating_sub(WITNESS).max(head.min(WITNESS))..head]
}
