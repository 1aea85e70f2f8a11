//! Failures of setters: changes that are missing in a file. A file with failures is not written.

use crate::error::Error;
use crate::tree::NodeId;

/// Number of failures that are tracked separately, so that a later setter of the same path can clear them. One more
/// entry stands for all others until all failures are forgotten.
const MAX_TRACKED: usize = 1000;

/// Failures in the order in which they occurred.
#[derive(Default)]
pub(crate) struct Failures(Vec<Failure>);

struct Failure {
    /// Node and path of the setter; `None` if no setter can clear the failure.
    place: Option<(NodeId, String)>,
    error: Error,
}

impl Failures {
    /// Returns the error of the first failure.
    pub(crate) fn first(&self) -> Option<&Error> {
        self.0.first().map(|failure| &failure.error)
    }

    /// Returns the number of failures.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Removes the failure of the setter of a path, after a setter of the same path succeeded.
    pub(crate) fn remove(&mut self, node: NodeId, path: &str) {
        let is_other =
            |failure: &Failure| failure.place.as_ref().is_none_or(|(other, place)| *other != node || place != path);
        self.0.retain(is_other);
    }

    /// Replaces all failures after the first `count` by one.
    pub(crate) fn replace_after(&mut self, count: usize, place: Option<(NodeId, String)>, error: &Error) {
        self.0.truncate(count);
        self.note(place, error);
    }

    /// Adds a failure.
    pub(crate) fn note(&mut self, place: Option<(NodeId, String)>, error: &Error) {
        if place.is_some() {
            self.0.retain(|failure| failure.place != place);
        }
        match self.0.len() {
            count if count < MAX_TRACKED => self.0.push(Failure { place, error: error.clone() }),
            MAX_TRACKED => self.0.push(Failure { place: None, error: error.clone() }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::file::{File, NewOptions, WriteOptions};
    use crate::{Result, Status};

    fn written(file: &File) -> Result<()> {
        let folder = tempfile::tempdir().unwrap();
        file.write(folder.path().join("file.asdf"), &WriteOptions::default())
    }

    #[test]
    fn a_setter_of_the_same_path_clears_a_failure() {
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
    fn more_failures_than_are_tracked_stay() {
        let file = File::new(&NewOptions::default());
        let root = file.root().unwrap();
        let paths: Vec<String> = (0..super::MAX_TRACKED + 5).map(|number| format!("n{number}")).collect();
        for path in &paths {
            root.setting(path, || root.set_integer(path, "x")).unwrap_err();
        }
        for path in &paths {
            root.setting(path, || root.set_i64(path, 1)).unwrap();
        }
        assert_eq!(written(&file).unwrap_err().status(), Status::Incomplete);
    }
}
