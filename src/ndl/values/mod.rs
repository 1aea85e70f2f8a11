//! Values taken out of a description: single elements, and whole arrays into memory.

pub(super) mod access;
pub(super) mod memory;
