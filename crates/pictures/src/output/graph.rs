//! Charts in a terminal: eight dots a character, with the ends of the axes as text.

use crate::plot::{Chart, Plain, Shape};

/// First character of the patterns of dots.
const DOTS: u32 = 0x2800;
/// Bits of the dots of a character, by row and column.
const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// A field of dots.
struct Dots {
    columns: usize,
    rows: usize,
    patterns: Vec<u32>,
}

impl Dots {
    fn set(&mut self, x: f64, y: f64) {
        if x < 0.0 || y < 0.0 {
            return;
        }
        let (x, y) = (x as usize, y as usize);
        if x / 2 < self.columns && y / 4 < self.rows {
            self.patterns[y / 4 * self.columns + x / 2] |= BITS[y % 4][x % 2];
        }
    }

    fn line(&mut self, [x, y]: [f64; 2], [to_x, to_y]: [f64; 2]) {
        let steps = (to_x - x).abs().max((to_y - y).abs()).ceil().clamp(1.0, 1e5);
        for step in 0..=steps as usize {
            let part = step as f64 / steps;
            self.set(x + (to_x - x) * part, y + (to_y - y) * part);
        }
    }
}

/// Returns a chart as lines of text, about `columns` characters wide and `rows` lines high.
pub fn graph(chart: &Chart, columns: usize, rows: usize) -> String {
    let height = rows.saturating_sub(4).clamp(3, 1000);
    let [_, [low, high]] = chart.plain(1.0, 1.0).ends;
    let margin = low.chars().count().max(high.chars().count()).max(1);
    let width = columns.saturating_sub(margin + 2).clamp(8, 1000);
    let mut dots = Dots { columns: width, rows: height, patterns: vec![0; width * height] };
    let Plain { shapes, ends: [[first, last], _] } = chart.plain((width * 2 - 1) as f64, (height * 4 - 1) as f64);
    shapes.iter().for_each(|shape| draw(shape, &mut dots));
    let indent = " ".repeat(margin);
    let mut out = format!("{indent}  {}\n", chart.title);
    for row in 0..height {
        let label = match row {
            0 => high.as_str(),
            row if row + 1 == height => low.as_str(),
            _ => "",
        };
        let patterns = &dots.patterns[row * width..(row + 1) * width];
        let line: String = patterns.iter().map(|bits| char::from_u32(DOTS + bits).unwrap_or(' ')).collect();
        out.push_str(&format!("{label:>margin$} ┤{line}\n"));
    }
    let free = width.saturating_sub(first.chars().count() + last.chars().count());
    out.push_str(&format!("{indent} └{}\n{indent}  {first}{}{last}\n", "─".repeat(width), " ".repeat(free)));
    out.push_str(&format!("{indent}  x: {}   y: {}\n", chart.x_axis.label, chart.y_axis.label));
    out
}

fn draw(shape: &Shape, dots: &mut Dots) {
    match shape {
        Shape::Lines { lines, .. } => {
            lines.iter().flat_map(|line| line.windows(2)).for_each(|pair| dots.line(pair[0], pair[1]));
        }
        Shape::Circles { centers, .. } => centers.iter().for_each(|[x, y]| dots.set(*x, *y)),
        Shape::Rectangles { rectangles, .. } => {
            for [left, top, width, height] in rectangles {
                let mut x = *left;
                while x < left + width.max(1.0) {
                    dots.line([x, *top], [x, top + height]);
                    x += 1.0;
                }
            }
        }
        Shape::Polygon { .. } | Shape::Picture { .. } | Shape::Text(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plot::{Axis, Marks};

    #[test]
    fn a_rising_line_rises() {
        let axis = |label: &str| Axis { label: label.to_owned(), is_log: false };
        let y: Vec<f64> = (0..50).map(f64::from).collect();
        let mut chart = Chart {
            title: "flux".to_owned(),
            x_axis: axis("index"),
            y_axis: axis("flux [Jy]"),
            x: y.clone(),
            y,
            marks: Marks::Line,
        };
        let text = graph(&chart, 40, 10);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 10);
        assert!(lines[1].trim_start().starts_with("51"));
        let dots = |line: &str| line.chars().skip_while(|character| *character != '┤').skip(1).collect::<Vec<_>>();
        assert!(dots(lines[1])[..20].iter().all(|dot| *dot == '\u{2800}'));
        assert!(dots(lines[1])[20..].iter().any(|dot| *dot != '\u{2800}'));
        assert!(lines[9].contains("x: index   y: flux [Jy]"));
        chart.marks = Marks::Histogram { bins: 10 };
        assert!(graph(&chart, 40, 10).contains('⣿'));
        chart.y.clear();
        assert!(!graph(&chart, 0, 0).is_empty());
    }
}
