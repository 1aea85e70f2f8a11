//! Charts of one or two columns: lines, points, histograms.

use super::axis::{Axis, Scale};
use super::bins::{Bins, histogram};
use super::scene::{Anchor, FAINT, Point, Scene, Shape};
use super::ticks::number_text;
use crate::array::Rgb;

/// Colour of data.
const DATA: Rgb = [31, 119, 180];
/// Space around the frame: left, top, right, bottom.
const MARGINS: [f64; 4] = [78.0, 34.0, 22.0, 52.0];
/// Number of points from which they are drawn smaller and less opaque.
const MANY: usize = 2000;

/// Mark of each value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// A line through the points in their order. Values that are not a number interrupt it.
    Line,
    /// Points.
    Points,
    /// Counts of the values of `y` in some parts of their range.
    Histogram {
        /// Number of parts.
        bins: usize,
    },
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Title.
    pub title: String,
    /// Horizontal axis; of a histogram that of the values.
    pub x_axis: Axis,
    /// Vertical axis; of a histogram that of the counts.
    pub y_axis: Axis,
    /// Horizontal places of the points; a histogram has none.
    pub x: Vec<f64>,
    /// Values.
    pub y: Vec<f64>,
    /// Mark of each value.
    pub marks: Marks,
}

/// The frame of a chart, and its scales.
struct Frame {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x: Scale,
    y: Scale,
}

impl Frame {
    fn point(&self, x: f64, y: f64) -> Option<Point> {
        let (x, y) = (self.x.place(x)?, self.y.place(y)?);
        Some([self.left + x * self.width, self.top + (1.0 - y) * self.height])
    }
}

/// The marks of a chart without anything around them.
pub(crate) struct Plain {
    /// The marks.
    pub(crate) shapes: Vec<Shape>,
    /// Text of the ends of both axes.
    pub(crate) ends: [[String; 2]; 2],
}

impl Chart {
    /// Lays out the chart.
    pub fn scene(&self, width: usize, height: usize) -> Scene {
        let (width, height) = (width.max(160), height.max(120));
        let [left, top, right, bottom] = MARGINS;
        let mut scene = Scene { width, height, ..Scene::default() };
        let frame = self.frame([left, top, width as f64 - left - right, height as f64 - top - bottom]);
        self.draw_axes(&frame, &mut scene);
        self.draw_marks(&frame, &mut scene.shapes);
        scene.outline([frame.left, frame.top, frame.width, frame.height]);
        scene.description = match self.marks {
            Marks::Histogram { .. } => format!("Histogram of {}", self.x_axis.label),
            Marks::Line | Marks::Points => format!("{} over {}", self.y_axis.label, self.x_axis.label),
        };
        scene
    }

    /// Lays out the marks alone.
    pub(crate) fn plain(&self, width: f64, height: f64) -> Plain {
        let frame = self.frame([0.0, 0.0, width, height]);
        let mut shapes = Vec::new();
        self.draw_marks(&frame, &mut shapes);
        let ends = [&frame.x, &frame.y].map(|scale| scale.range().map(|value| number_text(value, scale.grain())));
        Plain { shapes, ends }
    }

    fn bins(&self) -> Option<Bins> {
        match self.marks {
            Marks::Histogram { bins } => Some(histogram(&self.y, bins)),
            Marks::Line | Marks::Points => None,
        }
    }

    /// Lowest place of the bars of a histogram. A count of 0 has no place on a logarithmic axis.
    fn foot(&self) -> f64 {
        if self.y_axis.is_log { 0.5 } else { 0.0 }
    }

    fn frame(&self, [left, top, width, height]: [f64; 4]) -> Frame {
        let (x, y) = match self.bins() {
            Some(bins) => {
                let counts = bins.counts.iter().map(|count| *count as f64).chain([self.foot()]);
                let mut y = Scale::of(&self.y_axis, counts, 0.0);
                y.leave_room_above();
                (Scale::of(&Axis { is_log: false, ..self.x_axis.clone() }, [bins.low, bins.high].into_iter(), 0.02), y)
            }
            None => {
                let shown = self.x.iter().zip(&self.y).filter(|(x, y)| x.is_finite() && y.is_finite());
                let margin = if self.marks == Marks::Line { 0.0 } else { 0.02 };
                let x = Scale::of(&self.x_axis, shown.clone().map(|(x, _)| *x), margin);
                (x, Scale::of(&self.y_axis, shown.map(|(_, y)| *y), 0.05))
            }
        };
        Frame { left, top, width, height, x, y }
    }

    fn draw_marks(&self, frame: &Frame, shapes: &mut Vec<Shape>) {
        match self.bins() {
            Some(bins) => {
                let bar = |index: usize| {
                    let count = bins.counts[index] as f64;
                    let [left, top] = frame.point(bins.edge(index), count.max(self.foot()))?;
                    let [right, bottom] = frame.point(bins.edge(index + 1), self.foot())?;
                    (count > 0.0).then_some([left, top, (right - left - 0.5).max(0.5), bottom - top])
                };
                let rectangles = (0..bins.counts.len()).filter_map(bar).collect();
                shapes.push(Shape::Rectangles { rectangles, colour: DATA });
            }
            None => self.draw_points(frame, shapes),
        }
    }

