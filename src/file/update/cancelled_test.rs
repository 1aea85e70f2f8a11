//! Calls that change files, cancelled at each of their reports: there is the old state or the new one.

use crate::array::{Datatype, Order, ReadOptions, Region, ScalarType};
use crate::codec::{Codec, Compression};
use crate::error::{Result, Status};
use crate::file::{ArrayData, ArrayOptions, File, NewOptions, OpenOptions, SaveMode, Storage, WriteOptions};
use crate::progress::{Progress, scope};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

const COUNT: usize = 5000;

/// Returns a callback that cancels the call after this number of reports.
fn wanting(reports: u64) -> Progress {
    let seen = AtomicU64::new(0);
    Progress::at_every_step(move |_, _| match seen.fetch_add(1, Ordering::Relaxed) {
        before if before < reports => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    })
}

fn set(file: &File, path: &str, first: i32, storage: Storage, codec: Option<Codec>) {
    let elements: Vec<i32> = (first..).take(COUNT).collect();
    let compression = codec.map(|codec| Compression::new(codec, None).unwrap());
    let options = ArrayOptions { storage, compression, ..ArrayOptions::default() };
    file.root().unwrap().set_array_data(path, &ArrayData::of_slice(&elements, &[COUNT as i64]), &options).unwrap();
}

/// All files in a folder.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

/// Cancels a change of a file at each report, each time in a new directory, and repeats the change with the same
/// handle.
fn try_all(change: impl Fn(&File), call: impl Fn(&File, &Path) -> Result<()>) {
    let prepare = || {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.asdf");
        let file = File::new(&NewOptions::default());
        set(&file, "a", 0, Storage::Internal, None);
        set(&file, "b", 1000, Storage::Internal, Some(Codec::Zlib));
        file.write(&path, &WriteOptions { tree_slack: Some(4096), ..WriteOptions::default() }).unwrap();
        let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
        change(&file);
        (folder, path, file)
    };
    let (folder, path, file) = prepare();
    call(&file, &path).unwrap();
    let wanted = content(folder.path());
    for reports in 0.. {
        let (folder, path, file) = prepare();
        let before = content(folder.path());
        match scope(&wanting(reports), || call(&file, &path)) {
            Ok(()) => {
                assert!(content(folder.path()) == wanted, "after {reports} reports");
                assert!(reports > 2);
                return;
            }
            Err(error) => {
                assert_eq!(error.status(), Status::Cancelled, "{error}");
                assert!(content(folder.path()) == before, "after {reports} reports");
                call(&file, &path).unwrap();
                assert!(content(folder.path()) == wanted, "again, after {reports} reports");
            }
        }
    }
}

fn options(save_mode: SaveMode) -> WriteOptions {
    WriteOptions { save_mode, durable: false, threads: 2, ..WriteOptions::default() }
}

#[test]
fn a_save_leaves_the_old_file_or_the_new_one() {
    let change = |file: &File| {
        set(file, "c", 7, Storage::Internal, None);
        set(file, "d", 8, Storage::Internal, Some(Codec::Lz4));
    };
    for mode in [SaveMode::InPlace, SaveMode::Whole] {
        try_all(change, |file, _| file.save(&options(mode)));
    }
    let with_external = |file: &File| {
        change(file);
        set(file, "a", 9, Storage::External, None);
    };
    try_all(with_external, |file, _| file.save(&options(SaveMode::Auto)));
    try_all(|file| file.root().unwrap().remove("a").unwrap(), |file, _| file.compact(&options(SaveMode::Auto)));
    try_all(change, |file, path| file.write(path.with_file_name("other.asdf"), &options(SaveMode::Auto)));
    try_all(change, |file, path| file.explode(path.with_file_name("other.asdf"), &options(SaveMode::Auto)));
}

#[test]
fn a_region_is_written_or_not() {
    let region = Region { start: &[10], count: &[4000], step: None };
    let datatype: Datatype = ScalarType::Float32.into();
    let bytes: Vec<u8> = (0..4000).flat_map(|number| (number as f32 * 3.0).to_ne_bytes()).collect();
    for reports in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.asdf");
        let file = File::new(&NewOptions::default());
        set(&file, "a", 0, Storage::Internal, None);
        file.write(&path, &WriteOptions::default()).unwrap();
        let file = File::open_for_update(&path, &OpenOptions::default()).unwrap();
        let array = file.root().unwrap().array("a").unwrap();
        let before = content(folder.path());
        let write = || array.write_region(Some(&region), &datatype, &bytes, &ReadOptions::default());
        match scope(&wanting(reports), write) {
            Ok(()) => {
                assert!(reports > 1);
                return assert_eq!(array.read_vec::<i32>().unwrap()[11], 3);
            }
            Err(error) => {
                assert_eq!(error.status(), Status::Cancelled, "{error}");
                assert_eq!(array.read_vec::<i32>().unwrap()[11], 11);
                assert!(content(folder.path()) == before, "after {reports} reports");
                write().unwrap();
                assert_eq!(array.read_vec::<i32>().unwrap()[11], 3);
                file.save(&WriteOptions::default()).unwrap();
            }
        }
    }
}

