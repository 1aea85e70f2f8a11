//! Open files: state, blocks, and the other files that they refer to.

pub(super) mod block_uses;
pub(super) mod blocks;
pub(super) mod by_file;
pub(super) mod decompressed;
pub(super) mod failures;
pub(super) mod family;
pub(super) mod file;
pub(super) mod held_blocks;
mod streamed_rows;
pub(super) mod tree_rules;
pub(super) mod writer_name;
