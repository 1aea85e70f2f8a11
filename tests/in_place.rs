//! Files saved in place: written bytes, unchanged bytes, and refused saves.

use asdfkit::array::{Array, Datatype, ReadOptions, ScalarType};
use asdfkit::file::{File, NewOptions, OpenOptions, SaveMode, WriteOptions};
use asdfkit::{Result, Status};
use std::path::PathBuf;

fn in_place() -> WriteOptions {
    WriteOptions { durable: false, save_mode: SaveMode::InPlace, ..WriteOptions::default() }
}

fn whole() -> WriteOptions {
    WriteOptions { durable: false, save_mode: SaveMode::Whole, ..WriteOptions::default() }
}

fn set(file: &File, path: &str, values: &[f64]) {
    file.root().unwrap().set_array(path, values, [values.len() as i64]).unwrap();
}

fn text(file: &File, path: &str) -> String {
    file.root().unwrap().string(path).unwrap()
}

fn set_text(file: &File, path: &str, text: &str) {
    file.root().unwrap().set_string(path, text).unwrap();
}

fn elements(array: &Array) -> Result<Vec<f64>> {
    array.read_vec_with(None, &ReadOptions::default())
}

fn read(file: &File, path: &str) -> Vec<f64> {
    elements(&file.root().unwrap().array(path).unwrap()).unwrap()
}

/// A directory with a file in it. It is deleted after the test.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(arrays: &[&[f64]]) -> Folder {
        let folder = Folder(tempfile::tempdir().unwrap());
        let file = File::new(&NewOptions::default());
        set_text(&file, "name", "a name");
        for (number, values) in arrays.iter().enumerate() {
            set(&file, &format!("a{number}"), values);
        }
        file.write(folder.path(), &whole()).unwrap();
        folder
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("file.asdf")
    }

    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.path()).unwrap()
    }

    fn update(&self) -> File {
        File::open_for_update(self.path(), &OpenOptions::default()).unwrap()
    }

    /// Opens the file with all checks, and checks that the index lists the blocks.
    fn check(&self) -> File {
        let options = OpenOptions { verify_checksums: true, strict: true, ..OpenOptions::default() };
        let file = File::open_with(self.path(), &options).unwrap();
        file.verify().unwrap();
        let bytes = self.bytes();
        let count = file.block_count().unwrap() as i64;
        let last = (count > 0).then(|| file.block(count - 1).unwrap());
        if let Some(end) = last.and_then(|last| Some(last.payload_offset? + last.allocated_size?)) {
            let index = String::from_utf8(bytes[end as usize..].to_vec()).unwrap();
            let listed: Vec<u64> = index.lines().filter_map(|line| line.strip_prefix("- ")?.parse().ok()).collect();
            let found: Vec<u64> = (0..count).map(|number| file.block(number).unwrap().offset.unwrap()).collect();
            assert!(index.is_empty() || listed == found);
        }
        assert_eq!(std::fs::read_dir(self.0.path()).unwrap().count(), 1);
        file
    }
}

#[cfg(unix)]
fn inode(folder: &Folder) -> u64 {
    std::os::unix::fs::MetadataExt::ino(&std::fs::metadata(folder.path()).unwrap())
}

#[cfg(not(unix))]
fn inode(_: &Folder) -> u64 {
    0
}

#[test]
fn a_tree_that_fits_is_written_before_blocks_that_stay() {
    let folder = Folder::new(&[&[1.5; 100], &[2.5; 1000]]);
    let (before, same) = (folder.bytes(), inode(&folder));
    let first = folder.check().block(0).unwrap().offset.unwrap() as usize;
    let file = folder.update();
    let array = file.root().unwrap().array("a0").unwrap();
    for name in ["another name", "a longer name, for which some of the room is needed", "", "a name"] {
        set_text(&file, "name", name);
        file.save(&in_place()).unwrap();
        assert_eq!(folder.bytes()[first..], before[first..]);
        assert_eq!((text(&folder.check(), "name").as_str(), inode(&folder)), (name, same));
        // Arrays opened before the save can still be read, and so can those opened now.
        assert_eq!((elements(&array).unwrap(), read(&file, "a1")), (vec![1.5; 100], vec![2.5; 1000]));
    }
    assert_eq!(folder.bytes(), before);
    // Requested slack must be present.
    set_text(&file, "name", "b name");
    let roomy = WriteOptions { tree_slack: Some(10_000), ..in_place() };
    assert_eq!(file.save(&roomy).unwrap_err().status(), Status::NotInPlace);
    file.save(&WriteOptions { tree_slack: Some(1), ..in_place() }).unwrap();
    assert_eq!(text(&folder.check(), "name"), "b name");
}

