//! Simple keys: nodes with a colon after them in the same line, within 1,024 characters.
//!
//! libyaml scans on until it finds the colon, and then inserts a token before the node (`yaml_parser_save_simple_key`,
//! `yaml_parser_fetch_value`). This scanner looks for the colon as soon as it has scanned the node. Of a flow
//! collection, it looks for the end first.

use super::{Scanner, Token, TokenKind};
use crate::error::{Error, Result};

/// Maximum number of characters between the start of a simple key and its colon.
const REACH: usize = 1024;
/// Maximum number of bytes of so many characters.
const REACH_IN_BYTES: usize = 4 * REACH;

/// Start of a node that may be a simple key.
#[derive(Clone, Copy)]
struct Start {
    at: usize,
    /// True at the column of the innermost block collection.
    is_at_indent: bool,
}

impl<'a> Scanner<'a> {
    /// Scans a node, or its first tokens, and the token before it if it is a simple key.
    pub(super) fn fetch_node(&mut self) -> Result<()> {
        let start = Start { at: self.at, is_at_indent: self.flow_level == 0 && self.column() == self.indent };
        let byte = self.bytes.get(self.at).copied().unwrap_or_default();
        if self.is_key_allowed && self.begins_collection(start.at) && self.is_simple_key(start.at) {
            // The key comes next, and may begin a run.
            return self.begin_collection(TokenKind::BlockMappingStart, start.at);
        }
        let may_be_key = std::mem::replace(&mut self.is_key_allowed, false);
        match byte {
            b'&' | b'!' if may_be_key => self.fetch_properties(start),
            b'&' | b'!' => {
                let property = self.scan_property()?;
                self.push_token(property)
            }
            b'[' | b'{' => {
                if may_be_key {
                    let colon = self.colon_after_collection(start.at);
                    self.push_key(start, colon)?;
                }
                self.fetch_flow_start()
            }
            _ => {
                let content = self.scan_scalar_or_alias(byte)?;
                if may_be_key {
                    let colon = self.colon_after_node(start.at);
                    self.push_key(start, colon)?;
                }
                self.push_token(content)
            }
        }
    }

    /// Scans the tag and the anchor of a node, and the node if it stands in the same line.
    fn fetch_properties(&mut self, start: Start) -> Result<()> {
        let first = self.scan_property()?;
        self.skip_blanks();
        let second = match self.bytes.get(self.at) {
            Some(b'&' | b'!') => Some(self.scan_property()?),
            _ => None,
        };
        self.skip_blanks();
        let mut content = None;
        let mut is_collection = false;
        let colon = match self.bytes.get(self.at) {
            Some(b'[' | b'{') => {
                is_collection = true;
                self.colon_after_collection(start.at)
            }
            Some(&byte) if self.begins_scalar_or_alias(byte) => {
                content = Some(self.scan_scalar_or_alias(byte)?);
                self.colon_after_node(start.at)
            }
            _ => self.colon_after_node(start.at),
        };
        self.push_key(start, colon)?;
        self.push_token(first)?;
        for token in second.into_iter().chain(content) {
            self.push_token(token)?;
        }
        if is_collection { self.fetch_flow_start() } else { Ok(()) }
    }

    /// Scans `[` or `{` (`yaml_parser_fetch_flow_collection_start`).
    fn fetch_flow_start(&mut self) -> Result<()> {
        let kind = match self.bytes.get(self.at) {
            Some(b'[') => TokenKind::FlowSequenceStart,
            _ => TokenKind::FlowMappingStart,
        };
        self.flow_level += 1;
        self.is_key_allowed = true;
        self.push_here(kind, 1)
    }

    fn scan_scalar_or_alias(&mut self, byte: u8) -> Result<Token> {
        match byte {
            b'*' => self.scan_alias(),
            b'\'' => self.scan_single_quoted(),
            b'"' => self.scan_double_quoted(),
            _ => self.scan_plain(),
        }
    }

    /// Returns whether this character at the current position begins a scalar or an alias, block scalars apart.
    fn begins_scalar_or_alias(&self, byte: u8) -> bool {
        match byte {
            b'*' | b'\'' | b'"' => true,
            b'-' => !self.is_blank_or_end(self.at + 1),
            b'?' | b':' => self.flow_level == 0 && !self.is_blank_or_end(self.at + 1),
            b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'!' | b'|' | b'>' | b'%' | b'@' | b'`' => false,
            _ => !self.is_blank_or_end(self.at),
        }
    }

    /// Appends the tokens before a simple key, if there is a colon.
    ///
    /// Fails if there is none, but the node stands where the keys of the innermost block mapping stand.
    fn push_key(&mut self, start: Start, colon: Option<usize>) -> Result<()> {
        match colon {
            None if start.is_at_indent => Err(self.no_colon(start.at)),
            None => Ok(()),
            Some(colon) => {
                self.expect_colon(colon)?;
                self.begin_collection(TokenKind::BlockMappingStart, start.at)?;
                self.push(TokenKind::Key, start.at, start.at)
            }
        }
    }

