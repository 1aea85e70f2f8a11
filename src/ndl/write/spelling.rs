//! Spelling of texts and numbers that JSON and all versions of YAML read alike.

use crate::error::Result;
use crate::float::Notation;
use crate::json::{self, Escapes, Style};
use crate::reserve::{GrowingText, list_for};
use crate::tree::scalar::is_truth_or_null;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// JSON on one line. Escapes characters that YAML forbids everywhere or in some places.
pub(super) const STYLE: Style = Style {
    comma: ", ",
    colon: ": ",
    escapes: Escapes {
        letters: "bfrt",
        more: &['\u{7F}'..='\u{9F}', '\u{2028}'..='\u{2029}', '\u{FEFF}'..='\u{FEFF}', '\u{FFFE}'..='\u{FFFF}'],
    },
};

/// Writes a text in quotes, as in JSON.
pub(super) fn write_quoted(out: &mut GrowingText, text: &str) {
    json::write_string(out, text, &STYLE.escapes);
}

/// Writes a text without quotes if all readers take it as exactly this text, otherwise in quotes.
pub(super) fn write_text(out: &mut GrowingText, text: &str) {
    if is_plain(text) { out.push_str(text) } else { write_quoted(out, text) }
}

fn is_plain(text: &str) -> bool {
    let is_free = |byte: u8| byte.is_ascii_alphanumeric() || b"_ ./-".contains(&byte);
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_' || first == '/')
        && !text.ends_with(' ')
        && text.bytes().all(is_free)
        && !is_truth_or_null(text)
}

/// Encodes bytes as base64.
pub(super) fn base64(bytes: &[u8]) -> Result<String> {
    let length = base64::encoded_len(bytes.len(), true).unwrap_or(usize::MAX);
    let mut encoded = list_for(length)?;
    encoded.resize(length, 0);
    let length = STANDARD.encode_slice(bytes, &mut encoded).unwrap_or(0);
    encoded.truncate(length);
    Ok(String::from_utf8(encoded).unwrap_or_default())
}

/// Floats in descriptions: always with a decimal point, and with an exponent without leading zeros.
pub(super) const FLOAT: Notation = Notation { exponent_digits: 1, ..Notation::YAML };

/// Floats in JSON, where NaN and infinity are texts.
pub(super) const JSON_FLOAT: Notation =
    Notation { nan: "\"nan\"", infinity: "\"inf\"", negative_infinity: "\"-inf\"", ..FLOAT };

#[cfg(test)]
mod tests {
    use super::*;

    fn written(write: impl FnOnce(&mut GrowingText)) -> String {
        let mut out = GrowingText::default();
        write(&mut out);
        out.finish().unwrap()
    }

    #[test]
    fn ambiguous_texts_are_quoted() {
        for text in ["a", "/", "/a b/c.d", "_x", "air temperature", "CF-1.7", "a--b", "nan", "M 31.0", "x.-/"] {
            assert_eq!(written(|out| write_text(out, text)), text);
        }
        for text in [
            "",
            " a",
            "a ",
            "y",
            "N",
            "No",
            "oFF",
            "TRUE",
            "null",
            "~",
            "1",
            "1.0",
            ".nan",
            "-a",
            "a:b",
            "a,b",
            "a#",
            "é",
            "2008-12-31",
            "=",
            "<<",
            "a\tb",
            "a+",
            "*a",
            "!a",
            "[a",
            "?",
            "%",
        ] {
            assert_eq!(written(|out| write_text(out, text)), format!("{text:?}"), "{text}");
        }
        let odd = written(|out| write_quoted(out, "\0\u{1B}\"\\\n\r\u{7F}\u{85}\u{2028}\u{FEFF}é\u{1F600}"));
        assert_eq!(odd, "\"\\u0000\\u001b\\\"\\\\\\n\\r\\u007f\\u0085\\u2028\\ufeffé\u{1F600}\"");
    }

    #[test]
    fn floats_have_a_point_and_the_fewest_digits() {
        for (number, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (25.0, "25.0"),
            (90.0, "90.0"),
            (-180.0, "-180.0"),
            (1000.0, "1000.0"),
            (9999999999999998.0, "9999999999999998.0"),
            (1e16, "1.0e+16"),
            (-9999.0, "-9999.0"),
            (106.405, "106.405"),
            (0.5, "0.5"),
            (0.0001, "0.0001"),
            (0.0000125, "1.25e-5"),
            (1e-7, "1.0e-7"),
            (1.25e-7, "1.25e-7"),
            (1e39, "1.0e+39"),
            (f64::MAX, "1.7976931348623157e+308"),
            (5e-324, "5.0e-324"),
        ] {
            assert_eq!(written(|out| FLOAT.write(out, number)), text);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), number.to_bits());
        }
        assert_eq!(written(|out| FLOAT.write(out, f32::MAX)), "3.4028235e+38");
        assert_eq!(written(|out| FLOAT.write(out, -999.3f32)), "-999.3");
        assert_eq!(written(|out| FLOAT.write(out, 1e-4f32)), "0.0001");
        assert_eq!(written(|out| FLOAT.write(out, f32::NEG_INFINITY)), "-.inf");
        assert_eq!(written(|out| JSON_FLOAT.write(out, f32::NAN)), "\"nan\"");
    }
}
