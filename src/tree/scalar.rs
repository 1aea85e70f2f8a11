//! Types and values of scalars: YAML 1.1 as PyYAML's safe loader reads it.
//!
//! `number.rs` reads numbers. YAML syntax (quotes, escapes, folding) is not handled here.

use super::{number, timestamp};
use crate::error::{Error, Result, Status};
use crate::tags;
use base64::Engine;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use std::borrow::Cow;
use std::fmt;

/// The non-specific tag "!", which PyYAML ignores.
pub(crate) const NON_SPECIFIC_TAG: &str = "!";

/// An integer of any size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Integer {
    /// An integer that fits into 64 bits.
    Small(i64),
    /// An integer that does not, as decimal digits, with a sign if negative.
    Large(String),
}

impl Integer {
    /// Returns the value, if it fits.
    pub(crate) fn to_i64(&self) -> Option<i64> {
        match self {
            Integer::Small(value) => Some(*value),
            Integer::Large(_) => None,
        }
    }

    /// Returns the value, if it fits and is not negative.
    pub(crate) fn to_u64(&self) -> Option<u64> {
        match self {
            Integer::Small(value) => (*value).try_into().ok(),
            Integer::Large(digits) => digits.parse().ok(),
        }
    }

    /// Returns the value, if it fits.
    pub(crate) fn to_i128(&self) -> Option<i128> {
        match self {
            Integer::Small(value) => Some((*value).into()),
            Integer::Large(digits) => digits.parse().ok(),
        }
    }
}

impl fmt::Display for Integer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Integer::Small(value) => value.fmt(f),
            Integer::Large(digits) => f.write_str(digits),
        }
    }
}

/// The typed value of a scalar.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar<'a> {
    /// Null.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer.
    Integer(Integer),
    /// A binary64 number.
    Float(f64),
    /// A date or a date with time, as its text.
    Timestamp(&'a str),
    /// Text.
    String(&'a str),
    /// Bytes (`!!binary`).
    Binary(Cow<'a, [u8]>),
}

/// Returns the value of `text`; `plain` tells whether it was written without quotes.
///
/// Fails with [`Status::TagContent`] if the text is not a value of the type that a YAML tag demands. Fails with
/// [`Status::Limit`] for integers with very many digits in a base other than ten.
pub fn resolve<'a>(text: &'a str, plain: bool, tag: Option<&str>) -> Result<Scalar<'a>> {
    match tag {
        None if plain => resolve_plain(text),
        None => Ok(Scalar::String(text)),
        // PyYAML ignores the quotes of a scalar with the non-specific tag, and writes times in that form.
        Some("!") => resolve_plain(text),
        Some(tag) => match tag.strip_prefix(tags::YAML) {
            Some(name) => resolve_tagged(text, name),
            None => Ok(Scalar::String(text)),
        },
    }
}

/// Returns whether the first character alone shows that plain text without a tag is a string, as it does for most
/// texts.
pub(super) fn is_surely_string(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b'a'..=b'e' | b'g'..=b'm' | b'p'..=b's' | b'u'..=b'x' | b'z' | b'_' | b'$'))
}

fn resolve_plain(text: &str) -> Result<Scalar<'_>> {
    // Each type has its own first characters; most texts begin with none of them.
    let meaning = match text.as_bytes().first() {
        None | Some(b'~') => null(text),
        Some(b'0'..=b'9' | b'+' | b'-' | b'.') => match number::parse(text)? {
            Some(number) => Some(number),
            None if timestamp::is_implicit(text) && timestamp::is_possible(text) => Some(Scalar::Timestamp(text)),
            None => None,
        },
        Some(b'y' | b'Y' | b't' | b'T' | b'f' | b'F' | b'o' | b'O') => bool(text).map(Scalar::Bool),
        Some(b'n' | b'N') => bool(text).map(Scalar::Bool).or_else(|| null(text)),
        _ => None,
    };
    Ok(meaning.unwrap_or(Scalar::String(text)))
}

/// Returns whether plain text has the form of a date, but the day or time does not exist. Such a text is a string.
pub(crate) fn is_impossible_timestamp(text: &str) -> bool {
    timestamp::is_implicit(text) && !timestamp::is_possible(text)
}

fn null(text: &str) -> Option<Scalar<'_>> {
    matches!(text, "" | "~" | "null" | "Null" | "NULL").then_some(Scalar::Null)
}

fn bool(text: &str) -> Option<bool> {
    match text {
        // Most texts are longer than any of the words.
        _ if text.len() > 5 => None,
        "yes" | "Yes" | "YES" | "true" | "True" | "TRUE" | "on" | "On" | "ON" => Some(true),
        "no" | "No" | "NO" | "false" | "False" | "FALSE" | "off" | "Off" | "OFF" => Some(false),
        _ => None,
    }
}

