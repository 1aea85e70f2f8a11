//! Splits text into records and fields.
//!
//! A record is a line; line feeds inside quotes belong to a field. Blank lines and lines that begin with `#` are
//! skipped. This file finds the positions of fields; it does not interpret their contents.

use super::marks::Marks;
use crate::error::{Error, Result as KitResult, Status};
use crate::table::Delimiter;
use crate::table::cell::fault::Fault;

type Result<T> = std::result::Result<T, Fault>;

/// Position of the text of a field. The two highest bits of `end` are flags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    start: u32,
    end: u32,
}

const QUOTED: u32 = 1 << 31;
const ESCAPED: u32 = 1 << 30;

/// Maximum number of bytes in which a `Field` can store positions.
pub(super) const MAX_BYTES: usize = ESCAPED as usize - 1;

impl Field {
    fn new(start: usize, end: usize, flags: u32) -> Field {
        // Both are at most `MAX_BYTES`.
        Field { start: start as u32, end: end as u32 | flags }
    }

    /// Returns where the text begins, after the opening quote if there is one.
    pub(super) fn start(self) -> usize {
        self.start as usize
    }

    /// Returns where the text ends.
    pub(super) fn end(self) -> usize {
        (self.end & !(QUOTED | ESCAPED)) as usize
    }

    /// Returns whether the field is empty.
    pub(super) fn is_empty(self) -> bool {
        self.start() == self.end()
    }

    /// Returns whether the text is in quotes.
    pub(super) fn is_quoted(self) -> bool {
        self.end & QUOTED != 0
    }

    /// Returns whether the text contains quotes, each written twice.
    pub(super) fn is_escaped(self) -> bool {
        self.end & ESCAPED != 0
    }
}

/// Syntax of the records in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) delimiter: Delimiter,
    /// Number of fields in each record.
    pub(super) field_count: usize,
    /// In strict reading two blanks are two delimiters, and blanks beside a comma belong to the field. `#` begins a
    /// comment only as the first byte of a line. A quote must begin or end a field.
    pub(super) strict: bool,
}

/// Extent of the records that were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Number of records.
    pub(super) records: usize,
    /// Number of bytes of the records and the skipped lines between them.
    pub(super) bytes: usize,
}

impl Rules {
    /// Finds up to `most` records in at most [`MAX_BYTES`] bytes, and appends their fields. An unterminated last line
    /// is a record only if `is_last`. Also returns the error after these records, if there is one.
    pub(super) fn find(
        &self,
        bytes: &[u8],
        is_last: bool,
        most: usize,
        fields: &mut Vec<Field>,
    ) -> (Found, Option<Fault>) {
        let delimiter = match self.delimiter {
            Delimiter::Space => b' ',
            Delimiter::Comma => b',',
        };
        let marks = Marks::new(bytes, delimiter, 0);
        let collapses = self.delimiter == Delimiter::Space && !self.strict;
        let mut search = Search { rules: *self, collapses, bytes, is_last, marks, fields };
        let mut found = Found::default();
        while found.records < most {
            match search.line(found.bytes) {
                Ok(Line::Record(end)) => found = Found { records: found.records + 1, bytes: end },
                Ok(Line::Skipped(end)) => found.bytes = end,
                Ok(Line::Incomplete) => break,
                Err(fault) => return (found, Some(fault)),
            }
        }
        (found, None)
    }
}

/// Kind of a line, with the position of the next one.
enum Line {
    Record(usize),
    Skipped(usize),
    /// The line does not end within the bytes.
    Incomplete,
}

struct Search<'a> {
    rules: Rules,
    /// True if several delimiters in a row count as one, and delimiters at the ends of a line are ignored.
    collapses: bool,
    bytes: &'a [u8],
    is_last: bool,
    marks: Marks<'a>,
    fields: &'a mut Vec<Field>,
}

