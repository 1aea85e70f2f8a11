//! Entries of a header in the tree.

use crate::core::Node;
use crate::failure::{Failure, Result, status};
use crate::fits::card::{Card, Value};
use crate::to_asdf::Entry;

/// Types of nodes in the core.
pub(crate) mod node_type {
    pub(crate) const NULL: i32 = 0;
    pub(crate) const BOOL: i32 = 1;
    pub(crate) const INTEGER: i32 = 2;
    pub(crate) const FLOAT: i32 = 3;
    pub(crate) const SEQUENCE: i32 = 7;
}

/// Reads the entries of the header under a node.
pub(crate) fn read(node: &Node) -> Result<Vec<Entry>> {
    let count = node.count("header")?;
    (0..count).map(|index| read_entry(&node.item("header", index)?)).collect()
}

fn read_entry(list: &Node) -> Result<Entry> {
    if list.node_type("")? != node_type::SEQUENCE {
        return Err(Failure::new(status::WRONG_TYPE, "a card of a header in the tree is not a sequence"));
    }
    let count = list.count("")?;
    let keyword = if count > 0 { list.get_string("0")? } else { String::new() };
    let value = if count > 1 { Some(read_value(list)?) } else { None };
    let comment = if count > 2 { list.get_string("2")? } else { String::new() };
    Ok(Entry { keyword, value, comment })
}

fn read_value(list: &Node) -> Result<Value> {
    Ok(match list.node_type("1")? {
        node_type::NULL => Value::Undefined,
        node_type::BOOL => Value::Bool(list.get_bool("1")? != 0),
        node_type::INTEGER => match list.get_i64("1") {
            Ok(value) => Value::Integer(value),
            Err(_) => Value::Float(list.get_f64("1")?),
        },
        node_type::FLOAT => Value::Float(list.get_f64("1")?),
        _ => Value::Text(list.get_string("1")?),
    })
}

/// Card that an entry stands for.
pub(crate) fn card_of(entry: &Entry) -> Card {
    let value = match (&entry.value, entry.keyword.as_str()) {
        (Some(Value::Text(text)), "COMMENT" | "HISTORY" | "") => Value::Commentary(text.clone()),
        (None, "COMMENT" | "HISTORY" | "") => Value::Commentary(String::new()),
        (None, _) => Value::Undefined,
        (Some(value), _) => value.clone(),
    };
    Card { keyword: entry.keyword.clone(), value, comment: entry.comment.clone() }
}

/// Returns whether two entries say the same. Python leaves out values that are false, zero or empty if there is no comment.
pub(crate) fn same(one: &Entry, other: &Entry) -> bool {
    one.keyword.eq_ignore_ascii_case(&other.keyword)
        && one.comment.trim_end() == other.comment.trim_end()
        && match (&one.value, &other.value) {
            (None, None) => true,
            (None, Some(value)) | (Some(value), None) => one.comment.is_empty() && is_empty(value),
            (Some(one), Some(other)) => same_value(one, other),
        }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Undefined | Value::Bool(false) | Value::Integer(0) => true,
        Value::Float(value) => *value == 0.0,
        Value::Text(text) => text.is_empty(),
        _ => false,
    }
}

#[allow(clippy::cast_precision_loss)]
pub(crate) fn same_value(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Integer(integer), Value::Float(float)) | (Value::Float(float), Value::Integer(integer)) => {
            *integer as f64 == *float
        }
        (Value::Text(one), Value::Text(other)) => one.trim_end() == other.trim_end(),
        _ => one == other,
    }
}
