//! What an entry of a corpus comes to, and what on the way there differed or was refused.

use asdfkit::{Error, Status};

/// What an entry comes to.
pub(crate) enum Verdict {
    Passed,
    /// Everything that could be compared is right, but something needs what the library does not do yet.
    Skipped,
    Failed(String),
}

/// What was found of one entry.
#[derive(Default)]
pub(crate) struct Findings {
    differences: Vec<String>,
    refused: bool,
}

impl Findings {
    /// Something differs at a path of the tree, or is wrong with the file (`at` is empty).
    pub(crate) fn differ(&mut self, at: &str, what: impl std::fmt::Display) {
        self.differences.push(if at.is_empty() { what.to_string() } else { format!("{at}: {what}") });
    }

    /// Compares two things that can be shown.
    pub(crate) fn same<T: PartialEq + std::fmt::Debug>(&mut self, at: &str, what: &str, is: T, expected: T) {
        if is != expected {
            self.differ(at, format_args!("{what} is {is:?}, expected {expected:?}"));
        }
    }

    /// The library reported an error. That is a refusal if this place needs what is not done yet and the error says
    /// so, else a difference.
    pub(crate) fn error(&mut self, at: &str, error: &Error, needs_more: bool) {
        if needs_more && is_refusal(error.status(), true) {
            self.refused = true
        } else {
            self.differ(at, error.message())
        }
    }

    pub(crate) fn is_refused(&self) -> bool {
        self.refused
    }

    pub(crate) fn verdict(self) -> Verdict {
        match (self.differences.len(), self.refused) {
            (0, false) => Verdict::Passed,
            (0, true) => Verdict::Skipped,
            (count, _) => {
                let shown = self.differences.iter().take(5).cloned().collect::<Vec<_>>().join("; ");
                Verdict::Failed(if count > 5 { format!("{shown}; and {} more", count - 5) } else { shown })
            }
        }
    }
}

/// Whether an error says that the library does not do something, rather than that the file is wrong. `needs_more` is
/// whether the place needs what the library does not do yet.
pub(crate) fn is_refusal(status: Status, needs_more: bool) -> bool {
    match status {
        Status::Unsupported | Status::Masked => true,
        Status::Conversion => needs_more,
        _ => false,
    }
}
