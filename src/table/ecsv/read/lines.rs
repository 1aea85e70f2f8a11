//! Reads the lines at the beginning of a table, and joins those of the header to one YAML text.

use crate::error::{Error, Result, Status};
use crate::hint;
use crate::limits::Limit;
use crate::table::ecsv::Input;
use crate::tree::Lines;
use crate::yaml;

/// Number of bytes that are read at a time.
const PIECE: usize = 64 * 1024;
/// Maximum length of the first line in bytes.
const FIRST_LINE: u64 = 4096;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Reader of an input line by line. A line ends with a line feed; a carriage return before it is part of the line end.
/// Makes the input read carriage returns as line feeds if they alone end the lines.
pub(crate) struct LineReader<'a> {
    input: &'a mut Input,
    buffer: Vec<u8>,
    /// Position of the next line in the buffer.
    start: usize,
    /// Byte offset of that line in the text.
    offset: u64,
    /// Number of that line, from 1.
    number: u64,
    at_end: bool,
    /// Maximum number of bytes to read in total.
    limit: u64,
}

/// Line with its place.
#[derive(Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Text without the line end.
    pub(crate) text: &'a [u8],
    /// Line end: a line feed, with or without a carriage return before it; empty at the end of the input.
    pub(crate) end: &'a [u8],
    /// Byte offset of the beginning.
    pub(crate) offset: u64,
    /// Number, from 1.
    pub(crate) number: u64,
}

impl Line<'_> {
    /// Returns the number of bytes, including the line end.
    pub(crate) fn length(&self) -> usize {
        self.text.len() + self.end.len()
    }

    /// Adds the place of a byte in the line to an error.
    pub(crate) fn locate(&self, error: Error, position: usize) -> Error {
        let before = self.text.get(..position).unwrap_or(self.text);
        let characters = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
        error.at_offset(self.offset + before.len() as u64).at_line(self.number, characters + 1)
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.text.iter().all(|byte| matches!(byte, b' ' | b'\t'))
    }
}

impl<'a> LineReader<'a> {
    /// Reads from the beginning of an input, after a byte order mark. Fails if it needs more than `limit` bytes.
    pub(crate) fn new(input: &'a mut Input, limit: u64) -> Result<LineReader<'a>> {
        let mut reader = LineReader { input, buffer: Vec::new(), start: 0, offset: 0, number: 1, at_end: false, limit };
        while reader.buffer.len() < BYTE_ORDER_MARK.len() && !reader.at_end {
            reader.read_more()?;
        }
        if reader.buffer.starts_with(BYTE_ORDER_MARK) {
            reader.start = BYTE_ORDER_MARK.len();
            reader.offset = reader.start as u64;
        }
        reader.find_carriage_returns()?;
        Ok(reader)
    }

    /// Finds out whether carriage returns alone end the lines: one ends the first line, and this line begins an ECSV
    /// table, or no line feed follows in the bytes read so far.
    fn find_carriage_returns(&mut self) -> Result<()> {
        let found = memchr::memchr2(b'\r', b'\n', self.buffer.get(self.start..).unwrap_or_default());
        let Some(end) = found.map(|found| self.start + found) else { return Ok(()) };
        while self.buffer.len() == end + 1 && !self.at_end {
            self.read_more()?;
        }
        let line = self.buffer.get(self.start..end).unwrap_or_default().trim_ascii();
        let begins_table = || line.strip_prefix(b"#").is_some_and(|text| version_of(text.trim_ascii_start()).is_some());
        let is_return = self.buffer.get(end) == Some(&b'\r') && self.buffer.get(end + 1) != Some(&b'\n');
        if is_return && (begins_table() || memchr::memchr(b'\n', &self.buffer).is_none()) {
            self.input.end_lines_with_carriage_returns(&mut self.buffer);
        }
        Ok(())
    }

    /// Returns whether carriage returns alone end the lines.
    pub(crate) fn has_carriage_returns(&self) -> bool {
        self.input.has_carriage_returns()
    }

    fn read_more(&mut self) -> Result<()> {
        let length = self.buffer.len();
        self.buffer.try_reserve(PIECE).map_err(|_| Error::out_of_memory(PIECE as u64))?;
        self.buffer.resize(length + PIECE, 0);
        let read = self.input.read(self.buffer.get_mut(length..).unwrap_or_default());
        self.buffer.truncate(length + *read.as_ref().unwrap_or(&0));
        self.at_end = read? == 0;
        Ok(())
    }

    /// Returns the length of the next line with its end. Returns `None` after the last line, or if the line does not
    /// end within `within` bytes.
    fn next_length(&mut self, within: u64) -> Result<Option<usize>> {
        let mut searched = 0;
        loop {
            let rest = self.buffer.get(self.start..).unwrap_or_default();
            if let Some(found) = memchr::memchr(b'\n', rest.get(searched..).unwrap_or_default()) {
                return Ok(Some(searched + found + 1));
            }
            searched = rest.len();
            if self.at_end || searched as u64 >= within {
                return Ok(Some(searched).filter(|&length| self.at_end && length > 0));
            }
            if self.start > 0 && self.start >= searched {
                self.buffer.drain(..self.start);
                self.start = 0;
            }
            if self.offset + searched as u64 >= self.limit {
                return Err(Limit::TreeBytes.exceeded("the bytes of the header", self.limit).at_offset(self.offset));
            }
            self.read_more()?;
        }
    }

    fn line(&self, length: usize) -> Line<'_> {
        let whole = self.buffer.get(self.start..self.start + length).unwrap_or_default();
        let text = whole.strip_suffix(b"\n").unwrap_or(whole);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        let (text, end) = whole.split_at(text.len());
        Line { text, end, offset: self.offset, number: self.number }
    }

