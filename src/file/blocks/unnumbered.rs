//! Pending blocks without a number: blocks for files of their own, and the streamed block at the end of the file.
//!
//! Until the file is written, the arrays on them hold temporary numbers that no block of a file can have.

use super::pending::PendingBlock;
use crate::tree::NodeId;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// The first temporary number.
pub(super) const FIRST_TEMPORARY: u64 = 1 << 40;

/// Destination of a block without a number.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum UnnumberedStorage {
    /// A separate file with this name; `None` for a name from the pattern of the write options.
    External(Option<OsString>),
    /// The end of the file.
    Streamed,
}

/// A pending block and its destination.
#[derive(Clone)]
pub(crate) struct UnnumberedBlock {
    pub(crate) block: PendingBlock,
    pub(crate) storage: UnnumberedStorage,
}

/// Pending blocks by their temporary numbers.
#[derive(Clone, Default)]
pub(crate) struct UnnumberedBlocks(BTreeMap<u64, UnnumberedBlock>);

impl UnnumberedBlocks {
    /// Adds a block and returns its temporary number.
    pub(crate) fn add(&mut self, block: PendingBlock, storage: UnnumberedStorage) -> u64 {
        let number = self.next();
        self.0.insert(number, UnnumberedBlock { block, storage });
        number
    }

    /// Returns the temporary number of the next block.
    pub(crate) fn next(&self) -> u64 {
        self.0.last_key_value().map_or(FIRST_TEMPORARY, |(&last, _)| last + 1)
    }

    /// Returns the block with this temporary number.
    pub(crate) fn get(&self, number: i64) -> Option<&UnnumberedBlock> {
        self.0.get(&u64::try_from(number).ok()?)
    }

    /// Returns the block with this temporary number for changes.
    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut UnnumberedBlock> {
        self.0.get_mut(&number)
    }

    /// Returns the blocks for separate files, in the order in which they were added.
    pub(crate) fn external(&self) -> impl Iterator<Item = (u64, &UnnumberedBlock)> {
        self.0
            .iter()
            .map(|(&number, block)| (number, block))
            .filter(|(_, block)| block.storage != UnnumberedStorage::Streamed)
    }

    /// Returns the streamed block.
    pub(crate) fn streamed(&self) -> Option<&PendingBlock> {
        self.0.values().find(|block| block.storage == UnnumberedStorage::Streamed).map(|block| &block.block)
    }

    /// Returns all blocks with their temporary numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &UnnumberedBlock)> {
        self.0.iter().map(|(&number, block)| (number, block))
    }

    /// Moves blocks without owners to `dropped`. Owners for which `is_node` returns false are removed first.
    pub(super) fn drop_unused(&mut self, is_node: impl Fn(NodeId) -> bool, dropped: &mut Vec<PendingBlock>) {
        self.0.retain(|_, unnumbered| {
            unnumbered.block.owners.retain(|&owner| is_node(owner));
            let is_used = !unnumbered.block.owners.is_empty();
            if !is_used {
                dropped.push(unnumbered.block.clone());
            }
            is_used
        });
    }
}
