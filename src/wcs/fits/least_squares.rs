//! Polynomials of two variables that fit points by least squares.

use super::series::Series2d;
use crate::error::Result;
use crate::reserve;
use crate::wcs::kernel::matrix::least_squares;

/// Map of two variables to the square from -1 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Square {
    pub(super) domain: [[f64; 2]; 2],
}

impl Square {
    /// Returns the square around points; `None` without two different values along each axis.
    pub(super) fn around(points: &[[f64; 2]]) -> Option<Square> {
        let ends = |axis: usize| {
            let extend = |[low, high]: [f64; 2], point: &[f64; 2]| [low.min(point[axis]), high.max(point[axis])];
            points.iter().fold([f64::INFINITY, f64::NEG_INFINITY], extend)
        };
        let domain = [ends(0), ends(1)];
        domain.iter().all(|[low, high]| low < high && (high - low).is_finite()).then_some(Square { domain })
    }

    /// Returns a point of the square.
    pub(super) fn to(self, point: [f64; 2]) -> [f64; 2] {
        std::array::from_fn(|axis| {
            let [low, high] = self.domain[axis];
            (2.0 * point[axis] - low - high) / (high - low)
        })
    }
}

/// Fits series of these terms to values at points of the square, for several columns of values. There are more points
/// than terms.
///
/// The functions of the fit are products of Chebyshev polynomials if all terms up to the degree are wanted, otherwise
/// powers. Returns `None` if the points do not determine the series.
pub(super) fn fit<const N: usize>(
    degree: usize,
    terms: &[(usize, usize)],
    points: &[[f64; 2]],
    values: [&[f64]; N],
) -> Option<[Series2d; N]> {
    let is_complete = terms.len() == (degree + 1) * (degree + 2) / 2;
    let mut columns: Vec<Vec<f64>> = vec![Vec::with_capacity(points.len()); terms.len()];
    for [x, y] in points {
        let (along_x, along_y) = (functions(degree, *x, is_complete), functions(degree, *y, is_complete));
        for (column, (i, j)) in columns.iter_mut().zip(terms) {
            column.push(along_x[*i] * along_y[*j]);
        }
    }
    let solutions = least_squares(columns, values.map(<[f64]>::to_vec).into())?;
    let mut fitted = std::array::from_fn(|_| Series2d::zero(degree));
    for (series, solution) in fitted.iter_mut().zip(solutions) {
        for (coefficient, (i, j)) in solution.iter().zip(terms) {
            series.set(*i, *j, *coefficient);
        }
        if is_complete {
            *series = powers(series);
        }
    }
    Some(fitted)
}

/// Returns the powers of a number, or the Chebyshev polynomials.
fn functions(degree: usize, x: f64, is_chebyshev: bool) -> Vec<f64> {
    let mut values = vec![1.0, x];
    for k in 2..=degree {
        values.push(if is_chebyshev { 2.0 * x * values[k - 1] - values[k - 2] } else { x * values[k - 1] });
    }
    values
}

/// Returns the power series of a series of Chebyshev polynomials.
fn powers(series: &Series2d) -> Series2d {
    let degree = series.degree();
    // Coefficients of the powers in each Chebyshev polynomial.
    let mut table: Vec<Vec<f64>> = vec![vec![1.0], vec![0.0, 1.0]];
    for k in 2..=degree {
        let mut next = vec![0.0; k + 1];
        table[k - 1].iter().enumerate().for_each(|(power, value)| next[power + 1] += 2.0 * value);
        table[k - 2].iter().enumerate().for_each(|(power, value)| next[power] -= value);
        table.push(next);
    }
    let mut result = Series2d::zero(degree);
    for (i, j) in Series2d::terms(degree) {
        let coefficient = series.get(i, j);
        for (p, along_x) in table[i].iter().enumerate() {
            for (q, along_y) in table[j].iter().enumerate() {
                result.set(p, q, result.get(p, q) + coefficient * along_x * along_y);
            }
        }
    }
    result
}

/// Returns the points of a grid between two corners, which are dense near the edges: those of the extremes of a
/// Chebyshev polynomial.
pub(super) fn grid(low: [f64; 2], high: [f64; 2], count: usize) -> Result<Vec<[f64; 2]>> {
    let along = |axis: usize, index: usize| {
        let cosine = (std::f64::consts::PI * index as f64 / (count - 1).max(1) as f64).cos();
        (low[axis] + high[axis]) / 2.0 - (high[axis] - low[axis]) / 2.0 * cosine
    };
    let mut points = reserve::list_for(count * count)?;
    for row in 0..count {
        for column in 0..count {
            points.push([along(0, column), along(1, row)]);
        }
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polynomial_is_found_from_its_values() {
        let mut series = Series2d::zero(5);
        for (number, (i, j)) in Series2d::terms(5).enumerate() {
            series.set(i, j, (number as f64 * 0.7).sin());
        }
        let points = grid([-1.0, -1.0], [1.0, 1.0], 9).unwrap();
        let values: Vec<f64> = points.iter().map(|[x, y]| series.value(*x, *y)).collect();
        let all: Vec<(usize, usize)> = Series2d::terms(5).collect();
        let [fitted] = fit(5, &all, &points, [&values]).unwrap();
        for (i, j) in &all {
            assert!((fitted.get(*i, *j) - series.get(*i, *j)).abs() < 1e-13);
        }
        // With some of the terms only, and values that have no others.
        series.set(0, 0, 0.0);
        let values: Vec<f64> = points.iter().map(|[x, y]| series.value(*x, *y)).collect();
        let [fitted] = fit(5, &all[1..], &points, [&values]).unwrap();
        assert!((fitted.get(2, 3) - series.get(2, 3)).abs() < 1e-12);
        assert_eq!(fitted.get(0, 0), 0.0);
        // Points on a line determine no polynomial of two variables.
        let line: Vec<[f64; 2]> = points.iter().map(|[x, _]| [*x, *x]).collect();
        assert_eq!(fit(5, &all, &line, [&values]), None);
    }
}
