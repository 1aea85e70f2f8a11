//! What went wrong, where, as a stable number.
//!
//! Every fallible function of the crate returns [`Result`]. An [`Error`] is one pointer wide, so that a
//! result stays cheap where nothing fails.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

/// The result of a fallible operation of this crate.
pub type Result<T> = std::result::Result<T, Error>;

macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $text:literal;)*) => {
        /// The kind of an error, with the number it has in the C interface.
        ///
        /// Numbers are grouped by hundreds and never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        #[non_exhaustive]
        pub enum Status {
            $($(#[$doc])* $name = $number,)*
        }

        impl Status {
            /// Every status, in numerical order.
            pub const ALL: &'static [Status] = &[$(Status::$name,)*];

            /// The number of the status in the C interface.
            pub fn code(self) -> i32 {
                self as i32
            }

            /// The status with this number.
            pub fn from_code(code: i32) -> Option<Status> {
                match code {
                    $($number => Some(Status::$name),)*
                    _ => None,
                }
            }

            /// The constant's name in the C interface without the leading `ASDF_ERR_`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Status::$name => $text,)*
                }
            }
        }
    };
}

statuses! {
    /// An argument is outside what the function accepts.
    InvalidArgument = 101, "INVALID_ARGUMENT";
    /// A required pointer is NULL.
    NullPointer = 102, "NULL_POINTER";
    /// A handle is of another kind than the function needs, or was freed.
    WrongHandle = 103, "WRONG_HANDLE";
    /// The file behind the handle was closed.
    Closed = 104, "CLOSED";
    /// The node behind the handle was removed by an edit.
    Stale = 105, "STALE";
    /// The caller's buffer is smaller than what it must hold.
    BufferTooSmall = 106, "BUFFER_TOO_SMALL";
    /// The file was opened for reading only.
    ReadOnly = 107, "READ_ONLY";
    /// An index, a region or a number lies outside what exists.
    OutOfRange = 108, "OUT_OF_RANGE";
    /// An earlier setter failed, so what would be written is incomplete.
    Incomplete = 109, "INCOMPLETE";
    /// The library does not support this yet, or this build lacks it.
    Unsupported = 110, "UNSUPPORTED";
    /// The changes need a new file, but were to be saved in place.
    NotInPlace = 111, "NOT_IN_PLACE";
    /// A process made the handle that this one is a child of, by a fork.
    Forked = 112, "FORKED";
    /// The progress callback asked to end the call.
    Cancelled = 113, "CANCELLED";

    /// The operating system reported an error.
    Io = 201, "IO";
    /// There is no file of this name.
    FileNotFound = 202, "FILE_NOT_FOUND";
    /// The operating system does not allow it.
    PermissionDenied = 203, "PERMISSION_DENIED";
    /// The device or the quota is full.
    NoSpace = 204, "NO_SPACE";
    /// Memory could not be had.
    OutOfMemory = 205, "OUT_OF_MEMORY";
    /// The file changed while it was open.
    FileChanged = 206, "FILE_CHANGED";
    /// A callback of the caller reported failure.
    Callback = 207, "CALLBACK";
    /// The open options allow other files, but not this one.
    AccessDenied = 208, "ACCESS_DENIED";
    /// Another program, or another handle, has the file open for update.
    Locked = 209, "LOCKED";
    /// Another file has the name, and must not be replaced.
    FileExists = 210, "FILE_EXISTS";
    /// The new file is in place, but it is not sure that it is on the disk.
    NotDurable = 211, "NOT_DURABLE";
    /// A defect of the library: please report it.
    Internal = 299, "INTERNAL";

    /// The bytes do not begin as an ASDF file does.
    NotAsdf = 301, "NOT_ASDF";
    /// A version of the file format that the library does not know.
    Version = 302, "VERSION";
    /// The parts of the file do not follow one another as the standard asks.
    Layout = 303, "LAYOUT";
    /// The file ends before something that it announces.
    Truncated = 304, "TRUNCATED";
    /// A block header contradicts itself or the file.
    BlockHeader = 305, "BLOCK_HEADER";
    /// There is no block of this number.
    BlockNotFound = 306, "BLOCK_NOT_FOUND";
    /// The stored checksum is not that of the bytes.
    Checksum = 307, "CHECKSUM";
    /// The bytes do not begin as an ECSV file does.
    NotEcsv = 308, "NOT_ECSV";

    /// The compression label is unknown, or its codec is not part of this build.
    UnknownCodec = 401, "UNKNOWN_CODEC";
    /// The compressed bytes are damaged.
    Corrupt = 402, "CORRUPT";
    /// The compressed bytes decode to another length than declared.
    DecodedSize = 403, "DECODED_SIZE";

    /// The tree is not well-formed YAML.
    Yaml = 501, "YAML";
    /// Text is not valid UTF-8 or holds characters that YAML forbids.
    Encoding = 502, "ENCODING";
    /// The tree is well-formed but not one that ASDF allows.
    Tree = 503, "TREE";
    /// There is nothing at this path.
    NotFound = 504, "NOT_FOUND";
    /// The node has another type than asked for.
    WrongType = 505, "WRONG_TYPE";
    /// The value does not fit the type asked for.
    ValueRange = 506, "VALUE_RANGE";
    /// The path or the reference is malformed.
    Path = 507, "PATH";
    /// A reference leads nowhere.
    DanglingReference = 508, "DANGLING_REFERENCE";
    /// References lead round in a circle.
    ReferenceCycle = 509, "REFERENCE_CYCLE";
    /// It is in another file, and the open options allow no other files.
    ExternalReference = 510, "EXTERNAL_REFERENCE";
    /// The text under a known tag is not what the tag demands.
    TagContent = 511, "TAG_CONTENT";

    /// The array's description is malformed.
    BadArray = 601, "BAD_ARRAY";
    /// The datatype is unknown or malformed.
    BadDatatype = 602, "BAD_DATATYPE";
    /// The array reaches outside its block.
    Bounds = 603, "BOUNDS";
    /// An element does not fit the datatype asked for.
    Overflow = 604, "OVERFLOW";
    /// There is no conversion between the two datatypes.
    Conversion = 605, "CONVERSION";
    /// The stored bytes cannot be shown without a copy.
    NotViewable = 606, "NOT_VIEWABLE";
    /// The array has a mask and the call does not say what to do with it.
    Masked = 607, "MASKED";

    /// A limit of the open options was exceeded.
    Limit = 701, "LIMIT";
    /// The file can be read, but not without warnings, and it was to be opened strictly.
    Strict = 702, "STRICT";

    /// The header of a table is not one that its format allows.
    TableHeader = 801, "TABLE_HEADER";
    /// A record of a table has a wrong number of fields, or wrong quotes.
    Record = 802, "RECORD";
    /// The text of a cell of a table is not a value of its column's type.
    Cell = 803, "CELL";
}

