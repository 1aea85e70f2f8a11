//! Leftovers of killed writers, after other programs replaced, changed, moved or linked the file: nothing of the old
//! content comes back into a file that is not the one whose save was interrupted.
#![cfg(target_os = "linux")]

use crate::array::{Datatype, ReadOptions, Region, ScalarType};
use crate::error::{Result, Status};
use crate::file::{File, NewOptions, OpenOptions, SaveMode, WriteOptions};
use crate::progress::{Progress, scope};
use crate::source::{SharedBytes, write_all_at};
use std::ops::ControlFlow;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

const COUNT: usize = 100_000;
/// Elements that the killed writers overwrite.
const START: usize = 10_000;
const WRITTEN: usize = 80_000;
const INSIDE: usize = START + 5000;
const OUTSIDE: usize = COUNT - 10;

const WRITERS: [&str; 6] = ["region", "region stopped", "two regions", "save stopped", "save nearly done", "write"];

pub(super) type Content = (String, Vec<i32>);

fn in_place() -> WriteOptions {
    WriteOptions { durable: false, save_mode: SaveMode::InPlace, ..WriteOptions::default() }
}

pub(super) fn make(path: &Path, text: &str, element: i32) {
    let file = File::new(&NewOptions::default());
    file.root().unwrap().set_string("text", text).unwrap();
    file.root().unwrap().set_array("a", &vec![element; COUNT], [COUNT as i64]).unwrap();
    file.write(path, &WriteOptions { durable: false, replace: true, ..WriteOptions::default() }).unwrap();
}

pub(super) fn content_of(file: &File) -> Content {
    let root = file.root().unwrap();
    let elements = root.array("a").unwrap().read_vec().unwrap();
    (root.string("text").unwrap(), elements)
}

/// The content of the bytes of a file, whatever is beside it.
pub(super) fn as_it_stands(path: &Path) -> Content {
    let bytes: SharedBytes = Arc::new(std::fs::read(path).unwrap());
    content_of(&File::open_memory(bytes, &OpenOptions::default()).unwrap())
}

fn write_region(file: &File, start: usize, elements: &[i32]) -> Result<()> {
    let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_ne_bytes()).collect();
    let region = Region { start: &[start as i64], count: &[elements.len() as i64], step: None };
    let int32 = Datatype::Scalar(ScalarType::Int32);
    file.root()?.array("a")?.write_region(Some(&region), &int32, &bytes, &ReadOptions::default())
}

/// Ends the process as soon as this number of bytes is done, or at a later report.
pub(super) fn kill_after(bytes: u64) -> Progress {
    Progress::at_every_step(move |done, _| {
        if done >= bytes {
            std::process::abort();
        }
        ControlFlow::Continue(())
    })
}

/// Runs in a process of its own, which does not survive it.
fn work(writer: &str, path: &Path) -> Result<()> {
    let file = File::open_for_update(path, &OpenOptions::default())?;
    let change = |file: &File| -> Result<()> {
        file.root()?.set_string("text", "the text of the killed writer")?;
        file.root()?.set_array("more", &vec![5; COUNT], [COUNT as i64])
    };
    match writer {
        "region" => write_region(&file, START, &vec![-1; WRITTEN])?,
        "two regions" => {
            write_region(&file, START, &vec![-1; WRITTEN])?;
            write_region(&file, START + 10, &[-2; 100])?;
        }
        "region stopped" => scope(&kill_after(1), || write_region(&file, START, &vec![-1; WRITTEN]))?,
        "save stopped" => {
            change(&file)?;
            scope(&kill_after(1), || file.save(&in_place()))?;
        }
        "save nearly done" => {
            change(&file)?;
            scope(&kill_after(4 * COUNT as u64), || file.save(&in_place()))?;
        }
        _ => {
            change(&file)?;
            let options = WriteOptions { durable: false, save_mode: SaveMode::Whole, ..WriteOptions::default() };
            scope(&kill_after(1), || file.save(&options))?;
        }
    }
    std::process::abort()
}

