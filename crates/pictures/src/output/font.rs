//! Text as outlines of DejaVu Sans.

use tiny_skia::{Path, PathBuilder, Transform};
use ttf_parser::{Face, OutlineBuilder};

/// The font of all pictures.
pub(super) struct Font {
    face: Face<'static>,
}

/// Collects the outline of a glyph.
struct Outline {
    path: PathBuilder,
    scale: f32,
    start: f32,
}

impl Outline {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.start + x * self.scale, -y * self.scale)
    }
}

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.path.cubic_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

impl Font {
    /// Reads the font; `None` only if its bytes are damaged.
    pub(super) fn new() -> Option<Font> {
        Some(Font { face: Face::parse(dejavu::sans::regular(), 0).ok()? })
    }

    /// Returns the outline of a text that begins at the origin, and its width. Characters that the font lacks are boxes.
    pub(super) fn outline(&self, text: &str, size: f64) -> (Option<Path>, f32) {
        let scale = size as f32 / f32::from(self.face.units_per_em().max(1));
        let mut outline = Outline { path: PathBuilder::new(), scale, start: 0.0 };
        for character in text.chars() {
            let glyph = self.face.glyph_index(character).unwrap_or(ttf_parser::GlyphId(0));
            self.face.outline_glyph(glyph, &mut outline);
            outline.start += f32::from(self.face.glyph_hor_advance(glyph).unwrap_or_default()) * scale;
        }
        let width = outline.start;
        (outline.path.finish(), width)
    }
}

/// Returns the transform that puts an outline at a place.
pub(super) fn placed(at: [f64; 2], shift: f32, is_upward: bool) -> Transform {
    let [x, y] = at.map(|part| part as f32);
    match is_upward {
        false => Transform::from_translate(x + shift, y),
        true => Transform::from_row(0.0, -1.0, 1.0, 0.0, x, y - shift),
    }
}
