//! Bounding boxes of cut-outs: the intervals in the tree are changed where they are.

use super::cut::Cut;
use crate::error::{Result, Status};
use crate::file::{Node, NodeKey, NodeType};
use crate::tags;
use crate::wcs::build::fields::{Fields, content, items, refused};

/// Moves the intervals of a box. Cuts belong to the first inputs.
pub(super) fn move_limits(node: &Node, names: &[String], cuts: &[Cut]) -> Result<()> {
    let node = node.resolved()?;
    if node.node_type("")? == NodeType::Sequence {
        return move_list(&node, &(0..names.len()).collect::<Vec<_>>(), cuts);
    }
    let fields = Fields::new(&node)?;
    let Some(boxes) = fields.get("cbbox")? else { return move_named(&fields, names, cuts) };
    let mut ignored = Vec::new();
    for selector in items(&fields.required("selector_args")?)? {
        let selector = Fields::new(&selector)?;
        let argument = selector.required("argument")?;
        let input = match argument.node_type("")? {
            NodeType::Integer => usize::try_from(content(argument.i64(""))?).unwrap_or(usize::MAX),
            _ => position(&argument, &content(argument.string(""))?, names)?,
        };
        if input < cuts.len() {
            let message = "a pixel axis that selects a bounding box cannot be cut";
            return refused(&argument, Status::Unsupported, message);
        }
        let is_kept = match selector.get("ignore")? {
            Some(ignore) => !content(ignore.bool(""))?,
            None => false,
        };
        if !is_kept {
            ignored.push(input);
        }
    }
    for name in fields.texts("ignore")?.unwrap_or_default() {
        ignored.push(position(&node, &name, names)?);
    }
    let kept: Vec<usize> = (0..names.len()).filter(|input| !ignored.contains(input)).collect();
    for entry in items(&boxes)? {
        let limits = Fields::new(&entry)?.required("bbox")?.resolved()?;
        match limits.node_type("")? {
            NodeType::Sequence => move_list(&limits, &kept, cuts)?,
            _ => move_named(&Fields::new(&limits)?, names, cuts)?,
        }
    }
    Ok(())
}

fn position(node: &Node, name: &str, names: &[String]) -> Result<usize> {
    match names.iter().position(|other| other == name) {
        Some(input) => Ok(input),
        None => refused(node, Status::TagContent, &format!("the transform has no input '{name}'")),
    }
}

fn move_named(fields: &Fields, names: &[String], cuts: &[Cut]) -> Result<()> {
    for (key, value) in fields.required("intervals")?.pairs()? {
        let NodeKey::String(name) = key else {
            return refused(&value, Status::TagContent, "expected the name of an input");
        };
        if let Some(cut) = cuts.get(position(&value, &name, names)?) {
            move_interval(&value, *cut)?;
        }
    }
    Ok(())
}

/// Moves a list of intervals of these inputs, the last one first, or the interval of a single input.
fn move_list(node: &Node, inputs: &[usize], cuts: &[Cut]) -> Result<()> {
    let entries = items(node)?;
    let is_nested = match entries.first() {
        Some(first) => first.resolved()?.node_type("")? == NodeType::Sequence,
        None => false,
    };
    if let ([input], false) = (inputs, is_nested) {
        return cuts.get(*input).map_or(Ok(()), |cut| move_interval(node, *cut));
    }
    if entries.len() != inputs.len() {
        return refused(node, Status::TagContent, &format!("expected an interval for each of {} inputs", inputs.len()));
    }
    for (entry, input) in entries.iter().rev().zip(inputs) {
        if let Some(cut) = cuts.get(*input) {
            move_interval(entry, *cut)?;
        }
    }
    Ok(())
}

/// Moves an interval: a list of two numbers or quantities, or an array.
fn move_interval(node: &Node, cut: Cut) -> Result<()> {
    let node = node.resolved()?;
    if node.node_type("")? != NodeType::Sequence || node.is_array("")? && node.tag("")?.is_some() {
        let values = content(node.array("").and_then(|array| array.read_vec::<f64>()))?;
        let [low, high] = values[..] else {
            return refused(&node, Status::TagContent, "expected the two ends of an interval");
        };
        let ends = cut.moved_interval([low, high]);
        node.set_sequence("", true)?;
        return ends.into_iter().try_for_each(|end| node.set_f64("-", end));
    }
    let mut places = Vec::new();
    for end in items(&node)? {
        let end = end.resolved()?;
        let is_quantity = end.tag("")?.is_some_and(|tag| tags::name_of(&tag) == Some(tags::QUANTITY));
        places.push(if is_quantity { end.at("value")?.resolved()? } else { end });
    }
    let [low, high] = &places[..] else {
        return refused(&node, Status::TagContent, "expected the two ends of an interval");
    };
    let ends = cut.moved_interval([content(low.f64(""))?, content(high.f64(""))?]);
    low.set_f64("", ends[0])?;
    high.set_f64("", ends[1])
}
