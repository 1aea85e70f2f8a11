//! A WCS from its nodes.

use super::frame::Frame;
use super::wcs::{Step, Wcs};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::wcs::build::build;
use crate::wcs::build::fields::{Fields, content, items, place_of, refused};
use crate::wcs::options::BuildOptions;

/// Largest number of steps.
const MAX_STEPS: usize = 1024;

impl Wcs {
    /// Reads the WCS of a node of gwcs.
    pub(in crate::wcs) fn of_gwcs(node: &Node, options: &BuildOptions) -> Result<Wcs> {
        Wcs::read(&Fields::new(node)?, options)
    }

    fn read(fields: &Fields, options: &BuildOptions) -> Result<Wcs> {
        let name = fields.get("name")?.map(|name| content(name.string(""))).transpose()?;
        let nodes = items(&fields.required("steps")?)?;
        if nodes.is_empty() || nodes.len() > MAX_STEPS {
            return fields.bad("steps", &format!("expected 1 to {MAX_STEPS} steps"));
        }
        let mut steps: Vec<Step> = Vec::with_capacity(nodes.len());
        for (number, node) in nodes.iter().enumerate() {
            let step = Fields::new(&node.resolved()?)?;
            let node = step.required("frame")?;
            let frame = Frame::read(&node)?;
            if steps.iter().any(|other| other.frame.name == frame.name) {
                return refused(&node, Status::TagContent, &format!("there are two frames '{}'", frame.name));
            }
            let transform = step.get("transform")?;
            if number + 1 == nodes.len() && transform.is_some() {
                return step.bad("transform", "no transform can follow the last frame");
            }
            steps.push(Step {
                frame,
                transform: transform_of(&step, transform, options)?,
                place: place_of(&step.node),
            });
        }
        for number in 1..steps.len() {
            let (Ok(before), Ok(after)) = (&steps[number - 1].transform, &steps[number].transform) else { continue };
            let (outputs, inputs) = (before.whole().outputs.len(), after.whole().inputs.len());
            if outputs != inputs {
                let message = format!("the transform has {inputs} inputs, but the step before it {outputs} outputs");
                return Err(steps[number].place.error_at(Status::Arity, "transform", &message));
            }
        }
        let pixel_shape = pixel_shape(fields, &steps)?;
        Ok(Wcs::new(name, steps, pixel_shape))
    }
}

/// Builds the transform of a step. A failure that is not of the machine is kept.
fn transform_of(
    step: &Fields,
    node: Option<Node>,
    options: &BuildOptions,
) -> Result<std::result::Result<crate::wcs::model::Model, Error>> {
    let Some(node) = node else {
        let message = "no transform leads from this frame to the next";
        return Ok(Err(step.error("transform", Status::NoTransform, message)));
    };
    match build(&node, options) {
        Err(error) if error.is_of_machine() => Err(error),
        result => Ok(result),
    }
}

fn pixel_shape(fields: &Fields, steps: &[Step]) -> Result<Option<Vec<i64>>> {
    let Some(node) = fields.get("pixel_shape")? else { return Ok(None) };
    let mut shape = Vec::new();
    for item in items(&node)? {
        if item.node_type("")? != NodeType::Integer {
            return fields.bad("pixel_shape", "expected integers");
        }
        shape.push(content(item.i64(""))?);
    }
    let first = steps.first();
    let axes = first.map_or(0, |step| step.frame.axes.len());
    let inputs = first.and_then(|step| step.transform.as_ref().ok()).map_or(axes, |model| model.whole().inputs.len());
    if shape.len() != axes && (axes != 0 || shape.len() != inputs) {
        return fields.bad("pixel_shape", &format!("expected {axes} lengths"));
    }
    Ok(Some(shape))
}
