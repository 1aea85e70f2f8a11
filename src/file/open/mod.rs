//! An open file: its state, its blocks, and the files that it leads to.

pub(super) mod block_uses;
pub(super) mod blocks;
pub(super) mod failures;
pub(super) mod family;
pub(super) mod file;
pub(super) mod standard_tags;
pub(super) mod tree_rules;
