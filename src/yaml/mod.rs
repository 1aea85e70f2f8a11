//! YAML text to a tree and back: YAML 1.1 as the reference implementation of ASDF reads it.
//!
//! The syntax is scanned by an engine behind a private trait; `granit.rs` is the only file that knows which.
//! What scalars mean is not decided here but in [`crate::tree::scalar`].

#[cfg(test)]
mod differential;
mod emit;
mod engine;
mod entries;
mod granit;
mod moved;
mod parse;
mod plain;
pub(crate) mod quoting;
mod reduced;
mod runs;
mod source;
mod splice;
mod surroundings;

pub use emit::{EmitOptions, emit, emit_lines};
pub(crate) use parse::parse_lines;
pub use parse::{Parsed, Unmerged, parse, parse_unmerged};
pub use source::text_of;
pub use splice::{Patch, Spliced, splice};
