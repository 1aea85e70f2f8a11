//! TAI - UTC since 1960, and its changes: a built-in table, or a file of the IERS or of the IANA.

use super::calendar::Date;
use crate::error::{Error, Result, Status};
use crate::source::{FileSource, Source, read_vec_at};
use once_cell::race::OnceBox;
use std::path::Path;
use std::sync::Arc;

/// First days of the steps of UTC before 1972 as Modified Julian Days, with TAI - UTC in seconds as a linear function:
/// its value at a day of reference, that day, and the change per day.
const BEFORE_1972: [(i64, f64, i64, f64); 14] = [
    (36_934, 1.417_818, 37_300, 0.001_296),
    (37_300, 1.422_818, 37_300, 0.001_296),
    (37_512, 1.372_818, 37_300, 0.001_296),
    (37_665, 1.845_858, 37_665, 0.001_123_2),
    (38_334, 1.945_858, 37_665, 0.001_123_2),
    (38_395, 3.240_13, 38_761, 0.001_296),
    (38_486, 3.340_13, 38_761, 0.001_296),
    (38_639, 3.440_13, 38_761, 0.001_296),
    (38_761, 3.540_13, 38_761, 0.001_296),
    (38_820, 3.640_13, 38_761, 0.001_296),
    (38_942, 3.740_13, 38_761, 0.001_296),
    (39_004, 3.840_13, 38_761, 0.001_296),
    (39_126, 4.313_17, 39_126, 0.002_592),
    (39_887, 4.213_17, 39_126, 0.002_592),
];

/// First days with a whole number of seconds, from Bulletins C of the IERS: year and month. TAI - UTC is 10 seconds after
/// the first, and grows by one with each.
const SINCE_1972: [(i64, i64); 28] = [
    (1972, 1),
    (1972, 7),
    (1973, 1),
    (1974, 1),
    (1975, 1),
    (1976, 1),
    (1977, 1),
    (1978, 1),
    (1979, 1),
    (1980, 1),
    (1981, 7),
    (1982, 7),
    (1983, 7),
    (1985, 7),
    (1988, 1),
    (1990, 1),
    (1991, 1),
    (1992, 7),
    (1993, 7),
    (1994, 7),
    (1996, 1),
    (1997, 7),
    (1999, 1),
    (2006, 1),
    (2009, 1),
    (2012, 7),
    (2015, 7),
    (2017, 1),
];

/// Day until which the built-in table is known to be complete, from Bulletin C 72 of July 2026.
const EXPIRES: Date = Date { year: 2027, month: 6, day: 28 };

/// Largest size of a file with a table in bytes.
const MAX_FILE: u64 = 1 << 20;
/// Modified Julian Day of 1900-01-01, the epoch of `leap-seconds.list`.
const NTP_EPOCH: i64 = 15_020;

/// A table of TAI - UTC, with the day until which it is known to be complete.
#[derive(Clone, Debug, PartialEq)]
pub struct LeapSeconds {
    steps: Vec<Step>,
    expires: Option<i64>,
}

/// TAI - UTC from one day on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    first: i64,
    offset: f64,
    reference: i64,
    rate: f64,
}

/// One day of UTC.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct UtcDay {
    /// TAI - UTC at its beginning, in seconds.
    pub(super) offset: f64,
    /// Change of TAI - UTC during the day, in seconds.
    pub(super) drift: f64,
    /// Seconds inserted at its end.
    pub(super) leap: f64,
}

impl LeapSeconds {
    /// Returns the table that the library contains.
    pub fn built_in() -> Arc<LeapSeconds> {
        static TABLE: OnceBox<Arc<LeapSeconds>> = OnceBox::new();
        let made = || {
            let days = SINCE_1972.iter().map(|&(year, month)| Date { year, month, day: 1 }.day());
            let steps = days.zip(10..).map(|(day, offset)| (day, f64::from(offset))).collect();
            Box::new(Arc::new(LeapSeconds::of_steps(steps, Some(EXPIRES.day()))))
        };
        TABLE.get_or_init(made).clone()
    }

