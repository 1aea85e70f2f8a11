//! Nodes that name blocks: arrays by a number or by the URI of another file, the chunked arrays of asdf-zarr, and other
//! nodes with integers that may be block numbers.
//!
//! A chunked array names one block in the tree: the map, which holds the numbers of the blocks of the chunks.

use crate::array::CHUNK_MAP;
use crate::error::Result;
use crate::reserve;
use crate::tags::{self, NDARRAY};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree};

/// Visits all nodes of a tree, except the items of long lists of numbers, which name no blocks.
pub(crate) fn for_each_node(tree: &Tree, mut visit: impl FnMut(NodeId) -> Result<()>) -> Result<()> {
    let mut stack = vec![tree.root()];
    while let Some(id) = stack.pop() {
        visit(id)?;
        if tree.plain_items(id).is_none() {
            reserve::extend(&mut stack, tree.items(id).iter().copied())?;
        }
    }
    Ok(())
}

/// Returns the scalar with the block number of an array node, and the number.
pub(crate) fn block_source(tree: &Tree, id: NodeId) -> Option<(NodeId, i64)> {
    if !tree.is_tagged(id, NDARRAY) || tree.kind(id) != Kind::Mapping {
        return None;
    }
    number_at(tree, tree.find_token(id, "source")?)
}

/// Returns the places where arrays name other files, with the URIs, in the order of the nodes.
pub(crate) fn uri_sources(tree: &Tree) -> Result<Vec<(NodeId, String)>> {
    let mut sources = Vec::new();
    for_each_node(tree, |id| reserve::extend(&mut sources, uri_source(tree, id)))?;
    sources.sort_unstable();
    // A value that is merged into several arrays was found once for each of them.
    sources.dedup();
    Ok(sources)
}

/// Returns the place where an array node names another file, and the URI.
pub(crate) fn uri_source(tree: &Tree, id: NodeId) -> Option<(NodeId, String)> {
    if !tree.is_tagged(id, NDARRAY) || tree.kind(id) != Kind::Mapping {
        return None;
    }
    let place = tree.find_token(id, "source")?;
    match tree.scalar(tree.dealias(place)) {
        Ok(Scalar::String(uri)) => Some((place, uri.to_owned())),
        _ => None,
    }
}

fn number_at(tree: &Tree, id: NodeId) -> Option<(NodeId, i64)> {
    let id = tree.dealias(id);
    match tree.scalar(id) {
        Ok(Scalar::Integer(integer)) => Some((id, integer.to_i64()?)),
        _ => None,
    }
}

/// Replaces the negative block numbers of arrays, and of maps of chunked arrays, by numbers from the start, before the first block is added to an
/// opened file. Afterwards a negative number would mean another block.
pub(crate) fn count_from_start(tree: &mut Tree, stored: u64, count: u64) -> Result<()> {
    if stored == 0 || count > stored {
        return Ok(());
    }
    let mut negative = Vec::new();
    for_each_node(tree, |id| {
        let named = block_source(tree, id).or_else(|| chunk_map(tree, id));
        let negative_one = named.filter(|&(_, index)| index < 0);
        let from_start = negative_one.and_then(|(scalar, index)| Some((scalar, stored.checked_add_signed(index)?)));
        reserve::extend(&mut negative, from_start)
    })?;
    for (scalar, number) in negative {
        tree.replace(scalar, Content::Scalar(&number.to_string(), Style::Plain));
    }
    Ok(())
}

/// Returns true for the tag of chunked arrays, in any version.
pub(crate) fn is_chunked_tag(tag: &str) -> bool {
    tag.strip_prefix(tags::CHUNKED).is_some_and(|rest| rest.starts_with('-'))
}

/// Returns the scalar with the number of the map block of a chunked array, and the number.
pub(crate) fn chunk_map(tree: &Tree, id: NodeId) -> Option<(NodeId, i64)> {
    if !is_chunked_tag(tree.tag(id)?) || tree.kind(id) != Kind::Mapping {
        return None;
    }
    let place = tree.dealias(tree.find_token(id, CHUNK_MAP)?);
    match tree.scalar(place) {
        Ok(Scalar::Integer(integer)) => Some((place, integer.to_i64()?)),
        _ => None,
    }
}

/// Returns true for keys whose integers may be block numbers.
pub(crate) fn may_name_block(key: &str) -> bool {
    key == "source" || key.as_bytes().windows(5).any(|part| part.eq_ignore_ascii_case(b"block"))
}

/// Returns the integers of a node: its own, or those of its items.
pub(crate) fn integers(tree: &Tree, id: NodeId) -> Result<Vec<i64>> {
    let id = tree.dealias(id);
    let items = match tree.kind(id) {
        Kind::Scalar => &[id][..],
        Kind::Sequence => tree.try_items(id)?,
        Kind::Mapping | Kind::Alias => &[],
    };
    let integer = |&item: &NodeId| match tree.scalar(tree.dealias(item)) {
        Ok(Scalar::Integer(integer)) if tree.kind(tree.dealias(item)) == Kind::Scalar => integer.to_i64(),
        _ => None,
    };
    reserve::collected(items.iter().filter_map(integer).map(Ok))
}
