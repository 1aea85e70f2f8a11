//! Bounding boxes of transforms.

use super::fields::{Fields, content, items, numbers, quantity, refused};
use crate::error::{Result, Status};
use crate::file::{Node, NodeKey, NodeType};
use crate::wcs::model::{BoundingBox, CompoundBox, Interval, Limits, Part};
use std::sync::Arc;

/// Returns the bounding box that the file gives to a part.
pub(super) fn limits(fields: &Fields, part: &Part) -> Result<Option<Arc<Limits>>> {
    let Some(node) = fields.get("bounding_box")? else { return Ok(None) };
    let limits = if node.node_type("")? == NodeType::Sequence {
        Limits::Box(listed(&node, part)?)
    } else {
        let fields = Fields::new(&node)?;
        match fields.get("cbbox")? {
            Some(boxes) => Limits::Compound(compound(&fields, &boxes, part)?),
            None => Limits::Box(named(&fields, part, &[])?),
        }
    };
    Ok(Some(Arc::new(limits)))
}

/// Reads the ends of an interval, in the unit of the input.
fn interval(node: &Node, part: &Part, input: usize) -> Result<Interval> {
    let mut ends = Vec::new();
    let wanted = part.units.inputs.get(input).cloned().flatten();
    if node.node_type("")? == NodeType::Sequence && !node.is_array("")? {
        for end in items(node)? {
            let end = quantity(&end)?;
            let factor = end.unit.as_ref().zip(wanted.as_ref()).and_then(|(unit, wanted)| unit.factor_to(wanted));
            ends.push(end.value * factor.unwrap_or(1.0));
        }
    } else {
        ends = numbers(node)?.values;
    }
    match ends[..] {
        [low, high] => Ok([low, high]),
        _ => refused(node, Status::TagContent, "expected the two ends of an interval"),
    }
}

/// Reads a list of intervals, the last input first, or the interval of a single input.
fn listed(node: &Node, part: &Part) -> Result<BoundingBox> {
    let entries = items(node)?;
    let count = part.inputs.len();
    let is_nested = match entries.first() {
        Some(first) => first.node_type("")? == NodeType::Sequence,
        None => false,
    };
    if count == 1 && !is_nested {
        return Ok(BoundingBox(vec![Some(interval(node, part, 0)?)]));
    }
    if entries.len() != count || !is_nested {
        return refused(node, Status::TagContent, &format!("expected an interval for each of {count} inputs"));
    }
    let intervals = entries.iter().rev().enumerate().map(|(input, entry)| interval(entry, part, input).map(Some));
    Ok(BoundingBox(intervals.collect::<Result<_>>()?))
}

fn input_of(node: &Node, name: &str, part: &Part) -> Result<usize> {
    match part.inputs.iter().position(|input| input == name) {
        Some(input) => Ok(input),
        None => refused(node, Status::TagContent, &format!("the transform has no input '{name}'")),
    }
}

/// Reads intervals by the names of inputs. Each input has one unless it is ignored.
fn named(fields: &Fields, part: &Part, ignored: &[usize]) -> Result<BoundingBox> {
    check_order(fields)?;
    let mut intervals = vec![None; part.inputs.len()];
    let node = fields.required("intervals")?;
    for (key, value) in node.pairs()? {
        let NodeKey::String(name) = key else {
            return refused(&value, Status::TagContent, "expected the name of an input");
        };
        let input = input_of(&value, &name, part)?;
        intervals[input] = Some(interval(&value, part, input)?);
    }
    let mut ignored = ignored.to_vec();
    for name in fields.texts("ignore")?.unwrap_or_default() {
        ignored.push(input_of(&fields.node, &name, part)?);
    }
    for (input, interval) in intervals.iter().enumerate() {
        if interval.is_some() == ignored.contains(&input) {
            let message =
                format!("expected either an interval for the input '{}', or that it is ignored", part.inputs[input]);
            return refused(&fields.node, Status::TagContent, &message);
        }
    }
    Ok(BoundingBox(intervals))
}

fn check_order(fields: &Fields) -> Result<()> {
    match fields.text("order")?.as_deref() {
        None | Some("C" | "F") => Ok(()),
        Some(other) => fields.bad("order", &format!("there is no order '{other}'")),
    }
}

fn compound(fields: &Fields, boxes: &Node, part: &Part) -> Result<CompoundBox> {
    check_order(fields)?;
    let (mut selectors, mut ignored) = (Vec::new(), Vec::new());
    for selector in items(&fields.required("selector_args")?)? {
        let selector = Fields::new(&selector)?;
        let argument = selector.required("argument")?;
        let input = match argument.node_type("")? {
            NodeType::Integer => match usize::try_from(content(argument.i64(""))?) {
                Ok(input) if input < part.inputs.len() => input,
                _ => return refused(&argument, Status::TagContent, "the transform has no such input"),
            },
            _ => input_of(&argument, &content(argument.string(""))?, part)?,
        };
        if selector.bool("ignore")?.unwrap_or(true) {
            ignored.push(input);
        }
        selectors.push(input);
    }
    for name in fields.texts("ignore")?.unwrap_or_default() {
        ignored.push(input_of(&fields.node, &name, part)?);
    }
    let mut all = Vec::new();
    for entry in items(boxes)? {
        let entry = Fields::new(&entry)?;
        let key = numbers(&entry.required("key")?)?.values;
        if key.len() != selectors.len() {
            return entry.bad("key", "expected a number for each selecting input");
        }
        let node = entry.required("bbox")?;
        let limits = if node.node_type("")? == NodeType::Sequence {
            shortened(&node, part, &ignored)?
        } else {
            let fields = Fields::new(&node)?;
            let own = fields.texts("ignore")?.unwrap_or_default();
            let rest: Vec<usize> =
                ignored.iter().copied().filter(|input| !own.contains(&part.inputs[*input])).collect();
            named(&fields, part, &rest)?
        };
        all.push((key, limits));
    }
    Ok(CompoundBox { selectors, boxes: all })
}

/// Reads a list of intervals of the inputs that are not ignored, the last one first.
fn shortened(node: &Node, part: &Part, ignored: &[usize]) -> Result<BoundingBox> {
    let kept: Vec<usize> = (0..part.inputs.len()).filter(|input| !ignored.contains(input)).collect();
    let mut intervals = vec![None; part.inputs.len()];
    if let [input] = kept[..] {
        intervals[input] = Some(interval(node, part, input)?);
        return Ok(BoundingBox(intervals));
    }
    let entries = items(node)?;
    if entries.len() != kept.len() {
        return refused(node, Status::TagContent, &format!("expected {} intervals", kept.len()));
    }
    for (input, entry) in kept.into_iter().rev().zip(&entries) {
        intervals[input] = Some(interval(entry, part, input)?);
    }
    Ok(BoundingBox(intervals))
}
