//! Plain scalars (`yaml_parser_scan_plain_scalar`).

use super::breaks::append;
use super::classes::{Class, InPlainBlock, InPlainFlow, count_of};
use super::{Scanner, Token, TokenKind, fold_breaks};
use crate::error::Result;
use crate::tree::{Extent, Style};

impl<'a> Scanner<'a> {
    /// Scans a plain scalar and moves after the blanks and line breaks that follow it.
    pub(super) fn scan_plain(&mut self) -> Result<Token> {
        let start = self.at;
        let source = self.document.text;
        let mut end = self.end_of_plain_line(start)?;
        let mut joined = String::new();
        self.at = end;
        while let Some(breaks) = self.skip_between_parts(None, Some(self.indent + 1))? {
            let next = self.at;
            let next_end = if self.continues_plain() { self.end_of_plain_line(next)? } else { next };
            if next_end == next {
                self.is_key_allowed = true;
                break;
            }
            if joined.is_empty() {
                append(&mut joined, &source[start..end])?;
            }
            fold_breaks(&mut joined, breaks.leading, &breaks.trailing)?;
            append(&mut joined, &source[next..next_end])?;
            end = next_end;
            self.at = end;
        }
        let decoded = if joined.is_empty() { None } else { Some(joined.into_boxed_str()) };
        Ok(Token { kind: TokenKind::Scalar(Style::Plain, decoded), span: Extent::new(start..end) })
    }

    /// Returns whether the current position, after a line break, may continue a plain scalar.
    fn continues_plain(&self) -> bool {
        let column = self.column();
        if self.flow_level == 0 && column <= self.indent {
            return false;
        }
        let is_marker = column == 0 && (self.is_marker(b"---") || self.is_marker(b"..."));
        !is_marker && !matches!(self.bytes.get(self.at), None | Some(b'#'))
    }

    fn end_of_plain_line(&self, start: usize) -> Result<usize> {
        let is_in_flow = self.flow_level > 0;
        let end = if is_in_flow {
            self.end_of_plain_part::<true, false>(start)
        } else {
            self.end_of_plain_part::<false, false>(start)
        };
        end.map_err(|colon| {
            let message = "a ':' stands before a bracket, ',' or '?'; write a blank after the ':', or quote the text";
            self.error(message, colon)
        })
    }

    /// Returns the end of the part of a plain scalar that begins at a position, within the line and without the blanks
    /// after it. Returns as `Err` the position of a colon that cannot stand there.
    ///
    /// Set `IN_RUN` for texts without NEL, LS and PS, and for the rules of YAML 1.1: it leaves checks out.
    #[inline]
    pub(super) fn end_of_plain_part<const IN_FLOW: bool, const IN_RUN: bool>(
        &self,
        start: usize,
    ) -> std::result::Result<usize, usize> {
        let mut end = start;
        loop {
            let rest = &self.bytes[end..];
            end += if !IN_RUN && self.has_unicode_breaks {
                let may_end = |byte: &u8| matches!(byte, 0xC2 | 0xE2) || !InPlainFlow::holds(*byte);
                rest.iter().position(may_end).unwrap_or(rest.len())
            } else if IN_FLOW {
                count_of::<InPlainFlow>(rest)
            } else {
                count_of::<InPlainBlock>(rest)
            };
            match self.bytes.get(end) {
                Some(b':') if self.is_blank_or_end(end + 1) => break,
                Some(b':') if IN_FLOW && !IN_RUN && self.is_version_1_2 => match self.bytes[end + 1] {
                    b',' | b'[' | b']' | b'{' | b'}' => break,
                    _ => end += 1,
                },
                Some(b':') if IN_FLOW && matches!(self.bytes[end + 1], b',' | b'?' | b'[' | b']' | b'{' | b'}') => {
                    return Err(end);
                }
                Some(b'#') if end > start && self.is_blank(end - 1) => break,
                Some(b':' | b'#') => end += 1,
                Some(0xC2 | 0xE2) if !IN_RUN && self.break_length(end) == 0 => end += 1,
                Some(b',' | b'[' | b']' | b'{' | b'}') if !IN_RUN && !IN_FLOW => end += 1,
                _ => break,
            }
        }
        while end > start && self.is_blank(end - 1) {
            end -= 1;
        }
        Ok(end)
    }
}
