//! Points in time as text: dates with times of day, days of a year, and epochs of years.

use super::calendar::{Date, days_in_year};
use super::clock::{Clock, Reading};
use super::format::TimeFormat;
use crate::float::{Notation, split_sign};

/// A text, as it was read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Parsed {
    /// A date with a time of day. `is_utc` tells whether a `Z` follows it.
    Clock { format: TimeFormat, reading: Reading, is_utc: bool },
    /// A year as number of the format.
    Epoch { format: TimeFormat, year: f64 },
}

impl Parsed {
    /// Returns the format of the text, one of those with text.
    pub(super) fn format(&self) -> TimeFormat {
        match *self {
            Parsed::Clock { format, .. } | Parsed::Epoch { format, .. } => format,
        }
    }
}

/// Reads a text in one of the forms `2027-01-31T04:05:06.7`, `2027-01-31 04:05:06.7`, `+02027-01-31T04:05:06.7`,
/// `2027:031:04:05:06.7`, `B1950.0`, `J2000.0`. Seconds, time of day, and leading zeros of all but the year may be
/// left out; a `Z` or `+00:00` may follow the dates. Returns `None` for any other text.
pub(super) fn parse(text: &str) -> Option<Parsed> {
    match text.as_bytes().first()? {
        b'B' | b'b' => epoch(TimeFormat::ByearStr, text.get(1..)?),
        b'J' | b'j' => epoch(TimeFormat::JyearStr, text.get(1..)?),
        b'+' | b'-' => date_and_time(text, 6),
        _ if text.as_bytes().get(4) == Some(&b':') => day_of_year(text),
        _ => date_and_time(text, 4),
    }
}

fn epoch(format: TimeFormat, year: &str) -> Option<Parsed> {
    let year: f64 = year.parse().ok()?;
    year.is_finite().then_some(Parsed::Epoch { format, year })
}

/// Reads a date and a time of day. The year has `year_length` characters.
fn date_and_time(text: &str, year_length: usize) -> Option<Parsed> {
    let (text, is_utc) = without_zone(text);
    let end = text.find(['T', ' ']).unwrap_or(text.len());
    let (date, rest) = text.split_at_checked(end)?;
    let format = match (year_length, rest.as_bytes().first()) {
        (6, _) => TimeFormat::Fits,
        (_, Some(b'T')) => TimeFormat::Isot,
        _ => TimeFormat::Iso,
    };
    let (negative, year) = split_sign(date.get(..year_length)?);
    let mut month_and_day = date.get(year_length..)?.strip_prefix('-')?.split('-');
    let (month, day) = (number(month_and_day.next()?, 2)?, number(month_and_day.next()?, 2)?);
    if month_and_day.next().is_some() || year.len() != year_length.min(5) {
        return None;
    }
    let year = number(year, 5)? * if negative { -1 } else { 1 };
    let day = Date::new(year, month, day)?.day();
    let reading = match rest.get(1..) {
        Some(time) => time_of_day(day, time)?,
        None => Reading { day, hour: 0, minute: 0, second: 0.0 },
    };
    Some(Parsed::Clock { format, reading, is_utc })
}

/// Removes the sign of UTC behind a text: `Z`, or the offset that Python writes. Returns whether there was one.
fn without_zone(text: &str) -> (&str, bool) {
    match text.strip_suffix('Z').or_else(|| text.strip_suffix("+00:00")) {
        Some(text) => (text, true),
        None => (text, false),
    }
}

/// Reads a year with four digits and the number of a day in it.
fn day_of_year(text: &str) -> Option<Parsed> {
    let (text, is_utc) = without_zone(text);
    let year = number(text.get(..4)?, 4)?;
    let rest = text.get(5..)?;
    let (day, time) = rest.split_once(':').map_or((rest, None), |(day, time)| (day, Some(time)));
    let number_of_day = number(day, 3)?;
    if !(1..=days_in_year(year)).contains(&number_of_day) {
        return None;
    }
    let day = Date { year, month: 1, day: 1 }.day() + number_of_day - 1;
    let reading = match time {
        Some(time) => time_of_day(day, time)?,
        None => Reading { day, hour: 0, minute: 0, second: 0.0 },
    };
    Some(Parsed::Clock { format: TimeFormat::Yday, reading, is_utc })
}

