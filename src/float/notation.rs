//! Decimal text of floats, as in Python: the fewest digits that read back to the same bits. Numbers from 1e-4 up to
//! below 1e16 have no exponent; all others have one.
//!
//! All writers of the library use it. They choose the words for NaN and infinities, and the form of the decimal point.

use super::Float16;
use super::digits::Digits;
use crate::reserve::GrowingText;

/// When a number without a fraction gets the fraction `.0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DotZero {
    /// Never: `1`, `1e+16`.
    Never,
    /// Only without an exponent: `1.0`, `1e+16`.
    WithoutExponent,
    /// Always: `1.0`, `1.0e+16`.
    Always,
}

/// Notation of floats.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Notation {
    pub(crate) nan: &'static str,
    pub(crate) infinity: &'static str,
    pub(crate) negative_infinity: &'static str,
    pub(crate) dot_zero: DotZero,
    /// Minimum number of digits in an exponent. An exponent always has a sign.
    pub(crate) exponent_digits: usize,
}

impl Notation {
    /// The notation of Python's `repr`.
    pub(crate) const PYTHON: Notation = Notation {
        nan: "nan",
        infinity: "inf",
        negative_infinity: "-inf",
        dot_zero: DotZero::WithoutExponent,
        exponent_digits: 2,
    };

    /// A notation that readers of YAML 1.1 and 1.2 recognize as a float: it needs a point and a sign in the exponent.
    pub(crate) const YAML: Notation = Notation {
        nan: ".nan",
        infinity: ".inf",
        negative_infinity: "-.inf",
        dot_zero: DotZero::Always,
        exponent_digits: 2,
    };

    /// Appends a number.
    #[inline]
    pub(crate) fn write(&self, out: &mut impl TextOutput, number: impl Float) {
        if !number.is_finite() {
            return out.push(self.non_finite(number));
        }
        let mut buffer = zmij::Buffer::new();
        let text = number.shortest(&mut buffer);
        match (split_exponent(text), number.is_positional()) {
            (None, true) if self.dot_zero == DotZero::Never => out.push(text.strip_suffix(".0").unwrap_or(text)),
            (None, true) => out.push(text),
            (Some((mantissa, exponent)), false) => self.write_scientific(out, mantissa, exponent),
            (_, is_positional) => self.write_in_other_form(out, text, is_positional),
        }
    }

    /// Writes a mantissa unchanged and an exponent in this notation.
    fn write_scientific(&self, out: &mut impl TextOutput, mantissa: &str, exponent: &str) {
        out.push(mantissa);
        if self.dot_zero == DotZero::Always && !mantissa.contains('.') {
            out.push(".0");
        }
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        out.push(if exponent.starts_with('-') { "e-" } else { "e+" });
        // `exponent_digits` is at most 2, and the exponent has at least one digit.
        if digits.len() < self.exponent_digits {
            out.push("0");
        }
        out.push(digits);
    }

    /// Writes the digits of `text` in the other form: with an exponent or without.
    fn write_in_other_form(&self, out: &mut impl TextOutput, text: &str, is_positional: bool) {
        let magnitude = text.strip_prefix('-').unwrap_or(text);
        if magnitude.len() < text.len() {
            out.push("-");
        }
        let digits = Digits::of(magnitude);
        if !is_positional {
            return digits.write_scientific(out, self.dot_zero == DotZero::Always, self.exponent_digits);
        }
        if digits.write_positional(out) && self.dot_zero != DotZero::Never {
            out.push(".0");
        }
    }

    /// Returns the word for a number that is not finite.
    pub(crate) fn non_finite(&self, number: impl Float) -> &'static str {
        if number.is_nan() {
            self.nan
        } else if number.is_negative() {
            self.negative_infinity
        } else {
            self.infinity
        }
    }

    /// Appends a number with its sign, for the imaginary part of a complex number.
    pub(crate) fn write_signed(&self, out: &mut impl TextOutput, number: impl Float) {
        if number.is_nan() || !number.is_negative() {
            out.push("+");
        }
        self.write(out, number);
    }
}

