//! Rotations of the sphere, and changes between spherical and cartesian coordinates.

use super::gnomonic::rotate;
use super::{Inputs, Inverse, Kernel, OutOfDomain, Point, each};
use std::f64::consts::PI;
use std::sync::Arc;

const DEGREE: f64 = PI / 180.0;

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

fn apply(matrix: &Matrix, [x, y, z]: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|row| matrix[row][0] * x + matrix[row][1] * y + matrix[row][2] * z)
}

/// Returns the unit vector of a direction in degrees.
pub(in crate::wcs) fn to_cartesian([longitude, latitude]: [f64; 2]) -> [f64; 3] {
    let (longitude_sine, longitude_cosine) = (longitude * DEGREE).sin_cos();
    let (sine, cosine) = (latitude * DEGREE).sin_cos();
    [cosine * longitude_cosine, cosine * longitude_sine, sine]
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
        each(Cartesian { matrix: turns.matrix(), turns })
    }
}

impl Point<3, 3> for Cartesian {
    fn at(&self, point: [f64; 3]) -> [f64; 3] {
        apply(&self.matrix, point)
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

impl Kernel for Spherical {
    fn arity(&self) -> (usize, usize) {
        (2, 2)
    }

    fn evaluate(&self, inputs: &Inputs, outputs: &mut [Vec<f64>]) -> Result<(), OutOfDomain> {
        rotate(&self.matrix, self.positive, inputs, outputs);
        Ok(())
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

impl Point<2, 3> for SphericalToCartesian {
    fn at(&self, point: [f64; 2]) -> [f64; 3] {
        to_cartesian(point)
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(CartesianToSpherical(self.0)))
    }
}

/// A vector to longitude and latitude.
#[derive(Debug)]
pub(in crate::wcs) struct CartesianToSpherical(pub(in crate::wcs) Wrap);

impl Point<3, 2> for CartesianToSpherical {
    fn at(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        let across = x.hypot(y);
        let mut longitude = if across == 0.0 { 0.0 } else { y.atan2(x) * (180.0 / PI) };
        if self.0 == Wrap::At360 && longitude != 0.0 && longitude.is_finite() {
            longitude %= 360.0;
            if longitude < 0.0 {
                longitude += 360.0;
            }
        }
        [longitude, z.atan2(across) * (180.0 / PI)]
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(SphericalToCartesian(self.0)))
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

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(ToDirectionCosines))
    }
}
