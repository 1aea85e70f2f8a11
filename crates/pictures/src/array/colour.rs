//! Colour maps, and images in colour.

use super::grid::Grid;
use super::raster::{Raster, Rgb};
use super::stretch::Scaling;

/// Colour of values that are not a number. No colour map has it.
pub const NOT_A_NUMBER: Rgb = [255, 0, 255];
/// Colour of masked values. No colour map has it.
pub const MASKED: Rgb = [0, 110, 255];
/// Number of colours of a map.
const COLOURS: usize = 256;

/// A colour map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ColourMap {
    /// From dark blue by green to yellow, for all eyes.
    #[default]
    Viridis,
    /// From black to white.
    Grey,
    /// From black by red to light yellow.
    Inferno,
    /// From black by purple to white.
    Magma,
    /// From blue by red to yellow.
    Plasma,
    /// From black to white by a spiral of colours, whose brightness rises evenly.
    Cubehelix,
    /// From red by white to blue, for values around a middle.
    RedBlue,
}

impl ColourMap {
    /// Returns all colours, from the first to the last one.
    pub fn colours(self) -> Vec<Rgb> {
        let gradient = match self {
            ColourMap::Grey => return (0..=u8::MAX).map(|level| [level; 3]).collect(),
            ColourMap::Viridis => colorous::VIRIDIS,
            ColourMap::Inferno => colorous::INFERNO,
            ColourMap::Magma => colorous::MAGMA,
            ColourMap::Plasma => colorous::PLASMA,
            ColourMap::Cubehelix => colorous::CUBEHELIX,
            ColourMap::RedBlue => return steps(colorous::RED_BLUE),
        };
        (0..COLOURS).map(|index| gradient.eval_rational(index, COLOURS).as_array()).collect()
    }

    /// Gives each value its colour. `is_upward` puts the first row of the array at the bottom.
    pub fn paint(self, grid: &Grid, scaling: &Scaling, is_upward: bool) -> Raster {
        let colours = self.colours();
        painted(grid, is_upward, |index, value| match (grid.is_masked(index), value.is_nan()) {
            (true, _) => MASKED,
            (_, true) => NOT_A_NUMBER,
            _ => colours[level(scaling.brightness(value))],
        })
    }
}

/// Number of colours of a scheme of ColorBrewer.
const SCHEME: usize = 11;

/// Returns the colours between those of a scheme of ColorBrewer, on straight lines as in matplotlib. The crate has splines,
/// which differ by up to 9 levels.
fn steps(scheme: colorous::Gradient) -> Vec<Rgb> {
    let colour = |step: usize| scheme.eval_rational(step, SCHEME).as_array();
    let between = |index: usize| {
        let place = (index * (SCHEME - 1)) as f64 / (COLOURS - 1) as f64;
        let step = (place as usize).min(SCHEME - 2);
        let (from, to, part) = (colour(step), colour(step + 1), place - step as f64);
        [0, 1, 2].map(|channel| {
            let (from, to) = (f64::from(from[channel]), f64::from(to[channel]));
            (from + part * (to - from)).round() as u8
        })
    };
    (0..COLOURS).map(between).collect()
}

/// Returns the index of the colour of a brightness, as matplotlib chooses it.
fn level(brightness: f64) -> usize {
    ((brightness * COLOURS as f64) as usize).min(COLOURS - 1)
}

/// Makes a picture of three grids of one shape: red, green, blue. A pixel is masked, or not a number, if one of its
/// values is.
pub fn composite(grids: &[Grid; 3], scalings: &[Scaling; 3], is_upward: bool) -> Raster {
    let [first, ..] = grids;
    painted(first, is_upward, |index, _| {
        let values = [0, 1, 2].map(|channel| grids[channel].values.get(index).copied().unwrap_or(f64::NAN));
        if grids.iter().any(|grid| grid.is_masked(index)) {
            return MASKED;
        }
        if values.iter().any(|value| value.is_nan()) {
            return NOT_A_NUMBER;
        }
        [0, 1, 2].map(|channel| level(scalings[channel].brightness(values[channel])) as u8)
    })
}

fn painted(grid: &Grid, is_upward: bool, colour: impl Fn(usize, f64) -> Rgb) -> Raster {
    let mut raster = Raster::new(grid.width, grid.height, [0; 3]);
    for (index, value) in grid.values.iter().enumerate() {
        let (row, column) = (index / grid.width.max(1), index % grid.width.max(1));
        let row = if is_upward { grid.height - 1 - row } else { row };
        raster.set_pixel(column, row, colour(index, *value));
    }
    raster
}

#[cfg(test)]
mod tests {
    use super::super::{Interval, Stretch};
    use super::*;

    #[test]
    fn colours_are_those_of_matplotlib() {
        // viridis(i, bytes=True) and inferno(i, bytes=True) of matplotlib 3.9.
        for (map, index, expected) in [
            (ColourMap::Viridis, 0, [68, 1, 84]),
            (ColourMap::Viridis, 64, [58, 82, 139]),
            (ColourMap::Viridis, 128, [32, 144, 140]),
            (ColourMap::Viridis, 192, [94, 201, 97]),
            (ColourMap::Viridis, 255, [253, 231, 36]),
            (ColourMap::Inferno, 128, [188, 55, 84]),
            (ColourMap::RedBlue, 0, [103, 0, 31]),
            (ColourMap::RedBlue, 20, [161, 18, 40]),
            (ColourMap::RedBlue, 255, [5, 48, 97]),
            (ColourMap::Grey, 77, [77, 77, 77]),
        ] {
            let found = map.colours()[index];
            let near = found.iter().zip(expected).all(|(found, expected)| found.abs_diff(expected) <= 1);
            assert!(near, "{map:?} {index}: {found:?}");
        }
    }

    #[test]
    fn masked_values_and_nan_have_colours_of_their_own() {
        let grid = Grid { masked: vec![false, true, false], ..Grid::new(3, 1, vec![f64::NAN, 1.0, 2.0]) };
        let scaling = Scaling { limits: Interval::MinMax.limits(&grid), stretch: Stretch::Linear };
        let raster = ColourMap::Viridis.paint(&grid, &scaling, true);
        assert_eq!([0, 1].map(|column| raster.pixel(column, 0)), [NOT_A_NUMBER, MASKED]);
        for map in [ColourMap::Viridis, ColourMap::Magma, ColourMap::Plasma, ColourMap::Cubehelix, ColourMap::RedBlue] {
            let far = |other: Rgb| map.colours().iter().all(|colour| difference(*colour, other) > 60);
            assert!(far(NOT_A_NUMBER) && far(MASKED), "{map:?}");
        }
    }

    fn difference(first: Rgb, second: Rgb) -> u32 {
        first.iter().zip(second).map(|(first, second)| u32::from(first.abs_diff(second))).sum()
    }

    #[test]
    fn rows_go_up_or_down() {
        let grid = Grid::new(1, 2, vec![0.0, 1.0]);
        let scaling = Scaling { limits: Interval::MinMax.limits(&grid), stretch: Stretch::Linear };
        assert_eq!(ColourMap::Grey.paint(&grid, &scaling, true).pixel(0, 1), [0; 3]);
        assert_eq!(ColourMap::Grey.paint(&grid, &scaling, false).pixel(0, 1), [255; 3]);
        let three = composite(&[grid.clone(), grid.clone(), grid.clone()], &[scaling; 3], true);
        assert_eq!(three.pixel(0, 0), [255; 3]);
    }
}
