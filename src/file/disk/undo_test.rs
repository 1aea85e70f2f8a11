//! Tests of journals: what they keep, and which files they fit.

use super::fit::Fit;
use super::identity::Identity;
use super::journal::{Journal, journal_path};
use super::journal_format::{Header, Purpose};
use super::undo::Undo;
use crate::error::Status;
use crate::layout::md5;
use crate::source::{FileSource, LockKind, MemorySource, Source, is_held, read_vec_at, write_all_at};
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

const OLD_BYTES: &[u8] = b"The quick brown fox jumps over the lazy dog. 0123456789";

struct TestFile {
    path: PathBuf,
    file: File,
    _directory: tempfile::TempDir,
}

impl TestFile {
    fn new() -> TestFile {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file.asdf");
        std::fs::write(&path, OLD_BYTES).unwrap();
        let file = std::fs::OpenOptions::new().read(true).write(true).open(&path).unwrap();
        TestFile { path, file, _directory: directory }
    }

    fn begin(&self, durable: bool) -> Journal {
        Journal::begin(&self.path, &self.source(), Purpose::Save, durable).unwrap()
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
        let mut journal = self.begin(false);
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
    let test_file = TestFile::new();
    let mut journal = test_file.change();
    assert_ne!(test_file.bytes(), OLD_BYTES);
    assert_eq!(undone(&test_file.journal(), &test_file.bytes()), (Fit::Undo, OLD_BYTES.to_vec()));
    undo_of(&test_file.journal()).restore(&test_file.file).unwrap();
    assert_eq!(test_file.bytes(), OLD_BYTES);
    assert_eq!(undone(&test_file.journal(), &test_file.bytes()), (Fit::Untouched, OLD_BYTES.to_vec()));
    journal.roll_back(&test_file.file).unwrap();
    assert_eq!(test_file.bytes(), OLD_BYTES);
    assert!(!journal_path(&test_file.path).unwrap().exists());

    let mut journal = test_file.change();
    journal.commit(false).unwrap();
    journal.finish().unwrap();
    assert_eq!(test_file.bytes()[4..9], *b"wuick");
    assert!(!journal_path(&test_file.path).unwrap().exists());
}

#[test]
fn a_file_that_became_shorter_gets_its_end_back() {
    let test_file = TestFile::new();
    let mut journal = test_file.begin(true);
    journal.keep(&test_file.source(), 40..100).unwrap();
    journal.ready().unwrap();
    test_file.file.set_len(42).unwrap();
    assert_eq!(undone(&test_file.journal(), &test_file.bytes()), (Fit::Undo, OLD_BYTES.to_vec()));
    // A file shorter than its kept bytes allow cannot be restored.
    assert_eq!(undone(&test_file.journal(), &OLD_BYTES[..39]).0, Fit::Foreign);
    journal.roll_back(&test_file.file).unwrap();
    assert_eq!(test_file.bytes(), OLD_BYTES);
}

#[test]
fn zeros_are_kept_by_their_place() {
    let test_file = TestFile::new();
    test_file.write(10, &[0; 20]);
    let before = test_file.bytes();
    let mut journal = test_file.begin(true);
    journal.keep_zeros(10..30).unwrap();
    journal.keep_zeros(15..30).unwrap();
    journal.ready().unwrap();
    test_file.write(12, b"data");
    assert_eq!(undone(&test_file.journal(), &test_file.bytes()), (Fit::Undo, before.clone()));
    // Zeros beyond the end of the file are refused: they could declare any length at no cost.
    assert_eq!(undone(&test_file.journal(), &test_file.bytes()[..20]).0, Fit::Foreign);
    journal.roll_back(&test_file.file).unwrap();
    assert_eq!(test_file.bytes(), before);
}

/// Cuts the journal at each byte. Nothing is overwritten before the batch that keeps it is complete.
#[test]
fn every_cut() {
    let test_file = TestFile::new();
    let mut states = vec![(0, OLD_BYTES.to_vec())];
    let mut journal = test_file.begin(false);
    for (offset, new) in [(4, &b"wuick"[..]), (20, b"#####"), (50, b"behind the end"), (11, b"some")] {
        journal.watch(&test_file.source(), 0..2).unwrap();
        journal.keep_under(&test_file.source(), offset, new).unwrap();
        journal.keep(&test_file.source(), 30..offset).unwrap();
        journal.ready().unwrap();
        test_file.write(offset, new);
        states.push((test_file.journal().len(), test_file.bytes()));
    }
    let whole = test_file.journal();
    for length in 0..=whole.len() {
        let (ready, state) = states.iter().rev().find(|(ready, _)| *ready <= length).unwrap();
        let (fit, found) = undone(&whole[..length], state);
        assert_eq!(found, OLD_BYTES, "{length}");
        assert_eq!(fit, if *ready == 0 { Fit::Untouched } else { Fit::Undo }, "{length}");
    }
}

#[test]
fn every_wrong_byte() {
    let test_file = TestFile::new();
    let _journal = test_file.change();
    let (whole, changed) = (test_file.journal(), test_file.bytes());
    for at in 0..whole.len() {
        for flip in [1, 0x80, 0xFF] {
            let mut damaged = whole.clone();
            damaged[at] ^= flip;
            let (fit, found) = undone(&damaged, &changed);
            assert_eq!((fit, found), (Fit::Damaged, changed.clone()), "{at}");
            assert_eq!(undone(&damaged, OLD_BYTES), (Fit::Damaged, OLD_BYTES.to_vec()), "{at}");
        }
    }
}

/// Removes sectors of the journal, as a power cut during writing can do.
#[test]
fn every_lost_sector() {
    let test_file = TestFile::new();
    let file: Vec<u8> = (0..40_000).map(|byte| b'a' + (byte % 23) as u8).collect();
    std::fs::write(&test_file.path, &file).unwrap();
    let mut journal = test_file.begin(false);
    journal.watch(&test_file.source(), 0..10).unwrap();
    for range in [10..20, 100..900, 2000..2100, 3000..3100, 5000..9000_u64] {
        journal.keep(&test_file.source(), range).unwrap();
    }
    journal.keep_under(&test_file.source(), 20_000, &[b'!'; 3000]).unwrap();
    journal.ready().unwrap();
    let whole = test_file.journal();
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
    let test_file = TestFile::new();
    let mut journal = test_file.begin(false);
    journal.watch(&test_file.source(), 0..10).unwrap();
    journal.keep_under(&test_file.source(), 10, &[b'?'; 60]).unwrap();
    journal.ready().unwrap();
    for step in 1..20 {
        let mut file = OLD_BYTES.to_vec();
        file.iter_mut().skip(10).step_by(step).for_each(|byte| *byte = b'?');
        for length in [OLD_BYTES.len(), 60, 70] {
            file.resize(length, 0);
            assert_eq!(undone(&test_file.journal(), &file), (Fit::Undo, OLD_BYTES.to_vec()));
        }
        // Another file, or one that was changed later.
        for at in 0..OLD_BYTES.len() {
            let mut other = file.clone();
            other[at] = b'$';
            assert_eq!(undone(&test_file.journal(), &other).0, Fit::Foreign);
        }
    }
}

#[test]
fn hostile_journals() {
    assert_eq!(undone(b"", OLD_BYTES).0, Fit::Untouched);
    assert_eq!(undone(&[0; 500], OLD_BYTES).0, Fit::Untouched);
    let header = Header {
        nonce: [7; 16],
        length: 1 << 50,
        identity: Identity { inode: 1, born: 1 },
        purpose: Purpose::Save,
        boot: [1; 16],
    };
    let mut later = header.encode();
    later[14] = b'3';
    let content = later.len() - 16;
    let digest = md5(&later[..content]);
    later[content..].copy_from_slice(&digest);
    assert_eq!(undone(&later, OLD_BYTES).0, Fit::Damaged);
    // Correct checksums, but lengths out of range, or an unknown kind.
    for (code, offset, length) in [
        (b"old.....", 0, u64::MAX),
        (b"changed.", 0, u64::MAX / 2 + 1),
        (b"zeros...", u64::MAX, 2),
        (b"zeros...", 0, 1 << 40),
        (b"unknown.", 0, 0),
    ] {
        let mut journal = header.encode();
        for (code, offset, length) in [(code, offset, length), (b"ready...", 0, 0)] {
            let mut record = code.to_vec();
            record.extend(offset.to_be_bytes());
            record.extend(length.to_be_bytes());
            let place = journal.len() as u64;
            let digest = md5(&[&[7; 16][..], &place.to_be_bytes(), &record].concat());
            journal.extend(record);
            journal.extend(digest);
        }
        assert!(matches!(undone(&journal, OLD_BYTES).0, Fit::Foreign | Fit::Damaged));
    }
}

#[test]
fn one_journal_at_a_time_which_is_locked() {
    let test_file = TestFile::new();
    let journal = test_file.begin(false);
    let error = Journal::begin(&test_file.path, &test_file.source(), Purpose::Save, false).err().unwrap();
    assert_eq!(error.status(), Status::FileChanged);
    let path = journal_path(&test_file.path).unwrap();
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
