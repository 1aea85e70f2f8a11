//! Decimal numbers of any length, compared with binary floats without rounding.

use super::split_sign;

/// Maximum magnitude of an exponent that is kept. Numbers with larger ones are beyond every type all the same.
const MAX_EXPONENT: i64 = i64::MAX / 4;
/// Number of digits that always fit an integer of 128 bits.
const INTEGER_DIGITS: usize = 38;

/// Magnitude of a decimal number: 0.`digits` times ten to the power of `exponent`. There is no 0 at either end of the
/// digits, so that numbers are ordered as their fields are. Zero has no digits, and the least exponent.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Decimal {
    exponent: i64,
    digits: String,
}

impl Decimal {
    fn new(whole: &str, fraction: &str, exponent: i64) -> Decimal {
        let all = [whole, fraction].concat();
        let shown = all.trim_start_matches('0');
        let exponent = match shown.is_empty() {
            true => i64::MIN,
            false => exponent + whole.len() as i64 - (all.len() - shown.len()) as i64,
        };
        Decimal { exponent, digits: shown.trim_end_matches('0').to_owned() }
    }

    /// Returns the magnitude of a number that [`str::parse`] reads as a float; `None` for infinity and NaN.
    pub(crate) fn of_text(text: &str) -> Option<Decimal> {
        let (_, body) = split_sign(text);
        if !body.starts_with(['.', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9']) {
            return None;
        }
        let (mantissa, exponent) = body.split_once(['e', 'E']).unwrap_or((body, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let beyond = if exponent.starts_with('-') { -MAX_EXPONENT } else { MAX_EXPONENT };
        let exponent = exponent.parse().unwrap_or(beyond).clamp(-MAX_EXPONENT, MAX_EXPONENT);
        Some(Decimal::new(whole, fraction, exponent))
    }

    /// Returns the magnitude of a finite float, with all its digits.
    pub(super) fn of_float(float: f64) -> Decimal {
        let text = format!("{:.*}", binary_places(float), float.abs());
        let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
        Decimal::new(whole, fraction, 0)
    }

    /// Returns whether a finite float has this magnitude.
    pub(crate) fn equals(&self, float: f64) -> bool {
        let Some(places) = (self.digits.len() as i64).checked_sub(self.exponent) else { return float == 0.0 };
        // Each binary place after the point takes one decimal place. Most unequal numbers differ here already.
        places.max(0) == binary_places(float) as i64 && *self == Decimal::of_float(float)
    }

    /// Returns the number without its fraction, `i128::MAX` if it is too large, and whether nothing was lost.
    pub(crate) fn to_integer(&self) -> (i128, bool) {
        match usize::try_from(self.exponent) {
            Err(_) => (0, self.digits.is_empty()),
            Ok(length @ 0..=INTEGER_DIGITS) => {
                let whole = format!("{:0<length$.length$}", self.digits);
                (whole.parse().unwrap_or(0), self.digits.len() <= length)
            }
            Ok(_) => (i128::MAX, false),
        }
    }
}

/// Returns the number of binary places after the point of a finite float.
fn binary_places(float: f64) -> usize {
    let bits = float.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as usize;
    let mantissa = bits & ((1 << 52) - 1) | u64::from(exponent > 0) << 52;
    if mantissa == 0 { 0 } else { 1075_usize.saturating_sub(exponent.max(1) + mantissa.trailing_zeros() as usize) }
}
