//! Blanks and line breaks, and how lines of a scalar are joined.

use super::Scanner;
use crate::error::{Error, Result};

/// Room for more bytes after the first part of a text.
const FIRST: usize = 64;

/// Appends a text, or fails if there is no memory for it.
pub(super) fn append(out: &mut String, text: &str) -> Result<()> {
    // Most texts that are joined from parts are longer than their first part.
    let more = if out.capacity() == 0 { text.len() + FIRST } else { text.len() };
    out.try_reserve(more).map_err(|_| Error::out_of_memory(more as u64))?;
    out.push_str(text);
    Ok(())
}

/// Line breaks between two parts of a scalar.
#[derive(Default)]
pub(super) struct Breaks {
    /// The first one: `\n`, LS, PS, or nothing.
    pub(super) leading: &'static str,
    /// The others.
    pub(super) trailing: String,
}

/// Appends line breaks as YAML folds them: a single line feed becomes a space, further ones stay.
pub(in crate::yaml) fn fold_breaks(out: &mut String, leading: &str, trailing: &str) -> Result<()> {
    match (leading, trailing) {
        ("\n", "") => append(out, " "),
        ("\n", _) => append(out, trailing),
        _ => append(out, leading).and_then(|()| append(out, trailing)),
    }
}

impl<'a> Scanner<'a> {
    /// Returns the length of the line break at a position in bytes; 0 if there is none.
    #[inline]
    pub(super) fn break_length(&self, position: usize) -> usize {
        match self.bytes.get(position) {
            Some(b'\n') => 1,
            Some(b'\r') => 1 + usize::from(self.bytes.get(position + 1) == Some(&b'\n')),
            Some(0xC2 | 0xE2) if self.has_unicode_breaks => match &self.bytes[position..] {
                [0xC2, 0x85, ..] => 2,
                [0xE2, 0x80, 0xA8 | 0xA9, ..] => 3,
                _ => 0,
            },
            _ => 0,
        }
    }

    /// Returns the line break at a position as a scalar holds it: `\n` for all but LS and PS.
    pub(super) fn break_at(&self, position: usize) -> &'static str {
        match &self.bytes[position..] {
            [0xE2, 0x80, 0xA8, ..] => "\u{2028}",
            [0xE2, 0x80, 0xA9, ..] => "\u{2029}",
            _ => "\n",
        }
    }

    /// Skips a line break. Returns whether there is one.
    #[inline]
    pub(super) fn skip_break(&mut self) -> bool {
        let length = self.break_length(self.at);
        if length > 0 {
            self.at += length;
            self.line_start = self.at;
        }
        length > 0
    }

    /// Returns whether a space or a tab stands at a position.
    #[inline]
    pub(super) fn is_blank(&self, position: usize) -> bool {
        matches!(self.bytes.get(position), Some(b' ' | b'\t'))
    }

    /// Returns whether a blank, a line break or the end of the text stands at a position.
    #[inline]
    pub(super) fn is_blank_or_end(&self, position: usize) -> bool {
        match self.bytes.get(position) {
            None | Some(b' ' | b'\t' | b'\n' | b'\r') => true,
            Some(0xC2 | 0xE2) => self.break_length(position) > 0,
            _ => false,
        }
    }

    /// Returns whether a line break or the end of the text stands at a position.
    pub(super) fn is_line_end(&self, position: usize) -> bool {
        position >= self.bytes.len() || self.break_length(position) > 0
    }

    /// Returns the position after the blanks at a position.
    #[inline]
    pub(super) fn after_blanks(&self, mut position: usize) -> usize {
        while self.is_blank(position) {
            position += 1;
        }
        position
    }

    pub(super) fn skip_blanks(&mut self) {
        self.at = self.after_blanks(self.at);
    }

    /// Skips the rest of a line, without its line break.
    pub(super) fn skip_comment(&mut self) {
        loop {
            let rest = &self.bytes[self.at..];
            let found = if self.has_unicode_breaks {
                rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | 0xC2 | 0xE2))
            } else {
                memchr::memchr2(b'\n', b'\r', rest)
            };
            self.at += found.unwrap_or(rest.len());
            if self.is_line_end(self.at) {
                return;
            }
            self.at += 1;
        }
    }

    /// Skips blanks and line breaks between two parts of a scalar, and returns the line breaks, with `breaks` before
    /// them.
    ///
    /// Fails at a tab to the left of the column `indent` of a further line.
    pub(super) fn skip_between_parts(
        &mut self,
        mut breaks: Option<Breaks>,
        indent: Option<isize>,
    ) -> Result<Option<Breaks>> {
        loop {
            if let Some(&byte @ (b' ' | b'\t')) = self.bytes.get(self.at) {
                if byte == b'\t' && breaks.is_some() && indent.is_some_and(|indent| self.column() < indent) {
                    return Err(self.error_here("a tab stands in the indentation of this line; use spaces"));
                }
                self.at += 1;
                continue;
            }
            let position = self.at;
            if !self.skip_break() {
                return Ok(breaks);
            }
            let found = self.break_at(position);
            match &mut breaks {
                None => breaks = Some(Breaks { leading: found, trailing: String::new() }),
                Some(breaks) => append(&mut breaks.trailing, found)?,
            }
        }
    }
}
