//! Recovery of a file that another program changes meanwhile.

use crate::Status;
use crate::file::{File, NewOptions, RecoverOptions, WriteOptions};
use crate::progress::{Progress, scope};
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Recovers a file that grows at each report from `first` to `last`. Returns the status and the number of reports.
fn recovered(folder: &Path, first: u64, last: u64) -> (Option<Status>, u64, PathBuf) {
    let (path, new) = (folder.join("damaged.asdf"), folder.join(format!("new{first}-{last}.asdf")));
    let file = File::new(&NewOptions::default());
    file.root().unwrap().set_array("a", &[1_u8; 100], [100]).unwrap();
    file.write(&path, &WriteOptions { replace: true, ..WriteOptions::default() }).unwrap();
    let seen = Arc::new(AtomicU64::new(0));
    let (count, source) = (seen.clone(), path.clone());
    let grow = Progress::at_every_step(move |_, _| {
        if (first..=last).contains(&count.fetch_add(1, Ordering::Relaxed)) {
            std::fs::OpenOptions::new().append(true).open(&source).unwrap().write_all(b"x").unwrap();
        }
        ControlFlow::Continue(())
    });
    let result = scope(&grow, || File::recover(&path, &new, &RecoverOptions::default()));
    (result.err().map(|error| error.status()), seen.load(Ordering::Relaxed), new)
}

#[test]
fn a_change_never_meets_the_output_of_the_call() {
    let folder = tempfile::tempdir().unwrap();
    let (status, reports, _) = recovered(folder.path(), u64::MAX, u64::MAX);
    assert!(status.is_none() && reports > 3, "{reports} reports");
    for report in 0..reports {
        let (status, _, new) = recovered(folder.path(), report, report);
        assert_eq!(status, None, "at report {report}");
        assert!(new.exists());
    }
    let (status, _, new) = recovered(folder.path(), 0, u64::MAX);
    assert_eq!(status, Some(Status::FileChanged));
    assert!(!new.exists());
    let rest: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(rest.len() as u64, reports + 2, "temporary files are left: {rest:?}");
}
