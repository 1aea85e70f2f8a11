//! What an entry of a corpus comes to, and what on the way there differed or was refused.

use asdfkit::{Error, Status};

/// What an entry comes to.
pub(crate) enum Verdict {
    Passed,
    /// Everything that could be compared is right, but something needs a codec that this build leaves out.
    Skipped,
    Failed(String),
}

/// What was found of one entry.
pub(crate) struct Findings {
    differences: Vec<String>,
    /// Whether blocks of the file are compressed by a codec that this build leaves out.
    lacks_codec: bool,
    refused: bool,
}

impl Findings {
    pub(crate) fn new(lacks_codec: bool) -> Findings {
        Findings { differences: Vec::new(), lacks_codec, refused: false }
    }

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

    /// The library reported an error. That is a refusal if a codec is left out and the error says so, else a difference.
    pub(crate) fn error(&mut self, at: &str, error: &Error) {
        if self.is_refusal(error) { self.refused = true } else { self.differ(at, error.message()) }
    }

    /// Whether an error says that this build leaves a codec out, rather than that the file is wrong.
    pub(crate) fn is_refusal(&self, error: &Error) -> bool {
        self.lacks_codec && error.status() == Status::UnknownCodec
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
