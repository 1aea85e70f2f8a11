//! The gnomonic projection together with the rotation to or from the sky: one step instead of two, without the angles in
//! between.

use super::rotation::Matrix;
use super::vector::{LANES, Lanes, angle, sine_cosine};
use super::{Inputs, Kernel, OutOfDomain};
use std::sync::Arc;

/// Degrees in a radian: the distance of the plane.
const R: f64 = 180.0 / std::f64::consts::PI;

/// Largest angle whose sine is computed directly.
const LARGEST: f64 = 1e12;

/// Turns vectors.
#[inline]
fn turned(matrix: &Matrix, [x, y, z]: [&Lanes; 3]) -> [Lanes; 3] {
    let row = |row: usize| -> Lanes {
        let [a, b, c] = matrix[row];
        std::array::from_fn(|lane| a * x[lane] + b * y[lane] + c * z[lane])
    };
    [row(0), row(1), row(2)]
}

/// Returns longitudes and latitudes of vectors of any length.
#[inline]
fn spherical([x, y, z]: &[Lanes; 3], positive: bool) -> [Lanes; 2] {
    let mut longitudes = angle(y, x);
    if positive {
        for longitude in &mut longitudes {
            *longitude += if *longitude < 0.0 { 360.0 } else { 0.0 };
        }
    }
    let across: Lanes = std::array::from_fn(|lane| (x[lane] * x[lane] + y[lane] * y[lane]).sqrt());
    [longitudes, angle(z, &across)]
}

/// Returns the unit vectors of directions.
#[inline]
fn cartesian(point: &[Lanes; 2]) -> [Lanes; 3] {
    let [longitudes, latitudes] = point.map(|angles| {
        let is_large = angles.iter().any(|angle| angle.abs() > LARGEST);
        if is_large { angles.map(|angle| angle % 360.0) } else { angles }
    });
    let (longitude_sines, longitude_cosines) = sine_cosine(&longitudes);
    let (sines, cosines) = sine_cosine(&latitudes);
    [
        std::array::from_fn(|lane| cosines[lane] * longitude_cosines[lane]),
        std::array::from_fn(|lane| cosines[lane] * longitude_sines[lane]),
        sines,
    ]
}

/// Calls a function of two coordinates for all points, some at a time.
fn for_all(inputs: &Inputs, outputs: &mut [Vec<f64>], function: impl Fn([Lanes; 2]) -> [Lanes; 2]) {
    let [first, second] = outputs else { return };
    let (x, y) = (inputs.get(0), inputs.get(1));
    for start in (0..inputs.count).step_by(LANES) {
        let length = LANES.min(inputs.count - start);
        let mut lanes = [[0.0; LANES]; 2];
        lanes[0][..length].copy_from_slice(&x[start..start + length]);
        lanes[1][..length].copy_from_slice(&y[start..start + length]);
        let results = function(lanes);
        first[start..start + length].copy_from_slice(&results[0][..length]);
        second[start..start + length].copy_from_slice(&results[1][..length]);
    }
}

/// Rotates longitudes and latitudes.
pub(super) fn rotate(matrix: &Matrix, positive: bool, inputs: &Inputs, outputs: &mut [Vec<f64>]) {
    for_all(inputs, outputs, |point| {
        let [x, y, z] = &cartesian(&point);
        spherical(&turned(matrix, [x, y, z]), positive)
    });
}

/// Returns a kernel that does the work of two in a row, if they are such a projection and such a rotation.
pub(in crate::wcs) fn fused(first: &dyn Kernel, second: &dyn Kernel) -> Option<Arc<dyn Kernel>> {
    match (first.is_gnomonic(), second.rotation()) {
        (Some(true), Some((matrix, positive))) => return Some(Arc::new(GnomonicToSky { matrix: *matrix, positive })),
        (Some(_), _) => return None,
        (None, _) => {}
    }
    match (first.rotation(), second.is_gnomonic()) {
        (Some((matrix, _)), Some(false)) => Some(Arc::new(SkyToGnomonic { matrix: *matrix })),
        _ => None,
    }
}

/// From the plane to the sky.
#[derive(Debug)]
struct GnomonicToSky {
    matrix: Matrix,
    /// Adds 360° to negative longitudes.
    positive: bool,
}

impl Kernel for GnomonicToSky {
    fn arity(&self) -> (usize, usize) {
        (2, 2)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        for_all(inputs, outputs, |[x, y]| {
            let down = std::array::from_fn(|lane| -y[lane]);
            spherical(&turned(&self.matrix, [&down, &x, &[R; LANES]]), self.positive)
        });
        Ok(())
    }
}

/// From the sky to the plane; NaN behind it.
#[derive(Debug)]
struct SkyToGnomonic {
    matrix: Matrix,
}

impl Kernel for SkyToGnomonic {
    fn arity(&self) -> (usize, usize) {
        (2, 2)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        for_all(inputs, outputs, |point| {
            let [x, y, z] = &cartesian(&point);
            let [x, y, z] = turned(&self.matrix, [x, y, z]);
            let scale: Lanes = std::array::from_fn(|lane| if z[lane] > 0.0 { R / z[lane] } else { f64::NAN });
            [std::array::from_fn(|lane| y[lane] * scale[lane]), std::array::from_fn(|lane| -x[lane] * scale[lane])]
        });
        Ok(())
    }
}
