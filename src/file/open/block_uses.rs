//! Which nodes of a tree name which block by its number.

use super::standard_tags::name_of;
use crate::error::Result;
use crate::file::File;
use crate::file::blocks::number_of;
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree};
use std::collections::HashMap;

/// How often each block is named in a tree: at most so often, for some of the names may have gone since they were counted.
#[derive(Debug)]
pub(crate) struct BlockUses {
    counts: HashMap<u64, u32>,
    is_exact: bool,
}

impl BlockUses {
    /// Looks at the whole tree of a file that has so many blocks, and had `stored` when it was opened or saved last.
    ///
    /// To be on the safe side whatever stands under a key `source` counts, whether or not it is known as an array's.
    pub(crate) fn of(tree: &Tree, stored: u64, count: u64) -> BlockUses {
        let mut counts = HashMap::new();
        for_each_node(tree, |id| {
            for pair in tree.pairs(id).chunks_exact(2).filter(|_| tree.kind(id) == Kind::Mapping) {
                if tree.text(tree.dealias(pair[0])) != "source" {
                    continue;
                }
                if let Some((_, index)) = number_at(tree, pair[1]) {
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

    /// Whether no more than one node names this block; nothing if it takes a new count to tell.
    pub(crate) fn is_single(&self, number: u64) -> Option<bool> {
        let single = self.counts.get(&number).is_none_or(|&count| count == 1);
        (single || self.is_exact).then_some(single)
    }

    /// Notes that names may go.
    pub(super) fn may_lose(&mut self) {
        self.is_exact = false;
    }

    /// Counts one more node that names this block.
    pub(crate) fn add(&mut self, number: u64) {
        *self.counts.entry(number).or_default() += 1;
    }

    /// Whether anything names this block.
    pub(crate) fn is_named(&self, number: u64) -> bool {
        self.counts.contains_key(&number)
    }
}

/// The scalar that names the block of an array node, with the number.
pub(crate) fn block_source(tree: &Tree, id: NodeId) -> Option<(NodeId, i64)> {
    if tree.tag(id).and_then(name_of) != Some("core/ndarray") || tree.kind(id) != Kind::Mapping {
        return None;
    }
    number_at(tree, tree.find_token(id, "source")?)
}

/// The places where arrays name other files, in the order of the text, with their URIs.
pub(crate) fn uri_sources(tree: &Tree) -> Vec<(NodeId, String)> {
    let mut sources = Vec::new();
    for_each_node(tree, |id| sources.extend(uri_source(tree, id)));
    sources.sort();
    // What is merged into several arrays is found with each.
    sources.dedup();
    sources
}

/// The place where an array node names another file, with the URI.
pub(crate) fn uri_source(tree: &Tree, id: NodeId) -> Option<(NodeId, String)> {
    if tree.tag(id).and_then(name_of) != Some("core/ndarray") || tree.kind(id) != Kind::Mapping {
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

/// Numbers blocks from the start that arrays of an opened file number from the end, before the first block is added.
pub(crate) fn count_from_start(tree: &mut Tree, stored: u64, count: u64) {
    if stored == 0 || count > stored {
        return;
    }
    let mut negative = Vec::new();
    for_each_node(tree, |id| {
        if let Some((scalar, index)) = block_source(tree, id).filter(|&(_, index)| index < 0) {
            negative.extend(stored.checked_add_signed(index).map(|number| (scalar, number)));
        }
    });
    for (scalar, number) in negative {
        tree.replace(scalar, Content::Scalar(&number.to_string(), Style::Plain));
    }
}

impl File {
    /// The arrays in some of the blocks, with the number of the block.
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

/// Visits all nodes but the items of long lists of numbers, which name no blocks.
pub(crate) fn for_each_node(tree: &Tree, mut visit: impl FnMut(NodeId)) {
    let mut stack = vec![tree.root()];
    while let Some(id) = stack.pop() {
        visit(id);
        if tree.plain_items(id).is_none() {
            stack.extend(tree.items(id));
        }
    }
}