/// Where in a file or a tree something is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file's name as the caller gave it.
    pub file: Option<Arc<str>>,
    /// Offset in bytes from the start of the file.
    pub offset: Option<u64>,
    /// Line of the file, from 1.
    pub line: Option<u64>,
    /// Column of the line in characters, from 1.
    pub column: Option<u64>,
    /// JSON Pointer of the node in the tree.
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
}

/// What went wrong and where.
#[derive(Clone, Debug)]
pub struct Error(Box<Inner>);

impl Error {
    /// An error of the given kind; `message` is one sentence without the place.
    pub fn new(status: Status, message: impl Into<String>) -> Error {
        Error(Box::new(Inner { status, message: message.into(), location: Location::default(), os_error: None }))
    }

    /// What the operating system reported while doing `action` (such as "reading").
    pub fn io(action: &str, error: &std::io::Error) -> Error {
        use std::io::ErrorKind;
        let status = match error.kind() {
            ErrorKind::NotFound => Status::FileNotFound,
            ErrorKind::PermissionDenied => Status::PermissionDenied,
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => Status::NoSpace,
            ErrorKind::OutOfMemory => Status::OutOfMemory,
            ErrorKind::UnexpectedEof => Status::Truncated,
            _ => Status::Io,
        };
        let mut out = Error::new(status, format!("{action}: {error}"));
        out.0.os_error = error.raw_os_error();
        out
    }

    /// The error for a file that is in place, although waiting for the disk failed afterwards.
    pub fn not_durable(error: &std::io::Error) -> Error {
        let message =
            format!("the new file is in place, but it is not sure that it is on the disk: waiting failed: {error}");
        let mut out = Error::new(Status::NotDurable, message);
        out.0.os_error = error.raw_os_error();
        out
    }

    /// The error for exceeding `limit`, which is named in words.
    pub fn limit(limit: &str, maximum: u64) -> Error {
        Error::new(
            Status::Limit,
            format!("the limit of {maximum} on {limit} is exceeded; it can be raised in the open options"),
        )
    }

    /// The error for memory that could not be had.
    pub fn out_of_memory(bytes: u64) -> Error {
        Error::new(Status::OutOfMemory, format!("cannot allocate {bytes} bytes"))
    }

