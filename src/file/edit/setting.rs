//! Setters whose failure prevents writing the file.

use crate::error::Result;
use crate::file::Node;

impl Node {
    /// Runs a setter for `path`. After a failure the file cannot be written until a later setter for the same node and
    /// path succeeds, or until [`File::forget_failure`](crate::file::File::forget_failure) is called. A failed append
    /// of an item can only be forgotten.
    pub fn setting<T>(&self, path: &str, set: impl FnOnce() -> Result<T>) -> Result<T> {
        let file = self.file();
        let Ok(before) = file.state().map(|state| state.failures.count()) else { return set() };
        let result = set().map_err(|error| self.located(path, error));
        if before == 0 && result.is_ok() {
            return result;
        }
        let Ok(mut state) = file.own_state() else { return result };
        match &result {
            Ok(_) => state.failures.remove(self.id(), path),
            Err(error) => {
                // The setter has recorded the same failure without the path. A later append is for another item, so it
                // cannot clear this failure.
                let is_item = path == "-" || path.ends_with("/-");
                state.failures.replace_after(before, (!is_item).then(|| (self.id(), path.to_owned())), error);
            }
        }
        drop(state);
        result
    }
}
