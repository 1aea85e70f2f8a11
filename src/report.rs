//! Reports: warnings, diagnostics, notes, differences, losses and errors as entries of one type.
//!
//! Other modules have their own types for their findings and convert each of them to an [`Entry`].

use crate::error::{Error, Location, Result, Warning};
use crate::float::TextOutput;
use crate::json::{Escapes, Style, Writer};
use crate::reserve::{GrowingText, collected};
use std::sync::Arc;

const STYLE: Style = Style { comma: ", ", colon: ": ", escapes: Escapes { letters: "bfrt", more: &[] } };

/// Severity of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Information; nothing is wrong.
    Note,
    /// The data can be used, but the reader should know about a problem.
    Warning,
    /// Something is wrong or lost.
    Error,
}

impl Severity {
    /// Returns the word `note`, `warning` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// Kind of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A problem in a file or table that can be read nevertheless.
    Warning,
    /// An error or a problem in the text of a description.
    Diagnostic,
    /// Content of a file that its description does not mention, or content that differs from the description.
    Note,
    /// A difference between two descriptions.
    Difference,
    /// Content that is missing or possibly wrong in a recovered file.
    Loss,
    /// A failed call.
    Error,
}

impl Kind {
    /// Returns the word `warning`, `diagnostic`, `note`, `difference`, `loss` or `error`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Warning => "warning",
            Kind::Diagnostic => "diagnostic",
            Kind::Note => "note",
            Kind::Difference => "difference",
            Kind::Loss => "loss",
            Kind::Error => "error",
        }
    }
}

/// Kind of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Present only in the new version.
    Add,
    /// Present only in the old version.
    Remove,
    /// Present in both, with different content.
    Change,
}

impl Operation {
    /// Returns the word `add`, `remove` or `change`.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Add => "add",
            Operation::Remove => "remove",
            Operation::Change => "change",
        }
    }
}

/// One finding. Fields that do not apply or are not known are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Entry {
    /// Severity of the entry.
    pub severity: Severity,
    /// Kind of the entry.
    pub kind: Kind,
    /// Operation of a difference.
    pub operation: Option<Operation>,
    /// The whole entry as one line of text, including the place.
    pub text: String,
    /// One sentence without the place.
    pub message: String,
    /// Stable identifier: the code of a diagnostic (`E-VALUE-RANGE`), the kind of a loss (`L-BLOCK-END`), or the status
    /// of an error (`TRUNCATED`).
    pub code: Option<&'static str>,
    /// Path of the node in the tree, or path name in a description, followed by `@` and the name of an attribute if the
    /// entry is about one. Empty for the root of a tree and for a whole description.
    pub path: Option<String>,
    /// Name of the file.
    pub file: Option<Arc<str>>,
    /// Part of the object: the column of a table, or the property of an array that differs.
    pub subject: Option<String>,
    /// Old or declared content, as JSON.
    pub old: Option<String>,
    /// Current content, as JSON.
    pub new: Option<String>,
    /// Line of the file, from 1.
    pub line: Option<u64>,
    /// Column of the line in characters, from 1.
    pub column: Option<u64>,
    /// Offset in bytes from the start of the file.
    pub offset: Option<u64>,
    /// Number of the block.
    pub block: Option<u64>,
    /// Number of bytes lost.
    pub bytes: Option<u64>,
    /// Number of rows lost.
    pub rows: Option<u64>,
    /// Error number of the operating system.
    pub os_number: Option<i32>,
}

impl Entry {
    /// Creates an entry without a place.
    pub(crate) fn new(kind: Kind, severity: Severity, text: String, message: String) -> Entry {
        Entry {
            severity,
            kind,
            operation: None,
            text,
            message,
            code: None,
            path: None,
            file: None,
            subject: None,
            old: None,
            new: None,
            line: None,
            column: None,
            offset: None,
            block: None,
            bytes: None,
            rows: None,
            os_number: None,
        }
    }

    /// Returns the entry with another severity.
    #[must_use]
    pub(crate) fn with_severity(self, severity: Severity) -> Entry {
        Entry { severity, ..self }
    }

    /// Returns the entry with the name of its file, which is also added at the start of the text.
    #[must_use]
    pub fn in_file(self, file: &Arc<str>) -> Entry {
        Entry { text: format!("{file}:{}", self.text), file: Some(file.clone()), ..self }
    }

    fn at(self, location: &Location) -> Entry {
        let Location { file, offset, line, column, path, table_column } = location.clone();
        Entry { file, offset, line, column, path, subject: table_column, ..self }
    }

    fn write_json(&self, json: &mut Writer<impl TextOutput>) {
        json.open("{");
        for (key, word) in [
            ("severity", Some(self.severity.name())),
            ("kind", Some(self.kind.name())),
            ("operation", self.operation.map(Operation::name)),
            ("code", self.code),
            ("text", Some(&*self.text)),
            ("message", Some(&*self.message)),
            ("path", self.path.as_deref()),
            ("file", self.file.as_deref()),
            ("subject", self.subject.as_deref()),
        ] {
            if let Some(word) = word {
                json.key(key);
                json.string(word);
            }
        }
        for (key, value) in [("old", &self.old), ("new", &self.new)] {
            if let Some(value) = value {
                json.key(key);
                json.item().push(value);
            }
        }
        for (key, number) in [
            ("line", self.line),
            ("column", self.column),
            ("offset", self.offset),
            ("block", self.block),
            ("bytes", self.bytes),
            ("rows", self.rows),
        ] {
            if let Some(number) = number {
                json.key(key);
                json.item().push(&number.to_string());
            }
        }
        if let Some(number) = self.os_number {
            json.key("os_number");
            json.item().push(&number.to_string());
        }
        json.close("}");
    }
}

