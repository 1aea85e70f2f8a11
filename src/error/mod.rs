//! Errors and warnings: a stable number, a message, and the place in the file.
//!
//! Every fallible function of the crate returns [`Result`]. An [`Error`] is one pointer wide, so a successful result
//! costs little.

mod from_one;
mod status;

pub use status::Status;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The result of a fallible operation of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Place in a file or a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// Name of the file as given by the caller.
    pub file: Option<Arc<str>>,
    /// Offset from the start of the file, in bytes.
    pub offset: Option<u64>,
    /// Line in the file, counted from 1.
    pub line: Option<u64>,
    /// Column in the line in characters, counted from 1.
    pub column: Option<u64>,
    /// Path of the node in the tree, as a JSON Pointer (RFC 6901).
    pub path: Option<String>,
    /// Name of the column of a table.
    pub table_column: Option<String>,
}

#[derive(Clone, Debug)]
struct Inner {
    status: Status,
    message: String,
    location: Location,
    /// Failure of the operating system behind the error.
    io: Option<Arc<std::io::Error>>,
    hint: Option<Hint>,
}

/// Option that would let the call succeed, and its place in the message.
#[derive(Clone, Debug)]
struct Hint {
    option: &'static str,
    /// Range of the clause that names the option.
    clause: std::ops::Range<usize>,
}

/// Kind, message and place of a failure.
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

/// Maximum number of bytes of a text in a message. The longest names of files and usual lists of names are below it.
const MAX_TEXT: usize = 1 << 11;

impl Error {
    /// Creates an error without a place. `message` is one sentence.
    pub fn new(status: Status, message: impl Into<String>) -> Error {
        let message = shortened(&message.into()).into_owned();
        Error(Box::new(Inner { status, message, location: Location::default(), io: None, hint: None }))
    }

    /// Creates an error from an error of the operating system.
    ///
    /// `failure` names the failed operation, such as "cannot read the file". The message appends the text of the
    /// operating system.
    pub fn io(failure: &str, error: &std::io::Error) -> Error {
        use std::io::ErrorKind;
        let status = match error.kind() {
            ErrorKind::NotFound => Status::FileNotFound,
            ErrorKind::PermissionDenied => Status::PermissionDenied,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Status::NoSpace,
            ErrorKind::OutOfMemory => Status::OutOfMemory,
            ErrorKind::UnexpectedEof => Status::Truncated,
            _ => Status::Io,
        };
        let mut out = Error::new(status, format!("{failure}: {error}{}", remedy(error)));
        out.0.io = Some(Arc::new(same(error)));
        out
    }

    /// Creates the error for a file that is in place, but was not confirmed to be on disk.
    pub(crate) fn not_durable(error: &std::io::Error) -> Error {
        let message =
            format!("the new file is in place, but a power cut may still lose it: syncing to disk failed: {error}");
        let mut out = Error::new(Status::NotDurable, message);
        out.0.io = Some(Arc::new(same(error)));
        out
    }

    /// Creates the error for an exceeded limit that no option can raise. `limit` names the limit in words.
    pub fn limit(limit: &str, maximum: u64) -> Error {
        Error::new(Status::Limit, format!("the limit of {maximum} on {limit} is exceeded"))
    }

    /// Creates the error for a failed allocation of `bytes` bytes.
    pub fn out_of_memory(bytes: u64) -> Error {
        Error::new(Status::OutOfMemory, format!("cannot allocate {bytes} bytes"))
    }

    /// Returns the error of a call during which the system refused memory: that is its likely cause.
    #[must_use]
    pub(crate) fn in_shortage(mut self) -> Error {
        if !matches!(self.0.status, Status::Cancelled | Status::NotDurable | Status::OutOfMemory) {
            self.0.status = Status::OutOfMemory;
            self.0.message.insert_str(0, "the system refused memory; ");
            self.0.hint = None;
        }
        self
    }

    /// Creates the error for a warning under options that count warnings as errors.
    pub(crate) fn of_warning(warning: &Warning) -> Error {
        let mut error = Error::new(Status::Strict, warning.message.clone());
        error.0.location = warning.location.clone();
        error
    }

    /// Creates the error of writing a file in which a change failed before. It has the place of that change.
    #[must_use]
    pub(crate) fn incomplete(failure: &Error) -> Error {
        let message = format!(
            "an earlier change failed and is missing in the file; repeat it, or forget the failure: {}",
            failure.message()
        );
        let mut error = Error::new(Status::Incomplete, message);
        error.0.location = failure.0.location.clone();
        error
    }

