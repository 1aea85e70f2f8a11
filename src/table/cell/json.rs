//! JSON in cells of ECSV, as Python writes it: with `NaN`, `Infinity` and `-Infinity`.
//!
//! The parser reads a text once from front to end, and builds no tree. The stack depth does not depend on the depth of
//! the text.

use super::fault::excerpt;
use crate::error::{Error, Result, Status};
use crate::limits::Limit;

/// Parser at a place in a JSON text.
#[derive(Clone, Copy)]
pub(in crate::table) struct Json<'a> {
    text: &'a str,
    place: usize,
}

/// JSON number, or `NaN` or an infinity as Python writes them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::table) struct Number<'a> {
    pub(in crate::table) text: &'a str,
    /// True for an integer: no fraction and no exponent.
    pub(in crate::table) is_whole: bool,
}

impl<'a> Json<'a> {
    /// Begins to parse this text.
    pub(in crate::table) fn new(text: &'a str) -> Json<'a> {
        Json { text, place: 0 }
    }

    /// Error: `what` is expected at this place.
    pub(in crate::table) fn expected(&self, what: &str) -> Error {
        let rest = self.text.get(self.place..).unwrap_or_default();
        let found = if rest.is_empty() { "the end of the text".to_owned() } else { excerpt(rest) };
        Error::new(Status::Cell, format!("expected {what} in the JSON text, found {found}"))
    }

    /// Skips white space and returns the next byte.
    #[inline]
    pub(in crate::table) fn peek(&mut self) -> Option<u8> {
        loop {
            match self.text.as_bytes().get(self.place) {
                Some(b' ' | b'\t' | b'\n' | b'\r') => self.place += 1,
                other => return other.copied(),
            }
        }
    }

    /// Skips white space, and the next byte if it is this one. Returns whether it was.
    #[inline]
    pub(in crate::table) fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.place += usize::from(found);
        found
    }

    /// Skips white space, and this word if it is next. Returns whether it was.
    #[inline]
    pub(in crate::table) fn take_word(&mut self, word: &str) -> bool {
        self.peek();
        let found = self.text.get(self.place..).is_some_and(|rest| rest.starts_with(word));
        self.place += if found { word.len() } else { 0 };
        found
    }

    /// Fails unless only white space is left.
    pub(in crate::table) fn end(&mut self) -> Result<()> {
        if self.peek().is_none() { Ok(()) } else { Err(self.expected("nothing more")) }
    }

    /// Skips digits, and returns their number.
    #[inline]
    fn digits(&mut self) -> usize {
        let rest = self.text.as_bytes().get(self.place..).unwrap_or_default();
        let count = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.place += count;
        count
    }

    /// Skips the next byte if it is one of these. White space is not skipped.
    #[inline]
    fn take_one_of(&mut self, bytes: [u8; 2]) -> bool {
        let found = self.text.as_bytes().get(self.place).is_some_and(|byte| bytes.contains(byte));
        self.place += usize::from(found);
        found
    }

