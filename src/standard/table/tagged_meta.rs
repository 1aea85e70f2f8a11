//! Metadata with objects of astropy. In the header of an ECSV table they have tags of astropy, numpy and Python; in an
//! ASDF file they are the nodes that asdf-astropy writes.

use super::encoded_array::{ARRAY_TAG, EncodedArray};
use super::entry;
use super::keys::text;
use super::notes::Convert;
use super::object::{Attribute, Object};
use super::read_object::{ObjectReader, ReadArrays};
use super::stored_unit::set_unit;
use super::write_object::{ObjectWriter, can_be_metadata};
use crate::error::{Result, Status};
use crate::file::Node;
use crate::standard::object_kind::ObjectKind;
use crate::standard::tags::{Tagged, meaning};
use crate::standard::units::node as unit;
use crate::table::serialized::{UNIT_TAG, append_text};
use crate::tags::{self, STANDARD, name_in};
use crate::tree::edit::Content;
use crate::tree::{Style, complex};
use std::collections::HashSet;

/// Tags of complex numbers and tuples of Python.
const COMPLEX_TAG: &str = "tag:yaml.org,2002:python/complex";
const TUPLE_TAG: &str = "tag:yaml.org,2002:python/tuple";

impl Convert for ObjectWriter<'_> {
    /// Replaces a node with a tag of astropy, numpy or Python by the node that ASDF has for it. A node that ASDF has
    /// nothing for stays as it is.
    fn convert(&self, node: &Node, tag: &str) -> Result<bool> {
        to_asdf(node, tag, self)
    }
}

fn to_asdf(node: &Node, tag: &str, writer: &ObjectWriter) -> Result<bool> {
    match tag {
        TUPLE_TAG => node.set_tag("", None).map(|()| false),
        COMPLEX_TAG => match python_complex(&node.text("")?) {
            Some((real, imaginary)) => node.set_complex("", real, imaginary).map(|()| true),
            None => Ok(false),
        },
        UNIT_TAG => match text(node, "unit")? {
            Some(unit) => set_unit(node, "", &unit, writer.tags).map(|()| true),
            None => Ok(false),
        },
        ARRAY_TAG => match EncodedArray::of_yaml(node)? {
            Some(array) => array.set(node, writer.arrays).map(|()| true),
            None => Ok(false),
        },
        _ => match ObjectKind::of_yaml_tag(tag) {
            Some(kind) => object_to_asdf(node, kind, writer),
            None => Ok(false),
        },
    }
}

fn object_to_asdf(node: &Node, kind: ObjectKind, writer: &ObjectWriter) -> Result<bool> {
    let Some(object) = entry::object_of_kind(node, kind)? else { return Ok(false) };
    if !can_be_metadata(&object) || object.has_columns() {
        return Ok(false);
    }
    node.set_null("")?;
    writer.object(node, &object)?;
    Ok(true)
}

/// Reads a complex number in the notation of Python: `1.5`, `2j`, `1e-3-2.5j`.
fn python_complex(text: &str) -> Option<(f64, f64)> {
    let number = |text: &str| text.parse::<f64>().ok();
    let Some(both) = text.strip_suffix(['j', 'J']) else { return Some((number(text)?, 0.0)) };
    let is_exponent = |at: usize| both.get(..at).is_some_and(|before| before.ends_with(['e', 'E']));
    let signs = both.char_indices().skip(1).filter(|&(at, sign)| matches!(sign, '+' | '-') && !is_exponent(at));
    match signs.last() {
        Some((at, _)) => {
            let (real, imaginary) = both.split_at(at);
            number(real).zip(number(imaginary))
        }
        None => Some((0.0, number(both)?)),
    }
}

/// Arrays that stay parts of objects.
struct KeptArrays;

impl ReadArrays for KeptArrays {
    fn read_array(&mut self, _name: &str, _unit: Option<String>, array: &Node) -> Result<Attribute> {
        EncodedArray::of_array(array).map(Attribute::Array)
    }

    fn makes_columns(&self) -> bool {
        false
    }
}

/// A value that has a tag in the header of an ECSV table.
pub(super) enum YamlObject {
    Unit(String),
    Complex(f64, f64),
    Object(Object),
}

impl YamlObject {
    /// Reads a node of an ASDF file with this tag; `None` if it is none of these objects, or one that cannot be read.
    pub(super) fn of_asdf(node: &Node, tag: &str) -> Result<Option<YamlObject>> {
        if name_in(STANDARD, tag) == Some(tags::COMPLEX) {
            return node.complex("").map(|(real, imaginary)| Some(YamlObject::Complex(real, imaginary)));
        }
        if unit::is_unit_tag(tag) {
            return unit::required(node).map(|text| Some(YamlObject::Unit(text)));
        }
        match meaning(tag) {
            Tagged::Quantity | Tagged::Time | Tagged::TimeDelta | Tagged::Object(_) => {}
            Tagged::Representation | Tagged::Icrs => {}
            _ => return Ok(None),
        }
        match ObjectReader(&mut KeptArrays).attribute(node, "", 0) {
            Ok(Attribute::Object(object)) => Ok(Some(YamlObject::Object(object))),
            Ok(_) => Ok(None),
            Err(error) if matches!(error.status(), Status::Unsupported | Status::TagContent) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Replaces a node by the value, as astropy writes it into the header of an ECSV table.
    pub(super) fn set(&self, node: &Node) -> Result<()> {
        match self {
            YamlObject::Complex(real, imaginary) => {
                let text = complex::format(*real, *imaginary);
                let number = text.strip_suffix(['i', 'j']).unwrap_or(&text);
                node.set_string("", &format!("{number}j"))?;
                node.set_tag("", Some(COMPLEX_TAG))
            }
            YamlObject::Unit(unit) => node.edit("", |tree| {
                let place = tree.place(node.id(), "")?;
                let place = tree.dealias(place);
                tree.replace(place, Content::Mapping(Style::Flow));
                tree.set_tag(place, Some(UNIT_TAG));
                append_text(tree, place, "unit", unit);
                Ok(())
            }),
            YamlObject::Object(object) => node.edit("", |tree| {
                let place = tree.place(node.id(), "")?;
                let place = tree.dealias(place);
                tree.replace(place, Content::Mapping(Style::Block));
                tree.set_tag(place, Some(&object.kind.yaml_tag()));
                object.append_attributes(tree, place, &HashSet::new())
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_of_python_are_read() {
        for (text, number) in [
            ("1.5", (1.5, 0.0)),
            ("2j", (0.0, 2.0)),
            ("-2j", (0.0, -2.0)),
            ("1e-3-2.5e+2j", (1e-3, -250.0)),
            ("nan+infj", (f64::NAN, f64::INFINITY)),
        ] {
            let (real, imaginary) = python_complex(text).unwrap();
            assert!((real == number.0 || real.is_nan() && number.0.is_nan()) && imaginary == number.1, "{text}");
        }
        assert_eq!(python_complex("1+j2"), None);
    }
}
