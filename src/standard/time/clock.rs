//! Dates with times of day, from and to Julian dates: days of UTC with a leap second have a second 60.

use super::calendar::Date;
use super::julian_date::JulianDate;
use super::leap_seconds::LeapSeconds;
use super::scale::{DAY, TimeScale};
use crate::error::Result;

/// Largest number of decimals of a second: more than two doubles hold.
const MAX_PRECISION: u32 = 12;

/// Day and time of day, as it is read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reading {
    /// Modified Julian Day.
    pub(super) day: i64,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: f64,
}

/// Date and time of day, rounded to a number of decimals of a second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) date: Date,
    pub(super) hour: i64,
    pub(super) minute: i64,
    pub(super) second: i64,
    /// Decimals of the second as a whole number.
    pub(super) fraction: i64,
}

impl Reading {
    /// Returns the Julian date. In UTC, a day is divided by its length, so that its leap second has a place of its own.
    pub(super) fn julian_date(&self, scale: TimeScale, leap: &LeapSeconds) -> JulianDate {
        let length = match scale {
            TimeScale::Utc => DAY + leap.day(self.day).leap,
            _ => DAY,
        };
        let seconds = (60 * (60 * self.hour + self.minute)) as f64 + self.second;
        JulianDate::of_day(self.day, seconds / length)
    }

    /// Returns whether the second is one that its minute has.
    pub(super) fn is_in_minute(&self, scale: TimeScale, leap: &LeapSeconds) -> bool {
        let is_last = (self.hour, self.minute) == (23, 59) && scale == TimeScale::Utc;
        self.second < 60.0 + if is_last { leap.day(self.day).leap } else { 0.0 }
    }
}

impl Clock {
    /// Returns date and time of day of a Julian date, rounded to `precision` decimals of a second.
    pub(super) fn of(date: JulianDate, scale: TimeScale, precision: u32, leap: &LeapSeconds) -> Result<Clock> {
        let precision = precision.min(MAX_PRECISION);
        let per_second = 10_i64.pow(precision);
        let (day, fraction) = date.split()?;
        let inserted = if scale == TimeScale::Utc { inserted(leap.day(day).leap) } else { 0.0 };
        let ticks = ((fraction + fraction * inserted / DAY) * (DAY * per_second as f64)).round() as i64;
        let of_day = 86_400 * per_second;
        if ticks < of_day {
            return Ok(Clock::of_ticks(day, ticks, per_second));
        }
        if inserted > 0.0 && ticks < of_day + per_second {
            let last = Clock::of_ticks(day, of_day - per_second, per_second);
            return Ok(Clock { second: 60, fraction: ticks - of_day, ..last });
        }
        Ok(Clock::of_ticks(day + 1, 0, per_second))
    }

    fn of_ticks(day: i64, ticks: i64, per_second: i64) -> Clock {
        let seconds = ticks / per_second;
        Clock {
            date: Date::of_day(day),
            hour: seconds / 3600,
            minute: seconds / 60 % 60,
            second: seconds % 60,
            fraction: ticks % per_second,
        }
    }
}

/// Returns the length of a leap second in a day. The steps of UTC before 1972 were shorter, and ERFA shows no second
/// for them.
fn inserted(leap: f64) -> f64 {
    if leap.abs() > 0.5 { leap } else { 0.0 }
}

/// Nanoseconds since 1970-01-01T00:00:00 on the clock of a scale, and the rest in nanoseconds.
///
/// Returns `None` in a leap second, which has no place on this clock.
pub(super) fn nanoseconds(date: JulianDate, scale: TimeScale, leap: &LeapSeconds) -> Result<Option<(i128, f64)>> {
    const UNIX_EPOCH: i64 = 40_587;
    const OF_DAY: f64 = DAY * 1e9;
    let (day, fraction) = date.split()?;
    let inserted = if scale == TimeScale::Utc { inserted(leap.day(day).leap) } else { 0.0 };
    let in_day = (fraction + fraction * inserted / DAY) * OF_DAY;
    let whole = in_day.round();
    if inserted > 0.0 && whole >= OF_DAY && whole < OF_DAY + inserted * 1e9 {
        return Ok(None);
    }
    let whole_day = if whole >= OF_DAY { (day + 1, 0.0) } else { (day, whole) };
    let since = i128::from(whole_day.0 - UNIX_EPOCH) * (OF_DAY as i128) + whole_day.1 as i128;
    Ok(Some((since, in_day - whole)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(day: i64, hour: i64, minute: i64, second: f64) -> Reading {
        Reading { day, hour, minute, second }
    }

    #[test]
    fn a_leap_second_is_exact() {
        let leap = LeapSeconds::built_in();
        for (second, fraction) in
            [(60.0, 0), (60.5, 500_000_000), (60.999_999_999, 999_999_999), (59.999_999_999, 999_999_999)]
        {
            let at = reading(57_753, 23, 59, second);
            assert!(
                at.is_in_minute(TimeScale::Utc, &leap) && (second < 60.0 || !at.is_in_minute(TimeScale::Tai, &leap))
            );
            let date = at.julian_date(TimeScale::Utc, &leap);
            let clock = Clock::of(date, TimeScale::Utc, 9, &leap).unwrap();
            let expected = Date { year: 2016, month: 12, day: 31 };
            assert_eq!((clock.date, clock.hour, clock.minute), (expected, 23, 59));
            assert_eq!((clock.second, clock.fraction), (second as i64, fraction));
            let since = nanoseconds(date, TimeScale::Utc, &leap).unwrap();
            assert_eq!(since.map(|(whole, _)| whole), (second < 60.0).then_some(1_483_228_799_999_999_999));
        }
        let date = reading(57_753, 23, 59, 60.999_6).julian_date(TimeScale::Utc, &leap);
        let clock = Clock::of(date, TimeScale::Utc, 3, &leap).unwrap();
        assert_eq!((clock.date.year, clock.second, clock.fraction), (2017, 0, 0));
    }

    #[test]
    fn rounding_reaches_the_next_day() {
        let leap = LeapSeconds::built_in();
        let date = reading(51_543, 23, 59, 59.9996).julian_date(TimeScale::Tai, &leap);
        let clock = Clock::of(date, TimeScale::Tai, 3, &leap).unwrap();
        assert_eq!((clock.date, clock.hour), (Date { year: 2000, month: 1, day: 1 }, 0));
        let clock = Clock::of(date, TimeScale::Tai, 4, &leap).unwrap();
        assert_eq!((clock.date.year, clock.second, clock.fraction), (1999, 59, 9996));
        let (since, rest) = nanoseconds(date, TimeScale::Tai, &leap).unwrap().unwrap();
        assert_eq!((since, rest.abs() < 0.02), (946_684_799_999_600_000, true));
    }
}
