//! Reading a journal, and the content of its file before the changes.
//!
//! The format is described in `journal_format`; whether a journal belongs to a file is decided in `fit`.

use super::journal::mark_modified;
use super::journal_format::{CHECKSUM, HEADER, Header, Kind, Nonce, RECORD, RecordHead, WRITING, decode_record};
use crate::error::{Error, Result, Status};
use crate::layout::md5_of_range;
use crate::source::{Kept, OverlaySource, Patches, Source, read_exact_at, read_vec_at, try_zeroed, write_all_at};
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

/// Number of bytes that are compared or restored at a time, and the greatest length of an announced range.
pub(super) const PIECE: u64 = 1 << 20;
/// Limit on records. There is one record per overwritten MiB, or per write to a part of an array.
const MAX_RECORDS: usize = 1 << 24;

/// A journal that was read.
pub(super) struct Undo {
    pub(super) source: Arc<dyn Source>,
    pub(super) head: Head,
    /// Records about the bytes before the changes.
    pub(super) records: Vec<Record>,
    /// Number of records in complete batches; `None` if no batch is complete.
    pub(super) ready: Option<usize>,
    /// Announced bytes.
    pub(super) written: Vec<Record>,
    /// True if not all bytes were announced.
    pub(super) is_loose: bool,
    /// True if the modification time of the journal says nothing.
    pub(super) is_untimed: bool,
}

pub(super) enum Head {
    /// Incomplete: nothing was overwritten.
    Torn,
    /// Unknown format, or damaged.
    Unknown,
    Known(Header),
}

pub(super) struct Record {
    pub(super) kind: Kind,
    pub(super) range: Range<u64>,
    pub(super) payload: u64,
}

impl Undo {
    /// Reads a journal up to the first incomplete record. Fails only if reading fails.
    pub(super) fn read(source: Arc<dyn Source>) -> Result<Undo> {
        let mut undo = Undo {
            source: source.clone(),
            head: Head::Torn,
            records: Vec::new(),
            ready: None,
            written: Vec::new(),
            is_loose: false,
            is_untimed: false,
        };
        if source.len() < HEADER as u64 {
            return Ok(undo);
        }
        let mut header = [0; HEADER];
        read_exact_at(&*source, 0, &mut header)?;
        if header == [0; HEADER] {
            return Ok(undo);
        }
        undo.head = Head::Unknown;
        let Some(known) = Header::decode(&header) else { return Ok(undo) };
        let mut place = HEADER as u64;
        loop {
            match read_record(&*source, &known.nonce, place, known.length)? {
                Next::Record(record, end) => {
                    place = end;
                    undo.add(record)?;
                }
                Next::Torn => break,
                Next::Damaged => return Ok(undo),
            }
        }
        undo.head = Head::Known(known);
        Ok(undo)
    }

    fn add(&mut self, record: Record) -> Result<()> {
        match record.kind {
            Kind::Ready => self.ready = Some(self.records.len()),
            Kind::Loose => self.is_loose = true,
            Kind::Untimed => self.is_untimed = true,
            _ if self.records.len() + self.written.len() >= MAX_RECORDS => {
                let message = "the journal of an interrupted save has more records than this library writes";
                return Err(Error::new(Status::Limit, message));
            }
            kind => {
                let list = if kind == Kind::New { &mut self.written } else { &mut self.records };
                list.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Record>() as u64))?;
                list.push(record);
            }
        }
        Ok(())
    }

    /// Returns the bytes before the changes.
    pub(super) fn patches(&self) -> Patches {
        let mut patches = Patches::default();
        for record in self.records.iter().take(self.ready.unwrap_or(0)) {
            match record.kind {
                Kind::Old | Kind::Changed | Kind::Sum => patches.add(record.range.clone(), Kept::At(record.payload)),
                Kind::Zeros => patches.add(record.range.clone(), Kept::Zeros),
                _ => {}
            }
        }
        patches
    }

    /// Returns the content before the changes, for a file that the journal [fits](Fit::Undo).
    pub(super) fn overlay(&self, file: Arc<dyn Source>) -> Result<OverlaySource> {
        let length = match &self.head {
            Head::Known(header) => header.length,
            Head::Torn | Head::Unknown => file.len(),
        };
        OverlaySource::new(file, self.source.clone(), self.patches(), length)
    }

    /// Restores a file that the journal [fits](Fit::Undo), and syncs it.
    pub(super) fn restore(&self, file: &File) -> Result<()> {
        match &self.head {
            Head::Known(header) => {
                // The file becomes newer than a journal whose writer was at rest. Who may not set the time of the
                // journal leaves it as it is; only a second interruption needs it.
                if let Some(journal) = self.source.file() {
                    let _ = journal.set_modified(WRITING);
                }
                restore(file, &*self.source, &self.patches(), header.length, true)
            }
            Head::Torn | Head::Unknown => Ok(()),
        }
    }
}

