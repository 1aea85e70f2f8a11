//! Directions on the sphere and unit vectors, for several points at once.

use super::rotation::Matrix;
use super::vector::{LANES, Lanes, angle, sine_cosine};

/// Largest angle whose sine is computed for several points at once.
const LARGEST: f64 = 1e12;

/// Turns vectors.
#[inline(always)]
pub(super) fn turned(matrix: &Matrix, [x, y, z]: [&Lanes; 3]) -> [Lanes; 3] {
    let mut results = [[0.0; LANES]; 3];
    for row in 0..3 {
        let [a, b, c] = matrix[row];
        for lane in 0..LANES {
            results[row][lane] = a * x[lane] + b * y[lane] + c * z[lane];
        }
    }
    results
}

/// Returns longitudes and latitudes of vectors whose components have squares.
#[inline(always)]
pub(super) fn spherical([x, y, z]: &[Lanes; 3], positive: bool) -> [Lanes; 2] {
    let mut longitudes = angle(y, x);
    if positive {
        for longitude in &mut longitudes {
            *longitude += if *longitude < 0.0 { 360.0 } else { 0.0 };
        }
    }
    let mut across = [0.0; LANES];
    for lane in 0..LANES {
        across[lane] = (x[lane] * x[lane] + y[lane] * y[lane]).sqrt();
    }
    [longitudes, angle(z, &across)]
}

/// Returns the unit vectors of directions.
#[inline(always)]
pub(super) fn cartesian([longitudes, latitudes]: &[Lanes; 2]) -> [Lanes; 3] {
    let (longitude_sines, longitude_cosines) = sine_cosine(longitudes);
    let (sines, cosines) = sine_cosine(latitudes);
    let mut results = [[0.0; LANES], [0.0; LANES], sines];
    for lane in 0..LANES {
        results[0][lane] = cosines[lane] * longitude_cosines[lane];
        results[1][lane] = cosines[lane] * longitude_sines[lane];
    }
    results
}

/// Returns whether [`cartesian`] serves for these angles. NaN passes.
#[inline(always)]
pub(super) fn may_be_angles(angles: &[Lanes; 2]) -> bool {
    let mut any_larger = false;
    for angle in angles.as_flattened() {
        any_larger |= angle.abs() > LARGEST;
    }
    !any_larger
}