/// Splits a text into mantissa and exponent. An exponent has at most three digits and a sign.
#[inline]
fn split_exponent(text: &str) -> Option<(&str, &str)> {
    if let Some(last) = text.as_bytes().last_chunk::<8>() {
        // A byte of the differences is zero where the text has an `e`.
        let differences = u64::from_le_bytes(*last) ^ u64::from_le_bytes([b'e'; 8]);
        let zeros = differences.wrapping_sub(u64::from_le_bytes([1; 8])) & !differences;
        if zeros & u64::from_le_bytes([0x80; 8]) == 0 {
            return None;
        }
    }
    let from_end = text.bytes().rev().take("e-324".len()).position(|byte| byte == b'e')?;
    Some((text.get(..text.len() - from_end - 1)?, text.get(text.len() - from_end..)?))
}

/// A floating-point type.
pub(crate) trait Float: Copy {
    fn is_finite(self) -> bool;
    fn is_nan(self) -> bool;
    /// Returns whether the sign bit is set, also for zero and NaN.
    fn is_negative(self) -> bool;
    /// Returns whether a finite number is written without an exponent. The bounds are numbers of the same type, so that
    /// the result depends on the shortest digits: the binary32 number written as `0.0001` is less than 1e-4.
    fn is_positional(self) -> bool;
    /// Returns the fewest digits that identify a finite number among those of its type, and of these the digits nearest
    /// to it. The text may have an exponent; then it has one digit before the point, and no `.0` after it. Readers that
    /// convert to binary64 first, as Python does, get the same number.
    fn shortest(self, buffer: &mut zmij::Buffer) -> &str;
}

macro_rules! float {
    ($float:ty, $shortest:item) => {
        impl Float for $float {
            #[inline]
            fn is_finite(self) -> bool {
                self.is_finite()
            }

            #[inline]
            fn is_nan(self) -> bool {
                self.is_nan()
            }

            #[inline]
            fn is_negative(self) -> bool {
                self.is_sign_negative()
            }

            #[inline]
            fn is_positional(self) -> bool {
                let magnitude = self.abs();
                magnitude == 0.0 || (1e-4..1e16).contains(&magnitude)
            }

            $shortest
        }
    };
}

float!(
    f64,
    #[inline]
    fn shortest(self, buffer: &mut zmij::Buffer) -> &str {
        buffer.format_finite(self)
    }
);

/// The only binary32 number whose shortest digits, `7.038531e-26`, give a neighbouring number after a conversion by way
/// of binary64.
const ROUNDED_TWICE: u32 = 0x15AE_43FD;

float!(
    f32,
    #[inline]
    fn shortest(self, buffer: &mut zmij::Buffer) -> &str {
        if self.to_bits() << 1 == ROUNDED_TWICE << 1 {
            return if self.is_sign_negative() { "-7.0385307e-26" } else { "7.0385307e-26" };
        }
        buffer.format_finite(self)
    }
);

impl Float for Float16 {
    fn is_finite(self) -> bool {
        self.0 & 0x7C00 != 0x7C00
    }

    fn is_nan(self) -> bool {
        self.0 & 0x7FFF > 0x7C00
    }

    fn is_negative(self) -> bool {
        self.0 & 0x8000 != 0
    }

    fn is_positional(self) -> bool {
        let magnitude = self.0 & 0x7FFF;
        magnitude == 0 || magnitude >= Float16::from_f64(1e-4).0
    }

    fn shortest(self, buffer: &mut zmij::Buffer) -> &str {
        let wide = f64::from(self.to_f32());
        // Five digits distinguish any two binary16 numbers.
        let roundings = (0..5).filter_map(|digits| format!("{wide:.digits$e}").parse::<f64>().ok());
        let short = roundings.into_iter().find(|&short| Float16::from_f64(short) == self).unwrap_or(wide);
        buffer.format_finite(short)
    }
}

/// Output for text.
pub(crate) trait TextOutput {
    /// Appends text.
    fn push(&mut self, text: &str);
}

impl TextOutput for String {
    #[inline]
    fn push(&mut self, text: &str) {
        self.push_str(text);
    }
}

impl TextOutput for GrowingText {
    #[inline]
    fn push(&mut self, text: &str) {
        self.push_str(text);
    }
}

impl<T: TextOutput> TextOutput for &mut T {
    #[inline]
    fn push(&mut self, text: &str) {
        (**self).push(text);
    }
}

impl TextOutput for Vec<u8> {
    #[inline]
    fn push(&mut self, text: &str) {
        self.extend_from_slice(text.as_bytes());
    }
}
