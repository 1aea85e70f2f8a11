//! A text and its position in a file: where errors and warnings point to.

use crate::error::{Error, Result, Status, Warning};
use crate::tree::{Lines, line_and_column};
use std::sync::Arc;

/// A text and its position in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document<'a> {
    pub(crate) text: &'a str,
    /// Byte offset of the text in its file.
    pub(in crate::yaml) offset: u64,
    /// Line of the file on which the text begins, from 1.
    pub(in crate::yaml) line: u64,
    /// File positions of the lines of the text, used instead of `offset` and `line` if the text is not contiguous in
    /// its file.
    pub(in crate::yaml) lines: Option<&'a Arc<Lines>>,
}

impl<'a> Document<'a> {
    /// Creates a document for a text that begins at this byte offset and line of its file.
    pub(in crate::yaml) fn new(text: &'a str, offset: u64, line: u64) -> Document<'a> {
        Document { text, offset, line, lines: None }
    }

    /// Returns byte offset, line and column in the file of a position in the text.
    fn place(&self, position: usize) -> (u64, u64, u64) {
        match self.lines {
            Some(lines) => lines.place(self.text, position),
            None => {
                let (line, column) = line_and_column(self.text, self.line, position);
                (self.offset + position as u64, line, column)
            }
        }
    }

    /// Adds byte offset, line and column of a position in the text to an error.
    pub(in crate::yaml) fn locate(&self, error: Error, position: usize) -> Error {
        let (offset, line, column) = self.place(position);
        error.at_offset(offset).at_line(line, column)
    }

    /// Returns the line in the file of a position in the text.
    pub(in crate::yaml) fn line_of(&self, position: usize) -> u64 {
        self.place(position).1
    }

    /// Returns a warning about a position in the text.
    pub(in crate::yaml) fn warning(&self, message: String, position: usize) -> Warning {
        let (offset, line, column) = self.place(position);
        Warning::new(message).at_offset(offset).at_line(line, column)
    }
}

/// Maximum number of characters of a text that a message repeats.
const MAX_REPEATED: usize = 30;

/// Returns the beginning of a text for a message, with its special characters escaped.
pub(in crate::yaml) fn quoted_part(text: &str) -> String {
    match text.char_indices().nth(MAX_REPEATED) {
        Some((end, _)) => format!("{}…", text[..end].escape_debug()),
        None => text.escape_debug().to_string(),
    }
}

/// Decodes `bytes` as UTF-8, the only encoding of an ASDF tree.
///
/// `offset` and `line` (from 1) are the position of the bytes in their file. An invalid byte fails with
/// [`Status::Encoding`], located at the first invalid byte.
pub(crate) fn text_of(bytes: Vec<u8>, offset: u64, line: u64) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let position = error.utf8_error().valid_up_to();
        let (valid, rest) = error.as_bytes().split_at(position);
        let text = std::str::from_utf8(valid).unwrap_or_default();
        let byte = rest.first().copied().unwrap_or_default();
        let error = Error::new(
            Status::Encoding,
            format!("the byte {byte:#04x} is not valid UTF-8 at this position; save the text as UTF-8"),
        );
        Document::new(text, offset, line).locate(error, position)
    })
}
