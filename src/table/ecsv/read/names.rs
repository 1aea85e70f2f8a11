//! Reads the line of names, the first record of a table, field by field.
//!
//! This parser follows the same rules as the fast one for records, but works line by line.

use super::lines::{Line, LineReader};
use crate::error::{Error, Result, Status};
use crate::table::Delimiter;

/// Rules for separating fields.
#[derive(Clone, Copy)]
pub(crate) struct FieldRules {
    pub(crate) delimiter: Delimiter,
    /// In strict reading each blank is a delimiter, fields keep their blanks, and a quote must begin or end a field.
    pub(crate) strict: bool,
}

/// State of the parser before the next byte.
#[derive(Clone, Copy, PartialEq)]
enum FieldState {
    /// At the beginning of a field.
    Start,
    /// In a field without quotes.
    Bare,
    /// In a quoted field.
    Quoted,
    /// After a quote in a quoted field: it ends the field, or a second quote follows.
    Quote,
    /// After a quoted field and blanks.
    Ended,
}

/// Parser of one record, line by line.
struct Splitter {
    rules: FieldRules,
    state: FieldState,
    fields: Vec<Vec<u8>>,
    field: Vec<u8>,
}

impl Splitter {
    fn is_delimiter(&self, byte: u8) -> bool {
        match self.rules.delimiter {
            Delimiter::Space => byte == b' ',
            Delimiter::Comma => byte == b',',
        }
    }

    /// Returns whether a byte beside a field is ignored.
    fn is_padding(&self, byte: u8) -> bool {
        match self.rules.delimiter {
            _ if self.rules.strict => false,
            Delimiter::Space => byte == b' ',
            Delimiter::Comma => matches!(byte, b' ' | b'\t'),
        }
    }

    fn end_field(&mut self) {
        self.fields.push(std::mem::take(&mut self.field));
        self.state = FieldState::Start;
    }

    /// Consumes one byte of a line. Fails with the reason if it is not allowed.
    fn take(&mut self, byte: u8) -> std::result::Result<(), &'static str> {
        match self.state {
            FieldState::Quoted if byte == b'"' => self.state = FieldState::Quote,
            FieldState::Quoted => self.field.push(byte),
            FieldState::Quote if byte == b'"' => {
                self.field.push(byte);
                self.state = FieldState::Quoted;
            }
            FieldState::Start if self.is_padding(byte) => {}
            FieldState::Start if byte == b'"' => self.state = FieldState::Quoted,
            _ if self.is_delimiter(byte) => {
                if self.state == FieldState::Bare {
                    self.trim();
                }
                self.end_field();
            }
            FieldState::Quote | FieldState::Ended if self.is_padding(byte) => self.state = FieldState::Ended,
            FieldState::Quote | FieldState::Ended => return Err("text follows a quoted name"),
            FieldState::Start | FieldState::Bare if byte == b'"' && self.rules.strict => {
                return Err("a name without quotes contains a quote");
            }
            FieldState::Start | FieldState::Bare => {
                self.field.push(byte);
                self.state = FieldState::Bare;
            }
        }
        Ok(())
    }

    fn trim(&mut self) {
        while self.field.last().is_some_and(|&last| self.is_padding(last)) {
            self.field.pop();
        }
    }

    /// Ends the record at the end of a line that is not inside quotes.
    fn end(&mut self) {
        let padding_only = self.rules.delimiter == Delimiter::Space && !self.rules.strict;
        if self.state == FieldState::Bare {
            self.trim();
        }
        if self.state != FieldState::Start || !padding_only {
            self.end_field();
        }
    }
}

/// Returns whether a line before the first record is blank or a comment.
pub(super) fn is_skipped(line: &Line, strict: bool) -> bool {
    let indentation = if strict { &[][..] } else { b" \t" };
    let content = line.text.iter().find(|byte| !indentation.contains(byte));
    line.is_blank() || content == Some(&b'#')
}

/// Returns the names in the first record, or `None` if there is no record. Blank lines and comments before it are
/// skipped.
pub(crate) fn read(reader: &mut LineReader, rules: FieldRules) -> Result<Option<Vec<String>>> {
    while let Some(line) = reader.peek()? {
        if !is_skipped(&line, rules.strict) {
            return record(reader, rules).map(Some);
        }
        let length = line.length();
        reader.skip(length);
    }
    Ok(None)
}

fn record(reader: &mut LineReader, rules: FieldRules) -> Result<Vec<String>> {
    let mut splitter = Splitter { rules, state: FieldState::Start, fields: Vec::new(), field: Vec::new() };
    let unclosed = reader.locate(Error::new(Status::Record, "a quote is not closed in the line of names"));
    loop {
        let Some(line) = reader.peek()? else { return Err(unclosed) };
        for (position, &byte) in line.text.iter().enumerate() {
            splitter.take(byte).map_err(|message| line.locate(Error::new(Status::Record, message), position))?;
        }
        if splitter.state != FieldState::Quoted {
            splitter.end();
            let names = splitter.fields.into_iter().map(String::from_utf8).collect::<std::result::Result<_, _>>();
            let names = names.map_err(|_| line.locate(Error::new(Status::Encoding, "a name is not valid UTF-8"), 0));
            let length = line.length();
            reader.skip(length);
            return names;
        }
        // A line end inside quotes is part of the name.
        splitter.field.extend_from_slice(line.end);
        let length = line.length();
        reader.skip(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::ecsv::Input;
    use std::sync::Arc;

    fn names(text: &str, delimiter: Delimiter, strict: bool) -> Result<Vec<String>> {
        let mut input = Input::of_memory(Arc::new(text.as_bytes().to_vec()))?;
        let mut reader = LineReader::new(&mut input, 1 << 20)?;
        let names = read(&mut reader, FieldRules { delimiter, strict })?.expect("a record");
        assert_eq!(reader.into_rest().2, b"rest");
        Ok(names)
    }

    #[test]
    fn fields_are_separated() {
        use Delimiter::{Comma, Space};
        let cases: &[(&str, Delimiter, bool, &[&str])] = &[
            ("\n # c\n\n a  b\tc \r\nrest", Space, false, &["a", "b\tc"]),
            ("\"a b\" c,d \"e\"\"f\" g\"h\nrest", Space, false, &["a b", "c,d", "e\"f", "g\"h"]),
            (" a ,\t\" b\" ,,c d\nrest", Comma, false, &["a", " b", "", "c d"]),
            ("a,\nrest", Comma, false, &["a", ""]),
            ("\"a\r\n\nb\",c\nrest", Comma, false, &["a\r\n\nb", "c"]),
            ("# c\n #,b\nrest", Comma, true, &[" #", "b"]),
            ("a  b\nrest", Space, true, &["a", "", "b"]),
            ("é,\"日\"\nrest", Comma, true, &["é", "日"]),
        ];
        for &(text, delimiter, strict, expected) in cases {
            assert_eq!(names(text, delimiter, strict).unwrap(), expected, "{text:?}");
        }
    }

    #[test]
    fn wrong_quotes_are_located() {
        let place = |text, strict| {
            let error = names(text, Delimiter::Comma, strict).unwrap_err();
            assert_eq!(error.status(), Status::Record);
            let place = error.location().clone();
            (place.offset.unwrap(), place.line.unwrap(), place.column.unwrap())
        };
        assert_eq!(place("\na,\"b\nc", false), (1, 2, 1));
        assert_eq!(place("é,\"b\"c\n", false), (6, 1, 6));
        assert_eq!(place("a,b\"c\n", true), (3, 1, 4));
        assert_eq!(place("a,\"b\" ,c\n", true), (5, 1, 6));
    }
}