    /// Creates the error of an operation `what` that failed because of `reason`. It has the status of the reason. The
    /// message includes the message and the place of the reason.
    #[must_use]
    pub(crate) fn because_of(what: &str, reason: &Error) -> Error {
        Error::with_message_of(&format!("{what}: "), reason)
    }

    /// Returns the error without a place. Its message includes the place.
    #[must_use]
    pub(crate) fn without_place(&self) -> Error {
        Error::with_message_of("", self)
    }

    /// Removes the place, which has no meaning for the caller.
    #[must_use]
    pub(crate) fn unplaced(mut self) -> Error {
        self.0.location = Location::default();
        self
    }

    /// Creates an error whose message is that of the reason, with its place, after a text.
    fn with_message_of(text: &str, reason: &Error) -> Error {
        let mut error = Error::new(reason.status(), format!("{text}{reason}"));
        error.0.io = reason.0.io.clone();
        // The message of the reason is the end of the new one, unless that was too long.
        if error.0.message.ends_with(&reason.0.message) {
            let shift = error.0.message.len() - reason.0.message.len();
            let moved = |clause: std::ops::Range<usize>| clause.start + shift..clause.end + shift;
            error.0.hint = reason.0.hint.clone().map(|hint| Hint { clause: moved(hint.clause), ..hint });
        }
        error
    }

    /// Appends the name of an option that raises the exceeded limit.
    #[must_use]
    pub(crate) fn with_option(mut self, option: &'static str) -> Error {
        let start = self.0.message.len();
        let constant = option.to_ascii_uppercase();
        self.0.message.push_str(&format!("; the option '{option}' (ASDF_OPTION_{constant}) raises it"));
        self.0.hint = Some(Hint { option, clause: start..self.0.message.len() });
        self
    }

    /// Returns the name of the option that raises the exceeded limit, such as `limit_nodes`.
    pub fn option(&self) -> Option<&'static str> {
        self.0.hint.as_ref().map(|hint| hint.option)
    }

    /// Replaces the clause of the message that names the [option](Error::option), for programs in which it has another
    /// name. An empty text removes the clause.
    #[must_use]
    pub fn with_hint(mut self, text: &str) -> Error {
        if let Some(Hint { clause, .. }) = self.0.hint.take() {
            let clause_of = if text.is_empty() { String::new() } else { format!("; {text}") };
            self.0.message.replace_range(clause, &clause_of);
        }
        self
    }

    /// Appends a further failure to the message.
    #[must_use]
    pub(crate) fn with_more(mut self, message: &str) -> Error {
        self.0.message.push_str("; ");
        self.0.message.push_str(message);
        self
    }

    /// Adds the name of the file unless one is set, or the name is empty.
    #[must_use]
    pub fn in_file(mut self, file: &Arc<str>) -> Error {
        if !file.is_empty() {
            self.0.location.file.get_or_insert_with(|| file.clone());
        }
        self
    }

    /// Adds the byte offset in the file unless one is set.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Error {
        self.0.location.offset.get_or_insert(offset);
        self
    }

    /// Moves the byte offset of an error in a part of a file that begins at `start`.
    #[must_use]
    pub(crate) fn moved_by(mut self, start: u64) -> Error {
        self.0.location.offset = self.0.location.offset.map(|offset| offset.saturating_add(start));
        self
    }

    /// Adds line and column in the file, both from 1, unless they are set.
    #[must_use]
    pub fn at_line(mut self, line: u64, column: u64) -> Error {
        if self.0.location.line.is_none() {
            self.0.location.line = Some(line);
            self.0.location.column = Some(column);
        }
        self
    }

    /// Adds the path of the node unless one is set.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Error {
        if self.0.location.path.is_none() {
            self.0.location.path = Some(path.into());
        }
        self
    }

    /// Adds the name of the table column unless one is set.
    #[must_use]
    pub(crate) fn in_table_column(mut self, name: &str) -> Error {
        self.0.location.table_column.get_or_insert_with(|| name.to_owned());
        self
    }

    /// Returns the kind of the error.
    pub fn status(&self) -> Status {
        self.0.status
    }

    /// Returns whether the error tells nothing about the content of a file; see [`Status::is_of_machine`].
    pub fn is_of_machine(&self) -> bool {
        self.status().is_of_machine()
    }

    /// Returns the value, or `None` after an error about the content of the file. Fails with any error of the machine.
    pub fn readable<T>(result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_of_machine() => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// Returns the message without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the place; unknown parts are `None`.
    pub fn location(&self) -> &Location {
        &self.0.location
    }

    /// Returns the error number of the operating system, if the error comes from there.
    pub fn os_error(&self) -> Option<i32> {
        self.0.io.as_ref()?.raw_os_error()
    }
}

