//! Parses numbers and truth values.
//!
//! The ECSV standard defines the syntax that is accepted for each type, not Rust's parser.

use crate::float::{Float16, simple_float};

/// Reason why a text is not a value of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) enum Refusal {
    /// The text has the wrong syntax.
    Form,
    /// The text is an integer beyond the range of the type.
    Range,
}

type Result<T> = std::result::Result<T, Refusal>;

/// Integer type.
pub(crate) trait Integer: Sized {
    /// Name of the datatype and its range, for messages.
    const RANGE: &'static str;

    /// Parses an integer.
    fn parse(text: &str) -> Result<Self>;
}

/// Parses digits with an optional sign. Returns whether it is negative, and its absolute value.
#[inline]
fn magnitude(text: &[u8]) -> Result<(bool, u64)> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() {
        return Err(Refusal::Form);
    }
    let mut value = 0_u64;
    // Any number of 19 digits fits 64 bits, so only longer ones need checks for overflow.
    let short = digits.len() <= 19;
    for (index, &byte) in digits.iter().enumerate() {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return Err(Refusal::Form);
        }
        if short {
            value = value * 10 + u64::from(digit);
        } else {
            let next = value.checked_mul(10).and_then(|value| value.checked_add(u64::from(digit)));
            let Some(next) = next else { return Err(refusal_of(digits.get(index..).unwrap_or_default())) };
            value = next;
        }
    }
    Ok((negative, value))
}

/// Returns the reason for an integer that overflows before the text `rest`: `Range` if `rest` consists of digits,
/// otherwise `Form`.
fn refusal_of(rest: &[u8]) -> Refusal {
    if rest.iter().all(u8::is_ascii_digit) { Refusal::Range } else { Refusal::Form }
}

macro_rules! integers {
    ($($type:ty: $range:literal,)*) => {
        $(impl Integer for $type {
            const RANGE: &'static str = $range;

            #[inline]
            fn parse(text: &str) -> Result<$type> {
                let (negative, value) = magnitude(text.as_bytes())?;
                let signed = if negative { 0_i64.checked_sub_unsigned(value) } else { i64::try_from(value).ok() };
                match signed {
                    Some(signed) => <$type>::try_from(signed).map_err(|_| Refusal::Range),
                    None if negative => Err(Refusal::Range),
                    None => <$type>::try_from(value).map_err(|_| Refusal::Range),
                }
            }
        })*
    };
}

integers! {
    i8: "int8, -128 to 127",
    i16: "int16, -32768 to 32767",
    i32: "int32, -2147483648 to 2147483647",
    i64: "int64, -9223372036854775808 to 9223372036854775807",
    u8: "uint8, 0 to 255",
    u16: "uint16, 0 to 65535",
    u32: "uint32, 0 to 4294967295",
    u64: "uint64, 0 to 18446744073709551615",
}

