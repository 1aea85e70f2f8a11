//! The range of values that a picture shows.

use super::grid::Grid;
use super::zscale;
use std::str::FromStr;

/// Way to choose the range of values that a picture shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Interval {
    /// From the smallest to the largest value.
    MinMax,
    /// Between two percentiles.
    Percentile {
        /// Lower percentile, from 0 to 100.
        low: f64,
        /// Upper percentile.
        high: f64,
    },
    /// The algorithm of IRAF, which shows faint structures around the median.
    ZScale,
    /// Between two values.
    Fixed(Limits),
}

/// Values that are shown in the first and the last colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Value of the first colour.
    pub low: f64,
    /// Value of the last colour.
    pub high: f64,
}

impl Interval {
    /// Returns the limits for the finite values that are not masked; 0 and 1 if there are none.
    pub fn limits(&self, grid: &Grid) -> Limits {
        if let Interval::Fixed(limits) = self {
            return *limits;
        }
        let mut values: Vec<f64> = grid.present().collect();
        if values.is_empty() {
            return Limits { low: 0.0, high: 1.0 };
        }
        match *self {
            Interval::ZScale => zscale::limits(&values),
            Interval::Percentile { low, high } => {
                Limits { low: percentile(&mut values, low), high: percentile(&mut values, high) }
            }
            _ => {
                let low = values.iter().copied().fold(f64::INFINITY, f64::min);
                let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                Limits { low, high }
            }
        }
    }
}

/// Returns a percentile with linear interpolation between neighbours, as numpy does. There is at least one value.
fn percentile(values: &mut [f64], percent: f64) -> f64 {
    let place = (percent / 100.0).clamp(0.0, 1.0) * (values.len() - 1) as f64;
    let index = place.floor() as usize;
    let (_, lower, above) = values.select_nth_unstable_by(index, f64::total_cmp);
    let lower = *lower;
    let upper = above.iter().copied().fold(f64::INFINITY, f64::min);
    match place - index as f64 {
        0.0 => lower,
        part => lower + (upper - lower) * part,
    }
}

impl FromStr for Interval {
    type Err = String;

    /// Reads `zscale`, `minmax`, `99.5%`, `1%,99%` or `-5,100`.
    fn from_str(text: &str) -> Result<Interval, String> {
        let wrong = || format!("'{text}' is no range: write zscale, minmax, 99.5%, 1%,99% or two values such as 0,100");
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite()).ok_or_else(wrong);
        let percent = |text: &str| -> Result<Option<f64>, String> {
            let Some(digits) = text.trim().strip_suffix('%') else { return Ok(None) };
            number(digits).and_then(|value| if (0.0..=100.0).contains(&value) { Ok(Some(value)) } else { Err(wrong()) })
        };
        match text {
            "zscale" => return Ok(Interval::ZScale),
            "minmax" => return Ok(Interval::MinMax),
            _ => {}
        }
        let Some((first, last)) = text.split_once(',') else {
            let share = percent(text)?.ok_or_else(wrong)?;
            return Ok(Interval::Percentile { low: (100.0 - share) / 2.0, high: (100.0 + share) / 2.0 });
        };
        match (percent(first)?, percent(last)?) {
            (Some(low), Some(high)) if low < high => Ok(Interval::Percentile { low, high }),
            (None, None) => {
                let (low, high) = (number(first)?, number(last)?);
                if low < high { Ok(Interval::Fixed(Limits { low, high })) } else { Err(wrong()) }
            }
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_those_of_numpy() {
        let grid = Grid::new(5, 1, vec![9.0, 1.0, 4.0, f64::NAN, 16.0]);
        let limits = Interval::Percentile { low: 25.0, high: 100.0 / 3.0 }.limits(&grid);
        assert_eq!(limits, Limits { low: 3.25, high: 4.0 });
        assert_eq!(Interval::MinMax.limits(&grid), Limits { low: 1.0, high: 16.0 });
        let masked = Grid { masked: vec![false, true, false, false, true], ..grid };
        assert_eq!(Interval::MinMax.limits(&masked), Limits { low: 4.0, high: 9.0 });
        assert_eq!(Interval::ZScale.limits(&Grid::new(1, 1, vec![])), Limits { low: 0.0, high: 1.0 });
    }

    #[test]
    fn ranges_are_read() {
        assert_eq!("99%".parse(), Ok(Interval::Percentile { low: 0.5, high: 99.5 }));
        assert_eq!("1%,90%".parse(), Ok(Interval::Percentile { low: 1.0, high: 90.0 }));
        assert_eq!("-5,1e3".parse(), Ok(Interval::Fixed(Limits { low: -5.0, high: 1000.0 })));
        for wrong in ["", "5", "5,5", "9,1", "1%,2", "101%", "a,b", "nan,1", "0,inf", "1,2,3"] {
            assert!(wrong.parse::<Interval>().is_err(), "{wrong}");
        }
    }
}
