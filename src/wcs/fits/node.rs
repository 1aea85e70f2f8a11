//! A WCS of `astropy.wcs` in a tree: its header cards, and attributes that are in no card.

use super::card::{Header, Value};
use super::cards::of_description;
use super::description::Description;
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::fits::card::MAX_CARDS;
use crate::reserve;
use crate::wcs::build::fields::{Fields, content, items, refused};
use crate::wcs::model::BoundingBox;
use crate::wcs::world::Wcs;

/// Reads a node with a FITS header.
pub(in crate::wcs) fn read(node: &Node) -> Result<Wcs> {
    let fields = Fields::new(node)?;
    let attributes = Fields::new(&fields.required("attrs")?.resolved()?)?;
    let cards = header_node(&fields)?;
    let header = header(&cards)?;
    let letter = letter(&attributes)?;
    let place = |error: Error| match error.status() {
        Status::InvalidArgument => cards.locate(Error::new(Status::TagContent, error.message())),
        _ => cards.locate(error),
    };
    let mut description = Description::read(&header, letter).map_err(place)?;
    let count = description.axes.len();
    if let Some(shape) = numbers(&attributes, "pixel_shape", count)? {
        description.shape = shape.iter().map(|length| length.map(|length| length as i64)).collect();
    }
    of_description(&description, bounds(&attributes, count)?).map_err(place)
}

/// Returns the node of the cards of the first header.
pub(super) fn header_node(fields: &Fields) -> Result<Node> {
    let units = items(&fields.required("hdulist")?.resolved()?)?;
    let Some(first) = units.first() else { return fields.bad("hdulist", "there is no header") };
    Fields::new(&first.resolved()?)?.required("header")?.resolved()
}

/// Returns the letter of an alternate WCS.
pub(super) fn letter(attributes: &Fields) -> Result<char> {
    let Some(node) = attributes.get("key")? else { return Ok(' ') };
    let text = content(node.string(""))?;
    match text.chars().collect::<Vec<char>>()[..] {
        [] => Ok(' '),
        [letter] => Ok(letter),
        _ => attributes.bad("key", "expected a letter"),
    }
}

/// Reads cards: lists of keyword, value and comment.
pub(super) fn header(node: &Node) -> Result<Header> {
    let nodes = items(node)?;
    if nodes.len() > MAX_CARDS {
        return Err(node.locate(Error::limit("cards of a header", MAX_CARDS as u64)));
    }
    let mut cards = reserve::list_for(nodes.len())?;
    for (number, card) in nodes.iter().enumerate() {
        if let Some((keyword, value)) = parts(card)? {
            let value = match value.node_type("")? {
                NodeType::Integer | NodeType::Float => {
                    value.f64("").map_or_else(|error| Value::Damaged(error.to_string()), Value::Number)
                }
                NodeType::Bool => Value::Logical(value.bool("")?),
                NodeType::String => Value::Text(value.string("")?),
                _ => continue,
            };
            cards.push((keyword, number, value));
        }
    }
    Ok(Header::new(cards))
}

/// Returns the keyword of a card and the node of its value; `None` without a value.
pub(super) fn parts(card: &Node) -> Result<Option<(String, Node)>> {
    match &items(card)?[..] {
        [keyword, value, ..] if keyword.node_type("")? == NodeType::String => {
            Ok(Some((keyword.string("")?, value.clone())))
        }
        [_, _, ..] => refused(card, Status::TagContent, "expected a keyword"),
        // A card without a value, as blank ones are.
        _ => Ok(None),
    }
}

/// Reads a list with a number or null for each axis.
fn numbers(attributes: &Fields, key: &str, count: usize) -> Result<Option<Vec<Option<f64>>>> {
    let Some(nodes) = attributes.list(key)? else { return Ok(None) };
    if nodes.len() != count {
        return attributes.bad(key, &format!("expected an entry for each of {count} axes"));
    }
    let read = |node: &Node| match node.node_type("")? {
        NodeType::Null => Ok(None),
        _ => content(node.f64("")).map(Some),
    };
    nodes.iter().map(read).collect::<Result<_>>().map(Some)
}

/// Reads the bounds of the pixels.
fn bounds(attributes: &Fields, count: usize) -> Result<Option<BoundingBox>> {
    let Some(nodes) = attributes.list("pixel_bounds")? else { return Ok(None) };
    if nodes.len() != count {
        return attributes.bad("pixel_bounds", &format!("expected an entry for each of {count} axes"));
    }
    let mut limits = Vec::with_capacity(count);
    for node in &nodes {
        if node.node_type("")? == NodeType::Null {
            limits.push(None);
            continue;
        }
        match &items(node)?[..] {
            [low, high] => limits.push(Some([content(low.f64(""))?, content(high.f64(""))?])),
            _ => return refused(node, Status::TagContent, "expected the two ends of an interval"),
        }
    }
    Ok(Some(BoundingBox(limits)))
}
