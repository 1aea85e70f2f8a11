//! Numbers that are kept as text because no machine type holds them, and their conversion to machine types.

use crate::array::ScalarType;
use crate::error::{Error, Result, Status};
use crate::float::Float16;
use crate::table::ecsv::complex_parts;
use num_bigint::BigUint;
use std::cmp::Ordering;
use std::num::ParseFloatError;
use std::str::FromStr;

/// Maximum number of significant digits that are kept. No binary64 number has more than 767.
const MAX_DIGITS: usize = 768;

/// Maximum magnitude of the power of ten. A larger number overflows every type; a smaller one underflows every type.
const MAX_EXPONENT: i64 = 1100;

/// Decimal number: `digits` times ten to the power of `exponent`.
struct Decimal {
    negative: bool,
    digits: BigUint,
    exponent: i64,
}

impl Decimal {
    /// Parses a finite decimal number. Returns `None` for other text, infinity and NaN.
    fn parse(text: &str) -> Option<Decimal> {
        let negative = text.starts_with('-');
        let body = text.strip_prefix(['+', '-']).unwrap_or(text);
        let (mantissa, exponent) = match body.split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent_of(exponent)?),
            None => (body, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let mut exponent = exponent - fraction.len() as i64;
        let (mut kept, mut is_cut) = (Vec::with_capacity(mantissa.len().min(MAX_DIGITS + 1)), false);
        for digit in whole.bytes().chain(fraction.bytes()) {
            match digit {
                b'0' if kept.is_empty() => {}
                b'0'..=b'9' if kept.len() < MAX_DIGITS => kept.push(digit),
                b'0'..=b'9' => {
                    is_cut |= digit != b'0';
                    exponent += 1;
                }
                _ => return None,
            }
        }
        if is_cut {
            // A digit 1 replaces the digits left out. So the number is larger than its kept digits alone, and is not a
            // multiple of two or five.
            kept.push(b'1');
            exponent -= 1;
        }
        let digits = BigUint::parse_bytes(&kept, 10).unwrap_or_default();
        Some(Decimal { negative, digits, exponent: exponent.clamp(-MAX_EXPONENT, MAX_EXPONENT) })
    }

    /// Returns the magnitude as numerator and denominator.
    fn ratio(&self) -> (BigUint, BigUint) {
        let power = BigUint::from(10_u8).pow(self.exponent.unsigned_abs() as u32);
        if self.exponent < 0 { (self.digits.clone(), power) } else { (&self.digits * power, BigUint::from(1_u8)) }
    }

    /// Returns the number without its fraction, clamped to `least` and `most`, and whether the result equals the
    /// number.
    fn to_integer(&self, least: i128, most: i128) -> (i128, bool) {
        let (numerator, denominator) = self.ratio();
        let whole = &numerator / &denominator;
        let is_whole = &whole * denominator == numerator;
        let magnitude = i128::try_from(whole).unwrap_or(i128::MAX);
        let value = if self.negative { -magnitude } else { magnitude };
        let within = value.clamp(least, most);
        (within, is_whole && within == value)
    }

    /// Returns whether a binary number of `bits` significant bits, the last of them worth at least 2^-`places`,
    /// represents this number exactly.
    fn is_binary(&self, bits: u64, places: u32) -> bool {
        let Some(twos) = self.digits.trailing_zeros() else { return true };
        let odd = &self.digits >> twos;
        // Ten is two times five, and a power of five has more bits than its exponent.
        let power = self.exponent.unsigned_abs();
        if power > if self.exponent < 0 { odd.bits() } else { bits } {
            return false;
        }
        let fives = BigUint::from(5_u8).pow(power as u32);
        let (odd, is_whole) = if self.exponent < 0 {
            let quotient = &odd / &fives;
            let is_whole = &quotient * fives == odd;
            (quotient, is_whole)
        } else {
            (odd * fives, true)
        };
        is_whole && odd.bits() <= bits && self.exponent + twos as i64 >= -i64::from(places)
    }

