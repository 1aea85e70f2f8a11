//! Images as numbers: their range, their brightness, their colours.

mod colour;
mod grid;
mod interval;
mod raster;
mod stretch;
mod zscale;

pub use colour::{ColourMap, MASKED, NOT_A_NUMBER, composite};
pub use grid::Grid;
pub use interval::{Interval, Limits};
pub use raster::{Raster, Rgb};
pub use stretch::{Scaling, Stretch};
