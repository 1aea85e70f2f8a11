//! Pictures in a terminal: a character shows two pixels, one above the other.

use crate::array::{Raster, Rgb};
use std::fmt::Write;

/// Colours that a terminal has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// All colours of 24 bits.
    True,
    /// The palette of 256 colours.
    Palette,
    /// The 16 colours of the oldest terminals.
    Basic,
    /// None: characters of more or less ink.
    Ink,
}

impl Depth {
    /// Returns the colours that the variables of the environment tell.
    pub fn of_variables(variable: impl Fn(&str) -> Option<String>) -> Depth {
        let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
        let term = variable("TERM").unwrap_or_default();
        if is_set("NO_COLOR") || term == "dumb" {
            return Depth::Ink;
        }
        let true_colour = |value: String| matches!(value.as_str(), "truecolor" | "24bit");
        if variable("COLORTERM").is_some_and(true_colour) || term.ends_with("-direct") {
            return Depth::True;
        }
        if term.contains("256color") || term.contains("kitty") { Depth::Palette } else { Depth::Basic }
    }
}

/// The 16 colours as terminals usually show them.
const BASIC: [Rgb; 16] = [
    [0, 0, 0],
    [205, 0, 0],
    [0, 205, 0],
    [205, 205, 0],
    [0, 0, 238],
    [205, 0, 205],
    [0, 205, 205],
    [229, 229, 229],
    [127, 127, 127],
    [255, 0, 0],
    [0, 255, 0],
    [255, 255, 0],
    [92, 92, 255],
    [255, 0, 255],
    [0, 255, 255],
    [255, 255, 255],
];
/// Levels of red, green and blue in the palette.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// Characters from no ink to much.
const INK: [char; 10] = [' ', '.', ':', '-', '=', '+', '*', '#', '%', '@'];

/// Returns the lines of a picture. Its colours are those of the terminal that come nearest.
pub fn half_blocks(raster: &Raster, depth: Depth) -> String {
    let mut out = String::new();
    for row in (0..raster.height()).step_by(2) {
        let mut last = String::new();
        for column in 0..raster.width() {
            let upper = raster.pixel(column, row);
            let lower = (row + 1 < raster.height()).then(|| raster.pixel(column, row + 1));
            if depth == Depth::Ink {
                let both = lower.map_or(brightness(upper), |lower| (brightness(upper) + brightness(lower)) / 2);
                out.push(INK[both as usize * INK.len() / 256]);
                continue;
            }
            let mut codes = code(upper, depth, false);
            match lower {
                Some(lower) => {
                    codes.push(';');
                    codes.push_str(&code(lower, depth, true));
                }
                None => codes.push_str(";49"),
            }
            if codes != last {
                // Writing to a string cannot fail.
                let _ = write!(out, "\x1b[{codes}m");
                last = codes;
            }
            out.push('▀');
        }
        if depth != Depth::Ink {
            out.push_str("\x1b[0m");
        }
        out.push('\n');
    }
    out
}

fn brightness([red, green, blue]: Rgb) -> u32 {
    (299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue)) / 1000
}

/// Returns the parameters that choose a colour, for the ink or the ground.
fn code(colour: Rgb, depth: Depth, is_ground: bool) -> String {
    let [red, green, blue] = colour;
    let kind = if is_ground { 48 } else { 38 };
    match depth {
        Depth::True => format!("{kind};2;{red};{green};{blue}"),
        Depth::Palette => format!("{kind};5;{}", palette(colour)),
        Depth::Basic | Depth::Ink => {
            let index = nearest(BASIC.iter().copied(), colour);
            let first = if index < 8 { 30 } else { 82 };
            (first + index + if is_ground { 10 } else { 0 }).to_string()
        }
    }
}

/// Returns the index of a colour in the palette: one of the cube, or one of the greys.
fn palette(colour: Rgb) -> usize {
    let step = |level: u8| (0..LEVELS.len()).min_by_key(|index| LEVELS[*index].abs_diff(level)).unwrap_or(0);
    let [red, green, blue] = colour.map(step);
    let cube = [red, green, blue].map(|index| LEVELS[index]);
    let grey_index = usize::try_from((brightness(colour).saturating_sub(3)) / 10).unwrap_or(0).min(23);
    let grey = [8 + 10 * grey_index as u8; 3];
    match distance(grey, colour) < distance(cube, colour) {
        true => 232 + grey_index,
        false => 16 + 36 * red + 6 * green + blue,
    }
}

fn nearest(colours: impl Iterator<Item = Rgb>, wanted: Rgb) -> usize {
    colours.enumerate().min_by_key(|(_, colour)| distance(*colour, wanted)).map_or(0, |(index, _)| index)
}

fn distance(first: Rgb, second: Rgb) -> u32 {
    first.iter().zip(second).map(|(first, second)| u32::from(first.abs_diff(second)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_rows() -> Raster {
        let mut raster = Raster::new(2, 3, [255, 0, 0]);
        raster.set_pixel(0, 1, [0, 0, 95]);
        raster.set_pixel(1, 1, [0, 0, 95]);
        raster
    }

    #[test]
    fn a_character_is_two_pixels() {
        let text = half_blocks(&two_rows(), Depth::True);
        assert_eq!(text, "\x1b[38;2;255;0;0;48;2;0;0;95m▀▀\x1b[0m\n\x1b[38;2;255;0;0;49m▀▀\x1b[0m\n");
        assert!(half_blocks(&two_rows(), Depth::Palette).starts_with("\x1b[38;5;196;48;5;17m▀▀"));
        assert!(half_blocks(&two_rows(), Depth::Basic).starts_with("\x1b[91;40m▀▀"));
        let ink = half_blocks(&Raster::new(3, 2, [255; 3]), Depth::Ink);
        assert_eq!(ink, "@@@\n");
    }

    #[test]
    fn greys_of_the_palette_are_found() {
        assert_eq!(palette([128; 3]), 244);
        assert_eq!(palette([0; 3]), 16);
        assert_eq!(palette([255; 3]), 231);
    }

    #[test]
    fn the_environment_tells_the_colours() {
        let depth = |term: &str, colorterm: &str| {
            Depth::of_variables(|name| match name {
                "TERM" => Some(term.to_owned()),
                "COLORTERM" => Some(colorterm.to_owned()),
                _ => None,
            })
        };
        assert_eq!(depth("xterm-256color", "truecolor"), Depth::True);
        assert_eq!(depth("xterm-256color", ""), Depth::Palette);
        assert_eq!(depth("xterm", ""), Depth::Basic);
        assert_eq!(depth("dumb", "truecolor"), Depth::Ink);
        assert_eq!(Depth::of_variables(|name| (name == "NO_COLOR").then(|| "1".to_owned())), Depth::Ink);
    }
}