    /// Returns the next line without consuming it; `None` at the end of the input.
    pub(crate) fn peek(&mut self) -> Result<Option<Line<'_>>> {
        let length = self.next_length(u64::MAX)?;
        Ok(length.map(|length| self.line(length)))
    }

    /// Skips the next line, whose length is `length`.
    pub(crate) fn skip(&mut self, length: usize) {
        self.start += length;
        self.offset += length as u64;
        self.number += 1;
    }

    /// Returns the number and the offset of the next line, and the bytes from there on that are already read.
    pub(crate) fn into_rest(mut self) -> (u64, u64, Vec<u8>) {
        self.buffer.drain(..self.start);
        (self.number, self.offset, self.buffer)
    }

    /// Returns the number of the next line, from 1.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Adds the place of the next line to an error.
    pub(crate) fn locate(&self, error: Error) -> Error {
        error.at_offset(self.offset).at_line(self.number, 1)
    }
}

/// Header in the form of its lines.
#[derive(Debug)]
pub(crate) struct HeaderLines {
    /// Version that the first line declares.
    pub(crate) version: String,
    /// YAML document, including directives.
    pub(crate) yaml: String,
    /// Places of its lines in the input.
    pub(crate) places: Lines,
}

/// Role of a line before the line of names.
enum Role {
    /// Blank line or comment.
    Skipped,
    /// YAML from this byte on.
    Yaml(usize),
    /// Line after the header.
    Beyond,
}

impl Line<'_> {
    fn role(&self, strict: bool) -> Result<Role> {
        let indentation =
            if strict { 0 } else { self.text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count() };
        match self.text.get(indentation..).unwrap_or_default() {
            [] if strict => Ok(Role::Beyond),
            [] | [b'#', b'#', ..] => Ok(Role::Skipped),
            [b'#', b' ', ..] => Ok(Role::Yaml(indentation + 2)),
            [b'#', _, ..] if strict => {
                let error = Error::new(Status::TableHeader, "a blank must follow '#' in the header");
                Err(self.locate(error, 1))
            }
            [b'#', ..] => Ok(Role::Yaml(indentation + 1)),
            _ => Ok(Role::Beyond),
        }
    }

    /// Returns the text from a byte on.
    fn content(&self, from: usize) -> Result<String> {
        let mut text = yaml::text_of(self.text.to_vec(), self.offset, self.number)?;
        if let Some(position) = memchr::memchr(b'\r', self.text) {
            let error = Error::new(Status::Encoding, "a line of the header contains a carriage return");
            return Err(self.locate(error, position));
        }
        Ok(text.split_off(from))
    }
}