impl Search<'_> {
    fn line(&mut self, start: usize) -> Result<Line> {
        match self.bytes.get(start) {
            None => return Ok(Line::Incomplete),
            Some(b' ' | b'\t' | b'\r' | b'\n' | b'#') => {
                if let Some(line) = self.skip_line(start) {
                    return Ok(line);
                }
            }
            Some(_) => {}
        }
        let first = self.fields.len();
        let reserved = self.fields.try_reserve(self.rules.field_count.saturating_add(1));
        reserved.map_err(|_| Fault::of(&Error::out_of_memory(self.rules.field_count as u64), start))?;
        let record = self.record(start, first);
        if !matches!(record, Ok(Some(_))) {
            self.fields.truncate(first);
        }
        Ok(record?.map_or(Line::Incomplete, Line::Record))
    }

    /// Returns the next mark, or the end of the last line, which needs no line feed.
    #[inline]
    fn next_mark(&mut self) -> Option<(usize, u8)> {
        self.marks.next().or(if self.is_last { Some((self.bytes.len(), b'\n')) } else { None })
    }

    /// Skips a blank line or a comment. Returns `None` for a record.
    fn skip_line(&mut self, start: usize) -> Option<Line> {
        let rest = self.bytes.get(start..).unwrap_or_default();
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        match rest.get(blanks..).unwrap_or_default() {
            [b'\n', ..] | [b'\r', b'\n', ..] => {}
            [b'#', ..] if blanks == 0 || !self.rules.strict => {}
            [] | [b'\r'] => {
                return Some(if self.is_last { Line::Skipped(self.bytes.len()) } else { Line::Incomplete });
            }
            _ => return None,
        }
        loop {
            match self.next_mark() {
                Some((place, b'\n')) => return Some(Line::Skipped((place + 1).min(self.bytes.len()))),
                Some(_) => {}
                None => return Some(Line::Incomplete),
            }
        }
    }

    /// Appends the fields of a record. Returns its end, or `None` if it does not end within the bytes.
    fn record(&mut self, start: usize, first: usize) -> Result<Option<usize>> {
        let mut field_start = start;
        loop {
            let Some((place, byte)) = self.next_mark() else { return Ok(None) };
            let (place, byte) = match byte {
                b'"' if self.opens_field(field_start, place)? => match self.quoted(place)? {
                    Some(mark) => mark,
                    None => return Ok(None),
                },
                b'"' => continue,
                b'\n' => {
                    let text = self.bytes.get(field_start..place).unwrap_or_default();
                    self.plain(field_start, place - usize::from(text.ends_with(b"\r")));
                    (place, byte)
                }
                _ => {
                    self.plain(field_start, place);
                    (place, byte)
                }
            };
            if self.fields.len() - first > self.rules.field_count {
                let message =
                    format!("the record has more fields than the table has columns ({})", self.rules.field_count);
                return Err(Fault::new(Status::Record, message, field_start));
            }
            if byte == b'\n' {
                let count = self.fields.len() - first;
                if count < self.rules.field_count {
                    let message = format!(
                        "the record has only {count} fields, but the table has {} columns",
                        self.rules.field_count
                    );
                    return Err(Fault::new(Status::Record, message, start));
                }
                return Ok(Some((place + 1).min(self.bytes.len())));
            }
            field_start = place + 1;
        }
    }

    /// Appends a field without quotes.
    #[inline]
    fn plain(&mut self, start: usize, end: usize) {
        let (start, end) = if self.rules.strict { (start, end) } else { self.trimmed(start, end) };
        if !(self.collapses && start == end) {
            self.fields.push(Field::new(start, end, 0));
        }
    }

    /// Returns the position of a field without the blanks around it.
    #[inline]
    fn trimmed(&self, mut start: usize, mut end: usize) -> (usize, usize) {
        while start < end && matches!(self.bytes.get(start), Some(b' ' | b'\t')) {
            start += 1;
        }
        while start < end && matches!(self.bytes.get(end - 1), Some(b' ' | b'\t')) {
            end -= 1;
        }
        (start, end)
    }

    /// Returns whether a quote begins a quoted field, instead of being part of a field without quotes.
    fn opens_field(&self, field_start: usize, quote: usize) -> Result<bool> {
        let before = self.bytes.get(field_start..quote).unwrap_or_default();
        if before.is_empty() {
            return Ok(true);
        }
        if self.rules.strict {
            return Err(Fault::new(Status::Record, "a field without quotes contains a quote", quote));
        }
        Ok(before.iter().all(|byte| matches!(byte, b' ' | b'\t')))
    }

    /// Appends the field that this quote begins. Returns the mark after it, or `None` if that is not within the bytes.
    fn quoted(&mut self, open: usize) -> Result<Option<(usize, u8)>> {
        let mut flags = QUOTED;
        let close = loop {
            let place = match self.marks.next() {
                Some((place, b'"')) => place,
                Some(_) => continue,
                None if self.is_last => {
                    return Err(Fault::new(
                        Status::Truncated,
                        "the quote that begins here is not closed before the end of the file",
                        open,
                    ));
                }
                None => return Ok(None),
            };
            match self.bytes.get(place + 1) {
                Some(b'"') => {
                    flags |= ESCAPED;
                    self.marks.next();
                }
                None if !self.is_last => return Ok(None),
                _ => break place,
            }
        };
        let Some((mark, byte)) = self.next_mark() else { return Ok(None) };
        let mut behind = self.bytes.get(close + 1..mark).unwrap_or_default();
        if byte == b'\n' {
            behind = behind.strip_suffix(b"\r").unwrap_or(behind);
        }
        let blank = if self.rules.strict { behind.is_empty() } else { behind.trim_ascii().is_empty() };
        if byte == b'"' || !blank {
            return Err(Fault::new(Status::Record, "text follows the closing quote of a field", close + 1));
        }
        self.fields.push(Field::new(open + 1, close, flags));
        Ok(Some((mark, byte)))
    }
}

