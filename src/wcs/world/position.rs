//! Positions in world coordinates, and differences between them: on the sky those of unit vectors, in the plane that
//! touches the sphere at the wanted point, so that neither poles nor the jump of longitudes matter.

use crate::wcs::kernel::matrix::invert;
use crate::wcs::kernel::rotation::{SphericalToCartesian, Wrap, direction_slopes};
use crate::wcs::kernel::{Inputs, Kernel as _, Registers};

/// Largest number of axes.
pub(super) const MAX_AXES: usize = 4;

/// Coordinates of a pixel; those after the last axis are zero.
pub(super) type Pixel = [f64; MAX_AXES];

/// A unit vector.
pub(super) type Vector = [f64; 3];

pub(super) fn dot(a: &Vector, b: &Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Meaning of the world coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axes {
    pub(super) count: usize,
    /// Coordinates that are longitude and latitude.
    pub(super) celestial: Option<[usize; 2]>,
}

/// A point in world coordinates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    /// Direction on the sky, if there are longitude and latitude.
    pub(super) direction: Vector,
    /// The coordinates.
    pub(super) world: [f64; MAX_AXES],
}

/// A wanted point, with the directions to the east and the north of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) position: Position,
    along: [Vector; 2],
}

impl Position {
    pub(super) fn is_finite(&self) -> bool {
        self.direction.iter().chain(&self.world).all(|part| part.is_finite())
    }
}

impl Axes {
    /// Returns the axes that are not on the sky.
    pub(super) fn others(&self) -> impl Iterator<Item = usize> + use<> {
        let celestial = self.celestial;
        (0..self.count).filter(move |axis| celestial.is_none_or(|pair| !pair.contains(axis)))
    }

    /// Writes the positions of all points of columns. `vectors` is memory.
    pub(super) fn positions(&self, world: &Inputs, vectors: &mut Registers, to: &mut Vec<Position>) {
        to.clear();
        to.extend((0..world.count).map(|point| {
            let mut position = Position { direction: [0.0; 3], world: [0.0; MAX_AXES] };
            for axis in 0..self.count {
                position.world[axis] = world.get(axis)[point];
            }
            position
        }));
        let Some([longitude, latitude]) = self.celestial else { return };
        vectors.resize_with(3, Vec::new);
        vectors.iter_mut().for_each(|column| column.resize(world.count.max(column.len()), 0.0));
        let places = [world.places[longitude], world.places[latitude]];
        let angles = Inputs { registers: world.registers, places: &places, count: world.count };
        let done = SphericalToCartesian(Wrap::At180).evaluate(&angles, vectors);
        debug_assert!(done.is_ok(), "the kernel has a value for every point");
        for (point, position) in to.iter_mut().enumerate() {
            position.direction = [vectors[0][point], vectors[1][point], vectors[2][point]];
        }
    }

    pub(super) fn target(&self, position: Position) -> Target {
        let [x, y, z] = position.direction;
        let across = x.hypot(y);
        let (cosine, sine) = if across > 0.0 { (x / across, y / across) } else { (1.0, 0.0) };
        Target { position, along: [[-sine, cosine, 0.0], [-z * cosine, -z * sine, across]] }
    }

    /// Returns the difference of a position from a target: on the sky along east and north in radians.
    pub(super) fn difference(&self, target: &Target, position: &Position) -> Pixel {
        let mut result = [0.0; MAX_AXES];
        for axis in self.others() {
            result[axis] = position.world[axis] - target.position.world[axis];
        }
        if let Some(pair) = self.celestial {
            let (is, wanted) = (&position.direction, &target.position.direction);
            let difference = [is[0] - wanted[0], is[1] - wanted[1], is[2] - wanted[2]];
            for (axis, along) in pair.into_iter().zip(&target.along) {
                result[axis] = dot(&difference, along);
            }
        }
        result
    }

    /// Returns whether a position is on the other half of the sky than a target.
    pub(super) fn is_behind(&self, target: &Target, position: &Position) -> bool {
        self.celestial.is_some() && dot(&target.position.direction, &position.direction) <= 0.0
    }

    /// Returns the derivatives of [`Axes::difference`] by the pixel axes, from those of the world coordinates.
    pub(super) fn slopes(
        &self,
        target: &Target,
        position: &Position,
        slopes: &[&[f64]],
        point: usize,
    ) -> [Pixel; MAX_AXES] {
        let slope = |axis: usize, pixel: usize| slopes[axis * self.count + pixel][point];
        let mut rows = [[0.0; MAX_AXES]; MAX_AXES];
        for axis in self.others() {
            for pixel in 0..self.count {
                rows[axis][pixel] = slope(axis, pixel);
            }
        }
        if let Some([longitude, latitude]) = self.celestial {
            let [by_longitude, by_latitude] = direction_slopes([position.world[longitude], position.world[latitude]]);
            for (axis, along) in [longitude, latitude].into_iter().zip(&target.along) {
                let (one, other) = (dot(along, &by_longitude), dot(along, &by_latitude));
                for pixel in 0..self.count {
                    rows[axis][pixel] = one * slope(longitude, pixel) + other * slope(latitude, pixel);
                }
            }
        }
        rows
    }
}

/// Returns the inverse of a matrix; its elements are not finite if there is none.
pub(super) fn inverse(mut matrix: [Pixel; MAX_AXES], axes: usize) -> [Pixel; MAX_AXES] {
    let mut result = [[0.0; MAX_AXES]; MAX_AXES];
    if axes == 2 {
        let [[a, b, ..], [c, d, ..], ..] = matrix;
        let determinant = a * d - b * c;
        result[0][..2].copy_from_slice(&[d / determinant, -b / determinant]);
        result[1][..2].copy_from_slice(&[-c / determinant, a / determinant]);
        return result;
    }
    for axis in 0..axes {
        result[axis][axis] = 1.0;
    }
    if !invert(&mut matrix[..axes], &mut result[..axes]) {
        result = [[f64::NAN; MAX_AXES]; MAX_AXES];
    }
    result
}
