//! Floating-point numbers: the type binary16, which stable Rust lacks, the decimal text of floats of any width, and
//! fractions near them.

mod decimal;
mod digits;
mod float16;
mod fraction;
mod notation;
mod simple;
#[cfg(test)]
mod tests;

pub(crate) use decimal::Decimal;
pub use float16::Float16;
pub(crate) use fraction::Convergents;
pub(crate) use notation::{DotZero, Float, Notation, TextOutput};
pub(crate) use simple::{digits, signed, simple_float, split_sign};