    /// Compares the magnitude with `units` times 2^-`places`.
    fn compare_magnitude(&self, units: u64, places: u32) -> Ordering {
        let (numerator, denominator) = self.ratio();
        (numerator << places).cmp(&(denominator * units))
    }
}

/// Parses the exponent of a number. Very large exponents are clamped.
fn exponent_of(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude: i64 = digits.parse().unwrap_or(i64::MAX / 4).min(i64::MAX / 4);
    Some(if text.starts_with('-') { -magnitude } else { magnitude })
}

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
trait Float: FromStr {
    const NAME: &'static str;
    /// Number of significant bits.
    const BITS: u64;
    /// The smallest positive number is 2^-`PLACES`.
    const PLACES: u32;
    fn is_finite(&self) -> bool;
    /// Returns the finite number of this sign with the largest magnitude.
    fn largest(negative: bool) -> Self;
}

macro_rules! float {
    ($float:ident, $places:literal) => {
        impl Float for $float {
            const NAME: &'static str = stringify!($float);
            const BITS: u64 = $float::MANTISSA_DIGITS as u64;
            const PLACES: u32 = $places;
            fn is_finite(&self) -> bool {
                $float::is_finite(*self)
            }
            fn largest(negative: bool) -> $float {
                if negative { $float::MIN } else { $float::MAX }
            }
        }
    };
}

float!(f32, 149);
float!(f64, 1074);

impl Float for Float16 {
    const NAME: &'static str = "f16";
    const BITS: u64 = 11;
    const PLACES: u32 = 24;
    fn is_finite(&self) -> bool {
        self.to_f32().is_finite()
    }
    fn largest(negative: bool) -> Float16 {
        Float16::from_f64(if negative { -Float16::MAX } else { Float16::MAX })
    }
}

impl FromStr for Float16 {
    type Err = ParseFloatError;

    /// Returns the nearest number, rounded once; infinity from 65520 on.
    fn from_str(text: &str) -> std::result::Result<Float16, ParseFloatError> {
        let near: f64 = text.parse()?;
        let magnitude = near.abs();
        if !is_halfway(magnitude) {
            return Ok(Float16::from_f64(near));
        }
        // The text may have digits that `near` lost, and these decide which neighbour is nearer.
        let units = (magnitude * HALFWAY_UNITS) as u64;
        let magnitude = match Decimal::parse(text).map(|exact| exact.compare_magnitude(units, HALFWAY_PLACES)) {
            Some(Ordering::Less) => magnitude.next_down(),
            Some(Ordering::Greater) => magnitude.next_up(),
            Some(Ordering::Equal) | None => magnitude,
        };
        Ok(Float16::from_f64(magnitude.copysign(near)))
    }
}

/// The midpoint between two binary16 numbers is a multiple of 2^-25, since neighbours are at least 2^-24 apart.
const HALFWAY_PLACES: u32 = 25;
const HALFWAY_UNITS: f64 = (1 << HALFWAY_PLACES) as f64;

/// Returns whether a nonnegative number is the midpoint between two binary16 numbers.
fn is_halfway(magnitude: f64) -> bool {
    magnitude > 0.0
        && (magnitude * HALFWAY_UNITS).fract() == 0.0
        && Float16::from_f64(magnitude.next_up()) != Float16::from_f64(magnitude.next_down())
}

