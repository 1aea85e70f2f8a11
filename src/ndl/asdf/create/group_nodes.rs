//! Writes groups and their attributes to the tree as mappings, lists and scalars, in the form that `x-asdf` keys ask
//! for.

use super::form::{self, Holder};
use super::sequence::ListLength;
use super::{Creator, RESERVED, check_place};
use crate::error::{Error, Result, Status};
use crate::file::{CHUNK_MAP, Node, NodeType, is_chunked_tag};
use crate::ndl::asdf::shared::names::{fact, pointer};
use crate::ndl::asdf::shared::tree_value::{self, Targets};
use crate::ndl::model::path_name;
use crate::ndl::{Attribute, Datatype, DatatypeKind, Description, Elements, Group, ROOT, Value};
use crate::tags;
use crate::tree::path::escape;
use std::cell::Cell;

impl Creator<'_> {
    /// Creates a group as a mapping, or as a list of null items.
    pub(super) fn group(&mut self, root: &Node, path: &str, list: ListLength) -> Result<()> {
        let place = pointer(path);
        let ListLength::Items(count) = list else {
            if list == ListLength::Unknown {
                self.note(
                    path,
                    "the names of the members are not consecutive list indices; the group is stored as a mapping",
                )?;
            }
            return root.set_mapping(&place, false);
        };
        root.set_sequence(&place, false)?;
        // The members of the group replace the null items later.
        (0..count).try_for_each(|_| root.set_null(&format!("{place}/-")))
    }

    /// Sets the null values and the tag of a group.
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
            let reason = "the root of a file must be a mapping, and is stored as one";
            self.lose(Holder::Group(path.to_owned()), "kind", reason)?;
        }
        self.group_tag(root, path, group)
    }

    /// Sets null for the keys that `x-asdf` lists.
    fn nulls(&mut self, root: &Node, description: &Description, path: &str, group: &Group) -> Result<()> {
        for key in form::texts(&group.extensions, "null") {
            let child = path_name::join(&pointer(path), &escape(key));
            let is_reserved = path == ROOT && RESERVED.contains(&key);
            let is_taken = group.attributes.contains(key)
                || description.contains(&child)
                || self.spellings.contains(&child)
                || root.at(&child).is_ok();
            if is_reserved || is_taken {
                self.lose(
                    Holder::Group(path.to_owned()),
                    "null",
                    format!("the key '{key}' is taken and cannot be null"),
                )?;
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
        if is_chunked_tag(tag) && group.attributes.contains(CHUNK_MAP) {
            let message = "a description does not hold the chunks of a chunked array, so no file can be made from it";
            return Err(Error::new(Status::Unsupported, message).at_path(path));
        }
        let fits = match tag.strip_prefix(tags::YAML) {
            Some("map" | "set") => root.node_type(&place)? == NodeType::Mapping,
            Some("seq" | "omap" | "pairs") => root.node_type(&place)? == NodeType::Sequence,
            Some(_) => false,
            // Standard tags for arrays and numbers would change the kind of the node.
            None => is_foreign_tag(tag),
        };
        if path == ROOT || !fits || root.set_tag(&place, Some(tag)).is_err() {
            self.lose(Holder::Group(path.to_owned()), "tag", "the tag does not suit a group and is left out")?;
        }
        Ok(())
    }

    /// Writes an attribute of a group if the tree can hold it. The description in the file keeps the others.
    pub(super) fn attribute(
        &mut self,
        root: &Node,
        description: &Description,
        group: &str,
        (name, attribute): (&str, &Attribute),
    ) -> Result<()> {
        let (Some(datatype), Some(value)) = (&attribute.datatype, &attribute.value) else {
            return Err(Error::new(Status::Incomplete, format!("the attribute '{name}' has no datatype or no value")));
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
                let message = "a reference has no target; only the description in the file keeps the attribute";
                self.note(&child, message)?;
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

    /// Restores the original form of a text attribute from its `x-asdf` keys: a tagged scalar, a large integer or a
    /// reference to another file.
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
            if Error::readable(set)?.is_none() {
                self.lose(
                    holder(),
                    "kind",
                    "the value does not match the kind under x-asdf and is stored as described",
                )?;
            }
        }
        let Some(tag) = form::text(&attribute.extensions, "tag") else { return Ok(()) };
        if let (true, Some(text)) = (tags::is_magnitude(tag), single)
            && let Some(of) = text.strip_prefix("mag(").and_then(|rest| rest.strip_suffix(')'))
        {
            root.set_string(child, if of == "1" { "" } else { of })?;
        }
        let fits = match tag.strip_prefix(tags::YAML) {
            // All other YAML tags would change the value.
            Some("timestamp") => single.is_some_and(|text| root.set_timestamp(child, text).is_ok()),
            Some("binary") => single.is_some() && root.set_tag(child, Some(tag)).is_ok() && root.binary(child).is_ok(),
            Some(_) => false,
            None => {
                let is_scalar = attribute.value.as_ref().is_some_and(|value| value.shape().is_empty());
                is_scalar && is_foreign_tag(tag) && root.tag(child)?.is_none() && root.set_tag(child, Some(tag)).is_ok()
            }
        };
        if !fits {
            if let (Some(text), Some(_)) = (single, tag.strip_prefix(tags::YAML)) {
                root.set_string(child, text)?;
            }
            self.lose(holder(), "tag", "the tag does not suit the value, which is stored without it")?;
        }
        Ok(())
    }
}

/// Returns true if a node may get this tag. Local tags (`!name`) cannot be set from outside, and some tags of the
/// standard would make an array or a number of a group or a plain scalar.
fn is_foreign_tag(tag: &str) -> bool {
    !tag.starts_with('!') && !matches!(tags::name_of(tag), Some(tags::NDARRAY | tags::COMPLEX | tags::INTEGER))
}

/// Returns the parts of a complex scalar, in the precision of the tree.
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
