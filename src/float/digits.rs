//! The decimal digits of a number, written with or without an exponent.

use super::notation::TextOutput;

/// More digits than any shortest representation has.
const MAX_DIGITS: usize = 24;
const ZEROS: &str = "0000000000000000";

/// Digits without leading and trailing zeros; the decimal point follows the first one. Zero has no digits.
pub(super) struct Digits {
    bytes: [u8; MAX_DIGITS],
    count: usize,
    /// Power of ten by which the digits are multiplied.
    exponent: i32,
}

impl Digits {
    /// Parses the digits of a number without sign and blanks, with or without an exponent.
    pub(super) fn of(text: &str) -> Digits {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let mut digits = Digits {
            bytes: [b'0'; MAX_DIGITS],
            count: 0,
            exponent: exponent.parse().unwrap_or(0) + whole.len() as i32 - 1,
        };
        let mut last = 0;
        for byte in whole.bytes().chain(fraction.bytes()) {
            if digits.count == 0 && byte == b'0' {
                digits.exponent -= 1;
            } else if let Some(place) = digits.bytes.get_mut(digits.count) {
                *place = byte;
                digits.count += 1;
                if byte != b'0' {
                    last = digits.count;
                }
            }
        }
        digits.count = last;
        if digits.count == 0 {
            digits.exponent = 0;
        }
        digits
    }

    /// Writes the digits from place `from` to place `to`. Missing digits are zeros.
    fn write(&self, out: &mut impl TextOutput, from: usize, to: usize) {
        let end = to.min(self.count);
        let there = self.bytes.get(from..end).unwrap_or_default();
        out.push(std::str::from_utf8(there).unwrap_or_default());
        write_zeros(out, to - from - there.len());
    }

    /// Writes a number such as `123.45` or `0.0012345`. Returns true for a whole number, which is written without a
    /// point.
    pub(super) fn write_positional(&self, out: &mut impl TextOutput) -> bool {
        let Ok(exponent) = usize::try_from(self.exponent) else {
            out.push("0.");
            write_zeros(out, self.exponent.unsigned_abs() as usize - 1);
            self.write(out, 0, self.count);
            return false;
        };
        self.write(out, 0, exponent + 1);
        let is_whole = self.count <= exponent + 1;
        if !is_whole {
            out.push(".");
            self.write(out, exponent + 1, self.count);
        }
        is_whole
    }

    /// Writes a number such as `1.2345e+67`. The exponent has at least `exponent_digits` digits.
    pub(super) fn write_scientific(&self, out: &mut impl TextOutput, has_point: bool, exponent_digits: usize) {
        self.write(out, 0, 1);
        if self.count > 1 {
            out.push(".");
            self.write(out, 1, self.count);
        } else if has_point {
            out.push(".0");
        }
        out.push(if self.exponent < 0 { "e-" } else { "e+" });
        let mut buffer = itoa::Buffer::new();
        let exponent = buffer.format(self.exponent.unsigned_abs());
        write_zeros(out, exponent_digits.saturating_sub(exponent.len()));
        out.push(exponent);
    }
}

fn write_zeros(out: &mut impl TextOutput, count: usize) {
    out.push(ZEROS.get(..count).unwrap_or(ZEROS));
}
