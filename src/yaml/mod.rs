//! YAML text to a tree and back: YAML 1.1 as the reference implementation of ASDF reads it.
//!
//! A syntax engine behind a private trait scans the text; only `granit.rs` names its crate. [`crate::tree::scalar`]
//! decides the types of scalars.

mod read;
mod splice;
#[cfg(test)]
mod tests;
pub(crate) mod write;

pub(crate) use read::source::text_of;
pub use read::{Parsed, parse};
pub(crate) use read::{Unmerged, parse_lines, parse_unmerged};
#[cfg(test)]
pub(crate) use splice::by_patches;
pub(crate) use splice::splice;
pub(crate) use write::emit_lines;
pub use write::{EmitOptions, emit};