fn resolve_tagged<'a>(text: &'a str, name: &str) -> Result<Scalar<'a>> {
    let meaning = match name {
        "null" => Some(Scalar::Null),
        "bool" => bool(&text.to_ascii_lowercase()).map(Scalar::Bool),
        "int" => number::parse_as_integer(text)?.map(Scalar::Integer),
        "float" => number::parse_as_float(text).map(Scalar::Float),
        "timestamp" => timestamp::is_possible(text).then_some(Scalar::Timestamp(text)),
        "binary" => decode_base64(text).map(|bytes| Scalar::Binary(Cow::Owned(bytes))),
        _ => Some(Scalar::String(text)),
    };
    meaning.ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        Error::new(Status::TagContent, format!("'{shown}' is not a valid value for the tag !!{name}"))
    })
}

/// Padding is required, and unused bits before it are ignored, as other readers do.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&alphabet::STANDARD, GeneralPurposeConfig::new().with_decode_allow_trailing_bits(true));

/// Characters in a line of base64, as in MIME (RFC 2045).
const BASE64_LINE: usize = 76;

/// Decodes base64 (RFC 4648 §4) with any white space between the characters.
pub(crate) fn decode_base64(text: &str) -> Option<Vec<u8>> {
    let characters: Vec<u8> = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).collect();
    BASE64.decode(characters).ok()
}

