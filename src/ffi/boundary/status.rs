//! Status numbers and their names. They equal those of `crate::Status`; a test compares them.
//!
//! # Status
//!
//! Most functions return a status. The hundreds digit is the group: 100 the call, 200 the operating system, 300 the
//! bytes of the file, 400 compression, 500 the tree, 600 arrays, 700 limits, 800 tables. A number never changes its
//! meaning. New numbers may be added: treat an unknown one as an error of its group.
//!
//! ```c
//! asdf_status status = asdf_file_open("image.asdf", NULL, &file);
//! if (status == ASDF_ERR_FILE_NOT_FOUND) return make_new_file();
//! if (status != ASDF_OK) fprintf(stderr, "%s\n", asdf_status_name(status));
//! ```

use crate::error::Status;
use std::ffi::{CStr, c_char};

/// ASDF_OK, or one of ASDF_ERR_...
pub type asdf_status = i32;

/// No error.
pub const ASDF_OK: asdf_status = 0;
/// The function does not accept this argument.
pub const ASDF_ERR_INVALID_ARGUMENT: asdf_status = 101;
/// A required pointer is NULL.
pub const ASDF_ERR_NULL_POINTER: asdf_status = 102;
/// The handle is of another kind, or is already freed.
pub const ASDF_ERR_WRONG_HANDLE: asdf_status = 103;
/// The file behind the handle was closed.
pub const ASDF_ERR_CLOSED: asdf_status = 104;
/// The node behind the handle was removed by an edit.
pub const ASDF_ERR_STALE: asdf_status = 105;
/// The caller's buffer is too small for the result.
pub const ASDF_ERR_BUFFER_TOO_SMALL: asdf_status = 106;
/// The file was opened for reading only.
pub const ASDF_ERR_READ_ONLY: asdf_status = 107;
/// An index, a region or a number is out of range.
pub const ASDF_ERR_OUT_OF_RANGE: asdf_status = 108;
/// An earlier setter failed, so the file to write is incomplete.
pub const ASDF_ERR_INCOMPLETE: asdf_status = 109;
/// The library or this build of it does not support this.
pub const ASDF_ERR_UNSUPPORTED: asdf_status = 110;
/// The changes cannot be saved in place; they need a new file.
pub const ASDF_ERR_NOT_IN_PLACE: asdf_status = 111;
/// The handle was made before a fork, by the parent process. The child may not use it for this call.
pub const ASDF_ERR_FORKED: asdf_status = 112;
/// The progress callback cancelled the call.
pub const ASDF_ERR_CANCELLED: asdf_status = 113;
/// The operating system reported an error.
pub const ASDF_ERR_IO: asdf_status = 201;
/// No file has this name.
pub const ASDF_ERR_FILE_NOT_FOUND: asdf_status = 202;
/// The operating system denies the access.
pub const ASDF_ERR_PERMISSION_DENIED: asdf_status = 203;
/// The device or the quota is full.
pub const ASDF_ERR_NO_SPACE: asdf_status = 204;
/// Memory could not be allocated.
pub const ASDF_ERR_OUT_OF_MEMORY: asdf_status = 205;
/// The file changed while it was open.
pub const ASDF_ERR_FILE_CHANGED: asdf_status = 206;
/// A callback of the caller reported failure.
pub const ASDF_ERR_CALLBACK: asdf_status = 207;
/// The open options allow other files, but not this one.
pub const ASDF_ERR_ACCESS_DENIED: asdf_status = 208;
/// Another program or handle has the file open for update.
pub const ASDF_ERR_LOCKED: asdf_status = 209;
/// A file of this name exists and may not be replaced.
pub const ASDF_ERR_FILE_EXISTS: asdf_status = 210;
/// The new file is in place, but may not be on the disk yet.
pub const ASDF_ERR_NOT_DURABLE: asdf_status = 211;
/// A defect of the library: please report it.
pub const ASDF_ERR_INTERNAL: asdf_status = 299;
/// The bytes do not begin like an ASDF file.
pub const ASDF_ERR_NOT_ASDF: asdf_status = 301;
/// The version of the file format is unknown.
pub const ASDF_ERR_VERSION: asdf_status = 302;
/// The parts of the file are not in the order of the standard.
pub const ASDF_ERR_LAYOUT: asdf_status = 303;
/// The file ends too early.
pub const ASDF_ERR_TRUNCATED: asdf_status = 304;
/// A block header contradicts itself or the file.
pub const ASDF_ERR_BLOCK_HEADER: asdf_status = 305;
/// No block has this number.
pub const ASDF_ERR_BLOCK_NOT_FOUND: asdf_status = 306;
/// The stored checksum does not match the bytes.
pub const ASDF_ERR_CHECKSUM: asdf_status = 307;
/// The bytes do not begin like an ECSV file.
pub const ASDF_ERR_NOT_ECSV: asdf_status = 308;
/// The codec is unknown, or not part of this build.
pub const ASDF_ERR_UNKNOWN_CODEC: asdf_status = 401;
/// The compressed bytes are damaged.
pub const ASDF_ERR_CORRUPT: asdf_status = 402;
/// The decoded size differs from the declared size.
pub const ASDF_ERR_DECODED_SIZE: asdf_status = 403;
/// The tree is not well-formed YAML.
pub const ASDF_ERR_YAML: asdf_status = 501;
/// The text is not valid UTF-8, or has characters that YAML forbids.
pub const ASDF_ERR_ENCODING: asdf_status = 502;
/// The tree is well-formed YAML, but ASDF does not allow it.
pub const ASDF_ERR_TREE: asdf_status = 503;
/// Nothing exists at this path.
pub const ASDF_ERR_NOT_FOUND: asdf_status = 504;
/// The node does not have the requested type.
pub const ASDF_ERR_WRONG_TYPE: asdf_status = 505;
/// The value does not fit the requested type.
pub const ASDF_ERR_VALUE_RANGE: asdf_status = 506;
/// The path or the reference is malformed.
pub const ASDF_ERR_PATH: asdf_status = 507;
/// The target of a reference does not exist.
pub const ASDF_ERR_DANGLING_REFERENCE: asdf_status = 508;
/// References form a cycle.
pub const ASDF_ERR_REFERENCE_CYCLE: asdf_status = 509;
/// The target is in another file; the options do not allow that.
pub const ASDF_ERR_EXTERNAL_REFERENCE: asdf_status = 510;
/// The content of a known tag is not valid for the tag.
pub const ASDF_ERR_TAG_CONTENT: asdf_status = 511;
/// The array's description is malformed.
pub const ASDF_ERR_BAD_ARRAY: asdf_status = 601;
/// The datatype is unknown or malformed.
pub const ASDF_ERR_BAD_DATATYPE: asdf_status = 602;
/// The array reaches outside its block.
pub const ASDF_ERR_BOUNDS: asdf_status = 603;
/// An element does not fit the requested datatype.
pub const ASDF_ERR_OVERFLOW: asdf_status = 604;
/// There is no conversion between the two datatypes.
pub const ASDF_ERR_CONVERSION: asdf_status = 605;
/// The stored bytes cannot be viewed without a copy.
pub const ASDF_ERR_NOT_VIEWABLE: asdf_status = 606;
/// The array has a mask, or the column a missing element, but the call has neither mask nor fill value.
pub const ASDF_ERR_MASKED: asdf_status = 607;
/// A limit of the open options was exceeded.
pub const ASDF_ERR_LIMIT: asdf_status = 701;
/// Warnings count as errors, and the file has one.
pub const ASDF_ERR_STRICT: asdf_status = 702;
/// The table header is not valid in its format.
pub const ASDF_ERR_TABLE_HEADER: asdf_status = 801;
/// A record has a wrong number of fields, or wrong quotes.
pub const ASDF_ERR_RECORD: asdf_status = 802;
/// The text of a cell is not a value of the column's type.
pub const ASDF_ERR_CELL: asdf_status = 803;