/// The other process. Without the variables, as in an ordinary run of the tests, it does nothing.
#[test]
fn killed_writer() {
    if let (Ok(writer), Ok(path)) = (std::env::var("ASDFKIT_KILLED_WRITER"), std::env::var("ASDFKIT_KILLED_PATH")) {
        work(&writer, Path::new(&path)).unwrap();
    }
}

fn kill(writer: &str, path: &Path) {
    kill_in("file::update::stale_test::killed_writer", writer, path);
}

/// Runs a writer in a process that executes the test of this name, and checks that it killed itself.
pub(super) fn kill_in(name: &str, writer: &str, path: &Path) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", name]).env("ASDFKIT_KILLED_WRITER", writer).env("ASDFKIT_KILLED_PATH", path);
    let output = command.output().unwrap();
    assert_eq!(output.status.signal(), Some(libc::SIGABRT), "{}", String::from_utf8_lossy(&output.stdout));
}

pub(super) struct TestFile {
    pub(super) folder: tempfile::TempDir,
    pub(super) path: PathBuf,
    backup: PathBuf,
    old: Content,
}

impl TestFile {
    pub(super) fn new() -> TestFile {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.asdf");
        make(&path, "old", 1);
        let backup = folder.path().join("backup");
        copy_with_time(&path, &backup);
        TestFile { old: as_it_stands(&path), folder, path, backup }
    }

