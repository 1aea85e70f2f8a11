//! Models of chains, for evaluation.

use super::celestial::Celestial;
use super::chain::{Chain, Leaf};
use crate::error::{Error, Result, Status};
use crate::wcs::kernel::elementary::{Affine, Scale, Shift};
use crate::wcs::kernel::functional::{Functional, definition};
use crate::wcs::kernel::rotation::{Spherical, native_to_celestial};
use crate::wcs::kernel::{Inverse, Kernel, Point, each};
use crate::wcs::model::{Model, Operation, Part};
use crate::wcs::projection::made;
use std::sync::Arc;

/// Native coordinates, whose longitude is between -180 and 180 degrees.
#[derive(Clone, Debug)]
struct Ranged {
    /// True if others are NaN, as wcslib has it for the plate carrée.
    is_checked: bool,
}

impl Point<2, 2> for Ranged {
    fn at(&self, [phi, theta]: [f64; 2]) -> [f64; 2] {
        let is_outside = phi.abs() > 180.0 + 1e-13 || theta.abs() > 90.0 + 1e-13;
        if self.is_checked && is_outside { [f64::NAN; 2] } else { [phi, theta] }
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(ToRange(self.clone())))
    }

    fn is_diagonal(&self) -> bool {
        true
    }
}

/// Brings native longitudes from 0 to 360 degrees to the range from -180 to 180.
#[derive(Clone, Debug)]
struct ToRange(Ranged);

impl Point<2, 2> for ToRange {
    fn at(&self, [phi, theta]: [f64; 2]) -> [f64; 2] {
        [if phi > 180.0 { phi - 360.0 } else { phi }, theta]
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(self.0.clone()))
    }

    fn is_diagonal(&self) -> bool {
        true
    }
}

/// Longitudes are negative where that of the native pole is, as in wcslib.
#[derive(Clone, Debug)]
struct NegativeLongitude;

impl Point<2, 2> for NegativeLongitude {
    fn at(&self, [longitude, latitude]: [f64; 2]) -> [f64; 2] {
        [if longitude > 0.0 { longitude - 360.0 } else { longitude }, latitude]
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(Same))
    }

    fn is_diagonal(&self) -> bool {
        true
    }
}

#[derive(Clone, Debug)]
struct Same;

impl Point<2, 2> for Same {
    fn at(&self, point: [f64; 2]) -> [f64; 2] {
        point
    }

    fn inverse(&self) -> Inverse {
        Inverse::Kernel(each(Same))
    }

    fn is_diagonal(&self) -> bool {
        true
    }
}

/// Builds the model of a chain.
pub(super) fn model(chain: &Chain) -> Result<Model> {
    let mut parts = Vec::new();
    let root = append(chain, &mut parts)?;
    Ok(Model { parts: Arc::new(parts), root })
}

fn push(parts: &mut Vec<Part>, operation: Operation, axes: usize) -> usize {
    parts.push(Part::bare(operation, axes, axes));
    parts.len() - 1
}

/// Appends the parts of a chain, and returns the number of the whole. Chains have few levels.
fn append(chain: &Chain, parts: &mut Vec<Part>) -> Result<usize> {
    let (chains, is_row) = match chain {
        Chain::Leaf(leaf) => return leaf_part(leaf, parts),
        Chain::Compose(chains) => (chains, true),
        Chain::Join(chains) => (chains, false),
    };
    let mut whole = None;
    let mut axes = 0;
    for chain in chains {
        let next = append(chain, parts)?;
        axes = if is_row { chain.axes() } else { axes + chain.axes() };
        whole = Some(match whole {
            None => next,
            Some(before) if is_row => push(parts, Operation::Compose(before, next), axes),
            Some(before) => push(parts, Operation::Concatenate(before, next), axes),
        });
    }
    whole.ok_or_else(|| Error::new(Status::Internal, "a chain of transforms is empty"))
}

fn leaf_part(leaf: &Leaf, parts: &mut Vec<Part>) -> Result<usize> {
    let kernel: Arc<dyn Kernel> = match leaf {
        Leaf::Shift(offset) => each(Shift(*offset)),
        Leaf::Scale(factor) => each(Scale(*factor)),
        Leaf::Affine([a, b, c, d]) => each(Affine { matrix: [[*a, *b], [*c, *d]], translation: [0.0; 2] }),
        Leaf::Dense(dense) => Arc::new(dense.clone()),
        Leaf::Remap(mapping) => return Ok(push(parts, Operation::Remap(mapping.clone()), mapping.len())),
        Leaf::Sip(sip) => each(sip.clone()),
        Leaf::Sky(celestial) => return sky(celestial, parts),
        Leaf::Exponential(value) => {
            let definition = definition("exponential1d");
            let definition = definition.ok_or_else(|| Error::new(Status::Internal, "there is no exponential"))?;
            Functional::kernel(definition, vec![*value, *value])
        }
    };
    let axes = kernel.arity().0;
    Ok(push(parts, Operation::Kernel(kernel), axes))
}

/// Appends the parts from the plane of a projection to the sky.
fn sky(celestial: &Celestial, parts: &mut Vec<Part>) -> Result<usize> {
    let projection = &celestial.projection;
    let kernel = made(projection.name, &projection.values, true);
    let kernel = kernel.map_err(|_| Error::new(Status::Internal, "a projection has wrong parameters"))?;
    let [longitude, latitude, of_pole] = celestial.pole;
    let mut kernels: Vec<Arc<dyn Kernel>> = Vec::new();
    if celestial.origin != [0.0; 2] {
        let matrix = [[1.0, 0.0], [0.0, 1.0]];
        kernels.push(each(Affine { matrix, translation: celestial.origin }));
    }
    kernels.push(kernel);
    if celestial.is_ranged {
        kernels.push(each(Ranged { is_checked: projection.name == "plate_carree" }));
    }
    kernels.push(Spherical::kernel(native_to_celestial(longitude, latitude, of_pole), true));
    if longitude < 0.0 {
        kernels.push(each(NegativeLongitude));
    }
    let mut whole = None;
    for kernel in kernels {
        let next = push(parts, Operation::Kernel(kernel), 2);
        whole = Some(whole.map_or(next, |before| push(parts, Operation::Compose(before, next), 2)));
    }
    whole.ok_or_else(|| Error::new(Status::Internal, "a chain of transforms is empty"))
}
