//! Numbers as YAML 1.1 writes them: their grammar and their values.

use super::scalar::{Integer, Scalar};
use crate::error::{Error, Result};
use crate::float::{digits, signed, simple_float, split_sign};
use num_bigint::BigUint;
use std::borrow::Cow;

/// Maximum number of digits converted to base ten; the time grows with their square.
const MAX_CONVERTED_DIGITS: usize = 10_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Integer(Base),
    Float,
    SexagesimalFloat,
    Infinity,
    NotANumber,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Binary,
    Octal,
    Decimal,
    Hexadecimal,
    Sexagesimal,
}

/// Parses a decimal integer of up to 18 digits without a sign. Returns `None` for any other text.
#[inline]
fn simple_integer(text: &[u8]) -> Option<i64> {
    let is_decimal = matches!(text, [b'0'] | [b'1'..=b'9', ..]) && text.len() <= 18;
    let mut value = 0;
    (is_decimal && digits(text, &mut value) == text.len()).then_some(value as i64)
}

/// Parses plain text as a number. Returns `None` if it is not a number.
pub(super) fn parse(text: &str) -> Result<Option<Scalar<'_>>> {
    if let Some(value) = simple_integer(text.as_bytes()) {
        return Ok(Some(Scalar::Integer(Integer::Small(value))));
    }
    if let Some(value) = simple_float(text) {
        return Ok(Some(Scalar::Float(value)));
    }
    let (negative, body) = split_sign(text);
    let Some(form) = form(body, body.len() < text.len()) else { return Ok(None) };
    Ok(match form {
        Form::Integer(base) => integer(negative, &without_underscores(body), base)?.map(Scalar::Integer),
        Form::Float => without_underscores(body).parse().ok().map(|value| Scalar::Float(signed(negative, value))),
        Form::SexagesimalFloat => {
            sexagesimal_float(&without_underscores(body)).map(|value| Scalar::Float(signed(negative, value)))
        }
        Form::Infinity => Some(Scalar::Float(signed(negative, f64::INFINITY))),
        Form::NotANumber => Some(Scalar::Float(f64::NAN)),
    })
}

/// Returns whether plain text has the form of a number.
pub(super) fn is_number(text: &str) -> bool {
    let (_, body) = split_sign(text);
    form(body, body.len() < text.len()).is_some()
}

/// Parses the text of a scalar with the tag `!!int`.
pub(super) fn parse_as_integer(text: &str) -> Result<Option<Integer>> {
    let text = without_underscores(text.trim());
    let (negative, body) = split_sign(&text);
    let base = match body.as_bytes() {
        [b'0', b'b', ..] => Base::Binary,
        [b'0', b'x', ..] => Base::Hexadecimal,
        [b'0', b'o', digits @ ..] => {
            return integer(negative, std::str::from_utf8(digits).unwrap_or_default(), Base::Octal);
        }
        [b'0', _, ..] => Base::Octal,
        digits if digits.contains(&b':') => Base::Sexagesimal,
        _ => Base::Decimal,
    };
    integer(negative, body, base)
}

/// Parses the text of a scalar with the tag `!!float`.
pub(super) fn parse_as_float(text: &str) -> Option<f64> {
    let text = without_underscores(text.trim());
    let (negative, body) = split_sign(&text);
    let value = if body.eq_ignore_ascii_case(".inf") {
        f64::INFINITY
    } else if body.eq_ignore_ascii_case(".nan") {
        f64::NAN
    } else if body.contains(':') {
        sexagesimal_float(body)?
    } else {
        body.parse().ok()?
    };
    Some(signed(negative, value))
}

fn without_underscores(text: &str) -> Cow<'_, str> {
    // `str::contains` is slower for short texts.
    if text.bytes().any(|byte| byte == b'_') { Cow::Owned(text.replace('_', "")) } else { Cow::Borrowed(text) }
}

/// Returns the form of a number without its sign; `signed` tells whether there was one.
fn form(body: &str, signed: bool) -> Option<Form> {
    let body = body.as_bytes();
    let first = *body.first()?;
    if first == b'.' {
        return match &body[1..] {
            b"inf" | b"Inf" | b"INF" => Some(Form::Infinity),
            b"nan" | b"NaN" | b"NAN" if !signed => Some(Form::NotANumber),
            fraction @ [b'0'..=b'9', ..] if !signed && is_fraction(fraction) => Some(Form::Float),
            _ => None,
        };
    }
    if !first.is_ascii_digit() {
        return None;
    }
    let end = body.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'_').unwrap_or(body.len());
    let (digits, rest) = body.split_at(end);
    let base = match rest {
        [] if first != b'0' || digits.len() == 1 => Base::Decimal,
        [] if digits.iter().all(|byte| matches!(byte, b'0'..=b'7' | b'_')) => Base::Octal,
        [b'.', fraction @ ..] if is_fraction(fraction) => return Some(Form::Float),
        [b':', ..] => return sexagesimal_form(first, rest),
        [b'b', digits @ ..] if end == 1 && has_only(digits, |byte| matches!(byte, b'0' | b'1')) => Base::Binary,
        [b'x', digits @ ..] if end == 1 && has_only(digits, u8::is_ascii_hexdigit) => Base::Hexadecimal,
        _ => return None,
    };
    let prefixed = matches!(base, Base::Binary | Base::Hexadecimal);
    (!prefixed || first == b'0').then_some(Form::Integer(base))
}