    pub(super) fn named(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn journal(&self) -> PathBuf {
        self.named(".file.asdf.asdf-journal")
    }

    /// Another program sets an element, as a map of the file does.
    fn set_element(&self, index: usize) {
        let bytes = std::fs::read(&self.path).unwrap();
        let at = bytes.windows(4).position(|window| window == b"\xd3BLK").unwrap();
        let header = usize::from(u16::from_be_bytes([bytes[at + 4], bytes[at + 5]]));
        let file = std::fs::OpenOptions::new().write(true).open(&self.path).unwrap();
        write_all_at(&file, (at + 6 + header + 4 * index) as u64, &77_i32.to_le_bytes()).unwrap();
    }
}

fn copy_with_time(from: &Path, to: &Path) {
    std::fs::copy(from, to).unwrap();
    let modified = std::fs::metadata(from).unwrap().modified().unwrap();
    std::fs::OpenOptions::new().write(true).open(to).unwrap().set_modified(modified).unwrap();
}

/// The content of the file after an event.
pub(super) enum Wanted {
    /// The content before the interrupted save.
    Old,
    /// The content that its bytes have now.
    AsItStands,
    /// Anything in which another program's element is left.
    Element(usize),
}

pub(super) type Event = (&'static str, fn(&TestFile) -> Wanted);

pub(super) const EVENTS: [Event; 14] = [
    ("nothing happens", |_| Wanted::Old),
    ("it is made anew by renaming", |test_file| {
        make(&test_file.named("new"), "new", 7);
        std::fs::rename(test_file.named("new"), &test_file.path).unwrap();
        Wanted::AsItStands
    }),
    ("it is made anew with the new elements", |test_file| {
        make(&test_file.named("new"), "old", -1);
        std::fs::rename(test_file.named("new"), &test_file.path).unwrap();
        Wanted::AsItStands
    }),
    ("this library replaces it", |test_file| {
        make(&test_file.path, "new", 7);
        Wanted::AsItStands
    }),
    ("it is removed and made anew", |test_file| {
        std::fs::remove_file(&test_file.path).unwrap();
        make(&test_file.path, "new", 7);
        Wanted::AsItStands
    }),
    ("another file is copied over it", |test_file| {
        make(&test_file.named("new"), "new", 7);
        std::fs::copy(test_file.named("new"), &test_file.path).unwrap();
        std::fs::remove_file(test_file.named("new")).unwrap();
        Wanted::AsItStands
    }),
    ("another file of the same tree is copied over it, with an old time", |test_file| {
        make(&test_file.named("new"), "old", 7);
        copy_with_time(&test_file.named("new"), &test_file.path);
        let old = std::fs::metadata(&test_file.backup).unwrap().modified().unwrap();
        std::fs::OpenOptions::new().write(true).open(&test_file.path).unwrap().set_modified(old).unwrap();
        std::fs::remove_file(test_file.named("new")).unwrap();
        Wanted::AsItStands
    }),
    ("a backup is copied over it", |test_file| {
        copy_with_time(&test_file.backup, &test_file.path);
        Wanted::AsItStands
    }),
    ("a backup replaces it", |test_file| {
        copy_with_time(&test_file.backup, &test_file.named("new"));
        std::fs::rename(test_file.named("new"), &test_file.path).unwrap();
        Wanted::AsItStands
    }),
    ("an overwritten element is set", |test_file| {
        test_file.set_element(INSIDE);
        Wanted::Element(INSIDE)
    }),
    ("another element is set", |test_file| {
        test_file.set_element(OUTSIDE);
        Wanted::Element(OUTSIDE)
    }),
    ("it is moved, and a new one made", |test_file| {
        std::fs::rename(&test_file.path, test_file.named("moved.asdf")).unwrap();
        make(&test_file.path, "new", 7);
        Wanted::AsItStands
    }),
    ("it is moved away and back", |test_file| {
        std::fs::rename(&test_file.path, test_file.named("moved.asdf")).unwrap();
        std::fs::rename(test_file.named("moved.asdf"), &test_file.path).unwrap();
        Wanted::Old
    }),
    ("it gets another name", |test_file| {
        std::fs::hard_link(&test_file.path, test_file.named("link.asdf")).unwrap();
        std::fs::remove_file(test_file.named("link.asdf")).unwrap();
        Wanted::Old
    }),
];

fn check(writer: &str, (event, happen): Event) {
    let test_file = TestFile::new();
    let label = format!("{writer}, {event}");
    kill(writer, &test_file.path);
    assert_eq!(test_file.journal().exists(), writer != "write", "{label}");
    let wanted = happen(&test_file);
    let expected = match wanted {
        Wanted::Old => Some(test_file.old.clone()),
        Wanted::AsItStands => Some(as_it_stands(&test_file.path)),
        Wanted::Element(_) => None,
    };
    let before = std::fs::read(&test_file.path).unwrap();
    let is_right = |content: &Content| match (&expected, &wanted) {
        (Some(expected), _) => content == expected,
        (None, Wanted::Element(index)) => content.1[*index] == 77,
        (None, _) => false,
    };

    let read = File::open(&test_file.path).unwrap();
    assert!(is_right(&content_of(&read)), "{label}");
    let strict = File::open_with(&test_file.path, &OpenOptions { strict: true, ..OpenOptions::default() });
    let is_interrupted = read.warnings().iter().any(|warning| warning.message.contains("was interrupted"));
    match strict {
        Ok(file) => assert!(is_right(&content_of(&file)), "{label}"),
        Err(error) => assert!(error.status() == Status::Strict && is_interrupted, "{label}: {error}"),
    }
    if let Wanted::AsItStands = wanted {
        assert!(!is_interrupted, "{label}");
    }

    let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
    let opened = content_of(&file);
    assert!(is_right(&opened), "{label}");
    if let Wanted::AsItStands = wanted {
        assert!(std::fs::read(&test_file.path).unwrap() == before, "{label}");
    }
    // Saving in place is possible again, and regions can be written.
    file.root().unwrap().set_string("text", "x").unwrap();
    file.save(&in_place()).unwrap();
    write_region(&file, 3, &[42]).unwrap();
    file.save(&in_place()).unwrap();
    drop(file);
    let mut saved = ("x".to_owned(), opened.1);
    saved.1[3] = 42;
    let file = File::open_with(&test_file.path, &OpenOptions { strict: true, ..OpenOptions::default() }).unwrap();
    assert!(content_of(&file) == saved && file.warnings().is_empty(), "{label}");
    file.verify().unwrap();
    assert!(!test_file.journal().exists(), "{label}");
}

#[test]
fn nothing_old_comes_back_into_another_file() {
    for writer in WRITERS {
        for event in EVENTS {
            check(writer, event);
        }
    }
}

/// The first record of a further write gives the journal the time of the file system, which lags behind.
#[test]
fn a_writer_killed_as_it_goes_on_leaves_its_journal_in_force() {
    for (lag, is_undone) in [(3, true), (1000, false)] {
        let test_file = TestFile::new();
        kill("region", &test_file.path);
        let modified = std::fs::metadata(&test_file.path).unwrap().modified().unwrap();
        let journal = std::fs::OpenOptions::new().write(true).open(test_file.journal()).unwrap();
        journal.set_modified(modified - Duration::from_millis(lag)).unwrap();
        let expected = if is_undone { test_file.old.clone() } else { as_it_stands(&test_file.path) };
        let file = File::open(&test_file.path).unwrap();
        assert!(content_of(&file) == expected, "{lag} ms");
    }
}

#[test]
fn a_copy_of_file_and_journal_is_restored() {
    for writer in WRITERS {
        let test_file = TestFile::new();
        kill(writer, &test_file.path);
        let other = test_file.named("other.asdf");
        std::fs::copy(&test_file.path, &other).unwrap();
        if test_file.journal().exists() {
            std::fs::copy(test_file.journal(), test_file.named(".other.asdf.asdf-journal")).unwrap();
        }
        let content = content_of(&File::open(&other).unwrap());
        let is_complete = writer == "save nearly done" && content == as_it_stands(&other);
        assert!(content == test_file.old || is_complete, "{writer}");
    }
}

#[test]
fn a_stale_journal_is_kept_under_another_name() {
    let test_file = TestFile::new();
    kill("region", &test_file.path);
    let journal = std::fs::read(test_file.journal()).unwrap();
    test_file.set_element(INSIDE);
    for open in [File::open_with::<&Path>, File::open_for_update] {
        let file = open(&test_file.path, &OpenOptions::default()).unwrap();
        let [warning] = &*file.warnings() else { panic!("{:?}", file.warnings()) };
        assert!(warning.message.contains("delete the journal") && warning.message.contains("rename"), "{warning}");
        assert!(std::fs::read(test_file.journal()).unwrap() == journal);
    }
    let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
    write_region(&file, 3, &[42]).unwrap();
    assert!(std::fs::read(test_file.named(".file.asdf.asdf-journal-1")).unwrap() == journal);
    drop(file);
    assert!(!test_file.journal().exists());
    assert_eq!(as_it_stands(&test_file.path).1[3], 1);
}

type Change = (&'static str, fn(&TestFile));

/// Other programs change a file whose elements were overwritten by a living process.
const CHANGES: [Change; 8] = [
    ("replaced", |test_file| {
        make(&test_file.named("new"), "new", 7);
        std::fs::rename(test_file.named("new"), &test_file.path).unwrap();
    }),
    ("copied over", |test_file| {
        std::fs::copy(&test_file.backup, &test_file.path).unwrap();
    }),
    ("removed", |test_file| std::fs::remove_file(&test_file.path).unwrap()),
    ("moved", |test_file| std::fs::rename(&test_file.path, test_file.named("moved.asdf")).unwrap()),
    ("truncated", |test_file| {
        let length = std::fs::metadata(&test_file.path).unwrap().len();
        std::fs::OpenOptions::new().write(true).open(&test_file.path).unwrap().set_len(length / 2).unwrap();
    }),
    ("made longer", |test_file| {
        let length = std::fs::metadata(&test_file.path).unwrap().len();
        write_all_at(&std::fs::OpenOptions::new().write(true).open(&test_file.path).unwrap(), length, b"x").unwrap();
    }),
    ("damaged", |test_file| {
        write_all_at(&std::fs::OpenOptions::new().write(true).open(&test_file.path).unwrap(), 0, b"?").unwrap();
    }),
    ("edited", |test_file| test_file.set_element(OUTSIDE)),
];

#[test]
fn a_file_changed_by_others_is_not_saved() {
    for (change, happen) in CHANGES {
        for with_text in [false, true] {
            let test_file = TestFile::new();
            let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
            write_region(&file, START, &[-1; 100]).unwrap();
            if with_text {
                file.root().unwrap().set_string("text", "text").unwrap();
            }
            happen(&test_file);
            let now = || std::fs::read(&test_file.path).ok();
            let before = now();
            for _ in 0..2 {
                let error = file.save(&WriteOptions::default()).unwrap_err();
                assert_eq!(error.status(), Status::FileChanged, "{change}, {with_text}");
                let error = write_region(&file, START, &[-2; 100]).unwrap_err();
                assert_eq!(error.status(), Status::FileChanged, "{change}, {with_text}");
            }
            assert!(now() == before, "{change}, {with_text}");
            // Nor are the old elements put back into it.
            drop(file);
            assert!(now() == before, "{change}, {with_text}");
        }
    }
}

#[test]
fn readers_beside_a_living_writer_see_the_file_that_replaced_its_file() {
    let test_file = TestFile::new();
    let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
    write_region(&file, START, &[-1; 100]).unwrap();
    assert!(content_of(&File::open(&test_file.path).unwrap()) == test_file.old);
    make(&test_file.named("new"), "new", 7);
    std::fs::rename(test_file.named("new"), &test_file.path).unwrap();
    let strict = OpenOptions { strict: true, ..OpenOptions::default() };
    let read = File::open_with(&test_file.path, &strict).unwrap();
    assert!(content_of(&read) == ("new".to_owned(), vec![7; COUNT]));
    drop(file);
    assert!(!test_file.journal().exists());
    assert!(content_of(&File::open_with(&test_file.path, &strict).unwrap()).1 == vec![7; COUNT]);
}

/// The journal belongs to the old file until the new one has its name, and is removed afterwards.
#[test]
fn a_reader_beside_a_saver_gets_no_warning() {
    let test_file = TestFile::new();
    let stop = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..60 {
                let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
                write_region(&file, START, &[round; 100]).unwrap();
                if round % 3 != 0 {
                    file.root().unwrap().set_string("text", &round.to_string()).unwrap();
                }
                file.save(&WriteOptions { save_mode: SaveMode::Auto, ..WriteOptions::default() }).unwrap();
                if round % 3 == 2 {
                    file.root().unwrap().set_string("text", "t").unwrap();
                    file.save(&in_place()).unwrap();
                }
            }
            stop.store(true, std::sync::atomic::Ordering::Release);
        });
        while !stop.load(std::sync::atomic::Ordering::Acquire) {
            match File::open(&test_file.path) {
                Ok(file) => assert!(file.warnings().is_empty(), "{:?}", file.warnings()),
                Err(error) => assert_eq!(error.status(), Status::FileChanged),
            }
        }
    });
}

#[test]
fn elements_of_a_file_with_several_names_are_not_overwritten() {
    let test_file = TestFile::new();
    std::fs::hard_link(&test_file.path, test_file.named("link.asdf")).unwrap();
    let file = File::open_for_update(&test_file.path, &OpenOptions::default()).unwrap();
    assert_eq!(write_region(&file, START, &[-1]).unwrap_err().status(), Status::NotInPlace);
    assert!(!test_file.journal().exists());
    std::fs::remove_file(test_file.named("link.asdf")).unwrap();
    write_region(&file, START, &[-1]).unwrap();
}
