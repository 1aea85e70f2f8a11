//! The terminal: its size, its colours, what it can show.

use super::arguments::Graphics;
use crate::core::output::Output;
use asdfkit_pictures::output::Depth;
use std::io::IsTerminal;

/// Size where nothing tells it.
const USUAL: [usize; 2] = [80, 24];
/// Programs that show pictures by the protocol of kitty.
const WITH_PIXELS: [&str; 3] = ["kitty", "ghostty", "WezTerm"];

/// The terminal, or what stands in its place.
pub(super) struct Terminal {
    /// Number of characters of a line.
    pub(super) columns: usize,
    /// Number of lines.
    pub(super) lines: usize,
    pub(super) depth: Depth,
    /// True if pictures are shown as pixels.
    pub(super) has_pixels: bool,
}

impl Terminal {
    /// Returns the terminal of standard output.
    pub(super) fn of(output: &Output, graphics: Graphics) -> Terminal {
        let variable = |name: &str| std::env::var(name).ok();
        let lines = variable("LINES").and_then(|text| text.parse().ok()).filter(|lines| *lines > 0);
        let known = || terminal_size::terminal_size_of(std::io::stdout()).map(|(_, height)| usize::from(height.0));
        let has_pixels = match graphics {
            Graphics::Kitty => true,
            Graphics::Blocks => false,
            Graphics::Auto => std::io::stdout().is_terminal() && shows_pixels(variable),
        };
        Terminal {
            columns: output.width().unwrap_or(USUAL[0]).clamp(10, 1000),
            lines: lines.or_else(known).unwrap_or(USUAL[1]).clamp(8, 1000),
            depth: Depth::of_variables(variable),
            has_pixels,
        }
    }
}

fn shows_pixels(variable: impl Fn(&str) -> Option<String>) -> bool {
    let named = |name: &str| variable(name).is_some_and(|value| WITH_PIXELS.iter().any(|known| value.contains(known)));
    variable("KITTY_WINDOW_ID").is_some() || named("TERM") || named("TERM_PROGRAM")
}
