//! Spellings of cells: numbers, JSON, and texts that are kept as they are.

pub(super) mod fault;
pub(super) mod json;
pub(super) mod parse;
