//! Errors in records, before line numbers are known.

use crate::error::{Error, Status};

/// Error at a place in a piece of the text.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) status: Status,
    pub(crate) message: String,
    /// Byte offset in the piece of text.
    pub(crate) place: usize,
    /// Index of the column in the header.
    pub(crate) column: Option<usize>,
}

impl Fault {
    /// Makes an error about the bytes at this place.
    pub(crate) fn new(status: Status, message: impl Into<String>, place: usize) -> Fault {
        Fault { status, message: message.into(), place, column: None }
    }

    /// Makes an error at this place from one that occurred while these bytes were read, such as lack of memory.
    pub(crate) fn of(error: &Error, place: usize) -> Fault {
        Fault::new(error.status(), error.message(), place)
    }

    /// Adds the index of the column.
    pub(crate) fn in_column(mut self, column: usize) -> Fault {
        self.column = Some(column);
        self
    }
}

/// Returns the beginning of a text as a quotation for error messages.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
