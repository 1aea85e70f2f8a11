//! The schema language: draft 4 of JSON Schema with the keywords of ASDF.
//!
//! Compiled here, not by a crate. Crates read JSON values: they know no tags, no keys other than strings and no positions
//! in a file, and recurse as deep as the schema and the value do.

pub(super) mod compile;
pub(super) mod rule;
pub(super) mod uri;
pub(super) mod value;
