//! Turns the pieces of an input into columns, on one thread or several, with the same outcome.

use super::builders::ColumnBuilder;
use super::cells::Reading;
use super::pieces::{Piece, Pieces};
use super::records::Field;
use crate::codec::parallel::on_threads;
use crate::error::{Error, Result};
use crate::progress;
use crate::table::Header;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How much is to be converted: whichever comes first.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    /// So many rows, exactly.
    pub(super) rows: u64,
    /// So many bytes of text, at least.
    pub(super) bytes: u64,
}

impl Amount {
    /// The next piece of what is left.
    fn next(&mut self, pieces: &mut Pieces, fields: Vec<Field>) -> Result<Option<Piece>> {
        if self.bytes == 0 {
            return Ok(None);
        }
        let piece = pieces.next(usize::try_from(self.rows).unwrap_or(usize::MAX), fields)?;
        if let Some(piece) = &piece {
            self.rows -= piece.record_count as u64;
            self.bytes = self.bytes.saturating_sub(piece.len() as u64);
        }
        Ok(piece)
    }
}

/// Columns that a call which was cancelled left unfinished, and how much of its amount is in them.
pub(super) struct Unfinished {
    builders: Vec<ColumnBuilder>,
    rows: u64,
    bytes: u64,
}

/// What is known to whoever converts.
pub(super) struct Conversion {
    /// What the file says of all of its columns.
    pub(super) declared: Header,
    /// What it says of those that are made, and of the table as a whole.
    pub(super) header: Arc<Header>,
    /// The places of those that are made among those of the file.
    pub(super) columns: Vec<usize>,
    pub(super) reading: Reading,
    pub(super) threads: usize,
    /// Memory that columns may take beyond the bytes that are stored.
    pub(super) table_bytes: u64,
}

impl Conversion {
    /// Columns without cells.
    pub(super) fn builders(&self) -> Result<Vec<ColumnBuilder>> {
        let columns = self.columns.iter().zip(&self.header.columns);
        columns.map(|(&place, header)| ColumnBuilder::new(place, header)).collect()
    }

    /// Makes columns of so much of the pieces, and tells how many rows they have. Of several failures the one that comes
    /// first in the input counts. After [`Status::Cancelled`](crate::Status::Cancelled) `unfinished` has what the next
    /// call goes on with.
    pub(super) fn run(
        &self,
        pieces: &mut Pieces,
        amount: Amount,
        unfinished: &mut Option<Unfinished>,
    ) -> Result<(Vec<ColumnBuilder>, u64)> {
        let begun = match unfinished.take() {
            Some(begun) => begun,
            None => {
                self.reading.begin();
                Unfinished { builders: self.builders()?, rows: 0, bytes: 0 }
            }
        };
        let rest =
            Amount { rows: amount.rows.saturating_sub(begun.rows), bytes: amount.bytes.saturating_sub(begun.bytes) };
        let (builders, left) = if self.threads > 1 {
            self.run_on_threads(pieces, begun.builders, rest)?
        } else {
            self.run_here(pieces, begun.builders, rest)?
        };
        let rows = begun.rows + (rest.rows - left.rows);
        if let Err(cancelled) = progress::settle() {
            *unfinished = Some(Unfinished { builders, rows, bytes: begun.bytes + (rest.bytes - left.bytes) });
            return Err(cancelled);
        }
        Ok((builders, rows))
    }

    /// The same on this thread; gives the amount that is left.
    fn run_here(
        &self,
        pieces: &mut Pieces,
        mut builders: Vec<ColumnBuilder>,
        mut amount: Amount,
    ) -> Result<(Vec<ColumnBuilder>, Amount)> {
        let mut fields = Vec::new();
        while !progress::is_cancelled()
            && let Some(piece) = amount.next(pieces, fields)?
        {
            self.convert(&piece, &mut builders)?;
            self.check_memory(&builders, pieces.stored_bytes())?;
            fields = piece.fields;
        }
        Ok((builders, amount))
    }

