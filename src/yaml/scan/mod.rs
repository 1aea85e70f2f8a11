//! A scanner of YAML 1.1: the tokens of a text, as libyaml finds them.
//!
//! The scanner knows characters, lines and columns; the order of tokens is checked by the events (`yaml::events`). It
//! looks ahead for one purpose: to know whether a node is a simple key. The function in libyaml that each rule follows is
//! named where it is not obvious.

mod block_scalar;
mod breaks;
mod classes;
mod directives;
mod keys;
mod messages;
mod plain;
mod properties;
mod quoted;
mod runs;
mod tokens;

pub(super) use self::breaks::fold_breaks;
pub(super) use self::directives::is_in_word;
pub(super) use self::properties::decode_uri;
pub(super) use self::quoted::unescape;
pub(super) use self::runs::{BlockKind, BlockRun, Piece, PieceKind, Run};
pub(super) use self::tokens::{Decoded, Token, TokenKind};

use super::document::Document;
use crate::error::{Error, Result, Status};
use crate::tree::Extent;
use std::collections::VecDeque;

const BYTE_ORDER_MARK: &[u8] = "\u{FEFF}".as_bytes();

/// Scanner of one text.
pub(super) struct Scanner<'a> {
    document: Document<'a>,
    bytes: &'a [u8],
    /// True if NEL, LS and PS end lines, as in YAML 1.1, and the text contains one of them.
    has_unicode_breaks: bool,
    /// True for the rules of YAML 1.2: in flow collections, `:` and a bracket end a plain scalar; two escapes may be a
    /// surrogate pair.
    is_version_1_2: bool,
    /// Position of the next character.
    at: usize,
    /// Position of the first character of the current line.
    line_start: usize,
    /// Number of open flow collections.
    flow_level: u32,
    /// Column of the innermost block collection; -1 outside of all.
    indent: isize,
    /// Columns of the block collections around it.
    indents: Vec<isize>,
    /// True where a simple key, `?` or `-` may begin.
    is_key_allowed: bool,
    /// Positions of the colons after simple keys that have begun; that of the innermost key comes last.
    colons: Vec<usize>,
    /// Position before which no flow collection can be a simple key.
    no_key_before: usize,
    /// Tokens that were scanned, and not taken yet.
    queue: VecDeque<Token>,
}

impl<'a> Scanner<'a> {
    /// Creates a scanner of a text whose characters were checked.
    pub(super) fn new(document: Document<'a>, has_unicode_breaks: bool) -> Scanner<'a> {
        let start = if document.text.as_bytes().starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Scanner {
            document,
            bytes: document.text.as_bytes(),
            has_unicode_breaks,
            is_version_1_2: false,
            at: start,
            line_start: start,
            flow_level: 0,
            indent: -1,
            indents: Vec::new(),
            is_key_allowed: true,
            colons: Vec::new(),
            no_key_before: 0,
            queue: VecDeque::new(),
        }
    }

    /// Scans the text by the rules of YAML 1.2.
    pub(super) fn set_version_1_2(&mut self) {
        self.is_version_1_2 = true;
    }

    pub(super) fn is_version_1_2(&self) -> bool {
        self.is_version_1_2
    }

    pub(super) fn document(&self) -> &Document<'a> {
        &self.document
    }

