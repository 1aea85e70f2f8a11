//! Values of a description: single elements, and whole arrays in memory.

pub(super) mod access;
pub(super) mod memory;