/// Returns whether there is at least one digit, and only digits and underscores.
fn has_only(bytes: &[u8], is_digit: impl Fn(&u8) -> bool) -> bool {
    bytes.iter().all(|byte| is_digit(byte) || *byte == b'_') && bytes.iter().any(is_digit)
}

/// Returns whether the bytes may follow the point of a float: digits and underscores, and optionally an exponent with a
/// sign.
fn is_fraction(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|byte| !byte.is_ascii_digit() && *byte != b'_').unwrap_or(bytes.len());
    match &bytes[end..] {
        [] => true,
        [b'e' | b'E', b'+' | b'-', digits @ ..] => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Returns the form of digits followed by `rest`, which begins with a colon. `first` is the first digit.
fn sexagesimal_form(first: u8, rest: &[u8]) -> Option<Form> {
    let mut rest = rest;
    loop {
        rest = match rest {
            [] if first != b'0' => return Some(Form::Integer(Base::Sexagesimal)),
            [b'.', fraction @ ..] if fraction.iter().all(|byte| byte.is_ascii_digit() || *byte == b'_') => {
                return Some(Form::SexagesimalFloat);
            }
            [b':', b'0'..=b'5', b'0'..=b'9', rest @ ..] | [b':', b'0'..=b'9', rest @ ..] => rest,
            _ => return None,
        };
    }
}

/// Converts digits without sign and underscores. Returns `None` if they are not digits of the base.
fn integer(negative: bool, digits: &str, base: Base) -> Result<Option<Integer>> {
    let (radix, digits) = match base {
        Base::Binary => (2, &digits[2..]),
        Base::Octal => (8, digits),
        Base::Decimal => (10, digits),
        Base::Hexadecimal => (16, &digits[2..]),
        Base::Sexagesimal => return sexagesimal_integer(negative, digits),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| (byte as char).is_digit(radix)) {
        return Ok(None);
    }
    if let Some(value) = small(negative, digits, radix) {
        return Ok(Some(Integer::Small(value)));
    }
    if radix == 10 {
        return Ok(large(negative, digits.trim_start_matches('0')));
    }
    check_convertible(digits)?;
    Ok(BigUint::parse_bytes(digits.as_bytes(), radix).and_then(|value| large(negative, &value.to_string())))
}

fn small(negative: bool, digits: &str, radix: u32) -> Option<i64> {
    let magnitude = u64::from_str_radix(digits, radix).ok()?;
    with_sign(negative, magnitude)
}

fn with_sign(negative: bool, magnitude: u64) -> Option<i64> {
    if negative { 0i64.checked_sub_unsigned(magnitude) } else { magnitude.try_into().ok() }
}

fn large(negative: bool, digits: &str) -> Option<Integer> {
    Some(Integer::Large(format!("{}{digits}", if negative { "-" } else { "" })))
}

/// Fails with [`Status::Limit`](crate::Status::Limit) if an integer in a base other than ten has too many digits.
pub(crate) fn check_convertible(digits: &str) -> Result<()> {
    if digits.len() > MAX_CONVERTED_DIGITS {
        return Err(Error::limit("the digits of an integer in a base other than ten", MAX_CONVERTED_DIGITS as u64));
    }
    Ok(())
}

fn sexagesimal_integer(negative: bool, text: &str) -> Result<Option<Integer>> {
    check_convertible(text)?;
    let mut value = BigUint::ZERO;
    for part in text.split(':') {
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Ok(None);
        }
        let Some(part) = BigUint::parse_bytes(part.as_bytes(), 10) else { return Ok(None) };
        value = value * 60u32 + part;
    }
    let magnitude = u64::try_from(&value).ok();
    Ok(match magnitude.and_then(|magnitude| with_sign(negative, magnitude)) {
        Some(value) => Some(Integer::Small(value)),
        None => large(negative, &value.to_string()),
    })
}

