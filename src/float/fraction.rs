//! Fractions near a floating-point number.

/// Convergents of the continued fraction of a positive number: numerators and denominators, with ever larger
/// denominators. No other fraction with such a small denominator is as near to the number.
pub(crate) struct Convergents {
    rest: f64,
    before: [f64; 2],
    last: [f64; 2],
}

impl Convergents {
    pub(crate) fn of(number: f64) -> Convergents {
        Convergents { rest: number, before: [0.0, 1.0], last: [1.0, 0.0] }
    }
}

impl Iterator for Convergents {
    type Item = [f64; 2];

    fn next(&mut self) -> Option<[f64; 2]> {
        if !self.rest.is_finite() {
            return None;
        }
        let whole = self.rest.floor();
        let next = std::array::from_fn(|part| whole * self.last[part] + self.before[part]);
        (self.before, self.last) = (self.last, next);
        self.rest = 1.0 / (self.rest - whole);
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn convergents_approach_the_number() {
        let first: Vec<[f64; 2]> = Convergents::of(std::f64::consts::PI).take(4).collect();
        assert_eq!(first, [[3.0, 1.0], [22.0, 7.0], [333.0, 106.0], [355.0, 113.0]]);
        assert_eq!(Convergents::of(0.5).collect::<Vec<_>>(), [[0.0, 1.0], [1.0, 2.0]]);
        assert_eq!(Convergents::of(f64::NAN).count(), 0);
    }
}
