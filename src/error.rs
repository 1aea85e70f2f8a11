//! Errors and warnings: a stable number, a message, and the place in the file.
//!
//! Every fallible function of the crate returns [`Result`]. An [`Error`] is one pointer wide, so a successful result
//! costs little.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The result of a fallible operation of this crate.
pub type Result<T> = std::result::Result<T, Error>;

macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        /// Kind of an error. The discriminant is its number in the C interface.
        ///
        /// Numbers are grouped by hundreds and are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        #[non_exhaustive]
        pub enum Status {
            $($(#[$doc])* $name = $number,)*
        }

        impl Status {
            /// All statuses in numerical order.
            pub const ALL: &'static [Status] = &[$(Status::$name,)*];

            /// Returns the number of the status in the C interface.
            pub fn code(self) -> i32 {
                self as i32
            }

            /// Returns the status with this number.
            pub fn from_code(code: i32) -> Option<Status> {
                match code {
                    $($number => Some(Status::$name),)*
                    _ => None,
                }
            }

            /// Returns the name of the constant in the C interface without the leading `ASDF_ERR_`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Status::$name => $text,)*
                }
            }
        }
    };
}

statuses! {
    /// An argument is outside the range that the function accepts.
    InvalidArgument = 101, "INVALID_ARGUMENT";
    /// A required pointer is NULL.
    NullPointer = 102, "NULL_POINTER";
    /// A handle has another kind than the function needs, or was freed.
    WrongHandle = 103, "WRONG_HANDLE";
    /// The file behind the handle was closed.
    Closed = 104, "CLOSED";
    /// The node behind the handle was removed by an edit.
    Stale = 105, "STALE";
    /// The buffer of the caller is too small for the result.
    BufferTooSmall = 106, "BUFFER_TOO_SMALL";
    /// The file was opened for reading only.
    ReadOnly = 107, "READ_ONLY";
    /// An index, a region or a number is out of range.
    OutOfRange = 108, "OUT_OF_RANGE";
    /// An earlier setter failed, so the file to write would be incomplete.
    Incomplete = 109, "INCOMPLETE";
    /// The library does not support this yet, or this build lacks it.
    Unsupported = 110, "UNSUPPORTED";
    /// The changes need a new file, but the options allow only a save in place.
    NotInPlace = 111, "NOT_IN_PLACE";
    /// The handle belongs to the parent process: it was made before a fork.
    Forked = 112, "FORKED";
    /// The progress callback asked to end the call.
    Cancelled = 113, "CANCELLED";

    /// The operating system reported an error that has no status of its own.
    Io = 201, "IO";
    /// No file has this name.
    FileNotFound = 202, "FILE_NOT_FOUND";
    /// The operating system denied the access.
    PermissionDenied = 203, "PERMISSION_DENIED";
    /// The device or the quota is full.
    NoSpace = 204, "NO_SPACE";
    /// Memory could not be allocated.
    OutOfMemory = 205, "OUT_OF_MEMORY";
    /// The file changed while it was open.
    FileChanged = 206, "FILE_CHANGED";
    /// A callback of the caller reported a failure.
    Callback = 207, "CALLBACK";
    /// The open options allow access to other files, but not to this one.
    AccessDenied = 208, "ACCESS_DENIED";
    /// Another program, or another handle, has opened the file for update.
    Locked = 209, "LOCKED";
    /// A file of this name exists, and the options do not allow replacing it.
    FileExists = 210, "FILE_EXISTS";
    /// The new file is in place, but a power cut may still lose it.
    NotDurable = 211, "NOT_DURABLE";
    /// A defect of the library. Please report it.
    Internal = 299, "INTERNAL";

    /// The file does not begin with an ASDF header.
    NotAsdf = 301, "NOT_ASDF";
    /// The library does not know this version of the file format.
    Version = 302, "VERSION";
    /// The parts of the file are not in the order that the standard demands.
    Layout = 303, "LAYOUT";
    /// The file ends before data that it declares.
    Truncated = 304, "TRUNCATED";
    /// A block header contradicts itself or the file.
    BlockHeader = 305, "BLOCK_HEADER";
    /// No block has this number.
    BlockNotFound = 306, "BLOCK_NOT_FOUND";
    /// The bytes do not match the stored checksum.
    Checksum = 307, "CHECKSUM";
    /// The file does not begin with an ECSV header.
    NotEcsv = 308, "NOT_ECSV";

    /// The compression label is unknown, or this build lacks the codec.
    UnknownCodec = 401, "UNKNOWN_CODEC";
    /// The compressed bytes are damaged.
    Corrupt = 402, "CORRUPT";
    /// The decoded length differs from the declared length.
    DecodedSize = 403, "DECODED_SIZE";

    /// The tree is not well-formed YAML.
    Yaml = 501, "YAML";
    /// The text is not valid UTF-8, or contains characters that YAML forbids.
    Encoding = 502, "ENCODING";
    /// The tree is well-formed YAML, but violates a rule of ASDF.
    Tree = 503, "TREE";
    /// Nothing exists at this path.
    NotFound = 504, "NOT_FOUND";
    /// The node does not have the requested type.
    WrongType = 505, "WRONG_TYPE";
    /// The value does not fit the requested type.
    ValueRange = 506, "VALUE_RANGE";
    /// The path or the reference is malformed.
    Path = 507, "PATH";
    /// The target of a reference does not exist.
    DanglingReference = 508, "DANGLING_REFERENCE";
    /// References form a cycle.
    ReferenceCycle = 509, "REFERENCE_CYCLE";
    /// The content is in another file, and the open options do not allow other files.
    ExternalReference = 510, "EXTERNAL_REFERENCE";
    /// The content of a node does not match its tag.
    TagContent = 511, "TAG_CONTENT";

    /// The description of the array is malformed.
    BadArray = 601, "BAD_ARRAY";
    /// The datatype is unknown or malformed.
    BadDatatype = 602, "BAD_DATATYPE";
    /// The array extends beyond its block.
    Bounds = 603, "BOUNDS";
    /// An element does not fit the requested datatype.
    Overflow = 604, "OVERFLOW";
    /// No conversion exists between the two datatypes.
    Conversion = 605, "CONVERSION";
    /// The stored bytes cannot be viewed without a copy.
    NotViewable = 606, "NOT_VIEWABLE";
    /// The array has a mask, and the call does not handle masks.
    Masked = 607, "MASKED";

    /// A limit of the open options was exceeded.
    Limit = 701, "LIMIT";
    /// The file has warnings, and the options count warnings as errors.
    Strict = 702, "STRICT";

    /// The header of a table violates its format.
    TableHeader = 801, "TABLE_HEADER";
    /// A record of a table has a wrong number of fields, or wrong quotes.
    Record = 802, "RECORD";
    /// The text of a table cell is not a value of the type of its column.
    Cell = 803, "CELL";
}

