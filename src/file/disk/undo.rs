//! Reading a journal: whether it fits a file, and the content of the file before the changes.
//!
//! The format is described in `journal_format`.

use super::journal::mark_modified;
use super::journal_format::{CHECKSUM, HEADER, Kind, Nonce, RECORD, RecordHead, decode_header, decode_record};
use crate::error::{Error, Result, Status};
use crate::layout::md5_of_range;
use crate::source::{Kept, OverlaySource, Patches, Source, read_exact_at, read_vec_at, try_zeroed, write_all_at};
use std::fs::File;
use std::ops::Range;
use std::sync::Arc;

const PIECE: u64 = 1 << 20;
/// Limit on records. There is one record per overwritten MiB, or per write to a part of an array.
const MAX_RECORDS: usize = 1 << 24;

/// A journal that was read.
pub(super) struct Undo {
    source: Arc<dyn Source>,
    head: Head,
    records: Vec<Record>,
    /// Number of records in complete batches; `None` if no batch is complete.
    ready: Option<usize>,
}

enum Head {
    /// Incomplete: nothing was overwritten.
    Torn,
    /// Unknown format, or damaged.
    Unknown,
    /// Length of the file before the changes, in bytes.
    Length(u64),
}

struct Record {
    kind: Kind,
    range: Range<u64>,
    payload: u64,
}

/// Relation of a journal to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// Nothing was overwritten.
    Untouched,
    /// The file must be restored.
    Undo,
    /// The journal belongs to another file, or the file was changed later.
    Foreign,
}

