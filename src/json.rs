//! Writing of JSON: strings with escapes, and separators between the values of lists and objects.
//!
//! All writers of JSON in the library use it. They choose the separators and the characters that are escaped in
//! addition to the escapes that JSON requires. The only reader of JSON is in `table/cell`, because only cells of tables
//! contain JSON to read.

use crate::float::TextOutput;
use std::ops::RangeInclusive;

/// A style of JSON.
pub(crate) struct Style {
    /// Separator between the values of a list and between the pairs of an object.
    pub(crate) comma: &'static str,
    /// Separator between a key and its value.
    pub(crate) colon: &'static str,
    pub(crate) escapes: Escapes,
}

/// Characters that are escaped in strings. Quotes, backslashes and characters below U+0020 are always escaped; a line
/// feed is always `\n`.
pub(crate) struct Escapes {
    /// Letters of the short escapes in use, out of `\b`, `\f`, `\r` and `\t`. The others are written as `\u0008` etc.
    pub(crate) letters: &'static str,
    /// Characters up to U+FFFF that are escaped by number although JSON does not require it.
    pub(crate) more: &'static [RangeInclusive<char>],
}

/// Writes values one after another, with separators between them.
pub(crate) struct Writer<T> {
    out: T,
    style: &'static Style,
    /// True if the current list or object already has a value.
    follows: bool,
}

impl<T: TextOutput> Writer<T> {
    /// Creates a writer that appends to `out`.
    pub(crate) fn new(out: T, style: &'static Style) -> Writer<T> {
        Writer { out, style, follows: false }
    }

    /// Writes a separator if needed, and returns the output to which the caller appends the next value or key.
    #[inline]
    pub(crate) fn item(&mut self) -> &mut T {
        if self.follows {
            self.out.push(self.style.comma);
        }
        self.follows = true;
        &mut self.out
    }

    /// Begins a list with `[`, or an object with `{`.
    #[inline]
    pub(crate) fn open(&mut self, bracket: &str) {
        self.item();
        self.begin(bracket);
    }

    /// Begins a list or an object after the separator, which [`Writer::item`] has written.
    #[inline]
    pub(crate) fn begin(&mut self, bracket: &str) {
        self.out.push(bracket);
        self.follows = false;
    }

    /// Ends a list with `]`, or an object with `}`.
    #[inline]
    pub(crate) fn close(&mut self, bracket: &str) {
        self.out.push(bracket);
        self.follows = true;
    }

    /// Appends a key. Its value must follow.
    pub(crate) fn key(&mut self, key: &str) {
        self.string(key);
        self.end_key();
    }

    /// Appends the separator between a key that the caller has written and its value.
    pub(crate) fn end_key(&mut self) {
        self.out.push(self.style.colon);
        self.follows = false;
    }

    pub(crate) fn string(&mut self, text: &str) {
        let escapes = &self.style.escapes;
        write_string(self.item(), text, escapes);
    }

    /// Returns the output so far.
    pub(crate) fn text(&self) -> &T {
        &self.out
    }

    /// Returns the output.
    pub(crate) fn into_text(self) -> T {
        self.out
    }
}

/// Appends a string in quotes.
pub(crate) fn write_string(out: &mut impl TextOutput, text: &str, escapes: &Escapes) {
    out.push("\"");
    let mut written = 0;
    for (at, character) in text.char_indices() {
        let short = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            ' '..='~' => continue,
            '\n' => "\\n",
            '\r' if escapes.letters.contains('r') => "\\r",
            '\t' if escapes.letters.contains('t') => "\\t",
            '\u{8}' if escapes.letters.contains('b') => "\\b",
            '\u{C}' if escapes.letters.contains('f') => "\\f",
            '\0'..' ' => "",
            _ if escapes.more.iter().any(|range| range.contains(&character)) => "",
            _ => continue,
        };
        out.push(text.get(written..at).unwrap_or_default());
        written = at + character.len_utf8();
        match short {
            "" => out.push(&format!("\\u{:04x}", u32::from(character))),
            short => out.push(short),
        }
    }
    out.push(text.get(written..).unwrap_or_default());
    out.push("\"");
}

/// Returns an upper bound for the length of a string in bytes, in any style.
pub(crate) fn max_length(text: &str) -> usize {
    // First bytes of the characters that some style escapes. `\uXXXX` is at most five bytes longer than the character.
    let may_begin_escaped = |byte: &u8| matches!(byte, 0..=0x1F | b'"' | b'\\' | 0x7F | 0xC2 | 0xE2 | 0xEF);
    text.len() + 5 * text.bytes().filter(may_begin_escaped).count() + 2
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { comma: ",", colon: ":", escapes: Escapes { letters: "", more: &[] } };
    const WIDE: Style = Style {
        comma: ", ",
        colon: ": ",
        escapes: Escapes { letters: "bfrt", more: &['\u{7F}'..='\u{9F}', '\u{2028}'..='\u{2029}'] },
    };

    #[test]
    fn separators_stand_between_values_alone() {
        for (style, text) in [(&PLAIN, r#"{"a":[[],1,{}],"b":"c"}"#), (&WIDE, r#"{"a": [[], 1, {}], "b": "c"}"#)] {
            let mut json = Writer::new(String::new(), style);
            json.open("{");
            json.key("a");
            json.open("[");
            json.open("[");
            json.close("]");
            json.item().push('1');
            json.open("{");
            json.close("}");
            json.close("]");
            json.key("b");
            json.string("c");
            json.close("}");
            assert_eq!(json.into_text(), text);
        }
    }

    #[test]
    fn strings_are_escaped_as_the_style_says() {
        let text = "\0\u{8}\u{C}\r\t\n\"\\/\u{1F}\u{7F}\u{85}\u{2028}é日\u{1F600}";
        for (style, expected) in [
            (&PLAIN, "\"\\u0000\\u0008\\u000c\\u000d\\u0009\\n\\\"\\\\/\\u001f\u{7F}\u{85}\u{2028}é日\u{1F600}\""),
            (&WIDE, "\"\\u0000\\b\\f\\r\\t\\n\\\"\\\\/\\u001f\\u007f\\u0085\\u2028é日\u{1F600}\""),
        ] {
            let mut out = Vec::new();
            write_string(&mut out, text, &style.escapes);
            assert_eq!(String::from_utf8(out).unwrap(), expected);
            assert!(expected.len() <= max_length(text));
        }
        assert_eq!(max_length("abc"), 5);
    }
}
