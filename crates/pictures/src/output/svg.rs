//! Scenes as SVG. Text stays text.

use super::png::data_uri;
use crate::array::Rgb;
use crate::plot::{Anchor, Scene, Shape, Text};
use std::fmt::Write;

/// Returns the scene as a document.
pub fn svg(scene: &Scene) -> String {
    let (width, height) = (scene.width, scene.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-label=\"{description}\" font-family=\"DejaVu Sans, sans-serif\">\n\
         <title>{description}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
        description = escaped(&scene.description)
    );
    for shape in &scene.shapes {
        // Writing to a string cannot fail.
        let _ = write_shape(shape, &mut out);
    }
    out.push_str("</svg>\n");
    out
}

fn write_shape(shape: &Shape, out: &mut String) -> std::fmt::Result {
    match shape {
        Shape::Lines { lines, colour, width, opacity } => {
            out.push_str("<path d=\"");
            for line in lines {
                for (index, [x, y]) in line.iter().enumerate() {
                    write!(out, "{}{} {}", if index == 0 { 'M' } else { 'L' }, short(*x), short(*y))?;
                }
            }
            let colour = hex(*colour);
            writeln!(
                out,
                "\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-opacity=\"{opacity}\"/>"
            )
        }
        Shape::Polygon { points, colour } => {
            let points: Vec<String> = points.iter().map(|[x, y]| format!("{},{}", short(*x), short(*y))).collect();
            writeln!(out, "<polygon points=\"{}\" fill=\"{}\"/>", points.join(" "), hex(*colour))
        }
        Shape::Rectangles { rectangles, colour } => {
            writeln!(out, "<g fill=\"{}\">", hex(*colour))?;
            for sides in rectangles {
                let [left, top, width, height] = sides.map(short);
                writeln!(out, "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>")?;
            }
            writeln!(out, "</g>")
        }
        Shape::Circles { centers, radius, colour, opacity } => {
            writeln!(out, "<g fill=\"{}\" fill-opacity=\"{opacity}\">", hex(*colour))?;
            for [x, y] in centers {
                writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{radius}\"/>", short(*x), short(*y))?;
            }
            writeln!(out, "</g>")
        }
        Shape::Picture { at: [left, top], raster } => writeln!(
            out,
            "<image x=\"{left}\" y=\"{top}\" width=\"{}\" height=\"{}\" href=\"{}\"/>",
            raster.width(),
            raster.height(),
            data_uri(raster)
        ),
        Shape::Text(text) => write_text(text, out),
    }
}

fn write_text(text: &Text, out: &mut String) -> std::fmt::Result {
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let [x, y] = text.at.map(short);
    let turn = if text.is_upward { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
    let (size, colour) = (text.size, hex(text.colour));
    let content = escaped(&text.text);
    writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{colour}\" text-anchor=\"{anchor}\"{turn}>{content}</text>"
    )
}

/// Returns a coordinate with at most two digits after the point.
fn short(value: f64) -> f64 {
    (value * 100.0).round() / 100.0
}

fn hex([red, green, blue]: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns text that no reader of XML takes for markup. Characters that XML forbids become replacement characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' => out.push(' '),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push(char::REPLACEMENT_CHARACTER),
            // These would turn the direction of what follows.
            '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
                out.push(char::REPLACEMENT_CHARACTER);
            }
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Raster;

    #[test]
    fn text_is_escaped() {
        let text = Text {
            at: [1.0, 2.0],
            text: "<script>\"a\" & 'b'\u{1}</script>".to_owned(),
            size: 12.0,
            colour: [1, 2, 3],
            anchor: Anchor::End,
            is_upward: true,
        };
        let shapes = vec![Shape::Text(text), Shape::Picture { at: [0, 0], raster: Raster::new(1, 1, [0; 3]) }];
        let document = svg(&Scene { width: 10, height: 20, shapes, description: "</title>".to_owned() });
        assert!(document.contains("&lt;script&gt;&quot;a&quot; &amp; &#39;b&#39;\u{fffd}&lt;/script&gt;"));
        assert!(document.contains("<title>&lt;/title&gt;</title>") && !document.contains("<script"));
        assert!(document.contains("rotate(-90 1 2)") && document.contains("data:image/png;base64,"));
    }
}
