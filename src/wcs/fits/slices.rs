//! Slices of the pixel axes of a WCS, as `SlicedLowLevelWCS` of astropy has them.

use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::wcs::build::fields::{Fields, content, items, place_of};
use crate::wcs::kernel::each;
use crate::wcs::kernel::elementary::Shift;
use crate::wcs::model::{BoundingBox, Limits, Model, Operation, Part, Where};
use crate::wcs::world::Wcs;
use std::sync::Arc;

/// Slice of a pixel axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slice {
    /// The axis from an index on, up to another one.
    From(i64, Option<i64>),
    /// One index, which removes the axis.
    At(i64),
}

/// Slices of all pixel axes, the first pixel axis first.
#[derive(Clone, Debug)]
pub(in crate::wcs) struct Slices {
    slices: Vec<Slice>,
    place: Where,
}

impl Slices {
    /// Reads the slices of a node.
    pub(in crate::wcs) fn read(fields: &Fields) -> Result<Slices> {
        let nodes = items(&fields.required("slices_array")?)?;
        // The last axis comes first.
        let slices = nodes.iter().rev().map(slice).collect::<Result<_>>()?;
        Ok(Slices { slices, place: place_of(&fields.node) })
    }

    /// Returns the WCS of the pixels that are left. World axes that depend on none of them are left out.
    pub(in crate::wcs) fn apply(&self, wcs: &Wcs) -> Result<Wcs> {
        let forward = wcs.forward()?;
        let dependence = wcs.axis_correlation()?;
        let (inputs, outputs) = forward.arity();
        if inputs != self.slices.len() {
            let message = format!("{} slices do not fit {inputs} pixel axes", self.slices.len());
            return Err(self.place.error_at(Status::TagContent, "slices_array", &message));
        }
        let is_left = |axis: usize| matches!(self.slices[axis], Slice::From(..));
        let pixels: Vec<usize> = (0..inputs).filter(|axis| is_left(*axis)).collect();
        let world: Vec<usize> =
            (0..outputs).filter(|output| pixels.iter().any(|&axis| dependence[*output][axis])).collect();
        if pixels.is_empty() || world.is_empty() {
            return Err(self.place.error_at(Status::TagContent, "slices_array", "no axis is left"));
        }
        let mut model = self.model(&forward.model, &pixels, &world);
        let (limits, shape) = (self.limits(wcs, &pixels), self.shape(wcs, &pixels));
        model.set_limits(limits.map(|limits| Arc::new(Limits::Box(limits))));
        let frames: Vec<_> = wcs.frames().collect();
        let [Some(first), Some(last)] = [frames.first(), frames.last()] else {
            return Err(Error::new(Status::Internal, "a WCS has no frames"));
        };
        Ok(Wcs::of_model(wcs.name().map(str::to_owned), first.with_axes(&pixels), model, last.with_axes(&world), shape))
    }

    /// Returns the model of the remaining axes.
    fn model(&self, forward: &Model, pixels: &[usize], world: &[usize]) -> Model {
        let fixed: Vec<(usize, f64)> = (0..self.slices.len())
            .filter_map(|axis| match self.slices[axis] {
                Slice::At(index) => Some((axis, index as f64)),
                Slice::From(..) => None,
            })
            .collect();
        let whole = if fixed.is_empty() { forward.clone() } else { forward.fixed(&fixed) };
        let mut parts = Vec::new();
        let mut shifts = None;
        for (position, axis) in pixels.iter().enumerate() {
            let Slice::From(start, _) = self.slices[*axis] else { continue };
            parts.push(Part::bare(Operation::Kernel(each(Shift(start as f64))), 1, 1));
            let next = parts.len() - 1;
            shifts = Some(match shifts {
                None => next,
                Some(before) => {
                    parts.push(Part::bare(Operation::Concatenate(before, next), position + 1, position + 1));
                    parts.len() - 1
                }
            });
        }
        let shifts = Model { root: shifts.unwrap_or_default(), parts: Arc::new(parts) };
        let all = whole.whole().outputs.len();
        let mut models = vec![shifts, whole];
        if world.len() < all {
            let part = Part::bare(Operation::Remap(world.to_vec()), all, world.len());
            models.push(Model { parts: Arc::new(vec![part]), root: 0 });
        }
        Model::chain(&models).unwrap_or_else(|| forward.clone())
    }

    /// Returns the limits of the remaining axes.
    fn limits(&self, wcs: &Wcs, pixels: &[usize]) -> Option<BoundingBox> {
        let limits = wcs.bounding_box().ok()?;
        let moved = |axis: &usize| match self.slices[*axis] {
            Slice::From(start, _) => {
                limits.get(*axis).copied().flatten().map(|ends| ends.map(|end| end - start as f64))
            }
            Slice::At(_) => None,
        };
        Some(BoundingBox(pixels.iter().map(moved).collect()))
    }

    /// Returns the numbers of pixels along the remaining axes.
    fn shape(&self, wcs: &Wcs, pixels: &[usize]) -> Option<Vec<i64>> {
        let shape = wcs.pixel_shape()?;
        let length = |axis: &usize| match self.slices[*axis] {
            Slice::From(start, end) => {
                let whole = *shape.get(*axis)?;
                Some((end.map_or(whole, |end| end.min(whole)) - start).max(0))
            }
            Slice::At(_) => None,
        };
        pixels.iter().map(length).collect()
    }
}

fn slice(node: &Node) -> Result<Slice> {
    if node.node_type("")? == NodeType::Integer {
        return Ok(Slice::At(content(node.i64(""))?));
    }
    let fields = Fields::new(node)?;
    let index = |key: &str| fields.get(key)?.map(|node| content(node.i64(""))).transpose();
    if index("step")?.is_some_and(|step| step != 1) {
        return Err(fields.error("step", Status::Unsupported, "slices with steps are not supported"));
    }
    Ok(Slice::From(index("start")?.unwrap_or(0), index("stop")?))
}
