//! Checks of the text outside the YAML syntax: encoding, forbidden characters, directives, unusual line breaks.

use crate::error::{Error, Result, Status, Warning};
use crate::tree::{Lines, Style, line_and_column};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// A text and its position in a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document<'a> {
    pub(crate) text: &'a str,
    /// Byte offset of the text in its file.
    pub(super) offset: u64,
    /// Line of the file on which the text begins, from 1.
    pub(super) line: u64,
    /// File positions of the lines of the text, used instead of `offset` and `line` if the text is not contiguous in
    /// its file.
    pub(super) lines: Option<&'a Arc<Lines>>,
}

impl<'a> Document<'a> {
    /// Creates a document for a text that begins at this byte offset and line of its file.
    pub(super) fn new(text: &'a str, offset: u64, line: u64) -> Document<'a> {
        Document { text, offset, line, lines: None }
    }

    /// Returns byte offset, line and column in the file of a position in the text.
    fn place(&self, position: usize) -> (u64, u64, u64) {
        match self.lines {
            Some(lines) => lines.place(self.text, position),
            None => {
                let (line, column) = line_and_column(self.text, self.line, position);
                (self.offset + position as u64, line, column)
            }
        }
    }

    /// Adds byte offset, line and column of a position in the text to an error.
    pub(super) fn locate(&self, error: Error, position: usize) -> Error {
        let (offset, line, column) = self.place(position);
        error.at_offset(offset).at_line(line, column)
    }

    fn warning(&self, message: String, position: usize) -> Warning {
        let (offset, line, column) = self.place(position);
        Warning::new(message).at_offset(offset).at_line(line, column)
    }

    /// Returns a warning for each ignored directive, at most `MAX_DIRECTIVE_WARNINGS`.
    pub(super) fn ignored_directives(&self) -> Vec<Warning> {
        self.directives()
            .filter(|(name, _)| *name != "TAG" && *name != "YAML")
            .take(MAX_DIRECTIVE_WARNINGS)
            .map(|(name, start)| self.warning(format!("the unknown directive %{name} is ignored"), start))
            .collect()
    }

    /// Creates a warning located at the first directive of this name.
    pub(super) fn warning_of_directive(&self, message: String, name: &str) -> Warning {
        let place = self.directives().find(|(found, _)| *found == name);
        self.warning(message, place.map_or(0, |(_, start)| start))
    }

    /// Iterates over the directives before the document: their names and the positions where their lines begin.
    fn directives(&self) -> impl Iterator<Item = (&'a str, usize)> {
        let mut end = 0;
        let lines = self.text.split_inclusive('\n').map(move |line| {
            let start = end;
            end += line.len();
            (line, start)
        });
        let lines = lines.take_while(|(line, _)| line.starts_with(['%', '#']) || line.trim_ascii().is_empty());
        lines.filter_map(|(line, start)| {
            let directive = line.strip_prefix('%')?;
            Some((directive.split_ascii_whitespace().next().unwrap_or_default(), start))
        })
    }
}

const MAX_DIRECTIVE_WARNINGS: usize = 10;

/// Decodes `bytes` as UTF-8, the only encoding of an ASDF tree.
///
/// `offset` and `line` (from 1) are the position of the bytes in their file. An invalid byte fails with
/// [`Status::Encoding`], located at the first invalid byte.
pub(crate) fn text_of(bytes: Vec<u8>, offset: u64, line: u64) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let position = error.utf8_error().valid_up_to();
        let (valid, rest) = error.as_bytes().split_at(position);
        let text = std::str::from_utf8(valid).unwrap_or_default();
        let byte = rest.first().copied().unwrap_or_default();
        let error = Error::new(Status::Encoding, format!("the byte {byte:#04x} is not valid UTF-8 at this position"));
        Document::new(text, offset, line).locate(error, position)
    })
}

/// Maximum number of unusual line breaks in one text. More would let a hostile file exhaust memory.
const MAX_ODD_BREAKS: usize = 1 << 20;

/// Positions of NEL, LS and PS, which end a line in YAML 1.1 but not in YAML 1.2, whose rules the engine follows.
#[derive(Default)]
pub(super) struct OddBreaks {
    positions: Vec<usize>,
    next: usize,
}

