//! Uses of blocks in a tree: how many nodes name each block by its number.

use super::named_blocks::{for_each_node, integers, may_name_block};
use crate::error::Result;
use crate::file::blocks::number_of;
use crate::reserve;
use crate::tree::{Kind, Tree};
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
    pub(crate) fn of(tree: &Tree, stored: u64, count: u64) -> Result<BlockUses> {
        let mut counts = HashMap::new();
        for_each_node(tree, |id| {
            for pair in tree.pairs(id).chunks_exact(2).filter(|_| tree.kind(id) == Kind::Mapping) {
                if !may_name_block(tree.text(tree.dealias(pair[0]))) {
                    continue;
                }
                for index in integers(tree, pair[1])? {
                    let mut numbers = [number_of(index, stored), number_of(index, count)];
                    if numbers[0] == numbers[1] {
                        numbers[1] = None;
                    }
                    for number in numbers.into_iter().flatten() {
                        reserve::room_in(&mut counts, 1)?;
                        *counts.entry(number).or_default() += 1;
                    }
                }
            }
            Ok(())
        })?;
        Ok(BlockUses { counts, is_exact: true })
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

    /// Removes one use of this block.
    pub(super) fn remove(&mut self, number: u64) {
        if let Some(count) = self.counts.get_mut(&number) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&number);
            }
        }
    }

    /// Returns true if a node may name this block.
    pub(crate) fn is_named(&self, number: u64) -> bool {
        self.counts.contains_key(&number)
    }
}
