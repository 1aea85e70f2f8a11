//! Coordinates: positions on the sky, frames, representations, places on Earth, angles and spectral coordinates, as
//! named components with units, and attributes. `names` and `kind` know only text.

mod kind;
pub(super) mod names;
#[cfg(test)]
mod node_tests;
mod points;
mod read_node;
mod write_node;

pub use kind::CoordinatesKind;
pub(super) use kind::kind_of_tag;
pub use points::Coordinates;
pub use write_node::SkyPoints;