#[test]
fn a_read_can_be_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.asdf");
    let file = File::new(&NewOptions::default());
    let cases = || Codec::ALL.iter().copied().map(Some).chain([None]);
    let name_of = |codec: Option<Codec>| codec.map_or("plain", Codec::name);
    for codec in cases() {
        set(&file, name_of(codec), 0, Storage::Internal, codec);
    }
    file.write(&path, &WriteOptions::default()).unwrap();
    for codec in cases() {
        let name = name_of(codec);
        for step in [None, Some(&[-3][..])] {
            // One file for all tries, so that they find what those before them left in its cache.
            let file = File::open(&path).unwrap();
            let array = file.root().unwrap().array(name).unwrap();
            for reports in 0.. {
                let region = Region { start: &[4999], count: &[1500], step };
                let region = step.map(|_| &region);
                let mut out = vec![0; 4 * COUNT];
                let options = ReadOptions { threads: 1 + reports as usize % 3, ..ReadOptions::default() };
                let datatype = ScalarType::Int32.into();
                let read = || match region {
                    Some(region) => array.read_region(region, &datatype, &mut out, &options),
                    None => array.read(&datatype, &mut out, &options),
                };
                match scope(&wanting(reports), read) {
                    Ok(_) => {
                        let second = if step.is_some() { 4996_i32 } else { 1 };
                        assert_eq!(out[4..8], second.to_ne_bytes(), "{}", name);
                        break;
                    }
                    Err(error) => assert_eq!(error.status(), Status::Cancelled, "{}: {error}", name),
                }
            }
        }
    }
}

#[test]
fn reports_of_several_threads_add_up_on_the_thread_of_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file.asdf");
    let file = File::new(&NewOptions::default());
    set(&file, "plain", 0, Storage::Internal, None);
    file.write(&path, &WriteOptions::default()).unwrap();
    let array = File::open(&path).unwrap().root().unwrap().array("plain").unwrap();
    for (scalar, threads) in [(ScalarType::Int32, 1), (ScalarType::Int32, 3), (ScalarType::Float64, 3)] {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (log, caller) = (seen.clone(), std::thread::current().id());
        let progress = Progress::at_every_step(move |done, total| {
            assert_eq!(std::thread::current().id(), caller);
            log.lock().unwrap().push((done, total));
            ControlFlow::Continue(())
        });
        let mut out = vec![0; scalar.size() * COUNT];
        let options = ReadOptions { threads, ..ReadOptions::default() };
        scope(&progress, || array.read(&scalar.into(), &mut out, &options)).unwrap();
        let seen = seen.lock().unwrap();
        // Other threads may do all the work between two reports of the caller.
        let least = if threads > 1 { 2 } else { 3 };
        assert!(seen.is_sorted() && seen.len() >= least, "{seen:?}");
        let (done, total) = *seen.last().unwrap();
        assert_eq!(total, Some(done), "{scalar}, {threads} threads");
    }
}

#[test]
fn a_stream_has_whole_rows_and_goes_on() {
    const ROWS: i64 = 9;
    const LENGTH: i64 = 70;
    let rows: Vec<i32> = (0..(ROWS * LENGTH) as i32).collect();
    let bytes = |from: i64| bytemuck::cast_slice::<i32, u8>(&rows[(from * LENGTH) as usize..]);
    let mut partial = 0;
    for reports in 1.. {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file.asdf");
        let file = File::new(&NewOptions::default());
        let array =
            ArrayOptions { compression: Some(Compression::new(Codec::Lz4, None).unwrap()), ..ArrayOptions::default() };
        let mut stream =
            file.stream(&path, "rows", ScalarType::Int32, &[LENGTH], &array, &WriteOptions::default()).unwrap();
        let pushed = scope(&wanting(reports), || stream.push(ROWS, bytes(0), &Order::C));
        if let Err(error) = &pushed {
            assert_eq!(error.status(), Status::Cancelled, "{error}");
            partial += i32::from(stream.rows() > 0);
            stream.push(ROWS - stream.rows(), bytes(stream.rows()), &Order::C).unwrap();
        }
        assert_eq!(stream.rows(), ROWS);
        stream.finish().unwrap();
        let file = File::open(&path).unwrap();
        let read = file.root().unwrap().array("rows").unwrap().read_vec::<i32>().unwrap();
        assert!(read == rows);
        if pushed.is_ok() {
            break;
        }
    }
    assert!(partial > 3);
}
