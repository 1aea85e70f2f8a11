//! Classes of columns, stored as in the metadata of ECSV tables under `__serialized_columns__`.

use super::object::Object;
use crate::error::Result;
use crate::file::{File, NewOptions, Node, NodeType};
use crate::limits::Limits;
use crate::table::serialized::{INFO, KEY, emptied_entry, entries_or_new};
use crate::tree::edit::Content;
use crate::tree::path::escape;
use crate::tree::{Style, Tree};
use std::collections::HashSet;

/// Name that astropy gives to the convention of such metadata.
pub(super) const SCHEMA: &str = "astropy-2.0";

/// A column with a class.
#[derive(Clone, Debug)]
pub(super) struct Serialized {
    pub(super) name: String,
    pub(super) object: Object,
    /// Description, format and metadata of a column that consists of several columns of the file.
    pub(super) info: Option<Node>,
}

impl Serialized {
    /// Adds the descriptions of columns to metadata. `masked` are the names of the columns with missing cells. Returns
    /// the new metadata.
    pub(super) fn add_to(meta: Option<Node>, columns: &[Serialized], masked: &HashSet<&str>) -> Result<Option<Node>> {
        if columns.is_empty() {
            return Ok(meta);
        }
        let whole = match &meta {
            Some(meta) => meta.file().for_copies(),
            None => File::new(&NewOptions::default()),
        };
        let whole = whole.root()?;
        match meta {
            Some(meta) if meta.node_type("")? == NodeType::Mapping => whole.copy_from("meta", &meta, None)?,
            Some(meta) => whole.copy_from("meta/meta", &meta, None)?,
            None => {}
        }
        for column in columns {
            let mut tree = Tree::new();
            let node = tree.place(tree.root(), "column")?;
            tree.replace(node, Content::Mapping(Style::Block));
            column.object.describe(&mut tree, node, masked)?;
            let described = File::of_tree(tree, None, &Limits::default()).root()?.at("column")?;
            let path = format!("meta/{KEY}/{}", escape(&column.name));
            whole.copy_from(&path, &described, None)?;
            if let Some(info) = &column.info {
                whole.copy_from(&format!("{path}/{INFO}"), info, None)?;
            }
        }
        whole.at("meta").map(Some)
    }
}

/// Returns metadata with the entry of an object, which replaces an older one of this name. `masked` are the names of the
/// columns with missing cells.
///
/// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if the metadata are no mapping.
pub(super) fn with_entry(meta: Option<&Node>, entry: &Serialized, masked: &HashSet<&str>) -> Result<Node> {
    let root = match meta {
        Some(meta) => meta.file().for_copies(),
        None => File::new(&NewOptions::default()),
    };
    let root = root.root()?;
    match meta {
        Some(meta) => root.copy_from("meta", meta, None)?,
        None => root.set_mapping("meta", false)?,
    }
    let place = root.at("meta")?;
    place.edit("", |tree| {
        let entries = entries_or_new(tree, place.id(), "describe times")?;
        let node = emptied_entry(tree, entries, &entry.name);
        entry.object.describe(tree, node, masked)
    })?;
    if let Some(info) = &entry.info {
        root.copy_from(&format!("meta/{KEY}/{}/{INFO}", escape(&entry.name)), info, None)?;
    }
    root.at("meta")
}

/// Returns the astropy time format of points in time stored as text.
pub(super) fn format_of_text(text: &str) -> &'static str {
    match text.as_bytes() {
        [b'J', ..] => "jyear_str",
        [b'B', ..] => "byear_str",
        [b'+' | b'-', ..] => "fits",
        [_, _, _, _, b':', ..] => "yday",
        bytes if bytes.get(10) == Some(&b'T') => "isot",
        _ => "iso",
    }
}
