//! Text tables: read whole, read in batches, and written.

use asdfkit::table::ecsv::{ReadOptions, TableIndex, TableReader, WriteOptions, read, write};
use asdfkit::table::{Table, Values};
use measure::Job;

/// Reads the table.
pub(crate) fn read_table(job: &Job) {
    let options = ReadOptions { threads: job.threads, ..ReadOptions::default() };
    job.measure(|| check_of(&read(&job.input, &options).expect("the table is read")));
}

/// Reads the table batch by batch.
pub(crate) fn read_batches(job: &Job) {
    job.measure(|| {
        let mut reader = TableReader::open(&job.input, &ReadOptions::default()).expect("the table opens");
        let mut check = 0.0;
        while let Some(batch) = reader.next_batch().expect("the batch is read") {
            check += check_of(&batch);
        }
        check
    });
}

/// Passes over the text, and makes the index of its records.
pub(crate) fn index(job: &Job) {
    job.measure(|| {
        TableIndex::open(&job.input, 0, &ReadOptions::default()).expect("the text is passed over").row_count() as f64
    });
}

/// Writes a table that is read beforehand, without waiting for the disk.
pub(crate) fn write_table(job: &Job) {
    let table = read(&job.input, &ReadOptions::default()).expect("the table is read");
    let mut options = WriteOptions::default();
    options.replace = true;
    options.durable = false;
    options.threads = job.threads;
    job.measure(|| {
        write(&job.output, &table, &options).expect("the table is written");
        table.row_count() as f64
    });
}

/// Returns the sum of the first column, which contains multiples of one half.
fn check_of(table: &Table) -> f64 {
    match table.columns()[0].values() {
        Values::Int64(values) => values.iter().fold(0_i64, |sum, value| sum.wrapping_add(*value)) as f64,
        Values::Float64(values) => values.iter().map(|value| value.floor()).sum(),
        _ => panic!("the first column is of another type"),
    }
}
