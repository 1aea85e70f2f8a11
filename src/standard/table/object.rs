//! Objects of astropy that are columns of a table: sky coordinates, places on Earth, angles. Their arrays become columns,
//! and the rest becomes attributes as in the metadata of ECSV tables, under `__serialized_columns__`.

use super::encoded_array::EncodedArray;
use crate::error::Result;
use crate::standard::object_kind::ObjectKind;
use crate::table::serialized::{CLASS, COLUMN_TAG, UNIT_TAG, append_reference, append_tagged, append_text};
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
use std::collections::HashSet;

/// Python class of columns with missing values.
const MASKED_CLASS: &str = "astropy.utils.masked.core.MaskedNDArray";

/// An object with its attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) kind: ObjectKind,
    pub(super) attributes: Vec<(String, Attribute)>,
}

/// Value of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attribute {
    Text(String),
    /// A number or a truth value, as it is spelled.
    Literal(String),
    Unit(String),
    /// Name of the column with the values of all rows.
    Column(String),
    /// Fields of records: name of the field, name of its column.
    Fields(Vec<(String, String)>),
    /// An array that is not a column.
    Array(EncodedArray),
    Object(Object),
}

impl Object {
    /// Makes an object of values with a unit.
    pub(super) fn measured(kind: ObjectKind, unit: String, value: Attribute) -> Object {
        Object { kind, attributes: vec![("unit".to_owned(), Attribute::Unit(unit)), ("value".to_owned(), value)] }
    }

    /// Returns an attribute.
    pub(super) fn get(&self, key: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|(known, _)| known == key).map(|(_, attribute)| attribute)
    }

    /// Returns the text of an attribute, if it is text.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        match self.get(key)? {
            Attribute::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns whether a part of the object has a value for each row.
    pub(super) fn has_columns(&self) -> bool {
        // Objects are at most as deep as the reader of tables lets them be.
        self.attributes.iter().any(|(_, attribute)| match attribute {
            Attribute::Column(_) | Attribute::Fields(_) => true,
            Attribute::Object(object) => object.has_columns(),
            Attribute::Text(_) | Attribute::Literal(_) | Attribute::Unit(_) | Attribute::Array(_) => false,
        })
    }

    /// Appends the class and the attributes to a mapping. `masked` are the names of the columns with missing cells.
    pub(super) fn describe(&self, tree: &mut Tree, mapping: NodeId, masked: &HashSet<&str>) -> Result<()> {
        append_text(tree, mapping, CLASS, &self.kind.class());
        self.append_attributes(tree, mapping, masked)
    }

    /// Appends the attributes to a mapping.
    pub(super) fn append_attributes(&self, tree: &mut Tree, mapping: NodeId, masked: &HashSet<&str>) -> Result<()> {
        self.attributes.iter().try_for_each(|(key, attribute)| attribute.append(tree, mapping, key, masked))
    }
}

impl Attribute {
    /// Appends the attribute to a mapping.
    pub(super) fn append(&self, tree: &mut Tree, mapping: NodeId, key: &str, masked: &HashSet<&str>) -> Result<()> {
        match self {
            Attribute::Text(text) => append_text(tree, mapping, key, text),
            Attribute::Literal(text) => {
                tree.append_pair(mapping, key, Content::Scalar(text, Style::Plain));
            }
            Attribute::Unit(unit) => {
                append_tagged(tree, mapping, key, UNIT_TAG, ("unit", unit));
            }
            Attribute::Array(array) => array.append(tree, mapping, key),
            Attribute::Column(name) => append_values(tree, mapping, key, name, masked.contains(&**name)),
            Attribute::Fields(fields) => {
                let group = tree.append_pair(mapping, key, Content::Mapping(Style::Block));
                tree.set_tag(group, Some(COLUMN_TAG));
                fields.iter().for_each(|(field, name)| append_reference(tree, group, field, name));
            }
            Attribute::Object(object) => {
                let place = tree.append_pair(mapping, key, Content::Mapping(Style::Block));
                if object.has_columns() {
                    tree.set_tag(place, Some(COLUMN_TAG));
                    object.describe(tree, place, masked)?;
                } else {
                    tree.set_tag(place, Some(&object.kind.yaml_tag()));
                    object.append_attributes(tree, place, masked)?;
                }
            }
        }
        Ok(())
    }
}

/// Appends a reference to the column `name`, which may have missing cells.
pub(super) fn append_values(tree: &mut Tree, mapping: NodeId, key: &str, name: &str, is_masked: bool) {
    if is_masked {
        let value = append_tagged(tree, mapping, key, COLUMN_TAG, (CLASS, MASKED_CLASS));
        append_reference(tree, value, "data", name);
    } else {
        append_reference(tree, mapping, key, name);
    }
}