    /// A warning that is to count as an error.
    pub fn of_warning(warning: &Warning) -> Error {
        let mut error = Error::new(Status::Strict, warning.message.clone());
        error.0.location = warning.location.clone();
        error
    }

    /// An error of the same kind for something larger that failed because of this one, whose place the message tells.
    #[must_use]
    pub fn because_of(what: &str, reason: &Error) -> Error {
        let mut error = Error::new(reason.status(), format!("{what}: {reason}"));
        error.0.os_error = reason.0.os_error;
        error
    }

    /// Adds what went wrong besides.
    #[must_use]
    pub fn with_more(mut self, message: &str) -> Error {
        self.0.message.push_str("; ");
        self.0.message.push_str(message);
        self
    }

    /// Adds the file's name unless one is known.
    #[must_use]
    pub fn in_file(mut self, file: &Arc<str>) -> Error {
        self.0.location.file.get_or_insert_with(|| file.clone());
        self
    }

    /// Adds the byte offset in the file unless one is known.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Error {
        self.0.location.offset.get_or_insert(offset);
        self
    }

    /// Adds line and column of the file (both from 1) unless they are known.
    #[must_use]
    pub fn at_line(mut self, line: u64, column: u64) -> Error {
        if self.0.location.line.is_none() {
            self.0.location.line = Some(line);
            self.0.location.column = Some(column);
        }
        self
    }

    /// Adds the path of the node concerned unless one is known.
    #[must_use]
    pub fn at_path(mut self, path: impl Into<String>) -> Error {
        if self.0.location.path.is_none() {
            self.0.location.path = Some(path.into());
        }
        self
    }

    /// Adds the name of the column of a table unless one is known.
    #[must_use]
    pub fn in_table_column(mut self, name: &str) -> Error {
        self.0.location.table_column.get_or_insert_with(|| name.to_owned());
        self
    }

    /// The kind of the error.
    pub fn status(&self) -> Status {
        self.0.status
    }

    /// The sentence alone, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What is known of the place.
    pub fn location(&self) -> &Location {
        &self.0.location
    }

    /// The operating system's error number, if it reported the error.
    pub fn os_error(&self) -> Option<i32> {
        self.0.os_error
    }
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
            write!(f, "{separator}at {}", if path.is_empty() { "the root" } else { path })?;
            separator = ", ";
        }
        if let Some(column) = &self.table_column {
            write!(f, "{separator}column '{column}'")?;
        }
        Ok(())
    }
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

/// Something a reader should know although the file can be read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Warning {
    /// One sentence, without the place.
    pub message: String,
    /// Where it is.
    pub location: Location,
}

impl Warning {
    /// A warning without a place.
    pub fn new(message: impl Into<String>) -> Warning {
        Warning { message: message.into(), location: Location::default() }
    }

    /// Adds the byte offset in the file.
    #[must_use]
    pub fn at_offset(mut self, offset: u64) -> Warning {
        self.location.offset = Some(offset);
        self
    }

    /// Adds line and column of the file, both from 1.
    #[must_use]
    pub fn at_line(mut self, line: u64, column: u64) -> Warning {
        self.location.line = Some(line);
        self.location.column = Some(column);
        self
    }

    /// Adds the path of the node concerned.
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

/// Warnings in the order in which they came, each of them once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Warnings {
    list: Vec<Warning>,
    /// Places in the list by the hashes of the warnings there.
    places: HashMap<u64, Vec<usize>>,
    hashes: RandomState,
    /// Number of warnings that were found but not kept.
    dropped: u64,
}

impl Warnings {
    /// Adds a warning unless it is there already.
    pub(crate) fn add(&mut self, warning: Warning) {
        let places = self.places.entry(self.hashes.hash_one(&warning)).or_default();
        if !places.iter().any(|&place| self.list.get(place) == Some(&warning)) {
            places.push(self.list.len());
            self.list.push(warning);
        }
    }

    /// Counts warnings that are not kept.
    pub(crate) fn count_dropped(&mut self, count: u64) {
        self.dropped = self.dropped.saturating_add(count);
    }

    /// Number of warnings that were found but not kept.
    pub(crate) fn dropped(&self) -> u64 {
        self.dropped
    }

    /// All of them.
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
    fn warnings_are_kept_once_each_and_in_order() {
        let warning = |number: u64| Warning::new("odd").at_offset(number);
        let mut warnings: Warnings = [3, 1, 3, 2].into_iter().map(warning).collect();
        warnings.add(warning(1));
        warnings.add(Warning::new("odd"));
        assert_eq!(warnings.as_slice(), [warning(3), warning(1), warning(2), Warning::new("odd")]);
    }
}
