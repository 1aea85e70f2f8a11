//! Directives before a document (`yaml_parser_scan_directive`).

use super::{Scanner, TokenKind};
use crate::error::Result;
use crate::tree::Extent;

/// Maximum number of digits of a number in a version.
const MAX_DIGITS: usize = 9;

impl<'a> Scanner<'a> {
    /// Scans a directive and its line break. Directives that YAML does not define are tokens, too.
    pub(super) fn scan_directive(&mut self) -> Result<()> {
        let start = self.at;
        self.at += 1;
        let name = self.word();
        if name.is_empty() || !self.is_blank_or_end(self.at) {
            return Err(self.error(
                "a name and a blank must follow the '%' of a directive; quote a text that begins with '%'",
                start,
            ));
        }
        let kind = match name {
            "YAML" => self.scan_version()?,
            "TAG" => self.scan_tag_directive()?,
            _ => {
                self.skip_comment();
                TokenKind::UnknownDirective
            }
        };
        let end = self.at;
        self.skip_blanks();
        if self.bytes.get(self.at) == Some(&b'#') {
            self.skip_comment();
        }
        if !self.is_line_end(self.at) {
            return Err(self.error_here("only a comment may follow a directive in its line"));
        }
        self.skip_break();
        self.push(kind, start, end)
    }

    /// Skips letters, digits, `_` and `-`, and returns them.
    pub(super) fn word(&mut self) -> &'a str {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|&byte| !is_in_word(byte)).unwrap_or(rest.len());
        let word = &self.document.text[self.at..self.at + length];
        self.at += length;
        word
    }

    /// Scans the version after `%YAML` (`yaml_parser_scan_version_directive_value`).
    fn scan_version(&mut self) -> Result<TokenKind> {
        self.skip_blanks();
        let major = self.scan_number()?;
        if self.bytes.get(self.at) != Some(&b'.') {
            return Err(self.error_here("the version of YAML must be two numbers with a point, as in '%YAML 1.1'"));
        }
        self.at += 1;
        Ok(TokenKind::VersionDirective { major, minor: self.scan_number()? })
    }

    /// Scans a number of a version (`yaml_parser_scan_version_directive_number`).
    fn scan_number(&mut self) -> Result<u32> {
        let rest = &self.bytes[self.at..];
        let length = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        let digits = &self.document.text[self.at..self.at + length];
        match digits.parse() {
            Ok(number) if length <= MAX_DIGITS => {
                self.at += length;
                Ok(number)
            }
            _ => Err(self.error_here("the version of YAML must be two numbers with a point, as in '%YAML 1.1'")),
        }
    }

    /// Scans handle and prefix after `%TAG` (`yaml_parser_scan_tag_directive_value`).
    fn scan_tag_directive(&mut self) -> Result<TokenKind> {
        self.skip_blanks();
        let start = self.at;
        let handle = self.scan_tag_handle()?;
        if handle != "!" && !handle.ends_with('!') {
            return Err(self.error("the handle of a %TAG directive must begin and end with '!'", start));
        }
        if !self.is_blank(self.at) {
            return Err(self.error_here("a blank must follow the handle of a %TAG directive"));
        }
        self.skip_blanks();
        let handle = Extent::new(start..start + handle.len());
        let prefix = self.at;
        if self.scan_uri(true).map_err(|error| error.at_offset(prefix as u64))?.is_empty()
            || !self.is_blank_or_end(self.at)
        {
            return Err(self.error_here(
                "a URI must follow the handle of a %TAG directive; write other characters as '%' and two digits",
            ));
        }
        Ok(TokenKind::TagDirective { handle, prefix: Extent::new(prefix..self.at) })
    }
}

/// Returns whether a byte is a letter, a digit, `_` or `-`.
pub(in crate::yaml) fn is_in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}
