//! Polynomial that finds the approximate pixel of a point in world coordinates: a least-squares fit to known points.

use super::position::{MAX_AXES, Pixel};
use crate::wcs::kernel::matrix::least_squares;

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
        let mut columns = vec![Vec::with_capacity(points.len()); terms];
        let mut sides = vec![Vec::with_capacity(points.len()); axes];
        for (features, pixel) in points {
            let (values, _) = self::terms(features, axes);
            columns.iter_mut().zip(values).for_each(|(column, value)| column.push(value));
            sides.iter_mut().zip(pixel).for_each(|(side, value)| side.push(*value));
        }
        if points.len() < terms {
            return None;
        }
        let mut coefficients = [[0.0; MAX_TERMS]; MAX_AXES];
        for (own, solution) in coefficients.iter_mut().zip(least_squares(columns, sides)?) {
            own[..terms].copy_from_slice(&solution);
        }
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
