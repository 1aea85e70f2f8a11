//! Properties of tables and columns for which the ASDF nodes of tables and columns have no key.
//!
//! They are stored in the `meta` of the node under a separate key, and are removed from there on reading. Programs that
//! do not know the key preserve it.

use super::serialized::SCHEMA;
use crate::error::{Error, Result, Status};
use crate::file::{Node, NodeType};
use crate::table::serialized::KEY as ENTRIES;
use crate::table::{CellShape, ColumnHeader, ElementType, Header};
use crate::tags;
use crate::tree::path::escape;

/// Key in `meta` that holds the notes.
const KEY: &str = "__ecsv__";

/// Key of the notes about objects that consist of several columns.
const INFOS: &str = "info";

/// Key of the note about cells of different lengths.
const CELLS: &str = "cells";

/// Conversion of nodes with tags that only YAML outside of ASDF has.
pub(super) trait Convert {
    /// Replaces a node with this tag. Returns whether the node and its children are done.
    fn convert(&self, node: &Node, tag: &str) -> Result<bool>;
}

/// Notes about a column or a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// Pairs of key and text.
    pub(super) texts: Vec<(&'static str, String)>,
}

impl Notes {
    /// Known keys.
    const KEYS: [&str; 4] = ["format", "datatype", "subtype", "schema"];