/// Returns the nearest float, and whether it equals the number in the text. A finite number beyond the range of the
/// type is an overflow; with `clamp` it becomes the largest finite float.
fn nearest<T: Float>(text: &str, clamp: bool) -> Result<(T, bool)> {
    let decimal = Decimal::parse(text);
    let is_special = || {
        let body = text.strip_prefix(['+', '-']).unwrap_or(text);
        ["nan", "inf", "infinity"].iter().any(|known| body.eq_ignore_ascii_case(known))
    };
    if decimal.is_none() && !is_special() {
        return Err(refused(Status::ValueRange, text, "is not a valid number"));
    }
    let value: T = text.parse().map_err(|_| refused(Status::ValueRange, text, "is not a valid number"))?;
    let Some(decimal) = decimal else { return Ok((value, true)) };
    if value.is_finite() {
        return Ok((value, decimal.is_binary(T::BITS, T::PLACES)));
    }
    if !clamp {
        return Err(refused(Status::Overflow, text, &format!("is beyond the range of {}", T::NAME)));
    }
    Ok((T::largest(decimal.negative), false))
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
        ScalarType::Float16 => {
            let (value, is_exact) = nearest::<Float16>(text, clamp)?;
            put(out, &value.to_ne_bytes());
            Ok(is_exact)
        }
        ScalarType::Float32 => {
            let (value, is_exact) = nearest::<f32>(text, clamp)?;
            put(out, &value.to_ne_bytes());
            Ok(is_exact)
        }
        ScalarType::Complex64 => {
            let (real, imaginary) = parts(text)?;
            let ((real, first), (imaginary, second)) =
                (nearest::<f32>(real, clamp)?, nearest::<f32>(imaginary, clamp)?);
            put(out, &[real.to_ne_bytes(), imaginary.to_ne_bytes()].concat());
            Ok(first && second)
        }
        ScalarType::Complex128 => {
            let (real, imaginary) = parts(text)?;
            let ((real, first), (imaginary, second)) =
                (nearest::<f64>(real, clamp)?, nearest::<f64>(imaginary, clamp)?);
            put(out, &[real.to_ne_bytes(), imaginary.to_ne_bytes()].concat());
            Ok(first && second)
        }
        _ => {
            let (value, is_exact) = nearest::<f64>(text, clamp)?;
            put(out, &value.to_ne_bytes());
            Ok(is_exact)
        }
    }
}

fn put_integer(text: &str, least: i128, most: i128, clamp: bool, out: &mut [u8]) -> Result<bool> {
    let (value, is_exact) = match Decimal::parse(text) {
        Some(decimal) => decimal.to_integer(least, most),
        // `None`: infinity or NaN. NaN becomes zero.
        None => match nearest::<f64>(text, true)?.0 {
            value if value.is_nan() => (0, false),
            value if value > 0.0 => (most, false),
            _ => (least, false),
        },
    };
    if !is_exact && !clamp {
        return Err(refused(Status::Overflow, text, "is not an integer in the range of the type"));
    }
    // The value fits 64 bits. Signed and unsigned integers have the same bytes.
    put(out, &(value as u64).to_ne_bytes());
    Ok(true)
}

fn put(out: &mut [u8], bytes: &[u8]) {
    out.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
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
        let half = |text: &str| text.parse::<Float16>().unwrap().0;
        let between = |bits: u16| {
            let [low, high] = [bits, bits + 1].map(|bits| f64::from(Float16(bits).to_f32()));
            (low + if high.is_finite() { high } else { 65536.0 }) / 2.0
        };
        for bits in 0..0x7C00_u16 {
            // In decimal the midpoint has all its digits; its neighbours differ from the fortieth digit on.
            let middle = format!("{:.25}", between(bits));
            let even = bits + (bits & 1);
            assert_eq!([half(&middle), half(&format!("-{middle}"))], [even, even | 0x8000], "{middle}");
            let above = format!("{middle}{}1", "0".repeat(15 + usize::from(bits % 40)));
            assert_eq!(half(&above), bits + 1, "{above}");
            let below = format!("{}9", below(&middle));
            assert_eq!([half(&below), half(&format!("-{below}e0"))], [bits, bits | 0x8000], "{below}");
        }
        assert_eq!(half("1e-99999"), 0);
        assert_eq!(half("-1e-4"), Float16::from_f64(-1e-4).0);
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

    /// Returns the next smaller number with the same number of places.
    fn below(number: &str) -> String {
        let mut digits: Vec<u8> = number.bytes().collect();
        for digit in digits.iter_mut().rev() {
            match digit {
                b'.' => {}
                b'0' => *digit = b'9',
                _ => {
                    *digit -= 1;
                    break;
                }
            }
        }
        String::from_utf8(digits).unwrap()
    }
}
