//! Floating-point numbers: the type binary16, which stable Rust lacks, and the decimal text of floats of any width.

mod decimal;
mod digits;
mod float16;
mod notation;
mod simple;
#[cfg(test)]
mod tests;

pub(crate) use decimal::Decimal;
pub use float16::Float16;
pub(crate) use notation::{DotZero, Float, Notation, TextOutput};
pub(crate) use simple::{digits, signed, simple_float, split_sign};
