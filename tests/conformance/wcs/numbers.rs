//! Columns of numbers in a manifest, and their comparison with results.

use crate::verdict::Findings;
use serde_json::Value;

/// Returns a number; those that JSON lacks are texts.
pub(super) fn number(value: &Value) -> f64 {
    match value.as_str() {
        Some("nan") => f64::NAN,
        Some("inf") => f64::INFINITY,
        Some("-inf") => f64::NEG_INFINITY,
        _ => value.as_f64().unwrap_or(f64::NAN),
    }
}

/// Returns columns of numbers.
pub(super) fn columns(value: &Value) -> Vec<Vec<f64>> {
    let columns = value.as_array().into_iter().flatten();
    columns.map(|column| column.as_array().into_iter().flatten().map(number).collect()).collect()
}

/// Largest differences of results.
#[derive(Clone, Copy)]
pub(super) struct Tolerance {
    relative: f64,
    absolute: f64,
}

impl Tolerance {
    /// Returns the tolerances of an entry, or those of a part of it.
    pub(super) fn of(entry: &Value, part: &Value) -> Tolerance {
        let one = |key: &str| part[key].as_f64().or(entry[key].as_f64()).unwrap_or(1e-12);
        Tolerance { relative: one("rtol"), absolute: one("atol") }
    }

    fn allows(self, got: f64, want: f64) -> bool {
        if got.is_nan() || want.is_nan() {
            return got.is_nan() && want.is_nan();
        }
        if got.is_infinite() || want.is_infinite() {
            return got == want;
        }
        let limit = self.absolute + self.relative * want.abs();
        let difference = (got - want).abs();
        let wraps = [0.0, 180.0, 360.0].iter().any(|end| (want.abs() - end).abs() < 1e-9);
        difference <= limit || wraps && (difference - 360.0).abs() <= limit.max(1e-9)
    }
}

/// Compares columns of results.
pub(super) fn compare(what: &str, got: &[Vec<f64>], want: &[Vec<f64>], tolerance: Tolerance, findings: &mut Findings) {
    if got.len() != want.len() {
        return findings.differ(what, format_args!("{} columns, expected {}", got.len(), want.len()));
    }
    let mut wrong = 0;
    let mut first = String::new();
    for (axis, (got, want_column)) in got.iter().zip(want).enumerate() {
        for (point, (got, want_value)) in got.iter().zip(want_column).enumerate() {
            // The longitude of a pole depends on rounding.
            let at_pole = axis == 0 && want.len() == 2 && (want[1][point].abs() - 90.0).abs() < 1e-9;
            let passes = tolerance.allows(*got, *want_value) || at_pole && got.is_finite();
            if !passes {
                wrong += 1;
                if first.is_empty() {
                    first = format!("axis {axis}, point {point}: {got:e}, expected {want_value:e}");
                }
            }
        }
    }
    if wrong > 0 {
        findings.differ(what, format_args!("{wrong} values differ; {first}"));
    }
}