impl HeaderLines {
    /// Reads the header at the beginning of an input. The next line is then the first after the header.
    ///
    /// Fails with [`Status::NotEcsv`] if the text does not begin like a header.
    pub(crate) fn read(reader: &mut LineReader, strict: bool) -> Result<HeaderLines> {
        let version = version_line(reader, strict)?;
        let (mut yaml, mut places, mut begun) = (String::new(), Lines::default(), false);
        while let Some(line) = reader.peek()? {
            let length = line.length();
            match line.role(strict)? {
                Role::Beyond => break,
                Role::Skipped => {}
                Role::Yaml(from) => {
                    let content = line.content(from)?;
                    if !begun && !content.starts_with(['%', '#']) && !content.trim_ascii().is_empty() {
                        begun = content.starts_with("---");
                        if !begun {
                            let error = Error::new(Status::TableHeader, "the line '# ---' must come before the keys");
                            return Err(line.locate(error, from));
                        }
                    }
                    let more = content.len() + 1;
                    yaml.try_reserve(more).map_err(|_| Error::out_of_memory(more as u64))?;
                    places.begin(yaml.len(), line.offset + from as u64, line.number, from as u64 + 1);
                    yaml.push_str(&content);
                    yaml.push('\n');
                }
            }
            reader.skip(length);
        }
        Ok(HeaderLines { version, yaml, places })
    }
}

/// Returns the version in the first line that is not blank.
pub(crate) fn version_line(reader: &mut LineReader, strict: bool) -> Result<String> {
    let not_ecsv = |text: &[u8]| {
        let reason = match hint::file_format(text) {
            Some(format) => format!("it seems to be {format}"),
            None if text.is_empty() => "it has no content".to_owned(),
            None => "it does not begin with '# %ECSV' and a version".to_owned(),
        };
        Error::new(Status::NotEcsv, format!("not an ECSV table: {reason}"))
    };
    let mut first = Vec::new();
    while let Some(length) = reader.next_length(FIRST_LINE)? {
        let line = reader.line(length);
        match line.role(strict)? {
            Role::Skipped => reader.skip(length),
            Role::Beyond => {
                first = line.text.to_vec();
                break;
            }
            Role::Yaml(from) => {
                let text = line.text.get(from..).unwrap_or_default();
                let version = version_of(text);
                let missing = || line.locate(not_ecsv(line.text), 0);
                let version = version.ok_or_else(missing)?.to_owned();
                reader.skip(length);
                return Ok(version);
            }
        }
    }
    Err(reader.locate(not_ecsv(&first)))
}

