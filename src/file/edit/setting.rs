//! Setters whose failure keeps the file from being written.

use crate::error::Result;
use crate::file::Node;
use crate::file::open::file::lock;

impl Node {
    /// Runs a setter of what is to stand at `path`. If it fails, the file cannot be written until a setter that is run for
    /// the same path of the same node succeeds, or until [`File::forget_failure`](crate::file::File::forget_failure). An item that could not be appended
    /// stays missing.
    pub fn setting<T>(&self, path: &str, set: impl FnOnce() -> Result<T>) -> Result<T> {
        let file = self.file();
        if file.check_own().is_err() {
            return set();
        }
        let before = lock(&file.inner.failures).count();
        let result = set();
        let mut failures = lock(&file.inner.failures);
        match &result {
            Ok(_) => failures.make_good(self.id(), path),
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

#[cfg(test)]
mod tests {
    use crate::file::{File, NewOptions, WriteOptions};
    use crate::{Result, Status};

    fn written(file: &File) -> Result<()> {
        let folder = tempfile::tempdir().unwrap();
        file.write(&folder.path().join("file.asdf"), &WriteOptions::default())
    }

    #[test]
    fn a_failure_is_made_good_by_a_setter_of_the_same_path() {
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        let is_complete = || match written(&file) {
            Ok(_) => true,
            Err(error) => {
                assert_eq!(error.status(), Status::Incomplete);
                false
            }
        };
        let refuse = |path: &str| root.setting(path, || root.set_integer(path, "x")).unwrap_err();
        refuse("a");
        refuse("a");
        refuse("b");
        root.setting("c", || root.set_i64("c", 1)).unwrap();
        assert!(!is_complete());
        root.setting("a", || root.set_i64("a", 1)).unwrap();
        assert!(!is_complete());
        root.setting("b", || root.set_i64("b", 1)).unwrap();
        assert!(is_complete());
        root.set_sequence("list", true).unwrap();
        refuse("list/-");
        root.setting("list/-", || root.set_i64("list/-", 1)).unwrap();
        assert!(!is_complete());
        file.forget_failure().unwrap();
        root.set_integer("a", "x").unwrap_err();
        root.setting("a", || root.set_i64("a", 1)).unwrap();
        assert!(!is_complete());
        file.forget_failure().unwrap();
        assert!(is_complete());
    }

    #[test]
    fn more_failures_than_are_told_apart_stay() {
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        let paths: Vec<String> =
            (0..crate::file::open::failures::MOST + 5).map(|number| format!("n{number}")).collect();
        for path in &paths {
            root.setting(path, || root.set_integer(path, "x")).unwrap_err();
        }
        for path in &paths {
            root.setting(path, || root.set_i64(path, 1)).unwrap();
        }
        assert_eq!(written(&file).unwrap_err().status(), Status::Incomplete);
    }
}
