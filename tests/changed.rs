//! Detection of files that another program changes while they are open, even if it restores their times.
#![cfg(unix)]

use asdfkit::array::{Array, Datatype, ReadOptions, Region, ScalarType};
use asdfkit::file::{File, NewOptions, OpenOptions, SaveMode, WriteOptions};
use asdfkit::table::{Values, ecsv};
use asdfkit::{Result, Status};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

const COUNT: usize = 1000;

struct TestFile {
    path: PathBuf,
    directory: tempfile::TempDir,
}

impl TestFile {
    fn new() -> TestFile {
        let directory = tempfile::tempdir().unwrap();
        TestFile { path: directory.path().join("file.asdf"), directory }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file with a text of one letter and two arrays of one number each.
    fn write(&self, text: &str, number: i32, options: &WriteOptions) {
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        root.set_string("text", text).unwrap();
        for name in ["a", "b"] {
            root.set_array(name, &[number; COUNT], [COUNT as i64]).unwrap();
        }
        // Overwrites the file in place, like a program that does not use rename.
        std::fs::write(&self.path, file.write_to_memory(options).unwrap()).unwrap();
    }

    /// Same as `write`, but restores the modification time. Only the time of the last status change differs.
    fn write_unnoticed(&self, text: &str, number: i32, options: &WriteOptions) {
        let before = std::fs::metadata(&self.path).unwrap();
        change(&self.path, || self.write(text, number, options));
        std::fs::File::options()
            .write(true)
            .open(&self.path)
            .unwrap()
            .set_modified(before.modified().unwrap())
            .unwrap();
        let after = std::fs::metadata(&self.path).unwrap();
        assert_eq!((before.len(), before.modified().unwrap()), (after.len(), after.modified().unwrap()));
        assert_eq!(before.ino(), after.ino());
    }
}

fn open(path: &Path) -> (File, Array) {
    let file = File::open(path).unwrap();
    let array = file.root().unwrap().array("a").unwrap();
    (file, array)
}

/// Repeats `change` until the status change time of the file differs: clocks of file systems are coarse.
fn change(path: &Path, mut change: impl FnMut()) {
    let time = || std::fs::metadata(path).map(|metadata| (metadata.ctime(), metadata.ctime_nsec())).unwrap();
    let before = time();
    for _ in 0..200 {
        change();
        if time() != before {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("the time of the last change of status stands still");
}

fn first(array: &Array) -> Result<i32> {
    Ok(array.read_region_vec(0..1)?[0])
}

#[test]
fn a_file_rewritten_with_its_size_and_time_is_not_read_as_a_mix() {
    let test_file = TestFile::new();
    for without_checksums in [false, true] {
        let options = WriteOptions { checksums: !without_checksums, ..Default::default() };
        test_file.write("x", 1, &options);
        let (file, array) = open(&test_file.path);
        assert_eq!(first(&array).unwrap(), 1);
        test_file.write_unnoticed("k", 2, &options);
        for _ in 0..2 {
            assert_eq!(first(&array).unwrap_err().status(), Status::FileChanged);
            assert_eq!(file.verify().unwrap_err().status(), Status::FileChanged);
        }
    }
}

#[test]
fn blocks_rewritten_under_the_same_tree_are_known_by_their_checksums() {
    let test_file = TestFile::new();
    let options = WriteOptions::default();
    test_file.write("x", 1, &options);
    let (file, array) = open(&test_file.path);
    let other = file.root().unwrap().array("b").unwrap();
    assert_eq!((first(&array).unwrap(), first(&other).unwrap()), (1, 1));
    test_file.write_unnoticed("x", 2, &options);
    assert_eq!(first(&other).unwrap_err().status(), Status::FileChanged);
    assert_eq!(first(&array).unwrap_err().status(), Status::FileChanged);
}

#[test]
fn other_names_and_permissions_are_no_change() {
    use std::os::unix::fs::PermissionsExt;
    let test_file = TestFile::new();
    test_file.write("x", 1, &WriteOptions::default());
    let (file, array) = open(&test_file.path);
    assert_eq!(first(&array).unwrap(), 1);
    change(&test_file.path, || {
        let _ = std::fs::remove_file(test_file.path("link"));
        std::fs::hard_link(&test_file.path, test_file.path("link")).unwrap();
    });
    assert_eq!(first(&array).unwrap(), 1);
    let mut mode = 0o600;
    change(&test_file.path, || {
        mode ^= 0o40;
        std::fs::set_permissions(&test_file.path, std::fs::Permissions::from_mode(mode)).unwrap();
    });
    assert_eq!(first(&array).unwrap(), 1);
    // Another file replaces this one.
    let link = test_file.path("link");
    change(&link, || {
        std::fs::copy(&link, test_file.path("new")).unwrap();
        std::fs::rename(test_file.path("new"), &test_file.path).unwrap();
        std::fs::set_permissions(&link, std::fs::Permissions::from_mode(0o600)).unwrap();
    });
    assert_eq!(first(&array).unwrap(), 1);
    std::fs::remove_file(&link).unwrap();
    assert_eq!(first(&array).unwrap(), 1);
    file.verify().unwrap();
}

#[test]
fn a_process_that_changes_the_file_still_notices_changes_by_others() {
    let test_file = TestFile::new();
    let options = WriteOptions::default();
    test_file.write("x", 1, &options);
    let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
    let root = file.root().unwrap();
    let array = root.array("a").unwrap();
    let link = |name: &str| {
        change(&test_file.path, || {
            let _ = std::fs::remove_file(test_file.path(name));
            std::fs::hard_link(&test_file.path, test_file.path(name)).unwrap();
        });
        std::fs::remove_file(test_file.path(name)).unwrap();
    };
    // Elements are overwritten, which removes the checksum of the block.
    let region = Region { start: &[0], count: &[1], step: None };
    let int32 = Datatype::Scalar(ScalarType::Int32);
    array.write_region(Some(&region), &int32, &5i32.to_ne_bytes(), &ReadOptions::default()).unwrap();
    link("one");
    assert_eq!(first(&array).unwrap(), 5);
    file.save(&options).unwrap();
    link("two");
    assert_eq!(first(&array).unwrap(), 5);

    root.set_string("text", "k").unwrap();
    file.save(&WriteOptions { save_mode: SaveMode::InPlace, ..options.clone() }).unwrap();
    let array = root.array("a").unwrap();
    link("three");
    assert_eq!(first(&array).unwrap(), 5);

    // Only the text differs.
    let before = std::fs::metadata(&test_file.path).unwrap().modified().unwrap();
    let mut bytes = std::fs::read(&test_file.path).unwrap();
    let at = bytes.windows(7).position(|window| window == b"text: k").unwrap();
    bytes[at + 6] = b'z';
    change(&test_file.path, || std::fs::write(&test_file.path, &bytes).unwrap());
    std::fs::File::options().write(true).open(&test_file.path).unwrap().set_modified(before).unwrap();
    assert_eq!(first(&array).unwrap_err().status(), Status::FileChanged);
    root.set_string("text", "m").unwrap();
    assert_eq!(file.save(&options).unwrap_err().status(), Status::FileChanged);
}

/// Writes a table of one column into a file in place. Each row has this number of five digits.
fn write_table(path: &Path, number: u32, compressed: bool) {
    let mut text = "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\na\n".to_owned();
    (0..200_000).for_each(|_| text += &format!("{number}\n"));
    let bytes = match compressed {
        false => text.into_bytes(),
        true => {
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
            std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
            encoder.finish().unwrap()
        }
    };
    std::fs::write(path, bytes).unwrap();
}

/// Returns a reader of the table that has read one batch of old rows.
fn begun(path: &Path, options: &ecsv::ReadOptions) -> ecsv::TableReader {
    let mut reader = ecsv::TableReader::open(path, options).unwrap();
    let batch = reader.next_batch().unwrap().unwrap();
    assert_eq!(batch.columns()[0].values(), &Values::Int64(vec![10_000; 1000]));
    reader
}

#[test]
fn no_batch_of_a_table_has_rows_of_another_file() {
    let test_file = TestFile::new();
    let table = test_file.path("table.ecsv");
    for compressed in [false, true] {
        for (threads, restored) in [(1, false), (1, true), (3, false), (3, true)] {
            write_table(&table, 10_000, compressed);
            let before = std::fs::metadata(&table).unwrap();
            let options = ecsv::ReadOptions { batch_rows: 1000, threads, ..ecsv::ReadOptions::default() };
            let [mut next, mut rest] = [(); 2].map(|()| begun(&table, &options));
            let mut part = begun(&table, &ecsv::ReadOptions { rows: 0..2000, ..options });
            change(&table, || write_table(&table, 20_000, compressed));
            if restored {
                let file = std::fs::File::options().write(true).open(&table).unwrap();
                file.set_modified(before.modified().unwrap()).unwrap();
            }
            for _ in 0..2 {
                assert_eq!(next.next_batch().unwrap_err().status(), Status::FileChanged);
                assert_eq!(rest.read_all().unwrap_err().status(), Status::FileChanged);
                assert_eq!(part.next_batch().unwrap_err().status(), Status::FileChanged);
            }
        }
    }
}

#[test]
fn a_change_is_the_reason_for_text_that_cannot_be_read() {
    let test_file = TestFile::new();
    let table = test_file.path("table.ecsv");
    write_table(&table, 10_000, false);
    let mut reader = begun(&table, &ecsv::ReadOptions { batch_rows: 1000, ..ecsv::ReadOptions::default() });
    let length = std::fs::metadata(&table).unwrap().len() as usize;
    change(&table, || std::fs::write(&table, "x".repeat(length)).unwrap());
    let failed = std::iter::repeat_with(|| reader.next_batch()).find_map(Result::err).unwrap();
    assert_eq!(failed.status(), Status::FileChanged);
}

#[test]
fn a_table_can_be_renamed_while_it_is_read() {
    let test_file = TestFile::new();
    let (table, other) = (test_file.path("table.ecsv"), test_file.path("other.ecsv"));
    for compressed in [false, true] {
        write_table(&table, 10_000, compressed);
        let mut reader = begun(&table, &ecsv::ReadOptions { batch_rows: 1000, ..ecsv::ReadOptions::default() });
        change(&table, || {
            std::fs::rename(&table, &other).unwrap();
            std::fs::rename(&other, &table).unwrap();
        });
        assert_eq!(reader.next_batch().unwrap().unwrap().row_count(), 1000);
        std::fs::remove_file(&table).unwrap();
        assert_eq!(reader.read_all().unwrap().row_count(), 198_000);
    }
}