#[test]
fn a_change_that_does_not_fit_needs_a_new_file() {
    let folder = Folder::new(&[&[1.5; 100]]);
    let before = folder.bytes();
    let file = folder.update();
    let long = "x".repeat(2000);
    set_text(&file, "name", &long);
    assert_eq!(file.save(&in_place()).unwrap_err().status(), Status::NotInPlace);
    assert_eq!(folder.bytes(), before);
    file.save(&WriteOptions::default()).unwrap();
    assert_eq!(text(&folder.check(), "name"), long);

    // An array under an existing number.
    set(&file, "a0", &[3.5; 10]);
    assert_eq!(file.save(&in_place()).unwrap_err().status(), Status::NotInPlace);
    file.save(&whole()).unwrap();
    assert_eq!(read(&folder.check(), "a0"), [3.5; 10]);
}

#[cfg(unix)]
#[test]
fn further_names_would_not_lead_to_a_journal() {
    let folder = Folder::new(&[&[1.5; 100_000]]);
    let other = tempfile::tempdir_in(folder.0.path().parent().unwrap()).unwrap();
    std::fs::hard_link(folder.path(), other.path().join("other.asdf")).unwrap();
    let file = folder.update();
    set_text(&file, "name", "b");
    assert_eq!(file.save(&in_place()).unwrap_err().status(), Status::NotInPlace);
    let same = inode(&folder);
    file.save(&WriteOptions::default()).unwrap();
    assert_ne!(inode(&folder), same);
}

#[test]
fn blocks_are_added_behind_those_that_stay() {
    let folder = Folder::new(&[&[1.5; 100], &[2.5; 1000]]);
    let before = folder.bytes();
    let second = folder.check().block(1).unwrap();
    let (first, end) = (folder.check().block(0).unwrap().offset.unwrap(), second.offset.unwrap() + 54);
    let file = folder.update();
    let array = file.root().unwrap().array("a1").unwrap();
    for number in 2..5 {
        let values = vec![f64::from(number); 10 * number as usize];
        set(&file, &format!("a{number}"), &values);
        file.save(&in_place()).unwrap();
        let saved = folder.check();
        assert_eq!(read(&saved, &format!("a{number}")), values);
        assert_eq!((read(&file, &format!("a{number}")), elements(&array).unwrap()), (values, vec![2.5; 1000]));
        assert_eq!(saved.block_count().unwrap(), number as u64 + 1);
        assert_eq!(saved.block(i64::from(number)).unwrap().payload_offset.unwrap() % 64, 0);
        assert_eq!(folder.bytes()[first as usize..end as usize], before[first as usize..end as usize]);
    }
    // Without an index the file can become shorter.
    let length = folder.bytes().len();
    set(&file, "a5", &[]);
    file.save(&WriteOptions { block_index: false, ..in_place() }).unwrap();
    assert!(folder.bytes().len() < length);
    let saved = folder.check();
    assert_eq!((saved.block_count().unwrap(), read(&saved, "a4")), (6, vec![4.0; 40]));
}

#[test]
fn a_file_without_blocks_grows_as_it_must() {
    let folder = Folder::new(&[]);
    let file = folder.update();
    let long = "long ".repeat(1000);
    set_text(&file, "name", &long);
    file.save(&in_place()).unwrap();
    assert_eq!(text(&folder.check(), "name"), long);
    let length = folder.bytes().len();

    set_text(&file, "name", "short");
    file.save(&in_place()).unwrap();
    assert_eq!((text(&folder.check(), "name").as_str(), folder.bytes().len()), ("short", length));

    set(&file, "array", &[1.5; 3]);
    file.save(&in_place()).unwrap();
    let saved = folder.check();
    assert_eq!((text(&saved, "name").as_str(), read(&saved, "array")), ("short", vec![1.5; 3]));
    assert!(folder.bytes().len() < length);
    assert_eq!(read(&file, "array"), [1.5; 3]);
}

