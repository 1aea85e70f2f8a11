//! Blocks that wait to be written, but not among the numbered ones: to files of their own, or streamed at the end.
//!
//! Until then the arrays on them name numbers that no block of a file can have.

use super::made::MadeBlock;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// The number of the first such block.
pub(super) const FIRST_APART: u64 = 1 << 40;

/// Where a block goes that is not numbered.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// Into a file of its own, which is to have this name, or one by the pattern of the write options.
    External(Option<OsString>),
    /// To the end of the file.
    Streamed,
}

/// A block that waits, and where it goes.
pub(crate) struct ApartBlock {
    pub(crate) block: MadeBlock,
    pub(crate) place: Place,
}

/// The blocks that wait, by the numbers that they are named by until then.
#[derive(Default)]
pub(crate) struct ApartBlocks(BTreeMap<u64, ApartBlock>);

impl ApartBlocks {
    /// Adds a block, and tells the number that its arrays are to name.
    pub(crate) fn add(&mut self, block: MadeBlock, place: Place) -> u64 {
        let number = self.next();
        self.0.insert(number, ApartBlock { block, place });
        number
    }

    /// The number of the block that is added next.
    pub(crate) fn next(&self) -> u64 {
        self.0.last_key_value().map_or(FIRST_APART, |(&last, _)| last + 1)
    }

    /// The block that waits under this number.
    pub(crate) fn get(&self, number: i64) -> Option<&ApartBlock> {
        self.0.get(&u64::try_from(number).ok()?)
    }

    /// The same, to be changed.
    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut ApartBlock> {
        self.0.get_mut(&number)
    }

    /// Those that go into files of their own, in the order in which they came.
    pub(crate) fn external(&self) -> impl Iterator<Item = (u64, &ApartBlock)> {
        self.0.iter().map(|(&number, block)| (number, block)).filter(|(_, block)| block.place != Place::Streamed)
    }

    /// The one that goes to the end of the file.
    pub(crate) fn streamed(&self) -> Option<&MadeBlock> {
        self.0.values().find(|block| block.place == Place::Streamed).map(|block| &block.block)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &ApartBlock)> {
        self.0.iter().map(|(&number, block)| (number, block))
    }

    /// Lets go of those that no scalar names any more for which `names` holds.
    pub(crate) fn drop_unused(&mut self, names: impl Fn(crate::tree::NodeId) -> bool) {
        self.0.retain(|_, apart| {
            apart.block.owners.retain(|&owner| names(owner));
            !apart.block.owners.is_empty()
        });
    }

    /// Lets go of all.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }
}
