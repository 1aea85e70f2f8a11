//! An array that grows at the end of its file, one step after another, with one wait for the disk a step.
//!
//! # The file while it grows
//!
//! * The array is the only content of the last block. The header says that the block is streamed: it extends to the end
//!   of the file, so it need not be written again for each step.
//! * The tree says how many rows the array has, in a place that is wide enough for every number. Rows after these are
//!   bytes that no array uses, for every reader.
//! * Two records stand in the room between the tree and the first block, each in a disk sector of its own
//!   ([`Record`]). They are used in turns. A record tells the number of rows after a step, where the rows of the step
//!   are, their hash, and a hash of the tree without the number.
//! * The file has no block index.
//!
//! # The order of writes
//!
//! | | bytes | state after a kill | state after a power cut |
//! |---|---|---|---|
//! | 1 | the rows, at the end of the file | before the step | before the step |
//! | 2 | the record of the step, over that of the step before the last one | after the step | before or after the step |
//! | 3 | *wait for the disk* (fsync of the file) | after the step | before or after the step, during the wait |
//! | 4 | the number of rows in the tree | after the step | after the step |
//!
//! The number is not waited for: the record is on the disk. Nothing that an earlier step needs is overwritten: the
//! record of the last step stays until the next one is on the disk, and so does the number of rows before it.
//!
//! # Reading
//!
//! The last record that fits the tree counts, if the tree has its number already (it was written after the wait), or
//! if the rows have the hash of the record (they are complete, whatever the disk had kept). Otherwise the record before
//! counts. If the number in the tree is another one, that of the record is read in its place ([`super::grown`]). A
//! reader that does not know records reads the number in the tree: a number that is old by one step after a kill
//! between 2 and 4, or after a power cut, but never a row that is not on the disk.
//!
//! # The end
//!
//! Before the file is changed in another way, and when it is closed, rows that were not saved are cut off, and the file is
//! synced. Then the older record is removed, and after another wait the newer one. The last wait is for the journal of a
//! later change, which describes the file as it is on the disk. The next opening for update does the same after a kill
//! ([`super::grown`]).
//!
//! A tree that another program wrote does not fit the records, which then mean nothing.

pub(crate) use super::growth_format::{DIGITS, SLOTS, encode_rows};
use super::growth_format::{Record, SLOT, tree_hash};
use super::record_line;
use crate::error::{Error, Result, Status};
use crate::process::Process;
use crate::source::{FileSource, MemorySource, OwnSource, Source, read_vec_at, write_all_at};
use crate::tree::NodeId;
use std::hash::Hasher;
use std::ops::Range;
use std::sync::Arc;
use twox_hash::XxHash64;

/// Number of bytes of rows that are read at a time, to hash them.
const PIECE: u64 = 1 << 20;

/// Place at which a file grows.
#[derive(Clone, Debug)]
pub(crate) struct GrowthPlace {
    /// Range of the tree in the file.
    pub(crate) tree: Range<u64>,
    /// Offset of the number of rows in the tree; it takes [`DIGITS`] bytes.
    pub(crate) number: u64,
    /// Offset of the first block. The records stand before it.
    pub(crate) first_block: u64,
    /// Offset of the first row.
    pub(crate) rows: u64,
    /// Size of a row in bytes.
    pub(crate) row_size: u64,
}

/// An array that grows, and its nodes in the tree.
pub(crate) struct GrowingArray {
    pub(crate) growth: Growth,
    pub(crate) array: NodeId,
    /// Node of the number of rows.
    pub(crate) number: NodeId,
}

/// The bytes of an array that grows. Dropping it removes the rows that were not synced, and the records.
pub(crate) struct Growth {
    file: Arc<FileSource>,
    place: GrowthPlace,
    session: u64,
    /// Hash of the tree without the number of rows.
    tree: u64,
    /// Number of the last record.
    sequence: u64,
    /// Rows of the last record, and of the file.
    synced: i64,
    rows: i64,
    /// Hash of the rows after the last record; `None` if they were not written in order.
    hash: Option<XxHash64>,
    /// Set when a write or a wait failed, so that what is on the disk is unknown.
    is_unsure: bool,
    process: Process,
}

