//! Drafts that killed writers leave, after other programs replaced, changed, moved or linked the file: the drafts change
//! nothing in the file, nobody deletes or changes them, and the next writer names them.
#![cfg(target_os = "linux")]

use super::stale_test::{EVENTS, Event, TestFile, as_it_stands, content_of, kill_after, kill_in, make};
use crate::array::{Order, ScalarType};
use crate::error::{Result, Status};
use crate::file::{ArrayOptions, File, OpenOptions, RecoverOptions, Repairs, SaveMode, Storage, WriteOptions};
use crate::progress::scope;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const WRITERS: [&str; 9] = [
    "stream",
    "streamed block",
    "external stream",
    "explode",
    "implode",
    "recover",
    "repair",
    "compact",
    "external array",
];

/// Rows that the killed streams push, in bytes: enough to be in the file.
const ROWS: usize = 200_000;

/// Size of the array of the file in bytes.
const ELEMENTS: u64 = 400_000;

fn options() -> WriteOptions {
    WriteOptions { durable: false, replace: true, ..WriteOptions::default() }
}

/// Returns a path in another folder, for the file that a writer reads.
fn source_of(path: &Path) -> PathBuf {
    path.parent().unwrap().join("source").join("file.asdf")
}

fn stream(path: &Path, storage: Storage) -> Result<()> {
    let file = File::new(&Default::default());
    let array = ArrayOptions { storage, ..ArrayOptions::default() };
    let mut stream = file.stream(path, "rows", ScalarType::Uint8, &[10], &array, &options())?;
    stream.push(ROWS as i64 / 10, &[5; ROWS], &Order::C)?;
    std::process::abort()
}

/// Runs in a process of its own, which does not survive it.
fn work(writer: &str, path: &Path) -> Result<()> {
    let source = || File::open(source_of(path));
    let update = || File::open_for_update(path, &OpenOptions::default());
    let whole = WriteOptions { save_mode: SaveMode::Whole, ..options() };
    match writer {
        "stream" => stream(path, Storage::Internal),
        "streamed block" => stream(path, Storage::Streamed),
        "external stream" => stream(path, Storage::External),
        "explode" => scope(&kill_after(1), || source()?.explode(path, &options())),
        "implode" => scope(&kill_after(1), || source()?.implode(path, &options())),
        "recover" => {
            let recover = RecoverOptions { write: options(), ..RecoverOptions::default() };
            scope(&kill_after(1), || File::recover(source_of(path), path, &recover).map(drop))
        }
        "repair" => {
            let repairs = Repairs { index: true, ..Repairs::default() };
            scope(&kill_after(1), || update()?.repair(repairs, &whole).map(drop))
        }
        "compact" => {
            let file = update()?;
            file.root()?.remove("text")?;
            scope(&kill_after(ELEMENTS), || file.compact(&whole))
        }
        _ => {
            let file = update()?;
            file.root()?.set_array("more", &[5; ROWS], [ROWS as i64])?;
            file.root()?
                .set_storage("more", &ArrayOptions { storage: Storage::External, ..ArrayOptions::default() })?;
            scope(&kill_after(1), || file.save(&whole))
        }
    }
}

/// The other process. Without the variables, as in an ordinary run of the tests, it does nothing.
#[test]
fn killed_writer() {
    if let (Ok(writer), Ok(path)) = (std::env::var("ASDFKIT_KILLED_WRITER"), std::env::var("ASDFKIT_KILLED_PATH")) {
        work(&writer, Path::new(&path)).unwrap();
    }
}

/// Returns the drafts of the file, by name.
fn drafts(test_file: &TestFile) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(test_file.folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let drafts = entries.filter(|path| path.extension().is_some_and(|end| end == "asdf-tmp"));
    drafts.map(|path| (path.display().to_string(), std::fs::read(path).unwrap())).collect()
}

