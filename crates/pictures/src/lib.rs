//! Pictures of arrays and columns.
//!
//! Numbers go in, pictures come out: PNG, SVG, or text for a terminal. The crate knows no file format. `array` scales
//! the values of an image and gives them colours, `plot` lays out images and charts with their axes, and `output`
//! writes what they drew.
//!
//! ```
//! use asdfkit_pictures::array::{ColourMap, Grid, Interval, Scaling, Stretch};
//!
//! let grid = Grid::new(2, 2, vec![0.0, 1.0, 2.0, f64::NAN]);
//! let limits = Interval::MinMax.limits(&grid);
//! let scaling = Scaling { limits, stretch: Stretch::Linear };
//! let raster = ColourMap::Grey.paint(&grid, &scaling, true);
//! assert_eq!(raster.pixel(1, 1), [128, 128, 128]);
//! ```

pub mod array;
pub mod output;
pub mod plot;