    /// Returns the next token. After the end of the text, returns `TokenKind::StreamEnd` again and again. The byte offset
    /// of an error is its position in the text.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Token> {
        loop {
            if let Some(token) = self.queue.pop_front() {
                return Ok(token);
            }
            self.fetch()?;
        }
    }

    /// Scans at least one token (`yaml_parser_fetch_next_token`).
    fn fetch(&mut self) -> Result<()> {
        self.skip_to_token();
        let column = self.column();
        self.end_collections(column)?;
        let Some(&byte) = self.bytes.get(self.at) else { return self.fetch_end() };
        if column == 0 {
            match byte {
                b'%' => return self.fetch_directive(),
                b'-' if self.is_marker(b"---") => return self.fetch_marker(TokenKind::DocumentStart),
                b'.' if self.is_marker(b"...") => return self.fetch_marker(TokenKind::DocumentEnd),
                _ => {}
            }
        }
        match byte {
            b']' => self.fetch_flow_end(TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_flow_end(TokenKind::FlowMappingEnd),
            b',' => {
                self.is_key_allowed = true;
                self.push_here(TokenKind::FlowEntry, 1)
            }
            b'-' if self.is_blank_or_end(self.at + 1) => self.fetch_block_entry(),
            b'?' if self.flow_level > 0 || self.is_blank_or_end(self.at + 1) => self.fetch_key(),
            b':' if self.flow_level > 0 || self.is_blank_or_end(self.at + 1) => self.fetch_value(),
            b'|' | b'>' if self.flow_level == 0 => self.fetch_block_scalar(),
            b'\t' | b'|' | b'>' | b'%' | b'@' | b'`' => Err(self.no_token(byte)),
            _ => self.fetch_node(),
        }
    }

    /// Skips blanks, comments and line breaks (`yaml_parser_scan_to_next_token`).
    fn skip_to_token(&mut self) {
        loop {
            // A byte order mark that begins a line takes one column.
            if self.at == self.line_start && self.bytes[self.at..].starts_with(BYTE_ORDER_MARK) {
                self.at += BYTE_ORDER_MARK.len();
                self.line_start = self.at - 1;
            }
            let may_be_tab = self.flow_level > 0 || !self.is_key_allowed;
            while let Some(&byte) = self.bytes.get(self.at)
                && (byte == b' ' || byte == b'\t' && may_be_tab)
            {
                self.at += 1;
            }
            if self.bytes.get(self.at) == Some(&b'#') {
                self.skip_comment();
            }
            if !self.skip_break() {
                return;
            }
            if self.flow_level == 0 {
                self.is_key_allowed = true;
            }
        }
    }

    /// Returns the column of the next character, from 0. Only ASCII characters precede a node whose column matters.
    fn column(&self) -> isize {
        (self.at - self.line_start) as isize
    }

    /// Begins a block collection at a column, unless it has begun (`yaml_parser_roll_indent`).
    fn begin_collection(&mut self, kind: TokenKind, start: usize) -> Result<()> {
        if !self.begins_collection(start) {
            return Ok(());
        }
        self.indent_to((start - self.line_start) as isize)?;
        self.push(kind, start, start)
    }

    /// Makes a column that of the innermost block collection.
    fn indent_to(&mut self, column: isize) -> Result<()> {
        self.indents.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<isize>() as u64))?;
        self.indents.push(self.indent);
        self.indent = column;
        Ok(())
    }

    /// Returns to the column of the block collection around the innermost one.
    fn outdent(&mut self) {
        self.indent = self.indents.pop().unwrap_or(-1);
    }

    /// Returns whether a node at `start` would begin a block collection.
    #[inline]
    fn begins_collection(&self, start: usize) -> bool {
        self.flow_level == 0 && self.indent < (start - self.line_start) as isize
    }

    /// Ends the block collections to the right of a column (`yaml_parser_unroll_indent`).
    fn end_collections(&mut self, column: isize) -> Result<()> {
        while self.flow_level == 0 && self.indent > column {
            self.outdent();
            self.push(TokenKind::BlockEnd, self.at, self.at)?;
        }
        Ok(())
    }

    /// Returns whether a marker of a document stands at the current position, which begins a line.
    fn is_marker(&self, marker: &[u8; 3]) -> bool {
        self.bytes[self.at..].starts_with(marker) && self.is_blank_or_end(self.at + 3)
    }

    /// Ends all block collections at the end of the text (`yaml_parser_fetch_stream_end`).
    fn fetch_end(&mut self) -> Result<()> {
        self.end_collections(-1)?;
        self.is_key_allowed = false;
        self.push(TokenKind::StreamEnd, self.at, self.at)
    }

    /// Scans a directive (`yaml_parser_fetch_directive`).
    fn fetch_directive(&mut self) -> Result<()> {
        self.end_collections(-1)?;
        self.is_key_allowed = false;
        self.scan_directive()
    }

    /// Scans `---` or `...` (`yaml_parser_fetch_document_indicator`).
    fn fetch_marker(&mut self, kind: TokenKind) -> Result<()> {
        self.end_collections(-1)?;
        self.is_key_allowed = false;
        self.push_here(kind, 3)
    }

    /// Scans `]` or `}` (`yaml_parser_fetch_flow_collection_end`).
    fn fetch_flow_end(&mut self, kind: TokenKind) -> Result<()> {
        self.flow_level = self.flow_level.saturating_sub(1);
        self.is_key_allowed = false;
        self.push_here(kind, 1)
    }

    /// Scans `-` (`yaml_parser_fetch_block_entry`).
    fn fetch_block_entry(&mut self) -> Result<()> {
        if self.flow_level == 0 {
            if !self.is_key_allowed {
                return Err(self.error_here("a list with '-' cannot begin in this line; begin it in the next one"));
            }
            self.begin_collection(TokenKind::BlockSequenceStart, self.at)?;
            if !self.queue.is_empty() {
                // The `-` comes next, and may begin a run.
                return Ok(());
            }
        }
        self.is_key_allowed = true;
        self.push_here(TokenKind::BlockEntry, 1)
    }

    /// Scans `?` (`yaml_parser_fetch_key`).
    fn fetch_key(&mut self) -> Result<()> {
        if self.flow_level == 0 {
            if !self.is_key_allowed {
                return Err(self.error_here("a key with '?' cannot begin in this line; begin it in the next one"));
            }
            self.begin_collection(TokenKind::BlockMappingStart, self.at)?;
        }
        self.is_key_allowed = self.flow_level == 0;
        self.push_here(TokenKind::Key, 1)
    }

    /// Scans `:` (`yaml_parser_fetch_value`).
    fn fetch_value(&mut self) -> Result<()> {
        if self.colons.last() == Some(&self.at) {
            self.colons.pop();
            self.is_key_allowed = false;
        } else {
            if self.flow_level == 0 {
                if !self.is_key_allowed {
                    let message = "no key can stand before this ':'; quote a text that contains ': '";
                    return Err(self.error_here(message));
                }
                self.begin_collection(TokenKind::BlockMappingStart, self.at)?;
            }
            self.is_key_allowed = self.flow_level == 0;
        }
        self.push_here(TokenKind::Value, 1)
    }

    /// Appends a token of `length` characters at the current position, and skips it.
    fn push_here(&mut self, kind: TokenKind, length: usize) -> Result<()> {
        let start = self.at;
        self.at += length;
        self.push(kind, start, self.at)
    }

    #[inline]
    fn push(&mut self, kind: TokenKind, start: usize, end: usize) -> Result<()> {
        self.push_token(Token { kind, span: Extent::new(start..end) })
    }

    #[inline]
    fn push_token(&mut self, token: Token) -> Result<()> {
        self.queue.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Token>() as u64))?;
        self.queue.push_back(token);
        Ok(())
    }

    fn error_here(&self, message: &str) -> Error {
        self.error(message, self.at)
    }

    fn error(&self, message: &str, position: usize) -> Error {
        Error::new(Status::Yaml, message).at_offset(position as u64)
    }
}
