//! Setters whose failure keeps the file from being written.

use crate::error::Result;
use crate::file::Node;
use crate::file::open::file::lock;

impl Node {
    /// Runs a setter of what is to stand at `path`. If it fails, the file cannot be written until a setter that is run for
    /// the same path of the same node succeeds, or until [`File::forget_failure`](crate::file::File::forget_failure). An
    /// item that could not be appended stays missing.
    pub fn setting<T>(&self, path: &str, set: impl FnOnce() -> Result<T>) -> Result<T> {
        let file = self.file();
        if file.check_own().is_err() {
            return set();
        }
        let before = lock(&file.inner.failures).count();
        let result = set().map_err(|error| self.at(path, error));
        let mut failures = lock(&file.inner.failures);
        match &result {
            Ok(_) => failures.remove(self.id(), path),
            Err(error) => {
                // The setter has noted the same without the path. What is appended next is another item.
                let is_item = path == "-" || path.ends_with("/-");
                failures.replace_after(before, (!is_item).then(|| (self.id(), path.to_owned())), error);
            }
        }
        drop(failures);
        result
    }
}
