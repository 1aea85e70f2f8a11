//! How the metadata of a table tell what its columns are besides their values, as astropy has it: under
//! `__serialized_columns__` an entry for each such column, a mapping of attributes of which some stand for columns of the
//! file. What is meant by it is not said here.

use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, ORDERED_MAPPING_TAG, Scalar, Style, Tree};

/// The key of the entries in the metadata.
pub(crate) const KEY: &str = "__serialized_columns__";
/// The key of the dotted name that a class has in Python.
pub(crate) const CLASS: &str = "__class__";
/// The tag of what stands for a column of the file or, with a class, for an object made of several.
pub(crate) const COLUMN_TAG: &str = "!astropy.table.SerializedColumn";
/// The tag of units.
pub(crate) const UNIT_TAG: &str = "!astropy.units.Unit";
/// The class of columns for which another column says what is missing, so that an empty text is one.
pub(crate) const MASKED_CLASS: &str = "astropy.table.column.MaskedColumn";

/// The mapping of the entries, if the metadata have one. An ordered mapping may be the list that it is written as.
pub(crate) fn entries(tree: &Tree, meta: NodeId) -> Option<NodeId> {
    let meta = tree.dealias(meta);
    let found = if is_ordered_list(tree, meta) {
        tree.items(meta).iter().find_map(|&item| tree.find_token(tree.dealias(item), KEY))
    } else {
        tree.find_token(meta, KEY)
    };
    found.map(|entries| tree.dealias(entries)).filter(|&entries| tree.kind(entries) == Kind::Mapping)
}

/// Whether a node is an ordered mapping as a list of pairs.
pub(crate) fn is_ordered_list(tree: &Tree, node: NodeId) -> bool {
    tree.kind(node) == Kind::Sequence && tree.tag(node) == Some(ORDERED_MAPPING_TAG)
}

/// The text under a key of a mapping, if it is text.
pub(crate) fn text_under<'a>(tree: &'a Tree, mapping: NodeId, key: &str) -> Option<&'a str> {
    plain_text(tree, tree.dealias(tree.find_token(mapping, key)?))
}

/// The text of a scalar that means no more than that: a string without a tag besides YAML's own.
pub(crate) fn plain_text(tree: &Tree, node: NodeId) -> Option<&str> {
    match tree.scalar(node) {
        Ok(Scalar::String(text)) if tree.foreign_tag(node).is_none() => Some(text),
        _ => None,
    }
}

/// The name of the column of the file that a node stands for, if it does.
pub(crate) fn referred(tree: &Tree, node: NodeId) -> Option<&str> {
    let is_reference = tree.tag(node) == Some(COLUMN_TAG) && tree.find_token(node, CLASS).is_none();
    text_under(tree, node, "name").filter(|_| is_reference)
}

/// Whether an entry is of a column for which another one says what is missing, or nothing is.
pub(crate) fn is_masked(tree: &Tree, entry: NodeId) -> bool {
    text_under(tree, entry, CLASS) == Some(MASKED_CLASS)
}

/// Appends a text to a mapping.
pub(crate) fn append_text(tree: &mut Tree, mapping: NodeId, key: &str, text: &str) {
    tree.append_pair(mapping, key, Content::Scalar(text, Style::Automatic));
}

/// Appends a tagged mapping of one text, and gives it.
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

/// Appends what stands for a column of the file.
pub(crate) fn append_reference(tree: &mut Tree, mapping: NodeId, key: &str, name: &str) {
    append_tagged(tree, mapping, key, COLUMN_TAG, ("name", name));
}
