//! Writing steps. See [`steps`](super).

use super::format::{Record, SLOT, hash_of_head};
pub(in crate::file) use super::format::{SLOTS, Written, slots_before};
use crate::error::{Error, Result, Status};
use crate::file::disk::growth::{hash_of, new_session};
use crate::file::disk::record_line;
use crate::layout::index_of;
use crate::process::Process;
use crate::source::{FileSource, OwnSource, Source, write_all_at};
use std::ops::Range;
use std::sync::Arc;
use twox_hash::XxHash64;

/// The chunks that are appended to a file. Dropping it removes blocks that were not synced, and the records.
pub(crate) struct Steps {
    file: Arc<FileSource>,
    /// Offset of the records.
    slots: u64,
    session: u64,
    /// Number of the last record.
    sequence: u64,
    /// End of the blocks of the last record.
    end: u64,
    /// Offsets of all blocks.
    offsets: Vec<u64>,
    /// Offsets of the changes of the last record: readers have these bytes as they were.
    kept: Vec<u64>,
    /// True if the file ends with a block index when it is closed.
    has_index: bool,
    /// Set when a write or a wait failed, so that what is on the disk is unknown.
    is_unsure: bool,
    process: Process,
}

impl Steps {
    /// Writes the first record of a file that has no block index, and waits for the disk. `head` are the bytes before the
    /// records, `offsets` those of all blocks.
    pub(in crate::file) fn begin(
        file: Arc<FileSource>,
        head: &[u8],
        offsets: Vec<u64>,
        changes: Vec<Written>,
    ) -> Result<Steps> {
        let (slots, end, session) = (head.len() as u64, file.len(), new_session());
        let hash = XxHash64::oneshot(0, &[]);
        let head = hash_of_head(head);
        let record = Record { session, sequence: 0, fresh: end..end, hash, slots, head, changes };
        let kept = record.changes.iter().map(|change| change.offset).collect();
        let bytes = record.encode().ok_or_else(too_large)?;
        let bytes = [&bytes[..], &record_line::blank(SLOT)].concat();
        file.expect_changes();
        let written = write_all_at(file.descriptor(), slots, &bytes).and_then(|()| file.descriptor().sync_data());
        file.renew()?;
        written.map_err(|error| Error::io("cannot write the first record of steps", &error))?;
        let process = Process::current();
        Ok(Steps { file, slots, session, sequence: 0, end, offsets, kept, has_index: true, is_unsure: false, process })
    }

    /// Returns true if a record has room for these changes.
    pub(in crate::file) fn fits(changes: &[Written]) -> bool {
        let most = u64::MAX;
        let changes = changes.to_vec();
        let record = Record { session: 0, sequence: most, fresh: most..most, hash: 0, slots: most, head: 0, changes };
        record.encode().is_some()
    }

    /// Returns the offset of the records.
    pub(in crate::file) fn slots(&self) -> u64 {
        self.slots
    }

    /// Returns the end of the last block.
    pub(in crate::file) fn end(&self) -> u64 {
        self.end
    }

    /// Fails if an earlier call failed so that the state of the disk is unknown.
    pub(in crate::file) fn check(&self) -> Result<()> {
        self.process.check()?;
        if self.is_unsure {
            let message = "an earlier step is not complete on the disk; close the file and open it again";
            return Err(Error::new(Status::Incomplete, message));
        }
        Ok(())
    }

    /// Returns true if readers of the last record have the bytes at this offset as they were.
    pub(in crate::file) fn keeps(&self, offset: u64) -> bool {
        self.kept.contains(&offset)
    }

    fn record(&self, fresh: Range<u64>, hash: u64, head: u64, changes: Vec<Written>) -> Record {
        let (session, slots, sequence) = (self.session, self.slots, self.sequence.saturating_add(1));
        Record { session, sequence, fresh, hash, slots, head, changes }
    }

    /// Keeps a step whose blocks were written up to `end`: writes its record, waits for the disk, and writes the changes.
    /// `hash` is that of the blocks, if it is known; `head` are the bytes before the records after the step.
    ///
    /// After a failure the step is not there, or with [`Status::NotDurable`] it is.
    pub(in crate::file) fn keep(
        &mut self,
        (end, hash): (u64, Option<u64>),
        head: &[u8],
        changes: Vec<Written>,
        offsets: Vec<u64>,
    ) -> Result<()> {
        self.check()?;
        let fresh = self.end..end;
        let hash = hash.map_or_else(|| hash_of(&self.file.grown()?, fresh.clone()), Ok)?;
        self.file.expect_changes();
        let record = self.record(fresh, hash, hash_of_head(head), changes);
        let written = self.write(&record);
        if written.as_ref().err().is_none_or(|error| error.status() == Status::NotDurable) {
            // The step is there, so nothing that follows may remove it.
            (self.sequence, self.end, self.offsets) = (record.sequence, end, offsets);
            self.kept = record.changes.iter().map(|change| change.offset).collect();
        }
        written
    }

    fn write(&mut self, record: &Record) -> Result<()> {
        let file = self.file.descriptor();
        let bytes = record.encode().ok_or_else(too_large)?;
        let written = write_all_at(file, record.place(), &bytes);
        let waited = written.as_ref().map_or(Ok(()), |()| file.sync_data());
        // Another wait would not report what was lost.
        self.is_unsure = waited.is_err();
        let is_there = written.is_ok();
        if let Err(error) = written.and(waited) {
            return match write_all_at(file, record.place(), &record_line::blank(SLOT)) {
                Err(_) if is_there => Err(Error::not_durable(&error)),
                _ => Err(Error::io("cannot write the step to the disk", &error)),
            };
        }
        // The step is on the disk. Changes that cannot be written are read from the record, which must stay then.
        let change = |change: &Written| write_all_at(file, change.offset, &change.bytes);
        self.is_unsure = record.changes.iter().try_for_each(change).is_err();
        Ok(())
    }

    /// Takes the blocks after the last record away, after a failure.
    pub(in crate::file) fn cut(&self) -> Result<()> {
        self.file.expect_changes();
        let cut = self.file.descriptor().set_len(self.end);
        let _ = self.file.renew();
        cut.map_err(|error| Error::io("cannot remove the blocks that were not saved", &error))
    }

    /// Ends the steps before the file is changed in another way.
    pub(in crate::file) fn end_before_change(mut self) {
        self.has_index = false;
    }
}

impl Drop for Steps {
    fn drop(&mut self) {
        // Changes of others stay, and so does what a failed wait may have left: the next opening decides.
        if !self.process.is_current() || self.is_unsure || self.file.check_unchanged().is_err() {
            return;
        }
        self.file.expect_changes();
        let file = self.file.descriptor();
        // The last changes must be on the disk before their record is removed.
        if self.cut().is_ok() && file.sync_data().is_ok() {
            self.file.expect_changes();
            // Without its index the file keeps the records: the next opening for update writes both.
            let write_index =
                || index_of(&self.offsets).is_ok_and(|index| write_all_at(file, self.end, &index).is_ok());
            if !self.has_index || write_index() {
                let _ = record_line::remove(file, self.slots, self.sequence, SLOT);
            }
        }
        let _ = self.file.renew();
    }
}

fn too_large() -> Error {
    Error::new(Status::Internal, "the record of a step is too large")
}