/// Returns an equal error, which a caller can keep.
fn same(error: &std::io::Error) -> std::io::Error {
    match error.raw_os_error() {
        Some(number) => std::io::Error::from_raw_os_error(number),
        None => std::io::Error::new(error.kind(), error.to_string()),
    }
}

/// Returns what helps against an error of the operating system, if its own text does not tell.
fn remedy(error: &std::io::Error) -> &'static str {
    #[cfg(unix)]
    match error.raw_os_error() {
        Some(libc::EMFILE) => {
            return "; the process has no file descriptor left: close files, or raise its limit (ulimit -n)";
        }
        Some(libc::ENFILE) => return "; the whole system has no file descriptor left",
        _ => {}
    }
    let _ = error;
    ""
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(file) = &self.file {
            write!(f, "{file}")?;
            separator = ":";
        }
        if let (Some(line), Some(column)) = (self.line, self.column) {
            write!(f, "{separator}{line}:{column}")?;
            separator = ", ";
        } else if self.file.is_some() && (self.offset.is_some() || self.path.is_some() || self.table_column.is_some()) {
            separator = ": ";
        }
        if let Some(offset) = self.offset {
            write!(f, "{separator}byte {offset}")?;
            separator = ", ";
        }
        if let Some(path) = &self.path {
            let path = shortened(path);
            write!(f, "{separator}at {}", if path.is_empty() { "the root" } else { &path })?;
            separator = ", ";
        }
        if let Some(column) = &self.table_column {
            write!(f, "{separator}column '{}'", shortened(column))?;
        }
        Ok(())
    }
}

/// Returns a text for a message with at most [`MAX_TEXT`] bytes: the middle of a longer one is left out, because a
/// message must not repeat a name or a cell of megabytes.
fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= MAX_TEXT {
        return Cow::Borrowed(text);
    }
    let boundary = |from: usize| (from..text.len()).find(|&place| text.is_char_boundary(place)).unwrap_or(text.len());
    let (head, tail) = (boundary(MAX_TEXT / 2), boundary(text.len() - MAX_TEXT / 4));
    Cow::Owned(format!("{}…{}", &text[..head], &text[tail..]))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.location != Location::default() {
            write!(f, "{}: ", self.0.location)?;
        }
        f.write_str(&self.0.message)
    }
}

/// Returns the error that the other one holds, if it comes from this library, and otherwise that of the failed operation.
impl From<std::io::Error> for Error {
    fn from(error: std::io::Error) -> Error {
        let ours = error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()).cloned();
        ours.unwrap_or_else(|| Error::io("cannot read or write", &error))
    }
}

impl From<Error> for std::io::Error {
    fn from(error: Error) -> std::io::Error {
        use std::io::ErrorKind;
        let kind = match (&error.0.io, error.status()) {
            (Some(io), _) => io.kind(),
            (None, Status::FileNotFound) => ErrorKind::NotFound,
            (None, Status::PermissionDenied) => ErrorKind::PermissionDenied,
            (None, Status::OutOfMemory) => ErrorKind::OutOfMemory,
            (None, Status::Truncated) => ErrorKind::UnexpectedEof,
            (None, Status::InvalidArgument) => ErrorKind::InvalidInput,
            (None, Status::Unsupported) => ErrorKind::Unsupported,
            _ => ErrorKind::Other,
        };
        std::io::Error::new(kind, error)
    }
}

impl std::error::Error for Error {
    /// Returns the [`std::io::Error`] behind an error of the operating system.
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.io.as_deref().map(|error| error as _)
    }
}

/// A defect of a file that does not prevent reading.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// One sentence, without the place.
    pub message: String,
    /// Place of the defect.
    pub location: Location,
}

impl Warning {
    /// Creates a warning without a place.
    pub fn new(message: impl Into<String>) -> Warning {
        Warning { message: shortened(&message.into()).into_owned(), location: Location::default() }
    }

    /// Sets the byte offset in the file.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Warning {
        self.location.offset = Some(offset);
        self
    }

    /// Sets line and column in the file, both from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64, column: u64) -> Warning {
        self.location.line = Some(line);
        self.location.column = Some(column);
        self
    }

    /// Sets the path of the node.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Warning {
        self.location.path = Some(path.into());
        self
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.location != Location::default() {
            write!(f, "{}: ", self.location)?;
        }
        f.write_str(&self.message)
    }
}

/// Warnings in the order of their discovery, without duplicates.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warnings {
    list: Vec<Warning>,
    /// Indices into `list`, by the hash of the warning.
    places: HashMap<u64, Vec<usize>>,
    hashes: RandomState,
    /// Number of warnings that were found but not kept.
    dropped: u64,
}

