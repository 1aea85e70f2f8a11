//! An image with its axes, its colour bar and the sky behind it.

use super::compass::Compass;
use super::scene::{Anchor, INK, PAPER, Point, Scene, Shape, Text};
use super::sky::{SkyGrid, SkyLine};
use super::ticks::{linear_ticks, number_text};
use crate::array::{ColourMap, MASKED, NOT_A_NUMBER, Raster, Rgb, Scaling};

/// Colour of lines on the sky.
const GRID: Rgb = [255, 255, 255];
/// Size of the colour bar and its distance from what is left of it.
const BAR_WIDTH: usize = 16;
const BAR_GAP: usize = 16;
/// Width of most characters in pixels, with some room.
const CHARACTER: usize = 7;
/// Length of the arrows of the compass.
const ARROW: f64 = 34.0;
/// Smallest distance of two labels on the sky.
const LABEL_WIDTH: f64 = 80.0;
const LABEL_HEIGHT: f64 = 16.0;

/// A colour bar.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Colours.
    pub map: ColourMap,
    /// Values of the colours.
    pub scaling: Scaling,
    /// Unit of the values, and what else is said about them.
    pub label: String,
}

/// An image with what stands around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// Pixels in the colours of the picture.
    pub raster: Raster,
    /// Title.
    pub title: String,
    /// Lines below the image.
    pub notes: Vec<String>,
    /// Column and row of the lower left pixel in the whole array, or of the upper left one.
    pub first: [f64; 2],
    /// Distance of two shown pixels in pixels of the array.
    pub step: [f64; 2],
    /// True if the first row is at the bottom.
    pub is_upward: bool,
    /// Colour bar.
    pub bar: Option<Bar>,
    /// Sky behind the image.
    pub sky: Option<SkyGrid>,
    /// Numbers of masked values, and of others that are not a number.
    pub absent: (usize, usize),
}

/// The frame around the image.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Frame {
    fn right(&self) -> f64 {
        self.left + self.width
    }

    fn bottom(&self) -> f64 {
        self.top + self.height
    }
}

impl Figure {
    /// Lays out the image. Small images are enlarged to about `size` pixels by whole factors.
    pub fn scene(&self, size: usize) -> Scene {
        let (columns, rows) = (self.raster.width().max(1), self.raster.height().max(1));
        let zoom = (size / columns.max(rows)).max(1);
        let raster = self.raster.resized(columns * zoom, rows * zoom);
        let (left, top) = (68, if self.sky.is_some() { 66 } else { 38 });
        let frame =
            Frame { left: left as f64, top: top as f64, width: raster.width() as f64, height: raster.height() as f64 };
        let legend = self.legend();
        let labels = if self.sky.is_some() { 100 } else { 16 };
        let bar = if self.bar.is_some() { BAR_GAP + BAR_WIDTH + 96 } else { 0 };
        let width = (left + raster.width() + labels + bar).max(360);
        let notes: Vec<String> = self.notes.iter().flat_map(|note| broken(note, (width - left) / CHARACTER)).collect();
        let lines = notes.len() + usize::from(!legend.is_empty());
        let height = (top + raster.height() + 52 + 17 * lines).max(200);
        let mut scene = Scene { width, height, description: self.title.clone(), ..Scene::default() };
        scene.shapes.push(Shape::Picture { at: [left, top], raster });
        self.draw_sky(&frame, &mut scene);
        scene.outline([frame.left, frame.top, frame.width, frame.height]);
        self.draw_pixels(&frame, &mut scene);
        self.draw_bar(frame.right() + (labels + BAR_GAP) as f64, &frame, &mut scene);
        scene.sized_text([frame.left, 22.0], Anchor::Start, 14.0, self.title.clone());
        let mut at = frame.bottom() + 54.0;
        for note in notes {
            scene.text([frame.left, at], Anchor::Start, note);
            at += 17.0;
        }
        let mut along = frame.left;
        for (colour, text) in legend {
            scene.shapes.push(Shape::Rectangles { rectangles: vec![[along, at - 10.0, 11.0, 11.0]], colour });
            scene.text([along + 16.0, at], Anchor::Start, text);
            along += 160.0;
        }
        scene
    }

