//! Code of several targets: choices and parts of an input, files in memory, and judging of errors.

pub mod asdf;
pub mod folder;
pub mod input;
pub mod judge;
