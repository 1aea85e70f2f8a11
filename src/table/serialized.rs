//! Entries of astropy's `__serialized_columns__` in the metadata of a table. Each entry describes one logical column: a
//! mapping of attributes, some of which refer to columns of the file. This file finds and writes entries; it does not
//! interpret them.

use crate::error::{Error, Result, Status};
use crate::tags;
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree};

/// Key of the entries in the metadata.
pub(crate) const KEY: &str = "__serialized_columns__";
/// Key of the dotted name of the Python class.
pub(crate) const CLASS: &str = "__class__";
/// Key of unit, description, format and metadata that no column of the file has.
pub(crate) const INFO: &str = "__info__";
/// Tag of a reference to a column of the file; with a class, tag of an object that is made of several columns.
pub(crate) const COLUMN_TAG: &str = "!astropy.table.SerializedColumn";
/// Tag of units.
pub(crate) const UNIT_TAG: &str = "!astropy.units.Unit";
/// Class of columns whose mask is another column. Without a mask no cell is missing. An empty text is not missing.
pub(crate) const MASKED_CLASS: &str = "astropy.table.column.MaskedColumn";

/// Returns the mapping of the entries, if the metadata have one. The metadata may be an ordered mapping, written as a
/// list.
pub(crate) fn entries(tree: &Tree, meta: NodeId) -> Option<NodeId> {
    under_key(tree, meta).filter(|&entries| tree.kind(entries) == Kind::Mapping)
}

/// Returns the node under the key of the entries, whatever it is.
pub(crate) fn under_key(tree: &Tree, meta: NodeId) -> Option<NodeId> {
    let meta = tree.dealias(meta);
    let found = if is_ordered_list(tree, meta) {
        tree.items(meta).iter().find_map(|&item| tree.find_token(tree.dealias(item), KEY))
    } else {
        tree.find_token(meta, KEY)
    };
    found.map(|entries| tree.dealias(entries))
}

/// Returns the mapping of the entries, which is made if the metadata have none.
///
/// Fails with [`Status::InvalidArgument`] if the metadata are neither a mapping nor an ordered mapping, or if they have
/// something else under the key of the entries. `purpose` tells what the entries are needed for.
pub(crate) fn entries_or_new(tree: &mut Tree, meta: NodeId, purpose: &str) -> Result<NodeId> {
    let meta = tree.dealias(meta);
    match (entries(tree, meta), tree.kind(meta)) {
        (Some(entries), _) => Ok(entries),
        (None, _) if under_key(tree, meta).is_some() => {
            let message = format!("'{KEY}' in the metadata must be a mapping to {purpose}; rename the key");
            Err(Error::new(Status::InvalidArgument, message))
        }
        (None, Kind::Mapping) => Ok(tree.append_pair(meta, KEY, Content::Mapping(Style::Block))),
        (None, _) if is_ordered_list(tree, meta) => {
            let item = tree.append_item(meta, Content::Mapping(Style::Block));
            Ok(tree.append_pair(item, KEY, Content::Mapping(Style::Block)))
        }
        _ => {
            let message = format!("the metadata must be a mapping to {purpose}");
            Err(Error::new(Status::InvalidArgument, message))
        }
    }
}

/// Returns the entry of a name, empty and without a tag. It is made if there is none.
pub(crate) fn emptied_entry(tree: &mut Tree, entries: NodeId, name: &str) -> NodeId {
    match tree.find_token(entries, name) {
        Some(entry) => {
            tree.replace(entry, Content::Mapping(Style::Block));
            tree.set_tag(entry, None);
            entry
        }
        None => tree.append_pair(entries, name, Content::Mapping(Style::Block)),
    }
}

/// Returns whether a node is an ordered mapping, written as a list of pairs.
pub(crate) fn is_ordered_list(tree: &Tree, node: NodeId) -> bool {
    tree.kind(node) == Kind::Sequence && tree.tag(node) == Some(tags::FULL_ORDERED_MAPPING)
}

/// Returns the text under a key of a mapping, if the value is text.
pub(crate) fn text_under<'a>(tree: &'a Tree, mapping: NodeId, key: &str) -> Option<&'a str> {
    plain_text(tree, tree.dealias(tree.find_token(mapping, key)?))
}

/// Returns the text of a string scalar, unless it has a tag that is not YAML's own.
pub(crate) fn plain_text(tree: &Tree, node: NodeId) -> Option<&str> {
    match tree.scalar(node) {
        Ok(Scalar::String(text)) if tree.foreign_tag(node).is_none() => Some(text),
        _ => None,
    }
}

/// Returns the name of the column of the file that a node refers to, if it is a reference.
pub(crate) fn referred(tree: &Tree, node: NodeId) -> Option<&str> {
    let is_reference = tree.tag(node) == Some(COLUMN_TAG) && tree.find_token(node, CLASS).is_none();
    text_under(tree, node, "name").filter(|_| is_reference)
}

/// Returns the nodes that refer to a column of the table, each with the column's name.
pub(super) fn references(tree: &Tree) -> impl Iterator<Item = (NodeId, &str)> {
    tree.live_nodes().filter_map(|id| referred(tree, id).map(|name| (id, name)))
}

/// Returns whether an entry describes a masked column. Its mask is another column, or no cell is missing.
pub(crate) fn is_masked(tree: &Tree, entry: NodeId) -> bool {
    text_under(tree, entry, CLASS) == Some(MASKED_CLASS)
}

/// Appends a pair of a key and a text to a mapping.
pub(crate) fn append_text(tree: &mut Tree, mapping: NodeId, key: &str, text: &str) {
    tree.append_pair(mapping, key, Content::Scalar(text, Style::Automatic));
}

/// Appends a tagged mapping that has one text, and returns it.
pub(crate) fn append_tagged(
    tree: &mut Tree,
    mapping: NodeId,
    key: &str,
    tag: &str,
    (inner, text): (&str, &str),
) -> NodeId {
    let value = tree.append_pair(mapping, key, Content::Mapping(Style::Flow));
    tree.set_tag(value, Some(tag));
    append_text(tree, value, inner, text);
    value
}

/// Appends a reference to a column of the file.
pub(crate) fn append_reference(tree: &mut Tree, mapping: NodeId, key: &str, name: &str) {
    append_tagged(tree, mapping, key, COLUMN_TAG, ("name", name));
}