/// Restores the old bytes and the old length of a file.
pub(super) fn restore(file: &File, kept: &dyn Source, patches: &Patches, length: u64, durable: bool) -> Result<()> {
    let fail = |error: std::io::Error| Error::io("cannot restore the old content of the file", &error);
    for (range, place) in patches.iter() {
        match place {
            Kept::Zeros => write_zeros(file, range).map_err(fail)?,
            Kept::At(place) => {
                let mut buffer = try_zeroed(PIECE.min(range.end - range.start) as usize)?;
                let mut at = range.start;
                while at < range.end {
                    let size = buffer.len().min(usize::try_from(range.end - at).unwrap_or(usize::MAX));
                    let piece = &mut buffer[..size];
                    read_exact_at(kept, place + (at - range.start), piece)?;
                    write_all_at(file, at, piece).map_err(fail)?;
                    at += size as u64;
                }
            }
        }
    }
    file.set_len(length).map_err(fail)?;
    mark_modified(file);
    if durable { file.sync_all().map_err(fail) } else { Ok(()) }
}

fn write_zeros(file: &File, range: Range<u64>) -> std::io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{FallocateFlags, fallocate};
        let flags = FallocateFlags::PUNCH_HOLE | FallocateFlags::KEEP_SIZE;
        if fallocate(file, flags, range.start, range.end - range.start).is_ok() {
            return Ok(());
        }
    }
    let zeros = [0; 1 << 14];
    let mut at = range.start;
    while at < range.end {
        let size = zeros.len().min(usize::try_from(range.end - at).unwrap_or(usize::MAX));
        write_all_at(file, at, &zeros[..size])?;
        at += size as u64;
    }
    Ok(())
}

/// Content of a journal at some offset.
enum Next {
    /// A record, and the offset of its end.
    Record(Record, u64),
    /// The end of the journal, or of its written part.
    Torn,
    /// Anything else.
    Damaged,
}

/// Reads the next record. `length` is the old length of the file.
fn read_record(source: &dyn Source, nonce: &Nonce, place: u64, length: u64) -> Result<Next> {
    let available = source.len() - place;
    if available < RECORD as u64 {
        return Ok(Next::Torn);
    }
    let mut head = [0; RECORD];
    read_exact_at(source, place, &mut head)?;
    let unusable = |range| Ok(if lacks_sectors(source, range)? { Next::Torn } else { Next::Damaged });
    let payload = place + RECORD as u64;
    let found = decode_record(&head, nonce, place);
    let inside = |head: RecordHead| Some((head, head.offset.checked_add(head.length).filter(|&end| end <= length)?));
    let Some((RecordHead { kind, offset, payload_size, .. }, range_end)) = found.and_then(inside) else {
        return unusable(place..payload);
    };
    let record = Record { kind, range: offset..range_end, payload };
    if payload_size == 0 {
        return Ok(Next::Record(record, payload));
    }
    let checksum_size = if kind.is_checked() { CHECKSUM as u64 } else { 0 };
    if payload_size.checked_add(checksum_size).is_none_or(|rest| rest > source.len() - payload) {
        return Ok(Next::Torn);
    }
    let end = payload + payload_size;
    if !kind.is_checked() {
        return Ok(Next::Record(record, end));
    }
    let mut checksum = [0; CHECKSUM];
    read_exact_at(source, end, &mut checksum)?;
    if md5_of_range(source, payload..end)? != checksum {
        return unusable(payload..end + CHECKSUM as u64);
    }
    Ok(Next::Record(record, end + CHECKSUM as u64))
}

/// Returns true if a range contains only zeros within some disk sector. After a power cut, a file that was not synced
/// can have its full length, but lack the content of some sectors.
fn lacks_sectors(source: &dyn Source, range: Range<u64>) -> Result<bool> {
    const SECTOR: u64 = 512;
    let mut at = range.start;
    while at < range.end {
        let end = range.end.min(at - at % SECTOR + SECTOR);
        if read_vec_at(source, at, end - at)?.iter().all(|&byte| byte == 0) {
            return Ok(true);
        }
        at = end;
    }
    Ok(false)
}