    /// Fails if compressed text has become more than a table may be.
    fn check_memory(&self, builders: &[ColumnBuilder], stored_bytes: u64) -> Result<()> {
        let memory = builders.iter().map(ColumnBuilder::memory).fold(0, u64::saturating_add);
        if memory.saturating_sub(stored_bytes) > self.table_bytes {
            let limit = "the memory for the values of a table, in bytes, beyond those stored";
            return Err(Error::limit(limit, self.table_bytes));
        }
        Ok(())
    }

    /// Appends the records of a piece to columns.
    fn convert(&self, piece: &Piece, builders: &mut [ColumnBuilder]) -> Result<()> {
        let (records, not_text) = piece.records();
        let faults = builders.iter_mut().filter_map(|builder| builder.add(records, &self.reading).err());
        match faults.min_by_key(|fault| fault.place).or(not_text) {
            Some(fault) => Err(piece.error(fault, &self.declared)),
            None => Ok(()),
        }
    }

    /// The same on several threads: each takes a piece, converts it by itself, waits until those before are in the columns,
    /// and appends its own.
    fn run_on_threads(
        &self,
        pieces: &mut Pieces,
        builders: Vec<ColumnBuilder>,
        amount: Amount,
    ) -> Result<(Vec<ColumnBuilder>, Amount)> {
        let stored_bytes = pieces.stored_bytes();
        let supply = Mutex::new(Supply { pieces, amount, begun: 0, at_end: false });
        let outcome = Mutex::new(Outcome { builders, appended: 0, failure: None });
        let turn = Condvar::new();
        on_threads(self.threads, || {
            let mut fields = Vec::new();
            // By a function, for the lock must not last as long as the loop's body, in which others take theirs.
            let next = |fields| lock(&supply).next(fields);
            while let Some((index, piece)) = next(std::mem::take(&mut fields)) {
                let converted = piece.and_then(|piece| {
                    let mut own = self.builders()?;
                    self.convert(&piece, &mut own)?;
                    fields = piece.fields;
                    Ok(own)
                });
                let mut outcome = lock(&outcome);
                while outcome.appended != index && outcome.failure.is_none() {
                    outcome = turn.wait(outcome).unwrap_or_else(PoisonError::into_inner);
                }
                if outcome.failure.is_some() {
                    break;
                }
                let appended = converted.and_then(|mut own| outcome.append(&mut own));
                outcome.failure = appended.and_then(|()| self.check_memory(&outcome.builders, stored_bytes)).err();
                turn.notify_all();
            }
        });
        let outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        let left = lock(&supply).amount;
        match outcome.failure {
            Some(error) => Err(error),
            None => Ok((outcome.builders, left)),
        }
    }
}

/// Where the threads get pieces from.
struct Supply<'a> {
    pieces: &'a mut Pieces,
    amount: Amount,
    begun: usize,
    at_end: bool,
}

impl Supply<'_> {
    /// The next piece, or why there is none, with its number; nothing at the end, and behind a failure.
    fn next(&mut self, fields: Vec<Field>) -> Option<(usize, Result<Piece>)> {
        // After a wish to end the call, what was begun is finished.
        if self.at_end || progress::is_cancelled() {
            return None;
        }
        let piece = self.amount.next(self.pieces, fields).transpose();
        self.at_end = !matches!(piece, Some(Ok(_)));
        self.begun += 1;
        piece.map(|piece| (self.begun - 1, piece))
    }
}

/// What the threads make together.
struct Outcome {
    builders: Vec<ColumnBuilder>,
    appended: usize,
    failure: Option<Error>,
}

impl Outcome {
    fn append(&mut self, own: &mut [ColumnBuilder]) -> Result<()> {
        self.builders.iter_mut().zip(own).try_for_each(|(builder, own)| builder.append(own))?;
        self.appended += 1;
        Ok(())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