/// Returns the name of the constant of a status, such as "ASDF_ERR_TRUNCATED".
///
/// @param status any number
/// @return static string; "unknown status" for an unknown number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_status_name(status: asdf_status) -> *const c_char {
    name(status).as_ptr()
}

fn name(status: asdf_status) -> &'static CStr {
    if status == ASDF_OK {
        return c"ASDF_OK";
    }
    match Status::from_code(status) {
        Some(Status::InvalidArgument) => c"ASDF_ERR_INVALID_ARGUMENT",
        Some(Status::NullPointer) => c"ASDF_ERR_NULL_POINTER",
        Some(Status::WrongHandle) => c"ASDF_ERR_WRONG_HANDLE",
        Some(Status::Closed) => c"ASDF_ERR_CLOSED",
        Some(Status::Stale) => c"ASDF_ERR_STALE",
        Some(Status::BufferTooSmall) => c"ASDF_ERR_BUFFER_TOO_SMALL",
        Some(Status::ReadOnly) => c"ASDF_ERR_READ_ONLY",
        Some(Status::OutOfRange) => c"ASDF_ERR_OUT_OF_RANGE",
        Some(Status::Incomplete) => c"ASDF_ERR_INCOMPLETE",
        Some(Status::Unsupported) => c"ASDF_ERR_UNSUPPORTED",
        Some(Status::NotInPlace) => c"ASDF_ERR_NOT_IN_PLACE",
        Some(Status::Forked) => c"ASDF_ERR_FORKED",
        Some(Status::Cancelled) => c"ASDF_ERR_CANCELLED",
        Some(Status::Io) => c"ASDF_ERR_IO",
        Some(Status::FileNotFound) => c"ASDF_ERR_FILE_NOT_FOUND",
        Some(Status::PermissionDenied) => c"ASDF_ERR_PERMISSION_DENIED",
        Some(Status::NoSpace) => c"ASDF_ERR_NO_SPACE",
        Some(Status::OutOfMemory) => c"ASDF_ERR_OUT_OF_MEMORY",
        Some(Status::FileChanged) => c"ASDF_ERR_FILE_CHANGED",
        Some(Status::Callback) => c"ASDF_ERR_CALLBACK",
        Some(Status::AccessDenied) => c"ASDF_ERR_ACCESS_DENIED",
        Some(Status::Locked) => c"ASDF_ERR_LOCKED",
        Some(Status::FileExists) => c"ASDF_ERR_FILE_EXISTS",
        Some(Status::NotDurable) => c"ASDF_ERR_NOT_DURABLE",
        Some(Status::Internal) => c"ASDF_ERR_INTERNAL",
        Some(Status::NotAsdf) => c"ASDF_ERR_NOT_ASDF",
        Some(Status::Version) => c"ASDF_ERR_VERSION",
        Some(Status::Layout) => c"ASDF_ERR_LAYOUT",
        Some(Status::Truncated) => c"ASDF_ERR_TRUNCATED",
        Some(Status::BlockHeader) => c"ASDF_ERR_BLOCK_HEADER",
        Some(Status::BlockNotFound) => c"ASDF_ERR_BLOCK_NOT_FOUND",
        Some(Status::Checksum) => c"ASDF_ERR_CHECKSUM",
        Some(Status::NotEcsv) => c"ASDF_ERR_NOT_ECSV",
        Some(Status::UnknownCodec) => c"ASDF_ERR_UNKNOWN_CODEC",
        Some(Status::Corrupt) => c"ASDF_ERR_CORRUPT",
        Some(Status::DecodedSize) => c"ASDF_ERR_DECODED_SIZE",
        Some(Status::Yaml) => c"ASDF_ERR_YAML",
        Some(Status::Encoding) => c"ASDF_ERR_ENCODING",
        Some(Status::Tree) => c"ASDF_ERR_TREE",
        Some(Status::NotFound) => c"ASDF_ERR_NOT_FOUND",
        Some(Status::WrongType) => c"ASDF_ERR_WRONG_TYPE",
        Some(Status::ValueRange) => c"ASDF_ERR_VALUE_RANGE",
        Some(Status::Path) => c"ASDF_ERR_PATH",
        Some(Status::DanglingReference) => c"ASDF_ERR_DANGLING_REFERENCE",
        Some(Status::ReferenceCycle) => c"ASDF_ERR_REFERENCE_CYCLE",
        Some(Status::ExternalReference) => c"ASDF_ERR_EXTERNAL_REFERENCE",
        Some(Status::TagContent) => c"ASDF_ERR_TAG_CONTENT",
        Some(Status::BadArray) => c"ASDF_ERR_BAD_ARRAY",
        Some(Status::BadDatatype) => c"ASDF_ERR_BAD_DATATYPE",
        Some(Status::Bounds) => c"ASDF_ERR_BOUNDS",
        Some(Status::Overflow) => c"ASDF_ERR_OVERFLOW",
        Some(Status::Conversion) => c"ASDF_ERR_CONVERSION",
        Some(Status::NotViewable) => c"ASDF_ERR_NOT_VIEWABLE",
        Some(Status::Masked) => c"ASDF_ERR_MASKED",
        Some(Status::Limit) => c"ASDF_ERR_LIMIT",
        Some(Status::Strict) => c"ASDF_ERR_STRICT",
        Some(Status::TableHeader) => c"ASDF_ERR_TABLE_HEADER",
        Some(Status::Record) => c"ASDF_ERR_RECORD",
        Some(Status::Cell) => c"ASDF_ERR_CELL",
        None => c"unknown status",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and numbers of the constants, parsed from this file.
    fn constants() -> impl Iterator<Item = (&'static str, i32)> {
        let lines = include_str!("status.rs").lines();
        lines.filter_map(|line| line.strip_prefix("pub const ASDF_ERR_")).map(|line| {
            let (name, number) = line.split_once(": asdf_status = ").unwrap();
            (name, number.trim_end_matches(';').parse().unwrap())
        })
    }

    #[test]
    fn constants_and_names_are_those_of_the_statuses() {
        for &status in Status::ALL {
            assert!(constants().any(|constant| constant == (status.name(), status.code())), "{status:?}");
            assert_eq!(name(status.code()).to_str().unwrap(), format!("ASDF_ERR_{}", status.name()));
        }
        assert_eq!(constants().count(), Status::ALL.len());
        assert_eq!(name(0), c"ASDF_OK");
        assert_eq!(name(-1), c"unknown status");
    }
}
