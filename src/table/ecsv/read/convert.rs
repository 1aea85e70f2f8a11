//! Converts the pieces of an input to columns, on one or several threads with the same result.

use super::builders::ColumnBuilder;
use super::cells::Reading;
use super::pieces::{Piece, Pieces};
use super::records::Field;
use crate::codec::parallel::{Spare, beside_threads};
use crate::error::{Error, Result};
use crate::limits::Limit;
use crate::progress;
use crate::table::Header;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Limits of one conversion. It ends when the first of them is reached.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    /// Maximum number of rows.
    pub(super) rows: u64,
    /// Bytes of text to convert. The conversion ends after the piece that reaches them.
    pub(super) bytes: u64,
}

impl Amount {
    /// Returns the next piece within the limits, and subtracts it from them.
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

/// Unfinished columns of a cancelled call, and the part of its amount that they hold.
pub(super) struct Unfinished {
    builders: Vec<ColumnBuilder>,
    rows: u64,
    bytes: u64,
}

/// Data that all threads share.
pub(super) struct Conversion {
    /// Description of all columns of the file.
    pub(super) declared: Header,
    /// Description of the selected columns, and of the table as a whole.
    pub(super) header: Arc<Header>,
    /// Indices of the selected columns among those of the file.
    pub(super) columns: Vec<usize>,
    pub(super) reading: Reading,
    pub(super) threads: usize,
    /// Maximum memory of the columns in bytes, in addition to the stored size of the input.
    pub(super) table_bytes: u64,
}

impl Conversion {
    /// Makes builders without cells for the selected columns.
    pub(super) fn builders(&self) -> Result<Vec<ColumnBuilder>> {
        let columns = self.columns.iter().zip(&self.header.columns);
        columns.map(|(&place, header)| ColumnBuilder::new(place, header)).collect()
    }

    /// Converts pieces to columns, and returns them with their number of rows. Of several errors it returns the one
    /// that comes first in the input. After [`Status::Cancelled`](crate::Status::Cancelled) the next call continues
    /// with `unfinished`.
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
        if let Err(cancelled) = progress::fail_if_cancelled() {
            *unfinished = Some(Unfinished { builders, rows, bytes: begun.bytes + (rest.bytes - left.bytes) });
            return Err(cancelled);
        }
        Ok((builders, rows))
    }

    /// Converts pieces on the calling thread. Returns the columns and the rest of the amount.
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

    /// Fails if the columns exceed the memory limit, which is possible for compressed text.
    fn check_memory(&self, builders: &[ColumnBuilder], stored_bytes: u64) -> Result<()> {
        let memory = builders.iter().map(ColumnBuilder::memory).fold(0, u64::saturating_add);
        if memory.saturating_sub(stored_bytes) > self.table_bytes {
            let limit = "the memory for the values of a table, in bytes, beyond those stored";
            return Err(Limit::TableBytes.exceeded(limit, self.table_bytes));
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

    /// Converts pieces on several threads. Only the calling thread reads, because the input may be a callback of the
    /// program. Each thread takes a piece and converts it to columns of its own. It waits until the columns of all
    /// earlier pieces are appended, then appends its own.
    fn run_on_threads(
        &self,
        pieces: &mut Pieces,
        builders: Vec<ColumnBuilder>,
        mut amount: Amount,
    ) -> Result<(Vec<ColumnBuilder>, Amount)> {
        let stored_bytes = pieces.stored_bytes();
        let queue = Queue::default();
        let outcome = Mutex::new(Outcome { builders, appended: 0, failure: None });
        let turn = Condvar::new();
        let (spare, spare_fields) = (Spare::<Vec<ColumnBuilder>>::default(), Spare::<Vec<Field>>::default());
        // Converts and appends a piece; returns false after a failure.
        let convert = |(index, piece): Numbered| {
            let converted = piece.and_then(|piece| {
                let mut own = spare.take();
                if own.is_empty() {
                    own = self.builders()?;
                }
                self.convert(&piece, &mut own)?;
                spare_fields.give_back(piece.fields);
                Ok(own)
            });
            let mut outcome = lock(&outcome);
            while outcome.appended != index && outcome.failure.is_none() {
                outcome = turn.wait(outcome).unwrap_or_else(PoisonError::into_inner);
            }
            if outcome.failure.is_some() {
                return false;
            }
            let appended = converted.and_then(|mut own| {
                outcome.append(&mut own)?;
                own.iter_mut().for_each(ColumnBuilder::clear);
                spare.give_back(own);
                Ok(())
            });
            outcome.failure = appended.and_then(|()| self.check_memory(&outcome.builders, stored_bytes)).err();
            turn.notify_all();
            outcome.failure.is_none()
        };
        let other_work = || while queue.wait_for_piece().is_some_and(&convert) {};
        let work = || {
            let mut read = 0;
            loop {
                while queue.has_room(self.threads) {
                    // After a cancellation the pieces that were read are still converted.
                    if progress::is_cancelled() {
                        queue.put(None);
                        break;
                    }
                    let piece = amount.next(pieces, spare_fields.take()).transpose();
                    queue.put(piece.map(|piece| (read, piece)));
                    read += 1;
                }
                // The other threads may already have taken all pieces.
                let goes_on = queue.take().map_or_else(|| !queue.is_at_end(), &convert);
                if !goes_on {
                    return queue.put(None);
                }
            }
        };
        beside_threads(self.threads, other_work, work);
        let outcome = outcome.into_inner().unwrap_or_else(PoisonError::into_inner);
        match outcome.failure {
            Some(error) => Err(error),
            None => Ok((outcome.builders, amount)),
        }
    }
}

/// Index of a piece, and the piece or the error in its place.
type Numbered = (usize, Result<Piece>);

/// Queue of pieces that were read and wait for a thread to convert them.
#[derive(Default)]
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

#[derive(Default)]
struct QueueState {
    waiting: VecDeque<Numbered>,
    /// True if no piece follows, because the input ended or a call failed.
    at_end: bool,
}

impl Queue {
    /// Returns whether fewer than `most` pieces wait and another one may follow.
    fn has_room(&self, most: usize) -> bool {
        let state = lock(&self.state);
        !state.at_end && state.waiting.len() < most
    }

    /// Appends a piece. `None` marks the end.
    fn put(&self, piece: Option<Numbered>) {
        let mut state = lock(&self.state);
        state.at_end |= !matches!(piece, Some((_, Ok(_))));
        state.waiting.extend(piece);
        self.changed.notify_all();
    }

    fn is_at_end(&self) -> bool {
        lock(&self.state).at_end
    }

    fn take(&self) -> Option<Numbered> {
        lock(&self.state).waiting.pop_front()
    }

    /// Waits for the next piece. Returns `None` at the end.
    fn wait_for_piece(&self) -> Option<Numbered> {
        let mut state = lock(&self.state);
        while state.waiting.is_empty() && !state.at_end {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.waiting.pop_front()
    }
}

/// Result of the threads, behind one lock.
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
