//! Nodes of a tree as JSON.

use super::failure::Result;
use super::walk::key_text;
use asdfkit::file::{Node, NodeType};
use asdfkit::{Error, NodeKind, Status};
use serde_json::{Map, Number, Value, json};

/// Maximum number of values. Aliases can multiply the nodes of a tree without end.
const MAX_VALUES: usize = 10_000_000;
/// Maximum depth of collections, which keeps the recursion within the stack.
const MAX_DEPTH: usize = 300;

/// Returns a number in decimal notation as JSON. Infinity and NaN, which JSON lacks, become strings.
pub(crate) fn number(text: &str) -> Value {
    match text {
        "NaN" => Value::from("NaN"),
        "inf" => Value::from("Infinity"),
        "-inf" => Value::from("-Infinity"),
        digits => digits.parse::<Number>().map_or_else(|_| Value::from(digits), Value::Number),
    }
}

/// Returns a floating-point number as JSON.
pub(crate) fn float(value: f64) -> Value {
    number(&format!("{value:?}"))
}

/// Returns the digits of an integer that is stored as a mapping, as those of any size are (`core/integer`). Returns `None`
/// for any other node, and for one that is not as its tag says.
pub(crate) fn large_integer(node: &Node) -> Result<Option<String>> {
    let is_one = Error::readable(node.node_type(""))? == Some(NodeType::Mapping) && node.kind("")? == NodeKind::Integer;
    if !is_one {
        return Ok(None);
    }
    Ok(Error::readable(node.integer(""))?)
}

/// Returns the tree at a node as JSON. Tags are left out; arrays become objects with the keys of their node.
///
/// Fails for a node that contains itself, and for more values than a program can be expected to read.
pub(crate) fn of_node(node: &Node) -> Result<Value> {
    let mut left = MAX_VALUES;
    convert(node, 0, &mut left)
}

fn convert(node: &Node, depth: usize, left: &mut usize) -> Result<Value> {
    if depth > MAX_DEPTH || *left == 0 {
        let message = "the part of the tree is too deep or too large for JSON, or contains itself";
        return Err(Error::new(Status::Limit, message).at_path(node.path()?).into());
    }
    *left -= 1;
    let node_type = match node.node_type("") {
        Ok(node_type) => node_type,
        Err(error) if error.is_of_machine() => return Err(error.into()),
        Err(error) => match node.reference("") {
            Ok(Some(uri)) => return Ok(json!({"$ref": uri})),
            _ => return Err(error.into()),
        },
    };
    Ok(match node_type {
        NodeType::Sequence => {
            let mut items = Vec::new();
            for index in 0..node.count("")? {
                items.push(convert(&node.item("", index)?, depth + 1, left)?);
            }
            Value::from(items)
        }
        NodeType::Mapping => {
            if let Some(digits) = large_integer(node)? {
                return Ok(number(&digits));
            }
            let mut pairs = Map::new();
            for index in 0..node.count("")? {
                let key = key_text(&node.key("", index)?);
                pairs.insert(key, convert(&node.item("", index)?, depth + 1, left)?);
            }
            Value::from(pairs)
        }
        _ => scalar(node)?,
    })
}

/// Returns a scalar as JSON. Timestamps, bytes and complex numbers become strings.
pub(crate) fn scalar(node: &Node) -> Result<Value> {
    Ok(match node.kind("")? {
        NodeKind::Null => Value::Null,
        NodeKind::Bool => Value::from(node.bool("")?),
        NodeKind::Integer => number(&node.integer("")?),
        NodeKind::Float => float(node.f64("")?),
        _ => match node.node_type("")? {
            NodeType::Null => Value::Null,
            NodeType::Bool => Value::from(node.bool("")?),
            NodeType::Integer => number(&node.integer("")?),
            NodeType::Float => float(node.f64("")?),
            _ => Value::from(node.text("")?),
        },
    })
}