/// Floating-point number, rounded once to the nearest. Beyond the largest finite number it is infinite.
///
/// Rust accepts the syntax of the standard: digits with a point anywhere among them, an optional exponent, and `nan`,
/// `inf` and `infinity` in any case, all with an optional sign.
pub(crate) trait Float: std::str::FromStr + Copy {
    /// Parses a number.
    #[inline]
    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl Float for Float16 {}
impl Float for f32 {}

impl Float for f64 {
    #[inline]
    fn parse(text: &str) -> Option<f64> {
        simple_float(text).or_else(|| text.parse().ok())
    }
}

/// Parses a floating-point number.
#[inline]
pub(crate) fn float<T: Float>(text: &str) -> Result<T> {
    T::parse(text).ok_or(Refusal::Form)
}

/// Parses a truth value to 0 or 1. Only non-strict reading accepts the texts `0` and `1`.
#[inline]
pub(crate) fn truth(text: &str, strict: bool) -> Result<u8> {
    match text {
        "True" => Ok(1),
        "False" => Ok(0),
        "1" if !strict => Ok(1),
        "0" if !strict => Ok(0),
        _ => Err(Refusal::Form),
    }
}

/// Parses a complex number into real and imaginary part: `(1+2j)`, the same without parentheses, or one part alone.
pub(crate) fn complex<T: Float + Default>(text: &str) -> Result<[T; 2]> {
    let (real, imaginary) = complex_parts(text)?;
    let part = |text: Option<&str>| text.map_or(Ok(T::default()), float);
    Ok([part(real)?, part(imaginary)?])
}

/// Splits a complex number into the texts of its parts, which are not checked yet. A missing part is `None`.
pub(in crate::table) fn complex_parts(text: &str) -> Result<(Option<&str>, Option<&str>)> {
    let bare = match text.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')').ok_or(Refusal::Form)?,
        None => text,
    };
    let Some(with_imaginary) = bare.strip_suffix(['j', 'J']) else { return Ok((Some(bare), None)) };
    // The sign of the imaginary part is the last sign that does not belong to an exponent.
    let bytes = with_imaginary.as_bytes();
    let is_sign = |&(index, &byte): &(usize, &u8)| {
        let before = index.checked_sub(1).and_then(|before| bytes.get(before));
        matches!(byte, b'+' | b'-') && !matches!(before, None | Some(b'e' | b'E'))
    };
    match bytes.iter().enumerate().rev().find(is_sign).and_then(|(sign, _)| with_imaginary.split_at_checked(sign)) {
        Some((real, imaginary)) => Ok((Some(real), Some(imaginary))),
        None => Ok((None, Some(with_imaginary))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_are_exact_or_refused() {
        assert_eq!(["007", "+5", "-0", "-128"].map(i8::parse), [7, 5, 0, -128].map(Ok));
        assert_eq!(i64::parse("-9223372036854775808"), Ok(i64::MIN));
        assert_eq!(u64::parse("000000018446744073709551615"), Ok(u64::MAX));
        for text in ["", "-", "1.0", "1e3", "0x1F", "1_000", "٣", "--1", "99999999999999999999x"] {
            assert_eq!(i64::parse(text), Err(Refusal::Form), "{text}");
        }
        for text in ["18446744073709551616", "-1", "99999999999999999999999999999"] {
            assert_eq!(u64::parse(text), Err(Refusal::Range), "{text}");
        }
        assert_eq!([i8::parse("128"), i8::parse("-129")], [Err(Refusal::Range); 2]);
        assert_eq!(i64::parse("-9223372036854775809"), Err(Refusal::Range));
    }

    #[test]
    fn floats_follow_the_standard() {
        let accepted = ["1", "1.", ".5", "-1.5e+3", "1E5", "+2", "1e999", "1e-999"];
        assert_eq!(
            accepted.map(|text| float::<f64>(text).unwrap()),
            [1.0, 1.0, 0.5, -1500.0, 1e5, 2.0, f64::INFINITY, 0.0]
        );
        for text in ["nan", "NaN", "-nan", "+NAN"] {
            assert!(float::<f64>(text).unwrap().is_nan(), "{text}");
        }
        assert_eq!(["INF", "-Infinity"].map(float::<f32>), [Ok(f32::INFINITY), Ok(f32::NEG_INFINITY)]);
        for text in ["", ".", "e5", "1e", "1d5", "0x1p3", "1_0.5", "--", "null", "1 ", "infin", "1.5.2", "+-1"] {
            assert_eq!(float::<f64>(text), Err(Refusal::Form), "{text}");
        }
    }

    #[test]
    fn complex_numbers_have_one_part_or_two() {
        let accepted = ["(1+2j)", "1+2j", "2j", "5", "(-1e-5-2.5e+3j)", "-infj", "(1e5)", "1E+5J"]
            .map(|text| complex::<f64>(text).unwrap());
        let infinite = [0.0, f64::NEG_INFINITY];
        let expected =
            [[1.0, 2.0], [1.0, 2.0], [0.0, 2.0], [5.0, 0.0], [-1e-5, -2.5e3], infinite, [1e5, 0.0], [0.0, 1e5]];
        assert_eq!(accepted, expected);
        let not_a_number = complex::<f32>("(nan+0j)").unwrap();
        assert!(not_a_number[0].is_nan() && not_a_number[1] == 0.0);
        for text in ["", "()", "(1+2j", "1+2j)", "1 + 2j", "j", "1+j", "1+2", "1+2i", "(1+2j)j", "1+2j+3j"] {
            assert_eq!(complex::<f64>(text), Err(Refusal::Form), "{text}");
        }
    }

    #[test]
    fn truth_values_are_spelled_in_few_ways() {
        assert_eq!(["True", "False", "1", "0"].map(|text| truth(text, false)), [Ok(1), Ok(0), Ok(1), Ok(0)]);
        for text in ["true", "T", "", "TRUE", "2"] {
            assert_eq!(truth(text, false), Err(Refusal::Form));
        }
        assert_eq!(truth("1", true), Err(Refusal::Form));
    }
}
