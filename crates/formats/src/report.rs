//! Report of a conversion: what was not carried over, and what a reader should know.

/// Severity of an entry.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Severity {
    /// Kept, but in another form.
    Note = 0,
    /// Not in the new file.
    Loss = 1,
}

/// One finding.
pub(crate) struct Entry {
    pub(crate) severity: Severity,
    /// Place in the file that was read: a path of the tree, or an HDU.
    pub(crate) place: String,
    pub(crate) message: String,
}

/// All findings of a conversion.
#[derive(Default)]
pub(crate) struct Report {
    pub(crate) entries: Vec<Entry>,
}

impl Report {
    pub(crate) fn note(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.add(Severity::Note, place.into(), message.into());
    }

    pub(crate) fn loss(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.add(Severity::Loss, place.into(), message.into());
    }

    fn add(&mut self, severity: Severity, place: String, message: String) {
        self.entries.push(Entry { severity, place, message });
    }
}
