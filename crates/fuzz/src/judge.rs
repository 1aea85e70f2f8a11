//! Rules for the error of any input.

use asdfkit::{Error, Status};

/// Panics for errors that no input may cause.
pub fn judge(error: &Error) {
    let status = error.status();
    assert!(status != Status::Internal && status != Status::OutOfMemory, "{error}");
    assert!(!error.message().is_empty());
}

/// Returns the result of a call, and judges its error.
pub fn take<T>(result: asdfkit::Result<T>) -> Option<T> {
    result.inspect_err(judge).ok()
}
