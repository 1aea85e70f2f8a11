//! Metadata of a chunked array as a node of the tree, in the form 2 of zarr.

use crate::array::element::datatype::{ByteOrder, Datatype};
use crate::array::element::scalar_type::ScalarType;
use crate::array::payload::grid::Grid;
use crate::array::place::destination::Order;
use crate::codec::numcodecs::{Pipeline, Setting, Stage};
use crate::error::Result;
use crate::tags::CHUNKED;
use crate::tree::edit::Content;
use crate::tree::{Key, NodeId, Style, Tree};

/// Turns a node into the description of a chunked array, and returns the scalar with the number of the block of its map.
pub(crate) fn describe_chunked(
    tree: &mut Tree,
    node: NodeId,
    map: u64,
    grid: &Grid,
    datatype: &Datatype,
    (order, byteorder): (&Order, ByteOrder),
    pipeline: &Pipeline,
) -> Result<NodeId> {
    tree.replace(node, Content::Mapping(Style::Block));
    tree.set_tag(node, Some(&format!("{CHUNKED}-1.0.0")));
    let metadata = tree.append_pair(node, ".zarray", Content::Mapping(Style::Flow));
    append_list(tree, metadata, "chunks", grid.chunk());
    let plain = |tree: &mut Tree, key: &str, text: &str| {
        tree.append_pair(metadata, key, Content::Scalar(text, Style::Plain));
    };
    append_codecs(tree, metadata, "compressor", pipeline)?;
    append_dtype(tree, metadata, datatype, byteorder);
    match datatype.scalar() {
        Some(ScalarType::Bool8) => plain(tree, "fill_value", "false"),
        Some(ScalarType::Complex64 | ScalarType::Complex128) => {
            let parts = tree.append_pair(metadata, "fill_value", Content::Sequence(Style::Flow));
            for _ in 0..2 {
                tree.append_item(parts, Content::Scalar("0.0", Style::Plain));
            }
        }
        Some(ScalarType::Float16 | ScalarType::Float32 | ScalarType::Float64) => plain(tree, "fill_value", "0.0"),
        Some(_) => plain(tree, "fill_value", "0"),
        None => plain(tree, "fill_value", "null"),
    }
    append_codecs(tree, metadata, "filters", pipeline)?;
    plain(tree, "order", if *order == Order::Fortran { "F" } else { "C" });
    append_list(tree, metadata, "shape", grid.shape());
    plain(tree, "zarr_format", "2");
    Ok(tree.append_pair(node, crate::array::chunked::CHUNK_MAP, Content::Scalar(&map.to_string(), Style::Plain)))
}

/// Appends the compressor, or the list of filters, of chunks.
fn append_codecs(tree: &mut Tree, metadata: NodeId, key: &str, pipeline: &Pipeline) -> Result<()> {
    let place = tree.append_pair(metadata, key, Content::Scalar("null", Style::Plain));
    put_codecs(tree, place, key == "compressor", pipeline)
}

/// Replaces the compressor, or the list of filters, of chunks.
fn put_codecs(tree: &mut Tree, place: NodeId, is_compressor: bool, pipeline: &Pipeline) -> Result<()> {
    let stages = pipeline.stages().iter().filter(|stage| stage.is_compressor() == is_compressor);
    let configurations = stages.map(Stage::configuration).collect::<Result<Vec<_>>>()?;
    if configurations.is_empty() {
        tree.replace(place, Content::Scalar("null", Style::Plain));
    } else if !is_compressor {
        tree.replace(place, Content::Sequence(Style::Flow));
    }
    for configuration in configurations {
        let codec = match is_compressor {
            true => {
                tree.replace(place, Content::Mapping(Style::Flow));
                place
            }
            false => tree.append_item(place, Content::Mapping(Style::Flow)),
        };
        for (key, value) in configuration {
            match value {
                Setting::Text(text) => tree.append_pair(codec, key, Content::Scalar(&text, Style::Automatic)),
                Setting::Number(number) => {
                    tree.append_pair(codec, key, Content::Scalar(&number.to_string(), Style::Plain))
                }
            };
        }
    }
    Ok(())
}

/// Changes the codecs of a chunked array whose metadata are at this node.
pub(crate) fn redescribe_codecs(tree: &mut Tree, metadata: NodeId, pipeline: &Pipeline) -> Result<()> {
    for (key, is_compressor) in [("compressor", true), ("filters", false)] {
        match tree.find(metadata, Key::String(key)) {
            Some(place) => put_codecs(tree, place, is_compressor, pipeline)?,
            None => append_codecs(tree, metadata, key, pipeline)?,
        }
    }
    Ok(())
}

/// Appends a list of integers.
fn append_list(tree: &mut Tree, mapping: NodeId, key: &str, numbers: &[i64]) {
    let list = tree.append_pair(mapping, key, Content::Sequence(Style::Flow));
    for number in numbers {
        tree.append_item(list, Content::Scalar(&number.to_string(), Style::Plain));
    }
}

fn append_dtype(tree: &mut Tree, metadata: NodeId, datatype: &Datatype, byteorder: ByteOrder) {
    let place = tree.append_pair(metadata, "dtype", Content::Scalar("", Style::Automatic));
    let mut pending = vec![(place, datatype, byteorder)];
    while let Some((place, datatype, byteorder)) = pending.pop() {
        let Datatype::Record(fields) = datatype else {
            tree.replace(place, Content::Scalar(&dtype_text(datatype, byteorder), Style::Automatic));
            continue;
        };
        tree.replace(place, Content::Sequence(Style::Flow));
        for (number, field) in fields.iter().enumerate() {
            let item = tree.append_item(place, Content::Sequence(Style::Flow));
            let name = field.name.clone().unwrap_or_else(|| format!("f{number}"));
            tree.append_item(item, Content::Scalar(&name, Style::Automatic));
            let dtype = tree.append_item(item, Content::Scalar("", Style::Automatic));
            pending.push((dtype, &field.datatype, field.byteorder.unwrap_or(byteorder)));
            if !field.shape.is_empty() {
                let shape = tree.append_item(item, Content::Sequence(Style::Flow));
                for extent in &field.shape {
                    tree.append_item(shape, Content::Scalar(&extent.to_string(), Style::Plain));
                }
            }
        }
    }
}

/// Returns the datatype of elements that are no records as numpy writes it.
pub(crate) fn dtype_text(datatype: &Datatype, byteorder: ByteOrder) -> String {
    use ScalarType as S;
    let order = if byteorder == ByteOrder::Little { '<' } else { '>' };
    match datatype {
        Datatype::Ascii(length) => format!("|S{length}"),
        Datatype::Ucs4(length) => format!("{order}U{length}"),
        // Not reached: records have no text.
        Datatype::Record(_) => String::new(),
        Datatype::Scalar(scalar) => {
            let kind = match scalar {
                S::Bool8 => 'b',
                S::Int8 | S::Int16 | S::Int32 | S::Int64 => 'i',
                S::Uint8 | S::Uint16 | S::Uint32 | S::Uint64 => 'u',
                S::Float16 | S::Float32 | S::Float64 => 'f',
                S::Complex64 | S::Complex128 => 'c',
            };
            let order = if scalar.size() == 1 { '|' } else { order };
            format!("{order}{kind}{}", scalar.size())
        }
    }
}
