//! Coordinates.

pub mod make;
pub mod read;
