//! Errors about characters that cannot stand where they stand.

use super::Scanner;
use crate::error::Error;

impl Scanner<'_> {
    /// Returns the error of a character that begins no token.
    #[cold]
    pub(super) fn no_token(&self, byte: u8) -> Error {
        match byte {
            b'\t' => self.error_here(self.message_of_tab()),
            b'|' | b'>' => self.error_here("a text after '|' or '>' cannot stand in brackets; write it in quotes"),
            _ => {
                let character = char::from(byte);
                self.error_here(&format!("a text cannot begin with '{character}'; write it in quotes"))
            }
        }
    }

    fn message_of_tab(&self) -> &'static str {
        match self.bytes[self.line_start..self.at].iter().rev().find(|&&byte| byte != b' ') {
            Some(b'-' | b'?' | b':') => "a tab stands after '-', '?' or ':'; use spaces there",
            _ => "a tab stands in the indentation of this line; use spaces",
        }
    }

    /// Returns the error of a node at `start` that stands where a key must stand, and has no colon after it. The node
    /// ends at the current position.
    #[cold]
    pub(super) fn no_colon(&self, start: usize) -> Error {
        let node = self.document.text[start..self.at].trim_ascii_end();
        let is_before_colon = self.bytes.get(self.at) == Some(&b':');
        let message = if self.line_start > start && node.starts_with(['\'', '"']) {
            "a key must end in the line in which it begins; is a closing quote missing?"
        } else if is_before_colon && self.line_start <= start && self.is_blank_or_end(self.at + 1) {
            "a key can have at most 1,024 characters; write a longer one after '? '"
        } else if node.contains(':') || is_before_colon && self.line_start <= start {
            "a blank must follow the ':' after a key"
        } else {
            "a key must be followed by ': ', a list item must follow '- '; indent a value further than its key"
        };
        self.error(message, start)
    }

    /// Returns the character at a position as a message shows it.
    pub(super) fn character_at(&self, position: usize) -> String {
        let character = self.document.text.get(position..).and_then(|rest| rest.chars().next());
        character.unwrap_or_default().escape_debug().to_string()
    }
}
