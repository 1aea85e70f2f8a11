//! The description in an ASDF file: the parts that the tree cannot express. It is stored under the key `ndl` of the
//! root, in the grouped form and without values of arrays.

use crate::error::Result;
use crate::file::{File, Node, copy_to_tree};
use crate::ndl::compare::same;
use crate::ndl::{
    Attribute, Content, Datatype, Description, DimCoord, Dimension, Extensions, Group, Named, Ndarray, ReadOptions,
    Size, Storage, TextOptions, parse,
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
pub(in crate::ndl::asdf) fn of(description: &Description, described: &Description) -> Option<Description> {
    let mut side = Description::default();
    for (path, group) in description.groups.iter() {
        let counterpart = described.groups.get(path);
        let is_told = |name: &str, attribute: &Attribute| {
            counterpart
                .and_then(|described| described.attributes.get(name))
                .is_some_and(|described| is_same_attribute(described, attribute))
        };
        let attributes: Named<Attribute> = group
            .attributes
            .iter()
            .filter(|(name, attribute)| !is_told(name, attribute))
            .map(|(name, attribute)| (name, attribute.clone()))
            .collect();
        // A group without a counterpart in `described`, for example a list that is described as an attribute, is kept
        // too.
        if counterpart.is_none() || !attributes.is_empty() || !group.extensions.is_empty() {
            side.groups.insert(path, Group { listed: true, attributes, extensions: group.extensions.clone() });
        }
    }
    for (path, dimcoord) in description.dimcoords.iter() {
        side.dimcoords.insert(path, DimCoord { value: None, ..dimcoord.clone() });
    }
    for (path, ndarray) in description.ndarrays.iter() {
        if !described.ndarrays.get(path).is_some_and(|counterpart| is_same_ndarray(counterpart, ndarray)) {
            side.ndarrays.insert(path, Ndarray { value: None, ..ndarray.clone() });
        }
    }
    side.extensions = without_version(&description.extensions);
    (side != Description::default()).then_some(side)
}

fn without_version(extensions: &Extensions) -> Extensions {
    extensions.iter().filter(|(key, _)| *key != VERSION_KEY).map(|(key, content)| (key, content.clone())).collect()
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

fn is_same_ndarray(described: &Ndarray, ndarray: &Ndarray) -> bool {
    let extents = |shape: &Option<Vec<Dimension>>| {
        shape.as_ref().map(|shape| shape.iter().map(|dimension| dimension.extent).collect::<Vec<Size>>())
    };
    let has_coordinates =
        ndarray.shape.iter().flatten().any(|dimension| dimension.coordinate.is_some() || dimension.spelling.is_some());
    // Every file has a byte order, even if the description gives none.
    let endian = ndarray.storage.endian.or(described.storage.endian);
    is_same_datatype(&described.datatype, &ndarray.datatype)
        && extents(&described.shape) == extents(&ndarray.shape)
        && !has_coordinates
        && described.storage == Storage { endian, ..ndarray.storage.clone() }
        && ndarray.attributes.is_empty()
        && ndarray.extensions.is_empty()
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
    if let (Some(first), false) = (parsed.diagnostics.first(), parsed.is_valid()) {
        return Err(Error::new(Status::BadArray, format!("{}: {}", first.place, first.message)));
    }
    let mut side = parsed.description;
    side.extensions = without_version(&side.extensions);
    Ok(Some(side))
}
