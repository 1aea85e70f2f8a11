//! Meaning of scalars by the core schema of YAML 1.2, for places without a declared datatype.

use crate::error::Result;
use crate::tags;
use crate::tree::number;
use crate::tree::scalar::{self, Scalar, decode_base64};
use num_bigint::BigUint;

/// Longest octal or hexadecimal number, in digits, that is converted. It exceeds the octal length of the largest float.
const LONGEST: usize = 400;

/// A resolved scalar. Numbers stay text, because they may exceed every type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Core<'a> {
    /// Null.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// An integer, in the form that [`integer`] reads.
    Integer(&'a str),
    /// Any other number, in the form that [`float64`] and [`float32`] read.
    Float(&'a str),
    /// Text.
    Text(&'a str),
}

/// Resolves a scalar. `plain` means that it has no quotes; `tag` is its full tag.
pub(crate) fn resolve<'a>(text: &'a str, plain: bool, tag: Option<&str>) -> Core<'a> {
    match tag.map(|tag| tag.strip_prefix(tags::YAML).unwrap_or(tag)) {
        None if plain => resolve_plain(text),
        Some("null") => Core::Null,
        Some("bool" | "int") => resolve_plain(text),
        Some("float") => Core::Float(text),
        _ => Core::Text(text),
    }
}

fn resolve_plain(text: &str) -> Core<'_> {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Core::Null,
        "true" | "True" | "TRUE" => Core::Bool(true),
        "false" | "False" | "FALSE" => Core::Bool(false),
        _ if is_integer(text) => Core::Integer(text),
        _ if is_float(text) => Core::Float(text),
        _ => Core::Text(text),
    }
}

/// Returns what readers of YAML 1.2 and of YAML 1.1 (PyYAML) take a text without quotes and tag for, if they differ in
/// its type or its value.
pub(crate) fn yaml_versions(text: &str) -> Option<(&'static str, &'static str)> {
    let core = resolve_plain(text);
    let of_core = match core {
        Core::Null => "null",
        Core::Bool(_) => "a boolean",
        Core::Integer(_) => "an integer",
        Core::Float(_) => "a float",
        Core::Text(_) => "text",
    };
    if matches!(text, "=" | "<<") {
        return Some((of_core, "a special key"));
    }
    // An integer of too many digits is no text in either version.
    let older = scalar::resolve(text, true, None).ok()?;
    let (is_same, of_older) = match (&core, &older) {
        (Core::Null, Scalar::Null) | (Core::Text(_), Scalar::String(_)) => (true, ""),
        (Core::Bool(one), Scalar::Bool(other)) => (one == other, "another boolean"),
        (Core::Integer(digits), Scalar::Integer(other)) => {
            let is_same = integer(digits).is_none_or(|number| number.to_string() == other.to_string());
            (is_same, "another integer")
        }
        (Core::Float(digits), Scalar::Float(other)) => {
            (float64(digits).is_some_and(|number| number == *other || number.is_nan()), "another float")
        }
        (_, Scalar::Null) => (false, "null"),
        (_, Scalar::Bool(_)) => (false, "a boolean"),
        (_, Scalar::Integer(_)) => (false, "an integer"),
        (_, Scalar::Float(_)) => (false, "a float"),
        (_, Scalar::Timestamp(_)) => (false, "a date"),
        (_, Scalar::String(_)) => (false, "text"),
        (_, Scalar::Binary(_)) => (false, "bytes"),
    };
    (!is_same).then_some((of_core, of_older))
}

/// Returns true if the text is valid for its tag.
pub(crate) fn fits_tag(text: &str, tag: &str) -> bool {
    match tag.strip_prefix(tags::YAML) {
        None => tag == "!",
        Some("str") => true,
        Some("null") => resolve_plain(text) == Core::Null,
        Some("bool") => matches!(resolve_plain(text), Core::Bool(_)),
        Some("int") => is_integer(text),
        Some("float") => is_integer(text) || is_float(text),
        Some("binary") => decode_base64(text).is_some(),
        Some(_) => false,
    }
}

fn unsigned(text: &str) -> &str {
    text.strip_prefix(['+', '-']).unwrap_or(text)
}

fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_integer(text: &str) -> bool {
    match text.as_bytes() {
        [b'0', b'o', digits @ ..] => !digits.is_empty() && digits.iter().all(|byte| matches!(byte, b'0'..=b'7')),
        [b'0', b'x', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_hexdigit),
        _ => are_digits(unsigned(text)),
    }
}

fn is_float(text: &str) -> bool {
    let body = unsigned(text);
    if matches!(body, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return true;
    }
    let (mantissa, exponent) = match body.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (body, None),
    };
    let is_mantissa = match mantissa.split_once('.') {
        Some(("", fraction)) => are_digits(fraction),
        Some((whole, fraction)) => are_digits(whole) && (fraction.is_empty() || are_digits(fraction)),
        None => are_digits(mantissa),
    };
    is_mantissa && exponent.is_none_or(|exponent| are_digits(unsigned(exponent)))
}

/// Reads the text of an integer; `None` if it exceeds 128 bits.
pub(crate) fn integer(text: &str) -> Option<i128> {
    match digits_and_base(text) {
        Some((digits, base)) => i128::from_str_radix(digits, base).ok(),
        None => text.parse().ok(),
    }
}

/// Returns the digits of an integer of any size in base ten, with `-` if it is below zero.
pub(crate) fn decimal_integer(text: &str) -> String {
    if let Some((digits, base)) = digits_and_base(text) {
        return BigUint::parse_bytes(digits.as_bytes(), base).unwrap_or_default().to_string();
    }
    // No arithmetic here, because it is slow for many digits.
    let digits = unsigned(text).trim_start_matches('0');
    let sign = if text.starts_with('-') && !digits.is_empty() { "-" } else { "" };
    format!("{sign}{}", if digits.is_empty() { "0" } else { digits })
}

/// Fails with [`Status::Limit`](crate::Status::Limit) if a text is an integer whose conversion to base ten takes long.
pub(crate) fn check_convertible(text: &str) -> Result<()> {
    match digits_and_base(text) {
        Some((digits, _)) if is_integer(text) => number::check_convertible(digits),
        _ => Ok(()),
    }
}

/// Reads the text of a number as the nearest `float64`, infinite beyond the largest.
pub(crate) fn float64(text: &str) -> Option<f64> {
    match (special_value(text), digits_and_base(text)) {
        (Some(special), _) => Some(special),
        (None, Some((digits, base))) => decimal(digits, base)?.parse().ok(),
        (None, None) => text.parse().ok(),
    }
}

/// Reads the text of a number as the nearest `float32`, infinite beyond the largest.
pub(crate) fn float32(text: &str) -> Option<f32> {
    match (special_value(text), digits_and_base(text)) {
        (Some(special), _) => Some(special as f32),
        (None, Some((digits, base))) => decimal(digits, base)?.parse().ok(),
        (None, None) => text.parse().ok(),
    }
}

/// Returns the digits and the base of a hexadecimal or octal number.
fn digits_and_base(text: &str) -> Option<(&str, u32)> {
    let of_base = |prefix, base| text.strip_prefix(prefix).map(|digits| (digits, base));
    of_base("0x", 16).or_else(|| of_base("0o", 8))
}

/// Converts an octal or hexadecimal number to decimal digits. Returns `1e9999`, which is beyond all floats, for a
/// number of more than [`LONGEST`] digits.
fn decimal(digits: &str, base: u32) -> Option<String> {
    let digits = digits.trim_start_matches('0');
    if digits.is_empty() {
        return Some("0".to_owned());
    }
    if digits.len() > LONGEST {
        return Some("1e9999".to_owned());
    }
    BigUint::parse_bytes(digits.as_bytes(), base).map(|number| number.to_string())
}

fn special_value(text: &str) -> Option<f64> {
    match unsigned(text) {
        ".nan" | ".NaN" | ".NAN" => Some(f64::NAN),
        ".inf" | ".Inf" | ".INF" if text.starts_with('-') => Some(f64::NEG_INFINITY),
        ".inf" | ".Inf" | ".INF" => Some(f64::INFINITY),
        _ => None,
    }
}

