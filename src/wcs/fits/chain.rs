//! A FITS WCS as a chain of transforms, which is evaluated or written to a tree.

use super::card::wrong;
use super::celestial::Celestial;
use super::description::{Description, Meaning};
use super::linear::{Dense, inverse};
use super::sip::Sip;
use crate::error::{Error, Result, Status};

/// A transform that is no combination of others.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Leaf {
    Shift(f64),
    Scale(f64),
    /// Matrix of two axes, row by row.
    Affine([f64; 4]),
    /// Matrix of more axes.
    Dense(Dense),
    /// Output i is the input of this index.
    Remap(Vec<usize>),
    Sip(Sip),
    /// From the plane to the sky.
    Sky(Celestial),
    /// The value times the exponential of the input divided by the value.
    Exponential(f64),
}

/// Transforms in a row, or side by side.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Chain {
    Leaf(Leaf),
    /// Each after the one before it; not empty.
    Compose(Vec<Chain>),
    /// Each on its own inputs; not empty.
    Join(Vec<Chain>),
}

impl Chain {
    /// Returns the number of inputs, which is also that of outputs.
    pub(super) fn axes(&self) -> usize {
        match self {
            Chain::Leaf(leaf) => match leaf {
                Leaf::Shift(_) | Leaf::Scale(_) | Leaf::Exponential(_) => 1,
                Leaf::Affine(_) | Leaf::Sip(_) | Leaf::Sky(_) => 2,
                Leaf::Dense(dense) => dense.matrix.len(),
                Leaf::Remap(mapping) => mapping.len(),
            },
            Chain::Compose(chains) => chains.first().map_or(0, Chain::axes),
            Chain::Join(chains) => chains.iter().map(Chain::axes).sum(),
        }
    }

    /// Returns transforms side by side.
    fn join(chains: Vec<Chain>) -> Chain {
        match <[Chain; 1]>::try_from(chains) {
            Ok([only]) => only,
            Err(chains) => Chain::Join(chains),
        }
    }

    fn each(leaves: impl Iterator<Item = Leaf>) -> Chain {
        Chain::join(leaves.map(Chain::Leaf).collect())
    }

    /// Returns a transform for axes in another order; they have their own order before and after.
    fn in_order(chain: Chain, order: &[usize], chains: &mut Vec<Chain>) {
        let is_same = order.iter().enumerate().all(|(place, axis)| place == *axis);
        if is_same {
            return chains.push(chain);
        }
        let mut back = vec![0; order.len()];
        for (place, axis) in order.iter().enumerate() {
            back[*axis] = place;
        }
        chains.extend([Chain::Leaf(Leaf::Remap(order.to_vec())), chain, Chain::Leaf(Leaf::Remap(back))]);
    }
}

/// Returns the chain from pixels, counted from 0, to world coordinates.
pub(super) fn chain(description: &Description) -> Result<Chain> {
    let count = description.axes.len();
    let mut chains = vec![Chain::each(description.pixel.iter().map(|pixel| Leaf::Shift(-pixel)))];
    if let Some(sip) = &description.sip {
        let mut side = vec![Chain::Leaf(Leaf::Sip(sip.clone()))];
        if count > 2 {
            side.push(Chain::Leaf(Leaf::Remap((0..count - 2).collect())));
        }
        chains.push(Chain::join(side));
    }
    linear(&description.matrix, &mut chains)?;
    let mut world = Vec::new();
    let mut order = Vec::new();
    if let Some(([longitude, latitude], celestial, _)) = &description.celestial {
        world.push(Chain::Leaf(Leaf::Sky(celestial.clone())));
        order.extend([*longitude, *latitude]);
    }
    for (index, axis) in description.axes.iter().enumerate() {
        let leaf = match &axis.meaning {
            Meaning::Longitude | Meaning::Latitude => continue,
            Meaning::Spectral(_, true) if axis.value == 0.0 => {
                return wrong("a logarithmic axis cannot have the reference value 0");
            }
            Meaning::Spectral(_, true) => Leaf::Exponential(axis.value),
            _ => Leaf::Shift(axis.value),
        };
        world.push(Chain::Leaf(leaf));
        order.push(index);
    }
    Chain::in_order(Chain::join(world), &order, &mut chains);
    Ok(Chain::Compose(chains))
}

/// Appends the linear transformation, divided into groups of axes that have no influence on each other.
fn linear(matrix: &[Vec<f64>], chains: &mut Vec<Chain>) -> Result<()> {
    let count = matrix.len();
    // Number of the group of each axis.
    let mut groups: Vec<usize> = (0..count).collect();
    for i in 0..count {
        for j in 0..count {
            if i != j && matrix[i][j] != 0.0 && groups[i] != groups[j] {
                let (kept, joined) = (groups[i].min(groups[j]), groups[i].max(groups[j]));
                groups.iter_mut().filter(|group| **group == joined).for_each(|group| *group = kept);
            }
        }
    }
    let singular = || Error::new(Status::Singular, "the matrix from pixels to world coordinates has no inverse");
    let mut parts = Vec::new();
    let mut order = Vec::new();
    for group in 0..count {
        let members: Vec<usize> = (0..count).filter(|axis| groups[*axis] == group).collect();
        let part: Vec<Vec<f64>> = members.iter().map(|&i| members.iter().map(|&j| matrix[i][j]).collect()).collect();
        let leaf = match &part[..] {
            [] => continue,
            [row] if row[0] == 0.0 => return Err(singular()),
            [row] => Leaf::Scale(row[0]),
            [one, other] if one[0] * other[1] - one[1] * other[0] == 0.0 => return Err(singular()),
            [one, other] => Leaf::Affine([one[0], one[1], other[0], other[1]]),
            _ => {
                let inverse = inverse(&part).ok_or_else(singular)?;
                Leaf::Dense(Dense { matrix: part, inverse })
            }
        };
        parts.push(Chain::Leaf(leaf));
        order.extend(members);
    }
    Chain::in_order(Chain::join(parts), &order, chains);
    Ok(())
}
