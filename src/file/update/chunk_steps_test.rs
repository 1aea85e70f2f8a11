//! Chunks that are appended with one wait a step: content after each step, and after each cut of a step.

use crate::array::{Datatype, ReadOptions, ScalarType};
use crate::error::Status;
use crate::file::disk::steps::write::{SLOTS, slots_before};
use crate::file::{ArrayData, ArrayOptions, File, OpenOptions, WriteOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const COLUMNS: i64 = 40;
const RECORD: &[u8] = b"#asdfkit-step";

fn int32() -> Datatype {
    Datatype::Scalar(ScalarType::Int32)
}

/// Returns the elements of the rows from `first` on.
fn rows(first: i64, count: i64) -> Vec<u8> {
    (first * COLUMNS..(first + count) * COLUMNS).flat_map(|element| (element as i32).to_ne_bytes()).collect()
}

/// Writes a file of more than 256 KiB with an array in chunks of so many rows, and opens it.
fn start(path: &Path, chunk: i64) -> File {
    let file = File::default();
    let root = file.root().unwrap();
    let chunks = ArrayOptions { chunks: Some(vec![chunk, COLUMNS]), ..ArrayOptions::default() };
    let data = ArrayData::new(int32(), &[2, COLUMNS], Arc::new(rows(0, 2)));
    root.set_array_data("rows", &data, &chunks).unwrap();
    let zeros = ArrayData::of_vec(vec![0_u8; 300_000], &[300_000]);
    root.set_array_data("zeros", &zeros, &ArrayOptions::default()).unwrap();
    root.set_string("last", "of the tree").unwrap();
    file.write(path, &WriteOptions { durable: false, ..WriteOptions::default() }).unwrap();
    open(path)
}

fn open(path: &Path) -> File {
    File::open_for_update(path, &OpenOptions::default()).unwrap()
}

fn append(file: &File, first: i64, count: i64) {
    let array = file.root().unwrap().array("rows").unwrap();
    array.append(count, &int32(), &rows(first, count), &ReadOptions::default()).unwrap();
}

fn save(file: &File) {
    file.save(&WriteOptions::default()).unwrap();
}

/// Appends one row and saves, from `first` rows up to `end`.
fn grow(file: &File, first: i64, end: i64) {
    for now in first..end {
        append(file, now, 1);
        save(file);
    }
}

/// Returns the number of rows, after a check of all elements.
fn count_in(file: &File) -> i64 {
    let root = file.root().unwrap();
    let array = root.array("rows").unwrap();
    let mut found = vec![0; rows(0, array.shape()[0]).len()];
    array.read(&int32(), &mut found, &ReadOptions::default()).unwrap();
    assert!(found == rows(0, array.shape()[0]));
    assert_eq!(root.string("last").unwrap(), "of the tree");
    assert!(file.warnings().is_empty(), "{:?}", file.warnings());
    array.shape()[0]
}

fn count(path: &Path) -> i64 {
    let file = File::open(path).unwrap();
    file.verify().unwrap();
    count_in(&file)
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.asdf");
    (folder, path)
}

fn contains(path: &Path, text: &[u8]) -> bool {
    std::fs::read(path).unwrap().windows(text.len()).any(|bytes| bytes == text)
}

#[test]
fn steps_are_there_after_each_save() {
    let (_folder, path) = place();
    let file = start(&path, 1);
    for now in 2..120 {
        append(&file, now, 1);
        assert_eq!((count(&path), count_in(&file)), (now, now + 1), "before the save");
        save(&file);
        assert_eq!((count(&path), count_in(&file)), (now + 1, now + 1), "after the save");
        // The first save, and those with one more digit, have a journal.
        let has_record = contains(&path, RECORD);
        assert!(has_record || now < 4 || (9..12).contains(&now) || now >= 99, "{now}");
    }
    assert!(contains(&path, RECORD) && !contains(&path, b"BLOCK INDEX"));
    append(&file, 120, 1);
    file.close();
    drop(file);
    assert_eq!(count(&path), 120);
    assert!(!contains(&path, RECORD) && contains(&path, b"#ASDF BLOCK INDEX"));
    let file = open(&path);
    grow(&file, 120, 124);
    assert!(contains(&path, RECORD));
    drop(file);
    assert_eq!(count(&path), 124);
}

#[test]
fn other_changes_end_the_steps() {
    let (_folder, path) = place();
    let file = start(&path, 1);
    grow(&file, 2, 6);
    assert!(contains(&path, RECORD));
    // A change of the tree only.
    file.root().unwrap().set_i64("number", 5).unwrap();
    save(&file);
    assert!(!contains(&path, RECORD) && contains(&path, b"number: 5"));
    assert_eq!((count(&path), count_in(&file)), (6, 6));
    grow(&file, 6, 9);
    assert!(contains(&path, RECORD));
    // Elements that are there already.
    let array = file.root().unwrap().array("rows").unwrap();
    array.write_region(None, &int32(), &rows(0, 9), &ReadOptions::default()).unwrap();
    save(&file);
    assert_eq!((count(&path), count_in(&file)), (9, 9));
    assert!(!contains(&path, RECORD));
    grow(&file, 9, 18);
    assert!(contains(&path, RECORD));
    // A save without a wait, and a new file.
    append(&file, 18, 1);
    file.save(&WriteOptions { durable: false, ..WriteOptions::default() }).unwrap();
    assert!(!contains(&path, RECORD));
    grow(&file, 19, 24);
    assert!(contains(&path, RECORD));
    file.compact(&WriteOptions::default()).unwrap();
    assert_eq!((count(&path), count_in(&file)), (24, 24));
    grow(&file, 24, 27);
    drop(file);
    assert_eq!(count(&path), 27);
}

#[test]
fn chunks_that_several_saves_fill_are_no_steps() {
    let (_folder, path) = place();
    let file = start(&path, 3);
    for now in 2..20 {
        grow(&file, now, now + 1);
        assert_eq!((count(&path), count_in(&file)), (now + 1, now + 1));
        assert!(!contains(&path, RECORD));
    }
}

#[test]
fn a_reader_keeps_what_it_opened() {
    let (_folder, path) = place();
    let file = start(&path, 1);
    grow(&file, 2, 12);
    grow(&file, 12, 15);
    let reader = File::open(&path).unwrap();
    for now in 15..40 {
        append(&file, now, 1);
        assert_eq!(count_in(&reader), 15);
        save(&file);
        assert_eq!((count_in(&reader), count(&path)), (15, now + 1));
    }
    drop(file);
    let array = reader.root().unwrap().array("rows").unwrap();
    let error = array.read(&int32(), &mut rows(0, 15), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.status(), Status::FileChanged, "after the end of the steps");
}

#[test]
fn records_mean_nothing_beside_another_tree() {
    let (_folder, path) = place();
    let file = start(&path, 1);
    grow(&file, 2, 8);
    let mut bytes = std::fs::read(&path).unwrap();
    let blocks = file.block_count().unwrap();
    drop(file);
    let at = bytes.windows(6).position(|bytes| bytes == b"of the").unwrap();
    bytes[at] = b'O';
    std::fs::write(&path, &bytes).unwrap();
    // Without the record, these blocks would be read; with it, they would be cut off.
    let block = bytes.windows(4).rposition(|bytes| bytes == b"\xd3BLK").unwrap();
    bytes.extend_from_within(block..);
    std::fs::write(&path, &bytes).unwrap();
    let file = open(&path);
    assert_eq!(file.block_count().unwrap(), blocks + 1);
    assert_eq!(file.root().unwrap().string("last").unwrap(), "Of the tree");
}

/// The parts of a file: the bytes before the records, the records, and the blocks.
fn parts(bytes: &[u8]) -> (usize, usize) {
    let first = bytes.windows(4).position(|bytes| bytes == b"\xd3BLK").unwrap();
    let slots = slots_before(first as u64) as usize;
    (slots, slots + SLOTS)
}

/// All states of a file that the disk may have after a cut during a step: each sector of each write is there or not.
#[test]
fn after_each_cut_the_steps_before_it_are_there() {
    let (folder, path) = place();
    let file = start(&path, 1);
    grow(&file, 2, 20);
    let first = std::fs::read(&path).unwrap();
    grow(&file, 20, 21);
    let before = std::fs::read(&path).unwrap();
    grow(&file, 21, 22);
    let after = std::fs::read(&path).unwrap();
    drop(file);
    let image = folder.path().join("image.asdf");
    let (slots, slots_end) = parts(&before);
    let mut seen = [0; 2];
    for length in [before.len(), before.len() + 100, after.len()] {
        for record in 0..3_u32 {
            for data in 0..4_u32 {
                // The changes of the step before may be missing: their record is on the disk.
                for changes in 0..5_u32 {
                    let is_whole = length == after.len() && data == 3 && record == 2;
                    if changes > 2 && !is_whole {
                        continue;
                    }
                    let mut bytes = before.clone();
                    bytes.resize(length, 0);
                    for (number, at) in (before.len()..length).step_by(64).enumerate() {
                        let end = length.min(at + 64);
                        if data & 1 << (number % 2) != 0 {
                            bytes[at..end].copy_from_slice(&after[at..end]);
                        }
                    }
                    for at in slots..slots_end {
                        if before[at] != after[at] && record != 0 && (record == 2 || at % 3 == 0) {
                            bytes[at] = after[at];
                        }
                    }
                    let others = (0..slots).chain(slots_end..first.len());
                    for at in others {
                        match changes {
                            0 => bytes[at] = first[at],
                            1 => {}
                            2 if at / 7 % 2 == 0 => bytes[at] = first[at],
                            3 => bytes[at] = after[at],
                            4 if at / 7 % 2 == 0 => bytes[at] = after[at],
                            _ => {}
                        }
                    }
                    std::fs::write(&image, &bytes).unwrap();
                    let found = count(&image);
                    let expected = if is_whole { 22 } else { 21 };
                    assert_eq!(found, expected, "length {length}, record {record}, data {data}, changes {changes}");
                    seen[usize::from(found == 22)] += 1;
                    let again = open(&image);
                    assert_eq!(count_in(&again), found);
                    if !is_whole && (record + data + changes) % 4 != 0 {
                        continue;
                    }
                    grow(&again, found, found + 3);
                    drop(again);
                    assert_eq!(count(&image), found + 3);
                }
            }
        }
    }
    assert!(seen[0] > 50 && seen[1] == 5, "{seen:?}");
}
