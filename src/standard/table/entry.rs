//! Reads the entries of `__serialized_columns__` as objects of astropy.

use super::encoded_array::{ARRAY_TAG, EncodedArray};
use super::keys::text;
use super::moment;
use super::object::{Attribute, Object};
use crate::error::Result;
use crate::file::{Node, NodeKey, NodeType};
use crate::standard::object_kind::ObjectKind;
use crate::table::serialized::{CLASS, COLUMN_TAG, INFO, UNIT_TAG};

/// Maximum number of objects inside one another.
const MAX_DEPTH: usize = 8;

/// Returns the object that an entry describes, or `None` if its class or an attribute is not known.
pub(super) fn object_of(entry: &Node) -> Result<Option<Object>> {
    object(entry, 0)
}

/// Returns an object of this kind with the attributes of an entry, whatever its class is.
pub(super) fn object_of_kind(entry: &Node, kind: ObjectKind) -> Result<Option<Object>> {
    attributes(entry, kind, 0)
}

fn object(entry: &Node, depth: usize) -> Result<Option<Object>> {
    match text(entry, CLASS)?.and_then(|class| ObjectKind::of_class(&class)) {
        Some(kind) => attributes(entry, kind, depth),
        None => Ok(None),
    }
}

fn attributes(mapping: &Node, kind: ObjectKind, depth: usize) -> Result<Option<Object>> {
    if depth > MAX_DEPTH || mapping.node_type("")? != NodeType::Mapping {
        return Ok(None);
    }
    let mut attributes = Vec::new();
    for index in 0..mapping.count("")? {
        let NodeKey::String(key) = mapping.key("", index)? else { return Ok(None) };
        let value = mapping.item("", index)?;
        if matches!(&*key, CLASS | INFO) || value.node_type("")? == NodeType::Null {
            continue;
        }
        match attribute(&value, depth)? {
            Some(attribute) => attributes.push((key, attribute)),
            None => return Ok(None),
        }
    }
    let mut object = Object { kind, attributes };
    if kind == ObjectKind::Time && object.get("value").is_none() {
        moment::with_text(&mut object);
    }
    Ok(Some(object))
}

fn attribute(value: &Node, depth: usize) -> Result<Option<Attribute>> {
    let Some(tag) = value.foreign_tag("")? else { return constant(value) };
    match &*tag {
        COLUMN_TAG => of_columns(value, depth),
        UNIT_TAG => Ok(text(value, "unit")?.map(Attribute::Unit)),
        ARRAY_TAG => Ok(EncodedArray::of_yaml(value)?.map(Attribute::Array)),
        _ => match ObjectKind::of_yaml_tag(&tag) {
            Some(kind) => Ok(attributes(value, kind, depth + 1)?.map(Attribute::Object)),
            None => Ok(None),
        },
    }
}

/// Returns an attribute that is stored in columns.
fn of_columns(value: &Node, depth: usize) -> Result<Option<Attribute>> {
    let Some(class) = text(value, CLASS)? else {
        return match text(value, "name")? {
            Some(name) => Ok(Some(Attribute::Column(name))),
            None => fields(value),
        };
    };
    // The mask of such an array is applied to the column of its values.
    if [".MaskedNDArray", ".MaskedColumn", ".MaskedRecarray"].iter().any(|masked| class.ends_with(masked)) {
        return match value.exists("data")? {
            true => attribute(&value.at("data")?, depth + 1),
            false => Ok(None),
        };
    }
    Ok(object(value, depth + 1)?.map(Attribute::Object))
}

fn fields(group: &Node) -> Result<Option<Attribute>> {
    let mut fields = Vec::new();
    for index in 0..group.count("")? {
        let (NodeKey::String(key), value) = (group.key("", index)?, group.item("", index)?) else { return Ok(None) };
        match text(&value, "name")? {
            Some(name) if value.foreign_tag("")?.as_deref() == Some(COLUMN_TAG) => fields.push((key, name)),
            _ => return Ok(None),
        }
    }
    Ok(Some(Attribute::Fields(fields)))
}

/// Returns an attribute that is a number, a truth value or text.
fn constant(value: &Node) -> Result<Option<Attribute>> {
    Ok(match value.node_type("")? {
        NodeType::String => Some(Attribute::Text(value.text("")?)),
        NodeType::Bool | NodeType::Integer | NodeType::Float => Some(Attribute::Literal(value.text("")?)),
        _ => None,
    })
}
