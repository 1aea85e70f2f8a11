//! Answers to requests, and failures as JSON.

use asdfkit::{Error, Result, Status};
use serde_json::{Value, json};

/// An answer: facts, and bytes of elements.
pub(crate) struct Answer {
    pub(crate) json: Value,
    pub(crate) bytes: Vec<u8>,
}

impl From<Value> for Answer {
    fn from(json: Value) -> Answer {
        Answer { json, bytes: Vec::new() }
    }
}

impl From<Error> for Answer {
    fn from(error: Error) -> Answer {
        let location = error.location();
        let facts = json!({
            "message": error.to_string(),
            "status": error.status() as i32,
            "offset": location.offset,
            "line": location.line,
            "column": location.column,
            "path": location.path,
        });
        json!({ "error": facts }).into()
    }
}

/// Returns the error of a request that cannot be answered.
pub(crate) fn refused(message: impl Into<String>) -> Error {
    Error::new(Status::InvalidArgument, message)
}

/// Fails unless so many bytes fit one answer.
pub(crate) fn check_size(bytes: u64) -> Result<usize> {
    /// A browser's tab should hold several answers.
    const MOST: u64 = 256 << 20;
    match usize::try_from(bytes) {
        Ok(size) if bytes <= MOST => Ok(size),
        _ => Err(Error::limit("bytes in one answer", MOST)),
    }
}
