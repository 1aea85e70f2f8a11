//! Floating-point numbers: binary16, which Rust has no stable type for, and the text of a number of any width.

mod digits;
mod float16;
mod notation;
#[cfg(test)]
mod tests;

pub use float16::Float16;
pub(crate) use notation::{Float, Notation, PYTHON, Point, Text, YAML};
