//! IEEE 754 binary16, for which Rust has no stable type: conversions to binary32 (exact) and from binary64 (rounded
//! once).
//!
//! There is no arithmetic; calculations use wider types.

use super::Decimal;
use std::cmp::Ordering;
use std::num::ParseFloatError;
use std::str::FromStr;

/// A binary16 number. Two numbers are equal if their bits are equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct Float16(pub(crate) u16);

impl Float16 {
    /// Largest finite number.
    pub(crate) const MAX: f64 = 65504.0;

    /// Creates the number with these bits.
    pub fn from_bits(bits: u16) -> Float16 {
        Float16(bits)
    }

    /// Returns the bits of the number.
    pub fn to_bits(self) -> u16 {
        self.0
    }

    pub(crate) fn from_ne_bytes(bytes: [u8; 2]) -> Float16 {
        Float16(u16::from_ne_bytes(bytes))
    }

    pub(crate) fn to_ne_bytes(self) -> [u8; 2] {
        self.0.to_ne_bytes()
    }

    /// Converts to binary32 without loss. A NaN keeps its sign and payload. The code has no branches, so that loops are
    /// vectorized.
    #[inline(always)]
    pub fn to_f32(self) -> f32 {
        let magnitude = u32::from(self.0 & 0x7FFF) << 13;
        // The fraction bits are in place; only the exponent bias is wrong: 15 instead of 127. The multiplication
        // corrects it.
        let finite = (f32::from_bits(magnitude) * f32::from_bits((127 + 127 - 15) << 23)).to_bits();
        let special = magnitude | 0x7F80_0000;
        let bits = if magnitude >= 0x7C00 << 13 { special } else { finite };
        f32::from_bits(bits | u32::from(self.0 & 0x8000) << 16)
    }

    /// Returns the nearest number; ties go to even. Values from 65520 on become infinite. A NaN becomes a quiet NaN.
    #[inline(always)]
    pub fn from_f64(value: f64) -> Float16 {
        let sign = (value.to_bits() >> 48) as u16 & 0x8000;
        let value = value.abs();
        let bits = value.to_bits();
        let magnitude = if value.is_nan() {
            0x7E00 | (bits >> 42) as u16 & 0x3FF
        } else if value >= 65520.0 {
            0x7C00
        } else if value < f64::from_bits((1023 - 14) << 52) {
            // Subnormal numbers: adding a number whose last bit has the value of the smallest binary16 number rounds
            // correctly.
            let unit = f64::from_bits((1023 - 24 + 52) << 52);
            (value + unit).to_bits() as u16 & 0x7FF
        } else {
            let half = (1 << 41) - 1 + (bits >> 42 & 1);
            (((bits + half) >> 42) - ((1023 - 15) << 10)) as u16
        };
        Float16(sign | magnitude)
    }
}

impl From<Float16> for f32 {
    fn from(value: Float16) -> f32 {
        value.to_f32()
    }
}

impl From<Float16> for f64 {
    fn from(value: Float16) -> f64 {
        value.to_f32().into()
    }
}

#[cfg(feature = "half")]
impl From<half::f16> for Float16 {
    fn from(value: half::f16) -> Float16 {
        Float16(value.to_bits())
    }
}

#[cfg(feature = "half")]
impl From<Float16> for half::f16 {
    fn from(value: Float16) -> half::f16 {
        half::f16::from_bits(value.0)
    }
}

impl FromStr for Float16 {
    type Err = ParseFloatError;

    /// Returns the nearest number, rounded once; infinity from 65520 on.
    fn from_str(text: &str) -> Result<Float16, ParseFloatError> {
        let near: f64 = text.parse()?;
        let is_halfway = near != 0.0 && Float16::from_f64(near.next_up()) != Float16::from_f64(near.next_down());
        // Only there the digits of the text that `near` lost decide which neighbour is nearer.
        let exact = if is_halfway { Decimal::of_text(text) } else { None };
        let magnitude = near.abs();
        let magnitude = match exact.map(|exact| exact.cmp(&Decimal::of_float(magnitude))) {
            Some(Ordering::Less) => magnitude.next_down(),
            Some(Ordering::Greater) => magnitude.next_up(),
            Some(Ordering::Equal) | None => magnitude,
        };
        Ok(Float16::from_f64(magnitude.copysign(near)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(feature = "half")]
    #[test]
    fn the_type_of_the_crate_half_has_the_same_bits() {
        for bits in 0..=u16::MAX {
            let other = half::f16::from(Float16(bits));
            assert_eq!((other.to_bits(), Float16::from(other)), (bits, Float16(bits)));
        }
    }

    /// Returns the value according to the definition of binary16.
    fn value(bits: u16) -> f64 {
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3FF));
        let magnitude = match exponent {
            0 => fraction * 2f64.powi(-24),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (fraction + 1024.0) * 2f64.powi(exponent - 25),
        };
        if bits & 0x8000 == 0 { magnitude } else { -magnitude }
    }

    #[test]
    fn every_number_widens_to_its_value_and_comes_back() {
        for bits in 0..=u16::MAX {
            let (wide, expected) = (f64::from(Float16(bits).to_f32()), value(bits));
            if expected.is_nan() {
                assert!(wide.is_nan());
                assert_eq!(Float16::from_f64(wide).0, bits | 0x200);
            } else {
                assert_eq!(wide.to_bits(), expected.to_bits(), "{bits:04x}");
                assert_eq!(Float16::from_f64(wide).0, bits);
            }
        }
    }

    #[test]
    fn values_between_round_to_nearest_and_ties_to_even() {
        for bits in 0..0x7BFFu16 {
            let (low, high) = (value(bits), value(bits + 1));
            let middle = (low + high) / 2.0;
            assert_eq!(Float16::from_f64(middle).0, bits + (bits & 1), "{bits:04x}");
            assert_eq!(Float16::from_f64(middle.next_down()).0, bits);
            assert_eq!(Float16::from_f64(-middle.next_up()).0, (bits + 1) | 0x8000);
        }
        assert_eq!(Float16::from_f64(65520f64.next_down()).0, 0x7BFF);
        assert_eq!(Float16::from_f64(65520.0).0, 0x7C00);
        assert_eq!(Float16::from_f64(f64::MIN).0, 0xFC00);
        assert_eq!(Float16::from_f64(f64::MIN_POSITIVE).0, 0);
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
