//! Formats of pictures: PNG, SVG, text for terminals.

mod font;
mod graph;
mod kitty;
mod png;
mod raster;
mod svg;
mod terminal;

pub use graph::graph;
pub use kitty::kitty;
pub use png::{data_uri, encode};
pub use raster::rasterize;
pub use svg::svg;
pub use terminal::{Depth, half_blocks};
