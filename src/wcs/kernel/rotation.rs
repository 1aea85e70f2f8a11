//! Rotations of the sphere, and changes between spherical and cartesian coordinates.

use super::lanes::{OnLanes, have_squares, on_lanes};
use super::sphere::{cartesian, may_be_angles, spherical, turned};
use super::vector::{LANES, Lanes};
use super::{Inputs, Inverse, Kernel, OutOfDomain, Point, each};
use std::f64::consts::PI;
use std::sync::Arc;

const DEGREE: f64 = PI / 180.0;
const R: f64 = 180.0 / PI;

/// A matrix for vectors of three components.
pub(super) type Matrix = [[f64; 3]; 3];

/// Axis of a rotation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) enum Axis {
    X,
    Y,
    Z,
}

impl Axis {
    pub(in crate::wcs) fn named(letter: char) -> Option<Axis> {
        match letter {
            'x' => Some(Axis::X),
            'y' => Some(Axis::Y),
            'z' => Some(Axis::Z),
            _ => None,
        }
    }

    /// Returns the matrix that turns the axes by an angle in radians.
    fn matrix(self, angle: f64) -> Matrix {
        let (s, c) = angle.sin_cos();
        match self {
            Axis::X => [[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]],
            Axis::Y => [[c, 0.0, -s], [0.0, 1.0, 0.0], [s, 0.0, c]],
            Axis::Z => [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]],
        }
    }
}

/// Rotations about axes, one after the other. Angles are in degrees.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Turns(pub(in crate::wcs) Vec<(Axis, f64)>);

impl Turns {
    fn matrix(&self) -> Matrix {
        let mut product = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        for (axis, angle) in &self.0 {
            let turn = axis.matrix(angle * DEGREE);
            product = std::array::from_fn(|row| {
                std::array::from_fn(|column| (0..3).map(|k| turn[row][k] * product[k][column]).sum())
            });
        }
        product
    }

    fn reversed(&self) -> Turns {
        Turns(self.0.iter().rev().map(|(axis, angle)| (*axis, -angle)).collect())
    }
}

/// Turns a vector.
#[inline(always)]
pub(super) fn apply(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    let [u, v, w] = matrix;
    [u[0] * x + u[1] * y + u[2] * z, v[0] * x + v[1] * y + v[2] * z, w[0] * x + w[1] * y + w[2] * z]
}

/// Returns the unit vector of a direction in degrees.
pub(in crate::wcs) fn to_cartesian([longitude, latitude]: [f64; 2]) -> [f64; 3] {
    let (longitude_sine, longitude_cosine) = (longitude % 360.0 * DEGREE).sin_cos();
    let (sine, cosine) = (latitude % 360.0 * DEGREE).sin_cos();
    [cosine * longitude_cosine, cosine * longitude_sine, sine]
}

/// Returns the direction of a vector in degrees.
pub(super) fn to_spherical([x, y, z]: [f64; 3], positive: bool) -> [f64; 2] {
    let longitude = y.atan2(x) * R;
    [if positive && longitude < 0.0 { longitude + 360.0 } else { longitude }, z.atan2(x.hypot(y)) * R]
}

/// Returns the derivatives of the unit vector by longitude and by latitude, in degrees.
pub(in crate::wcs) fn direction_slopes([longitude, latitude]: [f64; 2]) -> [[f64; 3]; 2] {
    let (longitude_sine, longitude_cosine) = (longitude % 360.0 * DEGREE).sin_cos();
    let (sine, cosine) = (latitude % 360.0 * DEGREE).sin_cos();
    [
        [-cosine * longitude_sine * DEGREE, cosine * longitude_cosine * DEGREE, 0.0],
        [-sine * longitude_cosine * DEGREE, -sine * longitude_sine * DEGREE, cosine * DEGREE],
    ]
}

/// Returns the derivatives of longitude and latitude in degrees by the components of a vector. They are not finite at
/// the poles.
#[inline(always)]
pub(super) fn spherical_slopes([x, y, z]: [f64; 3]) -> [[f64; 3]; 2] {
    let across = x * x + y * y;
    let root = across.sqrt();
    let (along, up) = (R / across, R / (across + z * z));
    [[-y * along, x * along, 0.0], [-z * x / root * up, -z * y / root * up, root * up]]
}