    /// Returns the colours of what has no value, and their meaning.
    fn legend(&self) -> Vec<(Rgb, String)> {
        let (masked, undefined) = self.absent;
        let mut out = Vec::new();
        if masked > 0 {
            out.push((MASKED, format!("masked: {masked}")));
        }
        if undefined > 0 {
            out.push((NOT_A_NUMBER, format!("not a number: {undefined}")));
        }
        out
    }

    /// Draws the axes of pixels.
    fn draw_pixels(&self, frame: &Frame, scene: &mut Scene) {
        let (columns, rows) = (self.raster.width() as f64, self.raster.height() as f64);
        let mut ticks = Vec::new();
        // The center of a pixel has its number.
        let place = |value: f64, axis: usize, count: f64| ((value - self.first[axis]) / self.step[axis] + 0.5) / count;
        let ends = |axis: usize, count: f64| {
            let last = self.first[axis] + self.step[axis] * (count - 1.0);
            (self.first[axis].min(last), self.first[axis].max(last))
        };
        let (low, high) = ends(0, columns);
        let (found, step) = round_ticks(low, high, (frame.width / 70.0) as usize);
        for value in found {
            let at = frame.left + place(value, 0, columns) * frame.width;
            ticks.push(vec![[at, frame.bottom()], [at, frame.bottom() + 5.0]]);
            scene.text([at, frame.bottom() + 18.0], Anchor::Middle, number_text(value, step));
        }
        let (low, high) = ends(1, rows);
        let (found, step) = round_ticks(low, high, (frame.height / 50.0) as usize);
        for value in found {
            let part = place(value, 1, rows);
            let at = frame.top + frame.height * if self.is_upward { 1.0 - part } else { part };
            ticks.push(vec![[frame.left - 5.0, at], [frame.left, at]]);
            scene.text([frame.left - 8.0, at + 4.0], Anchor::End, number_text(value, step));
        }
        scene.ink(ticks);
        scene.text([frame.left + frame.width / 2.0, frame.bottom() + 35.0], Anchor::Middle, "x (pixels)");
        scene.upward_text([14.0, frame.top + frame.height / 2.0], "y (pixels)");
    }

    fn draw_bar(&self, left: f64, frame: &Frame, scene: &mut Scene) {
        let Some(bar) = &self.bar else { return };
        let colours = bar.map.colours();
        let height = frame.height.max(1.0) as usize;
        let mut raster = Raster::new(BAR_WIDTH, height, [0; 3]);
        for row in 0..height {
            let colour = colours[(height - 1 - row) * colours.len() / height];
            (0..BAR_WIDTH).for_each(|column| raster.set_pixel(column, row, colour));
        }
        scene.shapes.push(Shape::Picture { at: [left as usize, frame.top as usize], raster });
        scene.outline([left, frame.top, BAR_WIDTH as f64, frame.height]);
        let right = left + BAR_WIDTH as f64;
        let limits = bar.scaling.limits;
        let (found, step) = linear_ticks(limits.low, limits.high, (frame.height / 40.0).max(2.0) as usize);
        let mut ticks = Vec::new();
        let mut last = f64::INFINITY;
        for value in found {
            let at = frame.bottom() - bar.scaling.brightness(value) * frame.height;
            // A logarithm presses the labels of large values together.
            if last - at < LABEL_HEIGHT {
                continue;
            }
            last = at;
            ticks.push(vec![[right, at], [right + 4.0, at]]);
            scene.text([right + 7.0, at + 4.0], Anchor::Start, number_text(value, step));
        }
        scene.ink(ticks);
        scene.upward_text([right + 82.0, frame.top + frame.height / 2.0], bar.label.clone());
    }

    fn draw_sky(&self, frame: &Frame, scene: &mut Scene) {
        let Some(sky) = &self.sky else { return };
        let up = |part: f64| if self.is_upward { 1.0 - part } else { part };
        let point = |at: Point| [frame.left + at[0] * frame.width, frame.top + up(at[1]) * frame.height];
        let mut lines = sky.lines();
        for line in &mut lines {
            line.pieces.iter_mut().flatten().for_each(|at| *at = point(*at));
        }
        let pieces = lines.iter().flat_map(|line| line.pieces.iter().map(|piece| piece.to_vec())).collect();
        scene.shapes.push(Shape::Lines { lines: pieces, colour: GRID, width: 1.0, opacity: 0.6 });
        self.label_sky(&lines, frame, scene);
        if let Some(compass) = Compass::of(sky, [frame.width, frame.height], self.is_upward) {
            draw_compass(&compass, frame, scene);
        }
    }

