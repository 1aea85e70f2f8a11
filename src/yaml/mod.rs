//! YAML text to a tree and back: YAML 1.1 as the reference implementation of ASDF reads it.
//!
//! The syntax is scanned by an engine behind a private trait; `granit.rs` is the only file that knows which.
//! What scalars mean is not decided here but in [`crate::tree::scalar`].

mod read;
mod splice;
#[cfg(test)]
mod tests;
pub(crate) mod write;

pub(crate) use read::parse_lines;
pub use read::source::text_of;
pub use read::{Parsed, Unmerged, parse, parse_unmerged};
pub use splice::{Patch, Spliced, splice};
pub use write::{EmitOptions, emit, emit_lines};