impl Status {
    /// Returns whether an error of this kind tells nothing about the content of a file: the machine failed, the file
    /// changed, the caller ended the call or closed the file, or the library has a defect.
    ///
    /// A caller that goes on after errors of single nodes must not go on after such an error. Otherwise a failed read
    /// looks like a property of the file.
    pub fn is_of_machine(self) -> bool {
        use Status::*;
        matches!(
            self,
            Closed
                | Stale
                | Forked
                | Cancelled
                | Io
                | PermissionDenied
                | NoSpace
                | OutOfMemory
                | FileChanged
                | Callback
                | Locked
                | NotDurable
                | Internal
        )
    }
}

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
    os_error: Option<i32>,
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
        Error(Box::new(Inner { status, message, location: Location::default(), os_error: None, hint: None }))
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
        out.0.os_error = error.raw_os_error();
        out
    }

    /// Creates the error for a file that is in place, but was not confirmed to be on disk.
    pub fn not_durable(error: &std::io::Error) -> Error {
        let message =
            format!("the new file is in place, but a power cut may still lose it: syncing to disk failed: {error}");
        let mut out = Error::new(Status::NotDurable, message);
        out.0.os_error = error.raw_os_error();
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

    /// Creates the error for a warning under options that count warnings as errors.
    pub fn of_warning(warning: &Warning) -> Error {
        let mut error = Error::new(Status::Strict, warning.message.clone());
        error.0.location = warning.location.clone();
        error
    }

    /// Creates the error of writing a file in which a change failed before. It has the place of that change.
    #[must_use]
    pub fn incomplete(failure: &Error) -> Error {
        let message = format!("an earlier change failed and is missing in the file: {}", failure.message());
        let mut error = Error::new(Status::Incomplete, message);
        error.0.location = failure.0.location.clone();
        error
    }

    /// Creates the error of an operation `what` that failed because of `reason`. It has the status of the reason. The
    /// message includes the message and the place of the reason.
    #[must_use]
    pub fn because_of(what: &str, reason: &Error) -> Error {
        Error::with_message_of(&format!("{what}: "), reason)
    }

    /// Returns the error without a place. Its message includes the place.
    #[must_use]
    pub fn without_place(&self) -> Error {
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
        error.0.os_error = reason.0.os_error;
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
    pub fn with_more(mut self, message: &str) -> Error {
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
    pub fn in_table_column(mut self, name: &str) -> Error {
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
        self.0.os_error
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

impl std::error::Error for Error {}

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
    fn numbers_are_unique_and_lead_back() {
        let mut seen = std::collections::HashSet::new();
        for &status in Status::ALL {
            assert!(seen.insert(status.code()), "{status:?}");
            assert_eq!(Status::from_code(status.code()), Some(status));
        }
        assert_eq!(Status::from_code(0), None);
    }

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
}
