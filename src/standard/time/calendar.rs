//! The proleptic Gregorian calendar: dates as Modified Julian Day numbers. No times of day, no scales.

/// Modified Julian Day of 0000-03-01, the first day of a cycle of 400 years that ends with a leap day.
const CYCLE_START: i64 = -678_881;
/// Number of days in 400 years.
const CYCLE_DAYS: i64 = 146_097;
/// Days before each month of a year that begins in March.
const BEFORE_MONTH: [i64; 12] = [0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337];

/// Earliest and latest day that has a date, about 2.7 million years from now. A bound of the arithmetic only.
pub(super) const DAYS: std::ops::RangeInclusive<i64> = -1_000_000_000..=1_000_000_000;

/// A date of the proleptic Gregorian calendar. Year 0 is 1 BC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
}

impl Date {
    /// Returns the date if the month has this day.
    pub(super) fn new(year: i64, month: i64, day: i64) -> Option<Date> {
        let is_known = (1..=12).contains(&month) && (1..=days_in_month(year, month)).contains(&day);
        is_known.then_some(Date { year, month, day })
    }

    /// Returns the date of a Modified Julian Day in [`DAYS`].
    pub(super) fn of_day(day: i64) -> Date {
        let since = day - CYCLE_START;
        let (cycle, in_cycle) = (since.div_euclid(CYCLE_DAYS), since.rem_euclid(CYCLE_DAYS));
        // Years of 365 days, after removal of the leap days before this one.
        let year = (in_cycle - in_cycle / 1460 + in_cycle / 36_524 - in_cycle / 146_096) / 365;
        let in_year = in_cycle - (365 * year + year / 4 - year / 100);
        let month = BEFORE_MONTH.iter().rposition(|&before| before <= in_year).unwrap_or(0);
        let day = in_year - BEFORE_MONTH.get(month).unwrap_or(&0) + 1;
        let (month, next) = if month < 10 { (month as i64 + 3, 0) } else { (month as i64 - 9, 1) };
        Date { year: cycle * 400 + year + next, month, day }
    }

    /// Returns the Modified Julian Day.
    pub(super) fn day(self) -> i64 {
        let (year, month) = if self.month > 2 { (self.year, self.month - 3) } else { (self.year - 1, self.month + 9) };
        let (cycle, in_cycle) = (year.div_euclid(400), year.rem_euclid(400));
        let before = usize::try_from(month).ok().and_then(|month| BEFORE_MONTH.get(month)).unwrap_or(&0);
        let days = in_cycle * 365 + in_cycle / 4 - in_cycle / 100 + before + self.day - 1;
        CYCLE_START + cycle * CYCLE_DAYS + days
    }

    /// Returns the number of the day in its year; 1 is the first of January.
    pub(super) fn day_of_year(self) -> i64 {
        self.day() - Date { year: self.year, month: 1, day: 1 }.day() + 1
    }
}

/// Returns the number of days in a year.
pub(super) fn days_in_year(year: i64) -> i64 {
    if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) { 366 } else { 365 }
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 => days_in_year(year) - 337,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_follow_one_another() {
        let mut expected = Date { year: -401, month: 1, day: 1 };
        for day in expected.day()..(Date { year: 2402, month: 1, day: 1 }).day() {
            assert_eq!((Date::of_day(day), expected.day()), (expected, day));
            assert_eq!(Date::new(expected.year, expected.month, expected.day), Some(expected));
            expected.day += 1;
            if expected.day > days_in_month(expected.year, expected.month) {
                let december = expected.month == 12;
                assert_eq!(Date::new(expected.year, expected.month, expected.day), None);
                let (year, month) = if december { (expected.year + 1, 1) } else { (expected.year, expected.month + 1) };
                expected = Date { year, month, day: 1 };
            }
        }
    }

    #[test]
    fn known_days_have_their_number() {
        for (year, month, day, number) in [
            (1858, 11, 17, 0),
            (1970, 1, 1, 40_587),
            (2000, 1, 1, 51_544),
            (1, 1, 1, -678_575),
            (9999, 12, 31, 2_973_483),
        ] {
            assert_eq!(Date { year, month, day }.day(), number, "{year}");
        }
        assert_eq!(Date { year: 2024, month: 12, day: 31 }.day_of_year(), 366);
        assert_eq!(Date { year: 2023, month: 3, day: 1 }.day_of_year(), 60);
        for end in [*DAYS.start(), *DAYS.end()] {
            assert_eq!(Date::of_day(end).day(), end);
        }
        assert_eq!((Date::new(2023, 2, 29), Date::new(2023, 13, 1), Date::new(2023, 1, 0)), (None, None, None));
    }
}