/// Kills a writer. Returns the place and the drafts that hold bytes.
fn killed(writer: &str) -> (TestFile, BTreeMap<String, Vec<u8>>) {
    let test_file = TestFile::new();
    if writer == "repair" {
        let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
        file.root().unwrap().set_array("second", &[1; 10], [10]).unwrap();
        file.save(&WriteOptions { block_index: false, save_mode: SaveMode::Whole, ..options() }).unwrap();
    }
    std::fs::create_dir(test_file.named("source")).unwrap();
    make(&source_of(&test_file.path), "source", 3);
    let before = std::fs::read(&test_file.path).unwrap();
    kill_in("file::update::left_drafts_test::killed_writer", writer, &test_file.path);
    assert!(std::fs::read(&test_file.path).unwrap() == before, "{writer}");
    let mut left = drafts(&test_file);
    left.retain(|_, bytes| !bytes.is_empty());
    assert!(!left.is_empty(), "{writer}");
    (test_file, left)
}

/// Checks that a warning names each draft, and says how to keep or drop it.
fn check_named(file: &File, left: &BTreeMap<String, Vec<u8>>, label: &str) {
    let warnings = file.warnings();
    for (name, bytes) in left {
        let warning = warnings.iter().find(|warning| warning.message.contains(name));
        let message = &warning.unwrap_or_else(|| panic!("{label}: {name} is not in {warnings:?}")).message;
        let advice = if bytes.starts_with(b"#ASDF") { "recover it" } else { "keep it" };
        assert!(message.contains(advice) && message.contains("delete it"), "{label}: {message}");
    }
}

fn check(writer: &str, (event, happen): Event) {
    let (test_file, left) = killed(writer);
    let label = format!("{writer}, {event}");
    happen(&test_file);
    let (bytes, expected) = (std::fs::read(&test_file.path).unwrap(), as_it_stands(&test_file.path));
    let is_left = || left.iter().all(|(name, bytes)| std::fs::read(name).is_ok_and(|found| found == *bytes));

    let strict = OpenOptions { strict: true, ..OpenOptions::default() };
    assert!(
        content_of(&File::open_with(&test_file.path, &strict).unwrap()) == expected || writer == "repair",
        "{label}"
    );
    let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
    assert!(content_of(&file) == expected, "{label}");
    assert!(std::fs::read(&test_file.path).unwrap() == bytes && is_left(), "{label}");
    for save_mode in [SaveMode::InPlace, SaveMode::Whole] {
        file.root().unwrap().set_string("text", "x").unwrap();
        file.save(&WriteOptions { save_mode, ..options() }).unwrap();
        check_named(&file, &left, &label);
        assert!(is_left(), "{label}, {save_mode:?}");
    }
    drop(file);
    make(&test_file.path, "new", 9);
    assert!(as_it_stands(&test_file.path) == ("new".to_owned(), vec![9; expected.1.len()]) && is_left(), "{label}");
}

#[test]
fn drafts_stay_and_change_nothing() {
    for writer in WRITERS {
        for event in EVENTS {
            check(writer, event);
        }
    }
}

#[test]
fn drafts_of_a_file_that_is_gone_are_named() {
    for writer in WRITERS {
        let (test_file, left) = killed(writer);
        std::fs::rename(&test_file.path, test_file.named("moved.asdf")).unwrap();
        for open in [File::open_with::<&Path>, File::open_for_update] {
            let error = open(&test_file.path, &OpenOptions::default()).err().unwrap();
            assert_eq!(error.status(), Status::FileNotFound, "{writer}");
            assert!(left.keys().all(|name| error.message().contains(name)), "{writer}: {error}");
        }
        // They are drafts of the old name, and the moved file is changed without them.
        let moved = File::open_for_update(test_file.named("moved.asdf"), &OpenOptions::default()).unwrap();
        moved.root().unwrap().set_string("text", "x").unwrap();
        moved.save(&options()).unwrap();
        assert!(moved.warnings().iter().all(|warning| !warning.message.contains("asdf-tmp")), "{writer}");
        assert!(left.iter().all(|(name, bytes)| std::fs::read(name).unwrap() == *bytes), "{writer}");
    }
}

#[test]
fn drafts_with_other_names_are_kept() {
    for writer in WRITERS {
        let (test_file, left) = killed(writer);
        for (name, bytes) in &left {
            let link = test_file.named("kept");
            std::fs::hard_link(name, &link).unwrap();
            make(&test_file.path, "new", 9);
            assert!(std::fs::read(&link).unwrap() == *bytes && std::fs::read(name).unwrap() == *bytes, "{writer}");
            std::fs::remove_file(link).unwrap();
        }
    }
}
