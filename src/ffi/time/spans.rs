//! Spans of time as pairs of doubles in the memory of the program; NaN stands for missing ones.

use crate::error::Result;
use crate::ffi::boundary::caller::Caller;
use crate::standard::{JulianDate, TimeDelta};

/// Writes the two halves of spans of time, NaN for missing ones.
pub(super) fn put_days(
    caller: &Caller,
    (jd1, jd2, capacity): (*mut f64, *mut f64, usize),
    delta: &TimeDelta,
) -> Result<()> {
    let parts = |part: fn(&JulianDate) -> f64| -> Vec<f64> {
        let value = |(index, days)| if delta.is_missing(index) { f64::NAN } else { part(days) };
        delta.days().iter().enumerate().map(value).collect()
    };
    caller.put_values((jd1, capacity), "jd1", &parts(|days| days.jd1()))?;
    caller.put_values((jd2, capacity), "jd2", &parts(|days| days.jd2()))
}

/// Returns spans of time of pairs of doubles; NaN makes a missing one.
pub(super) fn spans_of(
    caller: &Caller,
    (jd1, jd2): (*const f64, *const f64),
    count: usize,
    made: impl FnOnce(Vec<JulianDate>) -> Result<TimeDelta>,
) -> Result<TimeDelta> {
    let (jd1, jd2) = (caller.numbers(jd1, count, "jd1")?, caller.numbers(jd2, count, "jd2")?);
    let missing: Vec<bool> = jd1.iter().map(|value| value.is_nan()).collect();
    let sum = |(&jd1, &jd2): (&f64, &f64)| match jd1.is_nan() {
        true => Ok(JulianDate::default()),
        false => JulianDate::new(jd1, jd2),
    };
    made(jd1.iter().zip(jd2).map(sum).collect::<Result<_>>()?)?.with_missing(missing)
}
