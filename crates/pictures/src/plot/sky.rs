//! The sky behind an image: lines of equal longitude and latitude, and their labels.

use super::contour::Field;
use super::scene::Point;
use super::ticks::multiples;

/// Steps of angles in seconds of arc or of time, below a degree or an hour.
const STEPS: [f64; 11] = [1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0, 1200.0];
/// Steps of degrees and of hours.
const DEGREES: [f64; 8] = [0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 45.0];
const HOURS: [f64; 5] = [0.5, 1.0, 2.0, 3.0, 6.0];
/// Difference of longitudes in degrees beyond which two neighbours are at the seam of the sky.
const JUMP: f64 = 90.0;
/// About as many lines are wanted.
const WANTED: f64 = 5.0;

/// Names of the coordinates, and their notation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkyNames {
    /// Name of the longitude.
    pub longitude: String,
    /// Name of the latitude.
    pub latitude: String,
    /// True if longitudes are written in hours.
    pub in_hours: bool,
}

/// Coordinates on the sky of points at equal distances over an image, from its first to its last edge. The first row is
/// that at the first row of the array.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkyGrid {
    /// Names.
    pub names: SkyNames,
    /// Number of points of a row, at least 2.
    pub columns: usize,
    /// Number of rows, at least 2.
    pub rows: usize,
    /// Longitudes in degrees; NaN outside of the known sky.
    pub longitudes: Vec<f64>,
    /// Latitudes in degrees.
    pub latitudes: Vec<f64>,
}

/// A line on the sky.
pub(super) struct SkyLine {
    /// Pieces in parts of the image: 0 at its first edge and 1 at its last one.
    pub(super) pieces: Vec<[Point; 2]>,
    /// Text of its level.
    pub(super) label: String,
    /// True if the level is a longitude.
    pub(super) is_longitude: bool,
}

impl SkyGrid {
    /// Returns longitudes that do not jump from 360 to 0 near the middle of the image.
    pub(super) fn unwrapped(&self) -> Vec<f64> {
        let middle = self.rows / 2 * self.columns + self.columns / 2;
        let known = |value: &&f64| value.is_finite();
        let center = self.longitudes.get(middle).filter(known);
        let center = center.or_else(|| self.longitudes.iter().find(known)).copied().unwrap_or(0.0);
        let near = |value: &f64| center + (value - center + 180.0).rem_euclid(360.0) - 180.0;
        self.longitudes.iter().map(near).collect()
    }

    /// Returns the lines of round longitudes and latitudes.
    pub(super) fn lines(&self) -> Vec<SkyLine> {
        let unwrapped = self.unwrapped();
        let hours = self.names.in_hours;
        let mut lines = self.levels(&unwrapped, if hours { 15.0 } else { 1.0 }, true);
        lines.extend(self.levels(&self.latitudes, 1.0, false));
        lines
    }

    fn levels(&self, values: &[f64], unit: f64, is_longitude: bool) -> Vec<SkyLine> {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
        if self.columns < 2 || self.rows < 2 || low >= high {
            return Vec::new();
        }
        let (low, high) = (low / unit, high / unit);
        let step = step((high - low) / WANTED, unit > 1.0);
        let field = Field { columns: self.columns, rows: self.rows, values };
        let (width, height) = ((self.columns - 1) as f64, (self.rows - 1) as f64);
        let mut lines = Vec::new();
        for level in multiples(low, high, step) {
            let mut pieces = field.line(level * unit, JUMP);
            pieces.iter_mut().flatten().for_each(|point| *point = [point[0] / width, point[1] / height]);
            let label = match (is_longitude, unit > 1.0) {
                (true, true) => hours_text(level.rem_euclid(24.0), step),
                (true, false) => degrees_text(level.rem_euclid(360.0), step, false),
                (false, _) => degrees_text(level, step, true),
            };
            lines.push(SkyLine { pieces, label, is_longitude });
        }
        lines
    }
}

