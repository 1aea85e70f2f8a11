//! Scalars in quotes (`yaml_parser_scan_flow_scalar`).

use super::breaks::{Breaks, append};
use super::classes::{InDoubleQuoted, InSingleQuoted, count_of};
use super::{Decoded, Scanner, Token, TokenKind, fold_breaks};
use crate::error::{Error, Result, Status};
use crate::tree::{Extent, Style};

impl<'a> Scanner<'a> {
    pub(super) fn scan_single_quoted(&mut self) -> Result<Token> {
        self.scan_quoted(b'\'', Style::SingleQuoted)
    }

    pub(super) fn scan_double_quoted(&mut self) -> Result<Token> {
        self.scan_quoted(b'"', Style::DoubleQuoted)
    }

    fn scan_quoted(&mut self, quote: u8, style: Style) -> Result<Token> {
        let start = self.at;
        let source = self.document.text;
        self.at += 1;
        let mut text = String::new();
        loop {
            let part = self.at;
            self.at = self.end_of_quoted_part(quote);
            let end = self.at;
            if let Some(character) = short_escape(&self.bytes[end..], quote) {
                append(&mut text, &source[part..end])?;
                append(&mut text, character.encode_utf8(&mut [0; 4]))?;
                self.at += SHORT_ESCAPE;
                continue;
            }
            match self.bytes.get(end) {
                None => return Err(self.error(unclosed(quote), start)),
                Some(&byte) if byte == quote => {
                    self.at += 1;
                    if part == start + 1 {
                        return Ok(self.quoted(None, style, start));
                    }
                    append(&mut text, &source[part..end])?;
                    return Ok(self.quoted(Some(text.into_boxed_str()), style, start));
                }
                Some(b'\\') if quote == b'"' => {
                    append(&mut text, &source[part..end])?;
                    self.at += 1;
                    if self.skip_break() {
                        self.fold_quoted(&mut text, Some(Breaks::default()), start)?;
                    } else {
                        let escaped = self.scan_long_escape(start)?;
                        append(&mut text, escaped.encode_utf8(&mut [0; 4]))?;
                    }
                }
                Some(_) => {
                    append(&mut text, source[part..end].trim_end_matches([' ', '\t']))?;
                    self.fold_quoted(&mut text, None, start)?;
                }
            }
        }
    }

    fn quoted(&self, decoded: Decoded, style: Style, start: usize) -> Token {
        Token { kind: TokenKind::Scalar(style, decoded), span: Extent::new(start..self.at) }
    }

    /// Returns the next position of a quote, a backslash or a line break.
    fn end_of_quoted_part(&self, quote: u8) -> usize {
        let mut end = self.at;
        loop {
            let rest = &self.bytes[end..];
            end += if self.has_unicode_breaks {
                let may_end = |byte: &u8| *byte == quote || matches!(byte, b'\\' | b'\n' | b'\r' | 0xC2 | 0xE2);
                rest.iter().position(may_end).unwrap_or(rest.len())
            } else if quote == b'\'' {
                count_of::<InSingleQuoted>(rest)
            } else {
                count_of::<InDoubleQuoted>(rest)
            };
            match self.bytes.get(end) {
                Some(b'\\') if quote == b'\'' => end += 1,
                Some(0xC2 | 0xE2) if self.break_length(end) == 0 => end += 1,
                _ => return end,
            }
        }
    }

    /// Appends the folded line breaks at the current position, and moves to the next part of the text.
    fn fold_quoted(&mut self, text: &mut String, before: Option<Breaks>, start: usize) -> Result<()> {
        if let Some(breaks) = self.skip_between_parts(before, None)? {
            fold_breaks(text, breaks.leading, &breaks.trailing)?;
        }
        if self.column() == 0 && (self.is_marker(b"---") || self.is_marker(b"...")) {
            let (quote, line) = (char::from(self.bytes[start]), self.document.line_of(self.at));
            let message = format!("this text has no closing {quote} before the document marker in line {line}");
            return Err(self.error(&message, start));
        }
        Ok(())
    }

