//! What is wrong with records, before anybody has counted in which line.

use crate::error::{Error, Status};

/// Something wrong at a place of the bytes at hand.
#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) status: Status,
    pub(crate) message: String,
    /// Where, in bytes from the first one at hand.
    pub(crate) place: usize,
    /// The place in the header of the column concerned.
    pub(crate) column: Option<usize>,
}

impl Fault {
    /// A fault of the bytes at this place.
    pub(crate) fn new(status: Status, message: impl Into<String>, place: usize) -> Fault {
        Fault { status, message: message.into(), place, column: None }
    }

    /// What went wrong while these bytes were looked at, though it may not be their fault.
    pub(crate) fn of(error: &Error, place: usize) -> Fault {
        Fault::new(error.status(), error.message(), place)
    }

    /// Adds the column concerned.
    pub(crate) fn in_column(mut self, column: usize) -> Fault {
        self.column = Some(column);
        self
    }
}

/// The beginning of a text that an error message quotes.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}…", text.get(..end).unwrap_or_default()),
        None => format!("{text:?}"),
    }
}