impl From<&Warning> for Entry {
    fn from(warning: &Warning) -> Entry {
        let entry = Entry::new(Kind::Warning, Severity::Warning, warning.to_string(), warning.message.clone());
        entry.at(&warning.location)
    }
}

impl From<&Error> for Entry {
    fn from(error: &Error) -> Entry {
        let entry = Entry::new(Kind::Error, Severity::Error, error.to_string(), error.message().to_owned());
        Entry { code: Some(error.status().name()), os_number: error.os_error(), ..entry.at(error.location()) }
    }
}

/// Entries in the order in which they were found. A report does not change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    entries: Vec<Entry>,
    dropped: u64,
}

impl Report {
    /// Creates a report of these entries. `dropped` is the number of entries that were found but not kept.
    pub fn new(entries: Vec<Entry>, dropped: u64) -> Report {
        Report { entries, dropped }
    }

    /// Returns the entries.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns the number of entries that were not kept because there were too many.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Collects entries, without dropped ones. Fails if the system refuses memory.
    pub(crate) fn collected(entries: impl Iterator<Item = Entry>) -> Result<Report> {
        Ok(Report::new(collected(entries.map(Ok))?, 0))
    }

    /// Returns the entries as a JSON array of objects, on one line.
    ///
    /// Each object contains the fields of its [`Entry`] that are not `None`. Severity, kind and operation are words,
    /// `old` and `new` are JSON values, numbers are numbers, and all other fields are strings.
    pub fn to_json(&self) -> Result<String> {
        let mut json = Writer::new(GrowingText::default(), &STYLE);
        json.open("[");
        self.entries.iter().for_each(|entry| entry.write_json(&mut json));
        json.close("]");
        json.into_text().finish()
    }
}

/// Creates a report without dropped entries.
impl<T> FromIterator<T> for Report
where
    Entry: From<T>,
{
    fn from_iter<I: IntoIterator<Item = T>>(found: I) -> Report {
        Report::new(found.into_iter().map(Entry::from).collect(), 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;

    #[test]
    fn warnings_and_errors_keep_their_places() {
        let warning = Warning::new("odd").at_offset(71).at_line(5, 3).at_path("");
        let entry = Entry::from(&warning);
        assert_eq!((entry.kind, entry.severity, entry.code), (Kind::Warning, Severity::Warning, None));
        assert_eq!((&*entry.text, &*entry.message), ("5:3, byte 71, at the root: odd", "odd"));
        assert_eq!((entry.line, entry.column, entry.offset), (Some(5), Some(3), Some(71)));
        assert_eq!((entry.path.as_deref(), entry.subject), (Some(""), None));

        let missing = std::io::Error::from_raw_os_error(2);
        let error = Error::io("cannot open the file", &missing).in_file(&Arc::from("a.asdf")).in_table_column("flux");
        let entry = Entry::from(&error);
        assert_eq!((entry.kind, entry.severity, entry.code), (Kind::Error, Severity::Error, Some("FILE_NOT_FOUND")));
        assert_eq!((entry.file.as_deref(), entry.subject.as_deref()), (Some("a.asdf"), Some("flux")));
        assert_eq!((entry.os_number, entry.line, entry.path), (Some(2), None, None));
        assert!(entry.text.starts_with("a.asdf: column 'flux': cannot open"), "{}", entry.text);
    }

    #[test]
    fn json_has_the_fields_that_are_known() {
        assert_eq!(Report::default().to_json().unwrap(), "[]");
        let warning = Warning::new("a \"b\"\t\u{1}").at_line(2, 1);
        let change = Entry {
            operation: Some(Operation::Change),
            old: Some("[2, 3]".to_owned()),
            new: Some("\"K\"".to_owned()),
            rows: Some(7),
            ..Entry::new(Kind::Difference, Severity::Note, "~ /a".to_owned(), "shape".to_owned())
        };
        let report = Report::new(vec![Entry::from(&warning), change], 3);
        assert_eq!(report.dropped(), 3);
        assert_eq!(
            report.to_json().unwrap(),
            concat!(
                r#"[{"severity": "warning", "kind": "warning", "text": "2:1: a \"b\"\t\u0001", "#,
                r#""message": "a \"b\"\t\u0001", "line": 2, "column": 1}, "#,
                r#"{"severity": "note", "kind": "difference", "operation": "change", "text": "~ /a", "#,
                r#""message": "shape", "old": [2, 3], "new": "K", "rows": 7}]"#
            )
        );
        let error = Error::new(Status::Io, "x");
        assert_eq!([&error].into_iter().collect::<Report>().entries()[0].code, Some("IO"));
    }
}
