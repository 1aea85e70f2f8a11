//! A drawing as a list of shapes. Writers of all formats draw the same list.

use crate::array::{Raster, Rgb};

/// A place in a scene, in pixels from its upper left corner.
pub type Point = [f64; 2];

/// Black.
pub(super) const INK: Rgb = [32, 32, 32];
/// Colour of lines that guide the eye.
pub(super) const FAINT: Rgb = [215, 215, 215];
/// White.
pub(super) const PAPER: Rgb = [255, 255, 255];
/// Height of usual text in pixels.
pub(super) const TEXT: f64 = 12.0;

/// Alignment of a text at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The text begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A text on one line.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Place of the baseline.
    pub at: Point,
    /// Characters.
    pub text: String,
    /// Height of the font in pixels.
    pub size: f64,
    /// Colour.
    pub colour: Rgb,
    /// Part of the text that is at the place.
    pub anchor: Anchor,
    /// True if the text runs upward.
    pub is_upward: bool,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Lines that do not meet one another, each through some points.
    Lines {
        /// Points of each line.
        lines: Vec<Vec<Point>>,
        /// Colour.
        colour: Rgb,
        /// Width in pixels.
        width: f64,
        /// Opacity, from 0 to 1.
        opacity: f64,
    },
    /// A filled polygon.
    Polygon {
        /// Corners.
        points: Vec<Point>,
        /// Colour.
        colour: Rgb,
    },
    /// Filled rectangles of one colour.
    Rectangles {
        /// Left, top, width and height of each.
        rectangles: Vec<[f64; 4]>,
        /// Colour.
        colour: Rgb,
    },
    /// Filled circles of one size.
    Circles {
        /// Centers.
        centers: Vec<Point>,
        /// Radius in pixels.
        radius: f64,
        /// Colour.
        colour: Rgb,
        /// Opacity, from 0 to 1.
        opacity: f64,
    },
    /// A picture; its upper left corner is at a pixel.
    Picture {
        /// Column and row of the upper left corner.
        at: [usize; 2],
        /// Pixels.
        raster: Raster,
    },
    /// A text.
    Text(Text),
}

/// A drawing on white paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Shapes, the lowest one first.
    pub shapes: Vec<Shape>,
    /// Sentence about the drawing for those who do not see it.
    pub description: String,
}

impl Scene {
    /// Adds lines of the colour of text.
    pub(super) fn ink(&mut self, lines: Vec<Vec<Point>>) {
        self.shapes.push(Shape::Lines { lines, colour: INK, width: 1.0, opacity: 1.0 });
    }

    /// Adds the outline of a rectangle.
    pub(super) fn outline(&mut self, [left, top, width, height]: [f64; 4]) {
        let (right, bottom) = (left + width, top + height);
        self.ink(vec![vec![[left, top], [right, top], [right, bottom], [left, bottom], [left, top]]]);
    }

    /// Adds usual text.
    pub(super) fn text(&mut self, at: Point, anchor: Anchor, text: impl Into<String>) {
        self.sized_text(at, anchor, TEXT, text);
    }

    /// Adds text of a height.
    pub(super) fn sized_text(&mut self, at: Point, anchor: Anchor, size: f64, text: impl Into<String>) {
        let (text, colour) = (text.into(), INK);
        self.shapes.push(Shape::Text(Text { at, text, size, colour, anchor, is_upward: false }));
    }

    /// Adds text that runs upward, its middle at a place.
    pub(super) fn upward_text(&mut self, at: Point, text: impl Into<String>) {
        let text = text.into();
        self.shapes.push(Shape::Text(Text {
            at,
            text,
            size: TEXT,
            colour: INK,
            anchor: Anchor::Middle,
            is_upward: true,
        }));
    }
}
