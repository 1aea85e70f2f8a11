//! A drawing of the layout of a file: tree, blocks, free space and gaps.

use super::html::escaped;
use crate::core::failure::Result;
use crate::core::input::Input;
use crate::core::size::{count, of_bytes};
use crate::look::blocks;
use asdfkit::file::File;
use serde_json::Value;

/// Blocks that are drawn and listed.
const MOST: usize = 500;
/// Width of the drawing, and the smallest width of a part of it.
const WIDTH: f64 = 1000.0;
const NARROWEST: f64 = 3.0;

/// A part of the file.
struct Part {
    class: &'static str,
    name: String,
    bytes: u64,
}

/// Returns the drawing and the list of blocks; empty for a file without blocks.
pub(super) fn section(input: &Input, file: &File) -> Result<String> {
    let blocks = blocks::facts(input, file)?;
    let list = blocks["blocks"].as_array().cloned().unwrap_or_default();
    if list.is_empty() {
        return Ok("<p>The file has no blocks: all of it is the tree.</p>\n".to_owned());
    }
    let size = |block: &Value, key: &str| block[key].as_u64().unwrap_or(0);
    let mut parts = Vec::new();
    let first = size(&list[0], "offset");
    parts.push(Part { class: "part-tree", name: "tree".to_owned(), bytes: first });
    for (index, block) in list.iter().take(MOST).enumerate() {
        let stored = size(block, "stored_bytes");
        let name = format!("block {index}");
        let class = if block["compression"].is_string() { "part-packed" } else { "part-block" };
        parts.push(Part { class, name: name.clone(), bytes: stored });
        for (key, what, class) in [("free_bytes", "free in", "part-free"), ("gap_after", "gap after", "part-gap")] {
            if size(block, key) > 0 {
                parts.push(Part { class, name: format!("{what} {name}"), bytes: size(block, key) });
            }
        }
    }
    let total = count(list.len() as u64, "block");
    let mut out = format!(
        "{}\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"List of blocks\">",
        drawing(&parts, &total)
    );
    out.push_str(
        "<table><caption>Blocks</caption><thead><tr><th scope=\"col\">Block</th><th scope=\"col\">Offset</th>\
         <th scope=\"col\">Stored</th><th scope=\"col\">Decoded</th><th scope=\"col\">Codec</th>\
         <th scope=\"col\">Ratio</th><th scope=\"col\">Free</th><th scope=\"col\">Gap after</th>\
         <th scope=\"col\">Checksum</th></tr></thead><tbody>\n",
    );
    for (index, block) in list.iter().take(MOST).enumerate() {
        let bytes = |key: &str| block[key].as_u64().map_or(String::from("–"), of_bytes);
        let some = |key: &str| block[key].as_u64().filter(|bytes| *bytes > 0).map_or(String::new(), of_bytes);
        let ratio = block["ratio"].as_f64().map_or(String::new(), |ratio| format!("{ratio:.1}:1"));
        let text = |key: &str| escaped(block[key].as_str().unwrap_or("none"));
        out.push_str(&format!(
            "<tr><th scope=\"row\">{index}</th><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td>{}</td><td class=\"number\">{ratio}</td><td class=\"number\">{}</td>\
             <td class=\"number\">{}</td><td>{}</td></tr>\n",
            block["offset"].as_u64().unwrap_or_default(),
            bytes("stored_bytes"),
            bytes("decoded_bytes"),
            text("compression"),
            some("free_bytes"),
            some("gap_after"),
            text("checksum"),
        ));
    }
    out.push_str("</tbody></table></div>\n");
    if list.len() > MOST {
        out.push_str(&format!("<p>{} more blocks are not shown.</p>\n", list.len() - MOST));
    }
    Ok(out)
}

/// Draws the parts as rectangles whose widths follow their sizes. The smallest ones stay visible.
fn drawing(parts: &[Part], total: &str) -> String {
    let sum = parts.iter().map(|part| part.bytes as f64).sum::<f64>().max(1.0);
    let wide = |part: &Part| (part.bytes as f64 / sum * WIDTH).max(NARROWEST);
    let whole: f64 = parts.iter().map(wide).sum();
    let mut out = format!(
        "<svg class=\"layout\" viewBox=\"0 0 {WIDTH} 60\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"Layout of the file: tree and {total}\">"
    );
    let mut left = 0.0;
    for part in parts {
        let width = wide(part) / whole * WIDTH;
        out.push_str(&format!(
            "<rect class=\"{}\" x=\"{left:.2}\" y=\"0\" width=\"{width:.2}\" height=\"60\"><title>{}: {}</title></rect>",
            part.class,
            part.name,
            of_bytes(part.bytes)
        ));
        left += width;
    }
    out.push_str("</svg>\n<p class=\"legend\">");
    let kinds = [
        ("part-tree", "tree"),
        ("part-block", "block"),
        ("part-packed", "compressed block"),
        ("part-free", "free space in a block"),
        ("part-gap", "gap"),
    ];
    for (class, name) in kinds {
        if parts.iter().any(|part| part.class == class) {
            out.push_str(&format!("<span class=\"sample {class}\"></span> {name} "));
        }
    }
    out.push_str("</p>");
    out
}
