//! Errors about a token that the grammar does not allow where it stands.

use super::Events;
use crate::error::{Error, Result};
use crate::yaml::scan::{Token, TokenKind};

impl Events<'_> {
    /// Returns true after an error about a token that cannot stand where it stands.
    pub(in crate::yaml) fn has_misplaced_token(&self) -> bool {
        self.has_misplaced_token
    }

    #[cold]
    fn misplaced(&mut self, message: &str, token: &Token) -> Error {
        self.has_misplaced_token = true;
        self.error(message, token.span.start)
    }

    /// Returns the error of a token where a block mapping expects a key.
    #[cold]
    pub(super) fn no_key(&mut self, token: &Token) -> Error {
        let message = match token.kind {
            TokenKind::BlockEntry => "a list item ('-') stands where a key is expected; indent a list below its key",
            TokenKind::BlockMappingStart => NO_SUCH_KEY_COLUMN,
            TokenKind::BlockSequenceStart => NO_SUCH_ITEM_COLUMN,
            TokenKind::Value => "no key stands before this ':'; quote a text that begins with ':'",
            _ => self.no_entry(token),
        };
        self.misplaced(message, token)
    }

    /// Returns the error of a token where a block sequence expects an item.
    #[cold]
    pub(super) fn no_item(&mut self, token: &Token) -> Error {
        let message = match token.kind {
            TokenKind::Key | TokenKind::Value => {
                "a key stands where a list item ('-') is expected; indent a key of an item like the item's first key"
            }
            TokenKind::BlockMappingStart => NO_SUCH_KEY_COLUMN,
            TokenKind::BlockSequenceStart => NO_SUCH_ITEM_COLUMN,
            _ => self.no_entry(token),
        };
        self.misplaced(message, token)
    }

    /// Returns the message for a token that does not begin an entry of a block collection.
    fn no_entry(&self, token: &Token) -> &'static str {
        match token.kind {
            TokenKind::FlowSequenceEnd => "this ']' has no '[' before it; quote a text that contains it",
            TokenKind::FlowMappingEnd => "this '}' has no '{' before it; quote a text that contains it",
            TokenKind::Alias if !self.is_first_in_line(token) => "an alias ('*') cannot have an anchor or a tag",
            TokenKind::FlowEntry => "a ',' separates only entries in brackets; quote the text, or write '[a, b]'",
            TokenKind::Anchor | TokenKind::Tag if !self.is_first_in_line(token) => {
                "a value has at most one anchor ('&') and one tag ('!'), and they stand before it"
            }
            _ if self.is_first_in_line(token) => {
                "this line is neither an entry nor part of a value; check its indentation"
            }
            _ => "the value ends before this text; quote the whole text, or put a new entry on a line of its own",
        }
    }

    /// Returns whether only spaces precede a token in its line.
    fn is_first_in_line(&self, token: &Token) -> bool {
        let before = &self.scanner.document().text.as_bytes()[..token.span.start as usize];
        let last = before.iter().rev().find(|&&byte| byte != b' ');
        matches!(last, None | Some(b'\n' | b'\r'))
    }

    /// Returns the error of a token after an entry of a flow collection, where ',' or the closing bracket is expected.
    #[cold]
    pub(super) fn no_comma(&mut self, token: &Token, closing: char) -> Error {
        let opening = if closing == ']' { '[' } else { '{' };
        let message = match token.kind {
            TokenKind::Value => {
                format!("a ',' or '{closing}' is missing before the key of this ':'; quote a text that contains ': '")
            }
            TokenKind::FlowSequenceEnd => format!("this ']' does not close the '{opening}' before it"),
            TokenKind::FlowMappingEnd => format!("this '}}' does not close the '{opening}' before it"),
            _ => format!("a ',' or '{closing}' is missing before this text; quote a text that contains brackets"),
        };
        self.misplaced(&message, token)
    }

    /// Returns the error of a token where a value is expected.
    #[cold]
    pub(super) fn no_node(&mut self, is_in_block: bool) -> Result<Error> {
        let token = self.take()?;
        let message = match token.kind {
            TokenKind::FlowEntry if is_in_block => self.no_entry(&token),
            TokenKind::FlowEntry => "no value stands before this ','; write '' for an empty text, or remove the ','",
            TokenKind::FlowSequenceEnd if is_in_block => self.no_entry(&token),
            TokenKind::FlowMappingEnd if is_in_block => self.no_entry(&token),
            TokenKind::FlowSequenceEnd => "a value or '}' is expected before this ']'",
            TokenKind::FlowMappingEnd => "a value or ']' is expected before this '}'",
            TokenKind::BlockEntry => "a list with '-' cannot stand in brackets; write '[a, b]', or quote a text '-'",
            _ => "a value is expected here; quote a text that begins with this character",
        };
        Ok(self.misplaced(message, &token))
    }

    /// Returns the error of a token where a document begins only with `---`, after directives or another document.
    #[cold]
    pub(super) fn no_document(&mut self, token: &Token, is_after_directives: bool) -> Error {
        let message = match token.kind {
            _ if is_after_directives => "a line '---' must stand between the directives ('%') and the document",
            TokenKind::BlockMappingStart | TokenKind::BlockSequenceStart | TokenKind::Key => {
                "the document ends before this line; indent its keys or items all alike, and quote a text with ': '"
            }
            TokenKind::FlowSequenceEnd | TokenKind::FlowMappingEnd | TokenKind::FlowEntry => self.no_entry(token),
            _ => "the document ends before this text; check its indentation, and quote a text with special characters",
        };
        self.misplaced(message, token)
    }
}

const NO_SUCH_KEY_COLUMN: &str =
    "this key is indented less than the key before it, but like no key further above; indent it like its neighbours";
const NO_SUCH_ITEM_COLUMN: &str =
    "this item is indented less than the item before it, but like no item further above; indent it like its neighbours";