#[test]
fn a_streamed_block_gets_its_sizes_when_another_follows() {
    let folder = Folder::new(&[&[1.5; 100], &[2.5; 50]]);
    let last = folder.check().block(1).unwrap();
    let mut bytes = folder.bytes();
    let offset = last.offset.unwrap() as usize;
    bytes.truncate((last.payload_offset.unwrap() + last.allocated_size.unwrap()) as usize);
    bytes[offset + 9] = 1;
    bytes[offset + 14..offset + 54].fill(0);
    std::fs::write(folder.path(), &bytes).unwrap();
    let file = folder.update();
    let array = file.root().unwrap().array("a1").unwrap();
    set_text(&file, "name", "x");
    file.save(&in_place()).unwrap();
    assert!(folder.check().block(1).unwrap().streamed);
    set(&file, "a2", &[3.5; 5]);
    file.save(&in_place()).unwrap();
    let saved = folder.check();
    assert!(!saved.block(1).unwrap().streamed);
    for file in [&saved, &file] {
        assert_eq!((read(file, "a0"), read(file, "a1")), (vec![1.5; 100], vec![2.5; 50]));
        assert_eq!(read(file, "a2"), [3.5; 5]);
    }
    assert_eq!(elements(&array).unwrap(), [2.5; 50]);
}

#[test]
fn large_files_are_saved_in_place_and_small_ones_anew() {
    for (count, in_place) in [(1000, false), (100_000, true)] {
        let folder = Folder::new(&[&vec![1.5; count]]);
        let file = folder.update();
        let same = inode(&folder);
        set_text(&file, "name", "b");
        file.save(&WriteOptions { durable: true, ..WriteOptions::default() }).unwrap();
        if cfg!(unix) {
            assert_eq!(inode(&folder) == same, in_place);
        }
        assert_eq!(read(&folder.check(), "a0"), vec![1.5; count]);
    }
}

#[test]
fn maps_and_copies_go_on_through_saves() {
    let folder = Folder::new(&[&[1.5; 100], &[2.5; 1000]]);
    let mapped = OpenOptions { mapped: true, ..OpenOptions::default() };
    let file = File::open_for_update(folder.path(), &mapped).unwrap();
    let view = file.root().unwrap().array("a1").unwrap().view(&Datatype::Scalar(ScalarType::Float64)).unwrap();
    set_text(&file, "name", "b");
    set(&file, "a2", &[3.5; 10]);
    file.save(&in_place()).unwrap();
    assert_eq!(view.bytes()[..16], [2.5_f64.to_ne_bytes(), 2.5_f64.to_ne_bytes()].concat());
    assert_eq!((read(&file, "a0"), read(&file, "a2")), (vec![1.5; 100], vec![3.5; 10]));

    // An array of another file, and an array of the same file from another handle.
    let other = Folder::new(&[&[7.5; 20]]);
    let node = other.check().root().unwrap().at("a0").unwrap();
    file.root().unwrap().copy_from("a3", &node, None).unwrap();
    file.save(&in_place()).unwrap();
    assert_eq!(read(&folder.check(), "a3"), [7.5; 20]);
    let node = folder.check().root().unwrap().at("a3").unwrap();
    file.root().unwrap().copy_from("a4", &node, None).unwrap();
    assert_eq!(file.save(&in_place()).unwrap_err().status(), Status::NotInPlace);
    file.save(&WriteOptions::default()).unwrap();
    assert_eq!(read(&folder.check(), "a4"), [7.5; 20]);
}

#[test]
fn many_saves_keep_nothing_open() {
    let folder = Folder::new(&[&[1.5; 100]]);
    let file = folder.update();
    let open = || std::fs::read_dir("/proc/self/fd").map(Iterator::count).unwrap_or(0);
    for number in 0..50 {
        set_text(&file, "name", &number.to_string());
        file.save(&in_place()).unwrap();
        set(&file, &format!("b{number}"), &[f64::from(number)]);
        file.save(&WriteOptions::default()).unwrap();
    }
    let saved = folder.check();
    for number in 0..50 {
        assert_eq!(read(&saved, &format!("b{number}")), [f64::from(number)]);
    }
    // Other tests open files too.
    assert!(open() < 50);
}