/// Returns the version in a line such as `%ECSV 1.0`. It consists of two or three numbers.
pub(crate) fn version_of(text: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(text).ok()?;
    let version = text.strip_prefix("%ECSV ")?.trim_end_matches([' ', '\t']);
    let numbers = version.split('.');
    let are_numbers =
        numbers.clone().all(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()));
    (are_numbers && matches!(numbers.count(), 2 | 3)).then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    fn read(text: &str, strict: bool) -> Result<(HeaderLines, u64, u64, String)> {
        let mut input = Input::of_memory(Arc::new(text.as_bytes().to_vec()))?;
        let mut reader = LineReader::new(&mut input, 1 << 20)?;
        let lines = HeaderLines::read(&mut reader, strict)?;
        let (number, offset, rest) = reader.into_rest();
        Ok((lines, number, offset, String::from_utf8(rest).unwrap()))
    }

    #[test]
    fn yaml_is_extracted_with_its_places() {
        let text = "\u{FEFF}\n# %ECSV 1.0 \r\n  # ---\r\n## comment\n\n#\n#  a: 1\n#b: 2\nx y\n";
        let (lines, number, offset, rest) = read(text, false).unwrap();
        assert_eq!((lines.version.as_str(), lines.yaml.as_str()), ("1.0", "---\n\n a: 1\nb: 2\n"));
        assert_eq!((number, rest.as_str()), (9, "x y\n"));
        assert_eq!(&text[offset as usize..], "x y\n");
        for (position, (line, column)) in [(0, (3, 5)), (6, (7, 4)), (11, (8, 2))] {
            let (offset, found_line, found_column) = lines.places.place(&lines.yaml, position);
            assert_eq!((found_line, found_column), (line, column));
            assert_eq!(text.as_bytes()[offset as usize], lines.yaml.as_bytes()[position]);
        }
    }

    #[test]
    fn carriage_returns_alone_can_end_all_lines() {
        let text =
            "\u{FEFF}# %ECSV 1.0\r# ---\r# datatype:\r# - {name: a, datatype: string}\ra\r\"x\ry\"\r\"u\nv\"\rw\r";
        let (lines, number, offset, rest) = read(text, false).unwrap();
        assert_eq!((lines.version.as_str(), number, rest.as_str()), ("1.0", 5, "a\n\"x\ny\"\n\"u\nv\"\nw\n"));
        assert_eq!(&text[offset as usize..], "a\r\"x\ry\"\r\"u\nv\"\rw\r");
        for (text, expected) in [("a b\r1 2\r", true), ("a b\r1 2\n", false), ("a b\r\n1 2\r", false), ("a\r", true)] {
            let mut input = Input::of_memory(Arc::new(text.as_bytes().to_vec())).unwrap();
            assert_eq!(LineReader::new(&mut input, 1 << 20).unwrap().has_carriage_returns(), expected, "{text:?}");
        }
    }

    #[test]
    fn strict_lines_follow_the_standard() {
        let (lines, _, _, rest) = read("# %ECSV 1.0\n# ---\n#\n# a: 1\n\n# b: 2\nx", true).unwrap();
        assert_eq!((lines.yaml.as_str(), rest.as_str()), ("---\n\na: 1\n", "\n# b: 2\nx"));
        assert_eq!(read("\n# %ECSV 1.0\n# ---\n", true).unwrap_err().status(), Status::NotEcsv);
        let error = read("# %ECSV 1.0\n# ---\n#a: 1\n", true).unwrap_err();
        assert_eq!((error.status(), error.location().line), (Status::TableHeader, Some(3)));
    }

    #[test]
    fn invalid_headers_are_refused() {
        let long = format!("# {}", "x".repeat(100_000));
        for text in ["", "a,b\n1,2\n", "# a\n# %ECSV 1.0\n# ---\n", "# %ECSV  1.0\n# ---\n", "# %ECSV 1.0 x\n", &long] {
            assert_eq!(read(text, false).unwrap_err().status(), Status::NotEcsv, "{text}");
        }
        let error = read("# %ECSV 1.0\n#\n# datatype: []\n", false).unwrap_err();
        assert_eq!((error.status(), error.location().offset), (Status::TableHeader, Some(16)));
        let error = read("# %ECSV 1.0\n# ---\n# a\r: 1\n", false).unwrap_err();
        assert_eq!((error.status(), error.location().column), (Status::Encoding, Some(4)));
        let endless = "# %ECSV 1.0\n# ---\n".to_owned() + &"# a\n".repeat(1 << 19);
        assert_eq!(read(&endless, false).unwrap_err().status(), Status::Limit);
    }

    #[test]
    fn versions_are_numbers() {
        for (text, version) in
            [("%ECSV 0.9", Some("0.9")), ("%ECSV 1.0.1\t ", Some("1.0.1")), ("%ECSV 12.34", Some("12.34"))]
        {
            assert_eq!(version_of(text.as_bytes()), version);
        }
        for text in ["%ECSV 1", "%ECSV 1.", "%ECSV 1.0.0.0", "%ECSV", "%ECSV 1.x", "ECSV 1.0"] {
            assert_eq!(version_of(text.as_bytes()), None, "{text}");
        }
    }
}
