//! Verdict on an entry of a corpus, with the differences and refusals that led to it.

use asdfkit::{Error, Status};

/// Verdict on an entry.
pub(crate) enum Verdict {
    Passed,
    /// All comparisons succeeded, but some content needs a codec that is not in this build.
    Skipped,
    Failed(String),
}

/// Findings for one entry.
pub(crate) struct Findings {
    differences: Vec<String>,
    /// True if blocks of the file are compressed by a codec that is not in this build.
    lacks_codec: bool,
    refused: bool,
}

impl Findings {
    pub(crate) fn new(lacks_codec: bool) -> Findings {
        Findings { differences: Vec::new(), lacks_codec, refused: false }
    }

    /// Records a difference at a path of the tree, or in the file as a whole if `at` is empty.
    pub(crate) fn differ(&mut self, at: &str, what: impl std::fmt::Display) {
        self.differences.push(if at.is_empty() { what.to_string() } else { format!("{at}: {what}") });
    }

    /// Compares two values and records a difference.
    pub(crate) fn same<T: PartialEq + std::fmt::Debug>(&mut self, at: &str, what: &str, is: T, expected: T) {
        if is != expected {
            self.differ(at, format_args!("{what} is {is:?}, expected {expected:?}"));
        }
    }

    /// Records an error of the library: as a refusal if it reports a missing codec, otherwise as a difference.
    pub(crate) fn error(&mut self, at: &str, error: &Error) {
        if self.is_refusal(error) { self.refused = true } else { self.differ(at, error.message()) }
    }

    /// Returns whether an error reports that a codec is not in this build, as opposed to a wrong file.
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
