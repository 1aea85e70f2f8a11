//! The gnomonic projection together with the rotation to or from the sky: one step instead of two, without the angles in
//! between.

use super::lanes::{OnLanes, have_squares, on_lanes};
use super::rotation::{Matrix, apply, direction_slopes, spherical_slopes, to_cartesian, to_spherical};
use super::sphere::{cartesian, may_be_angles, spherical, turned};
use super::vector::{LANES, Lanes};
use super::{Inputs, Kernel, OutOfDomain};
use std::sync::Arc;

/// Degrees in a radian: the distance of the plane.
const R: f64 = 180.0 / std::f64::consts::PI;

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

impl OnLanes<2, 2> for GnomonicToSky {
    #[inline(always)]
    fn lanes(&self, [x, y]: &[Lanes; 2]) -> [Lanes; 2] {
        let mut down = *y;
        for value in &mut down {
            *value = -*value;
        }
        spherical(&turned(&self.matrix, [&down, x, &[R; LANES]]), self.positive)
    }

    #[inline(always)]
    fn serves(&self, [x, y]: &[Lanes; 2]) -> bool {
        have_squares(&[x, y])
    }

    fn alone(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let native = to_cartesian([x.atan2(-y) * R, R.atan2(x.hypot(y)) * R]);
        to_spherical(apply(&self.matrix, native), self.positive)
    }
}

impl Kernel for GnomonicToSky {
    fn arity(&self) -> (usize, usize) {
        (2, 2)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        on_lanes(self, inputs, outputs)
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        let (x, y) = (inputs.get(0), inputs.get(1));
        for point in 0..inputs.count {
            let by_vector = spherical_slopes(apply(&self.matrix, [-y[point], x[point], R]));
            for (output, [a, b, c]) in by_vector.into_iter().enumerate() {
                let [u, v, w] = self.matrix;
                slopes[2 * output][point] = a * u[1] + b * v[1] + c * w[1];
                slopes[2 * output + 1][point] = -(a * u[0] + b * v[0] + c * w[0]);
            }
        }
        true
    }
}

/// From the sky to the plane; NaN behind it.
#[derive(Debug)]
struct SkyToGnomonic {
    matrix: Matrix,
}

impl OnLanes<2, 2> for SkyToGnomonic {
    #[inline(always)]
    fn lanes(&self, point: &[Lanes; 2]) -> [Lanes; 2] {
        let [x, y, z] = &cartesian(point);
        let [x, y, z] = turned(&self.matrix, [x, y, z]);
        let mut results = [y, x];
        for lane in 0..LANES {
            let scale = if z[lane] > 0.0 { R / z[lane] } else { f64::NAN };
            results[0][lane] *= scale;
            results[1][lane] *= -scale;
        }
        results
    }

    #[inline(always)]
    fn serves(&self, point: &[Lanes; 2]) -> bool {
        may_be_angles(point)
    }

    fn alone(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, y, z] = apply(&self.matrix, to_cartesian(point));
        let scale = if z > 0.0 { R / z } else { f64::NAN };
        [y * scale, -x * scale]
    }
}

impl Kernel for SkyToGnomonic {
    fn arity(&self) -> (usize, usize) {
        (2, 2)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        on_lanes(self, inputs, outputs)
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        let (longitude, latitude) = (inputs.get(0), inputs.get(1));
        for point in 0..inputs.count {
            let here = [longitude[point], latitude[point]];
            let [x, y, z] = apply(&self.matrix, to_cartesian(here));
            for (input, along) in direction_slopes(here).into_iter().enumerate() {
                let [u, v, w] = apply(&self.matrix, along);
                slopes[input][point] = R * (v * z - y * w) / (z * z);
                slopes[2 + input][point] = -R * (u * z - x * w) / (z * z);
            }
        }
        true
    }
}
