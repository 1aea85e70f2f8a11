//! Values of cells in text form: numbers, JSON, and errors in them.

pub(super) mod fault;
pub(super) mod json;
pub(super) mod parse;