impl Growth {
    /// Returns the growth of a file that has this number of rows, and no other bytes after them. Its first record, which
    /// the caller has written, is that of [`Growth::first_record`].
    pub(crate) fn new(file: Arc<FileSource>, place: GrowthPlace, session: u64, rows: i64) -> Result<Growth> {
        let tree = tree_hash(&*file, &place.tree, place.number)?;
        let (sequence, process) = (0, Process::current());
        let hash = Some(XxHash64::with_seed(0));
        Ok(Growth { file, place, session, tree, sequence, synced: rows, rows, hash, is_unsure: false, process })
    }

    /// Returns the bytes of both records of a file that begins to grow. `tree` is the text of the tree at `place`.
    pub(crate) fn first_records(place: &GrowthPlace, session: u64, tree: &[u8], rows: i64) -> Result<Vec<u8>> {
        let end = place.end_of(rows)?;
        let source = MemorySource::of_vec(tree.to_vec());
        let number = place.number.saturating_sub(place.tree.start);
        let tree = tree_hash(&source, &(0..tree.len() as u64), number)?;
        let record = Record {
            session,
            sequence: 0,
            rows,
            fresh: end..end,
            hash: XxHash64::with_seed(0).finish(),
            tree: place.tree.clone(),
            tree_hash: tree,
            number: place.number,
        };
        Ok([record.encode(), record_line::blank(SLOT)].concat())
    }

    /// Returns the number of rows in the file, synced or not.
    pub(crate) fn rows(&self) -> i64 {
        self.rows
    }

    /// Returns true if rows were added since the last record.
    pub(crate) fn is_waiting(&self) -> bool {
        self.rows > self.synced
    }

    /// Fails if an earlier call failed so that the state of the disk is unknown.
    pub(crate) fn check(&self) -> Result<()> {
        self.process.check()?;
        if self.is_unsure {
            let message = "an earlier step may not be on the disk; close the file and open it again";
            return Err(Error::new(Status::Incomplete, message));
        }
        Ok(())
    }

    /// Begins to add rows. The result takes their bytes.
    pub(crate) fn add(&mut self, rows: i64) -> Result<NewRows<'_>> {
        let start = self.place.end_of(self.rows)?;
        let more = || Error::new(Status::InvalidArgument, "the number of rows exceeds 64 signed bits");
        let after = self.rows.checked_add(rows).ok_or_else(more)?;
        self.place.end_of(after)?;
        self.file.expect_changes();
        Ok(NewRows { next: start, start, rows: after, hash: self.hash.clone(), growth: self })
    }

    /// Writes the record of the rows that were added, and then their number into the tree. With `durable`, waits for the
    /// disk between both.
    pub(crate) fn sync(&mut self, durable: bool) -> Result<()> {
        self.check()?;
        let fresh = self.place.end_of(self.synced)?..self.place.end_of(self.rows)?;
        let hash = match &self.hash {
            Some(hash) => hash.finish(),
            None => hash_of(&self.file.grown()?, fresh.clone())?,
        };
        let record = Record {
            session: self.session,
            sequence: self.sequence.saturating_add(1),
            rows: self.rows,
            fresh,
            hash,
            tree: self.place.tree.clone(),
            tree_hash: self.tree,
            number: self.place.number,
        };
        self.file.expect_changes();
        let written = self.write(&record, durable);
        if written.as_ref().err().is_none_or(|error| error.status() == Status::NotDurable) {
            // The step is there, so nothing that follows may remove it.
            self.sequence = record.sequence;
            self.synced = self.rows;
            self.hash = Some(XxHash64::with_seed(0));
        }
        // Without it, changes by others go unnoticed until the next step.
        let _ = self.file.renew();
        written
    }

    /// After a failure the record is removed again, so that the step is not there. If that fails, too, the step is there,
    /// and the error is [`Status::NotDurable`].
    fn write(&mut self, record: &Record, durable: bool) -> Result<()> {
        let file = self.file.descriptor();
        let place = self.place.slots() + record_line::place_of(record.sequence, SLOT);
        let written = write_all_at(file, place, &record.encode());
        let waited = written.as_ref().map_or(Ok(()), |()| if durable { file.sync_data() } else { Ok(()) });
        // Another wait would not report what was lost.
        self.is_unsure = waited.is_err();
        let number = || write_all_at(file, self.place.number, &encode_rows(record.rows));
        let is_there = written.is_ok();
        let Err(error) = written.and(waited).and_then(|()| number()) else { return Ok(()) };
        match write_all_at(file, place, &record_line::blank(SLOT)) {
            Err(_) if is_there => Err(Error::not_durable(&error)),
            _ => Err(Error::io("cannot write the step to the disk", &error)),
        }
    }

    /// Removes the rows after the last record.
    fn cut(&self) -> Result<()> {
        let end = self.place.end_of(self.synced)?;
        let cut = self.file.descriptor().set_len(end);
        cut.map_err(|error| Error::io("cannot remove the rows that were not synced", &error))
    }

    /// Returns the file with all rows.
    pub(crate) fn grown(&self) -> Result<FileSource> {
        self.file.grown()
    }
}

