//! Truncated or damaged ECSV files: the result is a table, or an error with a status and a place, never a crash.
//!
//! The result does not depend on threads and batches, even for damaged files.

use asdfkit::error::{Error, Result};
use asdfkit::table::Table;
use asdfkit::table::ecsv::{ReadOptions, TableReader};
use std::io::Write;
use std::sync::Arc;

/// Tables with every type, every shape and every way to write a field.
const SEEDS: &[&str] = &[
    "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\n# - {name: b, unit: m, datatype: float64}\n\
     # - {name: c, datatype: string}\na b c\n1 1.5 x\n-2 nan \"y z\"\n\"\" \"\" \"\"\n# no record\n\n3 1e5 \"#\"\n",
    "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: bool}\n# - {name: b, datatype: uint8}\n\
     # - {name: c, datatype: complex128}\n# - {name: d, datatype: float16}\n# - {name: e, datatype: float128}\n\
     # delimiter: ','\n# meta: !!omap\n# - {k: [1, 2]}\na,b,c,d,e\nTrue,255,(1+2j),1.5,1e4000\n,,,,\nFalse,0,2j,inf,nan\r\n",
    "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: f, datatype: string, subtype: 'float32[2,2]'}\n\
     # - {name: v, datatype: string, subtype: 'int16[2,null]'}\n# - {name: j, datatype: string, subtype: json}\n\
     # - {name: s, datatype: string, subtype: 'string[null]'}\n# delimiter: ','\nf,v,j,s\n\
     \"[[1,2.5],[NaN,null]]\",\"[[1,2],[3,null]]\",\"{\"\"a\"\": [true, null, \"\"\\u00e9\"\"]}\",\"[\"\"x\"\",null]\"\n\
     ,,,\n\"[[0,0],[0,0]]\",\"[[],[]]\",null,[]\n",
    "# %ECSV 1.0\n# ---\n# datatype:\n# - name: a\n#   datatype: string\n#   description: |\n#     two\n#\n#     lines\n\
     # - {name: b, datatype: string, subtype: 'bool[null]'}\na b\n\"line\n# in\n\nquotes\" \"[\"\"True\"\",false]\"\n\
     日本 \"[]\"\n",
];

fn read_with(bytes: &Arc<Vec<u8>>, options: &ReadOptions, batches: bool) -> Result<Vec<Table>> {
    let mut reader = TableReader::of_memory(bytes.clone(), options)?;
    if !batches {
        return Ok(vec![reader.read_all()?]);
    }
    let mut tables = Vec::new();
    while let Some(batch) = reader.next_batch()? {
        tables.push(batch);
    }
    Ok(tables)
}

/// Reads in several ways that must agree. Returns the table or the error.
fn read(bytes: Vec<u8>) -> Result<Table> {
    let bytes = Arc::new(bytes);
    let mut options = ReadOptions::default();
    options.limits.record_bytes = 1 << 20;
    options.limits.decoded_bytes = 1 << 24;
    let whole = read_with(&bytes, &options, false).map(|mut tables| tables.remove(0));
    let strict = read_with(&bytes, &ReadOptions { strict: true, ..options.clone() }, false);
    let _ = strict.map_err(|error| check(&error));
    let threaded = read_with(&bytes, &ReadOptions { threads: 2, ..options.clone() }, false);
    let batched = read_with(&bytes, &ReadOptions { batch_rows: 1, ..options.clone() }, true);
    match (&whole, threaded, batched) {
        (Ok(whole), Ok(threaded), Ok(batched)) => {
            assert_eq!(whole.row_count(), threaded[0].row_count());
            assert_eq!(whole.row_count(), batched.iter().map(Table::row_count).sum::<usize>());
            for (one, other) in whole.columns().iter().zip(threaded[0].columns()) {
                assert_eq!(one.values().bytes(), other.values().bytes());
                assert_eq!((one.values().text(), one.offsets()), (other.values().text(), other.offsets()));
                assert_eq!((one.cells(), one.elements()), (other.cells(), other.elements()));
            }
        }
        (Err(whole), Err(threaded), Err(batched)) => {
            check(whole);
            assert_eq!(whole.to_string(), threaded.to_string());
            assert_eq!(whole.to_string(), batched.to_string());
        }
        (whole, threaded, batched) => panic!("{whole:?}, on threads {threaded:?}, in batches {batched:?}"),
    }
    whole
}