/// Rotation of vectors.
#[derive(Debug)]
pub(in crate::wcs) struct Cartesian {
    turns: Turns,
    matrix: Matrix,
}

impl Cartesian {
    /// Makes the kernel.
    pub(in crate::wcs) fn kernel(turns: Turns) -> Arc<dyn Kernel> {
        Arc::new(Cartesian { matrix: turns.matrix(), turns })
    }
}

impl OnLanes<3, 3> for Cartesian {
    #[inline(always)]
    fn lanes(&self, [x, y, z]: &[Lanes; 3]) -> [Lanes; 3] {
        turned(&self.matrix, [x, y, z])
    }

    #[inline(always)]
    fn serves(&self, _: &[Lanes; 3]) -> bool {
        true
    }

    fn alone(&self, point: [f64; 3]) -> [f64; 3] {
        apply(&self.matrix, point)
    }
}

impl Kernel for Cartesian {
    fn arity(&self) -> (usize, usize) {
        (3, 3)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        on_lanes(self, inputs, outputs)
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        for (column, value) in slopes.iter_mut().zip(self.matrix.as_flattened()) {
            column[..inputs.count].fill(*value);
        }
        true
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(Cartesian::kernel(self.turns.reversed()))
    }
}

/// Rotation of longitude and latitude.
#[derive(Debug)]
pub(in crate::wcs) struct Spherical {
    turns: Turns,
    matrix: Matrix,
    /// Adds 360° to negative longitudes.
    positive: bool,
}

impl Spherical {
    /// Makes the kernel.
    pub(in crate::wcs) fn kernel(turns: Turns, positive: bool) -> Arc<dyn Kernel> {
        Arc::new(Spherical { matrix: turns.matrix(), turns, positive })
    }
}

impl OnLanes<2, 2> for Spherical {
    #[inline(always)]
    fn lanes(&self, point: &[Lanes; 2]) -> [Lanes; 2] {
        let [x, y, z] = &cartesian(point);
        spherical(&turned(&self.matrix, [x, y, z]), self.positive)
    }

    #[inline(always)]
    fn serves(&self, point: &[Lanes; 2]) -> bool {
        may_be_angles(point)
    }

    fn alone(&self, point: [f64; 2]) -> [f64; 2] {
        to_spherical(apply(&self.matrix, to_cartesian(point)), self.positive)
    }
}

impl Kernel for Spherical {
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
            let by_vector = spherical_slopes(apply(&self.matrix, to_cartesian(here)));
            for (input, along) in direction_slopes(here).into_iter().enumerate() {
                let [u, v, w] = apply(&self.matrix, along);
                for (output, [a, b, c]) in by_vector.iter().enumerate() {
                    slopes[2 * output + input][point] = a * u + b * v + c * w;
                }
            }
        }
        true
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(Spherical::kernel(self.turns.reversed(), self.positive))
    }

    fn rotation(&self) -> Option<(&Matrix, bool)> {
        Some((&self.matrix, self.positive))
    }
}

/// Returns the rotations from native to celestial coordinates for the celestial coordinates of the fiducial point and
/// the native longitude of the celestial pole.
pub(in crate::wcs) fn native_to_celestial(longitude: f64, latitude: f64, pole: f64) -> Turns {
    Turns(vec![(Axis::Z, pole - 90.0), (Axis::X, -(90.0 - latitude)), (Axis::Z, -(90.0 + longitude))])
}

/// Returns the inverse of [`native_to_celestial`].
pub(in crate::wcs) fn celestial_to_native(longitude: f64, latitude: f64, pole: f64) -> Turns {
    Turns(vec![(Axis::Z, 90.0 + longitude), (Axis::X, 90.0 - latitude), (Axis::Z, -(pole - 90.0))])
}

/// Range of longitudes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) enum Wrap {
    At180,
    At360,
}

/// Longitude and latitude to a unit vector.
#[derive(Debug)]
pub(in crate::wcs) struct SphericalToCartesian(pub(in crate::wcs) Wrap);

impl OnLanes<2, 3> for SphericalToCartesian {
    #[inline(always)]
    fn lanes(&self, point: &[Lanes; 2]) -> [Lanes; 3] {
        cartesian(point)
    }

