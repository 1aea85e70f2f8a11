//! Texts and numbers that hold points in time without loss, for storage.

use super::clock::Clock;
use super::format::TimeFormat;
use super::julian_date::JulianDate;
use super::numeric;
use super::points::{RESOLUTION, Time};
use super::scale::DAY;
use super::text::{self, Parsed};
use crate::error::{Error, Result, Status};
use crate::reserve;

/// Largest difference between a stored value and the point in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::standard) enum Exactness {
    /// Both doubles are the same.
    Bits,
    /// The difference is below the resolution of two doubles, 0.05 nanoseconds.
    Resolution,
}

impl Exactness {
    fn accepts(self, date: JulianDate, read: JulianDate) -> bool {
        match self {
            Exactness::Bits => date == read,
            Exactness::Resolution => date.minus(read).days().abs() < RESOLUTION / (DAY * 1e9),
        }
    }
}

/// Numbers of decimals of a second in stored texts.
const DECIMALS: [u32; 4] = [3, 6, 9, 12];

impl Time {
    /// Returns the numbers of a format, NaN for missing points in time; `None` if a number does not hold its point in
    /// time exactly enough, or if the format is none of numbers.
    pub(in crate::standard) fn exact_numbers(
        &self,
        format: TimeFormat,
        exactness: Exactness,
    ) -> Result<Option<Vec<f64>>> {
        // Otherwise, times that are all missing would have numbers in any format.
        if !format.is_number() {
            return Ok(None);
        }
        let number_of = |(index, &date): (usize, &JulianDate)| {
            if self.is_missing(index) {
                return Some(f64::NAN);
            }
            let number = numeric::value_of(format, date, self.scale(), self.leap_seconds()).ok()?;
            let read = numeric::date_of(format, [number, 0.0], self.scale(), self.leap_seconds()).ok()?;
            exactness.accepts(date, read).then_some(number)
        };
        let mut numbers = reserve::list_for(self.dates().len())?;
        for date in self.dates().iter().enumerate() {
            match number_of(date) {
                Some(number) => numbers.push(number),
                None => return Ok(None),
            }
        }
        Ok(Some(numbers))
    }

    /// Returns texts in a format with the same number of decimals of a second, at most `most`, and this number. Missing
    /// points in time get `filler`.
    ///
    /// Returns `None` if a text does not hold its point in time exactly enough. Fails with [`Status::OutOfRange`] if
    /// the format has no text for a year.
    pub(in crate::standard) fn exact_texts(
        &self,
        format: TimeFormat,
        (exactness, most): (Exactness, u32),
        filler: &str,
    ) -> Result<Option<(Vec<String>, u32)>> {
        let mut decimals = DECIMALS.into_iter().take_while(|&decimals| decimals <= most);
        let mut precision = if self.is_dates_only() { 0 } else { decimals.next().unwrap_or(0) };
        for (index, &date) in self.dates().iter().enumerate().filter(|(index, _)| !self.is_missing(*index)) {
            while !self.is_exact(date, &self.stored_text(index, format, precision)?, exactness) {
                match decimals.next() {
                    Some(more) if format.number_of_epoch().is_none() && !self.is_dates_only() => precision = more,
                    _ => return Ok(None),
                }
            }
        }
        let mut texts = Vec::new();
        texts.try_reserve_exact(self.dates().len()).map_err(|_| Error::out_of_memory(self.dates().len() as u64))?;
        for index in 0..self.dates().len() {
            let is_missing = self.is_missing(index);
            texts.push(if is_missing { filler.to_owned() } else { self.stored_text(index, format, precision)? });
        }
        Ok(Some((texts, precision)))
    }

    fn stored_text(&self, index: usize, format: TimeFormat, precision: u32) -> Result<String> {
        if format.number_of_epoch().is_some() {
            return self.text(index, format, None);
        }
        let date = self.dates().get(index).copied().unwrap_or_default();
        let clock = Clock::of(date, self.scale(), precision, self.leap_seconds())?;
        let text = text::text_of_clock(format, &clock, precision).ok_or_else(|| {
            let message = format!("the format '{}' has no text for the year {}", format.name(), clock.date.year);
            Error::new(Status::OutOfRange, message)
        })?;
        let length_of_date = text.len() - "T00:00:00".len();
        Ok(if self.is_dates_only() { text.get(..length_of_date).unwrap_or_default().to_owned() } else { text })
    }

