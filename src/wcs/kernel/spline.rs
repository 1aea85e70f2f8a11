//! B-splines: of one variable as `spline1d` stores them, and the interpolating bicubic spline of a table.
//!
//! Evaluation is de Boor's recurrence for the functions that are not zero in an interval (C. de Boor, A Practical Guide
//! to Splines, 1978, chapter X).

use super::{Inputs, Kernel, OutOfDomain, Point};
use crate::error::Result;
use crate::reserve;

/// Highest degree.
pub(in crate::wcs) const MAX_DEGREE: usize = 5;

/// Knots and degree of B-splines.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Knots {
    /// In ascending order, at least 2·degree + 2.
    pub(in crate::wcs) knots: Vec<f64>,
    pub(in crate::wcs) degree: usize,
}

impl Knots {
    /// Returns the number of functions.
    pub(in crate::wcs) fn count(&self) -> usize {
        self.knots.len() - self.degree - 1
    }

    /// Returns the index of the first function that is not zero at a point, and the values of it and its followers.
    /// Outside of the knots the polynomials of the end intervals go on.
    fn at(&self, x: f64) -> (usize, [f64; MAX_DEGREE + 1]) {
        let degree = self.degree;
        let after = self.knots.partition_point(|knot| *knot <= x);
        let mut span = after.saturating_sub(1).clamp(degree, self.count() - 1);
        // An interval of length zero at the end has no polynomial.
        while span > degree && self.knots[span] == self.knots[span + 1] {
            span -= 1;
        }
        let mut values = [0.0; MAX_DEGREE + 1];
        values[0] = 1.0;
        for level in 1..=degree {
            let mut saved = 0.0;
            for index in 0..level {
                let right = self.knots[span + index + 1];
                let left = self.knots[span + 1 + index - level];
                let share = values[index] / (right - left);
                values[index] = saved + (right - x) * share;
                saved = (x - left) * share;
            }
            values[level] = saved;
        }
        (span - degree, values)
    }
}

/// Spline of one variable.
#[derive(Debug)]
pub(in crate::wcs) struct Spline {
    pub(in crate::wcs) knots: Knots,
    /// At least one for each function.
    pub(in crate::wcs) coefficients: Vec<f64>,
}

impl Point<1, 1> for Spline {
    fn at(&self, [x]: [f64; 1]) -> [f64; 1] {
        if x.is_nan() {
            return [f64::NAN];
        }
        let (first, values) = self.knots.at(x);
        let used = self.coefficients[first..].iter().zip(&values[..=self.knots.degree]);
        [used.map(|(coefficient, value)| coefficient * value).sum()]
    }
}

/// Bicubic spline through the nodes of a table, with not-a-knot ends.
#[derive(Debug)]
pub(in crate::wcs) struct Bicubic {
    knots: [Knots; 2],
    coefficients: Vec<f64>,
    /// First and last point along each axis.
    limits: [[f64; 2]; 2],
    /// Value outside.
    fill: f64,
    bounds_error: bool,
}

impl Bicubic {
    /// Takes ascending points, at least four along each axis.
    pub(in crate::wcs) fn new(points: [&[f64]; 2], table: &[f64], fill: f64, bounds_error: bool) -> Result<Bicubic> {
        let knots = [not_a_knot(points[0])?, not_a_knot(points[1])?];
        // Along each row, then along each column of the result.
        let by_column = solved_transposed(&knots[1], points[1], table)?;
        let coefficients = solved_transposed(&knots[0], points[0], &by_column)?;
        let limits = points.map(|points| [points[0], points[points.len() - 1]]);
        Ok(Bicubic { knots, coefficients, limits, fill, bounds_error })
    }

