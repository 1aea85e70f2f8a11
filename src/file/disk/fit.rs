//! Check whether a journal belongs to the present state of a file.
//!
//! A journal belongs to one state of one file. The file must be the same one (its identity), must not be newer than a
//! journal whose writer had finished its writes, and must have the old or the new bytes at each place that the journal
//! keeps. As long as the system runs, the new bytes are known exactly. After a power cut, some records of new bytes may
//! be missing, so elements that were overwritten may then have any value.
//!
//! A copy of the file beside a copy of the journal is another file. It is restored only if its content shows that its
//! save was interrupted: bytes partly old and partly new, or blocks without a valid checksum.

use super::identity::{Identity, current_boot};
use super::journal_format::{CHECKSUM, Header, Kind, Purpose, SUM, is_at_rest};
use super::undo::{Head, PIECE, Record, Undo};
use crate::error::{Error, Result};
use crate::layout::{Checksum, md5_of_range};
use crate::source::{Kept, Source, read_exact_at, try_zeroed};
use std::collections::BTreeSet;
use std::fs::Metadata;
use std::ops::Range;
use std::time::Duration;

/// Relation of a journal to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Nothing was overwritten, or the old bytes are back.
    Untouched,
    /// The file must be restored.
    Undo,
    /// The file has all the new bytes, but it is another file than the one that was saved. It stays as it is.
    Whole,
    /// The journal belongs to another file, or the file was changed later.
    Foreign,
    /// The journal is damaged, or its format is unknown.
    Damaged,
}

/// The relation of a file to a journal, by the properties of the file.
struct Kinship {
    /// True for the file that the journal was made for.
    is_same: bool,
    /// True if the system has been running since then, so that all records are there.
    is_exact: bool,
    /// True if the file was changed after the writer of the journal had finished.
    is_newer: bool,
}

impl Undo {
    /// Returns the relation of the journal to a file.
    pub(super) fn fit(&self, file: &dyn Source) -> Result<Fit> {
        let header = match &self.head {
            Head::Torn => return Ok(Fit::Untouched),
            Head::Unknown => return Ok(Fit::Damaged),
            Head::Known(header) => header,
        };
        let kinship = self.kinship(header, file)?;
        if self.ready.is_none() && !kinship.is_same {
            return Ok(Fit::Untouched);
        }
        if self.ready.is_none() {
            let is_old = file.len() == header.length && self.is_consistent(file)?;
            return Ok(if is_old { Fit::Untouched } else { Fit::Foreign });
        }
        if self.is_old(header, file)? {
            return Ok(Fit::Untouched);
        }
        if kinship.is_newer || self.lacks_bytes(header, file) || !self.is_consistent(file)? {
            return Ok(Fit::Foreign);
        }
        if header.purpose == Purpose::Regions {
            let is_exact = kinship.is_exact && !self.is_loose;
            if file.len() != header.length || (is_exact && !self.is_announced(file)?) {
                return Ok(Fit::Foreign);
            }
        }
        match (kinship.is_same, header.purpose) {
            (true, _) => Ok(Fit::Undo),
            (false, Purpose::Save) if !self.is_new(file)? => Ok(Fit::Undo),
            (false, Purpose::Save) => Ok(if self.knows_all(header, file) { Fit::Whole } else { Fit::Foreign }),
            (false, Purpose::Regions) if self.lacks_checksums(file)? => Ok(Fit::Undo),
            (false, Purpose::Regions) => Ok(Fit::Foreign),
        }
    }

    fn kinship(&self, header: &Header, file: &dyn Source) -> Result<Kinship> {
        let metadata = |source: &dyn Source| match source.file() {
            Some(file) => file.metadata().map(Some).map_err(|error| Error::io("cannot identify the file", &error)),
            None => Ok(None),
        };
        // Bytes that are no file have no identity, so their content alone decides.
        let Some(own) = metadata(file)? else {
            return Ok(Kinship { is_same: true, is_exact: false, is_newer: false });
        };
        let journal = metadata(&*self.source)?;
        let is_same = header.identity.is_same(Identity::of(&own));
        let is_newer = is_same && !self.is_untimed && journal.is_some_and(|journal| is_newer(&own, &journal));
        let is_exact = is_same && header.boot != [0; 16] && header.boot == current_boot();
        Ok(Kinship { is_same, is_exact, is_newer })
    }

