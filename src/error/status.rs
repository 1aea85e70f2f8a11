//! Kinds of errors: number, name and meaning of each.

use std::ffi::CStr;

macro_rules! statuses {
    ($(#[doc = $meaning:literal] $(#[$more:meta])? $name:ident = $number:literal, $text:literal;)*) => {
        /// Kind of an error. The discriminant is its number in the C interface.
        ///
        /// Numbers are grouped by hundreds and are never reused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        #[non_exhaustive]
        pub enum Status {
            $(#[doc = $meaning] $(#[$more])? $name = $number,)*
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

            /// Returns the name of the constant in the C interface.
            pub(crate) fn constant(self) -> &'static CStr {
                match self {
                    $(Status::$name => const { c_text(concat!("ASDF_ERR_", $text, "\0")) },)*
                }
            }

            /// Returns a sentence that says what the status means.
            pub fn meaning(self) -> &'static str {
                match self {
                    $(Status::$name => $meaning.trim_ascii(),)*
                }
            }
        }
    };
}

/// Returns a text that ends with NUL.
const fn c_text(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => c"",
    }
}

// Errors that only calls from C can have are hidden from the documentation for Rust.
statuses! {
    /// The function does not accept this argument.
    InvalidArgument = 101, "INVALID_ARGUMENT";
    /// A required pointer is NULL.
    #[doc(hidden)]
    NullPointer = 102, "NULL_POINTER";
    /// The handle is of another kind, or is already freed.
    #[doc(hidden)]
    WrongHandle = 103, "WRONG_HANDLE";
    /// The file behind the handle was closed.
    Closed = 104, "CLOSED";
    /// The node behind the handle was removed by an edit.
    Stale = 105, "STALE";
    /// The caller's buffer is too small for the result.
    BufferTooSmall = 106, "BUFFER_TOO_SMALL";
    /// The file was opened for reading only.
    ReadOnly = 107, "READ_ONLY";
    /// An index, a region or a number is out of range.
    OutOfRange = 108, "OUT_OF_RANGE";
    /// An earlier setter failed, so the file to write is incomplete.
    Incomplete = 109, "INCOMPLETE";
    /// The library, or this build of it, does not support this.
    Unsupported = 110, "UNSUPPORTED";
    /// The changes need a new file, but the options ask for saving in place.
    NotInPlace = 111, "NOT_IN_PLACE";
    /// The handle was made before a fork, by the parent process. The child may not use it for this call.
    Forked = 112, "FORKED";
    /// The progress callback cancelled the call.
    Cancelled = 113, "CANCELLED";

    /// The operating system reported an error.
    Io = 201, "IO";
    /// No file has this name.
    FileNotFound = 202, "FILE_NOT_FOUND";
    /// The operating system denies the access.
    PermissionDenied = 203, "PERMISSION_DENIED";
    /// The device or the quota is full.
    NoSpace = 204, "NO_SPACE";
    /// Memory could not be allocated.
    OutOfMemory = 205, "OUT_OF_MEMORY";
    /// The file changed while it was open.
    FileChanged = 206, "FILE_CHANGED";
    /// A callback of the caller reported failure.
    Callback = 207, "CALLBACK";
    /// The open options allow other files, but not this one.
    AccessDenied = 208, "ACCESS_DENIED";
    /// Another program or handle has the file open for update.
    Locked = 209, "LOCKED";
    /// A file of this name exists and may not be replaced.
    FileExists = 210, "FILE_EXISTS";
    /// The new file is in place, but may not be on the disk yet.
    NotDurable = 211, "NOT_DURABLE";
    /// A defect of the library: please report it.
    Internal = 299, "INTERNAL";

    /// The bytes do not begin like an ASDF file.
    NotAsdf = 301, "NOT_ASDF";
    /// The version of the file format is unknown.
    Version = 302, "VERSION";
    /// The parts of the file are not in the order of the standard.
    Layout = 303, "LAYOUT";
    /// The file ends too early.
    Truncated = 304, "TRUNCATED";
    /// A block header contradicts itself or the file.
    BlockHeader = 305, "BLOCK_HEADER";
    /// No block has this number.
    BlockNotFound = 306, "BLOCK_NOT_FOUND";
    /// The stored checksum does not match the bytes.
    Checksum = 307, "CHECKSUM";
    /// The bytes do not begin like an ECSV file.
    NotEcsv = 308, "NOT_ECSV";
    /// A header of a FITS file is not valid.
    FitsHeader = 309, "FITS_HEADER";
    /// No HDU of the FITS file has this name or number.
    HduNotFound = 310, "HDU_NOT_FOUND";

    /// The codec is unknown, or not part of this build.
    UnknownCodec = 401, "UNKNOWN_CODEC";
    /// The compressed bytes are damaged.
    Corrupt = 402, "CORRUPT";
    /// The decoded size differs from the declared size.
    DecodedSize = 403, "DECODED_SIZE";

    /// The tree is not well-formed YAML.
    Yaml = 501, "YAML";
    /// The text is not valid UTF-8, or has characters that YAML forbids.
    Encoding = 502, "ENCODING";
    /// The tree is well-formed YAML, but ASDF does not allow it.
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
    /// The target is in another file; the options do not allow that.
    ExternalReference = 510, "EXTERNAL_REFERENCE";
    /// The content of a known tag is not valid for the tag.
    TagContent = 511, "TAG_CONTENT";

    /// The array's description is malformed.
    BadArray = 601, "BAD_ARRAY";
    /// The datatype is unknown or malformed.
    BadDatatype = 602, "BAD_DATATYPE";
    /// The array reaches outside its block.
    Bounds = 603, "BOUNDS";
    /// An element does not fit the requested datatype.
    Overflow = 604, "OVERFLOW";
    /// There is no conversion between the two datatypes.
    Conversion = 605, "CONVERSION";
    /// The stored bytes cannot be viewed without a copy.
    NotViewable = 606, "NOT_VIEWABLE";
    /// The array has a mask, or the column a missing element, but the call has neither mask nor fill value.
    Masked = 607, "MASKED";
    /// The text is not a unit, or values of one unit cannot be converted to the other.
    Units = 608, "UNITS";

    /// A limit of the open options was exceeded.
    Limit = 701, "LIMIT";
    /// The file has warnings, and the options count warnings as errors.
    Strict = 702, "STRICT";

    /// The table header is not valid in its format.
    TableHeader = 801, "TABLE_HEADER";
    /// A record has a wrong number of fields, or wrong quotes.
    Record = 802, "RECORD";
    /// The text of a cell is not a value of the column's type.
    Cell = 803, "CELL";

    /// The tag of a transform is not known. The file is readable, the transform is not.
    UnknownTransform = 901, "UNKNOWN_TRANSFORM";
    /// The name of a transform is known, but not its version.
    TransformVersion = 902, "TRANSFORM_VERSION";
    /// The node is not a transform.
    NotTransform = 903, "NOT_TRANSFORM";
    /// Numbers of inputs and outputs of transforms do not fit.
    Arity = 904, "ARITY";
    /// The transform has no inverse.
    NoInverse = 905, "NO_INVERSE";
    /// The values of parameters make the inverse impossible.
    Singular = 906, "SINGULAR";
    /// A point lies outside of the domain of a transform that asks for an error there.
    OutOfDomain = 907, "OUT_OF_DOMAIN";
    /// No transform leads from a frame to the next.
    NoTransform = 908, "NO_TRANSFORM";
    /// The iteration of a numerical inverse did not converge.
    NoConvergence = 909, "NO_CONVERGENCE";

    /// A schema is malformed, or a reference in it leads to nothing.
    Schema = 1001, "SCHEMA";
    /// No schemas were found, or none with this name.
    SchemaNotFound = 1002, "SCHEMA_NOT_FOUND";
    /// The content does not match its schemas.
    Invalid = 1003, "INVALID";
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
}
