//! YAML text to a tree and back: YAML 1.1 as the reference implementation of ASDF reads it.
//!
//! The scanner (`scan`) finds tokens, the events (`events`) the structure that they form, and `read` builds the tree.
//! [`crate::tree::scalar`] decides the types of scalars.

mod characters;
mod comments;
mod document;
mod events;
mod read;
mod scan;
mod splice;
#[cfg(test)]
mod tests;
pub(crate) mod write;

pub(crate) use comments::{comment_of_node, copy_comments, with_comments};
pub(crate) use document::text_of;
pub use read::{Parsed, parse};
pub(crate) use read::{Unmerged, parse_lines, parse_unmerged};
#[cfg(test)]
pub(crate) use splice::by_patches;
pub(crate) use splice::splice;
pub(crate) use write::emit_lines;
pub use write::{EmitOptions, emit};