#[test]
fn other_handles_notice_the_change() {
    let folder = Folder::new(&[&[1.5; 100]]);
    let reader = folder.check();
    let array = reader.root().unwrap().array("a0").unwrap();
    let file = folder.update();
    set_text(&file, "name", "b");
    file.save(&in_place()).unwrap();
    assert_eq!(elements(&array).unwrap_err().status(), Status::FileChanged);

    // Another program changes the file.
    set_text(&file, "name", "c");
    let mut bytes = folder.bytes();
    bytes.push(b'\n');
    std::fs::write(folder.path(), &bytes).unwrap();
    assert_eq!(file.save(&in_place()).unwrap_err().status(), Status::FileChanged);
    assert_eq!(folder.bytes(), bytes);
}

/// Saves a file with a text of this length. Returns whether it is still the same file (inode).
#[cfg(unix)]
fn grow(folder: &Folder, file: &File, size: usize) -> bool {
    let same = inode(folder);
    let long = "x".repeat(size);
    set_text(file, "name", &long);
    file.save(&WriteOptions { durable: false, ..WriteOptions::default() }).unwrap();
    assert_eq!(text(&folder.check(), "name"), long);
    inode(folder) == same
}

#[cfg(unix)]
#[test]
fn a_tree_that_has_outgrown_its_room_gets_more_of_it() {
    let large = vec![1.5; 100_000];
    let folder = Folder::new(&[&large, &[2.5; 1000]]);
    let file = folder.update();
    let arrays = ["a0", "a1"].map(|path| file.root().unwrap().array(path).unwrap());
    let mut length = folder.bytes().len();
    for (size, is_same) in [(3_000, true), (5_000, false), (13_000, true), (20_000, false), (28_000, true)] {
        assert_eq!(grow(&folder, &file, size), is_same, "{size}");
        assert!(folder.bytes().len() <= length + size + 12_000);
        length = folder.bytes().len();
        // Arrays opened long before can still be read, and so can those opened now.
        assert_eq!(arrays.each_ref().map(|array| elements(array).unwrap()), [large.clone(), vec![2.5; 1000]]);
        assert_eq!([read(&file, "a0"), read(&file, "a1")], [large.clone(), vec![2.5; 1000]]);
        let saved = folder.check();
        assert_eq!([read(&saved, "a0"), read(&saved, "a1")], [large.clone(), vec![2.5; 1000]]);
    }
    // With a new block after it, and a block copied within the file.
    set(&file, "a2", &[3.5; 10]);
    file.root().unwrap().copy_from("copy", &file.root().unwrap().at("a1").unwrap(), None).unwrap();
    assert!(!grow(&folder, &file, 200_000) && grow(&folder, &file, 245_000));
    for file in [&folder.check(), &file] {
        assert_eq!((read(file, "a2"), read(file, "copy")), (vec![3.5; 10], vec![2.5; 1000]));
    }
}

#[cfg(unix)]
#[test]
fn views_keep_their_bytes_when_the_tree_outgrows_its_room() {
    let folder = Folder::new(&[&vec![1.5; 100_000]]);
    let other = folder.check();
    let file = folder.update();
    let view =
        |file: &File| file.root().unwrap().array("a0").unwrap().view(&Datatype::Scalar(ScalarType::Float64)).unwrap();
    let views = [view(&other), view(&file)];
    assert!(!grow(&folder, &file, 5_000));
    assert!(views.iter().all(|view| view.bytes()[..8] == 1.5_f64.to_ne_bytes()));
    set_text(&file, "name", &"x".repeat(400_000));
    let before = folder.bytes();
    assert_eq!(file.save(&in_place()).unwrap_err().status(), Status::NotInPlace);
    assert_eq!(folder.bytes(), before);
}

#[cfg(unix)]
#[test]
fn a_file_whose_journal_cannot_be_made_is_not_saved_in_place() {
    let folder = Folder::new(&[&vec![1.5; 100_000]]);
    let (before, file) = (folder.bytes(), folder.update());
    set_text(&file, "name", "another name");
    // The journal cannot be created.
    let journal = folder.0.path().join(".file.asdf.asdf-journal");
    std::os::unix::fs::symlink("nowhere/at all", &journal).unwrap();
    assert_eq!(file.save(&in_place()).unwrap_err().status(), Status::NotInPlace);
    std::fs::remove_file(&journal).unwrap();
    assert_eq!(folder.bytes(), before);
    assert_eq!(read(&file, "a0"), vec![1.5; 100_000]);
    file.save(&WriteOptions::default()).unwrap();
    assert_eq!(read(&folder.check(), "a0"), vec![1.5; 100_000]);
}
