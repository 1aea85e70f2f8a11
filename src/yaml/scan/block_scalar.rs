//! Block scalars: literal (`|`) and folded (`>`) text (`yaml_parser_scan_block_scalar`).

use super::breaks::append;
use super::{Scanner, TokenKind};
use crate::error::Result;
use crate::tree::Style;

/// Treatment of the line breaks at the end of a block scalar.
#[derive(Clone, Copy, PartialEq)]
enum Chomping {
    /// One stays.
    Clip,
    /// None stays (`-`).
    Strip,
    /// All stay (`+`).
    Keep,
}

/// Header of a block scalar.
struct Header {
    chomping: Chomping,
    /// Indentation relative to the collection, if it is given.
    increment: Option<isize>,
}

impl<'a> Scanner<'a> {
    /// Scans a block scalar (`yaml_parser_fetch_block_scalar`).
    pub(super) fn fetch_block_scalar(&mut self) -> Result<()> {
        let start = self.at;
        let style = if self.bytes.get(start) == Some(&b'|') { Style::Literal } else { Style::Folded };
        let header = self.scan_block_header()?;
        self.is_key_allowed = true;
        let mut indent = header.increment.map(|increment| self.indent.max(0) + increment);
        let mut text = String::new();
        let (mut breaks, mut end) = self.scan_block_breaks(&mut indent)?;
        let column = indent.unwrap_or_default();
        let mut leading_break = "";
        let mut was_blank = false;
        while self.column() == column && self.at < self.bytes.len() {
            let is_blank = self.is_blank(self.at);
            // Lines are joined unless one of them is indented further.
            if style == Style::Folded && leading_break == "\n" && !was_blank && !is_blank {
                append(&mut text, if breaks.is_empty() { " " } else { "" })?;
            } else {
                append(&mut text, leading_break)?;
            }
            append(&mut text, &breaks)?;
            was_blank = is_blank;
            let line = self.at;
            self.skip_comment();
            append(&mut text, &self.document.text[line..self.at])?;
            leading_break = if self.at < self.bytes.len() { self.break_at(self.at) } else { "" };
            self.skip_break();
            (breaks, end) = self.scan_block_breaks(&mut indent)?;
        }
        if header.chomping != Chomping::Strip {
            append(&mut text, leading_break)?;
        }
        if header.chomping == Chomping::Keep {
            append(&mut text, &breaks)?;
        }
        self.push(TokenKind::Scalar(style, Some(text.into_boxed_str())), start, end)
    }

    /// Scans the indicator, the header and the line break after it.
    fn scan_block_header(&mut self) -> Result<Header> {
        self.at += 1;
        let mut header = Header { chomping: Chomping::Clip, increment: None };
        for _ in 0..2 {
            match self.bytes.get(self.at) {
                Some(&sign @ (b'+' | b'-')) if header.chomping == Chomping::Clip => {
                    header.chomping = if sign == b'+' { Chomping::Keep } else { Chomping::Strip };
                }
                Some(b'0') if header.increment.is_none() => {
                    return Err(self.error_here(
                        "the indentation after '|' or '>' must be 1 to 9; quote a text that begins with '|' or '>'",
                    ));
                }
                Some(&digit @ b'1'..=b'9') if header.increment.is_none() => {
                    header.increment = Some(isize::from(digit - b'0'));
                }
                _ => break,
            }
            self.at += 1;
        }
        self.skip_blanks();
        if self.bytes.get(self.at) == Some(&b'#') {
            self.skip_comment();
        }
        if !self.is_line_end(self.at) {
            return Err(self.error_here(
                "the text after '|' or '>' must begin in the next line; quote a text that begins with '|' or '>'",
            ));
        }
        self.skip_break();
        Ok(header)
    }

    /// Skips indentation and empty lines (`yaml_parser_scan_block_scalar_breaks`). Returns their line breaks and the
    /// position after the last of them. Finds the indentation if it is not known.
    fn scan_block_breaks(&mut self, indent: &mut Option<isize>) -> Result<(String, usize)> {
        let mut breaks = String::new();
        let mut end = self.at;
        let mut deepest = 0;
        loop {
            let is_indentation = |column: isize| indent.is_none_or(|indent| column < indent);
            while is_indentation(self.column()) && self.bytes.get(self.at) == Some(&b' ') {
                self.at += 1;
            }
            deepest = deepest.max(self.column());
            if is_indentation(self.column()) && self.bytes.get(self.at) == Some(&b'\t') {
                return Err(self.error_here("a tab stands in the indentation of this text; use spaces"));
            }
            let position = self.at;
            if !self.skip_break() {
                break;
            }
            append(&mut breaks, self.break_at(position))?;
            end = self.at;
        }
        indent.get_or_insert(deepest.max(self.indent + 1).max(1));
        Ok((breaks, end))
    }
}
