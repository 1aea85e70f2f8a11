//! Power series of two variables up to a total degree, with their derivatives.

/// Σ c(i, j) uⁱ vʲ for i + j ≤ degree.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Series2d {
    degree: usize,
    /// Coefficients by power of u, and then by power of v.
    coefficients: Vec<f64>,
}

impl Series2d {
    /// Makes a series whose coefficients are all zero.
    pub(super) fn zero(degree: usize) -> Series2d {
        Series2d { degree, coefficients: vec![0.0; (degree + 1) * (degree + 1)] }
    }

    /// Returns the largest total degree.
    pub(super) fn degree(&self) -> usize {
        self.degree
    }

    /// Returns the coefficient of uⁱ vʲ.
    pub(super) fn get(&self, i: usize, j: usize) -> f64 {
        if i + j > self.degree { 0.0 } else { self.coefficients[i * (self.degree + 1) + j] }
    }

    /// Sets the coefficient of uⁱ vʲ, whose total degree is at most that of the series.
    pub(super) fn set(&mut self, i: usize, j: usize, value: f64) {
        if i + j <= self.degree {
            self.coefficients[i * (self.degree + 1) + j] = value;
        }
    }

    /// Returns the exponents of all terms: those of the first power of u last.
    pub(super) fn terms(degree: usize) -> impl Iterator<Item = (usize, usize)> {
        (0..=degree).flat_map(move |i| (0..=degree - i).map(move |j| (i, j)))
    }

    /// Returns the value at a point.
    pub(super) fn value(&self, u: f64, v: f64) -> f64 {
        let mut sum = 0.0;
        for i in (0..=self.degree).rev() {
            let row = &self.coefficients[i * (self.degree + 1)..][..=self.degree - i];
            sum = sum * u + row.iter().rev().fold(0.0, |inner, coefficient| inner * v + coefficient);
        }
        sum
    }

    /// Returns the value at a point, and the derivatives by u and v.
    pub(super) fn with_derivatives(&self, u: f64, v: f64) -> (f64, f64, f64) {
        let (mut sum, mut by_u, mut by_v) = (0.0, 0.0, 0.0);
        for i in (0..=self.degree).rev() {
            let row = &self.coefficients[i * (self.degree + 1)..][..=self.degree - i];
            let (mut inner, mut slope) = (0.0, 0.0);
            for coefficient in row.iter().rev() {
                slope = slope * v + inner;
                inner = inner * v + coefficient;
            }
            by_u = by_u * u + sum;
            sum = sum * u + inner;
            by_v = by_v * u + slope;
        }
        (sum, by_u, by_v)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_derivatives_are_those_of_the_terms() {
        let mut series = Series2d::zero(3);
        let terms = [(0, 0, 0.5), (1, 0, -2.0), (0, 2, 3.0), (2, 1, 4.0), (0, 3, -1.0)];
        for (i, j, coefficient) in terms {
            series.set(i, j, coefficient);
        }
        let (u, v) = (1.5f64, -0.75f64);
        let expected = 0.5 - 2.0 * u + 3.0 * v * v + 4.0 * u * u * v - v * v * v;
        let (value, by_u, by_v) = series.with_derivatives(u, v);
        assert!((series.value(u, v) - expected).abs() < 1e-14);
        assert!((value - expected).abs() < 1e-14);
        assert!((by_u - (-2.0 + 8.0 * u * v)).abs() < 1e-14);
        assert!((by_v - (6.0 * v + 4.0 * u * u - 3.0 * v * v)).abs() < 1e-14);
        assert_eq!(Series2d::terms(2).count(), 6);
    }
}
