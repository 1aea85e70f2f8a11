//! Collects the diagnostics of a description.

use super::{Parsed, ReadOptions};
use crate::ndl::{Code, Description, Diagnostic, Severity};

/// Maximum size in bytes of all places that are kept. The limit is needed because a path name may be as long as the
/// text.
const PLACES: usize = 16 << 20;

/// The diagnostics so far.
pub(super) struct Diagnostics<'o> {
    options: &'o ReadOptions,
    found: Vec<Diagnostic>,
    /// Size in bytes of their places.
    places: usize,
    errors: u64,
    warnings: u64,
    pub(super) is_refused: bool,
}

impl<'o> Diagnostics<'o> {
    pub(super) fn new(options: &'o ReadOptions) -> Diagnostics<'o> {
        Diagnostics { options, found: Vec::new(), places: 0, errors: 0, warnings: 0, is_refused: false }
    }

    /// Returns the options of the reader.
    pub(super) fn options(&self) -> &'o ReadOptions {
        self.options
    }

    /// Adds a diagnostic. `place` is its place in the description; `at` returns its line and column in the text.
    pub(super) fn add_at(
        &mut self,
        code: Code,
        place: &str,
        at: impl FnOnce() -> (u64, u64),
        message: impl Into<String>,
    ) {
        let severity = match code {
            _ if self.options.strict => Severity::Error,
            Code::UnknownKey if self.options.allow_unknown_keys => Severity::Warning,
            _ => code.severity(),
        };
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
        }
        let places = self.places.saturating_add(place.len());
        if self.found.len() < self.options.limits.diagnostics && (places <= PLACES || self.found.is_empty()) {
            self.places = places;
            let (line, column) = at();
            let (place, message) = (place.to_owned(), message.into());
            self.found.push(Diagnostic { severity, code, place, line, column, message });
        }
    }

    /// Returns the number of errors so far.
    pub(super) fn error_count(&self) -> u64 {
        self.errors
    }

    pub(super) fn finish(self, description: Description) -> Parsed {
        let mut diagnostics = self.found;
        diagnostics.sort_by_key(|diagnostic| (diagnostic.line, diagnostic.column));
        Parsed {
            description,
            diagnostics,
            error_count: self.errors,
            warning_count: self.warnings,
            is_refused: self.is_refused,
        }
    }
}