/// Returns the round step above a rough one, in degrees or hours.
fn step(rough: f64, in_hours: bool) -> f64 {
    let large: &[f64] = if in_hours { &HOURS } else { &DEGREES };
    let seconds = rough * 3600.0;
    if let Some(step) = STEPS.iter().find(|step| **step >= seconds && seconds > 0.5) {
        return step / 3600.0;
    }
    if seconds > 0.5 {
        return large.iter().copied().find(|step| *step >= rough).unwrap_or(large[large.len() - 1]);
    }
    let power = 10_f64.powf(seconds.log10().floor());
    let factor = [1.0, 2.0, 5.0, 10.0].into_iter().find(|factor| factor * power >= seconds * 0.999);
    factor.unwrap_or(10.0) * power / 3600.0
}

/// Splits a positive number into whole ones, minutes, and seconds with as many digits as a step needs.
fn parts(value: f64, step: f64) -> (u64, u64, f64, usize) {
    let decimals = super::ticks::decimals((step * 3600.0).min(1.0));
    let scale = 10_f64.powi(decimals as i32);
    let units = (value * 3600.0 * scale).round();
    let seconds = (units / scale) % 60.0;
    let minutes = ((units / scale) / 60.0).floor() as u64;
    (minutes / 60, minutes % 60, seconds, decimals)
}

fn hours_text(value: f64, step: f64) -> String {
    let (hours, minutes, seconds, decimals) = parts(value, step);
    let hours = hours % 24;
    match step {
        step if step >= 0.999 => format!("{hours}h"),
        step if step >= 0.999 / 60.0 => format!("{hours}h{minutes:02}m"),
        _ => format!("{hours}h{minutes:02}m{seconds:0width$.decimals$}s", width = width(decimals)),
    }
}

fn degrees_text(value: f64, step: f64, with_sign: bool) -> String {
    let (degrees, minutes, seconds, decimals) = parts(value.abs(), step);
    let is_zero = degrees == 0 && minutes == 0 && seconds == 0.0;
    let sign = match (with_sign, is_zero, value < 0.0) {
        (false, ..) | (true, true, _) => "",
        (true, false, true) => "−",
        (true, false, false) => "+",
    };
    match step {
        step if step >= 0.999 => format!("{sign}{degrees}°"),
        step if step >= 0.999 / 60.0 => format!("{sign}{degrees}°{minutes:02}′"),
        _ => format!("{sign}{degrees}°{minutes:02}′{seconds:0width$.decimals$}″", width = width(decimals)),
    }
}

fn width(decimals: usize) -> usize {
    if decimals > 0 { 3 + decimals } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_sexagesimal() {
        assert_eq!(hours_text(5.575, 30.0 / 3600.0), "5h34m30s");
        assert_eq!(hours_text(23.9999999999, 0.5), "0h00m");
        assert_eq!(hours_text(5.0 + 0.25 / 3600.0, 0.05 / 3600.0), "5h00m00.25s");
        assert_eq!(degrees_text(-0.5, 1.0 / 60.0, true), "−0°30′");
        assert_eq!(degrees_text(22.0, 1.0, true), "+22°");
        assert_eq!(degrees_text(0.0, 1.0, true), "0°");
        assert_eq!(degrees_text(359.5, 0.5, false), "359°30′");
        assert_eq!(degrees_text(1.0 + 1.0 / 3600.0, 1.0 / 3600.0, true), "+1°00′01″");
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(step(0.9 / 60.0, false), 1.0 / 60.0);
        assert_eq!(step(0.3 / 3600.0, false) * 3600.0, 0.5);
        assert_eq!((step(4.0, false), step(4.0, true), step(500.0, false)), (5.0, 6.0, 45.0));
    }

    #[test]
    fn longitudes_go_over_the_seam() {
        let longitudes = vec![359.0, 0.0, 1.0, 359.0, 0.0, 1.0];
        let grid = SkyGrid {
            columns: 3,
            rows: 2,
            longitudes,
            latitudes: vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0],
            ..SkyGrid::default()
        };
        assert_eq!(grid.unwrapped()[..3], [-1.0, 0.0, 1.0]);
        let labels: Vec<String> =
            grid.lines().into_iter().filter(|line| line.is_longitude).map(|line| line.label).collect();
        assert_eq!(labels, ["359°00′", "359°30′", "0°00′", "0°30′", "1°00′"]);
    }
}
