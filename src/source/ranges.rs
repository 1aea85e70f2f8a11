//! Ranges for a reader behind a C interface, and the meaning of its failures.

use crate::error::{Error, Result, Status};
use std::ffi::c_void;

/// Ranges as three lists of the same length. Empty ranges are left out.
pub(crate) struct RawRanges {
    pub(crate) offsets: Vec<i64>,
    pub(crate) sizes: Vec<usize>,
    pub(crate) buffers: Vec<*mut c_void>,
}

impl RawRanges {
    /// Converts ranges of a source of `length` bytes. The buffers must outlive the result.
    pub(crate) fn new(ranges: &mut [(u64, &mut [u8])], length: u64) -> Result<RawRanges> {
        let mut raw = RawRanges { offsets: Vec::new(), sizes: Vec::new(), buffers: Vec::new() };
        for (offset, buffer) in ranges.iter_mut().filter(|(_, buffer)| !buffer.is_empty()) {
            let end = offset.checked_add(buffer.len() as u64).filter(|end| *end <= length);
            let Some(place) = end.and_then(|_| i64::try_from(*offset).ok()) else {
                return Err(Error::new(Status::Truncated, "the source ends early").at_offset(length));
            };
            raw.offsets.push(place);
            raw.sizes.push(buffer.len());
            raw.buffers.push(buffer.as_mut_ptr().cast());
        }
        Ok(raw)
    }
}

/// Statuses of a reader that become those of the call.
const PASSED_ON: [Status; 9] = [
    Status::FileNotFound,
    Status::PermissionDenied,
    Status::AccessDenied,
    Status::FileChanged,
    Status::Truncated,
    Status::Io,
    Status::OutOfMemory,
    Status::Cancelled,
    Status::Unsupported,
];

/// Returns the failure of a reader that returned a number; `said` is its message for a status.
pub(crate) fn failure_of_reader(number: i32, said: impl FnOnce(Status) -> Option<String>) -> Error {
    match Status::from_code(number).filter(|status| PASSED_ON.contains(status)) {
        Some(status) => Error::new(status, said(status).unwrap_or_else(|| status.meaning().to_owned())),
        None => Error::new(Status::Callback, format!("the read callback returned {number}")),
    }
}