    #[inline(always)]
    fn serves(&self, point: &[Lanes; 2]) -> bool {
        may_be_angles(point)
    }

    fn alone(&self, point: [f64; 2]) -> [f64; 3] {
        to_cartesian(point)
    }
}

impl Kernel for SphericalToCartesian {
    fn arity(&self) -> (usize, usize) {
        (2, 3)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        on_lanes(self, inputs, outputs)
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        let (longitude, latitude) = (inputs.get(0), inputs.get(1));
        for point in 0..inputs.count {
            for (input, along) in direction_slopes([longitude[point], latitude[point]]).into_iter().enumerate() {
                for (output, value) in along.into_iter().enumerate() {
                    slopes[2 * output + input][point] = value;
                }
            }
        }
        true
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(CartesianToSpherical(self.0))
    }
}

/// A vector to longitude and latitude.
#[derive(Debug)]
pub(in crate::wcs) struct CartesianToSpherical(pub(in crate::wcs) Wrap);

impl OnLanes<3, 2> for CartesianToSpherical {
    #[inline(always)]
    fn lanes(&self, point: &[Lanes; 3]) -> [Lanes; 2] {
        let [mut longitudes, latitudes] = spherical(point, self.0 == Wrap::At360);
        let [x, y, _] = point;
        for lane in 0..LANES {
            longitudes[lane] = if (x[lane] == 0.0) & (y[lane] == 0.0) { 0.0 } else { longitudes[lane] };
        }
        [longitudes, latitudes]
    }

    #[inline(always)]
    fn serves(&self, [x, y, z]: &[Lanes; 3]) -> bool {
        have_squares(&[x, y, z])
    }

    fn alone(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        let [longitude, latitude] = to_spherical([x, y, z], self.0 == Wrap::At360);
        [if x.hypot(y) == 0.0 { 0.0 } else { longitude }, latitude]
    }
}

impl Kernel for CartesianToSpherical {
    fn arity(&self) -> (usize, usize) {
        (3, 2)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        on_lanes(self, inputs, outputs)
    }

    fn slopes(&self, inputs: &Inputs, slopes: &mut [Vec<f64>]) -> bool {
        let [x, y, z] = [inputs.get(0), inputs.get(1), inputs.get(2)];
        for point in 0..inputs.count {
            let rows = spherical_slopes([x[point], y[point], z[point]]);
            for (column, value) in slopes.iter_mut().zip(rows.as_flattened()) {
                column[point] = *value;
            }
        }
        true
    }

    fn inverse(&self) -> Inverse {
        Inverse::of(SphericalToCartesian(self.0))
    }
}

/// A vector to direction cosines and its length. The third component counts as 1.
#[derive(Debug)]
pub(in crate::wcs) struct ToDirectionCosines;

impl Point<3, 4> for ToDirectionCosines {
    fn at(&self, [x, y, _]: [f64; 3]) -> [f64; 4] {
        let length = (1.0 + x * x + y * y).sqrt();
        [x / length, y / length, 1.0 / length, length]
    }

    fn slopes(&self, [x, y, _]: [f64; 3]) -> Option<[[f64; 3]; 4]> {
        let length = (1.0 + x * x + y * y).sqrt();
        let cube = length * length * length;
        Some([
            [(1.0 + y * y) / cube, -x * y / cube, 0.0],
            [-x * y / cube, (1.0 + x * x) / cube, 0.0],
            [-x / cube, -y / cube, 0.0],
            [x / length, y / length, 0.0],
        ])
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(FromDirectionCosines))
    }
}

/// Direction cosines and a length to a vector.
#[derive(Debug)]
pub(in crate::wcs) struct FromDirectionCosines;

impl Point<4, 3> for FromDirectionCosines {
    fn at(&self, [a, b, c, length]: [f64; 4]) -> [f64; 3] {
        [a * length, b * length, c * length]
    }

    fn slopes(&self, [a, b, c, length]: [f64; 4]) -> Option<[[f64; 4]; 3]> {
        Some([[length, 0.0, 0.0, a], [0.0, length, 0.0, b], [0.0, 0.0, length, c]])
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(ToDirectionCosines))
    }
}