    /// Reads a table in the form of `leap-seconds.list` (IANA, NIST, IERS) or `Leap_Second.dat` (IERS). It replaces the
    /// built-in table from 1972 on.
    ///
    /// Fails with [`Status::InvalidArgument`] for a text of another form, and for steps that do not follow one another.
    pub fn parse(text: &str) -> Result<LeapSeconds> {
        let mut steps: Vec<(i64, f64)> = Vec::new();
        let mut expires = None;
        for (line, number) in text.lines().zip(1..) {
            let wrong = || {
                let message = "the line is not one of leap-seconds.list or Leap_Second.dat";
                Error::new(Status::InvalidArgument, message).at_line(number, 1)
            };
            if let Some(comment) = line.trim_start().strip_prefix('#') {
                expires = expiry(comment).or(expires);
                continue;
            }
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let step = step(content).ok_or_else(wrong)?;
            if steps.last().is_some_and(|&(last, _)| last >= step.0) {
                return Err(wrong().with_more("its day does not follow that of the line before"));
            }
            steps.push(step);
        }
        if steps.first().map(|first| first.0) != Some(Date { year: 1972, month: 1, day: 1 }.day()) {
            let message = "a table of leap seconds begins on 1972-01-01, but the text does not";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(LeapSeconds::of_steps(steps, expires))
    }

    /// Reads a file with such a table, of at most 1 MiB.
    pub fn read(path: &Path) -> Result<LeapSeconds> {
        let read = || {
            let source = FileSource::open(path)?;
            if source.len() > MAX_FILE {
                return Err(Error::limit("the bytes of a table of leap seconds", MAX_FILE));
            }
            let text = String::from_utf8(read_vec_at(&source, 0, source.len())?);
            let not_text = |_| Error::new(Status::Encoding, "the table of leap seconds is not valid UTF-8");
            LeapSeconds::parse(&text.map_err(not_text)?)
        };
        read().map_err(|error: Error| error.in_file(&Arc::from(path.to_string_lossy())))
    }

    /// Returns the last day that the table covers, as in `2027-06-28`; `None` if the file does not tell.
    pub fn expires(&self) -> Option<String> {
        self.expires.map(|day| {
            let date = Date::of_day(day);
            format!("{:04}-{:02}-{:02}", date.year, date.month, date.day)
        })
    }

    /// Returns whether a Modified Julian Day is after the last day of the table.
    pub(super) fn is_expired(&self, day: i64) -> bool {
        self.expires.is_some_and(|last| day > last)
    }

    /// Returns the offsets of a Modified Julian Day.
    pub(super) fn day(&self, day: i64) -> UtcDay {
        let (offset, rate) = self.offset(day);
        let (next, _) = self.offset(day + 1);
        // The drift is found in the same way as ERFA does, so that both round alike.
        let noon = offset + 0.5 * rate;
        UtcDay { offset, drift: rate, leap: next - (2.0 * noon - offset) }
    }

    /// Returns TAI - UTC at the beginning of a day in seconds, and its change during the day. As in ERFA, TAI - UTC is 0
    /// before 1960.
    fn offset(&self, day: i64) -> (f64, f64) {
        let after = self.steps.partition_point(|step| step.first <= day);
        match after.checked_sub(1).and_then(|place| self.steps.get(place)) {
            Some(step) => (step.offset + (day - step.reference) as f64 * step.rate, step.rate),
            None => (0.0, 0.0),
        }
    }

    fn of_steps(since_1972: Vec<(i64, f64)>, expires: Option<i64>) -> LeapSeconds {
        let before = BEFORE_1972.map(|(first, offset, reference, rate)| Step { first, offset, reference, rate });
        let since = since_1972.into_iter().map(|(first, offset)| Step { first, offset, reference: first, rate: 0.0 });
        LeapSeconds { steps: before.into_iter().chain(since).collect(), expires }
    }
}

/// Reads the line of a step: seconds since 1900 and TAI - UTC, or a Modified Julian Day, a date and TAI - UTC.
fn step(content: &str) -> Option<(i64, f64)> {
    let words: Vec<&str> = content.split_ascii_whitespace().collect();
    let (first, offset) = match words[..] {
        [seconds, offset] => (NTP_EPOCH + days_of_ntp(seconds)?, offset),
        [number, day, month, year, offset] => {
            let [year, month, day] = [year, month, day].map(|word| word.parse::<i64>().ok());
            let first = Date::new(year?, month?, day?)?.day();
            if number.parse::<f64>().ok()? != first as f64 {
                return None;
            }
            (first, offset)
        }
        _ => return None,
    };
    let offset: i32 = offset.parse().ok()?;
    (-1000..=1000).contains(&offset).then(|| (first, f64::from(offset)))
}

/// Reads the expiry from a comment: `@` and seconds since 1900, or `File expires on` and a date.
fn expiry(comment: &str) -> Option<i64> {
    const MONTHS: [&str; 12] = [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ];
    if let Some(seconds) = comment.strip_prefix('@') {
        return Some(NTP_EPOCH + days_of_ntp(seconds.trim())?);
    }
    let words: Vec<&str> = comment.trim().strip_prefix("File expires on")?.split_ascii_whitespace().collect();
    let [day, month, year] = words[..] else { return None };
    let month = MONTHS.iter().position(|name| *name == month)? as i64 + 1;
    Some(Date::new(year.parse().ok()?, month, day.parse().ok()?)?.day())
}

fn days_of_ntp(seconds: &str) -> Option<i64> {
    let seconds: u64 = seconds.parse().ok()?;
    // A bound far beyond any date that a table can hold.
    (seconds < 1 << 40 && seconds.is_multiple_of(86_400)).then_some((seconds / 86_400) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIST: &str = "#$ 3676924800\n#@ 3991593600\n2272060800\t10\t# 1 Jan 1972\n2287785600 11 # 1 Jul 1972\n";
    const DAT: &str =
        "#  File expires on 28 June 2027\n\n    41317.0    1  1 1972       10\n    41499.0    1  7 1972       11\n";

    fn day(year: i64, month: i64, day: i64) -> i64 {
        Date { year, month, day }.day()
    }

    #[test]
    fn the_built_in_table_has_all_steps() {
        let table = LeapSeconds::built_in();
        let offset = |year, month, of_month| table.day(day(year, month, of_month));
        assert_eq!(offset(2016, 12, 31), UtcDay { offset: 36.0, drift: 0.0, leap: 1.0 });
        assert_eq!(offset(2017, 1, 1), UtcDay { offset: 37.0, drift: 0.0, leap: 0.0 });
        assert_eq!(offset(1959, 12, 30), UtcDay { offset: 0.0, drift: 0.0, leap: 0.0 });
        assert_eq!(offset(1972, 1, 1).offset, 10.0);
        assert!((offset(1971, 12, 31).leap - 0.107_758).abs() < 1e-9);
        assert!((offset(1965, 6, 1).offset - 3.837_33 + 0.00).abs() < 0.01);
        assert_eq!(table.expires().as_deref(), Some("2027-06-28"));
        assert!(table.is_expired(day(2027, 6, 29)) && !table.is_expired(day(2027, 6, 28)));
    }

    #[test]
    fn tables_are_read_in_both_forms() {
        let list = LeapSeconds::parse(LIST).unwrap();
        let dat = LeapSeconds::parse(DAT).unwrap();
        assert_eq!(list.steps, dat.steps);
        assert_eq!((list.expires().as_deref(), dat.expires().as_deref()), (Some("2026-06-28"), Some("2027-06-28")));
        assert_eq!(list.day(day(2020, 1, 1)).offset, 11.0);
        assert_eq!(list.day(day(1971, 1, 1)), LeapSeconds::built_in().day(day(1971, 1, 1)));
        assert_eq!(LeapSeconds::parse("2272060800 10").unwrap().expires(), None);
    }

    #[test]
    fn other_texts_are_refused() {
        let twice = format!("{LIST}2287785600 12\n");
        for (text, line) in [
            ("", 0),
            ("2287785600 11", 0),
            ("2272060800 ten", 1),
            ("2272060801 10", 1),
            ("41318.0 1 1 1972 10", 1),
            ("41317.0 1 13 1972 10", 1),
            ("2272060800 10 x", 1),
            ("99999999999999999999 10", 1),
            (&twice, 5),
        ] {
            let error = LeapSeconds::parse(text).unwrap_err();
            assert_eq!((error.status(), error.location().line), (Status::InvalidArgument, (line > 0).then_some(line)));
        }
    }
}
