//! Points in time and spans of time.

pub mod columns;
pub mod make;
pub mod read;
mod spans;