    /// Writes longitudes above the image and latitudes to its right, or the other way round where more lines of them
    /// end there.
    fn label_sky(&self, lines: &[SkyLine], frame: &Frame, scene: &mut Scene) {
        let on_top = |at: &&Point| (at[1] - frame.top).abs() < 0.01;
        let on_right = |at: &&Point| (at[0] - frame.right()).abs() < 0.01;
        let ends = |is_longitude: bool, top: bool| -> Vec<(Point, &str)> {
            let of = lines.iter().filter(|line| line.is_longitude == is_longitude);
            let end = |line: &'_ SkyLine| -> Option<Point> {
                let mut points = line.pieces.iter().flatten();
                if top { points.find(on_top).copied() } else { points.find(on_right).copied() }
            };
            of.filter_map(|line| Some((end(line)?, line.label.as_str()))).collect()
        };
        let usual = ends(true, true).len() + ends(false, false).len();
        let turned = ends(true, false).len() + ends(false, true).len();
        let (above, beside) = if turned > usual { (false, true) } else { (true, false) };
        let mut ticks = Vec::new();
        let mut last = f64::NEG_INFINITY;
        let mut above_ends = ends(above, true);
        above_ends.sort_by(|first, second| first.0[0].total_cmp(&second.0[0]));
        for (at, label) in above_ends {
            ticks.push(vec![at, [at[0], at[1] - 5.0]]);
            if at[0] - last >= LABEL_WIDTH {
                last = at[0];
                scene.text([at[0], at[1] - 8.0], Anchor::Middle, label);
            }
        }
        let mut last = f64::NEG_INFINITY;
        let mut beside_ends = ends(beside, false);
        beside_ends.sort_by(|first, second| first.0[1].total_cmp(&second.0[1]));
        for (at, label) in beside_ends {
            ticks.push(vec![at, [at[0] + 5.0, at[1]]]);
            if at[1] - last >= LABEL_HEIGHT {
                last = at[1];
                scene.text([at[0] + 8.0, at[1] + 4.0], Anchor::Start, label);
            }
        }
        scene.ink(ticks);
        let names = self.sky.as_ref().map(|sky| &sky.names);
        let name = |is_longitude: bool| {
            names.map_or("", |names| if is_longitude { &names.longitude } else { &names.latitude }).to_owned()
        };
        scene.text([frame.left + frame.width / 2.0, frame.top - 24.0], Anchor::Middle, name(above));
        scene.upward_text([frame.right() + 94.0, frame.top + frame.height / 2.0], name(beside));
    }
}

/// Returns round whole numbers in a range; an image of few pixels has one tick for each.
fn round_ticks(low: f64, high: f64, wanted: usize) -> (Vec<f64>, f64) {
    let (found, step) = linear_ticks(low, high, wanted.max(1));
    if found.is_empty() {
        return (vec![low], 1.0);
    }
    if step >= 1.0 { (found, step) } else { (super::ticks::multiples(low, high, 1.0), 1.0) }
}

/// Draws two arrows in the lower left corner of the image, on a dark ground.
fn draw_compass(compass: &Compass, frame: &Frame, scene: &mut Scene) {
    let room = 2.6 * ARROW;
    if frame.width < room * 1.5 || frame.height < room * 1.5 {
        return;
    }
    let center = [frame.left + room / 2.0 + 4.0, frame.bottom() - room / 2.0 - 4.0];
    for (direction, name) in [(compass.north, "N"), (compass.east, "E")] {
        let [x, y] = direction;
        let along = |length: f64, side: f64| [center[0] + x * length - y * side, center[1] + y * length + x * side];
        let shaft = vec![vec![center, along(ARROW - 4.0, 0.0)]];
        // A dark edge keeps the arrow visible on bright pixels.
        for (colour, width) in [(INK, 4.0), (PAPER, 2.0)] {
            scene.shapes.push(Shape::Lines { lines: shaft.clone(), colour, width, opacity: 1.0 });
            let wide = width;
            let points =
                vec![along(ARROW + wide, 0.0), along(ARROW - 9.0, 3.0 + wide), along(ARROW - 9.0, -3.0 - wide)];
            scene.shapes.push(Shape::Polygon { points, colour });
        }
        let [at_x, at_y] = along(ARROW + 12.0, 0.0);
        for (colour, shift) in [(INK, 1.0), (PAPER, 0.0)] {
            scene.shapes.push(Shape::Text(Text {
                at: [at_x + shift, at_y + 4.5 + shift],
                text: name.to_owned(),
                size: 13.0,
                colour,
                anchor: Anchor::Middle,
                is_upward: false,
            }));
        }
    }
}