    /// Reads a number.
    pub(in crate::table) fn number(&mut self) -> Result<Number<'a>> {
        self.peek();
        let start = self.place;
        let negative = self.take_one_of([b'-'; 2]);
        let mut is_whole = false;
        if self.take_word("Infinity") || !negative && self.take_word("NaN") {
            return Ok(Number { text: self.since(start), is_whole });
        }
        let leading_zero = self.text.as_bytes().get(self.place) == Some(&b'0');
        let whole = self.digits();
        let fraction = if self.take_one_of([b'.'; 2]) { Some(self.digits()) } else { None };
        let exponent = if self.take_one_of([b'e', b'E']) {
            self.take_one_of([b'+', b'-']);
            Some(self.digits())
        } else {
            None
        };
        if whole == 0 || leading_zero && whole > 1 || fraction == Some(0) || exponent == Some(0) {
            self.place = start;
            return Err(self.expected("a number"));
        }
        is_whole = fraction.is_none() && exponent.is_none();
        Ok(Number { text: self.since(start), is_whole })
    }

    fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.place).unwrap_or_default()
    }

    /// Reads a string, and replaces `content` by its value.
    pub(in crate::table) fn string(&mut self, content: &mut String) -> Result<()> {
        content.clear();
        let start = self.place;
        let pushed = self.string_parts(|part| {
            content.try_reserve(part.len()).map_err(|_| Error::out_of_memory(part.len() as u64))?;
            content.push_str(part);
            Ok(())
        });
        if pushed.is_err() {
            self.place = start;
        }
        pushed
    }

    /// Reads a string, and passes its value to `take` piece by piece.
    fn string_parts(&mut self, mut take: impl FnMut(&str) -> Result<()>) -> Result<()> {
        if !self.take(b'"') {
            return Err(self.expected("a string"));
        }
        loop {
            let rest = self.text.get(self.place..).unwrap_or_default();
            let plain = rest.bytes().take_while(|&byte| byte != b'"' && byte != b'\\' && byte >= b' ').count();
            take(rest.get(..plain).unwrap_or_default())?;
            self.place += plain;
            match rest.as_bytes().get(plain) {
                Some(b'"') => {
                    self.place += 1;
                    return Ok(());
                }
                Some(b'\\') => {
                    let character = self.escape()?;
                    take(character.encode_utf8(&mut [0; 4]))?;
                }
                Some(_) => return Err(self.expected("an escape for a control character")),
                None => return Err(self.expected("the end of a string")),
            }
        }
    }

    /// Reads an escape and returns its character.
    fn escape(&mut self) -> Result<char> {
        let rest = self.text.as_bytes().get(self.place..).unwrap_or_default();
        let simple = match rest.get(1) {
            Some(&byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let Some((character, length)) = self.unicode_escape() else {
                    return Err(self.expected("\\uXXXX with four hexadecimal digits"));
                };
                self.place += length;
                return Ok(character);
            }
            _ => return Err(self.expected("a valid escape")),
        };
        self.place += 2;
        Ok(simple)
    }

    /// Returns the character of `\uXXXX`, or of two such escapes that are a surrogate pair, and the length in bytes.
    fn unicode_escape(&self) -> Option<(char, usize)> {
        let unit = |at: usize| {
            let digits = self.text.get(at..at + 6)?.strip_prefix("\\u")?;
            let all_digits = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            all_digits.then(|| u16::from_str_radix(digits, 16).ok()).flatten()
        };
        let first = unit(self.place)?;
        if let Some(character) = char::from_u32(u32::from(first)) {
            return Some((character, 6));
        }
        let pair = [first, unit(self.place + 6)?];
        Some((char::decode_utf16(pair).next()?.ok()?, 12))
    }

    /// Reads any value nested at most `depth` deep, and returns its text.
    pub(in crate::table) fn value(&mut self, depth: u32) -> Result<&'a str> {
        self.peek();
        let start = self.place;
        // Open collections: true for an object, false for an array.
        let mut open: Vec<bool> = Vec::new();
        loop {
            match self.peek() {
                Some(byte @ (b'{' | b'[')) => {
                    if open.len() >= depth as usize {
                        return Err(Limit::Depth.exceeded("the depth of JSON in a cell", u64::from(depth)));
                    }
                    self.place += 1;
                    let is_object = byte == b'{';
                    if !self.take(if is_object { b'}' } else { b']' }) {
                        open.push(is_object);
                        if is_object {
                            self.key()?;
                        }
                        continue;
                    }
                }
                Some(b'"') => self.string_parts(|_| Ok(()))?,
                Some(b't' | b'f' | b'n') => {
                    if !["true", "false", "null"].iter().any(|word| self.take_word(word)) {
                        return Err(self.expected("a value"));
                    }
                }
                Some(_) => drop(self.number()?),
                None => return Err(self.expected("a value")),
            }
            // A value is complete. It may complete the collections around it.
            loop {
                let Some(&is_object) = open.last() else { return Ok(self.since(start)) };
                if self.take(b',') {
                    if is_object {
                        self.key()?;
                    }
                    break;
                }
                if !self.take(if is_object { b'}' } else { b']' }) {
                    return Err(self.expected(if is_object { "a comma or }" } else { "a comma or ]" }));
                }
                open.pop();
            }
        }
    }

    /// Skips a key and its colon.
    fn key(&mut self) -> Result<()> {
        self.string_parts(|_| Ok(()))?;
        if self.take(b':') { Ok(()) } else { Err(self.expected("a colon")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_end_at_the_right_place() {
        let accepted = [
            "1",
            "-0.5e+10",
            "NaN",
            "-Infinity",
            "null",
            "\"a\\u00e9\\ud83d\\ude00\\n\"",
            "[]",
            "{}",
            "[1, [2,{}], null]",
            "{\"a\": [true,false], \"a\": \"}\"}",
            "[[],[[]]]",
        ];
        for text in accepted {
            let padded = format!("  {text} ");
            let mut json = Json::new(&padded);
            assert_eq!(json.value(9).unwrap(), text);
            json.end().unwrap();
        }
        let refused = [
            "",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "-NaN",
            "nan",
            "True",
            "[1,]",
            "[1",
            "[,1]",
            "{1:2}",
            "{\"a\" 1}",
            "{\"a\":1,}",
            "]",
            "\"\\x\"",
            "\"\\ud800\"",
            "\"\\u12g4\"",
            "\"\\u+123\"",
            "\"open",
            "\"a\nb\"",
            "tru",
            "[1]]",
            "{\"a\":1]",
        ];
        for text in refused {
            let mut json = Json::new(text);
            assert_eq!(json.value(9).and_then(|_| json.end()).unwrap_err().status(), Status::Cell, "{text}");
        }
        let deep = "[".repeat(1_000_000);
        assert_eq!(Json::new(&deep).value(255).unwrap_err().status(), Status::Limit);
    }

    #[test]
    fn escapes_in_strings_are_decoded() {
        let mut content = "before".to_owned();
        Json::new(r#" "a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00日" "#).string(&mut content).unwrap();
        assert_eq!(content, "a\"\\/\u{8}\u{c}\n\r\té😀日");
    }
}