impl Undo {
    /// Reads a journal up to the first incomplete record. Fails only if reading fails.
    pub(super) fn read(source: Arc<dyn Source>) -> Result<Undo> {
        let mut undo = Undo { source: source.clone(), head: Head::Torn, records: Vec::new(), ready: None };
        if source.len() < HEADER as u64 {
            return Ok(undo);
        }
        let mut header = [0; HEADER];
        read_exact_at(&*source, 0, &mut header)?;
        if header == [0; HEADER] {
            return Ok(undo);
        }
        undo.head = Head::Unknown;
        let Some((nonce, length)) = decode_header(&header) else { return Ok(undo) };
        let mut place = HEADER as u64;
        loop {
            match read_record(&*source, &nonce, place, length)? {
                Next::Record(record, end) => {
                    place = end;
                    if record.kind == Kind::Ready {
                        undo.ready = Some(undo.records.len());
                    } else if undo.records.len() >= MAX_RECORDS {
                        let message = "the journal of an interrupted save has more records than this library writes";
                        return Err(Error::new(Status::Limit, message));
                    } else {
                        undo.records.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Record>() as u64))?;
                        undo.records.push(record);
                    }
                }
                Next::Torn => break,
                Next::Damaged => return Ok(undo),
            }
        }
        undo.head = Head::Length(length);
        Ok(undo)
    }

    /// Returns the relation of the journal to a file.
    pub(super) fn fit(&self, file: &dyn Source) -> Result<Fit> {
        let length = match self.head {
            Head::Torn => return Ok(Fit::Untouched),
            Head::Unknown => return Ok(Fit::Foreign),
            Head::Length(length) => length,
        };
        let ready = self.ready.unwrap_or(0);
        for (number, record) in self.records.iter().enumerate() {
            if !self.holds(record, number < ready, file)? {
                return Ok(Fit::Foreign);
            }
        }
        if self.ready.is_none() {
            return Ok(if file.len() == length { Fit::Untouched } else { Fit::Foreign });
        }
        let patches = self.patches();
        // Bytes that the file lacks must be in the journal.
        let lacks = !patches.gaps(file.len().min(length)..length).is_empty()
            || patches.iter().any(|(range, kept)| kept == Kept::Zeros && range.end > file.len());
        Ok(if lacks { Fit::Foreign } else { Fit::Undo })
    }

    /// Returns true if the content of a file is compatible with a record.
    fn holds(&self, record: &Record, ready: bool, file: &dyn Source) -> Result<bool> {
        let Record { kind, range, payload } = record;
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
            (Kind::Changed, true) => {
                self.compare(file, range.start..range.end.min(file.len()), *payload, range.end - range.start)
            }
            // In an incomplete batch, nothing was overwritten.
            (Kind::Changed | Kind::Old, false) => {
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
        let mut at = range.start;
        while at < range.end {
            let size = size.min(usize::try_from(range.end - at).unwrap_or(usize::MAX));
            let from = payload + (at - range.start);
            let (found, old, new) = (&mut found[..size], &mut old[..size], &mut new[..size]);
            read_exact_at(file, at, found)?;
            read_exact_at(&*self.source, from, old)?;
            read_exact_at(&*self.source, from + further, new)?;
            if found.iter().zip(old.iter().zip(new.iter())).any(|(found, (old, new))| found != old && found != new) {
                return Ok(false);
            }
            at += size as u64;
        }
        Ok(true)
    }

    fn patches(&self) -> Patches {
        let mut patches = Patches::default();
        for record in self.records.iter().take(self.ready.unwrap_or(0)) {
            match record.kind {
                Kind::Old | Kind::Changed => patches.add(record.range.clone(), Kept::At(record.payload)),
                Kind::Zeros => patches.add(record.range.clone(), Kept::Zeros),
                _ => {}
            }
        }
        patches
    }

    /// Returns the content before the changes, for a file that the journal [fits](Fit::Undo).
    pub(super) fn overlay(&self, file: Arc<dyn Source>) -> Result<OverlaySource> {
        let length = match self.head {
            Head::Length(length) => length,
            Head::Torn | Head::Unknown => file.len(),
        };
        OverlaySource::new(file, self.source.clone(), self.patches(), length)
    }

    /// Restores a file that the journal [fits](Fit::Undo), and syncs it.
    pub(super) fn restore(&self, file: &File) -> Result<()> {
        match self.head {
            Head::Length(length) => restore(file, &*self.source, &self.patches(), length, true),
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
    if payload_size.checked_add(CHECKSUM as u64).is_none_or(|rest| rest > source.len() - payload) {
        return Ok(Next::Torn);
    }
    let mut checksum = [0; CHECKSUM];
    let end = payload + payload_size;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::disk::journal::{Journal, journal_path};
    use crate::layout::md5;
    use crate::source::{FileSource, LockKind, MemorySource, is_held};
    use std::path::PathBuf;

    const OLD_BYTES: &[u8] = b"The quick brown fox jumps over the lazy dog. 0123456789";

    struct Place {
        path: PathBuf,
        file: File,
        _directory: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Place {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("file.asdf");
            std::fs::write(&path, OLD_BYTES).unwrap();
            let file = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
            Place { path, file, _directory: directory }
        }

        fn source(&self) -> FileSource {
            FileSource::open(&self.path).unwrap()
        }

        fn bytes(&self) -> Vec<u8> {
            std::fs::read(&self.path).unwrap()
        }

        fn journal(&self) -> Vec<u8> {
            std::fs::read(journal_path(&self.path).unwrap()).unwrap()
        }

        fn write(&self, offset: u64, bytes: &[u8]) {
            write_all_at(&self.file, offset, bytes).unwrap();
        }

        /// Two batches, both overwritten: first in the middle, then across the end of the file.
        fn change(&self) -> Journal {
            let mut journal = Journal::begin(&self.path, OLD_BYTES.len() as u64, false).unwrap();
            journal.watch(&self.source(), 0..4).unwrap();
            journal.keep_under(&self.source(), 4, b"wuick").unwrap();
            journal.keep(&self.source(), 20..25).unwrap();
            journal.ready().unwrap();
            self.write(4, b"wuick");
            self.write(20, b"#####");
            journal.keep(&self.source(), 15..30).unwrap();
            journal.keep_under(&self.source(), 50, b"behind the end").unwrap();
            journal.ready().unwrap();
            self.write(15, &[b'!'; 15]);
            self.write(50, b"behind the end");
            journal
        }
    }

    fn undo_of(journal: &[u8]) -> Undo {
        Undo::read(Arc::new(MemorySource::of_vec(journal.to_vec()))).unwrap()
    }

    /// Applies a journal to a file. Returns the relation and the content before the changes.
    fn undone(journal: &[u8], file: &[u8]) -> (Fit, Vec<u8>) {
        let file = Arc::new(MemorySource::of_vec(file.to_vec()));
        let undo = undo_of(journal);
        match undo.fit(&*file).unwrap() {
            Fit::Undo => {
                let overlay = undo.overlay(file).unwrap();
                (Fit::Undo, read_vec_at(&overlay, 0, overlay.len()).unwrap())
            }
            fit => (fit, read_vec_at(&*file, 0, file.len()).unwrap()),
        }
    }

    #[test]
    fn what_was_overwritten_comes_back() {
        let place = Place::new();
        let mut journal = place.change();
        assert_ne!(place.bytes(), OLD_BYTES);
        assert_eq!(undone(&place.journal(), &place.bytes()), (Fit::Undo, OLD_BYTES.to_vec()));
        undo_of(&place.journal()).restore(&place.file).unwrap();
        assert_eq!(place.bytes(), OLD_BYTES);
        // Restoring twice does no harm.
        assert_eq!(undone(&place.journal(), &place.bytes()), (Fit::Undo, OLD_BYTES.to_vec()));
        journal.roll_back(&place.file).unwrap();
        assert_eq!(place.bytes(), OLD_BYTES);
        assert!(!journal_path(&place.path).unwrap().exists());

        let mut journal = place.change();
        journal.commit(false).unwrap();
        journal.finish().unwrap();
        assert_eq!(place.bytes()[4..9], *b"wuick");
        assert!(!journal_path(&place.path).unwrap().exists());
    }

    #[test]
    fn a_file_that_became_shorter_gets_its_end_back() {
        let place = Place::new();
        let mut journal = Journal::begin(&place.path, OLD_BYTES.len() as u64, true).unwrap();
        journal.keep(&place.source(), 40..100).unwrap();
        journal.ready().unwrap();
        place.file.set_len(42).unwrap();
        assert_eq!(undone(&place.journal(), &place.bytes()), (Fit::Undo, OLD_BYTES.to_vec()));
        // A file shorter than its kept bytes allow cannot be restored.
        assert_eq!(undone(&place.journal(), &OLD_BYTES[..39]).0, Fit::Foreign);
        journal.roll_back(&place.file).unwrap();
        assert_eq!(place.bytes(), OLD_BYTES);
    }

    #[test]
    fn zeros_are_kept_by_their_place() {
        let place = Place::new();
        place.write(10, &[0; 20]);
        let before = place.bytes();
        let mut journal = Journal::begin(&place.path, before.len() as u64, true).unwrap();
        journal.keep_zeros(10..30).unwrap();
        journal.keep_zeros(15..30).unwrap();
        journal.ready().unwrap();
        place.write(12, b"data");
        assert_eq!(undone(&place.journal(), &place.bytes()), (Fit::Undo, before.clone()));
        // Zeros beyond the end of the file are refused: they could declare any length at no cost.
        assert_eq!(undone(&place.journal(), &place.bytes()[..20]).0, Fit::Foreign);
        journal.roll_back(&place.file).unwrap();
        assert_eq!(place.bytes(), before);
    }

    /// Cuts the journal at each byte. Nothing is overwritten before the batch that keeps it is complete.
    #[test]
    fn every_cut() {
        let place = Place::new();
        let mut states = vec![(0, OLD_BYTES.to_vec())];
        let mut journal = Journal::begin(&place.path, OLD_BYTES.len() as u64, false).unwrap();
        for (offset, new) in [(4, &b"wuick"[..]), (20, b"#####"), (50, b"behind the end"), (11, b"some")] {
            journal.watch(&place.source(), 0..2).unwrap();
            journal.keep_under(&place.source(), offset, new).unwrap();
            journal.keep(&place.source(), 30..offset).unwrap();
            journal.ready().unwrap();
            place.write(offset, new);
            states.push((place.journal().len(), place.bytes()));
        }
        let whole = place.journal();
        for length in 0..=whole.len() {
            let (ready, state) = states.iter().rev().find(|(ready, _)| *ready <= length).unwrap();
            let (fit, found) = undone(&whole[..length], state);
            assert_eq!(found, OLD_BYTES, "{length}");
            assert_eq!(fit, if *ready == 0 { Fit::Untouched } else { Fit::Undo }, "{length}");
        }
    }

    #[test]
    fn every_wrong_byte() {
        let place = Place::new();
        let _journal = place.change();
        let (whole, changed) = (place.journal(), place.bytes());
        for at in 0..whole.len() {
            for flip in [1, 0x80, 0xFF] {
                let mut damaged = whole.clone();
                damaged[at] ^= flip;
                let (fit, found) = undone(&damaged, &changed);
                assert_eq!((fit, found), (Fit::Foreign, changed.clone()), "{at}");
                assert_eq!(undone(&damaged, OLD_BYTES), (Fit::Foreign, OLD_BYTES.to_vec()), "{at}");
            }
        }
    }

    /// Removes sectors of the journal, as a power cut during writing can do.
    #[test]
    fn every_lost_sector() {
        let place = Place::new();
        let file: Vec<u8> = (0..40_000).map(|byte| b'a' + (byte % 23) as u8).collect();
        std::fs::write(&place.path, &file).unwrap();
        let mut journal = Journal::begin(&place.path, file.len() as u64, false).unwrap();
        journal.watch(&place.source(), 0..10).unwrap();
        for range in [10..20, 100..900, 2000..2100, 3000..3100, 5000..9000_u64] {
            journal.keep(&place.source(), range).unwrap();
        }
        journal.keep_under(&place.source(), 20_000, &[b'!'; 3000]).unwrap();
        journal.ready().unwrap();
        let whole = place.journal();
        for start in (0..whole.len()).step_by(512) {
            for end in [start + 512, start + 1024, whole.len()] {
                let mut torn = whole.clone();
                let end = end.min(torn.len());
                torn[start..end].fill(0);
                assert_eq!(undone(&torn, &file).0, Fit::Untouched, "{start}");
                let mut changed = file.clone();
                changed[10] = b'!';
                // As long as the header is left, a change of the file is detected.
                assert_eq!(undone(&torn, &changed).0 == Fit::Untouched, start == 0, "{start}");
            }
        }
    }

    /// Mixes old and new bytes, as a power cut can do.
    #[test]
    fn bytes_old_and_new() {
        let place = Place::new();
        let mut journal = Journal::begin(&place.path, OLD_BYTES.len() as u64, false).unwrap();
        journal.watch(&place.source(), 0..10).unwrap();
        journal.keep_under(&place.source(), 10, &[b'?'; 60]).unwrap();
        journal.ready().unwrap();
        for step in 1..20 {
            let mut file = OLD_BYTES.to_vec();
            file.iter_mut().skip(10).step_by(step).for_each(|byte| *byte = b'?');
            for length in [OLD_BYTES.len(), 60, 70] {
                file.resize(length, 0);
                assert_eq!(undone(&place.journal(), &file), (Fit::Undo, OLD_BYTES.to_vec()));
            }
            // Another file, or one that was changed later.
            for at in 0..OLD_BYTES.len() {
                let mut other = file.clone();
                other[at] = b'$';
                assert_eq!(undone(&place.journal(), &other).0, Fit::Foreign);
            }
        }
    }

    #[test]
    fn hostile_journals() {
        assert_eq!(undone(b"", OLD_BYTES).0, Fit::Untouched);
        assert_eq!(undone(&[0; 500], OLD_BYTES).0, Fit::Untouched);
        let mut later = b"asdf undo log 2\n................12345678".to_vec();
        later.extend(md5(&later));
        assert_eq!(undone(&later, OLD_BYTES).0, Fit::Foreign);
        // Correct checksums, but lengths out of range, or an unknown kind.
        for (code, offset, length) in [
            (b"old.....", 0, u64::MAX),
            (b"changed.", 0, u64::MAX / 2 + 1),
            (b"zeros...", u64::MAX, 2),
            (b"zeros...", 0, 1 << 40),
            (b"unknown.", 0, 0),
        ] {
            let mut journal = b"asdf undo log 1\n".to_vec();
            journal.extend([7; 16]);
            journal.extend((1_u64 << 50).to_be_bytes());
            journal.extend(md5(&journal));
            for (code, offset, length) in [(code, offset, length), (b"ready...", 0, 0)] {
                let mut record = code.to_vec();
                record.extend(offset.to_be_bytes());
                record.extend(length.to_be_bytes());
                let place = journal.len() as u64;
                let digest = md5(&[&[7; 16][..], &place.to_be_bytes(), &record].concat());
                journal.extend(record);
                journal.extend(digest);
            }
            assert_eq!(undone(&journal, OLD_BYTES).0, Fit::Foreign);
        }
    }

    #[test]
    fn one_journal_at_a_time_which_is_locked() {
        let place = Place::new();
        let journal = Journal::begin(&place.path, 5, false).unwrap();
        let error = Journal::begin(&place.path, 5, false).err().unwrap();
        assert_eq!(error.status(), Status::FileChanged);
        let path = journal_path(&place.path).unwrap();
        let is_held = || is_held(&File::open(&path).unwrap(), LockKind::Update);
        assert_ne!(is_held(), Some(false));
        drop(journal);
        assert_ne!(is_held(), Some(true));
    }

    #[test]
    fn names() {
        let name = |path: &str| journal_path(path.as_ref()).map(|path| path.to_string_lossy().into_owned());
        assert_eq!(name("a.asdf").unwrap(), "./.a.asdf.asdf-journal");
        assert_eq!(name("/x/a.asdf").unwrap(), "/x/.a.asdf.asdf-journal");
        assert_eq!(name("/"), None);
        let (one, other) = ("x".repeat(242), format!("{}y", "x".repeat(241)));
        assert!(name(&one).unwrap().len() < 110 && name(&one) != name(&other));
        assert_eq!(name(&one[..241]).unwrap(), format!("./.{}.asdf-journal", &one[..241]));
    }
}
