//! Scalar styles: which styles can hold a text, and how each style writes its characters.
//!
//! The type that a text has in a style is not considered here but in `mod.rs`.

use crate::float::TextOutput;

/// Class of a byte in a plain scalar.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Free,
    /// A space or a colon, allowed or not depending on its neighbours.
    Contextual,
    /// Brackets, braces and the comma, which end a plain scalar in flow style, and the question mark, which readers
    /// treat differently there.
    Flow,
    /// First byte of some unusual characters, but also of harmless ones.
    Suspicious,
    /// Not allowed in a plain scalar.
    Odd,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Free; 256];
    let mut byte = 0;
    while byte < 0x20 {
        classes[byte] = Class::Odd;
        byte += 1;
    }
    classes[0x7F] = Class::Odd;
    classes[b' ' as usize] = Class::Contextual;
    classes[b':' as usize] = Class::Contextual;
    classes[b',' as usize] = Class::Flow;
    classes[b'[' as usize] = Class::Flow;
    classes[b']' as usize] = Class::Flow;
    classes[b'{' as usize] = Class::Flow;
    classes[b'}' as usize] = Class::Flow;
    classes[b'?' as usize] = Class::Flow;
    classes[0xC2] = Class::Suspicious;
    classes[0xE2] = Class::Suspicious;
    classes[0xEF] = Class::Suspicious;
    classes
};

/// Returns whether the bytes begin with a character that YAML versions treat differently or forbid: a C1 control
/// character, NEL, LS, PS, a byte order mark or a noncharacter.
fn begins_odd(bytes: &[u8]) -> bool {
    matches!(
        bytes,
        [0xC2, 0x80..=0x9F, ..]
            | [0xE2, 0x80, 0xA8 | 0xA9, ..]
            | [0xEF, 0xBB, 0xBF, ..]
            | [0xEF, 0xBF, 0xBE | 0xBF, ..]
    )
}

/// Returns whether the syntax allows a text without quotes. Set `flow` for a text in a flow collection.
pub(super) fn fits_plain(text: &str, flow: bool) -> bool {
    let bytes = text.as_bytes();
    let (Some(&first), Some(&last)) = (bytes.first(), bytes.last()) else { return false };
    match first {
        // A sequence entry, or `---`.
        b'-' if bytes.len() == 1 || b" -,[]{}".contains(&bytes[1]) => return false,
        b'.' if text.starts_with("...") => return false,
        b' ' | b'?' | b':' | b',' | b'[' | b']' | b'{' | b'}' | b'#' | b'&' | b'*' | b'!' | b'|' | b'>' | b'\''
        | b'"' | b'%' | b'@' | b'`' => return false,
        _ => {}
    }
    if last == b' ' || last == b':' {
        return false;
    }
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|&byte| CLASSES[usize::from(byte)] != Class::Free) {
        at += found;
        let rest = &bytes[at..];
        let harmful = match CLASSES[usize::from(bytes[at])] {
            Class::Free => false,
            Class::Contextual => matches!(rest, [b':', b' ', ..] | [b' ', b'#', ..]),
            Class::Flow => flow,
            Class::Suspicious => begins_odd(rest),
            Class::Odd => true,
        };
        if harmful {
            return false;
        }
        at += 1;
    }
    true
}

/// Returns whether a text can be written in single quotes on one line.
pub(super) fn fits_single(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().all(|(at, &byte)| match CLASSES[usize::from(byte)] {
        Class::Odd => false,
        Class::Suspicious => !begins_odd(&bytes[at..]),
        _ => true,
    })
}

/// Returns whether a text can be written in literal style (`|`) without an indentation indicator. Texts with blanks at
/// line ends are excluded, since editors may strip them.
pub(crate) fn fits_literal(text: &str) -> bool {
    let bytes = text.as_bytes();
    if matches!(bytes.first(), None | Some(b' ' | b'\t' | b'\n')) {
        return false;
    }
    bytes.iter().enumerate().all(|(at, &byte)| match byte {
        b'\n' => !matches!(bytes[at - 1], b' ' | b'\t'),
        b'\t' => true,
        _ => match CLASSES[usize::from(byte)] {
            Class::Odd => false,
            Class::Suspicious => !begins_odd(&bytes[at..]),
            _ => true,
        },
    }) && !matches!(bytes.last(), Some(b' ' | b'\t'))
}

