//! Numbers that are kept as text because no machine type holds them, and their conversion to machine types.

use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::float::{Decimal, Float16};
use crate::table::ecsv::complex_parts;
use std::str::FromStr;

/// Splits the text of a complex number into its real and imaginary part.
fn parts(text: &str) -> Result<(&str, &str)> {
    let (real, imaginary) =
        complex_parts(text).map_err(|_| refused(Status::ValueRange, text, "is not a valid number"))?;
    Ok((real.unwrap_or("0"), imaginary.unwrap_or("0")))
}

/// Error for a text that cannot be converted to the requested type.
fn refused(status: Status, text: &str, why: &str) -> Error {
    let shown: String = text.chars().take(60).collect();
    Error::new(status, format!("'{shown}' {why}"))
}

/// Float type that a text can be converted to.
trait Float: FromStr + Into<f64> + bytemuck::Pod {
    const NAME: &'static str;
    /// The finite numbers with the largest magnitude: the negative one, and the positive one.
    const RANGE: [Self; 2];
}

impl Float for Float16 {
    const NAME: &'static str = "f16";
    const RANGE: [Float16; 2] = [Float16(0xFBFF), Float16(0x7BFF)];
}

impl Float for f32 {
    const NAME: &'static str = "f32";
    const RANGE: [f32; 2] = [f32::MIN, f32::MAX];
}

impl Float for f64 {
    const NAME: &'static str = "f64";
    const RANGE: [f64; 2] = [f64::MIN, f64::MAX];
}

/// Returns the nearest float, and whether it equals the number in the text. A finite number beyond the range of the
/// type is an overflow; with `clamp` it becomes the largest finite float.
fn nearest<T: Float>(text: &str, clamp: bool) -> Result<(T, bool)> {
    let value: T = text.parse().map_err(|_| refused(Status::ValueRange, text, "is not a valid number"))?;
    let Some(decimal) = Decimal::of_text(text) else { return Ok((value, true)) };
    let wide = value.into();
    if wide.is_finite() {
        return Ok((value, decimal.equals(wide)));
    }
    if !clamp {
        return Err(refused(Status::Overflow, text, &format!("is beyond the range of {}", T::NAME)));
    }
    let [least, most] = T::RANGE;
    Ok((if wide < 0.0 { least } else { most }, false))
}

/// Returns the type that the number in a text is converted to first on its way to `target`. Through this type a number
/// is rounded only once, and an integer is not rounded at all.
pub(super) fn intermediate_type(is_complex: bool, target: ScalarType) -> ScalarType {
    use ScalarType as S;
    match target {
        _ if is_complex && target != S::Complex64 => S::Complex128,
        S::Int8 | S::Int16 | S::Int32 | S::Int64 => S::Int64,
        S::Uint8 | S::Uint16 | S::Uint32 | S::Uint64 => S::Uint64,
        S::Float16 | S::Float32 | S::Complex64 | S::Complex128 => target,
        S::Float64 | S::Bool8 => S::Float64,
    }
}

/// Writes the number in a text as a type that [`intermediate_type`] returns, and returns whether the result is exact.
///
/// Fails with [`Status::ValueRange`] for text that is not a number. Without `clamp`, fails with [`Status::Overflow`]
/// for a number beyond the range of the type; with `clamp`, writes the nearest number of the type instead.
pub(super) fn put_number(text: &str, made: ScalarType, clamp: bool, out: &mut [u8]) -> Result<bool> {
    match made {
        ScalarType::Int64 => put_integer(text, i64::MIN.into(), i64::MAX.into(), clamp, out),
        ScalarType::Uint64 => put_integer(text, 0, u64::MAX.into(), clamp, out),
        ScalarType::Float16 => put_floats::<Float16>([text], clamp, out),
        ScalarType::Float32 => put_floats::<f32>([text], clamp, out),
        ScalarType::Complex64 => put_floats::<f32>(<[&str; 2]>::from(parts(text)?), clamp, out),
        ScalarType::Complex128 => put_floats::<f64>(<[&str; 2]>::from(parts(text)?), clamp, out),
        _ => put_floats::<f64>([text], clamp, out),
    }
}

fn put_floats<'a, T: Float>(texts: impl IntoIterator<Item = &'a str>, clamp: bool, out: &mut [u8]) -> Result<bool> {
    let mut are_exact = true;
    for (text, place) in texts.into_iter().zip(out.chunks_exact_mut(size_of::<T>())) {
        let (value, is_exact) = nearest::<T>(text, clamp)?;
        place.copy_from_slice(bytemuck::bytes_of(&value));
        are_exact &= is_exact;
    }
    Ok(are_exact)
}

