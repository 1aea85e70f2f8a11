//! Validation by schemas, and descriptions of entries.

pub mod schemas;
pub mod validate;
