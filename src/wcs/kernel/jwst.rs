//! Transforms of the pipeline of JWST that do not contain other transforms.

use super::rotation::Axis;
use super::spectroscopy::{Sellmeier, Snell3d, Zemax};
use super::{Inverse, Point, each};
use std::f64::consts::PI;

const DEGREE: f64 = PI / 180.0;

/// Number of a slice of MIRI from the coordinate across slices.
#[derive(Debug)]
pub(in crate::wcs) struct SliceNumber {
    pub(in crate::wcs) zero: f64,
    pub(in crate::wcs) width: f64,
    pub(in crate::wcs) channel: f64,
}

impl Point<1, 1> for SliceNumber {
    fn at(&self, [beta]: [f64; 1]) -> [f64; 1] {
        [(self.channel * 100.0 + (beta - self.zero) / self.width + 1.0 + 0.5).floor()]
    }
}

/// Refractive index from the deflection by a prism.
#[derive(Debug)]
pub(in crate::wcs) struct IndexFromPrism(pub(in crate::wcs) f64);

impl Point<3, 1> for IndexFromPrism {
    fn at(&self, [alpha, beta, after]: [f64; 3]) -> [f64; 1] {
        let (sine, cosine) = (self.0 * DEGREE).sin_cos();
        let across = (after + alpha * (1.0 - 2.0 * sine * sine)) / (2.0 * sine * cosine);
        [(across * across + alpha * alpha + beta * beta).sqrt()]
    }
}

/// Condition of [`Logical`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::wcs) enum Condition {
    Greater,
    Less,
    Equal,
    Unequal,
}

/// Replaces values that satisfy a condition.
#[derive(Debug)]
pub(in crate::wcs) struct Logical {
    pub(in crate::wcs) condition: Condition,
    pub(in crate::wcs) compare_to: f64,
    pub(in crate::wcs) value: f64,
}

impl Point<1, 1> for Logical {
    fn at(&self, [x]: [f64; 1]) -> [f64; 1] {
        let holds = match self.condition {
            Condition::Greater => x > self.compare_to,
            Condition::Less => x < self.compare_to,
            Condition::Equal => x == self.compare_to,
            Condition::Unequal => x != self.compare_to && !x.is_nan(),
        };
        [if holds { self.value } else { x }]
    }
}

/// Wavelength from the directions before and after a grating.
#[derive(Debug)]
pub(in crate::wcs) struct GratingWavelength(pub(in crate::wcs) f64);

impl Point<3, 1> for GratingWavelength {
    fn at(&self, [before, _, after]: [f64; 3]) -> [f64; 1] {
        [-(before + after) / self.0]
    }
}

/// Direction behind a grating.
#[derive(Debug)]
pub(in crate::wcs) struct GratingAngle(pub(in crate::wcs) f64);

impl Point<4, 3> for GratingAngle {
    fn at(&self, [wavelength, alpha, beta, _]: [f64; 4]) -> [f64; 3] {
        let (x, y) = (-alpha - self.0 * wavelength, -beta);
        [x, y, (1.0 - x * x - y * y).sqrt()]
    }
}

/// Rotations of direction cosines. After each of them the third component is computed from the other two.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Directions(pub(in crate::wcs) Vec<(Axis, f64)>);

impl Directions {
    fn turned(&self, [mut x, mut y, mut z]: [f64; 3]) -> [f64; 3] {
        for (axis, angle) in &self.0 {
            let (sine, cosine) = (angle * DEGREE).sin_cos();
            (x, y) = match axis {
                Axis::X => (x, y * cosine + z * sine),
                Axis::Y => (x * cosine - z * sine, y),
                Axis::Z => (x * cosine + y * sine, -x * sine + y * cosine),
            };
            z = (1.0 - x * x - y * y).sqrt();
        }
        [x, y, z]
    }
}

impl Point<3, 3> for Directions {
    fn at(&self, point: [f64; 3]) -> [f64; 3] {
        self.turned(point)
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(Directions(self.0.iter().rev().map(|(axis, angle)| (*axis, -angle)).collect())))
    }
}

/// Refractive index of a prism.
#[derive(Debug)]
pub(in crate::wcs) enum PrismIndex {
    Constant(Sellmeier),
    Thermal(Zemax),
}

/// Direction behind a prism, from the wavelength in m and the direction before it.
#[derive(Debug)]
pub(in crate::wcs) struct Prism {
    pub(in crate::wcs) index: PrismIndex,
    pub(in crate::wcs) angle: f64,
}

impl Point<4, 3> for Prism {
    fn at(&self, [wavelength, alpha, beta, gamma]: [f64; 4]) -> [f64; 3] {
        let micrometers = wavelength * 1e6;
        let n = match &self.index {
            PrismIndex::Constant(glass) => glass.index(micrometers),
            PrismIndex::Thermal(glass) => glass.index(micrometers),
        };
        let inside = Snell3d.at([n, alpha, beta, gamma]);
        let [x, y, z] = Directions(vec![(Axis::Y, self.angle)]).turned(inside);
        let [x, y, z] = Directions(vec![(Axis::Y, -self.angle)]).turned([-x, -y, z]);
        Snell3d.at([1.0 / n, x, y, z])
    }
}

/// Coordinates in a plane to direction cosines.
#[derive(Debug)]
pub(in crate::wcs) struct FromPlane;

impl Point<2, 3> for FromPlane {
    fn at(&self, [x, y]: [f64; 2]) -> [f64; 3] {
        let length = (1.0 + x * x + y * y).sqrt();
        [x / length, y / length, 1.0 / length]
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(ToPlane))
    }
}

/// Direction cosines to coordinates in a plane.
#[derive(Debug)]
pub(in crate::wcs) struct ToPlane;

impl Point<3, 2> for ToPlane {
    fn at(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        [x / z, y / z]
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(FromPlane))
    }
}