/// Checks that an error has a message and a place.
fn check(error: &Error) {
    assert_ne!(error.status(), asdfkit::Status::Internal, "{error}");
    assert!(!error.message().is_empty());
    let location = error.location();
    assert!(location.offset.is_some() || location.line.is_some() || location.path.is_some(), "no place: {error}");
}

/// The tables of [`SEEDS`] as other files: with both line ends, without the last line end, and compressed.
fn files() -> Vec<Vec<u8>> {
    let plain = SEEDS.iter().map(|seed| seed.as_bytes().to_vec());
    let with_returns = SEEDS.iter().map(|seed| seed.replace("\r\n", "\n").replace('\n', "\r\n").into_bytes());
    let without_end = SEEDS.iter().map(|seed| seed.trim_end().as_bytes().to_vec());
    plain.chain(with_returns).chain(without_end).chain(packed()).collect()
}

fn packed() -> impl Iterator<Item = Vec<u8>> {
    let bzip2 = |text: &str| {
        let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::default());
        encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).expect("memory takes it")
    };
    SEEDS.iter().map(|seed| gzip(seed)).chain(SEEDS.iter().map(move |seed| bzip2(seed)))
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).expect("memory takes it")
}

/// Reads the file cut at every `step`-th byte. Compressed files then give errors; others may be shorter tables.
fn cut(bytes: &[u8], step: usize) {
    let rows = read(bytes.to_vec()).unwrap().row_count();
    let is_packed = !bytes.starts_with(b"#");
    for end in (0..bytes.len()).step_by(step) {
        if let Ok(table) = read(bytes[..end].to_vec()) {
            assert!(!is_packed && table.row_count() <= rows, "cut at {end}");
        }
    }
}

/// Applies `count` random damages and reads the results.
fn damage(count: usize) {
    let pieces: &[&[u8]] = &[
        b"\"", b"\"\"", b",", b" ", b"\n", b"\r\n", b"#", b"[", b"]", b"null", b"-", b"e", b"\\", b"\xFF", b"\0", b"{",
        b"9",
    ];
    let mut state = 7_u64;
    let mut below = |bound: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as usize % bound
    };
    let (mut tables, mut errors) = (0, 0);
    for _ in 0..count {
        let mut bytes = SEEDS[below(SEEDS.len())].as_bytes().to_vec();
        // Mostly damage the records in the second half; the header has its own tests.
        let records = bytes.len() / 2;
        for _ in 0..1 + below(3) {
            let start = if below(4) == 0 { 0 } else { records.min(bytes.len() - 1) };
            let place = start + below(bytes.len() - start);
            let length = below(3).min(bytes.len() - place);
            bytes.splice(place..place + length, pieces[below(pieces.len())].iter().copied());
        }
        match read(bytes) {
            Ok(_) => tables += 1,
            Err(_) => errors += 1,
        }
    }
    assert!(tables > count / 20 && errors > count / 20, "{tables} tables, {errors} errors");
}

#[test]
fn every_file_is_read() {
    for (number, bytes) in files().into_iter().enumerate() {
        let table = read(bytes).unwrap();
        let plain = read(SEEDS[number % SEEDS.len()].as_bytes().to_vec()).unwrap();
        assert!(table.row_count() >= 2);
        assert_eq!(table.row_count(), plain.row_count());
    }
}

#[test]
fn files_cut_here_and_there_are_errors_or_shorter_tables() {
    files().iter().for_each(|bytes| cut(bytes, 11));
}

#[test]
#[ignore = "slow: run by make torture"]
fn files_cut_anywhere_are_errors_or_shorter_tables() {
    files().iter().for_each(|bytes| cut(bytes, 1));
}

#[test]
fn damaged_files_are_errors_or_tables() {
    damage(400);
}

#[test]
#[ignore = "slow: run by make torture"]
fn many_damaged_files_are_errors_or_tables() {
    damage(20_000);
}
