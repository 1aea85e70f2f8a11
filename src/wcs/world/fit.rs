//! Polynomial that finds the approximate pixel of a point in world coordinates: a least-squares fit to known points.

use super::position::{MAX_AXES, Pixel};

/// Largest number of terms: four variables, degree 2.
const MAX_TERMS: usize = 15;

/// Coordinates of a point relative to the known points, each from about −1 to 1.
pub(super) type Features = [f64; MAX_AXES];

/// A polynomial for each pixel axis.
#[derive(Clone, Debug)]
pub(super) struct Fit {
    axes: usize,
    terms: usize,
    coefficients: [[f64; MAX_TERMS]; MAX_AXES],
}

impl Fit {
    /// Fits pixels to features. Returns `None` if the points do not determine the polynomials, or if a residual is above
    /// `tolerance` along an axis.
    pub(super) fn new(points: &[(Features, Pixel)], axes: usize, tolerance: &Pixel) -> Option<Fit> {
        let terms = terms(&[0.0; MAX_AXES], axes).1;
        let mut matrix = [[0.0; MAX_TERMS]; MAX_TERMS];
        let mut sides = [[0.0; MAX_AXES]; MAX_TERMS];
        for (features, pixel) in points {
            let (values, count) = self::terms(features, axes);
            for row in 0..count {
                for column in 0..count {
                    matrix[row][column] += values[row] * values[column];
                }
                for axis in 0..axes {
                    sides[row][axis] += values[row] * pixel[axis];
                }
            }
        }
        let coefficients = solved(&mut matrix, &mut sides, terms)?;
        let fit = Fit { axes, terms, coefficients };
        let is_near = |(features, pixel): &(Features, Pixel)| {
            let found = fit.at(features);
            (0..axes).all(|axis| (found[axis] - pixel[axis]).abs() <= tolerance[axis])
        };
        points.iter().all(is_near).then_some(fit)
    }

    /// Returns the approximate pixel.
    pub(super) fn at(&self, features: &Features) -> Pixel {
        let (values, _) = terms(&features.map(|value| value.clamp(-1.2, 1.2)), self.axes);
        let mut pixel = [0.0; MAX_AXES];
        for axis in 0..self.axes {
            pixel[axis] = self.coefficients[axis][..self.terms].iter().zip(&values).map(|(a, b)| a * b).sum();
        }
        pixel
    }
}

/// Returns the products of powers up to the degree 3 of one or two variables, 2 of more, and their number.
fn terms(features: &Features, axes: usize) -> ([f64; MAX_TERMS], usize) {
    let mut values = [0.0; MAX_TERMS];
    values[0] = 1.0;
    let mut count = 1;
    // Each product of a degree is one of the degree below times a variable that is not before its last one.
    let mut last = [0; MAX_TERMS];
    let mut below = 0..1;
    for _ in 0..if axes <= 2 { 3 } else { 2 } {
        let start = count;
        for term in below {
            for variable in last[term]..axes {
                values[count] = values[term] * features[variable];
                last[count] = variable;
                count += 1;
            }
        }
        below = start..count;
    }
    (values, count)
}

/// Solves a symmetric system with several right sides.
fn solved(
    matrix: &mut [[f64; MAX_TERMS]; MAX_TERMS],
    sides: &mut [[f64; MAX_AXES]; MAX_TERMS],
    terms: usize,
) -> Option<[[f64; MAX_TERMS]; MAX_AXES]> {
    let largest = (0..terms).map(|term| matrix[term][term]).fold(0.0, f64::max);
    for pivot in 0..terms {
        let diagonal = matrix[pivot][pivot];
        if diagonal.is_nan() || diagonal <= 1e-12 * largest {
            return None;
        }
        for row in 0..terms {
            if row == pivot {
                continue;
            }
            let factor = matrix[row][pivot] / diagonal;
            for column in pivot..terms {
                matrix[row][column] -= factor * matrix[pivot][column];
            }
            for axis in 0..MAX_AXES {
                sides[row][axis] -= factor * sides[pivot][axis];
            }
        }
    }
    let mut solution = [[0.0; MAX_TERMS]; MAX_AXES];
    for (axis, coefficients) in solution.iter_mut().enumerate() {
        for term in 0..terms {
            coefficients[term] = sides[term][axis] / matrix[term][term];
        }
    }
    Some(solution)
}
