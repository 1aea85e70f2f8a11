//! A folder for the files of a target, in memory where the system has such a file system.

use std::path::Path;
use tempfile::TempDir;

/// Creates a folder that is removed with the value.
pub fn folder() -> TempDir {
    let memory = Path::new("/dev/shm");
    let made = if memory.is_dir() { tempfile::tempdir_in(memory) } else { tempfile::tempdir() };
    made.expect("a folder for temporary files")
}
