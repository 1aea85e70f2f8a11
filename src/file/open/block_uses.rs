//! Uses of blocks in a tree: the nodes that name a block by its number.

use super::held_blocks::{chunk_map, integers, may_name_block};
use crate::error::Result;
use crate::file::File;
use crate::file::blocks::number_of;
use crate::tags::NDARRAY;
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree};
use std::collections::HashMap;

/// Upper bounds for the number of uses of each block. After removals the real number can be smaller.
#[derive(Debug)]
pub(crate) struct BlockUses {
    counts: HashMap<u64, u32>,
    is_exact: bool,
}

impl BlockUses {
    /// Counts the uses in the whole tree. `stored` is the number of blocks when the file was opened or last saved,
    /// `count` the number of blocks now.
    ///
    /// Every integer under a key `source`, or under a key that contains "block", counts, also outside arrays. A negative index counts for both block numbers,
    /// because it may count from the end of the stored blocks or of all blocks.
    pub(crate) fn of(tree: &Tree, stored: u64, count: u64) -> BlockUses {
        let mut counts = HashMap::new();
        for_each_node(tree, |id| {
            for pair in tree.pairs(id).chunks_exact(2).filter(|_| tree.kind(id) == Kind::Mapping) {
                if !may_name_block(tree.text(tree.dealias(pair[0]))) {
                    continue;
                }
                for index in integers(tree, pair[1]) {
                    let mut numbers = [number_of(index, stored), number_of(index, count)];
                    if numbers[0] == numbers[1] {
                        numbers[1] = None;
                    }
                    for number in numbers.into_iter().flatten() {
                        *counts.entry(number).or_default() += 1;
                    }
                }
            }
        });
        BlockUses { counts, is_exact: true }
    }

    /// Returns true if at most one node names this block. Returns `None` if only a new count can tell.
    pub(crate) fn is_single(&self, number: u64) -> Option<bool> {
        let single = self.counts.get(&number).is_none_or(|&count| count == 1);
        (single || self.is_exact).then_some(single)
    }

    /// Records that uses may have been removed.
    pub(super) fn may_lose(&mut self) {
        self.is_exact = false;
    }

    /// Adds one use of this block.
    pub(crate) fn add(&mut self, number: u64) {
        *self.counts.entry(number).or_default() += 1;
    }

    /// Returns true if a node may name this block.
    pub(crate) fn is_named(&self, number: u64) -> bool {
        self.counts.contains_key(&number)
    }
}

/// Returns the scalar with the block number of an array node, and the number.
pub(crate) fn block_source(tree: &Tree, id: NodeId) -> Option<(NodeId, i64)> {
    if !tree.is_tagged(id, NDARRAY) || tree.kind(id) != Kind::Mapping {
        return None;
    }
    number_at(tree, tree.find_token(id, "source")?)
}

/// Returns the places where arrays name other files, with the URIs, in the order of the nodes.
pub(crate) fn uri_sources(tree: &Tree) -> Vec<(NodeId, String)> {
    let mut sources = Vec::new();
    for_each_node(tree, |id| sources.extend(uri_source(tree, id)));
    sources.sort();
    // A value that is merged into several arrays was found once for each of them.
    sources.dedup();
    sources
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
pub(crate) fn count_from_start(tree: &mut Tree, stored: u64, count: u64) {
    if stored == 0 || count > stored {
        return;
    }
    let mut negative = Vec::new();
    for_each_node(tree, |id| {
        let named = block_source(tree, id).or_else(|| chunk_map(tree, id));
        if let Some((scalar, index)) = named.filter(|&(_, index)| index < 0) {
            negative.extend(stored.checked_add_signed(index).map(|number| (scalar, number)));
        }
    });
    for (scalar, number) in negative {
        tree.replace(scalar, Content::Scalar(&number.to_string(), Style::Plain));
    }
}

impl File {
    /// Returns the paths of the arrays in the given blocks, each with the number of its block.
    pub(crate) fn arrays_in_blocks(&self, numbers: &[u64]) -> Result<Vec<(String, u64)>> {
        let count = self.block_count()?;
        let tree = self.tree();
        let mut arrays = Vec::new();
        for_each_node(&tree, |id| {
            let number = block_source(&tree, id).and_then(|(_, index)| number_of(index, count));
            if let Some(number) = number.filter(|number| numbers.contains(number)) {
                arrays.push((tree.path(id), number));
            }
        });
        Ok(arrays)
    }
}

/// Visits all nodes of a tree, except the items of long lists of numbers, which name no blocks.
pub(crate) fn for_each_node(tree: &Tree, mut visit: impl FnMut(NodeId)) {
    let mut stack = vec![tree.root()];
    while let Some(id) = stack.pop() {
        visit(id);
        if tree.plain_items(id).is_none() {
            stack.extend(tree.items(id));
        }
    }
}
