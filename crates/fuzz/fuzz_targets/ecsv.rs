//! Tables as text: reading at once, on threads and in batches agrees, also for damaged files; a table that is written reads
//! the same.
#![no_main]

use asdfkit::table::ecsv::{Input, ReadOptions, TableReader, TextCompression, WriteOptions, probe, read_header, write};
use asdfkit::table::{Table, Values};
use asdfkit_fuzz::folder::folder;
use asdfkit_fuzz::judge::{judge, take};
use libfuzzer_sys::fuzz_target;
use std::sync::{Arc, LazyLock};
use tempfile::TempDir;

static FOLDER: LazyLock<TempDir> = LazyLock::new(folder);

fn read(bytes: &Arc<Vec<u8>>, options: &ReadOptions, batches: bool) -> asdfkit::Result<Vec<Table>> {
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

fn assert_same(one: &Table, other: &Table) {
    assert_eq!(one.row_count(), other.row_count());
    for (one, other) in one.columns().iter().zip(other.columns()) {
        assert_eq!(one.values().bytes(), other.values().bytes());
        assert_eq!((one.values().text(), one.offsets()), (other.values().text(), other.offsets()));
        assert_eq!((one.cells(), one.elements()), (other.cells(), other.elements()));
    }
}

/// Compares a table with what was written and read again. Elements that a mask hides are not written.
fn assert_alike(one: &Table, other: &Table) {
    assert_eq!(one.row_count(), other.row_count());
    assert_eq!(one.columns().len(), other.columns().len());
    for (one, other) in one.columns().iter().zip(other.columns()) {
        assert_eq!(one.element_type(), other.element_type());
        for row in 0..one.row_count() {
            assert_eq!(one.has_cell(row), other.has_cell(row), "row {row}");
            if !one.has_cell(row) {
                continue;
            }
            let (ours, theirs) = (one.elements_of(row), other.elements_of(row));
            assert_eq!(ours.len(), theirs.len(), "row {row}");
            for (index, other_index) in ours.zip(theirs) {
                assert_eq!(one.has_element(index), other.has_element(other_index), "row {row}");
                if one.has_element(index) {
                    assert_eq!(element(one.values(), index), element(other.values(), other_index), "row {row}");
                }
            }
        }
    }
}

/// Returns the bytes of an element.
fn element(values: &Values, index: usize) -> &[u8] {
    if let Some(text) = values.text() {
        return text.get(index).as_bytes();
    }
    let bytes = values.bytes().expect("elements are text or numbers");
    let size = bytes.len() / values.len();
    &bytes[index * size..][..size]
}

fuzz_target!(|bytes: &[u8]| {
    let bytes = Arc::new(bytes.to_vec());
    let mut options = ReadOptions::default();
    options.limits.record_bytes = 1 << 16;
    options.limits.decoded_bytes = 1 << 20;
    options.limits.table_bytes = 1 << 22;
    options.limits.cell_elements = 1 << 12;
    let whole = read(&bytes, &options, false);
    let threaded = read(&bytes, &ReadOptions { threads: 2, ..options.clone() }, false);
    let batched = read(&bytes, &ReadOptions { batch_rows: 1, ..options.clone() }, true);
    let limit = |error: &asdfkit::Error| error.status() == asdfkit::Status::Limit;
    match (&whole, &threaded, &batched) {
        (Ok(whole), Ok(threaded), Ok(batched)) => {
            assert_same(&whole[0], &threaded[0]);
            assert_eq!(whole[0].row_count(), batched.iter().map(Table::row_count).sum::<usize>());
        }
        (Err(whole), Err(threaded), Err(batched)) => {
            judge(whole);
            let location = whole.location();
            assert!(location.offset.is_some() || location.line.is_some() || location.path.is_some(), "{whole}");
            assert_eq!(whole.to_string(), threaded.to_string());
            // The limit of a table is one of a batch, too.
            assert!(limit(whole) || whole.to_string() == batched.to_string(), "{whole}, in batches {batched}");
        }
        // A table that is too large may be read in batches.
        (Err(whole), Err(_), Ok(_)) if limit(whole) => {}
        _ => panic!("{whole:?}, on threads {threaded:?}, in batches {batched:?}"),
    }
    let _ = take(read(&bytes, &ReadOptions { strict: true, ..options.clone() }, false));
    let _ = take(read(&bytes, &ReadOptions { raw_columns: true, trim_quoted: true, ..options.clone() }, true));
    let text = ReadOptions { as_text: true, ..options.clone() };
    let _ = take(read(&bytes, &text, false));
    if let Some(mut input) = take(Input::of_memory(bytes.clone())) {
        let _ = take(probe(&mut input));
        let _ = take(read_header(&mut input, &options));
    }
    let Ok(whole) = whole else { return };
    let path = FOLDER.path().join("written.ecsv");
    let writing =
        WriteOptions { replace: true, durable: false, compression: TextCompression::None, ..WriteOptions::default() };
    if take(write(&path, &whole[0], &writing)).is_some() {
        let mut options = options;
        options.limits = asdfkit::Limits::default();
        let again = TableReader::open(&path, &options).and_then(|mut reader| reader.read_all());
        let again = again.unwrap_or_else(|error| panic!("what was written does not read: {error}"));
        assert_alike(&whole[0], &again);
    }
});