    /// Returns whether a text that was made of a point in time is read as the same.
    fn is_exact(&self, date: JulianDate, text: &str, exactness: Exactness) -> bool {
        let leap = self.leap_seconds();
        let read = match text::parse(text) {
            Some(Parsed::Clock { reading, .. }) => Ok(reading.julian_date(self.scale(), leap)),
            Some(Parsed::Epoch { format, year }) => {
                numeric::date_of(format.number_of_epoch().unwrap_or(format), [year, 0.0], self.scale(), leap)
            }
            None => return false,
        };
        read.is_ok_and(|read| exactness.accepts(date, read))
    }
}

#[cfg(test)]
mod tests {
    use super::super::points::TimeOptions;
    use super::super::scale::TimeScale;
    use super::*;

    fn of_texts(texts: &[&str]) -> Time {
        Time::from_texts(texts.iter().copied(), &[texts.len() as i64], &TimeOptions::default()).unwrap()
    }

    fn texts(time: &Time, exactness: Exactness) -> Option<(Vec<String>, u32)> {
        time.exact_texts(time.format(), (exactness, 12), "?").unwrap()
    }

    #[test]
    fn texts_have_the_decimals_that_are_needed() {
        for (text, stored, precision) in [
            ("2020-01-01T01:02:03", "2020-01-01T01:02:03.000", 3),
            ("2020-01-01T01:02:03.1234567", "2020-01-01T01:02:03.123456700", 9),
            ("2016-12-31T23:59:60.000001", "2016-12-31T23:59:60.000001", 6),
            ("2020:001:01:02:03.123456789", "2020:001:01:02:03.123456789", 9),
            ("J2000.123456789", "J2000.123456789", 3),
        ] {
            let time = of_texts(&[text]);
            assert_eq!(texts(&time, Exactness::Bits), Some((vec![stored.to_owned()], precision)), "{text}");
        }
        let time = of_texts(&["2020-01-01T00:00:00", "2020-01-01T00:00:00.5"]).with_missing(vec![true, false]).unwrap();
        let stored = vec!["?".to_owned(), "2020-01-01T00:00:00.500".to_owned()];
        assert_eq!(texts(&time, Exactness::Bits), Some((stored, 3)));
        let seventh = JulianDate::quotient(17_160_815.0, 1.0, 7.0);
        let time = Time::new(vec![seventh], &[1], &TimeOptions::default()).unwrap().with_format(TimeFormat::Isot);
        assert_eq!(texts(&time, Exactness::Bits), None);
        assert_eq!(texts(&time, Exactness::Resolution).unwrap().1, 12);
        let early = Time::new(vec![JulianDate::new(1e6, 0.0).unwrap()], &[], &TimeOptions::default()).unwrap();
        let refused = early.exact_texts(TimeFormat::Isot, (Exactness::Bits, 9), "").unwrap_err();
        assert_eq!(refused.status(), Status::OutOfRange);
    }

    #[test]
    fn numbers_are_exact_or_refused() {
        let options = TimeOptions { format: Some(TimeFormat::Mjd), ..TimeOptions::default() };
        let time = Time::from_numbers(&[58_849.25, f64::NAN], None, &[2], &options).unwrap();
        let numbers = time.exact_numbers(TimeFormat::Mjd, Exactness::Bits).unwrap().unwrap();
        assert!(numbers[0] == 58_849.25 && numbers[1].is_nan());
        assert_eq!(
            of_texts(&["2020-01-01T01:02:03.123456789"]).exact_numbers(TimeFormat::Mjd, Exactness::Bits).unwrap(),
            None
        );
        assert_eq!(time.exact_numbers(TimeFormat::Isot, Exactness::Bits).unwrap(), None);
    }

    #[test]
    fn dates_have_no_time_of_day() {
        let dates = of_texts(&["2020-01-01", "2016-12-31"]).with_dates_only().unwrap();
        let stored = vec!["2020-01-01".to_owned(), "2016-12-31".to_owned()];
        assert_eq!(texts(&dates, Exactness::Bits), Some((stored, 0)));
        let days = of_texts(&["2020:001"]).with_dates_only().unwrap();
        assert_eq!(texts(&days, Exactness::Bits).unwrap().0, ["2020:001"]);
        assert!(!dates.clone().with_format(TimeFormat::Mjd).is_dates_only());
        assert!(!dates.to_scale(TimeScale::Tai).unwrap().is_dates_only());
        let noon = of_texts(&["2020-01-01T12:00:00"]).with_dates_only().unwrap_err();
        assert_eq!(noon.status(), Status::ValueRange);
        let numbers = dates.with_format(TimeFormat::Mjd).with_dates_only().unwrap_err();
        assert_eq!(numbers.status(), Status::InvalidArgument);
    }
}
