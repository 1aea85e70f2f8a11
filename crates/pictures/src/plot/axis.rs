//! One axis of a chart: its range, its ticks, and the places of values.

use super::ticks::{linear_ticks, log_ticks, number_text};

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Name and unit.
    pub label: String,
    /// True if the scale is logarithmic. Only positive values have a place then.
    pub is_log: bool,
}

/// An axis with its range.
pub(super) struct Scale {
    is_log: bool,
    low: f64,
    high: f64,
}

impl Scale {
    /// Returns the scale that shows these values. `margin` is the part of the range that stays free at both ends.
    pub(super) fn of(axis: &Axis, values: impl Iterator<Item = f64>, margin: f64) -> Scale {
        let shown = values.filter(|value| value.is_finite() && (!axis.is_log || *value > 0.0));
        let place = |value: f64| if axis.is_log { value.log10() } else { value };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in shown.map(place) {
            (low, high) = (low.min(value), high.max(value));
        }
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        if low == high {
            let half = if axis.is_log || low == 0.0 { 0.5 } else { low.abs() * 0.05 };
            (low, high) = (low - half, high + half);
        }
        // Halves, since the range may be larger than the largest number.
        let free = (high / 2.0 - low / 2.0) * 2.0 * margin;
        let free = if free.is_finite() { free } else { 0.0 };
        Scale { is_log: axis.is_log, low: low - free, high: high + free }
    }

    /// Makes the upper end a twentieth of the range higher.
    pub(super) fn leave_room_above(&mut self) {
        self.high += (self.high - self.low) * 0.05;
    }

    /// Returns the place of a value, 0 at the low end and 1 at the high end; `None` if it has none.
    pub(super) fn place(&self, value: f64) -> Option<f64> {
        let value = match self.is_log {
            true if value > 0.0 => value.log10(),
            true => return None,
            false => value,
        };
        let place = (value / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0);
        place.is_finite().then_some(place)
    }

    /// Returns the range of values.
    pub(super) fn range(&self) -> [f64; 2] {
        if self.is_log { [10_f64.powf(self.low), 10_f64.powf(self.high)] } else { [self.low, self.high] }
    }

    /// Returns a difference of values that is small for the range.
    pub(super) fn grain(&self) -> f64 {
        let [low, high] = self.range();
        if self.is_log { low } else { (high - low) / 100.0 }
    }

    /// Returns the ticks: their values and texts.
    pub(super) fn ticks(&self, wanted: usize) -> Vec<(f64, String)> {
        let [low, high] = self.range();
        if self.is_log {
            let found = log_ticks(low, high, wanted);
            if found.len() > 1 {
                return found.into_iter().map(|value| (value, number_text(value, value))).collect();
            }
        }
        let (found, step) = linear_ticks(low, high, wanted);
        found.into_iter().map(|value| (value, number_text(value, step))).collect()
    }
}