fn time_of_day(day: i64, time: &str) -> Option<Reading> {
    let mut parts = time.split(':');
    let (hour, minute) = (number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let second = match parts.next() {
        Some(second) => {
            let (whole, fraction) = second.split_once('.').unwrap_or((second, ""));
            number(whole, 2)?;
            if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            second.parse().ok()?
        }
        None => 0.0,
    };
    let is_known = parts.next().is_none() && hour < 24 && minute < 60 && second < 62.0;
    is_known.then_some(Reading { day, hour, minute, second })
}

/// Reads one to `longest` digits.
fn number(digits: &str, longest: usize) -> Option<i64> {
    let is_number = (1..=longest).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_number { digits.parse().ok() } else { None }
}

/// Returns the text of a date with a time of day in a format, with `precision` decimals; `None` if the format has no
/// text for the year.
pub(super) fn text_of_clock(format: TimeFormat, clock: &Clock, precision: u32) -> Option<String> {
    let Clock { date, hour, minute, second, .. } = *clock;
    let is_long = !(0..=9999).contains(&date.year);
    let day = match format {
        TimeFormat::Fits if is_long => format!("{:+06}-{:02}-{:02}", date.year, date.month, date.day),
        _ if is_long => return None,
        TimeFormat::Yday => format!("{:04}:{:03}", date.year, date.day_of_year()),
        _ => format!("{:04}-{:02}-{:02}", date.year, date.month, date.day),
    };
    let separator = match format {
        TimeFormat::Iso => ' ',
        TimeFormat::Yday => ':',
        _ => 'T',
    };
    let time = format!("{hour:02}:{minute:02}:{second:02}");
    let fraction = match precision {
        0 => String::new(),
        _ => format!(".{:0width$}", clock.fraction, width = precision as usize),
    };
    Some(format!("{day}{separator}{time}{fraction}"))
}

/// Returns the text of a Besselian or Julian epoch.
pub(super) fn text_of_epoch(format: TimeFormat, year: f64) -> String {
    let mut text = String::from(if format == TimeFormat::ByearStr { "B" } else { "J" });
    Notation::PYTHON.write(&mut text, year);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_in_all_forms() {
        for (text, format, hour, minute, second) in [
            ("2000-01-02", TimeFormat::Iso, 0, 0, 0.0),
            ("2000-1-2 3:4", TimeFormat::Iso, 3, 4, 0.0),
            ("2000-01-02 03:04:05.5", TimeFormat::Iso, 3, 4, 5.5),
            ("2000-01-02T03:04:60.25Z", TimeFormat::Isot, 3, 4, 60.25),
            ("2000-01-02 03:04:05.5+00:00", TimeFormat::Iso, 3, 4, 5.5),
            ("+02000-01-02T03:04:05.", TimeFormat::Fits, 3, 4, 5.0),
            ("2000:002", TimeFormat::Yday, 0, 0, 0.0),
            ("2000:2:03:04:05.5", TimeFormat::Yday, 3, 4, 5.5),
        ] {
            let is_utc = text.ends_with('Z') || text.ends_with("+00:00");
            let reading = Reading { day: 51_545, hour, minute, second };
            assert_eq!(parse(text), Some(Parsed::Clock { format, reading, is_utc }), "{text}");
        }
        assert_eq!(parse("B1950.0"), Some(Parsed::Epoch { format: TimeFormat::ByearStr, year: 1950.0 }));
        assert_eq!(parse("j2000"), Some(Parsed::Epoch { format: TimeFormat::JyearStr, year: 2000.0 }));
    }

    #[test]
    fn other_texts_are_refused() {
        for text in [
            "",
            "now",
            "2000",
            "2000-01",
            "2000-13-01",
            "2001-02-29",
            "2000-01-02T",
            "2000-01-02T24:00",
            "2000-01-02T03",
            "2000-01-02T03:60",
            "2000-01-02T03:04:62",
            "2000-01-02T03:04:05.5.5",
            "2000-01-02T03:04:05.-1",
            "2000-001-02",
            "2000-01-02T03:04:05+01:00",
            "20000-01-02",
            "+2000-01-02",
            "2001:366",
            "2000:000",
            "J",
            "Jinf",
            "B1950y",
            "2000-01-02-03",
            "2000-01-02é",
            "é000-01-02",
            "2000:é02",
            "+é000-01-02",
            "1999:1:1:1:1:1",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn dates_are_written_in_all_forms() {
        let date = Date { year: 2000, month: 3, day: 1 };
        let clock = Clock { date, hour: 4, minute: 5, second: 6, fraction: 78 };
        let text = |format, precision| text_of_clock(format, &clock, precision);
        assert_eq!(text(TimeFormat::Iso, 3).as_deref(), Some("2000-03-01 04:05:06.078"));
        assert_eq!(text(TimeFormat::Isot, 0).as_deref(), Some("2000-03-01T04:05:06"));
        assert_eq!(text(TimeFormat::Yday, 2).as_deref(), Some("2000:061:04:05:06.78"));
        let clock = Clock { date: Date { year: -44, ..date }, ..clock };
        assert_eq!(text_of_clock(TimeFormat::Fits, &clock, 0).as_deref(), Some("-00044-03-01T04:05:06"));
        assert_eq!(text_of_clock(TimeFormat::Iso, &clock, 0), None);
        assert_eq!(text_of_epoch(TimeFormat::ByearStr, 1950.0), "B1950.0");
        assert_eq!(text_of_epoch(TimeFormat::JyearStr, 2015.5), "J2015.5");
    }
}