    fn of(texts: impl IntoIterator<Item = (&'static str, Option<String>)>) -> Notes {
        Notes { texts: texts.into_iter().filter_map(|(key, text)| Some((key, text?))).collect() }
    }

    /// Returns the notes about a column: its display format, and the type of its texts if they are not just strings.
    pub(super) fn of_column(header: &ColumnHeader) -> Notes {
        let datatype = match header.element_type {
            ElementType::Float128 | ElementType::Complex256 | ElementType::Json => {
                Some(header.element_type.name().to_owned())
            }
            _ => None,
        };
        let is_plain = header.cell_shape == CellShape::Scalar && header.element_type != ElementType::Json;
        let subtype = header.declared_subtype.clone().filter(|_| is_plain);
        Notes::of([("format", header.format.clone()), ("datatype", datatype), ("subtype", subtype)])
    }

    /// Returns the notes about a table as a whole.
    pub(super) fn of_table(header: &Header) -> Notes {
        Notes::of([("schema", header.schema.clone())])
    }

    /// Returns the notes about a table whose objects are nodes. Their presence tells the convention of astropy.
    pub(super) fn of_astropy_table(header: &Header) -> Notes {
        Notes::of([("schema", header.schema.clone().filter(|schema| schema != SCHEMA))])
    }

    /// Reads notes.
    pub(super) fn read(noted: &Node) -> Result<Notes> {
        let mut notes = Notes::default();
        for key in Notes::KEYS {
            match noted.string(key) {
                Ok(text) => notes.texts.push((key, text)),
                Err(error) if error.status() == Status::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(notes)
    }

    /// Returns the text under a key.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.texts.iter().find(|(known, _)| *known == key).map(|(_, text)| &**text)
    }
}

/// Stores metadata and notes under the key `meta` of a node, if there are any.
pub(super) fn write_meta(node: &Node, meta: Option<&Node>, notes: &Notes, convert: &dyn Convert) -> Result<()> {
    let path = "meta";
    let noted = format!("{path}/{KEY}");
    match meta {
        Some(meta) if meta.node_type("")? == NodeType::Mapping && !meta.exists(KEY)? => {
            node.copy_from(path, meta, None)?;
            adapt(node, path, Some(convert))?;
        }
        // In ASDF tables, metadata must be a mapping, and the key of the notes is taken.
        Some(meta) => {
            node.copy_from(&format!("{noted}/meta"), meta, None)?;
            adapt(node, path, Some(convert))?;
        }
        None => {}
    }
    for (key, text) in &notes.texts {
        node.set_string(&format!("{noted}/{key}"), text)?;
    }
    Ok(())
}

/// Stores description, metadata and notes of a column in a node that has no place for them.
pub(super) fn write_noted(
    node: &Node,
    description: Option<&str>,
    meta: Option<&Node>,
    notes: &Notes,
    convert: &dyn Convert,
) -> Result<()> {
    if let Some(text) = description {
        node.set_string(&format!("{KEY}/description"), text)?;
    }
    if let Some(meta) = meta {
        let path = format!("{KEY}/meta");
        node.copy_from(&path, meta, None)?;
        adapt(node, &path, Some(convert))?;
    }
    notes.texts.iter().try_for_each(|(key, text)| node.set_string(&format!("{KEY}/{key}"), text))
}

/// Notes description, format and metadata of an object in the metadata of a table.
pub(super) fn write_info(table: &Node, name: &str, info: &Node) -> Result<()> {
    let path = format!("meta/{KEY}/{INFOS}/{}", escape(name));
    table.copy_from(&path, info, None)?;
    adapt(table, &path, None)
}

/// Notes description, format and metadata of a column in the metadata of a table, if there are any.
pub(super) fn write_info_of_column(table: &Node, header: &ColumnHeader) -> Result<()> {
    let path = format!("meta/{KEY}/{INFOS}/{}", escape(&header.name));
    for (key, text) in [("description", &header.description), ("format", &header.format)] {
        if let Some(text) = text {
            table.set_string(&format!("{path}/{key}"), text)?;
        }
    }
    if let Some(meta) = &header.meta {
        table.copy_from(&format!("{path}/meta"), meta, None)?;
        adapt(table, &format!("{path}/meta"), None)?;
    }
    Ok(())
}

/// Replaces the nodes below one that only YAML outside of ASDF has: objects, and ordered mappings. All mappings in ASDF
/// keep their order, and PyYAML expects that tag on a sequence. The entries of objects that stay columns keep theirs.
fn adapt(node: &Node, path: &str, convert: Option<&dyn Convert>) -> Result<()> {
    let mut pending = vec![node.at(path)?];
    let entries = Error::readable(node.at(&format!("{path}/{ENTRIES}")))?.map(|node| node.identity("")).transpose()?;
    let mut seen = std::collections::HashSet::new();
    while let Some(node) = pending.pop() {
        let identity = node.identity("")?;
        if node.reference("")?.is_some() {
            continue;
        }
        // An alias of an object gets a node of its own.
        if let Some(convert) = convert
            && let Some(tag) = node.tag("")?
            && convert.convert(&node, &tag)?
        {
            continue;
        }
        if !seen.insert(identity) {
            continue;
        }
        let node_type = node.node_type("")?;
        if node_type == NodeType::Mapping && node.tag("")?.as_deref() == Some(tags::FULL_ORDERED_MAPPING) {
            node.set_tag("", None)?;
        }
        if matches!(node_type, NodeType::Mapping | NodeType::Sequence) && Some(identity) != entries {
            for index in 0..node.count("")? {
                pending.push(node.item("", index)?);
            }
        }
    }
    Ok(())
}

/// Returns the mapping with the notes in a node.
pub(super) fn noted(node: &Node) -> Result<Option<Node>> {
    if node.node_type("")? != NodeType::Mapping {
        return Ok(None);
    }
    match Error::readable(node.at(KEY))? {
        Some(noted) if noted.node_type("")? == NodeType::Mapping => Ok(Some(noted)),
        _ => Ok(None),
    }
}

/// Returns the notes about objects that consist of several columns, by name of the object.
pub(super) fn infos(meta: &Node) -> Result<Option<Node>> {
    let Some(noted) = noted(meta)? else { return Ok(None) };
    Error::readable(noted.at(INFOS))
}

/// Returns the path of the note about cells of different lengths, from the node of a column.
pub(super) fn cells_path() -> String {
    format!("meta/{KEY}/{CELLS}")
}

/// Returns the note about cells of different lengths in the metadata of a column.
pub(super) fn cells(meta: &Node) -> Result<Option<Node>> {
    let Some(noted) = noted(meta)? else { return Ok(None) };
    Error::readable(noted.at(CELLS))
}

/// Separates metadata and the notes in them.
pub(super) fn read_meta(meta: Option<Node>) -> Result<(Option<Node>, Notes)> {
    let Some(meta) = meta else { return Ok((None, Notes::default())) };
    let Some(noted) = noted(&meta)? else { return Ok((Some(meta), Notes::default())) };
    let notes = Notes::read(&noted)?;
    let whole = Error::readable(noted.at("meta"))?;
    let copy = meta.file().for_copies().root()?;
    match whole {
        Some(whole) => copy.copy_from("meta", &whole, None)?,
        None if meta.count("")? == 1 => return Ok((None, notes)),
        None => {
            copy.copy_from("meta", &meta, None)?;
            copy.remove(&format!("meta/{KEY}"))?;
        }
    }
    Ok((Some(copy.at("meta")?), notes))
}
