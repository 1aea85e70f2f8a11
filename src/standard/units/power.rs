//! Powers of units: small rational numbers, or floats that are none.

use std::cmp::Ordering;

use crate::float::{Convergents, Notation};

/// Largest denominator of a float that counts as a rational number.
const MAX_DENOMINATOR: i128 = 100;

/// Power of a unit in a product.
///
/// A rational power is exact. A float that is not near a rational number with a small denominator stays a float.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Power {
    /// Numerator and denominator without a common factor. The denominator is positive.
    Ratio(i64, i64),
    Float(f64),
}

impl Power {
    pub(super) const ONE: Power = Power::Ratio(1, 1);

    pub(super) fn integer(value: i64) -> Power {
        Power::Ratio(value, 1)
    }

    /// Returns a fraction; `None` if the denominator is zero or a part is too large.
    pub(super) fn ratio(numerator: i128, denominator: i128) -> Option<Power> {
        if denominator == 0 {
            return None;
        }
        let divisor = gcd(numerator, denominator);
        let sign = if denominator < 0 { -1 } else { 1 };
        let (numerator, denominator) = (sign * numerator / divisor, sign * denominator / divisor);
        if denominator > MAX_DENOMINATOR && denominator & (denominator - 1) == 0 {
            // A float represents such a fraction exactly.
            return Some(Power::Float(numerator as f64 / denominator as f64));
        }
        Some(Power::Ratio(numerator.try_into().ok()?, denominator.try_into().ok()?))
    }

    /// Returns the power that a float stands for; `None` if the float is too large.
    pub(super) fn float(value: f64) -> Option<Power> {
        if !value.is_finite() || value.abs() >= (1_u64 << 53) as f64 {
            return None;
        }
        match simple_fraction(value) {
            Some((numerator, denominator)) => Power::ratio(numerator, denominator),
            None => Some(Power::Float(value)),
        }
    }

    pub(super) fn value(self) -> f64 {
        match self {
            Power::Ratio(numerator, denominator) => numerator as f64 / denominator as f64,
            Power::Float(value) => value,
        }
    }

    pub(super) fn is_zero(self) -> bool {
        self.value() == 0.0
    }

    pub(super) fn is_negative(self) -> bool {
        self.value() < 0.0
    }

    pub(super) fn as_integer(self) -> Option<i64> {
        match self {
            Power::Ratio(value, 1) => Some(value),
            _ => None,
        }
    }

    #[must_use]
    pub(super) fn negated(self) -> Power {
        match self {
            Power::Ratio(numerator, denominator) => Power::Ratio(numerator.saturating_neg(), denominator),
            Power::Float(value) => Power::Float(-value),
        }
    }

    pub(super) fn plus(self, other: Power) -> Option<Power> {
        match (self, other) {
            (Power::Ratio(a, b), Power::Ratio(c, d)) => {
                let (a, b, c, d) = (i128::from(a), i128::from(b), i128::from(c), i128::from(d));
                Power::ratio(a.checked_mul(d)?.checked_add(c.checked_mul(b)?)?, b * d)
            }
            _ => Power::float(self.value() + other.value()),
        }
    }

    pub(super) fn times(self, other: Power) -> Option<Power> {
        match (self, other) {
            (Power::Ratio(a, b), Power::Ratio(c, d)) => {
                Power::ratio(i128::from(a) * i128::from(c), i128::from(b) * i128::from(d))
            }
            _ => Power::float(self.value() * other.value()),
        }
    }

    pub(super) fn compare(self, other: Power) -> Ordering {
        self.value().total_cmp(&other.value())
    }

    /// Returns `base` to this power.
    pub(super) fn of(self, base: f64) -> f64 {
        if self == Power::ONE { base } else { base.powf(self.value()) }
    }

    /// Returns the text of the power: `2`, `-3/2`, `0.123`.
    pub(super) fn text(self) -> String {
        match self {
            Power::Ratio(numerator, 1) => numerator.to_string(),
            Power::Ratio(numerator, denominator) => format!("{numerator}/{denominator}"),
            Power::Float(value) => {
                let mut out = String::new();
                Notation::PYTHON.write(&mut out, value);
                out
            }
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    let (mut a, mut b) = (a.abs(), b.abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

/// Returns the first convergent of the continued fraction of `value` that equals it but for a few rounding errors, if
/// its denominator is small.
fn simple_fraction(value: f64) -> Option<(i128, i128)> {
    if value == 0.0 {
        return Some((0, 1));
    }
    if value.abs() < 1.0 / (MAX_DENOMINATOR + 1) as f64 {
        return None;
    }
    let (size, sign) = (value.abs(), if value < 0.0 { -1 } else { 1 });
    Convergents::of(size)
        .take_while(|[_, denominator]| *denominator <= MAX_DENOMINATOR as f64)
        .find(|[numerator, denominator]| is_unity(numerator / (denominator * size)))
        .map(|[numerator, denominator]| (sign * numerator as i128, denominator as i128))
}

/// Returns whether a scale is 1 within a few rounding errors.
pub(super) fn is_unity(scale: f64) -> bool {
    (1.0 - 2.0 * f64::EPSILON..=1.0 + 4.0 * f64::EPSILON).contains(&scale)
}

#[cfg(test)]
mod tests {
    use super::Power;

    #[test]
    fn floats_near_fractions_are_fractions() {
        let text = |value| Power::float(value).unwrap().text();
        assert_eq!(text(1.5), "3/2");
        assert_eq!(text(-0.333_333_333_333_333_3), "-1/3");
        assert_eq!(text(2.0), "2");
        assert_eq!(text(0.123_456), "0.123456");
        assert_eq!(text(0.001), "0.001");
        assert_eq!(text(1.0 / 97.0), "1/97");
        assert_eq!(Power::ratio(3, 128).unwrap().text(), "0.0234375");
        assert_eq!(Power::ratio(4, -6).unwrap().text(), "-2/3");
        assert!(Power::float(1e300).is_none());
        assert!(Power::ratio(1, 0).is_none());
    }

    #[test]
    fn sums_and_products_are_exact() {
        let third = Power::ratio(1, 3).unwrap();
        assert_eq!(third.plus(third).and_then(|sum| sum.plus(third)), Some(Power::ONE));
        assert_eq!(third.times(Power::integer(6)), Some(Power::integer(2)));
        assert_eq!(Power::integer(i64::MAX).times(Power::integer(2)), None);
    }
}
