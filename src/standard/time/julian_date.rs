//! Julian dates as sums of two doubles, with arithmetic that loses no bit where the result can hold it.

use super::calendar::DAYS;
use crate::error::{Error, Result, Status};

/// Julian date of the beginning of Modified Julian Day 0.
pub(super) const MJD_ZERO: f64 = 2_400_000.5;

/// A Julian date, or a number of days, as the sum of two doubles. The first is a whole number, the second is between
/// -0.5 and 0.5, as in astropy. Their sum is exact to about 10 picoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JulianDate {
    jd1: f64,
    jd2: f64,
}

impl JulianDate {
    /// Returns the sum of two doubles in the form of the type.
    ///
    /// Fails with [`Status::OutOfRange`] if one of them is not finite, or the sum is larger than 1e15.
    pub fn new(jd1: f64, jd2: f64) -> Result<JulianDate> {
        if (jd1 + jd2).abs() <= 1e15 {
            return Ok(JulianDate::of_sum(two_sum(jd1, jd2)));
        }
        Err(Error::new(Status::OutOfRange, format!("{jd1} + {jd2} is not a Julian date")))
    }

    /// Returns the whole number of days.
    pub fn jd1(self) -> f64 {
        self.jd1
    }

    /// Returns the rest of a day, between -0.5 and 0.5.
    pub fn jd2(self) -> f64 {
        self.jd2
    }

    /// Returns the beginning of a Modified Julian Day, and a fraction of a day after it.
    pub(super) fn of_day(day: i64, fraction: f64) -> JulianDate {
        JulianDate::of_sum(two_sum(day as f64 + MJD_ZERO, fraction))
    }

    /// Returns the Modified Julian Day and the fraction of it, which is less than 1.
    ///
    /// Fails with [`Status::OutOfRange`] if the day has no date.
    pub(super) fn split(self) -> Result<(i64, f64)> {
        let day = self.jd1 - (MJD_ZERO + 0.5);
        if !(*DAYS.start() as f64..*DAYS.end() as f64).contains(&day) {
            return Err(Error::new(Status::OutOfRange, format!("the Julian date {} has no calendar date", self.jd1)));
        }
        let fraction = self.jd2 + 0.5;
        Ok(if fraction < 1.0 { (day as i64, fraction) } else { (day as i64 + 1, fraction - 1.0) })
    }

    pub(in crate::standard) fn plus(self, other: JulianDate) -> JulianDate {
        let (sum, error) = two_sum(self.jd2, other.jd2);
        let (whole, rest) = two_sum(self.jd1 + other.jd1, sum);
        JulianDate::of_sum(two_sum(whole, rest + error))
    }

    pub(in crate::standard) fn minus(self, other: JulianDate) -> JulianDate {
        self.plus(JulianDate { jd1: -other.jd1, jd2: -other.jd2 })
    }

    /// Returns the sum of both doubles.
    pub(super) fn days(self) -> f64 {
        self.jd1 + self.jd2
    }

    /// Returns the product with a number.
    pub(super) fn times(self, factor: f64) -> JulianDate {
        let (product, error) = two_product(self.jd1, factor);
        let (sum, rest) = two_sum(product, self.jd2 * factor);
        JulianDate::of_sum(two_sum(sum, rest + error))
    }

    /// Returns the quotient of the sum of two doubles by a number.
    pub(in crate::standard) fn quotient(first: f64, second: f64, divisor: f64) -> JulianDate {
        let (sum, error) = two_sum(first, second);
        let quotient = sum / divisor;
        let (product, product_error) = two_product(quotient, divisor);
        let (rest, rest_error) = two_sum(sum, -product);
        let correction = (rest + (rest_error + error - product_error)) / divisor;
        JulianDate::of_sum(two_sum(quotient, correction))
    }

    /// Divides a sum and its rounding error into a whole number and a rest.
    fn of_sum((sum, error): (f64, f64)) -> JulianDate {
        let mut whole = sum.round_ties_even();
        let (rest, rest_error) = two_sum(sum - whole, error);
        // The rounding error decides for a rest of exactly one half.
        let is_half = rest.abs() == 0.5 && rest_error != 0.0 && rest.signum() == rest_error.signum();
        whole += if is_half { (rest + 2.0 * rest_error).round_ties_even() } else { rest.round_ties_even() };
        JulianDate { jd1: whole, jd2: (sum - whole) + error }
    }
}

/// Returns a sum and its rounding error (Knuth).
fn two_sum(first: f64, second: f64) -> (f64, f64) {
    let sum = first + second;
    let second_part = sum - first;
    let first_part = sum - second_part;
    (sum, (first - first_part) + (second - second_part))
}

/// Returns a product and its rounding error.
fn two_product(first: f64, second: f64) -> (f64, f64) {
    let product = first * second;
    (product, first.mul_add(second, -product))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(jd1: f64, jd2: f64) -> JulianDate {
        JulianDate::new(jd1, jd2).unwrap()
    }

    #[test]
    fn sums_are_normalised_without_loss() {
        for (jd1, jd2, whole, rest) in [
            (2_451_544.5, 0.0, 2_451_544.0, 0.5),
            (2_451_545.5, 0.0, 2_451_546.0, -0.5),
            (2_451_545.0, 0.75, 2_451_546.0, -0.25),
            (0.25, 2_451_545.0, 2_451_545.0, 0.25),
            (2_451_544.5, 1e-16, 2_451_545.0, -0.5 + 1e-16),
            (2_451_545.5, -1e-16, 2_451_545.0, 0.5 - 1e-16),
            (1e15, -1e15, 0.0, 0.0),
        ] {
            let sum = date(jd1, jd2);
            assert_eq!((sum.jd1(), sum.jd2()), (whole, rest), "{jd1} {jd2}");
        }
        for (jd1, jd2) in [(f64::NAN, 0.0), (0.0, f64::INFINITY), (1e16, 0.0)] {
            assert_eq!(JulianDate::new(jd1, jd2).unwrap_err().status(), Status::OutOfRange);
        }
    }

    #[test]
    fn arithmetic_keeps_picoseconds() {
        let third = JulianDate::quotient(1.0, 0.0, 3.0);
        let sum = date(2_451_545.0, 0.0).plus(third);
        assert_eq!((sum.jd1(), sum.jd2()), (2_451_545.0, 1.0 / 3.0));
        assert_eq!(sum.minus(third), date(2_451_545.0, 0.0));
        assert_eq!(third.times(3.0).days(), 1.0);
        let rest = JulianDate::quotient(1e9, 1e-7, 86_400.0).times(86_400.0).minus(date(1e9, 0.0));
        assert!((rest.days() - 1e-7).abs() < 1e-11);
    }

    #[test]
    fn days_begin_at_midnight() {
        assert_eq!(date(2_400_000.5, 0.0).split().unwrap(), (0, 0.0));
        assert_eq!(date(2_400_001.0, -0.25).split().unwrap(), (0, 0.25));
        assert_eq!(date(2_400_000.0, 0.5).split().unwrap(), (0, 0.0));
        assert_eq!(JulianDate::of_day(-3, 0.75).split().unwrap(), (-3, 0.75));
        assert_eq!(date(1e12, 0.0).split().unwrap_err().status(), Status::OutOfRange);
    }
}