/// Breaks a text between words into lines of at most so many characters; a longer word has a line of its own.
fn broken(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{Limits, Stretch};

    #[test]
    fn long_notes_have_several_lines() {
        assert_eq!(broken("one two three", 7), ["one two", "three"]);
        assert_eq!(broken("one two three", 13), ["one two three"]);
        assert_eq!(broken("extraordinary note", 7), ["extraordinary", "note"]);
        let note = "averaged: a pixel is the mean of 2 x 2 elements; 2.3 MiB read; 800 pixels are not a number";
        let scene = Figure { notes: vec![note.to_owned()], bar: None, ..figure() }.scene(200);
        let lines: Vec<&str> = texts(&scene).into_iter().filter(|text| text.len() > 8 && note.contains(text)).collect();
        assert!(lines.len() > 1 && lines.join(" ") == note, "{lines:?}");
        let last = |text: &Shape| matches!(text, Shape::Text(text) if text.at[1] > scene.height as f64);
        assert!(!scene.shapes.iter().any(last));
    }

    fn texts(scene: &Scene) -> Vec<&str> {
        let text = |shape: &'_ Shape| matches!(shape, Shape::Text(_));
        let of = scene.shapes.iter().filter(|shape| text(shape));
        of.filter_map(|shape| if let Shape::Text(text) = shape { Some(text.text.as_str()) } else { None }).collect()
    }

    fn figure() -> Figure {
        let limits = Limits { low: 0.0, high: 100.0 };
        let scaling = Scaling { limits, stretch: Stretch::Linear };
        Figure {
            raster: Raster::new(200, 100, [9; 3]),
            title: "data".to_owned(),
            notes: vec!["sampled".to_owned()],
            first: [0.0, 50.0],
            step: [10.0, 10.0],
            is_upward: true,
            bar: Some(Bar { map: ColourMap::Viridis, scaling, label: "Jy".to_owned() }),
            sky: None,
            absent: (3, 0),
        }
    }

    #[test]
    fn axes_count_pixels_of_the_array() {
        let scene = figure().scene(500);
        let found = texts(&scene);
        for expected in ["data", "sampled", "Jy", "500", "1000", "masked: 3", "100", "x (pixels)"] {
            assert!(found.contains(&expected), "{expected}: {found:?}");
        }
        assert!(!found.iter().any(|text| text.starts_with("not a number")));
    }

    #[test]
    fn the_sky_has_lines_and_a_compass() {
        let mut figure = figure();
        let (columns, rows) = (21, 11);
        let at = |index: usize| ((index % columns) as f64, (index / columns) as f64);
        figure.sky = Some(SkyGrid {
            names: super::super::SkyNames { longitude: "RA".into(), latitude: "Dec".into(), in_hours: true },
            columns,
            rows,
            longitudes: (0..columns * rows).map(|index| 10.0 - at(index).0 * 0.01).collect(),
            latitudes: (0..columns * rows).map(|index| at(index).1 * 0.01 - 0.05).collect(),
        });
        let scene = figure.scene(500);
        let found = texts(&scene);
        for expected in ["RA", "Dec", "N", "E", "0h39m40s", "+0°02′"] {
            assert!(found.contains(&expected), "{expected}: {found:?}");
        }
    }

    #[test]
    fn tiny_images_are_enlarged() {
        let tiny = Figure { raster: Raster::new(1, 1, [5; 3]), ..figure() };
        assert!(tiny.scene(300).shapes.iter().any(
            |shape| matches!(shape, Shape::Picture { raster, .. } if raster.width() == 300 && raster.height() == 300)
        ));
        assert!(Figure { raster: Raster::new(0, 0, [0; 3]), ..tiny }.scene(100).width >= 360);
    }
}
