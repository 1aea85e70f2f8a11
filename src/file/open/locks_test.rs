//! Locks of files: several threads, and callbacks.

use crate::array::{Datatype, Order, ReadOptions, ScalarType};
use crate::codec::{Codec, Compression};
use crate::error::{Result, Status};
use crate::file::{Access, ArrayData, ArrayOptions, File, NewOptions, OpenOptions, SaveMode, Storage, WriteOptions};
use crate::progress::{Progress, scope};
use crate::source::{FileSource, MemorySource, Source};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

/// Time after which a thread counts as blocked.
const LONG: Duration = Duration::from_secs(60);
const COUNT: usize = 2000;

fn with_access(access: Access) -> OpenOptions {
    OpenOptions { access, ..OpenOptions::default() }
}

/// Writes a file with an array, and with references to the array of another file.
fn put(folder: &Path, name: &str, other: &str, first: i32) {
    let root = File::new(&NewOptions::default()).root().unwrap();
    let elements: Vec<i32> = (first..).take(COUNT).collect();
    let compression = Some(Compression::new(Codec::Zlib, None).unwrap());
    let options = ArrayOptions { compression, ..ArrayOptions::default() };
    root.set_array_data("own", &ArrayData::of_slice(&elements, &[COUNT as i64]), &options).unwrap();
    root.set_reference("theirs", &format!("{other}#/own")).unwrap();
    root.set_reference("back", &format!("{other}#/theirs")).unwrap();
    root.set_reference("number", &format!("{other}#/plain")).unwrap();
    root.set_i64("plain", first.into()).unwrap();
    root.file().write(folder.join(name), &WriteOptions::default()).unwrap();
}

/// Changes and saves a file many times.
fn change(file: &File) -> Result<()> {
    let root = file.root()?;
    for round in 0..60 {
        root.set_i64("plain", round)?;
        root.set_array("new", &vec![round; 100], [100])?;
        root.resize_array("own", &[COUNT as i64 + round % 3], None)?;
        root.resize_array("own", &[COUNT as i64], None)?;
        root.copy_from("copy", &root.at("theirs")?, None)?;
        if round % 10 == 9 {
            file.save(&options(SaveMode::Whole))?;
        }
    }
    Ok(())
}

#[test]
fn readers_of_two_files_that_refer_to_each_other_go_on_beside_a_writer() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "a.asdf", "b.asdf", 0);
    put(folder.path(), "b.asdf", "a.asdf", 1_000_000);
    let file = File::open_for_update(folder.path().join("a.asdf"), &with_access(Access::SameDirectory)).unwrap();
    let other = file.root().unwrap().at("theirs").unwrap().resolved().unwrap().file().clone();
    let is_done = Arc::new(AtomicBool::new(false));
    let (ended, ends) = mpsc::channel();
    for number in 0..4 {
        // Two threads begin in each file.
        let start = if number % 2 == 0 { file.clone() } else { other.clone() };
        let (is_done, ended) = (is_done.clone(), ended.clone());
        thread::spawn(move || {
            let read = || -> Result<()> {
                while !is_done.load(Ordering::Relaxed) {
                    let root = start.root()?;
                    for path in ["own", "theirs", "back"] {
                        let elements = root.array(path)?.read_vec::<i32>()?;
                        assert!(elements[1] == elements[0] + 1 && elements.len() >= COUNT);
                    }
                    assert!(root.i64("number")? >= 0);
                    assert!(!root.at("back")?.resolved()?.path()?.is_empty());
                    start.block_count()?;
                    start.warnings();
                }
                Ok(())
            };
            ended.send(read()).unwrap();
        });
    }
    thread::spawn(move || {
        let changed = change(&file);
        is_done.store(true, Ordering::Relaxed);
        ended.send(changed).unwrap();
    });
    for _ in 0..5 {
        ends.recv_timeout(LONG).expect("a thread waits for a lock").unwrap();
    }
}

/// Asks from another thread whether the locks of files are free.
#[derive(Clone, Default)]
struct Probe {
    files: Arc<Mutex<Vec<File>>>,
    count: Arc<AtomicU32>,
}

impl Probe {
    fn add(&self, file: &File) {
        self.files.lock().unwrap().push(file.clone());
    }

    /// Called in each callback.
    fn look(&self) {
        let files = self.files.lock().unwrap().clone();
        self.count.fetch_add(1, Ordering::Relaxed);
        let (free, is_free) = mpsc::channel();
        thread::spawn(move || {
            for file in files {
                let error = file.own_state().err();
                assert!(error.is_none_or(|error| error.status() == Status::Closed));
            }
            free.send(()).unwrap();
        });
        is_free.recv_timeout(LONG).expect("a callback ran while a file was locked");
    }

    /// Returns the number of callbacks since the last call.
    fn calls(&self) -> u32 {
        self.count.swap(0, Ordering::Relaxed)
    }

    /// Runs a call that reports its progress, and looks at each report.
    fn watch(&self, call: impl FnOnce() -> Result<()>) {
        let probe = self.clone();
        let progress = Progress::at_every_step(move |_, _| {
            probe.look();
            ControlFlow::Continue(())
        });
        scope(&progress, call).unwrap();
        assert!(self.calls() > 0);
    }

    fn source(&self, bytes: Vec<u8>) -> Arc<dyn Source> {
        Arc::new(Watched(MemorySource::of_vec(bytes), self.clone()))
    }
}