/// Reads the C and Python spellings of NaN and infinity, which are text in YAML.
pub(crate) fn foreign_float(text: &str) -> Option<f64> {
    match text {
        "nan" | "NaN" | "NAN" => Some(f64::NAN),
        "inf" | "Inf" | "INF" | "+inf" | "Infinity" | "+Infinity" | "infinity" => Some(f64::INFINITY),
        "-inf" | "-Inf" | "-INF" | "-Infinity" | "-infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_text_is_typed_by_the_core_schema() {
        for text in ["", "~", "null", "Null", "NULL"] {
            assert_eq!(resolve(text, true, None), Core::Null, "{text}");
        }
        for text in ["0", "007", "-12", "+3", "0o17", "0x1F", "99999999999999999999999999999999999999999999"] {
            assert_eq!(resolve(text, true, None), Core::Integer(text), "{text}");
        }
        for text in ["1.", ".5", "-.5", "1e3", "1.5E-3", "0.", "+1.0e+39", ".inf", "-.INF", "+.Inf", ".nan", ".NaN"] {
            assert_eq!(resolve(text, true, None), Core::Float(text), "{text}");
        }
        for text in
            ["yes", "No", "off", "y", "1_000", "0b11", "0o8", "-0x1", "0x", "1e", ".", "-", "+", "e5", "-.nan", "1.5.2"]
        {
            assert_eq!(resolve(text, true, None), Core::Text(text), "{text}");
        }
        for text in ["2008-12-31", "12:30:45", "nULL", "tRUE", "inf", "nan", ".Nan", "1 "] {
            assert_eq!(resolve(text, true, None), Core::Text(text), "{text}");
        }
    }

    #[test]
    fn quotes_and_tags_decide_first() {
        let tagged = |text, name| resolve(text, false, Some(&format!("tag:yaml.org,2002:{name}")).map(|tag| &**tag));
        assert_eq!(resolve("1", false, None), Core::Text("1"));
        assert_eq!(resolve("1", true, Some("!")), Core::Text("1"));
        assert_eq!(tagged("1", "str"), Core::Text("1"));
        assert_eq!(tagged("1", "int"), Core::Integer("1"));
        assert_eq!(tagged("1", "float"), Core::Float("1"));
        for (text, name, fits) in [
            ("1", "int", true),
            ("1.0", "int", false),
            ("1", "float", true),
            ("x", "float", false),
            ("TRUE", "bool", true),
            ("yes", "bool", false),
            ("AA==", "binary", true),
            ("A", "binary", false),
            ("", "null", true),
            ("2020-01-01", "timestamp", false),
        ] {
            assert_eq!(fits_tag(text, &format!("tag:yaml.org,2002:{name}")), fits, "!!{name} {text}");
        }
    }

    #[test]
    fn numbers_are_the_nearest() {
        assert_eq!(integer("0x1F"), Some(31));
        assert_eq!(integer("-0"), Some(0));
        assert_eq!(integer(&"9".repeat(5000)), None);
        for (text, digits) in [("-007", "-7"), ("+0", "0"), ("-0", "0"), ("0x1F", "31"), ("0o17", "15"), ("0x0", "0")] {
            assert_eq!(decimal_integer(text), digits);
        }
        assert_eq!(float32("-999.2999877929688"), Some(-999.3));
        assert_eq!(float32("16777217"), Some(16_777_216.0));
        assert_eq!(float64("0o17"), Some(15.0));
        assert_eq!(float64("0x1000000000000000000000000000000000000000000000000"), Some(2f64.powi(192)));
        assert_eq!(float64(&format!("0x{}1{}", "0".repeat(500), "0".repeat(256))), Some(f64::INFINITY));
        assert_eq!(float32(&format!("0x{}", "F".repeat(5000))), Some(f32::INFINITY));
        assert_eq!((float32("0xFFFFFF7FFFFFFFFFFFFFFFFFFFFFFFFF"), float64("0x00")), (Some(f32::MAX), Some(0.0)));
        assert_eq!(float64("1e400"), Some(f64::INFINITY));
        assert_eq!(float64("+.5e1"), Some(5.0));
        assert_eq!(float64("5."), Some(5.0));
        assert!(float64(".nan").is_some_and(f64::is_nan));
    }
}
