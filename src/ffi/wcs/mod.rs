//! Transforms and world coordinates.

pub mod evaluate;
pub mod fits;
pub mod frame;
pub mod transform;
pub mod world;
