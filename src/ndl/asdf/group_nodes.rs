//! Groups and their attributes as mappings, lists and scalars of a tree, with what `x-asdf` keys tell of them.

use super::create::{Creator, RESERVED, check_place};
use super::form::{self, Holder};
use super::sequence::ListLength;
use super::tree_value::{self, Targets};
use super::{fact, pointer};
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::ndl::model::path_name;
use crate::ndl::{Attribute, Datatype, DatatypeKind, Description, Elements, Group, ROOT, Value};
use crate::tree::path::escape;
use crate::tree::scalar::YAML_TAG_PREFIX;
use std::cell::Cell;

/// Parts of tags of the standard by which a node is no group and no plain scalar.
const OWN_TAGS: [&str; 3] = ["/core/ndarray-", "/core/complex-", "/core/integer-"];

impl Creator<'_> {
    /// Makes a group, with null for each item of a list.
    pub(super) fn group(&mut self, root: &Node, path: &str, list: ListLength) -> Result<()> {
        let place = pointer(path);
        let ListLength::Items(count) = list else {
            if list == ListLength::Unknown {
                self.note(path, "what is in it is not numbered as the items of a list are; stored as a mapping");
            }
            return root.set_mapping(&place, false);
        };
        root.set_sequence(&place, false)?;
        // What is in the group takes their places.
        (0..count).try_for_each(|_| root.set_null(&format!("{place}/-")))
    }

    /// Gives a group the null values and the tag that are told of it.
    pub(super) fn group_form(
        &mut self,
        root: &Node,
        description: &Description,
        (path, group): (&str, &Group),
        is_mapping: bool,
    ) -> Result<()> {
        if is_mapping {
            self.nulls(root, description, path, group)?;
        }
        if path == ROOT && fact(&group.extensions, "kind").is_some() {
            let reason = "the root of a file is a mapping; it is stored as one";
            self.lose(Holder::Group(path.to_owned()), "kind", reason);
        }
        self.group_tag(root, path, group)
    }

    /// Null under the keys that are told of a group.
    fn nulls(&mut self, root: &Node, description: &Description, path: &str, group: &Group) -> Result<()> {
        for key in form::texts(&group.extensions, "null") {
            let child = path_name::join(&pointer(path), &escape(key));
            let is_reserved = path == ROOT && RESERVED.contains(&key);
            let is_taken = group.attributes.contains(key)
                || description.contains(&child)
                || self.spellings.contains(&child)
                || root.get(&child).is_ok();
            if is_reserved || is_taken {
                self.lose(
                    Holder::Group(path.to_owned()),
                    "null",
                    format!("something else than null has the key '{key}'"),
                );
            } else {
                check_place(&child, 0)?;
                root.set_null(&child)?;
            }
        }
        Ok(())
    }

    fn group_tag(&mut self, root: &Node, path: &str, group: &Group) -> Result<()> {
        let Some(tag) = form::text(&group.extensions, "tag") else { return Ok(()) };
        let place = pointer(path);
        let fits = match tag.strip_prefix(YAML_TAG_PREFIX) {
            Some("map" | "set") => root.node_type(&place)? == NodeType::Mapping,
            Some("seq" | "omap" | "pairs") => root.node_type(&place)? == NodeType::Sequence,
            Some(_) => false,
            // Those would make something else of the group.
            None => is_foreign_tag(tag),
        };
        if path == ROOT || !fits || root.set_tag(&place, Some(tag)).is_err() {
            self.lose(Holder::Group(path.to_owned()), "tag", "a group cannot have its tag; it is left out");
        }
        Ok(())
    }

    /// An attribute of a group, as far as the tree can hold it; the sidecar has the others.
    pub(super) fn attribute(
        &mut self,
        root: &Node,
        description: &Description,
        group: &str,
        (name, attribute): (&str, &Attribute),
    ) -> Result<()> {
        let (Some(datatype), Some(value)) = (&attribute.datatype, &attribute.value) else {
            return Err(Error::new(Status::Incomplete, format!("the attribute '{name}' lacks datatype or value")));
        };
        let targets = Targets { description, masks: &self.masks, dangling: Cell::new(0) };
        let complex = complex_of(value, datatype);
        let is_plain = match datatype.kind() {
            DatatypeKind::String | DatatypeKind::Integer(_) | DatatypeKind::Float(_) => true,
            DatatypeKind::Enum(enumeration) => enumeration.is_boolean(),
            DatatypeKind::Objref => targets.are_known(value.elements()),
            _ => complex.is_some(),
        };
        let child = path_name::join(&pointer(group), &escape(name));
        let is_reserved = group == ROOT && RESERVED.contains(&name);
        let is_taken = is_reserved || description.contains(&child) || self.spellings.contains(&child);
        if !is_plain || is_taken {
            if matches!(datatype.kind(), DatatypeKind::Objref) && !is_taken {
                let message =
                    "a reference leads to nothing; the attribute is known to the description in the file alone";
                self.note(&child, message);
            }
            return Ok(());
        }
        check_place(&child, value.shape().len())?;
        match complex {
            Some((real, imaginary)) => root.set_complex(&child, real, imaginary)?,
            None => tree_value::write(root, &child, value.shape(), Some(value.elements()), datatype, &targets)?,
        }
        self.attribute_form(root, &child, group, (name, attribute))
    }

    /// Makes of the text of an attribute what `x-asdf` says that it was: a tagged scalar, a large integer, a reference into
    /// another file.
    fn attribute_form(
        &mut self,
        root: &Node,
        child: &str,
        group: &str,
        (name, attribute): (&str, &Attribute),
    ) -> Result<()> {
        let holder = || Holder::Attribute(group.to_owned(), name.to_owned());
        let single = match attribute.value.as_ref().map(|value| (value.shape(), value.elements())) {
            Some(([], Elements::Texts(texts))) => texts.get(0),
            _ => None,
        };
        if fact(&attribute.extensions, "kind").is_some() {
            let set = match (form::text(&attribute.extensions, "kind"), single) {
                (Some("integer"), Some(digits)) => root.set_integer(child, digits),
                (Some("reference"), Some(uri)) => root.set_reference(child, uri),
                _ => Err(Error::new(Status::InvalidArgument, "")),
            };
            if set.is_err() {
                self.lose(holder(), "kind", "it is not of the kind that is told; it is stored as it is described");
            }
        }
        let Some(tag) = form::text(&attribute.extensions, "tag") else { return Ok(()) };
        let fits = match tag.strip_prefix(YAML_TAG_PREFIX) {
            // The resolution of other tags would change the value.
            Some("timestamp") => single.is_some_and(|text| root.set_timestamp(child, text).is_ok()),
            Some("binary") => single.is_some() && root.set_tag(child, Some(tag)).is_ok() && root.binary(child).is_ok(),
            Some(_) => false,
            None => {
                let is_scalar = attribute.value.as_ref().is_some_and(|value| value.shape().is_empty());
                is_scalar && is_foreign_tag(tag) && root.tag(child)?.is_none() && root.set_tag(child, Some(tag)).is_ok()
            }
        };
        if !fits {
            if let (Some(text), Some(_)) = (single, tag.strip_prefix(YAML_TAG_PREFIX)) {
                root.set_string(child, text)?;
            }
            self.lose(holder(), "tag", "it cannot have its tag; it is stored without");
        }
        Ok(())
    }
}

/// Whether a node may get a tag. Those of one application have no form that is set from outside, and some of the standard
/// would make an array or a number of the node.
fn is_foreign_tag(tag: &str) -> bool {
    !tag.starts_with('!') && !OWN_TAGS.iter().any(|own| tag.contains(own))
}

/// The parts of a single complex number as the tree holds one.
fn complex_of(value: &Value, datatype: &Datatype) -> Option<(f64, f64)> {
    let (Elements::Compound(columns), DatatypeKind::Compound(members)) = (value.elements(), datatype.kind()) else {
        return None;
    };
    let is_named = members.iter().map(|(name, _)| name).eq(["r", "i"]);
    match columns.as_slice() {
        [Elements::Float64(real), Elements::Float64(imaginary)] if is_named && value.shape().is_empty() => {
            Some((*real.first()?, *imaginary.first()?))
        }
        _ => None,
    }
}
