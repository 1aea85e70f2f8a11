//! The arguments of `asdfkit show`.

use crate::core::arguments::{InUnit, TableText, Threads};
use crate::core::tree_path::TreePath;
use asdfkit_pictures::array::{ColourMap, Interval, Stretch};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Show an image in the terminal, or write it as PNG or SVG; lists of numbers and columns are shown as charts
///
/// An image too large for the picture is averaged, or sampled where reading all of it would take long; the line below it
/// says so. Pixels that are not a number are magenta, masked ones are blue. Axes count pixels from 0 and, if the file has
/// a WCS, show the sky.
#[derive(Args, Debug)]
pub(crate) struct Show {
    /// File to read; `-` is standard input
    pub(crate) file: PathBuf,
    /// Path of an array or a column, such as data or cube[12,10:500,::2]; by default the first image of the file
    ///
    /// A column is TABLE/COLUMN in ASDF files and COLUMN in tables in text.
    pub(crate) path: Option<TreePath>,
    /// Part of the array in the notation of numpy: [12,10:500,::2]
    #[arg(short, long, allow_hyphen_values = true)]
    pub(crate) region: Option<String>,
    /// Make a colour picture of three arrays of one shape
    #[arg(long, num_args = 3, value_names = ["RED", "GREEN", "BLUE"], conflicts_with_all = ["path", "map"])]
    pub(crate) rgb: Option<Vec<TreePath>>,
    /// File to write: .png or .svg
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    /// Kind of picture
    #[arg(short = 'f', long = "as", value_enum, value_name = "KIND")]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) look: Look,
    #[command(flatten)]
    pub(crate) chart: ChartLook,
    /// Pixels along the longer side of the image or chart in a file
    #[arg(long, default_value_t = 800, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(16..=20_000))]
    pub(crate) size: u32,
    /// Write the pixels of the image alone, without axes
    #[arg(long)]
    pub(crate) plain: bool,
    /// Notation of the picture in a terminal
    #[arg(long, value_enum, default_value_t = Graphics::Auto, value_name = "HOW")]
    pub(crate) graphics: Graphics,
    #[command(flatten)]
    pub(crate) unit: InUnit,
    #[command(flatten)]
    pub(crate) text: TableText,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// Conversion of the values of an image to colours, and the marks beside them.
#[derive(Args, Debug)]
pub(crate) struct Look {
    /// Values to show: zscale, minmax, the middle 99.5%, percentiles such as 1%,99%, or two values such as -5,100
    #[arg(long, default_value = "zscale", allow_hyphen_values = true, value_name = "RANGE")]
    pub(crate) range: Interval,
    /// Growth of brightness with the value
    #[arg(long, value_enum, default_value_t = StretchName::Linear, value_name = "NAME")]
    pub(crate) stretch: StretchName,
    /// Colour map
    #[arg(long, value_enum, default_value_t = MapName::Viridis, value_name = "NAME")]
    pub(crate) map: MapName,
    /// Put the first row at the top; by default it is at the bottom
    #[arg(long)]
    pub(crate) from_top: bool,
    /// Average all elements of a large array instead of sampling it
    #[arg(long)]
    pub(crate) exact: bool,
    /// Show masked elements like the others
    #[arg(long)]
    pub(crate) no_mask: bool,
    /// Path of the WCS of the image; by default the first one of the file
    #[arg(long, value_name = "PATH", conflicts_with = "no_wcs")]
    pub(crate) wcs: Option<TreePath>,
    /// Do not show the sky
    #[arg(long)]
    pub(crate) no_wcs: bool,
}

/// Contents of a chart.
#[derive(Args, Debug)]
pub(crate) struct ChartLook {
    /// Path or column of the horizontal axis of a chart; by default the index of the element
    #[arg(short, value_name = "PATH")]
    pub(crate) x: Option<TreePath>,
    /// Number of bars of a histogram
    #[arg(long, default_value_t = 50, value_name = "NUMBER", value_parser = clap::value_parser!(u16).range(1..=5000))]
    pub(crate) bins: u16,
    /// Make the horizontal axis logarithmic
    #[arg(long)]
    pub(crate) log_x: bool,
    /// Make the vertical axis logarithmic
    #[arg(long)]
    pub(crate) log_y: bool,
}

/// Kind of picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// An image of an array with two or more dimensions
    Image,
    /// A line through the values in their order
    Line,
    /// A point for each value
    Scatter,
    /// Counts of the values in equal parts of their range
    Histogram,
}

/// Notation of pictures in a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Graphics {
    /// As pixels if the terminal is known to show them, otherwise as characters
    Auto,
    /// As characters, each of two pixels
    Blocks,
    /// As pixels, by the protocol of kitty
    Kitty,
}

/// Name of a stretch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum StretchName {
    /// In proportion
    Linear,
    /// As the square root
    Sqrt,
    /// As the logarithm
    Log,
    /// As the inverse hyperbolic sine: in proportion for small values, as the logarithm for large ones
    Asinh,
}

impl StretchName {
    /// Returns the stretch.
    pub(crate) fn stretch(self) -> Stretch {
        match self {
            StretchName::Linear => Stretch::Linear,
            StretchName::Sqrt => Stretch::Sqrt,
            StretchName::Log => Stretch::Log,
            StretchName::Asinh => Stretch::Asinh,
        }
    }
}

/// Name of a colour map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MapName {
    Viridis,
    #[value(alias = "gray")]
    Grey,
    Inferno,
    Magma,
    Plasma,
    Cubehelix,
    /// Red, white, blue
    RedBlue,
}

impl MapName {
    /// Returns the colour map.
    pub(crate) fn map(self) -> ColourMap {
        match self {
            MapName::Viridis => ColourMap::Viridis,
            MapName::Grey => ColourMap::Grey,
            MapName::Inferno => ColourMap::Inferno,
            MapName::Magma => ColourMap::Magma,
            MapName::Plasma => ColourMap::Plasma,
            MapName::Cubehelix => ColourMap::Cubehelix,
            MapName::RedBlue => ColourMap::RedBlue,
        }
    }
}