    fn draw_axes(&self, frame: &Frame, scene: &mut Scene) {
        let (right, bottom) = (frame.left + frame.width, frame.top + frame.height);
        let (mut grid, mut ticks) = (Vec::new(), Vec::new());
        for (value, text) in frame.x.ticks((frame.width / 90.0) as usize) {
            let Some(place) = frame.x.place(value) else { continue };
            let at = frame.left + place * frame.width;
            grid.push(vec![[at, frame.top], [at, bottom]]);
            ticks.push(vec![[at, bottom], [at, bottom + 5.0]]);
            scene.text([at, bottom + 18.0], Anchor::Middle, text);
        }
        for (value, text) in frame.y.ticks((frame.height / 55.0) as usize) {
            let Some(place) = frame.y.place(value) else { continue };
            let at = bottom - place * frame.height;
            grid.push(vec![[frame.left, at], [right, at]]);
            ticks.push(vec![[frame.left - 5.0, at], [frame.left, at]]);
            scene.text([frame.left - 8.0, at + 4.0], Anchor::End, text);
        }
        // The grid lies below everything.
        scene.shapes.push(Shape::Lines { lines: grid, colour: FAINT, width: 1.0, opacity: 1.0 });
        scene.ink(ticks);
        scene.text([frame.left + frame.width / 2.0, bottom + 40.0], Anchor::Middle, self.x_axis.label.clone());
        scene.upward_text([16.0, frame.top + frame.height / 2.0], self.y_axis.label.clone());
        scene.sized_text([frame.left + frame.width / 2.0, 22.0], Anchor::Middle, 14.0, self.title.clone());
    }

    fn draw_points(&self, frame: &Frame, shapes: &mut Vec<Shape>) {
        let points = self.x.iter().zip(&self.y).map(|(x, y)| frame.point(*x, *y));
        if self.marks == Marks::Points {
            let centers: Vec<Point> = points.flatten().collect();
            let (radius, opacity) = if centers.len() > MANY { (1.2, 0.4) } else { (2.5, 0.8) };
            shapes.push(Shape::Circles { centers, radius, colour: DATA, opacity });
            return;
        }
        let mut lines: Vec<Vec<Point>> = vec![Vec::new()];
        for point in points {
            match (point, lines.last_mut()) {
                (Some(point), Some(line)) => line.push(point),
                (None, Some(line)) if !line.is_empty() => lines.push(Vec::new()),
                _ => {}
            }
        }
        // A value between two gaps is a point.
        let alone = lines.iter().filter(|line| line.len() == 1).map(|line| line[0]).collect::<Vec<_>>();
        lines.retain(|line| line.len() > 1);
        let lines = lines.into_iter().map(|line| thinned(&line)).collect();
        shapes.push(Shape::Lines { lines, colour: DATA, width: 1.5, opacity: 1.0 });
        shapes.push(Shape::Circles { centers: alone, radius: 1.5, colour: DATA, opacity: 1.0 });
    }
}

/// Returns a line that looks the same with few points: of those in one column of pixels the first, the lowest, the
/// highest and the last one.
fn thinned(line: &[Point]) -> Vec<Point> {
    let mut out = Vec::new();
    for column in line.chunk_by(|first, second| first[0].floor() == second[0].floor()) {
        let height = |place: &usize| column[*place][1];
        let places = 0..column.len();
        let lowest = places.clone().min_by(|first, second| height(first).total_cmp(&height(second))).unwrap_or(0);
        let highest = places.max_by(|first, second| height(first).total_cmp(&height(second))).unwrap_or(0);
        let mut kept = [0, lowest.min(highest), lowest.max(highest), column.len() - 1].to_vec();
        kept.dedup();
        out.extend(kept.into_iter().map(|place| column[place]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(marks: Marks, y: Vec<f64>) -> Chart {
        let axis = |label: &str| Axis { label: label.to_owned(), is_log: false };
        let x = (0..y.len()).map(|index| index as f64).collect();
        Chart { title: "t".to_owned(), x_axis: axis("x"), y_axis: axis("y"), x, y, marks }
    }

    #[test]
    fn values_that_are_no_number_interrupt_a_line() {
        let scene = chart(Marks::Line, vec![1.0, 2.0, f64::NAN, 3.0, f64::NAN, 4.0, 5.0]).scene(400, 300);
        let lines = scene.shapes.iter().find_map(|shape| match shape {
            Shape::Lines { lines, colour: DATA, .. } => Some(lines.len()),
            _ => None,
        });
        assert_eq!(lines, Some(2));
        let circles = |shape: &Shape| matches!(shape, Shape::Circles { centers, .. } if centers.len() == 1);
        assert!(scene.shapes.iter().any(circles));
    }

    #[test]
    fn long_lines_keep_their_extremes() {
        let line: Vec<Point> = (0..100_000).map(|index| [f64::from(index) / 1000.0, f64::from(index % 7)]).collect();
        let thin = thinned(&line);
        assert!(thin.len() <= 400, "{}", thin.len());
        assert!(thin.iter().any(|point| point[1] == 6.0) && thin.last() == line.last());
    }

    #[test]
    fn charts_without_values_have_axes() {
        for marks in [Marks::Line, Marks::Points, Marks::Histogram { bins: 5 }] {
            for values in [vec![], vec![f64::NAN], vec![f64::INFINITY, 3.0], vec![f64::MIN, f64::MAX]] {
                for is_log in [false, true] {
                    let mut chart = chart(marks, values.clone());
                    chart.y_axis.is_log = is_log;
                    assert!(chart.scene(10, 10).shapes.len() > 2);
                }
            }
        }
    }
}