/// Sums from the last part, as the reference implementation does: the order affects the last bit.
fn sexagesimal_float(text: &str) -> Option<f64> {
    let (mut value, mut unit) = (0.0, 1.0);
    for part in text.rsplit(':') {
        let part: f64 = part.parse().ok()?;
        value += part * unit;
        unit *= 60.0;
    }
    f64::is_finite(value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<Scalar<'_>> {
        parse(text).unwrap()
    }

    #[test]
    fn integers_of_every_base() {
        let cases = [
            ("0", 0),
            ("-0", 0),
            ("+12", 12),
            ("1_000", 1000),
            ("010", 8),
            ("-0_7", -7),
            ("0_", 0),
            ("00", 0),
            ("0b1_01", 5),
            ("0x_fF", 255),
            ("1:30", 90),
            ("190:20:30", 685_230),
            ("9223372036854775807", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("-0x8000000000000000", i64::MIN),
        ];
        for (text, number) in cases {
            assert_eq!(value(text), Some(Scalar::Integer(Integer::Small(number))), "{text}");
        }
        for text in
            ["08", "0o17", "0X1F", "0b2", "0b_", "0x_", "1:60", "01:30", "+", "-", "1,0", "1e5", "12b1", "_1", "3x1"]
        {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn integers_of_any_size() {
        let large = |text: &str| match value(text) {
            Some(Scalar::Integer(Integer::Large(digits))) => digits,
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(large("9223372036854775808"), "9223372036854775808");
        assert_eq!(large("-1_0000000000_0000000000"), "-100000000000000000000");
        assert_eq!(large("-0x1_0000000000000000"), "-18446744073709551616");
        assert_eq!(large("02000000000000000000000"), "18446744073709551616");
        assert_eq!(large("18446744073709551616:00"), "1106804644422573096960");
        assert_eq!(Integer::Large(large("18446744073709551615")).to_u64(), Some(u64::MAX));
        let hostile = format!("0x{}", "f".repeat(1 << 20));
        assert_eq!(parse(&hostile).unwrap_err().status(), crate::Status::Limit);
    }

    #[test]
    fn floats_need_a_point_and_a_signed_exponent() {
        let cases = [
            ("1.", 1.0),
            ("1.0e+5", 1e5),
            ("1.e-5", 1e-5),
            (".5e-3", 0.5e-3),
            ("685.230_15e+03", 685_230.15),
            ("1._", 1.0),
            ("190:20:30.15", 685_230.15),
            ("-0:1.5", -1.5),
            ("1.0e+400", f64::INFINITY),
            ("-.INF", f64::NEG_INFINITY),
            ("0.1", 0.1),
        ];
        for (text, number) in cases {
            assert_eq!(value(text), Some(Scalar::Float(number)), "{text}");
        }
        assert!(matches!(value("-0.0"), Some(Scalar::Float(zero)) if zero.is_sign_negative()));
        assert!(matches!(value(".NaN"), Some(Scalar::Float(nan)) if nan.is_nan()));
        for text in ["-.5", "+.5", "-.nan", "1.0e5", "1.e+", "._5", ".", "1:2.e+5", "1.2.3", ".nAN", "1:.5", "1::2."] {
            assert_eq!(value(text), None, "{text}");
        }
    }

    #[test]
    fn tags_widen_the_grammar() {
        assert_eq!(parse_as_integer("0o17").unwrap(), Some(Integer::Small(15)));
        assert_eq!(parse_as_integer(" -1:30 ").unwrap(), Some(Integer::Small(-90)));
        for text in ["", "-", "0b", "0x", "09", "1.0", "abc", "1:", ":1", "+-1"] {
            assert_eq!(parse_as_integer(text).unwrap(), None, "{text}");
        }
        assert_eq!(parse_as_float("-1e5"), Some(-1e5));
        assert_eq!(parse_as_float("inf"), Some(f64::INFINITY));
        assert_eq!(parse_as_float("-.5"), Some(-0.5));
        for text in ["", "abc", "1:x", "0x1p3", "1 2"] {
            assert_eq!(parse_as_float(text), None, "{text}");
        }
    }

    #[test]
    fn floats_are_written_as_floats_and_read_back() {
        let cases = [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (1e16, "1.0e+16"),
            (1e-5, "1.0e-05"),
            (0.0001, "0.0001"),
            (123456789012345680.0, "1.2345678901234568e+17"),
            (9007199254740993.0, "9007199254740992.0"),
            (5e-324, "5.0e-324"),
            (f64::MAX, "1.7976931348623157e+308"),
            (f64::INFINITY, ".inf"),
            (f64::NEG_INFINITY, "-.inf"),
            (f64::NAN, ".nan"),
        ];
        for (number, text) in cases {
            let mut out = String::new();
            crate::float::Notation::YAML.write(&mut out, number);
            assert_eq!(out, text);
            match value(&out) {
                Some(Scalar::Float(back)) => assert!(back.to_bits() == number.to_bits() || number.is_nan()),
                other => panic!("{out}: {other:?}"),
            }
        }
    }
}