/// Class of the characters that a byte can begin.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Allowed,
    Forbidden,
    /// First byte of a multi-byte character that may be forbidden or a line break.
    Suspicious,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Allowed; 256];
    let mut byte = 0;
    while byte < 0x20 {
        classes[byte] = Class::Forbidden;
        byte += 1;
    }
    classes[b'\t' as usize] = Class::Allowed;
    classes[b'\n' as usize] = Class::Allowed;
    classes[b'\r' as usize] = Class::Allowed;
    classes[0x7F] = Class::Forbidden;
    classes[0xC2] = Class::Suspicious;
    classes[0xE2] = Class::Suspicious;
    classes[0xEF] = Class::Suspicious;
    classes
};

/// Finds the unusual line breaks. Fails with [`Status::Encoding`] for characters that YAML forbids, and with
/// [`Status::Limit`] for too many unusual line breaks.
pub(super) fn check_characters(document: &Document) -> Result<OddBreaks> {
    let bytes = document.text.as_bytes();
    let mut positions = Vec::new();
    let mut at = 0;
    while let Some(found) = first_not_allowed(&bytes[at..]) {
        at += found;
        let forbidden = match &bytes[at..] {
            [0xC2, 0x85, ..] | [0xE2, 0x80, 0xA8 | 0xA9, ..] => {
                positions.push(at);
                false
            }
            [0xC2, 0x80..=0x9F, ..] | [0xEF, 0xBF, 0xBE | 0xBF, ..] => true,
            [0xC2 | 0xE2 | 0xEF, ..] => false,
            _ => true,
        };
        if forbidden {
            let character = document.text[at..].chars().next().unwrap_or_default();
            let message = format!("the character U+{:04X} is not allowed in YAML", u32::from(character));
            return Err(document.locate(Error::new(Status::Encoding, message), at));
        }
        if positions.len() > MAX_ODD_BREAKS {
            return Err(document.locate(Error::limit("Unicode line breaks in the tree", MAX_ODD_BREAKS as u64), at));
        }
        at += 1;
    }
    Ok(OddBreaks { positions, next: 0 })
}

/// Returns the position of the first byte that is not `Class::Allowed`. Chunks without such a byte are skipped with
/// vector instructions.
fn first_not_allowed(bytes: &[u8]) -> Option<usize> {
    let (pieces, _) = bytes.as_chunks::<64>();
    let is_clean = |piece: &&[u8; 64]| {
        !piece.iter().fold(false, |odd, &byte| {
            let control = (byte < 0x20) & (byte != b'\t') & (byte != b'\n') & (byte != b'\r');
            odd | control | (byte == 0x7F) | (byte == 0xC2) | (byte == 0xE2) | (byte == 0xEF)
        })
    };
    let start = 64 * pieces.iter().take_while(is_clean).count();
    let found = bytes[start..].iter().position(|&byte| CLASSES[byte as usize] != Class::Allowed);
    found.map(|found| start + found)
}

impl OddBreaks {
    /// Returns whether no line breaks are left, which is true for nearly all texts.
    pub(super) fn is_empty(&self) -> bool {
        self.next == self.positions.len()
    }

    /// Returns a text of the same length with these characters replaced by spaces. The engine reads this text: it would
    /// take the characters for content at the start of a line.
    pub(super) fn replaced<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if self.is_empty() {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.replace('\u{85}', "  ").replace(is_kept_break, "   "))
    }

    /// Returns the text of a scalar as YAML 1.1 reads it.
    ///
    /// Fails with [`Status::Encoding`] for unusual line breaks before the scalar, outside quotes, and in double quotes
    /// together with escapes.
    pub(super) fn unfold<'a>(
        &mut self,
        document: &Document,
        text: Cow<'a, str>,
        span: Range<usize>,
        style: Style,
    ) -> Result<Cow<'a, str>> {
        let first = self.next;
        while self.positions.get(self.next).is_some_and(|&position| position < span.end) {
            self.next += 1;
        }
        let Some(&position) = self.positions[first..self.next].first() else { return Ok(text) };
        let raw = document.text.get(span.start + 1..span.end.saturating_sub(1)).unwrap_or_default();
        let folded = match style {
            Style::SingleQuoted => fold(raw).replace("''", "'"),
            Style::DoubleQuoted if !raw.contains('\\') => fold(raw),
            _ => return Err(refusal(document, position)),
        };
        if position < span.start { Err(refusal(document, position)) } else { Ok(Cow::Owned(folded)) }
    }

    /// Replaces an error of the engine by the refusal of an unusual line break, if one stands before the error and was
    /// not accepted. The line break may be its cause.
    pub(super) fn explain(&self, document: &Document, error: Error) -> Error {
        let before = |&&position: &&usize| error.location().offset >= Some(document.place(position).0);
        match self.positions.get(self.next).filter(before) {
            Some(&position) => refusal(document, position),
            None => error,
        }
    }

    /// Fails with [`Status::Encoding`] if unusual line breaks follow the last scalar.
    pub(super) fn finish(&self, document: &Document) -> Result<()> {
        match self.positions.get(self.next) {
            Some(&position) => Err(refusal(document, position)),
            None => Ok(()),
        }
    }
}

