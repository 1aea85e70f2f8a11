//! The text form of complex numbers (`core/complex-1.0.0`).

use crate::error::{Error, Result, Status};
use crate::float::{DotZero, Float, Notation};

/// Notation of the real and imaginary parts.
const PART: Notation = Notation { dot_zero: DotZero::Never, ..Notation::PYTHON };

/// Parses a complex number such as `1.5-2i`, `(nan+infj)` or `-.5J` into real and imaginary part.
///
/// The signs of zeros are kept. Fails with [`Status::TagContent`] for text outside the grammar of the tag; blanks are
/// not allowed.
pub(crate) fn parse(text: &str) -> Result<(f64, f64)> {
    parts(text).ok_or_else(|| {
        let shown: String = text.chars().take(40).collect();
        Error::new(Status::TagContent, format!("'{shown}' is not a complex number"))
    })
}

fn parts(text: &str) -> Option<(f64, f64)> {
    // The pattern of the schema also allows one line feed at the end.
    let text = text.strip_suffix('\n').unwrap_or(text);
    let text = match text.strip_prefix('(') {
        Some(rest) => rest.strip_suffix(')')?,
        None => text,
    };
    let (first, rest) = value(text)?;
    if rest.is_empty() {
        return Some((first, 0.0));
    }
    if is_unit(rest) {
        return Some((0.0, first));
    }
    if !rest.starts_with(['+', '-']) {
        return None;
    }
    let (second, rest) = value(rest)?;
    is_unit(rest).then_some((first, second))
}

fn is_unit(text: &str) -> bool {
    matches!(text, "i" | "I" | "j" | "J")
}

/// Parses a real number at the start of the text. Returns it and the rest of the text.
fn value(text: &str) -> Option<(f64, &str)> {
    let negative = text.starts_with('-');
    let body = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = |from: usize| body[from..].bytes().take_while(u8::is_ascii_digit).count();
    let (special, mut end) = match body.get(..3) {
        Some("inf" | "INF") => (Some(f64::INFINITY), 3),
        Some("nan" | "NAN") => (Some(f64::NAN), 3),
        _ => (None, digits(0)),
    };
    if special.is_none() && body[end..].starts_with('.') {
        let fraction = digits(end + 1);
        if fraction == 0 {
            return None;
        }
        end += 1 + fraction;
    }
    if end == 0 {
        return None;
    }
    if body[end..].starts_with(['e', 'E']) {
        let sign = usize::from(body[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent == 0 {
            return None;
        }
        end += 1 + sign + exponent;
    }
    let magnitude = match special {
        Some(value) => value,
        None => body[..end].parse().ok()?,
    };
    Some((if negative { -magnitude } else { magnitude }, &body[end..]))
}

/// Formats a complex number: both parts in the shortest form that reads back equal, and the suffix `i`.
pub(crate) fn format(real: f64, imaginary: f64) -> String {
    shortest(real, imaginary)
}

/// Formats a complex number like [`format`], with parts of any width.
pub(crate) fn shortest<T: Float>(real: T, imaginary: T) -> String {
    let mut out = String::new();
    PART.write(&mut out, real);
    PART.write_signed(&mut out, imaginary);
    out.push('i');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(text: &str, real: f64, imaginary: f64) {
        let (re, im) = parse(text).unwrap();
        let equal = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
        assert!(equal(re, real) && equal(im, imaginary), "{text}: {re} {im}");
    }

    #[test]
    fn valid_texts() {
        same("1+1j", 1.0, 1.0);
        same("1J", 0.0, 1.0);
        same("-1", -1.0, 0.0);
        same("(1.5e-3-2i)", 0.0015, -2.0);
        same("nan+infj", f64::NAN, f64::INFINITY);
        same(".5I", 0.0, 0.5);
        same("-0-0j", -0.0, -0.0);
        same("(-0+0j)", -0.0, 0.0);
        same("infe5", f64::INFINITY, 0.0);
        same("INFi", 0.0, f64::INFINITY);
        same("-nane+2-INFE-1I", f64::NAN, f64::NEG_INFINITY);
        same("1e5+2E-3j", 1e5, 2e-3);
        same("1e+5", 1e5, 0.0);
        same("1j\n", 0.0, 1.0);
    }

    #[test]
    fn invalid_texts() {
        for text in [
            "", "1.j", "1.", "1 + 2j", " 1", "1 ", "j", "+j", "1+2", "1j+2", "Infinity", "Inf", "NaN", "0x1", "1_0j",
            "(1+2j", "1+2j)", "1+-2j", "()", "((1))", "1e", "1e+", "1e5.5", "é", "iné", "1+1ji", "1j\n\n", "--1",
        ] {
            assert_eq!(parse(text).unwrap_err().status(), Status::TagContent, "{text:?}");
        }
    }

    #[test]
    fn written_texts_read_back() {
        let values =
            [0.0, -0.0, 1.0, -1.5, 0.1, 1e16, 1e-5, 5e-324, f64::MAX, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        for real in values {
            for imaginary in values {
                same(&format(real, imaginary), real, imaginary);
            }
        }
        assert_eq!(format(1.0, -2.5), "1-2.5i");
        assert_eq!(format(-0.0, 0.0), "-0+0i");
        assert_eq!(format(1e300, f64::NAN), "1e+300+nani");
        assert_eq!(shortest(1e-4f32, -0.1), "0.0001-0.1i");
    }
}