/// Returns the value of a field of `text`, without enclosing quotes and with doubled quotes as one. `scratch` holds the
/// value if it differs from the text.
#[inline]
pub(super) fn text_of<'a>(field: Field, text: &'a str, scratch: &'a mut String) -> KitResult<&'a str> {
    let content = text.get(field.start()..field.end()).unwrap_or_default();
    if !field.is_escaped() {
        return Ok(content);
    }
    scratch.clear();
    scratch.try_reserve(content.len()).map_err(|_| Error::out_of_memory(content.len() as u64))?;
    let mut rest = content;
    while let Some((before, behind)) = rest.split_once("\"\"") {
        scratch.push_str(before);
        scratch.push('"');
        rest = behind;
    }
    scratch.push_str(rest);
    Ok(scratch)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(delimiter: Delimiter, field_count: usize, strict: bool) -> Rules {
        Rules { delimiter, field_count, strict }
    }

    fn rows(rules: Rules, text: &str) -> Result<Vec<Vec<String>>> {
        let mut fields = Vec::new();
        let find = |bytes: &[u8], is_last, fields: &mut Vec<Field>| match rules.find(bytes, is_last, usize::MAX, fields)
        {
            (found, None) => Ok(found),
            (_, Some(fault)) => Err(fault),
        };
        let found = find(text.as_bytes(), true, &mut fields)?;
        assert_eq!((found.bytes, fields.len()), (text.len(), found.records * rules.field_count));
        // Text cut in two pieces anywhere gives the same records.
        for cut in 0..text.len() {
            let mut pieces = Vec::new();
            let before = find(&text.as_bytes()[..cut], false, &mut pieces)?;
            let behind = find(&text.as_bytes()[before.bytes..], true, &mut pieces)?;
            assert_eq!(before.records + behind.records, found.records, "{cut} of {text:?}");
        }
        let one = |field: &Field| text_of(*field, text, &mut String::new()).unwrap().to_owned();
        Ok(fields.chunks(rules.field_count).map(|record| record.iter().map(one).collect()).collect())
    }

    #[test]
    fn fields_are_split_as_they_are_quoted() {
        let comma = rules(Delimiter::Comma, 3, false);
        let text =
            "a,b,c\r\n\n# no, \"record\n  \t\n  #neither\n 1 ,\"x, \"\"y\"\"\n# in\",\t\"\" \n,,\ne\"f, g #,\"\"\"\"";
        let expected = [["a", "b", "c"], ["1", "x, \"y\"\n# in", ""], ["", "", ""], ["e\"f", "g #", "\""]];
        assert_eq!(rows(comma, text).unwrap(), expected);
        let space = rules(Delimiter::Space, 2, false);
        let text = "a b\n  1   \"\"  \n\"x y\" c\td\r\n\"\" \"#\"\n";
        assert_eq!(rows(space, text).unwrap(), [["a", "b"], ["1", ""], ["x y", "c\td"], ["", "#"]]);
        let strict = rules(Delimiter::Space, 3, true);
        assert_eq!(rows(strict, "a  b\n # \n#x\n").unwrap(), [["a", "", "b"], ["", "#", ""]].map(|row| row.to_vec()));
    }

    #[test]
    fn invalid_records_are_refused_with_their_place() {
        let fault = |rules: Rules, text: &str| {
            let fault = rules.find(text.as_bytes(), true, usize::MAX, &mut Vec::new()).1.unwrap();
            (fault.status, fault.place)
        };
        let comma = rules(Delimiter::Comma, 2, false);
        assert_eq!(fault(comma, "1,2\n3\n"), (Status::Record, 4));
        assert_eq!(fault(comma, "1,2\n3,4,5\n"), (Status::Record, 8));
        assert_eq!(fault(comma, "1,\"x\"y\n"), (Status::Record, 5));
        assert_eq!(fault(comma, "1,\"x\" \"y\"\n"), (Status::Record, 5));
        assert_eq!(fault(comma, "1,\"x\n2,3\n"), (Status::Truncated, 2));
        assert_eq!(fault(comma, "1,2,\n"), (Status::Record, 4));
        let strict = rules(Delimiter::Comma, 2, true);
        assert_eq!(fault(strict, "1,a\"b\n"), (Status::Record, 3));
        assert_eq!(fault(strict, "1, \"b\"\n"), (Status::Record, 3));
        assert_eq!(fault(strict, "1,\"b\" \n"), (Status::Record, 5));
    }
}
