//! Images and charts with axes, as scenes of a few kinds of shapes.

mod axis;
mod bins;
mod chart;
mod compass;
mod contour;
mod figure;
mod scene;
mod sky;
mod ticks;

pub use axis::Axis;
pub use bins::{Bins, histogram};
pub(crate) use chart::Plain;
pub use chart::{Chart, Marks};
pub use figure::{Bar, Figure};
pub use scene::{Anchor, Point, Scene, Shape, Text};
pub use sky::{SkyGrid, SkyNames};
pub use ticks::{decimals, linear_ticks, log_ticks, number_text};
