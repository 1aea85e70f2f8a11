//! Writes fields as text, in quotes where readers would otherwise misread them.

use crate::error::Result;
use crate::reserve::room_for;
use crate::table::Delimiter;

/// Writer of the fields of records.
pub(super) struct FieldWriter {
    delimiter: u8,
    /// True if an empty field needs quotes to be recognised as a field.
    quotes_empty: bool,
    /// Bytes that need quotes wherever they occur.
    special: [bool; 256],
}

impl FieldWriter {
    pub(super) fn new(delimiter: Delimiter, column_count: usize) -> FieldWriter {
        let byte = match delimiter {
            Delimiter::Space => b' ',
            Delimiter::Comma => b',',
        };
        let mut special = [false; 256];
        for byte in [byte, b'"', b'\n', b'\r'] {
            special[usize::from(byte)] = true;
        }
        let quotes_empty = delimiter == Delimiter::Space || column_count == 1;
        FieldWriter { delimiter: byte, quotes_empty, special }
    }

    /// Appends the delimiter between two fields.
    pub(super) fn separate(&self, out: &mut Vec<u8>) {
        out.push(self.delimiter);
    }

    /// Appends the field of a missing cell.
    pub(super) fn write_missing(&self, out: &mut Vec<u8>) {
        if self.quotes_empty {
            out.extend_from_slice(b"\"\"");
        }
    }

    /// Appends a text, in quotes if it needs them.
    pub(super) fn write(&self, out: &mut Vec<u8>, text: &[u8]) -> Result<()> {
        let (Some(first), Some(last)) = (text.first(), text.last()) else {
            self.write_missing(out);
            return Ok(());
        };
        // `#` at the start of a line would begin a comment, and some readers remove blanks at the ends.
        let is_plain = !matches!(first, b'#' | b' ' | b'\t')
            && !matches!(last, b' ' | b'\t')
            && !text.iter().any(|&byte| self.special[usize::from(byte)]);
        if is_plain {
            room_for(out, text.len())?;
            out.extend_from_slice(text);
            return Ok(());
        }
        write_quoted(out, text)
    }
}

/// Appends a text in quotes.
pub(super) fn write_quoted(out: &mut Vec<u8>, text: &[u8]) -> Result<()> {
    room_for(out, text.len() + memchr::memchr_iter(b'"', text).count() + 2)?;
    out.push(b'"');
    let mut written = 0;
    for quote in memchr::memchr_iter(b'"', text) {
        out.extend_from_slice(&text[written..=quote]);
        written = quote;
    }
    out.extend_from_slice(&text[written..]);
    out.push(b'"');
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(delimiter: Delimiter, column_count: usize, text: &str) -> String {
        let mut out = Vec::new();
        FieldWriter::new(delimiter, column_count).write(&mut out, text.as_bytes()).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn fields_are_quoted_where_necessary() {
        let cases = [
            ("a", "a", "a"),
            ("a b", "a b", "\"a b\""),
            ("a,b", "\"a,b\"", "a,b"),
            ("\"", "\"\"\"\"", "\"\"\"\""),
            ("a\"\"b", "\"a\"\"\"\"b\"", "\"a\"\"\"\"b\""),
            ("#a", "\"#a\"", "\"#a\""),
            ("a#", "a#", "a#"),
            (" a", "\" a\"", "\" a\""),
            ("a\t", "\"a\t\"", "\"a\t\""),
            ("a\tb", "a\tb", "a\tb"),
            ("a\nb", "\"a\nb\"", "\"a\nb\""),
            ("\r", "\"\r\"", "\"\r\""),
            ("", "", "\"\""),
        ];
        for (text, comma, space) in cases {
            assert_eq!((&*field(Delimiter::Comma, 2, text), &*field(Delimiter::Space, 2, text)), (comma, space));
        }
        assert_eq!(field(Delimiter::Comma, 1, ""), "\"\"");
    }
}
