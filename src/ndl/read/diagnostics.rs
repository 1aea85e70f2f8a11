//! Collects the diagnostics of a description.

use super::{Parsed, ReadOptions};
use crate::error::Error;
use crate::ndl::{Code, Description, Diagnostic, Severity};
use crate::reserve;

/// Maximum size in bytes of all places that are kept. The limit is needed because a path name may be as long as the
/// text.
const PLACES: usize = 16 << 20;

/// The diagnostics so far.
pub(super) struct Diagnostics<'o> {
    options: &'o ReadOptions,
    /// In the order of the text.
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
            // Most come in the order of the text. They are sorted here, because a sort at the end would need memory.
            let position = self.found.partition_point(|other| (other.line, other.column) <= (line, column));
            let room = reserve::room_for(&mut self.found, 1);
            match room.and_then(|()| reserve::text_of(place)) {
                Ok(place) => {
                    let (place, message) = (place.into_string(), message.into());
                    self.found.insert(position, Diagnostic { severity, code, place, line, column, message });
                }
                Err(_) => {
                    self.is_refused = true;
                    self.errors = self.errors.max(1);
                }
            }
        }
    }

    /// Reports that the system refused memory. One report is enough.
    pub(super) fn refuse(&mut self, error: &Error) {
        if !std::mem::replace(&mut self.is_refused, true) {
            self.add_at(Code::YamlSyntax, "", || (1, 1), error.message());
        }
    }

    /// Returns the number of errors so far.
    pub(super) fn error_count(&self) -> u64 {
        self.errors
    }

    pub(super) fn finish(self, description: Description) -> Parsed {
        Parsed {
            description,
            diagnostics: self.found,
            error_count: self.errors,
            warning_count: self.warnings,
            is_refused: self.is_refused,
        }
    }
}