/// Writes a text in single quotes; [`fits_single`] must hold.
pub(super) fn write_single(out: &mut String, text: &str) {
    out.push('\'');
    let mut pieces = text.split('\'');
    out.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        out.push_str("''");
        out.push_str(piece);
    }
    out.push('\'');
}

/// Writes any text in double quotes, on one line.
pub(super) fn write_double(out: &mut String, text: &str) {
    use std::fmt::Write;
    out.push('"');
    let mut written = 0;
    for (at, character) in text.char_indices() {
        let code = u32::from(character);
        let short = match character {
            '"' => "\\\"",
            '\\' => "\\\\",
            '\0' => "\\0",
            '\u{7}' => "\\a",
            '\u{8}' => "\\b",
            '\t' => "\\t",
            '\n' => "\\n",
            '\u{B}' => "\\v",
            '\u{C}' => "\\f",
            '\r' => "\\r",
            '\u{1B}' => "\\e",
            '\u{85}' => "\\N",
            '\u{2028}' => "\\L",
            '\u{2029}' => "\\P",
            '\u{0}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{FEFF}' | '\u{FFFE}' | '\u{FFFF}' => "",
            _ => continue,
        };
        out.push_str(&text[written..at]);
        written = at + character.len_utf8();
        // Writing to a string cannot fail.
        let _ = match short {
            "" if code < 0x100 => write!(out, "\\x{code:02X}"),
            "" => write!(out, "\\u{code:04X}"),
            _ => write!(out, "{short}"),
        };
    }
    out.push_str(&text[written..]);
    out.push('"');
}

/// Writes a text in literal style, from the `|` through the last line end; [`fits_literal`] must hold. Lines are
/// indented by `indent` spaces.
pub(crate) fn write_literal(out: &mut impl TextOutput, text: &str, indent: usize) {
    let body = text.trim_end_matches('\n');
    out.push(match text.len() - body.len() {
        0 => "|-\n",
        1 => "|\n",
        _ => "|+\n",
    });
    for line in text.split_inclusive('\n') {
        if line != "\n" {
            super::write_blanks(out, indent);
        }
        out.push(line);
    }
    if body.len() == text.len() {
        out.push("\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts() {
        for text in ["a", "-1", "a b", "a:b", "http://x/y#z", "-x", ".5", "a - b", "it's", "é ü", "x\u{A0}y", "a\\b"]
        {
            assert!(fits_plain(text, true), "{text}");
        }
        for text in [
            "",
            " a",
            "a ",
            "a:",
            ": a",
            "a: b",
            "a #b",
            "#a",
            "-",
            "- a",
            "--",
            "---",
            "...",
            "? a",
            "?a",
            "&a",
            "*a",
            "!a",
            "|",
            ">",
            "'a",
            "\"a",
            "%a",
            "@a",
            "`a",
            "[a",
            "{a",
            ",a",
            "a\nb",
            "a\tb",
            "a\rb",
            "\u{7F}",
            "a\u{85}",
            "a\u{2028}",
            "\u{FEFF}a",
            "\u{FFFE}",
            "\u{9F}",
        ] {
            assert!(!fits_plain(text, false), "{text:?}");
        }
        for text in ["a,b", "x]y", "a{b", "a:,b", "a:?", "a?"] {
            assert!(fits_plain(text, false) && !fits_plain(text, true), "{text:?}");
        }
    }

    #[test]
    fn double_quotes_hold_everything() {
        let mut out = String::new();
        write_double(&mut out, "\0\u{1}\"\\\n\u{7F}\u{85}\u{2028}\u{FEFF}\u{FFFE}é\u{1F600}");
        assert_eq!(out, "\"\\0\\x01\\\"\\\\\\n\\x7F\\N\\L\\uFEFF\\uFFFEé\u{1F600}\"");
    }

    #[test]
    fn literals_keep_their_ends() {
        for (text, written) in [("a", "|-\n  a\n"), ("a\n\n b\n", "|\n  a\n\n   b\n"), ("a\n\n", "|+\n  a\n\n")] {
            assert!(fits_literal(text));
            let mut out = String::new();
            write_literal(&mut out, text, 2);
            assert_eq!(out, written);
        }
        for text in ["", "\n", " a\n", "\ta", "a \nb", "a\nb ", "a\rb", "a\u{2028}b", "a\u{0}"] {
            assert!(!fits_literal(text), "{text:?}");
        }
    }
}
