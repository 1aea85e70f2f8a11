//! State of a writer of a table in batches.

use crate::error::{Error, Result, Status};
use std::sync::Arc;

/// What a writer can do. After a failure the table is incomplete.
pub(crate) enum WriterState<T> {
    Open(Box<T>),
    /// Not all rows that were appended are in the output.
    Failed(Status, Arc<str>),
    Finished,
}

impl<T> WriterState<T> {
    /// Returns the open writer. Fails as the call that failed before, and after the end.
    pub(crate) fn open(&mut self) -> Result<&mut T> {
        match self {
            WriterState::Open(open) => Ok(open),
            WriterState::Failed(status, message) => Err(Error::new(*status, &**message)),
            WriterState::Finished => Err(finished()),
        }
    }

    /// Refuses further rows, because this failure has left the output incomplete.
    pub(crate) fn fail(&mut self, error: &Error) {
        *self = WriterState::Failed(error.status(), error.message().into());
    }

    /// Ends writing, and returns what was open. Fails with [`Status::Incomplete`] if rows are missing.
    pub(crate) fn finish(&mut self) -> Result<Box<T>> {
        match std::mem::replace(self, WriterState::Finished) {
            WriterState::Open(open) => Ok(open),
            WriterState::Failed(status, message) => {
                let error = format!("the table is incomplete because an earlier call failed: {message}");
                *self = WriterState::Failed(status, message);
                Err(Error::new(Status::Incomplete, error))
            }
            WriterState::Finished => Err(finished()),
        }
    }
}

fn finished() -> Error {
    Error::new(Status::Closed, "the table is already finished")
}
