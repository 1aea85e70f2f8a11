//! Readers and writers of tables that were cancelled at each of their reports go on without losing a row.

use super::{ReadOptions, TableReader, TableWriter, WriteOptions};
use crate::error::Status;
use crate::progress::{Progress, scope};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A callback that wants so many reports.
fn wanting(reports: usize) -> Progress {
    let seen = AtomicUsize::new(0);
    Progress::at_every_step(move |_, _| match seen.fetch_add(1, Ordering::Relaxed) {
        before if before < reports => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    })
}

#[test]
fn no_row_is_lost() {
    let rows: Vec<String> = (0..60_000).map(|row| format!("{row} text{row}\n")).collect();
    let rows = rows.concat();
    let head =
        "# %ECSV 1.0\n# ---\n# datatype:\n# - {name: a, datatype: int64}\n# - {name: b, datatype: string}\na b\n";
    let text = Arc::new(format!("{head}{rows}").into_bytes());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table.ecsv");
    for (threads, batch_rows) in [(1, 25_000), (3, 25_000), (3, 0)] {
        let options = ReadOptions { threads, batch_rows, ..ReadOptions::default() };
        let mut whole = TableReader::of_memory(text.clone(), &options).unwrap();
        let sizes: Vec<_> = std::iter::from_fn(|| whole.next_batch().unwrap()).map(|batch| batch.row_count()).collect();
        for reports in 0.. {
            let mut found = Vec::new();
            let mut reader = TableReader::of_memory(text.clone(), &options).unwrap();
            let options = WriteOptions { durable: false, replace: true, ..WriteOptions::default() };
            let mut writer = TableWriter::create(&path, &reader.header().clone(), &options).unwrap();
            let mut cancelled = 0;
            loop {
                let batch = scope(&wanting(reports), || reader.next_batch()).or_else(|error| {
                    assert_eq!(error.status(), Status::Cancelled, "{error}");
                    cancelled += 1;
                    reader.next_batch()
                });
                let Some(batch) = batch.unwrap() else { break };
                found.push(batch.row_count());
                if let Err(error) = scope(&wanting(reports), || writer.append(&batch)) {
                    assert_eq!(error.status(), Status::Cancelled, "{error}");
                    cancelled += 1;
                    if reports > 0 {
                        assert_eq!(writer.finish().unwrap_err().status(), Status::Incomplete);
                    }
                    writer.append(&batch).unwrap();
                }
            }
            assert_eq!(found, sizes, "{threads} {reports}");
            writer.finish().unwrap();
            assert!(std::fs::read_to_string(&path).unwrap().ends_with(&format!("a b\n{rows}")), "{threads} {reports}");
            if cancelled == 0 {
                break;
            }
        }
    }
}