/// Folds the lines of the text between quotes. Blanks around line breaks are removed. LS and PS are kept. A single line
/// feed becomes a space; in a group of several line breaks, a leading line feed is removed.
fn fold(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(end) = rest.find(is_break) {
        let (line, mut after) = rest.split_at(end);
        out.push_str(line.trim_end_matches(is_blank));
        let start = out.len();
        while let Some(character) = after.chars().next().filter(|&character| is_break(character)) {
            out.push(if is_kept_break(character) { character } else { '\n' });
            let length = if after.starts_with("\r\n") { 2 } else { character.len_utf8() };
            after = after[length..].trim_start_matches(is_blank);
        }
        match out.get(start..) {
            Some("\n") => out.replace_range(start.., " "),
            Some(breaks) if breaks.starts_with('\n') => out.replace_range(start..=start, ""),
            _ => {}
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn is_blank(character: char) -> bool {
    character == ' ' || character == '\t'
}

fn is_break(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{85}') || is_kept_break(character)
}

/// Returns whether folding keeps this line break.
fn is_kept_break(character: char) -> bool {
    matches!(character, '\u{2028}' | '\u{2029}')
}

fn refusal(document: &Document, position: usize) -> Error {
    let character = document.text[position..].chars().next().unwrap_or_default();
    let message = format!(
        "the character U+{:04X} ends a line in YAML 1.1 but not in YAML 1.2; write it as an escape in double quotes",
        u32::from(character)
    );
    document.locate(Error::new(Status::Encoding, message), position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document<'_> {
        Document::new(text, 100, 7)
    }

    #[test]
    fn wrong_bytes_are_located_in_the_file() {
        let error = text_of(b"a: b\n\xC3\xA9\xFF".to_vec(), 100, 7).unwrap_err();
        assert_eq!(error.status(), Status::Encoding);
        let place = error.location();
        assert_eq!((place.offset, place.line, place.column), (Some(107), Some(8), Some(2)));
    }

    #[test]
    fn forbidden_characters_are_located_in_the_file() {
        for character in ['\0', '\u{1}', '\u{1B}', '\u{7F}', '\u{80}', '\u{9F}', '\u{FFFE}', '\u{FFFF}'] {
            let text = format!("a:\n- é{character}");
            let Err(error) = check_characters(&document(&text)) else { panic!("{character:?}") };
            assert_eq!(error.status(), Status::Encoding);
            let place = error.location();
            assert_eq!((place.offset, place.line, place.column), (Some(107), Some(8), Some(4)));
        }
        for text in ["\t\r\n ~é", "\u{A0}\u{2027}\u{202A}\u{FEFF}\u{FFFD}\u{D7FF}\u{E000}\u{10FFFF}"] {
            assert!(check_characters(&document(text)).unwrap().is_empty());
        }
    }

    #[test]
    fn directives_that_are_ignored_are_told() {
        let text = "%YAML 1.1\n# c\n%FOO bar\n%TAG ! x\n--- a\n%BAR\n";
        let warnings = document(text).ignored_directives();
        assert_eq!(warnings.len(), 1);
        assert_eq!(warnings[0].location.line, Some(9));
        assert!(warnings[0].message.contains("%FOO"));
    }
}
