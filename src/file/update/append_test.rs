//! Arrays that grow: content after each step, and after each cut of a step.

use crate::array::{Datatype, ReadOptions, ScalarType};
use crate::codec::{Codec, Compression};
use crate::error::Status;
use crate::file::{ArrayData, ArrayOptions, File, OpenOptions, Storage, WriteOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const COLUMNS: i64 = 3;

fn int32() -> Datatype {
    Datatype::Scalar(ScalarType::Int32)
}

/// Returns the elements of the rows from `first` on.
fn rows(first: i64, count: i64) -> Vec<u8> {
    (first * COLUMNS..(first + count) * COLUMNS).flat_map(|element| (element as i32).to_ne_bytes()).collect()
}

/// Writes a file with other content and an array of so many rows.
fn write(path: &Path, count: i64, options: &ArrayOptions) {
    let file = File::default();
    let root = file.root().unwrap();
    root.set_string("name", "run").unwrap();
    let set = |name: &str, first, count, options: &ArrayOptions| {
        let shape = [count, COLUMNS];
        let data = ArrayData::new(int32(), &shape, Arc::new(rows(first, count)));
        root.set_array_data(name, &data, options).unwrap();
    };
    set("other", 7, 2, &ArrayOptions::default());
    set("rows", 0, count, options);
    root.set_string("last", "of the tree").unwrap();
    file.write(path, &WriteOptions { replace: true, durable: false, ..WriteOptions::default() }).unwrap();
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

/// Returns the number of rows, after a check of all elements.
fn count_in(file: &File) -> i64 {
    let root = file.root().unwrap();
    for (name, first) in [("rows", 0), ("other", 7)] {
        let array = root.array(name).unwrap();
        let mut found = vec![0; rows(0, array.shape()[0]).len()];
        array.read(&int32(), &mut found, &ReadOptions::default()).unwrap();
        assert_eq!(found, rows(first, array.shape()[0]));
    }
    assert_eq!(root.string("last").unwrap(), "of the tree");
    assert!(file.warnings().is_empty(), "{:?}", file.warnings());
    root.array("rows").unwrap().shape()[0]
}

fn count(path: &Path) -> i64 {
    count_in(&File::open(path).unwrap())
}

fn place() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.asdf");
    (folder, path)
}

#[test]
fn steps_are_there_after_each_save() {
    for storage in [Storage::Internal, Storage::Streamed] {
        for first in [0, 5] {
            let (_folder, path) = place();
            write(&path, first, &ArrayOptions { storage, ..ArrayOptions::default() });
            let file = open(&path);
            let mut now = first;
            for step in 1..6 {
                append(&file, now, step);
                assert_eq!((count(&path), count_in(&file)), (now, now + step), "before the save");
                append(&file, now + step, 1);
                now += step + 1;
                save(&file);
                assert_eq!((count(&path), count_in(&file)), (now, now), "after the save");
            }
            append(&file, now, 2);
            file.close();
            assert_eq!(count(&path), now, "what was not saved is dropped");
            let file = open(&path);
            append(&file, now, 2);
            save(&file);
            drop(file);
            assert_eq!(count(&path), now + 2);
        }
    }
}

#[test]
fn no_step_writes_the_file_anew() {
    let (_folder, path) = place();
    write(&path, 40_000, &ArrayOptions::default());
    let file = open(&path);
    append(&file, 40_000, 1);
    save(&file);
    let number = number_of(&path);
    for step in 1..5 {
        append(&file, 40_000 + step, 1);
        save(&file);
    }
    assert_eq!((number_of(&path), count(&path)), (number, 40_005));
}

#[test]
fn an_extended_array_is_not_written_anew() {
    let (_folder, path) = place();
    write(&path, 40_000, &ArrayOptions::default());
    let file = open(&path);
    let (root, number) = (file.root().unwrap(), number_of(&path));
    for step in 0..4 {
        root.resize_array("rows", &[40_001 + step, COLUMNS], Some(&7_i32.to_ne_bytes())).unwrap();
        assert_eq!(root.array("rows").unwrap().shape(), [40_001 + step, COLUMNS]);
        save(&file);
        let array = root.array("rows").unwrap();
        let region = crate::array::Region { start: &[40_000 + step, 0], count: &[1, COLUMNS], step: None };
        let mut found = vec![0; 12];
        array.read_region(&region, &int32(), &mut found, &ReadOptions::default()).unwrap();
        assert_eq!(found, [7_i32.to_ne_bytes(); 3].concat());
        array.write_region(Some(&region), &int32(), &rows(40_000 + step, 1), &ReadOptions::default()).unwrap();
        save(&file);
    }
    assert_eq!((number_of(&path), count(&path), count_in(&file)), (number, 40_004, 40_004));
}

#[test]
fn other_changes_are_saved_with_the_steps() {
    let (_folder, path) = place();
    write(&path, 2, &ArrayOptions::default());
    let file = open(&path);
    append(&file, 2, 1);
    file.root().unwrap().set_string("name", "another name").unwrap();
    append(&file, 3, 1);
    save(&file);
    assert_eq!(count(&path), 4);
    assert_eq!(File::open(&path).unwrap().root().unwrap().string("name").unwrap(), "another name");
    append(&file, 4, 1);
    save(&file);
    let region = crate::array::Region { start: &[0, 0], count: &[5, COLUMNS], step: None };
    append(&file, 5, 1);
    let array = file.root().unwrap().array("rows").unwrap();
    let write = || array.write_region(Some(&region), &int32(), &rows(0, 5), &ReadOptions::default());
    assert_eq!(write().unwrap_err().status(), Status::InvalidArgument);
    save(&file);
    write().unwrap();
    assert_eq!(array.append(1, &int32(), &rows(6, 1), &ReadOptions::default()).unwrap_err().status(), {
        Status::InvalidArgument
    });
    save(&file);
    append(&file, 6, 1);
    file.compact(&WriteOptions::default()).unwrap();
    assert_eq!((count(&path), count_in(&file)), (7, 7));
}

#[test]
fn what_cannot_grow_is_refused() {
    let (_folder, path) = place();
    write(&path, 2, &ArrayOptions::default());
    let before = std::fs::read(&path).unwrap();
    let file = open(&path);
    let root = file.root().unwrap();
    let status = |name: &str, count: i64, bytes: &[u8]| {
        let array = root.array(name).unwrap();
        array.append(count, &int32(), bytes, &ReadOptions::default()).unwrap_err().status()
    };
    assert_eq!(status("other", 1, &rows(0, 1)), Status::Unsupported);
    assert_eq!(status("rows", -1, &[]), Status::InvalidArgument);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    assert_eq!(status("rows", 1, &rows(0, 2)), Status::InvalidArgument);
    assert_eq!(status("rows", 2, &rows(0, 1)), Status::BufferTooSmall);
    root.set_string("name", "x").unwrap();
    file.close();
    assert_eq!(count(&path), 2);
    let read = File::open(&path).unwrap();
    let array = read.root().unwrap().array("rows").unwrap();
    let error = array.append(1, &int32(), &rows(2, 1), &ReadOptions::default()).unwrap_err();
    assert_eq!(error.status(), Status::ReadOnly);
}

/// All states of a file that the disk may have after a cut during a step: each sector of each write is there or not.
#[test]
fn after_each_cut_the_steps_before_it_are_there() {
    let (folder, path) = place();
    write(&path, 2, &ArrayOptions::default());
    let file = open(&path);
    append(&file, 2, 4);
    save(&file);
    let before = std::fs::read(&path).unwrap();
    append(&file, 6, 150);
    let rows_written = std::fs::read(&path).unwrap();
    save(&file);
    let after = std::fs::read(&path).unwrap();
    let image = folder.path().join("image.asdf");
    let mut seen = [0; 2];
    // The tree has the number of the last step or of the one before, never that of a step which is not on the disk.
    let tree_end = before.windows(5).position(|bytes| bytes == b"\n...\n").unwrap();
    let text_of = |from: &[u8]| from[..tree_end].to_vec();
    for length in [before.len(), before.len() + 100, after.len()] {
        for record in 0..3 {
            for data in 0..16_u32 {
                for text in [&before, &after] {
                    let mut bytes = before.clone();
                    bytes.resize(length.max(before.len()), 0);
                    for (number, at) in (before.len()..length).step_by(512).enumerate() {
                        let end = length.min(at + 512);
                        if data & 1 << (number % 4) != 0 {
                            bytes[at..end].copy_from_slice(&rows_written[at..end]);
                        }
                    }
                    let is_whole = length == after.len() && data == 15;
                    if text == &after && !(is_whole && record == 2) {
                        continue;
                    }
                    bytes[..tree_end].copy_from_slice(&text_of(text));
                    for at in tree_end..before.len() {
                        if before[at] != after[at] && record != 0 && (record == 2 || at % 3 == 0) {
                            bytes[at] = after[at];
                        }
                    }
                    std::fs::write(&image, &bytes).unwrap();
                    let found = count(&image);
                    let expected = if is_whole && record == 2 { 156 } else { 6 };
                    assert_eq!(found, expected, "length {length}, record {record}, data {data}");
                    seen[usize::from(found == 156)] += 1;
                    let again = open(&image);
                    assert_eq!(count_in(&again), found);
                    append(&again, found, 3);
                    save(&again);
                    drop(again);
                    assert_eq!(count(&image), found + 3);
                }
            }
        }
    }
    assert!(seen[0] > 50 && seen[1] >= 2, "{seen:?}");
}

#[test]
fn a_reader_keeps_what_it_opened_while_the_file_grows() {
    let (_folder, path) = place();
    write(&path, 2, &ArrayOptions::default());
    let file = open(&path);
    append(&file, 2, 1);
    save(&file);
    let reader = File::open(&path).unwrap();
    assert_eq!(count_in(&reader), 3);
    for now in 3..8 {
        append(&file, now, 1);
        assert_eq!(count_in(&reader), 3);
        save(&file);
        assert_eq!((count_in(&reader), count(&path)), (3, now + 1));
    }
    drop(file);
    let array = reader.root().unwrap().array("rows").unwrap();
    let error = array.read(&int32(), &mut [0; 36], &ReadOptions::default()).unwrap_err();
    assert_eq!(error.status(), Status::FileChanged, "after the end of the growth");
}

#[test]
fn records_mean_nothing_beside_another_tree() {
    let (_folder, path) = place();
    write(&path, 2, &ArrayOptions::default());
    let file = open(&path);
    append(&file, 2, 4);
    save(&file);
    append(&file, 6, 2);
    save(&file);
    // Somebody who knows nothing of records shortens the array, and changes a text.
    let mut bytes = std::fs::read(&path).unwrap();
    let at = bytes.windows(3).position(|bytes| bytes == b"run").unwrap();
    bytes[at] = b'R';
    let at = bytes.windows(5).position(|bytes| bytes == b"[8   ").unwrap();
    bytes[at + 1] = b'3';
    file.close();
    std::fs::write(&path, &bytes).unwrap();
    assert_eq!(count(&path), 3);
    let file = open(&path);
    assert_eq!(count_in(&file), 3);
}

#[test]
fn chunked_arrays_grow_by_any_number_of_rows() {
    for compression in [None, Some(Compression::new(Codec::Zlib, None).unwrap())] {
        let (_folder, path) = place();
        let chunks = Some(vec![4, 2]);
        write(&path, 3, &ArrayOptions { chunks, compression, ..ArrayOptions::default() });
        let file = open(&path);
        // Smaller files are written anew.
        let zeros = ArrayData::of_vec(vec![0_u8; 300_000], &[300_000]);
        file.root().unwrap().set_array_data("zeros", &zeros, &ArrayOptions::default()).unwrap();
        save(&file);
        let number = number_of(&path);
        let mut now = 3;
        for step in [1, 4, 3, 9, 1, 1, 20, 1, 1, 1, 1, 1, 1, 1, 1] {
            append(&file, now, step);
            assert_eq!((count(&path), count_in(&file)), (now, now + step), "before the save");
            now += step;
            save(&file);
            assert_eq!((count(&path), count_in(&file)), (now, now), "after the save");
        }
        assert_eq!(number_of(&path), number, "all saves were in place");
        append(&file, now, 2);
        file.close();
        assert_eq!(count(&path), now);
        let file = open(&path);
        let before = std::fs::metadata(&path).unwrap().len();
        file.compact(&WriteOptions::default()).unwrap();
        assert!(count(&path) == now && std::fs::metadata(&path).unwrap().len() <= before);
    }
}

fn number_of(path: &Path) -> u64 {
    std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(path).unwrap())
}