    /// Returns true if bytes before the old end of the file are neither in the file nor in the journal.
    fn lacks_bytes(&self, header: &Header, file: &dyn Source) -> bool {
        let patches = self.patches();
        !patches.gaps(file.len().min(header.length)..header.length).is_empty()
            || patches.iter().any(|(range, kept)| kept == Kept::Zeros && range.end > file.len())
    }

    /// Returns true if the file has all the bytes that the journal keeps, and the old length.
    fn is_old(&self, header: &Header, file: &dyn Source) -> Result<bool> {
        if file.len() != header.length {
            return Ok(false);
        }
        for (range, kept) in self.patches().iter() {
            let is_old = match kept {
                Kept::At(place) => self.compare(file, range, place, 0)?,
                Kept::Zeros => is_zero(file, range)?,
            };
            if !is_old {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if the file is compatible with each record.
    fn is_consistent(&self, file: &dyn Source) -> Result<bool> {
        let ready = self.ready.unwrap_or(0);
        for (number, record) in self.records.iter().enumerate() {
            if !self.holds(record, number < ready, file)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if the content of a file is compatible with a record.
    fn holds(&self, record: &Record, ready: bool, file: &dyn Source) -> Result<bool> {
        let Record { kind, range, payload } = record;
        let length = range.end - range.start;
        match (*kind, ready) {
            (Kind::Witness, _) => {
                if range.end > file.len() {
                    return Ok(false);
                }
                let mut digest = [0; CHECKSUM];
                read_exact_at(&*self.source, *payload, &mut digest)?;
                Ok(md5_of_range(file, range.clone())? == digest)
            }
            // Any of these bytes may be old or new.
            (Kind::Changed, true) => self.compare(file, range.start..range.end.min(file.len()), *payload, length),
            // In an incomplete batch, nothing was overwritten.
            (Kind::Changed | Kind::Old | Kind::Sum, false) => {
                Ok(range.end <= file.len() && self.compare(file, range.clone(), *payload, 0)?)
            }
            _ => Ok(true),
        }
    }

    /// Returns true if each byte of a range of the file equals the byte at `payload` in the journal, or the one
    /// `further` bytes later.
    fn compare(&self, file: &dyn Source, range: Range<u64>, payload: u64, further: u64) -> Result<bool> {
        let size = PIECE.min(range.end.saturating_sub(range.start)) as usize;
        let (mut found, mut old, mut new) = (try_zeroed(size)?, try_zeroed(size)?, try_zeroed(size)?);
        for piece in pieces(range.clone()) {
            let size = (piece.end - piece.start) as usize;
            let from = payload + (piece.start - range.start);
            let (found, old, new) = (&mut found[..size], &mut old[..size], &mut new[..size]);
            read_exact_at(file, piece.start, found)?;
            read_exact_at(&*self.source, from, old)?;
            read_exact_at(&*self.source, from + further, new)?;
            if found.iter().zip(old.iter().zip(new.iter())).any(|(found, (old, new))| found != old && found != new) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if each kept byte of the file is the old one, or one that was announced for its place.
    fn is_announced(&self, file: &dyn Source) -> Result<bool> {
        let mut written: Vec<&Record> = self.written.iter().collect();
        written.sort_by_key(|record| record.range.start);
        let is_sum = |record: &&Record| record.kind == Kind::Sum;
        let sums: BTreeSet<u64> = self.records.iter().filter(is_sum).map(|record| record.range.start).collect();
        for (range, kept) in self.patches().iter() {
            // A save writes new checksums.
            if sums.contains(&range.start) {
                continue;
            }
            for piece in pieces(range.clone()) {
                let old = match kept {
                    Kept::At(place) => Kept::At(place + (piece.start - range.start)),
                    Kept::Zeros => Kept::Zeros,
                };
                if !self.is_piece_announced(file, piece, old, &written)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_piece_announced(&self, file: &dyn Source, piece: Range<u64>, old: Kept, written: &[&Record]) -> Result<bool> {
        let size = (piece.end - piece.start) as usize;
        let (mut found, mut wanted) = (try_zeroed(size)?, try_zeroed(size)?);
        read_exact_at(file, piece.start, &mut found)?;
        if let Kept::At(place) = old {
            read_exact_at(&*self.source, place, &mut wanted)?;
        }
        let mut is_known: Vec<bool> = found.iter().zip(&wanted).map(|(found, old)| found == old).collect();
        if is_known.iter().all(|&is_known| is_known) {
            return Ok(true);
        }
        // No record is longer than a piece.
        let first = written.partition_point(|record| record.range.start.saturating_add(PIECE) <= piece.start);
        for record in written.iter().skip(first).take_while(|record| record.range.start < piece.end) {
            let (start, end) = (record.range.start.max(piece.start), record.range.end.min(piece.end));
            if start >= end {
                continue;
            }
            let inside = (start - piece.start) as usize..(end - piece.start) as usize;
            let new = &mut wanted[inside.clone()];
            read_exact_at(&*self.source, record.payload + (start - record.range.start), new)?;
            for ((is_known, found), new) in is_known[inside.clone()].iter_mut().zip(&found[inside]).zip(new) {
                *is_known |= found == new;
            }
        }
        Ok(is_known.into_iter().all(|is_known| is_known))
    }

    /// Returns true if the journal has all the new bytes of a save in place.
    fn knows_all(&self, header: &Header, file: &dyn Source) -> bool {
        file.len() == header.length && !self.records.iter().any(|record| matches!(record.kind, Kind::Old | Kind::Zeros))
    }

    /// Returns true if a file has all new bytes that the journal of a save in place knows. They are written last.
    fn is_new(&self, file: &dyn Source) -> Result<bool> {
        for Record { range, payload, .. } in self.records.iter().filter(|record| record.kind == Kind::Changed) {
            let new = payload + (range.end - range.start);
            if range.end > file.len() || !self.compare(file, range.clone(), new, 0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns true if blocks were overwritten and have no valid checksum since. A file that was written as a whole has
    /// valid ones.
    fn lacks_checksums(&self, file: &dyn Source) -> Result<bool> {
        let mut lacks = false;
        for record in self.records.iter().take(self.ready.unwrap_or(0)) {
            match record.kind {
                Kind::Bare => return Ok(false),
                Kind::Sum => {
                    let mut payload = [0; SUM];
                    read_exact_at(&*self.source, record.payload, &mut payload)?;
                    if is_renewed(file, record.range.start, &payload)? {
                        return Ok(false);
                    }
                    lacks = true;
                }
                _ => {}
            }
        }
        Ok(lacks)
    }
}

/// Returns true if a block has a valid checksum, but not the one that it had before it was overwritten.
fn is_renewed(file: &dyn Source, place: u64, payload: &[u8; SUM]) -> Result<bool> {
    let Some((old, bounds)) = payload.split_first_chunk::<CHECKSUM>() else { return Ok(false) };
    let [start, length] = bounds.as_chunks().0 else { return Ok(false) };
    let [start, length] = [start, length].map(|bytes| u64::from_be_bytes(*bytes));
    let Some(end) = start.checked_add(length).filter(|&end| end <= file.len()) else { return Ok(false) };
    let mut found: Checksum = [0; CHECKSUM];
    read_exact_at(file, place, &mut found)?;
    Ok(found != *old && found != [0; CHECKSUM] && md5_of_range(file, start..end)? == found)
}

/// Returns true if a file was changed after its journal was at rest.
fn is_newer(file: &Metadata, journal: &Metadata) -> bool {
    match (file.modified(), journal.modified()) {
        (Ok(file), Ok(journal)) => {
            is_at_rest(journal) && file.duration_since(journal).is_ok_and(|time| time > CLOCK_TICK)
        }
        _ => false,
    }
}

/// The longest time by which the clock of a file system lags behind that of programs.
///
/// A writer gives the file and its journal the time of programs when it is at rest. When it goes on, its first record
/// gives the journal the time of the file system. Until the journal gets [`WRITING`](super::journal_format::WRITING),
/// the file may be newer by this.
const CLOCK_TICK: Duration = Duration::from_millis(10);

fn is_zero(file: &dyn Source, range: Range<u64>) -> Result<bool> {
    let mut found = try_zeroed(PIECE.min(range.end.saturating_sub(range.start)) as usize)?;
    for piece in pieces(range) {
        let found = &mut found[..(piece.end - piece.start) as usize];
        read_exact_at(file, piece.start, found)?;
        if found.iter().any(|&byte| byte != 0) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns the parts of a range, of at most [`PIECE`] bytes.
fn pieces(range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let mut at = range.start;
    std::iter::from_fn(move || {
        let start = at;
        at = range.end.min(start.saturating_add(PIECE));
        (start < range.end).then_some(start..at)
    })
}
