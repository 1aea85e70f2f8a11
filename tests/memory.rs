//! Memory for reading tables: each task runs in its own process, whose peak memory is compared with a bound.
//!
//! Only on systems that report the peak memory of a process (`VmHWM` on Linux).

use asdfkit::array::{Datatype, Field, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{ArrayData, ArrayOptions, File, NewOptions, WriteOptions};
use asdfkit::table::ecsv::{ReadOptions, TableReader};
use asdfkit::{Limits, Result, Status, TableReadOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

const MIB: u64 = 1 << 20;
/// Environment variable with the task of a child process and the file that it reads.
const TASK: &str = "ASDFKIT_MEMORY_TASK";

fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

/// Runs a task in a child process. Returns its result as text and its peak memory minus the memory at its start.
fn measured(task: &str, path: &Path) -> Option<(String, u64)> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "child", "--ignored", "--nocapture", "--test-threads=1"])
        .env(TASK, format!("{task} {}", path.display()))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{task}: {text}{}", String::from_utf8_lossy(&output.stderr));
    let said = |word: &str| text.lines().find_map(|line| line.strip_prefix(word)).map(str::to_owned);
    let bytes = said("PEAK ")?.parse().ok()?;
    println!("{task} {}: {} MiB", path.display(), bytes / MIB);
    Some((said("FOUND ").unwrap(), bytes))
}

/// Runs in child processes; not a separate test.
#[test]
#[ignore = "what the children run"]
fn child() {
    let Ok(task) = std::env::var(TASK) else { return };
    let (task, path) = task.split_once(' ').unwrap();
    let before = peak();
    let found = match task {
        "node" => File::open(Path::new(path))
            .and_then(|file| file.root()?.table("t", &TableReadOptions::default()))
            .map(|table| table.row_count()),
        "batches" => read_batches(path, Limits::default()),
        "short-records" => read_batches(path, Limits { record_bytes: 2 * MIB, ..Limits::default() }),
        _ => {
            let limits = Limits { table_bytes: 8 * MIB, ..Limits::default() };
            asdfkit::table::ecsv::read(path, &ReadOptions { limits, ..ReadOptions::default() })
                .map(|table| table.row_count())
        }
    };
    println!("\nFOUND {:?}", found.map_err(|error| error.status()));
    if let Some((before, after)) = before.zip(peak()) {
        println!("PEAK {}", after - before);
    }
}

fn read_batches(path: &str, limits: Limits) -> Result<usize> {
    let mut reader = TableReader::open(path, &ReadOptions { limits, ..ReadOptions::default() })?;
    let mut rows = 0;
    while let Some(batch) = reader.next_batch()? {
        rows += batch.row_count();
    }
    Ok(rows)
}

/// Creates a file with this content in a directory that is deleted when the first value is dropped.
fn file_of(name: &str, bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

/// A file of compressed arrays (path, datatype, size in bytes, shape) whose bytes all have the same value.
fn asdf_file(arrays: &[(&str, Datatype, usize, &[i64])], byte: u8) -> Vec<u8> {
    let file = File::new(&NewOptions::default());
    let compression = Some(Compression::new(Codec::Zlib, Some(1)).unwrap());
    for (path, datatype, size, shape) in arrays {
        let data = ArrayData::new(datatype.clone(), shape, Arc::new(vec![byte; *size]));
        let options = ArrayOptions { compression: compression.clone(), ..ArrayOptions::default() };
        file.root().unwrap().set_array_data(path, &data, &options).unwrap();
    }
    file.write_to_memory(&WriteOptions::default()).unwrap()
}

fn field(name: &str, datatype: impl Into<Datatype>) -> Field {
    Field { name: Some(name.to_owned()), datatype: datatype.into(), byteorder: None, shape: Vec::new() }
}

#[test]
fn a_table_of_records_takes_its_own_memory_and_a_piece_of_its_block() {
    let record = Datatype::Record(vec![field("a", ScalarType::Float64), field("b", ScalarType::Int64)].into());
    let rows = 5 << 19;
    let (_folder, path) = file_of("records.asdf", &asdf_file(&[("t", record, rows * 16, &[rows as i64])], 7));
    let Some((found, peak)) = measured("node", &path) else { return };
    assert_eq!(found, format!("Ok({rows})"));
    assert!(peak < (40 + 24) * MIB, "{} MiB for a table of 40 MiB", peak / MIB);
}

#[test]
fn decoded_blocks_do_not_outlive_their_columns() {
    // Empty strings of 144 bytes; only their offsets remain in memory.
    let (rows, length) = (1 << 18, 144);
    let shape = [rows];
    let texts = ["t/a", "t/b"].map(|path| (path, Datatype::Ascii(length), 36 << 20, &shape[..]));
    let (_folder, path) = file_of("texts.asdf", &asdf_file(&texts, 0));
    let Some((found, peak)) = measured("node", &path) else { return };
    assert_eq!(found, format!("Ok({rows})"));
    assert!(peak < (4 + 28) * MIB, "{} MiB for a table of 4 MiB", peak / MIB);
}

type Compress = fn(&[u8]) -> Vec<u8>;

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

fn bzip2(text: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[cfg(feature = "xz")]
fn xz(text: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

#[cfg(feature = "zstd")]
fn zstd(text: &[u8]) -> Vec<u8> {
    let mut out = vec![0; zstd_safe::compress_bound(text.len())];
    let count = zstd_safe::compress(&mut out[..], text, 1).unwrap();
    out.truncate(count);
    out
}

const COMPRESSIONS: &[(&str, Compress)] = &[
    ("gz", gzip),
    ("bz2", bzip2),
    #[cfg(feature = "xz")]
    ("xz", xz),
    #[cfg(feature = "zstd")]
    ("zst", zstd),
];

const HEAD: &[u8] = b"# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: string}\na\n";

/// A compressed table of 32 MiB of text, in rows of 2 KiB or in one row. Several compressed members form one text.
fn table(compress: Compress, end_of_row: u8) -> Vec<u8> {
    let mut row = vec![b'x'; 2047];
    row.push(end_of_row);
    [compress(HEAD), compress(&row.repeat(512)).repeat(32)].concat()
}

#[test]
fn batches_of_text_that_grows_without_end_take_the_memory_of_one() {
    for (suffix, compress) in COMPRESSIONS {
        let (_folder, path) = file_of(&format!("t.ecsv.{suffix}"), &table(*compress, b'\n'));
        let Some((found, peak)) = measured("batches", &path) else { return };
        assert_eq!(found, "Ok(16384)", "{suffix}");
        assert!(peak < 20 * MIB, "{suffix}: {} MiB in batches of 32 MiB", peak / MIB);
        let Some((found, peak)) = measured("whole", &path) else { return };
        assert_eq!(found, format!("Err({:?})", Status::Limit), "{suffix}");
        assert!(peak < 28 * MIB, "{suffix}: {} MiB under a limit of 8 MiB", peak / MIB);
    }
}

#[test]
fn a_record_without_end_takes_a_few_times_the_memory_that_records_may() {
    for (suffix, compress) in COMPRESSIONS {
        let (_folder, path) = file_of(&format!("t.ecsv.{suffix}"), &table(*compress, b'x'));
        let Some((found, peak)) = measured("short-records", &path) else { return };
        assert_eq!(found, format!("Err({:?})", Status::Limit), "{suffix}");
        assert!(peak < 20 * MIB, "{suffix}: {} MiB where records may have 2 MiB", peak / MIB);
    }
}
