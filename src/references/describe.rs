//! Description of an array of one file for zarr.

use super::arrays::FoundArray;
use super::options::ReferenceOptions;
use super::stored::{StoredBytes, inexpressible, stored_bytes};
use super::url::ReferencedFile;
use super::values::value_of;
use super::variable::{Part, PartBytes, Variable};
use crate::array::{Array, ArraySource, Datatype, ReadOptions, dtype_text};
use crate::error::Result;
use crate::file::{Node, NodeKey, NodeType};
use crate::source::try_zeroed;
use std::sync::Arc;

/// Key of the names of dimensions, beside arrays as in zarr.
const DIMENSIONS: &str = "_ARRAY_DIMENSIONS";

/// A described array, and a note on what the description leaves out.
pub(super) struct Described {
    pub(super) variable: Variable,
    pub(super) note: Option<String>,
    /// The file with the elements, if it is another one.
    pub(super) external: Option<ReferencedFile>,
}

/// Describes an array of a file with this size.
///
/// Fails with [`Status::Unsupported`](crate::Status::Unsupported) if zarr cannot express the array, and like reading it.
pub(super) fn describe(
    found: &FoundArray,
    file: &ReferencedFile,
    file_size: u64,
    options: &ReferenceOptions,
) -> Result<Described> {
    let array = found.node.array("")?;
    let datatype = array.datatype().clone();
    if matches!(datatype, Datatype::Record(_)) {
        return Err(inexpressible("xarray does not read records"));
    }
    let item_size = datatype.item_size()?;
    if item_size == 0 {
        return Err(inexpressible("the elements have no bytes"));
    }
    let mut external = None;
    let stored = match array.source() {
        Some(ArraySource::Inline(_)) => inline(&array, item_size, options)?,
        Some(ArraySource::OtherFormat(_)) => return Err(inexpressible("the elements are in a file of another format")),
        Some(ArraySource::Uri(_)) => {
            let data_file = array.data_file()?;
            let folder = if options.url.ends_with('/') { &*options.url } else { "" };
            let file = ReferencedFile::of(&data_file, folder, true)?;
            let size = file.size.unwrap_or(0);
            let stored = stored_bytes(&array, &file.url, size)?;
            external = Some(file);
            stored
        }
        _ => stored_bytes(&array, &file.url, file_size)?,
    };
    let (fill, note) = fill_of(&array, &datatype, stored.needs_fill)?;
    let shape = stored.order.iter().map(|&axis| array.shape()[axis]).collect();
    let dimensions = dimensions_of(found, array.shape().len(), options)?;
    let part = Part { shape, bytes: stored.bytes };
    let variable = Variable {
        path: found.path.clone(),
        names: found.names.clone(),
        dtype: dtype_of(&array)?,
        fill,
        filters: stored.filters,
        dimensions: stored.order.iter().map(|&axis| dimensions[axis].clone()).collect(),
        order: stored.order,
        unit: array.unit().ok(),
        item_size,
        parts: vec![part],
    };
    Ok(Described { variable, note, external })
}

/// Returns the datatype as numpy writes it. Times of a chunked array keep their unit.
fn dtype_of(array: &Array) -> Result<String> {
    let declared = array.node()?;
    if let (Some(_), Ok(text)) = (array.chunk_shape(), declared.string(".zarray/dtype"))
        && text.trim_start_matches(['<', '>', '|', '=']).starts_with(['M', 'm'])
    {
        return Ok(text);
    }
    Ok(dtype_text(array.datatype(), array.byteorder()))
}

/// Returns the elements of an array in the tree.
fn inline(array: &Array, item_size: u64, options: &ReferenceOptions) -> Result<StoredBytes> {
    let size = array.element_count().unsigned_abs().saturating_mul(item_size);
    if options.inline_bytes == 0 {
        return Err(inexpressible(
            "the elements are in the tree, where references cannot point to; let them be written inline",
        ));
    }
    if size > options.inline_bytes {
        let message = format!("the elements are in the tree, and their {size} bytes are more than are written inline");
        return Err(inexpressible(message));
    }
    let mut bytes = try_zeroed(usize::try_from(size).unwrap_or(usize::MAX))?;
    array.read(array.datatype(), &mut bytes, &ReadOptions::default())?;
    let order = (0..array.shape().len()).collect();
    Ok(StoredBytes { bytes: PartBytes::Inline(Arc::new(bytes)), order, filters: Vec::new(), needs_fill: false })
}

/// Returns the fill value as JSON, and a note on a mask that zarr cannot express.
fn fill_of(array: &Array, datatype: &Datatype, needs_fill: bool) -> Result<(Option<String>, Option<String>)> {
    let node = array.node()?;
    if needs_fill {
        let fill = value_of(&node.at(".zarray/fill_value")?, datatype)?;
        let fill = fill.ok_or_else(|| inexpressible("the fill value of its missing chunks cannot be written"))?;
        return Ok((Some(fill), None));
    }
    if !array.is_masked() {
        return Ok((None, None));
    }
    let value = match node.node_type("mask") {
        Ok(NodeType::Integer | NodeType::Float) => value_of(&node.at("mask")?, datatype)?,
        _ => None,
    };
    let note = "the mask is not written, so readers take missing elements for present ones";
    Ok(match value {
        Some(value) => (Some(value), None),
        None => (None, Some(note.to_owned())),
    })
}

/// Returns the names of the dimensions: those of the options, of the key `_ARRAY_DIMENSIONS` beside the array, or names
/// of their own.
fn dimensions_of(found: &FoundArray, rank: usize, options: &ReferenceOptions) -> Result<Vec<String>> {
    let path = found.path.trim_start_matches('/');
    if let Some((_, names)) = options.dimensions.iter().find(|(of, _)| of.trim_start_matches('/') == path) {
        if names.len() == rank {
            return Ok(names.clone());
        }
        let message = format!("{} names were given for its {rank} dimensions", names.len());
        return Err(inexpressible(message));
    }
    let name = found.names.last().map_or("array", String::as_str);
    let usual = |axis: usize| match axis {
        0 if found.is_column => "row".to_owned(),
        _ => format!("{name}_dim_{axis}"),
    };
    let declared = match &found.parent {
        Some(parent) => declared_dimensions(parent, name, rank)?,
        None => None,
    };
    Ok(declared.unwrap_or_else(|| (0..rank).map(usual).collect()))
}

/// Returns the names that the mapping beside an array declares: a list for all arrays of this rank, or a mapping with a
/// list for each array.
fn declared_dimensions(parent: &Node, name: &str, rank: usize) -> Result<Option<Vec<String>>> {
    let Ok(mut declared) = parent.at(DIMENSIONS) else { return Ok(None) };
    if declared.node_type("")? == NodeType::Mapping {
        declared = match declared.pairs()?.find(|(key, _)| matches!(key, NodeKey::String(key) if key == name)) {
            Some((_, names)) => names,
            None => return Ok(None),
        };
    }
    if declared.node_type("")? != NodeType::Sequence || declared.count("")? != rank {
        return Ok(None);
    }
    let names: Result<Vec<String>> = declared.children()?.map(|name| name.string("")).collect();
    Ok(names.ok().filter(|names| names.iter().enumerate().all(|(at, name)| !names[..at].contains(name))))
}