    /// Scans an escape with a code in hexadecimal digits, after its backslash.
    fn scan_long_escape(&mut self, start: usize) -> Result<char> {
        let Some(&byte) = self.bytes.get(self.at) else { return Err(self.error(unclosed(b'"'), start)) };
        let digits = match byte {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            _ => {
                let message = format!("the escape '\\{}' does not exist; {BACKSLASH}", self.character_at(self.at));
                return Err(self.error(&message, self.at - 1));
            }
        };
        self.at += 1;
        let code = self.document.text.get(self.at..self.at + digits);
        let code = code.filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(code) = code.and_then(|code| u32::from_str_radix(code, 16).ok()) else {
            let message = format!("the escape '\\{}' needs {digits} hexadecimal digits; {BACKSLASH}", char::from(byte));
            return Err(self.error(&message, self.at - 2));
        };
        if let Some(character) = self.character_of_pair(code) {
            self.at += PAIR;
            return Ok(character);
        }
        let Some(character) = char::from_u32(code) else {
            return Err(self.error(&format!("U+{code:04X} is no Unicode character"), self.at - 2));
        };
        self.at += digits;
        Ok(character)
    }

    /// Returns the character of two escapes that are a surrogate pair of UTF-16, as JSON and so YAML 1.2 writes it. The
    /// first one has the code `first`.
    fn character_of_pair(&self, first: u32) -> Option<char> {
        if !self.is_version_1_2 || !(0xD800..0xDC00).contains(&first) {
            return None;
        }
        let second = self.document.text.get(self.at + 4..self.at + PAIR)?.strip_prefix("\\u")?;
        let second = second.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(second, 16))?;
        char::decode_utf16([u16::try_from(first).ok()?, second.ok()?]).next()?.ok()
    }
}

/// Number of bytes of a short escape.
pub(super) const SHORT_ESCAPE: usize = 2;

/// Returns the character of a short escape at the start of `bytes`: a doubled single quote, or a backslash and a
/// character.
pub(super) fn short_escape(bytes: &[u8], quote: u8) -> Option<char> {
    match (bytes.first()?, bytes.get(1)?) {
        (b'\'', b'\'') if quote == b'\'' => Some('\''),
        (b'\\', &byte) if quote == b'"' => character_of(byte),
        _ => None,
    }
}

/// Returns the character that a backslash and this byte stand for, if they are a whole escape.
fn character_of(byte: u8) -> Option<char> {
    Some(match byte {
        b'0' => '\0',
        b'a' => '\x07',
        b'b' => '\x08',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\x0B',
        b'f' => '\x0C',
        b'r' => '\r',
        b'e' => '\x1B',
        b' ' | b'"' | b'/' | b'\\' => char::from(byte),
        b'N' => '\u{85}',
        b'_' => '\u{A0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}

/// Returns the text of a scalar in quotes, which stands in one line and has short escapes only.
pub(in crate::yaml) fn unescape(scalar: &str) -> Result<Box<str>> {
    let quote = scalar.as_bytes()[0];
    let first = if quote == b'"' { b'\\' } else { quote };
    let mut rest = &scalar[1..scalar.len() - 1];
    let mut text = String::new();
    // As long as the result is if no escape stands for a quote or a backslash, so that nothing must be copied again.
    let length = rest.len() - memchr::memchr_iter(first, rest.as_bytes()).count();
    text.try_reserve_exact(length).map_err(|_| Error::out_of_memory(length as u64))?;
    while let Some(position) = memchr::memchr(first, rest.as_bytes()) {
        append(&mut text, &rest[..position])?;
        let escape = short_escape(&rest.as_bytes()[position..], quote);
        let escape = escape.ok_or_else(|| Error::new(Status::Internal, "a long escape was taken for a short one"))?;
        append(&mut text, escape.encode_utf8(&mut [0; 4]))?;
        rest = &rest[position + SHORT_ESCAPE..];
    }
    append(&mut text, rest)?;
    Ok(text.into_boxed_str())
}

/// Number of bytes of two escapes, after the first `\u`.
const PAIR: usize = "d83d\\ude00".len();

/// Ways to write a text that contains backslashes.
const BACKSLASH: &str = "write a backslash as '\\\\', or use single quotes";

fn unclosed(quote: u8) -> &'static str {
    if quote == b'"' { "this text has no closing \"" } else { "this text has no closing '" }
}