    fn value(&self, point: [f64; 2]) -> f64 {
        let [(row, across), (column, along)] = [self.knots[0].at(point[0]), self.knots[1].at(point[1])];
        let columns = self.knots[1].count();
        let line = |index: usize| -> f64 {
            let start = (row + index) * columns + column;
            self.coefficients[start..start + 4].iter().zip(&along).map(|(coefficient, value)| coefficient * value).sum()
        };
        (0..4).map(|index| line(index) * across[index]).sum()
    }
}

impl Kernel for Bicubic {
    fn arity(&self) -> (usize, usize) {
        (2, 1)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> std::result::Result<(), OutOfDomain> {
        let [output] = outputs else { return Ok(()) };
        let (x, y) = (inputs.get(0), inputs.get(1));
        for point in 0..inputs.count {
            let here = [x[point], y[point]];
            let outside = here.iter().zip(&self.limits).any(|(value, [low, high])| value < low || value > high);
            if outside && self.bounds_error {
                return Err(OutOfDomain { point });
            }
            let is_nan = here.iter().any(|value| value.is_nan());
            output[point] = if is_nan {
                f64::NAN
            } else if outside {
                self.fill
            } else {
                self.value(here)
            };
        }
        Ok(())
    }

    fn default_box(&self) -> Option<Vec<[f64; 2]>> {
        Some(self.limits.to_vec())
    }
}

/// Returns the knots of the interpolating cubic spline: all points but the second and the last but one.
fn not_a_knot(points: &[f64]) -> Result<Knots> {
    let (first, last) = (points[0], points[points.len() - 1]);
    let mut knots = reserve::list_for(points.len() + 4)?;
    knots.extend([first; 4]);
    knots.extend_from_slice(&points[2..points.len() - 2]);
    knots.extend([last; 4]);
    Ok(Knots { knots, degree: 3 })
}

/// Replaces each row of a table, values at the points, by the coefficients of the spline through them. The result is
/// transposed.
fn solved_transposed(knots: &Knots, points: &[f64], table: &[f64]) -> Result<Vec<f64>> {
    let rows = table.len() / points.len();
    let mut out = reserve::list_for(table.len())?;
    out.resize(table.len(), 0.0);
    let mut solution = reserve::list_for(points.len())?;
    let mut matrix = reserve::list_for(points.len())?;
    for (row, values) in table.chunks_exact(points.len()).enumerate() {
        solution.clear();
        solution.extend_from_slice(values);
        solve(knots, points, &mut matrix, &mut solution);
        for (column, value) in solution.iter().enumerate() {
            out[column * rows + row] = *value;
        }
    }
    Ok(out)
}

/// Number of diagonals of the matrix of a cubic spline on each side of the main one.
const SIDE: usize = 3;

/// Turns values at points into the coefficients of the spline through them. The matrix is totally positive, so that no
/// pivots are needed. `rows` is memory for it.
fn solve(knots: &Knots, points: &[f64], rows: &mut Vec<[f64; 2 * SIDE + 1]>, solution: &mut [f64]) {
    let count = points.len();
    rows.clear();
    rows.resize(count, [0.0; 2 * SIDE + 1]);
    for (row, point) in points.iter().enumerate() {
        let (first, basis) = knots.at(*point);
        for (index, value) in basis[..4].iter().enumerate() {
            if let Some(place) = (first + index + SIDE).checked_sub(row).filter(|place| *place <= 2 * SIDE) {
                rows[row][place] = *value;
            }
        }
    }
    for pivot in 0..count {
        for below in pivot + 1..count.min(pivot + SIDE + 1) {
            let factor = rows[below][SIDE + pivot - below] / rows[pivot][SIDE];
            for column in pivot..count.min(pivot + SIDE + 1) {
                rows[below][SIDE + column - below] -= factor * rows[pivot][SIDE + column - pivot];
            }
            solution[below] -= factor * solution[pivot];
        }
    }
    for row in (0..count).rev() {
        for column in row + 1..count.min(row + SIDE + 1) {
            solution[row] -= rows[row][SIDE + column - row] * solution[column];
        }
        solution[row] /= rows[row][SIDE];
    }
}
