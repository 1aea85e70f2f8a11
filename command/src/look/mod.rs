//! Sub-commands that show the content of files.

pub(crate) mod blocks;
pub(crate) mod get;
pub(crate) mod info;
mod npy;
mod tree_line;
