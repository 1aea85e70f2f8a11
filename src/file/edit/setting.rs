//! Setters whose failure prevents writing the file.

use crate::error::Result;
use crate::file::Node;
use crate::file::open::file::lock;

impl Node {
    /// Runs a setter for `path`. After a failure the file cannot be written until a later setter for the same node and
    /// path succeeds, or until [`File::forget_failure`](crate::file::File::forget_failure) is called. A failed append
    /// of an item can only be forgotten.
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
                // The setter has recorded the same failure without the path. A later append is for another item, so it
                // cannot clear this failure.
                let is_item = path == "-" || path.ends_with("/-");
                failures.replace_after(before, (!is_item).then(|| (self.id(), path.to_owned())), error);
            }
        }
        drop(failures);
        result
    }
}
