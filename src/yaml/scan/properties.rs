//! Anchors, aliases and tags.

use super::{Scanner, Token, TokenKind};
use crate::error::{Error, Result};
use crate::tree::Extent;
use std::borrow::Cow;

impl<'a> Scanner<'a> {
    /// Scans the anchor or tag at the current position.
    pub(super) fn scan_property(&mut self) -> Result<Token> {
        if self.bytes.get(self.at) == Some(&b'!') { self.scan_tag() } else { self.scan_name(TokenKind::Anchor) }
    }

    pub(super) fn scan_alias(&mut self) -> Result<Token> {
        self.scan_name(TokenKind::Alias)
    }

    /// Scans an anchor or alias (`yaml_parser_scan_anchor`).
    fn scan_name(&mut self, kind: TokenKind) -> Result<Token> {
        let start = self.at;
        self.at += 1;
        let name = self.word();
        let is_end = self.is_blank_or_end(self.at)
            || matches!(self.bytes.get(self.at), Some(b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`'));
        if name.is_empty() || !is_end {
            let sign = char::from(self.bytes[start]);
            let message = format!(
                "letters, digits, '_' and '-' must follow '{sign}', then a blank; quote a text that begins with '{sign}'"
            );
            return Err(self.error(&message, start));
        }
        Ok(Token { kind, span: Extent::new(start..self.at) })
    }

    /// Scans a tag (`yaml_parser_scan_tag`).
    fn scan_tag(&mut self) -> Result<Token> {
        let start = self.at;
        let at_start = |error: Error| error.at_offset(start as u64);
        if self.bytes.get(start + 1) == Some(&b'<') {
            self.at += 2;
            let suffix = self.scan_uri(true).map_err(at_start)?;
            if suffix.is_empty() || self.bytes.get(self.at) != Some(&b'>') {
                let message = "a tag that begins with '!<' must end with '>', and contain no blank; quote a text that \
                               begins with '!'";
                return Err(self.error(message, start));
            }
            self.at += 1;
        } else {
            let handle = self.scan_tag_handle()?;
            let is_named = handle.len() > 1 && handle.ends_with('!');
            if self.scan_uri(false).map_err(at_start)?.is_empty() && is_named {
                return Err(
                    self.error("a name must follow the handle of this tag; quote a text that begins with '!'", start)
                );
            }
        }
        let is_end = self.is_blank_or_end(self.at) || self.flow_level > 0 && self.bytes.get(self.at) == Some(&b',');
        if !is_end {
            let message = "a blank must stand between a tag and its value; quote a text that begins with '!'";
            return Err(self.error_here(message));
        }
        Ok(Token { kind: TokenKind::Tag, span: Extent::new(start..self.at) })
    }

    /// Scans `!`, `!!`, `!name!`, or `!name` of a tag without a named handle (`yaml_parser_scan_tag_handle`).
    pub(super) fn scan_tag_handle(&mut self) -> Result<&'a str> {
        let start = self.at;
        if self.bytes.get(start) != Some(&b'!') {
            return Err(self.error_here("the handle of a tag must begin with '!'"));
        }
        self.at += 1;
        self.word();
        if self.bytes.get(self.at) == Some(&b'!') {
            self.at += 1;
        }
        Ok(&self.document.text[start..self.at])
    }

    /// Skips the characters of a URI and returns them as they are written (`yaml_parser_scan_tag_uri`). `,`, `[` and `]`
    /// are among them if `with_brackets` is true. Errors have no position.
    pub(super) fn scan_uri(&mut self, with_brackets: bool) -> Result<&'a str> {
        let start = self.at;
        let is_in_uri = |byte: u8| match byte {
            b',' | b'[' | b']' => with_brackets,
            b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=' | b'+' | b'$' | b'.' | b'%' | b'!' | b'~' | b'*' | b'\''
            | b'(' | b')' | b'_' | b'-' => true,
            _ => byte.is_ascii_alphanumeric(),
        };
        let rest = &self.bytes[start..];
        self.at += rest.iter().position(|&byte| !is_in_uri(byte)).unwrap_or(rest.len());
        let uri = &self.document.text[start..self.at];
        decode_uri(uri)?;
        Ok(uri)
    }
}

/// Returns a URI with its escapes decoded (`yaml_parser_scan_uri_escapes`).
///
/// Fails if a `%` is not followed by two hexadecimal digits, or if the bytes are not UTF-8.
pub(in crate::yaml) fn decode_uri(uri: &str) -> Result<Cow<'_, str>> {
    let bad = || {
        let message = "a '%' in a tag must be followed by two hexadecimal digits, and the bytes must be UTF-8";
        Error::new(crate::error::Status::Yaml, message)
    };
    if !uri.contains('%') {
        return Ok(Cow::Borrowed(uri));
    }
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(uri.len()).map_err(|_| Error::out_of_memory(uri.len() as u64))?;
    let mut rest = uri.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digits = after.get(..2).filter(|digits| digits.iter().all(u8::is_ascii_hexdigit)).ok_or_else(bad)?;
        let digits = std::str::from_utf8(digits).map_err(|_| bad())?;
        match u8::from_str_radix(digits, 16) {
            Ok(byte @ 1..) => bytes.push(byte),
            _ => return Err(bad()),
        }
        rest = &after[2..];
    }
    String::from_utf8(bytes).map(Cow::Owned).map_err(|_| bad())
}