fn put_integer(text: &str, least: i128, most: i128, clamp: bool, out: &mut [u8]) -> Result<bool> {
    let near = nearest::<f64>(text, true)?.0;
    let (magnitude, is_whole) = match Decimal::of_text(text) {
        Some(decimal) => decimal.to_integer(),
        // NaN becomes zero, infinity the largest integer.
        None => (if near.is_nan() { 0 } else { i128::MAX }, false),
    };
    let whole = if near.is_sign_negative() { -magnitude } else { magnitude };
    let value = whole.clamp(least, most);
    if !(clamp || is_whole && value == whole) {
        return Err(refused(Status::Overflow, text, "is not an integer in the range of the type"));
    }
    // The value fits 64 bits. Signed and unsigned integers have the same bytes.
    out.copy_from_slice(&(value as u64).to_ne_bytes());
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn float64(text: &str) -> (f64, bool) {
        nearest::<f64>(text, false).unwrap()
    }

    #[test]
    fn inexact_numbers_are_reported() {
        let exact = ["0", "-0.0", "1", "0.5", "1e22", "9007199254740992", "0.1e1", "5e-1", "123456789.0", "+.25"];
        for text in exact {
            assert_eq!(float64(text), (text.parse().unwrap(), true), "{text}");
        }
        for text in ["0.1", "1e23", "9007199254740993", "1.00000000000000000001", "1e-400", "3.3e-5"] {
            assert_eq!(float64(text), (text.parse().unwrap(), false), "{text}");
        }
        assert_eq!(float64("8.67361737988403547205962240695953369140625e-19"), (2f64.powi(-60), true));
        let largest_subnormal = format!("{:.1074}", f64::from_bits((1 << 52) - 1));
        assert_eq!(float64(&largest_subnormal), (f64::from_bits((1 << 52) - 1), true));
        assert!(!float64(&format!("{largest_subnormal}01")).1);
        assert_eq!(float64("1.1102230246251565404236316680908203125e-16"), (2f64.powi(-53), true));
        assert_eq!(nearest::<f32>("16777217", false).unwrap(), (16777216.0, false));
        assert_eq!(nearest::<f32>("1.40129846432481707e-45", false).unwrap(), (f32::from_bits(1), false));
        assert!(float64("nan").0.is_nan() && float64("-Infinity") == (f64::NEG_INFINITY, true));
    }

    #[test]
    fn invalid_numbers_are_refused() {
        for text in ["", ".", "1d5", "0x10", "1_0", "--", "null", "1e", "infin", "1 ", "-", "1.2.3", "e5"] {
            assert_eq!(nearest::<f64>(text, true).unwrap_err().status(), Status::ValueRange, "{text}");
        }
        assert_eq!(nearest::<f64>("1e4000", false).unwrap_err().status(), Status::Overflow);
        assert_eq!(nearest::<f64>("-1e4000", true).unwrap(), (-f64::MAX, false));
        assert_eq!(nearest::<f64>("1e99999999999999999999999", true).unwrap().0, f64::MAX);
        assert_eq!(float64("0e99999999999999999999999"), (0.0, true));
    }

    #[test]
    fn integers_are_exact_or_refused() {
        let integer = |text: &str, clamp| {
            let mut out = [0; 8];
            put_number(text, ScalarType::Int64, clamp, &mut out).map(|_| i64::from_ne_bytes(out))
        };
        assert_eq!(integer("9007199254740993", false).unwrap(), 9007199254740993);
        assert_eq!(integer("-9223372036854775808", false).unwrap(), i64::MIN);
        assert_eq!(integer("1.5e1", false).unwrap(), 15);
        assert_eq!(integer("0e-5000", false).unwrap(), 0);
        for text in ["9223372036854775808", "1.5", "nan", "inf", "1e-5000", "1e5000"] {
            assert_eq!(integer(text, false).unwrap_err().status(), Status::Overflow, "{text}");
        }
        let clamped = ["1e5000", "-1e30", "-2.9", "nan", "-inf", "1e-3"].map(|text| integer(text, true).unwrap());
        assert_eq!(clamped, [i64::MAX, i64::MIN, -2, 0, i64::MIN, 0]);
        let mut out = [0; 8];
        put_number("18446744073709551615", ScalarType::Uint64, false, &mut out).unwrap();
        assert_eq!(u64::from_ne_bytes(out), u64::MAX);
    }

    #[test]
    fn complex_numbers_have_two_parts() {
        let cases = [
            ("(1+2j)", ("1", "+2")),
            ("1e-5-2e+3j", ("1e-5", "-2e+3")),
            ("-2j", ("0", "-2")),
            ("5", ("5", "0")),
            ("(nan+0j)", ("nan", "+0")),
            ("(-0-infj)", ("-0", "-inf")),
        ];
        for (text, expected) in cases {
            assert_eq!(parts(text).unwrap(), expected, "{text}");
            put_number(text, ScalarType::Complex128, true, &mut [0; 16]).unwrap();
        }
        for text in ["(1+2j", "1+j2", "j", "1+2i", "()"] {
            assert!(put_number(text, ScalarType::Complex128, true, &mut [0; 16]).is_err(), "{text}");
        }
    }

    #[test]
    fn halves_are_rounded_once() {
        let put = |text: &str, clamp| {
            let mut out = [0; 2];
            put_number(text, ScalarType::Float16, clamp, &mut out).map(|is_exact| (u16::from_ne_bytes(out), is_exact))
        };
        assert_eq!(put("65504", false).unwrap(), (0x7BFF, true));
        assert_eq!(put("65519.9999999999999999999999", false).unwrap(), (0x7BFF, false));
        assert_eq!(put("65520", false).unwrap_err().status(), Status::Overflow);
        assert_eq!(put("-1e9", true).unwrap(), (0xFBFF, false));
        assert_eq!(put("-inf", false).unwrap(), (0xFC00, true));
        assert_eq!(put("1.0009765626", false).unwrap(), (0x3C01, false));
        assert_eq!(put("0.000000059604644775390625", false).unwrap(), (1, true));
    }
}
