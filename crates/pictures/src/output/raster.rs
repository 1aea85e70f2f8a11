//! Scenes as pixels.

use super::font::{Font, placed};
use crate::array::{Raster, Rgb};
use crate::plot::{Anchor, Point, Scene, Shape, Text};
use tiny_skia::{Color, FillRule, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

/// Draws a scene. One that is too large for memory becomes a single pixel.
pub fn rasterize(scene: &Scene) -> Raster {
    let side = |length: usize| u32::try_from(length.max(1)).unwrap_or(1);
    let Some(mut pixmap) = Pixmap::new(side(scene.width), side(scene.height)) else {
        return Raster::new(1, 1, [255; 3]);
    };
    pixmap.fill(Color::WHITE);
    let font = Font::new();
    for shape in &scene.shapes {
        draw(&mut pixmap, shape, font.as_ref());
    }
    let (width, height) = (pixmap.width() as usize, pixmap.height() as usize);
    let mut raster = Raster::new(width, height, [0; 3]);
    for (index, pixel) in pixmap.pixels().iter().enumerate() {
        // White paper leaves no pixel transparent.
        raster.set_pixel(index % width, index / width, [pixel.red(), pixel.green(), pixel.blue()]);
    }
    raster
}

fn paint([red, green, blue]: Rgb, opacity: f64) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red, green, blue, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8);
    paint
}

fn draw(pixmap: &mut Pixmap, shape: &Shape, font: Option<&Font>) {
    let fill = |pixmap: &mut Pixmap, path: Option<Path>, paint: &Paint, transform: Transform| {
        if let Some(path) = path {
            pixmap.fill_path(&path, paint, FillRule::Winding, transform, None);
        }
    };
    match shape {
        Shape::Lines { lines, colour, width, opacity } => {
            let stroke = Stroke { width: *width as f32, ..Stroke::default() };
            if let Some(path) = path_of(lines, false) {
                pixmap.stroke_path(&path, &paint(*colour, *opacity), &stroke, Transform::identity(), None);
            }
        }
        Shape::Polygon { points, colour } => {
            let path = path_of(std::slice::from_ref(points), true);
            fill(pixmap, path, &paint(*colour, 1.0), Transform::identity());
        }
        Shape::Rectangles { rectangles, colour } => {
            for [left, top, width, height] in rectangles.iter().map(|sides| sides.map(|side| side as f32)) {
                let path = Rect::from_xywh(left, top, width, height).map(PathBuilder::from_rect);
                fill(pixmap, path, &paint(*colour, 1.0), Transform::identity());
            }
        }
        Shape::Circles { centers, radius, colour, opacity } => {
            for [x, y] in centers.iter().map(|center| center.map(|part| part as f32)) {
                let path = PathBuilder::from_circle(x, y, *radius as f32);
                fill(pixmap, path, &paint(*colour, *opacity), Transform::identity());
            }
        }
        Shape::Picture { at, raster } => copy(pixmap, *at, raster),
        Shape::Text(text) => {
            if let Some(font) = font {
                draw_text(pixmap, text, font);
            }
        }
    }
}

fn draw_text(pixmap: &mut Pixmap, text: &Text, font: &Font) {
    let (path, width) = font.outline(&text.text, text.size);
    let shift = match text.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -width / 2.0,
        Anchor::End => -width,
    };
    if let Some(path) = path {
        let transform = placed(text.at, shift, text.is_upward);
        pixmap.fill_path(&path, &paint(text.colour, 1.0), FillRule::Winding, transform, None);
    }
}

fn path_of(lines: &[Vec<Point>], is_closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for line in lines {
        for (index, [x, y]) in line.iter().map(|point| point.map(|part| part as f32)).enumerate() {
            if index == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
        if is_closed {
            path.close();
        }
    }
    path.finish()
}

fn copy(pixmap: &mut Pixmap, [left, top]: [usize; 2], raster: &Raster) {
    let (width, height) = (pixmap.width() as usize, pixmap.height() as usize);
    let data = pixmap.data_mut();
    for row in 0..raster.height().min(height.saturating_sub(top)) {
        for column in 0..raster.width().min(width.saturating_sub(left)) {
            let at = ((top + row) * width + left + column) * 4;
            let [red, green, blue] = raster.pixel(column, row);
            data[at..at + 4].copy_from_slice(&[red, green, blue, 255]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_cover_pixels() {
        let text = |is_upward: bool| {
            let (at, size, colour) = ([20.0, 30.0], 20.0, [255, 0, 0]);
            Shape::Text(Text { at, text: "H′α".to_owned(), size, colour, anchor: Anchor::Start, is_upward })
        };
        let circle = Shape::Circles { centers: vec![[50.0, 50.0]], radius: 3.0, colour: [0, 0, 255], opacity: 1.0 };
        let picture = Shape::Picture { at: [58, 0], raster: Raster::new(5, 5, [0, 255, 0]) };
        let scene = |shapes| Scene { width: 60, height: 60, shapes, description: String::new() };
        let raster = rasterize(&scene(vec![text(false), circle, picture]));
        assert_eq!(
            (raster.pixel(50, 50), raster.pixel(59, 4), raster.pixel(59, 5)),
            ([0, 0, 255], [0, 255, 0], [255; 3])
        );
        let red = |raster: &Raster, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>| {
            columns
                .flat_map(|column| rows.clone().map(move |row| (column, row)))
                .any(|(column, row)| raster.pixel(column, row) == [255, 0, 0])
        };
        assert!(red(&raster, 20..36, 16..30) && !red(&raster, 0..20, 0..60));
        let upward = rasterize(&scene(vec![text(true)]));
        assert!(red(&upward, 6..20, 14..30) && !red(&upward, 21..60, 0..60));
    }
}
