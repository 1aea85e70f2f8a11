//! A text that grows piece by piece. It is no `String`: a refused request ends the growth, not the process.

use super::{append, push};
use crate::error::{Error, Result};
use std::fmt;

/// A text that writers append to. After the system refused memory, the text takes nothing more, and
/// [`GrowingText::finish`] fails.
#[derive(Default)]
pub(crate) struct GrowingText {
    text: String,
    refused: Option<Error>,
}

impl GrowingText {
    /// Appends a text.
    #[inline]
    pub(crate) fn push_str(&mut self, more: &str) {
        if self.text.capacity() - self.text.len() >= more.len() {
            self.text.push_str(more);
        } else {
            self.grow(more);
        }
    }

    #[cold]
    fn grow(&mut self, more: &str) {
        if self.refused.is_none() {
            let appended = append(&mut self.text, more);
            self.expect(appended);
        }
    }

    /// Appends a character.
    #[inline]
    pub(crate) fn push(&mut self, character: char) {
        self.push_str(character.encode_utf8(&mut [0; 4]));
    }

    /// Appends an item to a list that belongs to the text.
    #[inline]
    pub(crate) fn push_to<T>(&mut self, list: &mut Vec<T>, item: T) {
        let pushed = push(list, item);
        self.expect(pushed);
    }

    /// Makes the text fail if a step of its writer failed.
    #[inline]
    pub(crate) fn expect(&mut self, result: Result<()>) {
        if let Err(error) = result {
            self.refuse(error);
        }
    }

    #[cold]
    fn refuse(&mut self, error: Error) {
        self.text = String::new();
        self.refused.get_or_insert(error);
    }

    /// Returns the length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    /// Returns true if nothing was appended.
    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Removes what follows the first `length` bytes.
    pub(crate) fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
    }

    /// Returns the text so far, or the error of the first refused request.
    pub(crate) fn so_far(&self) -> Result<&str> {
        match &self.refused {
            None => Ok(&self.text),
            Some(error) => Err(error.clone()),
        }
    }

    /// Returns the text, or the error of the first refused request.
    pub(crate) fn finish(self) -> Result<String> {
        match self.refused {
            None => Ok(self.text),
            Some(error) => Err(error),
        }
    }
}

/// Never fails, so that the result need not be checked at each step.
impl fmt::Write for GrowingText {
    fn write_str(&mut self, more: &str) -> fmt::Result {
        self.push_str(more);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Status;
    use std::fmt::Write;

    #[test]
    fn a_text_holds_what_was_appended() {
        let mut text = GrowingText::default();
        text.push_str("ab");
        text.push('é');
        let _ = write!(text, "{}", 12);
        assert_eq!((text.so_far().unwrap(), text.len(), text.is_empty()), ("abé12", 6, false));
        text.truncate(1);
        assert_eq!(text.finish().unwrap(), "a");
    }

    #[test]
    fn a_text_fails_after_a_refused_request() {
        let mut text = GrowingText::default();
        text.push_str("ab");
        text.expect(Err(Error::out_of_memory(7)));
        text.push_str("more");
        assert_eq!(text.so_far().unwrap_err().status(), Status::OutOfMemory);
        assert_eq!(text.finish().unwrap_err().status(), Status::OutOfMemory);
    }
}
