//! The description in an ASDF file: the parts that the tree cannot express. It is stored under the key `ndl` of the
//! root, in the grouped form and without values of arrays.

use crate::error::Result;
use crate::file::{File, Node, copy_to_tree};
use crate::ndl::compare::same;
use crate::ndl::{
    Attribute, Content, Datatype, Description, Dimension, Extensions, Group, Named, Ndarray, ReadOptions, Storage,
    TextOptions, parse,
};
use crate::tree::Tree;
use crate::yaml::{self, EmitOptions};
use crate::{Error, Limits, Status};

/// Key of the root for this description.
pub(in crate::ndl::asdf) const KEY: &str = "ndl";
/// Key for the version of the language.
const VERSION_KEY: &str = "x-ndl";
const VERSION: &str = "0.6.1";

/// Returns the parts of `description` that differ from `described`, the description of the tree.
pub(in crate::ndl::asdf) fn of(description: &Description, described: &Description) -> Result<Option<Description>> {
    let mut side = Description::default();
    for (path, group) in description.groups.iter() {
        let counterpart = described.groups.get(path);
        let is_told = |name: &str, attribute: &Attribute| {
            counterpart
                .and_then(|described| described.attributes.get(name))
                .is_some_and(|described| is_same_attribute(described, attribute))
        };
        let untold = group.attributes.iter().filter(|(name, attribute)| !is_told(name, attribute));
        let attributes = Named::collected(untold.map(|(name, attribute)| Ok((name, attribute.copied()?))))?;
        // A group without a counterpart in `described`, for example a list that is described as an attribute, is kept
        // too.
        if counterpart.is_none() || !attributes.is_empty() || !group.extensions.is_empty() {
            let extensions = group.extensions.copied(Content::copied)?;
            side.groups.add(path, Group { listed: true, attributes, extensions })?;
        }
    }
    for (path, dimcoord) in description.dimcoords.iter() {
        side.dimcoords.add(path, dimcoord.with_value(None)?)?;
    }
    for (path, ndarray) in description.ndarrays.iter() {
        let is_told = match described.ndarrays.get(path) {
            Some(counterpart) => is_same_ndarray(counterpart, ndarray)?,
            None => false,
        };
        if !is_told {
            side.ndarrays.add(path, ndarray.with_value(None)?)?;
        }
    }
    side.extensions = without_version(&description.extensions)?;
    Ok((side != Description::default()).then_some(side))
}

fn without_version(extensions: &Extensions) -> Result<Extensions> {
    let others = extensions.iter().filter(|(key, _)| *key != VERSION_KEY);
    Named::collected(others.map(|(key, content)| Ok((key, content.copied()?))))
}

fn is_same_attribute(described: &Attribute, attribute: &Attribute) -> bool {
    is_same_datatype(&described.datatype, &attribute.datatype)
        && described.shape == attribute.shape
        && described.value == attribute.value
        && attribute.storage.is_empty()
        && attribute.extensions.is_empty()
}

fn is_same_datatype(one: &Option<Datatype>, other: &Option<Datatype>) -> bool {
    one.as_ref().zip(other.as_ref()).is_some_and(|(one, other)| same::datatypes(one, other))
}

fn is_same_ndarray(described: &Ndarray, ndarray: &Ndarray) -> Result<bool> {
    let has_same_extents = match (&described.shape, &ndarray.shape) {
        (Some(one), Some(other)) => {
            let extent = |dimension: &Dimension| dimension.extent;
            one.iter().map(extent).eq(other.iter().map(extent))
        }
        (one, other) => one.is_none() && other.is_none(),
    };
    let has_coordinates =
        ndarray.shape.iter().flatten().any(|dimension| dimension.coordinate.is_some() || dimension.spelling.is_some());
    // Every file has a byte order, even if the description gives none.
    let endian = ndarray.storage.endian.or(described.storage.endian);
    let storage = Storage { endian, ..ndarray.storage.copied()? };
    Ok(is_same_datatype(&described.datatype, &ndarray.datatype)
        && has_same_extents
        && !has_coordinates
        && described.storage == storage
        && ndarray.attributes.is_empty()
        && ndarray.extensions.is_empty())
}

/// Writes the description to a file.
pub(in crate::ndl::asdf) fn write(mut side: Description, root: &Node) -> Result<()> {
    side.extensions.insert(VERSION_KEY, Content::plain(VERSION));
    let text = side.to_text(&TextOptions { grouped: true, ..TextOptions::default() })?;
    let tree = yaml::parse(text, 0, 1, &Limits::default())?.tree;
    let holder = File::of_tree(tree, None, &Limits::default());
    root.copy_from(KEY, &holder.root()?, None)
}

/// Reads the description in a file, if there is one. Fails if it is not valid.
pub(in crate::ndl::asdf) fn read(root: &Node) -> Result<Option<Description>> {
    let Some(node) = Error::readable(root.at(KEY))? else { return Ok(None) };
    let mut tree = Tree::new();
    let place = tree.root();
    copy_to_tree(&[(&node, place)], &mut tree)?;
    let mut text = String::new();
    yaml::emit_lines(&tree, &mut text, &EmitOptions::default())?;
    let parsed = parse(text.as_bytes(), &ReadOptions::default());
    if parsed.is_refused {
        return Err(Error::out_of_memory(text.len() as u64));
    }
    if let (Some(first), false) = (parsed.diagnostics.first(), parsed.is_valid()) {
        return Err(Error::new(Status::BadArray, format!("{}: {}", first.place, first.message)));
    }
    let mut side = parsed.description;
    side.extensions.remove(VERSION_KEY);
    Ok(Some(side))
}