impl Warnings {
    /// Adds a warning unless an equal one is present.
    pub(crate) fn add(&mut self, warning: Warning) {
        let places = self.places.entry(self.hashes.hash_one(&warning)).or_default();
        if !places.iter().any(|&place| self.list.get(place) == Some(&warning)) {
            places.push(self.list.len());
            self.list.push(warning);
        }
    }

    /// Adds to the number of warnings that were found but not kept.
    pub(crate) fn count_dropped(&mut self, count: u64) {
        self.dropped = self.dropped.saturating_add(count);
    }

    /// Returns the number of warnings that were found but not kept.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns all warnings.
    pub(crate) fn as_slice(&self) -> &[Warning] {
        &self.list
    }
}

impl FromIterator<Warning> for Warnings {
    fn from_iter<I: IntoIterator<Item = Warning>>(warnings: I) -> Warnings {
        let mut all = Warnings::default();
        warnings.into_iter().for_each(|warning| all.add(warning));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_names_the_place() {
        let error = Error::new(Status::Yaml, "bad indentation")
            .in_file(&Arc::from("a.asdf"))
            .at_offset(71)
            .at_line(5, 3)
            .at_path("/meta/0");
        assert_eq!(error.to_string(), "a.asdf:5:3, byte 71, at /meta/0: bad indentation");
        let error = Error::new(Status::Truncated, "the header ends early").in_file(&Arc::from("a.asdf")).at_offset(9);
        assert_eq!(error.to_string(), "a.asdf: byte 9: the header ends early");
        let error = Error::new(Status::Cell, "not a number").at_offset(9).at_line(2, 4).in_table_column("flux");
        assert_eq!(error.to_string(), "2:4, byte 9, column 'flux': not a number");
    }

    #[test]
    fn the_error_of_the_system_is_the_source() {
        use std::io::{Error as IoError, ErrorKind};
        let kind = |error: &Error| {
            let source = std::error::Error::source(error)?.downcast_ref::<IoError>()?;
            Some((source.kind(), source.raw_os_error()))
        };
        let system = Error::io("cannot read", &IoError::from_raw_os_error(libc::ENOENT));
        assert_eq!(kind(&system), Some((ErrorKind::NotFound, Some(libc::ENOENT))));
        assert_eq!(system.os_error(), Some(libc::ENOENT));
        let named = Error::because_of("cannot open", &system);
        assert_eq!(kind(&named), kind(&system));
        let own = Error::io("cannot read", &IoError::new(ErrorKind::UnexpectedEof, "too short"));
        assert_eq!((kind(&own), own.os_error()), (Some((ErrorKind::UnexpectedEof, None)), None));
        assert_eq!(kind(&Error::new(Status::Yaml, "bad")), None);
    }

    #[test]
    fn messages_do_not_repeat_texts_of_megabytes() {
        let long = "é".repeat(1 << 20);
        let error =
            Error::new(Status::Cell, format!("'{long}' is not a datatype")).at_path(&long).in_table_column(&long);
        let text = error.to_string();
        assert!(text.len() < 3 * MAX_TEXT && text.ends_with("é' is not a datatype") && text.contains('…'));
        assert_eq!(error.location().path.as_deref(), Some(&*long));
        assert!(Warning::new(long).message.len() < MAX_TEXT);
        let usual = "x".repeat(MAX_TEXT);
        assert_eq!(Error::new(Status::Cell, &*usual).to_string(), usual);
    }

    #[test]
    fn warnings_are_kept_once_each_and_in_order() {
        let warning = |number: u64| Warning::new("odd").at_offset(number);
        let mut warnings: Warnings = [3, 1, 3, 2].into_iter().map(warning).collect();
        warnings.add(warning(1));
        warnings.add(Warning::new("odd"));
        assert_eq!(warnings.as_slice(), [warning(3), warning(1), warning(2), Warning::new("odd")]);
    }

    #[test]
    fn errors_of_input_and_output_convert_both_ways() {
        fn read() -> Result<()> {
            Err(std::io::Error::from(std::io::ErrorKind::NotFound))?
        }
        fn pass_on() -> std::io::Result<()> {
            Err(Error::new(Status::Truncated, "the file ends early").at_offset(7))?
        }
        assert_eq!(read().unwrap_err().status(), Status::FileNotFound);
        let error = pass_on().unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::UnexpectedEof);
        assert_eq!(error.to_string(), "byte 7: the file ends early");
        let again = Error::from(error);
        assert_eq!((again.status(), again.location().offset), (Status::Truncated, Some(7)));
        let failed = Error::io("cannot open the file", &std::io::Error::from_raw_os_error(13));
        assert_eq!(std::io::Error::from(failed).kind(), std::io::ErrorKind::PermissionDenied);
    }
}
