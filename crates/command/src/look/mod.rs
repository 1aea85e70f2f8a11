//! Sub-commands that show the content of files.

pub(crate) mod blocks;
pub(crate) mod complete;
pub(crate) mod describe;
pub(crate) mod find;
pub(crate) mod get;
pub(crate) mod info;
pub(crate) mod keywords;
pub(crate) mod npy;
mod outline;
mod quantiles;
pub(crate) mod sky;
pub(crate) mod stat;
pub(crate) mod table;
pub(crate) mod tree_line;