impl GrowthPlace {
    /// Returns the offset of the records: the last whole sectors before the first block.
    pub(crate) fn slots(&self) -> u64 {
        slots_before(self.first_block)
    }

    /// Returns the offset of the byte after so many rows.
    pub(crate) fn end_of(&self, rows: i64) -> Result<u64> {
        let size = u64::try_from(rows).ok().and_then(|rows| rows.checked_mul(self.row_size));
        let end = size.and_then(|size| self.rows.checked_add(size)).filter(|&end| i64::try_from(end).is_ok());
        end.ok_or_else(|| Error::new(Status::InvalidArgument, "the rows exceed the largest possible file"))
    }
}

/// Returns the offset of the records before a first block; 0 if there is no room for them.
pub(crate) fn slots_before(first_block: u64) -> u64 {
    record_line::offset_before(first_block, SLOT)
}

/// Returns the hash of a range of a file.
pub(in crate::file) fn hash_of(file: &dyn Source, range: Range<u64>) -> Result<u64> {
    let mut hash = XxHash64::with_seed(0);
    let mut at = range.start;
    while at < range.end {
        let piece = read_vec_at(file, at, PIECE.min(range.end - at))?;
        hash.write(&piece);
        at += piece.len() as u64;
    }
    Ok(hash.finish())
}

/// Rows that are being added. If dropped before [`NewRows::done`], their bytes are removed.
pub(crate) struct NewRows<'a> {
    growth: &'a mut Growth,
    start: u64,
    /// Offset of the byte after the last one that was written in order.
    next: u64,
    rows: i64,
    hash: Option<XxHash64>,
}

impl NewRows<'_> {
    /// Writes bytes at an offset from the first new row.
    pub(crate) fn put(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let at = self.start.saturating_add(offset);
        match &mut self.hash {
            Some(hash) if at == self.next => hash.write(bytes),
            _ => self.hash = None,
        }
        self.next = at.saturating_add(bytes.len() as u64);
        write_all_at(self.growth.file.descriptor(), at, bytes)
            .map_err(|error| Error::io("cannot write the rows", &error))
    }

    /// Accepts the new rows.
    pub(crate) fn done(self) -> Result<()> {
        self.growth.file.renew()?;
        self.growth.hash = self.hash.clone();
        self.growth.rows = self.rows;
        Ok(())
    }
}

impl Drop for NewRows<'_> {
    fn drop(&mut self) {
        if self.growth.rows == self.rows {
            return;
        }
        // What stays after a failure is not counted, and the next rows overwrite it.
        let _ = self.growth.file.descriptor().set_len(self.start);
        let _ = self.growth.file.renew();
    }
}

impl Drop for Growth {
    fn drop(&mut self) {
        // Changes of others stay, and so does what a failed wait may have left: the next opening decides.
        if !self.process.is_current() || self.is_unsure || self.file.check_unchanged().is_err() {
            return;
        }
        self.file.expect_changes();
        let file = self.file.descriptor();
        // The last number of rows must be on the disk before its record is removed.
        if self.cut().is_ok() && file.sync_data().is_ok() {
            let _ = record_line::remove(file, self.place.slots(), self.sequence, SLOT);
        }
        let _ = self.file.renew();
    }
}

/// Returns a number that no other growth has.
pub(crate) fn new_session() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one((std::time::SystemTime::now(), std::process::id()))
}