/// A source of a program, which is called for each read and when it is closed.
struct Watched(MemorySource, Probe);

impl Source for Watched {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.1.look();
        self.0.read_at(offset, buffer)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.1.look();
    }
}

fn options(save_mode: SaveMode) -> WriteOptions {
    let tree_slack = (save_mode == SaveMode::Whole).then_some(2000);
    WriteOptions { save_mode, durable: false, tree_slack, ..WriteOptions::default() }
}

#[test]
fn no_file_is_locked_while_a_callback_runs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let datatype: Datatype = ScalarType::Uint8.into();
    let whole = options(SaveMode::Whole);
    let probe = Probe::default();
    let set = |file: &File, name: &str, array: &ArrayOptions| {
        let source = probe.source(vec![7; COUNT]);
        file.root().unwrap().set_array_source(name, &datatype, &[COUNT as i64], source, array).unwrap();
    };
    let internal = ArrayOptions::default();
    let external = ArrayOptions { storage: Storage::External, ..ArrayOptions::default() };

    let new = File::new(&NewOptions::default());
    probe.add(&new);
    for (name, storage) in [("a", Storage::Internal), ("b", Storage::External), ("c", Storage::Streamed)] {
        set(&new, name, &ArrayOptions { storage, ..ArrayOptions::default() });
    }
    // A replaced or refused array closes its source.
    set(&new, "a", &internal);
    let source = probe.source(vec![7; 1]);
    new.root().unwrap().set_array_source("d", &datatype, &[9], source, &internal).unwrap_err();
    new.forget_failure().unwrap();
    assert!(probe.calls() > 0);
    assert_eq!(new.root().unwrap().array("a").unwrap().read_vec::<u8>().unwrap(), vec![7; COUNT]);
    probe.watch(|| new.write(path("a.asdf"), &whole));
    probe.watch(|| new.explode(path("exploded.asdf"), &whole));
    probe.watch(|| new.implode(path("imploded.asdf"), &whole));
    new.root().unwrap().set_storage("b", &internal).unwrap();
    probe.watch(|| {
        let mut stream = new.stream(&path("s.asdf"), "rows", ScalarType::Uint8, &[], &external, &whole)?;
        stream.push(5, &[1; 5], &Order::C)?;
        stream.finish()
    });
    new.root().unwrap().remove("c").unwrap();
    probe.calls();
    new.write_to_memory(&whole).unwrap();
    assert!(probe.calls() > 0);
    new.close();
    assert!(probe.calls() > 0);

    let update = with_access(Access::SameDirectory);
    for mode in [SaveMode::InPlace, SaveMode::Whole] {
        let file = File::open_for_update(path("a.asdf"), &update).unwrap();
        probe.add(&file);
        let root = file.root().unwrap();
        let array = root.array("a").unwrap();
        probe.watch(|| array.write_region(None, &datatype, &vec![9; COUNT], &ReadOptions::default()));
        probe.watch(|| file.save(&options(mode)));
        set(&file, "new", if mode == SaveMode::Whole { &external } else { &internal });
        probe.watch(|| file.save(&options(mode)));
        probe.watch(|| file.inspect(1).map(drop));
        probe.watch(|| root.resize_array("a", &[COUNT as i64], None));
        probe.watch(|| file.save(&whole));
        probe.watch(|| file.compact(&whole));
        file.close();
    }

    let resolver = {
        let (probe, folder) = (probe.clone(), folder.path().to_path_buf());
        move |uri: &str| {
            probe.look();
            Ok(Some(Arc::new(FileSource::open(folder.join(uri))?) as Arc<dyn Source>))
        }
    };
    let bytes = std::fs::read(path("a.asdf")).unwrap();
    let file = File::open_source(probe.source(bytes), &with_access(Access::Callback(Arc::new(resolver)))).unwrap();
    probe.add(&file);
    probe.calls();
    assert_eq!(file.root().unwrap().array("b").unwrap().read_vec::<u8>().unwrap(), vec![7; COUNT]);
    assert!(probe.calls() > 0);
    probe.watch(|| file.inspect(1).map(drop));
    file.close();
}

#[test]
fn a_change_during_a_save_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.asdf");
    File::new(&NewOptions::default()).write(&path, &options(SaveMode::Whole)).unwrap();
    for mode in [SaveMode::Whole, SaveMode::InPlace] {
        let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
        let root = file.root().unwrap();
        root.set_i64("x", 1).unwrap();
        let refused = Arc::new(AtomicU32::new(0));
        let (here, counter) = (root.clone(), refused.clone());
        let progress = Progress::at_every_step(move |_, _| {
            assert_eq!(here.i64("x").unwrap(), 1);
            if let Err(error) = here.set_i64("x", 2) {
                assert_eq!(error.status(), Status::InvalidArgument);
                counter.fetch_add(1, Ordering::Relaxed);
            }
            ControlFlow::Continue(())
        });
        // The refused change is missing in the file.
        assert_eq!(scope(&progress, || file.save(&options(mode))).unwrap_err().status(), Status::Incomplete);
        assert!(refused.load(Ordering::Relaxed) > 0);
        file.forget_failure().unwrap();
        file.save(&options(mode)).unwrap();
        file.close();
        let saved = File::open(&path).unwrap();
        assert_eq!(saved.root().unwrap().i64("x").unwrap(), 1);
        root.set_i64("x", 3).unwrap_err();
    }
}