    /// Notes the position of the colon after a simple key that begins.
    pub(super) fn expect_colon(&mut self, colon: usize) -> Result<()> {
        self.colons.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<usize>() as u64))?;
        self.colons.push(colon);
        Ok(())
    }

    /// Returns the position of the colon after a node that begins at `start` and ends at the current position, if it is
    /// a simple key.
    #[inline]
    fn colon_after_node(&self, start: usize) -> Option<usize> {
        if self.line_start > start {
            return None;
        }
        let colon = self.after_blanks(self.at);
        self.is_colon(colon).then_some(colon).filter(|&colon| self.is_within_reach(start, colon))
    }

    /// Returns whether the indicator of a value stands at a position.
    #[inline]
    fn is_colon(&self, position: usize) -> bool {
        self.bytes.get(position) == Some(&b':') && (self.flow_level > 0 || self.is_blank_or_end(position + 1))
    }

    fn is_within_reach(&self, start: usize, colon: usize) -> bool {
        let length = colon - start;
        length <= REACH
            || length <= REACH_IN_BYTES
                && self.document.text.get(start..colon).is_some_and(|key| key.chars().count() <= REACH)
    }

    /// Returns the position of the colon after the flow collection at the current position, if it is a simple key. The
    /// key begins at `start`.
    fn colon_after_collection(&mut self, start: usize) -> Option<usize> {
        if !self.may_colon_follow_collection() {
            return None;
        }
        let colon = self.after_blanks(self.end_of_collection(start + REACH_IN_BYTES)?);
        self.is_colon(colon).then_some(colon).filter(|&colon| self.is_within_reach(start, colon))
    }

    /// Returns whether a colon stands after a closing bracket in the rest of the line, within reach. Each part of a line
    /// is searched once.
    fn may_colon_follow_collection(&mut self) -> bool {
        let end = self.bytes.len().min(self.at + REACH_IN_BYTES);
        let mut from = self.no_key_before.max(self.at);
        while from < end {
            let rest = &self.bytes[from..end];
            let Some(found) = memchr::memchr3(b':', b'\n', b'\r', rest) else { break };
            let position = from + found;
            if self.bytes[position] != b':' {
                self.no_key_before = position;
                return false;
            }
            let before = self.bytes[self.at..position].iter().rev().find(|byte| !matches!(byte, b' ' | b'\t'));
            if matches!(before, Some(b']' | b'}')) {
                self.no_key_before = position;
                return true;
            }
            from = position + 1;
        }
        self.no_key_before = end;
        false
    }

    /// Returns the position after the flow collection at the current position, if it ends in the same line and before
    /// `limit`.
    fn end_of_collection(&self, limit: usize) -> Option<usize> {
        let line = self.bytes.get(..limit.min(self.bytes.len()))?;
        let mut depth = 0_u32;
        let mut at = self.at;
        loop {
            match *line.get(at)? {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                b' ' | b'\t' | b',' | b'?' | b':' => {}
                b'\n' | b'\r' | b'#' => return None,
                b'\'' => at = end_of_quotes(line, at, b'\'')?,
                b'"' => at = end_of_quotes(line, at, b'"')?,
                b'!' if line.get(at + 1) == Some(&b'<') => at += memchr::memchr(b'>', &line[at..])?,
                b'!' => at += end_of_word(&line[at..], b" \t\n\r,")?,
                _ => at += self.end_of_plain(&line[at..])?,
            }
            at += 1;
        }
    }

    /// Returns the index of the last byte of a plain text, an anchor or an alias.
    fn end_of_plain(&self, rest: &[u8]) -> Option<usize> {
        let mut end = 0;
        loop {
            match (*rest.get(end)?, rest.get(end + 1)) {
                (b',' | b'[' | b']' | b'{' | b'}' | b'\n' | b'\r', _) => break,
                (b':', None | Some(b' ' | b'\t' | b'\n' | b'\r')) if end > 0 => break,
                (b' ' | b'\t', Some(b'#')) => break,
                _ => end += 1,
            }
        }
        end.checked_sub(1)
    }
}

/// Returns the position of the closing quote of the quoted text at `start`.
fn end_of_quotes(line: &[u8], start: usize, quote: u8) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match *line.get(at)? {
            b'\n' | b'\r' => return None,
            b'\\' if quote == b'"' => at += 1,
            byte if byte == quote && quote == b'\'' && line.get(at + 1) == Some(&quote) => at += 1,
            byte if byte == quote => return Some(at),
            _ => {}
        }
        at += 1;
    }
}

/// Returns the index of the last byte before the first of `ends`.
fn end_of_word(rest: &[u8], ends: &[u8]) -> Option<usize> {
    rest.iter().position(|byte| ends.contains(byte))?.checked_sub(1)
}
