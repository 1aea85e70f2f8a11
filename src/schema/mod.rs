//! Validation by YAML schemas: whether a tree is what the schemas of its tags demand, and what its entries mean.
//!
//! Works on trees; nothing here opens files but those of schemas. `language` compiles the schemas, `check` applies them,
//! `pattern` holds the regular expressions, and `packages` finds the texts.

mod check;
mod describe;
mod document;
mod draft4;
mod language;
mod manifest;
mod packages;
mod pattern;
mod schemas;
#[cfg(test)]
mod tests;
mod validate;

pub(crate) use check::arrays::TreeArrays;
pub(crate) use describe::Described;
pub use describe::Description;
pub use schemas::Schemas;
pub(crate) use validate::{Subject, in_order};