/// Encodes bytes for a scalar with the tag `!!binary`: lines of base64.
pub(crate) fn binary_text(bytes: &[u8]) -> String {
    let text = BASE64.encode(bytes);
    let mut out = String::with_capacity(text.len() + text.len() / BASE64_LINE + 1);
    let mut rest = text.as_str();
    while let Some((line, after)) = rest.split_at_checked(BASE64_LINE).filter(|(_, after)| !after.is_empty()) {
        out.push_str(line);
        out.push('\n');
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Returns whether plain text is a number.
pub(crate) fn is_number(text: &str) -> bool {
    matches!(text.as_bytes().first(), Some(b'0'..=b'9' | b'+' | b'-' | b'.')) && number::is_number(text)
}

/// Returns whether plain text without a tag is a string.
pub(crate) fn is_string_when_plain(text: &str) -> bool {
    !is_number(text)
        && null(text).is_none()
        && bool(text).is_none()
        && !(timestamp::is_implicit(text) && timestamp::is_possible(text))
}

/// Returns whether a reader could take the text of a string, written without quotes, for another type.
///
/// These readers are considered:
///
/// - PyYAML,
/// - a strict reader of YAML 1.1 (`y`),
/// - a reader of the YAML 1.2 core schema (`1e5`, `0o14`),
/// - a reader that uses C's `strtod` and `strtoull` (`inf`, `0x1p3`).
///
/// Some harmless texts are ambiguous by this test, too.
pub(crate) fn is_ambiguous(text: &str) -> bool {
    let bytes = text.as_bytes();
    let Some(&first) = bytes.first() else { return true };
    match first {
        b'0'..=b'9' => looks_numeric(bytes),
        b'+' | b'-' | b'.' => looks_numeric(bytes) || is_word(text.trim_start_matches(['+', '-', '.'])),
        b'~' | b'=' => bytes.len() == 1,
        b'<' => text == "<<",
        _ => is_word(text),
    }
}

/// Returns whether some reader gives the word another type than string, in any mixture of cases.
fn is_word(text: &str) -> bool {
    // C also accepts `nan(...)`.
    let text = text.split_once('(').map_or(text, |(word, _)| word);
    is_truth_or_null(text) || ["inf", "infinity", "nan"].iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Returns whether some version of YAML takes the text for a boolean or for null. Case is ignored.
pub(crate) fn is_truth_or_null(text: &str) -> bool {
    const WORDS: [&str; 9] = ["y", "n", "yes", "no", "on", "off", "true", "false", "null"];
    text.len() <= 5 && WORDS.iter().any(|word| word.eq_ignore_ascii_case(text))
}

/// Returns whether all characters may occur in a number or a date. A text with two points is a version, which no reader
/// takes for a number.
fn looks_numeric(bytes: &[u8]) -> bool {
    let body = match bytes {
        [b'+' | b'-', rest @ ..] => rest,
        _ => bytes,
    };
    let body = body.strip_prefix(b".").unwrap_or(body);
    if !body.first().is_some_and(u8::is_ascii_digit) {
        return false;
    }
    let of_number = |byte: &u8| byte.is_ascii_hexdigit() || b"xXoOpP_:.+-".contains(byte);
    let of_date = |byte: &u8| of_number(byte) || b"tTzZ \t".contains(byte);
    let dots = bytes.iter().filter(|&&byte| byte == b'.').count();
    let dated = bytes.get(4) == Some(&b'-');
    dots <= 1 && (bytes.iter().all(of_number) || (dated && bytes.iter().all(of_date)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Scalar<'_> {
        resolve(text, true, None).unwrap()
    }

    fn tagged<'a>(text: &'a str, name: &str) -> Result<Scalar<'a>> {
        resolve(text, false, Some(&format!("tag:yaml.org,2002:{name}")))
    }

    #[test]
    fn words_are_typed_as_pyyaml_does() {
        for text in ["yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"] {
            assert_eq!(plain(text), Scalar::Bool(true), "{text}");
        }
        for text in ["no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"] {
            assert_eq!(plain(text), Scalar::Bool(false), "{text}");
        }
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(plain(text), Scalar::Null, "{text}");
        }
        for text in ["y", "N", "tRUE", "nULL", "oN", "<<", "=", "~ ", "truer", "inf", "nan", "1e5", "2020-13-02"] {
            assert_eq!(plain(text), Scalar::String(text), "{text}");
        }
        for text in ["2020-01-02", "2020-1-2 3:04:05", "2001-12-14t21:59:43.10-05:00", "2001-12-14 \t 1:59:43. Z"] {
            assert_eq!(plain(text), Scalar::Timestamp(text), "{text}");
        }
    }

    #[test]
    fn quotes_and_tags_decide_first() {
        assert_eq!(resolve("12", false, None).unwrap(), Scalar::String("12"));
        assert_eq!(resolve("12", false, Some("!")).unwrap(), Scalar::Integer(Integer::Small(12)));
        assert_eq!(resolve("12", true, Some("!foo")).unwrap(), Scalar::String("12"));
        assert_eq!(resolve("2023-11-14 22:13:20+00:00", false, Some("!")).unwrap(), plain("2023-11-14 22:13:20+00:00"));
        assert_eq!(tagged("12", "str").unwrap(), Scalar::String("12"));
        assert_eq!(tagged("12", "int").unwrap(), Scalar::Integer(Integer::Small(12)));
        assert_eq!(tagged("12", "float").unwrap(), Scalar::Float(12.0));
        assert_eq!(tagged("1e5", "float").unwrap(), Scalar::Float(1e5));
        assert_eq!(tagged("yES", "bool").unwrap(), Scalar::Bool(true));
        assert_eq!(tagged("x", "null").unwrap(), Scalar::Null);
        assert_eq!(tagged("2020-1-2", "timestamp").unwrap(), Scalar::Timestamp("2020-1-2"));
        assert_eq!(tagged("x", "merge").unwrap(), Scalar::String("x"));
        for (text, name) in [("abc", "int"), ("abc", "float"), ("y", "bool"), ("2020", "timestamp"), ("A", "binary")] {
            assert_eq!(tagged(text, name).unwrap_err().status(), Status::TagContent, "{text} {name}");
        }
    }

    #[test]
    fn base64_follows_the_rfc() {
        // The test vectors of RFC 4648 §10.
        let vectors =
            [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba")];
        for (text, bytes) in vectors {
            assert_eq!(decode_base64(text).unwrap(), bytes.as_bytes());
            assert_eq!(binary_text(bytes.as_bytes()), text);
        }
        assert_eq!(decode_base64(" +/8\n=").unwrap(), [0xFB, 0xFF]);
        let long = [b'x'; 200];
        let text = binary_text(&long);
        assert_eq!(text.lines().map(str::len).collect::<Vec<_>>(), [76, 76, 76, 40]);
        assert_eq!(decode_base64(&text).unwrap(), long);
        for text in ["Z", "Zg", "Zg=", "Zg===", "=", "Zg==Zg==", "Zm9é", "Zm-v"] {
            assert_eq!(decode_base64(text), None, "{text}");
        }
    }

    #[test]
    fn ambiguity_covers_all_readers() {
        let typed = "1 -1 +1 0 010 0o14 0x1F 0X1f 0b101 1_000 1:30 1:30.5 1e5 1E+5 1.0e5 .5 -.5 +.5 1. 0x1p3 0x.8p1 .inf -.INF \
             .nan inf -inf Infinity NaN nan(1) y N yes oN tRUE ~ null Null << = 2020-01-02 2020-1-2T3:04:05Z 0777 1__2";
        for text in typed.split_ascii_whitespace().chain(["", "2020-01-02 03:04:05 +1"]) {
            assert!(is_ambiguous(text), "{text}");
        }
        for text in ["a", "1.0.0", "yesterday", "-x", ".fits", "...", "km s", "3 m", "not", "information", "=="] {
            assert!(!is_ambiguous(text), "{text}");
        }
    }
}
