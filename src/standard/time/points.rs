//! Points in time in memory: Julian dates with a shape, a scale and a format.

use super::calendar::Date;
use super::clock::{self, Clock};
use super::format::TimeFormat;
use super::julian_date::JulianDate;
use super::leap_seconds::LeapSeconds;
use super::numeric;
use super::scale::{TimeScale, convert, is_before_utc};
use super::text::{self, Parsed};
use crate::error::{Error, Result, Status, Warning};
use crate::reserve;
use crate::reserve::collected;
use std::sync::Arc;

/// Largest difference, in nanoseconds, between two doubles and the point in time that they stand for.
pub(super) const RESOLUTION: f64 = 0.05;
/// Largest number of decimals of a second in texts for readers.
const MAX_PRECISION: u32 = 9;
/// Modified Julian Day of 1970-01-01.
const UNIX_EPOCH: i64 = 40_587;

/// One or more points in time, in one scale.
///
/// Each is a Julian date of two doubles, exact to about 10 picoseconds. A Julian date in UTC divides the day by its
/// length, so a day with a leap second has longer seconds, as in ERFA and astropy.
#[derive(Clone, Debug, PartialEq)]
pub struct Time {
    dates: Vec<JulianDate>,
    shape: Vec<i64>,
    missing: Option<Vec<bool>>,
    scale: TimeScale,
    format: TimeFormat,
    location: Vec<[f64; 3]>,
    is_dates_only: bool,
    leap_seconds: Arc<LeapSeconds>,
    warnings: Vec<Warning>,
}

/// Scale, format and table of leap seconds of points in time.
#[derive(Clone, Debug)]
pub struct TimeOptions {
    /// Scale; `None` means the one that the format or the text implies.
    pub scale: Option<TimeScale>,
    /// Format; `None` means the one of the text, or `jd` for numbers.
    pub format: Option<TimeFormat>,
    /// Table of leap seconds.
    pub leap_seconds: Arc<LeapSeconds>,
}

impl Default for TimeOptions {
    fn default() -> TimeOptions {
        TimeOptions { scale: None, format: None, leap_seconds: LeapSeconds::built_in() }
    }
}

/// A number of nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Nanoseconds {
    /// The nearest whole number of nanoseconds.
    pub whole: i64,
    /// The rest, from -0.5 to 0.5 nanoseconds. 0 if it is smaller than the resolution of two doubles.
    pub rest: f64,
}

impl Time {
    /// Makes points in time of Julian dates. An empty shape stands for a single one. The format defaults to `jd`.
    ///
    /// Fails with [`Status::InvalidArgument`] if the number of dates is not the product of the shape.
    pub fn new(dates: Vec<JulianDate>, shape: &[i64], options: &TimeOptions) -> Result<Time> {
        let format = options.format.unwrap_or(TimeFormat::Jd);
        let mut time = Time {
            dates,
            shape: shape.to_vec(),
            missing: None,
            scale: options.scale.unwrap_or(format.default_scale()),
            format,
            location: Vec::new(),
            is_dates_only: false,
            leap_seconds: options.leap_seconds.clone(),
            warnings: Vec::new(),
        };
        time.check_shape()?;
        time.warn_of_relation();
        Ok(time)
    }

    /// Makes points in time of numbers in a format, each the sum of a value and, if given, of a second value. NaN is a
    /// missing point in time. The format defaults to `jd`.
    pub fn from_numbers(values: &[f64], rest: Option<&[f64]>, shape: &[i64], options: &TimeOptions) -> Result<Time> {
        let format = options.format.unwrap_or(TimeFormat::Jd);
        let scale = options.scale.unwrap_or(format.default_scale());
        if rest.is_some_and(|rest| rest.len() != values.len()) {
            let message = "the numbers of first and second values differ";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let rest = |index: usize| rest.and_then(|rest| rest.get(index)).copied().unwrap_or(0.0);
        let missing: Vec<bool> = values.iter().map(|value| value.is_nan()).collect();
        let pairs = values.iter().enumerate().map(|(index, &value)| [value, rest(index)]);
        let dates = collected(pairs.map(|value| match value[0].is_nan() {
            true => Ok(JulianDate::default()),
            false => numeric::date_of(format, value, scale, &options.leap_seconds),
        }))?;
        let options = TimeOptions { scale: Some(scale), format: Some(format), ..options.clone() };
        let time = Time::new(dates, shape, &options)?;
        if missing.contains(&true) { time.with_missing(missing) } else { Ok(time) }
    }

    /// Makes points in time of texts: dates with times of day as in `2027-01-31T04:05:06.7`, days of a year as in
    /// `2027:031:04:05:06.7`, epochs as in `B1950.0`, or, if the format is one of numbers, numbers.
    ///
    /// Fails with [`Status::InvalidArgument`] for any other text, and for texts of several scales.
    pub fn from_texts<'a>(
        texts: impl ExactSizeIterator<Item = &'a str>,
        shape: &[i64],
        options: &TimeOptions,
    ) -> Result<Time> {
        let leap = &options.leap_seconds;
        let (mut format, mut scale) = (options.format, options.scale);
        let mut is_beyond_minute = false;
        let dates = collected(texts.map(|text| {
            let wrong = |reason: &str| {
                Error::new(Status::InvalidArgument, format!("'{}' is not a time{reason}", text.escape_debug()))
            };
            let Some(parsed) = text::parse(text) else {
                let format = format.filter(|format| format.is_number()).ok_or_else(|| wrong(""))?;
                let value = decimal_parts(text).ok_or_else(|| wrong(&format!(" of format '{}'", format.name())))?;
                return numeric::date_of(format, value, *scale.get_or_insert(format.default_scale()), leap);
            };
            format.get_or_insert(parsed.format());
            let own = parsed.format().default_scale();
            let given = *scale.get_or_insert(own);
            if options.scale.is_none() && given != own {
                return Err(wrong(&format!(" in scale {} like the others", given.name())));
            }
            match parsed {
                Parsed::Clock { is_utc: true, .. } if given != TimeScale::Utc => {
                    Err(wrong(&format!(" in scale {}: a 'Z' stands for UTC", given.name())))
                }
                Parsed::Clock { reading, .. } => {
                    is_beyond_minute |= !reading.is_in_minute(given, leap);
                    Ok(reading.julian_date(given, leap))
                }
                Parsed::Epoch { format, year } => {
                    numeric::date_of(format.number_of_epoch().unwrap_or(format), [year, 0.0], given, leap)
                }
            }
        }))?;
        let format = format.unwrap_or(TimeFormat::Isot);
        let mut time = Time::new(dates, shape, &TimeOptions { scale, format: Some(format), ..options.clone() })?;
        if is_beyond_minute {
            time.warnings.push(Warning::new(
                "a time has a second 60, but its minute has no leap second: the time is in the next minute",
            ));
        }
        Ok(time)
    }

    /// Makes points in time of nanoseconds since 1970-01-01T00:00:00 on the clock of the scale, which defaults to UTC.
    /// The clock of UTC does not count leap seconds. The format defaults to `isot`.
    pub fn from_nanoseconds(nanoseconds: &[i64], shape: &[i64], options: &TimeOptions) -> Result<Time> {
        Time::from_ticks(nanoseconds, 1_000_000_000, shape, options)
    }

    /// Makes points in time of ticks since 1970-01-01T00:00:00, as [`Time::from_nanoseconds`] does. `per_second` is the
    /// number of ticks in a second, at least 1.
    pub(in crate::standard) fn from_ticks(
        ticks: &[i64],
        per_second: i64,
        shape: &[i64],
        options: &TimeOptions,
    ) -> Result<Time> {
        let scale = options.scale.unwrap_or(TimeScale::Utc);
        let format = options.format.unwrap_or(TimeFormat::Isot);
        let dates = collected(ticks.iter().map(|&since| {
            let (minutes, in_minute) = (since.div_euclid(60 * per_second), since.rem_euclid(60 * per_second));
            let (day, minute) = (minutes.div_euclid(1440) + UNIX_EPOCH, minutes.rem_euclid(1440));
            let second = in_minute as f64 / per_second as f64;
            let reading = clock::Reading { day, hour: minute / 60, minute: minute % 60, second };
            // The same doubles as those of the text of the time, in astropy as well.
            Ok(reading.julian_date(scale, &options.leap_seconds))
        }))?;
        Time::new(dates, shape, &TimeOptions { scale: Some(scale), format: Some(format), ..options.clone() })
    }

    /// Makes points in time of year, month, day, hour, minute and second. `None` stands for a missing one. The scale
    /// defaults to UTC, the format to `ymdhms`.
    pub(in crate::standard) fn from_fields(
        fields: impl ExactSizeIterator<Item = Option<[f64; 6]>>,
        shape: &[i64],
        options: &TimeOptions,
    ) -> Result<Time> {
        let scale = options.scale.unwrap_or(TimeScale::Utc);
        let format = options.format.unwrap_or(TimeFormat::Ymdhms);
        let mut missing = Vec::new();
        let dates = collected(fields.map(|fields| {
            missing.push(fields.is_none());
            let Some([year, month, day, hour, minute, second]) = fields else { return Ok(JulianDate::default()) };
            let date = Date::new(year as i64, month as i64, day as i64).filter(|_| {
                year.abs() < 1e6 && (0.0..24.0).contains(&hour) && (0.0..60.0).contains(&minute) && second < 62.0
            });
            let date = date.filter(|_| second >= 0.0).ok_or_else(|| {
                let message = format!("{year}-{month}-{day} {hour}:{minute}:{second} is not a time");
                Error::new(Status::InvalidArgument, message)
            })?;
            let reading = clock::Reading { day: date.day(), hour: hour as i64, minute: minute as i64, second };
            Ok(reading.julian_date(scale, &options.leap_seconds))
        }))?;
        let options = TimeOptions { scale: Some(scale), format: Some(format), ..options.clone() };
        Time::new(dates, shape, &options)?.with_missing(missing)
    }

    /// Marks points in time as missing.
    ///
    /// Fails with [`Status::InvalidArgument`] if the mask has another length.
    pub fn with_missing(mut self, missing: Vec<bool>) -> Result<Time> {
        if missing.len() != self.dates.len() {
            let message = format!("the mask has {} elements, the times have {}", missing.len(), self.dates.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        self.missing = Some(missing).filter(|missing| missing.contains(&true));
        Ok(self)
    }

    /// Sets the place on Earth: geocentric coordinates x, y and z in metres, one for all points in time or one for each.
    /// An empty list removes the place.
    ///
    /// Fails with [`Status::InvalidArgument`] for any other number of places.
    pub fn with_location(mut self, location: Vec<[f64; 3]>) -> Result<Time> {
        if location.len() > 1 && location.len() != self.dates.len() {
            let message = format!("there are {} places for {} times", location.len(), self.dates.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        self.location = location;
        Ok(self)
    }

    /// Returns the same points in time with another format.
    pub fn with_format(mut self, format: TimeFormat) -> Time {
        self.is_dates_only &= has_dates(format);
        self.format = format;
        self
    }

    /// Marks the points in time as dates, which have no time of day. A format of text is then stored without it, as
    /// astropy does with the sub-format `date`.
    ///
    /// Fails with [`Status::ValueRange`] if a point in time is not the beginning of a day, and with
    /// [`Status::InvalidArgument`] unless the format is `iso`, `isot`, `fits` or `yday`.
    pub fn with_dates_only(mut self) -> Result<Time> {
        if !has_dates(self.format) {
            let message = format!("dates cannot have the time format '{}'; use 'iso'", self.format.name());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        for (index, date) in self.dates.iter().enumerate() {
            if !self.is_missing(index) && date.split()?.1 != 0.0 {
                let message = "a time is not the beginning of a day, so it is not a date";
                return Err(at(Error::new(Status::ValueRange, message), index));
            }
        }
        self.is_dates_only = true;
        Ok(self)
    }

    /// Returns whether the points in time are dates, which have no time of day.
    pub fn is_dates_only(&self) -> bool {
        self.is_dates_only
    }

    /// Returns the scale.
    pub fn scale(&self) -> TimeScale {
        self.scale
    }

    /// Returns the format, in which the points in time are stored.
    pub fn format(&self) -> TimeFormat {
        self.format
    }

    /// Returns the shape; it is empty for a single point in time.
    pub fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Returns the Julian dates in C order. Those of missing points in time are 0 or any other.
    pub fn dates(&self) -> &[JulianDate] {
        &self.dates
    }

    /// Returns which points in time are missing; `None` if none is.
    pub fn missing(&self) -> Option<&[bool]> {
        self.missing.as_deref()
    }

    /// Returns whether a point in time is missing.
    pub fn is_missing(&self, index: usize) -> bool {
        self.missing.as_ref().is_some_and(|missing| missing.get(index) == Some(&true))
    }

    /// Returns the places on Earth: none, one for all points in time, or one for each.
    pub fn location(&self) -> &[[f64; 3]] {
        &self.location
    }

    pub(super) fn leap_seconds(&self) -> &LeapSeconds {
        &self.leap_seconds
    }

    /// Returns what was found, such as times after the end of the table of leap seconds.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Returns a copy.
    fn copied(&self) -> Result<Time> {
        let Time { shape, leap_seconds, warnings, .. } = self;
        Ok(Time {
            dates: reserve::copy_of(&self.dates)?,
            missing: self.missing.as_deref().map(reserve::copy_of).transpose()?,
            location: reserve::copy_of(&self.location)?,
            shape: shape.clone(),
            leap_seconds: leap_seconds.clone(),
            warnings: warnings.clone(),
            scale: self.scale,
            format: self.format,
            is_dates_only: self.is_dates_only,
        })
    }

    /// Converts to another scale. Fails with [`Status::Unsupported`] unless both are among UTC, TAI and TT.
    pub fn to_scale(&self, scale: TimeScale) -> Result<Time> {
        let mut time = self.copied()?;
        for (index, date) in time.dates.iter_mut().enumerate() {
            if !self.is_missing(index) {
                *date = convert(*date, self.scale, scale, &self.leap_seconds).map_err(|error| at(error, index))?;
            }
        }
        time.is_dates_only &= scale == self.scale;
        time.scale = scale;
        Ok(time)
    }

    /// Returns the numbers of a format, converted to its scale; NaN for missing points in time. A double holds Julian
    /// dates to 40 microseconds, seconds since 1970 to 0.2 microseconds.
    pub fn numbers(&self, format: TimeFormat) -> Result<Vec<f64>> {
        collected(self.dates.iter().enumerate().map(|(index, &date)| match self.is_missing(index) {
            true => Ok(f64::NAN),
            false => numeric::value_of(format, date, self.scale, &self.leap_seconds).map_err(|error| at(error, index)),
        }))
    }

    /// Returns nanoseconds since 1970-01-01T00:00:00 on the clock of a scale, to which the times are converted. The
    /// clock of UTC does not count leap seconds. `None` stands for missing points in time.
    ///
    /// Fails with [`Status::OutOfRange`] for a time in a leap second, and before 1677-09-21 or after 2262-04-11.
    pub fn nanoseconds(&self, scale: TimeScale) -> Result<Vec<Option<Nanoseconds>>> {
        collected(self.dates.iter().enumerate().map(|(index, &date)| {
            if self.is_missing(index) {
                return Ok(None);
            }
            let out_of_range = |reason: &str| at(Error::new(Status::OutOfRange, reason), index);
            let date = convert(date, self.scale, scale, &self.leap_seconds).map_err(|error| at(error, index))?;
            let (whole, rest) = clock::nanoseconds(date, scale, &self.leap_seconds)?
                .ok_or_else(|| out_of_range("a leap second has no number of nanoseconds in UTC"))?;
            let whole = i64::try_from(whole)
                .map_err(|_| out_of_range("nanoseconds since 1970 in 64 bits reach from 1677-09-21 to 2262-04-11"))?;
            Ok(Some(Nanoseconds { whole, rest: if rest.abs() < RESOLUTION { 0.0 } else { rest } }))
        }))
    }

    /// Returns the text of a point in time in a format of text, with `precision` decimals of a second from 0 to 9, or
    /// with 3, 6 or 9 as needed. Epochs of years have as many digits as a double.
    ///
    /// Fails with [`Status::OutOfRange`] beyond the last point in time, for years other than 0 to 9999 except in the
    /// format `fits`, and with [`Status::InvalidArgument`] for a format of numbers.
    pub fn text(&self, index: usize, format: TimeFormat, precision: Option<u32>) -> Result<String> {
        let date = *self.dates.get(index).ok_or_else(|| {
            Error::new(Status::OutOfRange, format!("index {index} is beyond the {} times", self.dates.len()))
        })?;
        if format.is_number() {
            let message = format!("the values of the time format '{}' are numbers", format.name());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        if let Some(number) = format.number_of_epoch() {
            let year = numeric::value_of(number, date, self.scale, &self.leap_seconds)?;
            return Ok(text::text_of_epoch(format, year));
        }
        let precision = match precision {
            Some(precision) => precision.min(MAX_PRECISION),
            None => self.needed_precision(date)?,
        };
        let clock = Clock::of(date, self.scale, precision, &self.leap_seconds)?;
        text::text_of_clock(format, &clock, precision).ok_or_else(|| {
            let message = format!("the format '{}' has no text for the year {}", format.name(), clock.date.year);
            at(Error::new(Status::OutOfRange, message), index)
        })
    }

    /// Returns the number of decimals of a second that are needed to tell the nanoseconds: 3, 6 or 9.
    fn needed_precision(&self, date: JulianDate) -> Result<u32> {
        let fraction = Clock::of(date, self.scale, MAX_PRECISION, &self.leap_seconds)?.fraction;
        Ok(match fraction {
            _ if fraction % 1_000_000 == 0 => 3,
            _ if fraction % 1_000 == 0 => 6,
            _ => 9,
        })
    }

    fn check_shape(&self) -> Result<()> {
        let count = self.shape.iter().try_fold(1_i64, |product, &extent| match extent {
            0.. => product.checked_mul(extent),
            _ => None,
        });
        if count == i64::try_from(self.dates.len()).ok() {
            return Ok(());
        }
        let message = format!("the shape {:?} does not hold {} times", self.shape, self.dates.len());
        Err(Error::new(Status::InvalidArgument, message))
    }

    /// Warns of times whose relation to other scales is not known well.
    fn warn_of_relation(&mut self) {
        let days = || self.dates.iter().filter_map(|date| date.split().ok()).map(|(day, _)| day);
        let mut warnings = Vec::new();
        if self.scale.is_convertible() && days().any(|day| self.leap_seconds.is_expired(day)) {
            let last = self.leap_seconds.expires().unwrap_or_default();
            let message = format!("a time is after {last}, the end of the table of leap seconds");
            warnings.push(Warning::new(message));
        }
        if self.scale == TimeScale::Utc && days().any(is_before_utc) {
            warnings.push(Warning::new("a time in UTC is before 1960: its difference from TAI is taken as 0"));
        }
        self.warnings.extend(warnings);
    }
}

/// Returns whether dates without a time of day can have a format.
fn has_dates(format: TimeFormat) -> bool {
    matches!(format, TimeFormat::Iso | TimeFormat::Isot | TimeFormat::Fits | TimeFormat::Yday)
}

/// Adds the index of the point in time to an error.
fn at(error: Error, index: usize) -> Error {
    error.with_more(&format!("time number {index}"))
}

/// Divides a decimal number into a whole number and its fraction, so that no digit is lost.
pub(in crate::standard) fn decimal_parts(text: &str) -> Option<[f64; 2]> {
    let text = text.trim();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+'));
    let value = match text.find('.').filter(|_| is_plain).and_then(|point| text.split_at_checked(point)) {
        Some((whole, fraction)) => {
            let sign = if whole.starts_with('-') { -1.0 } else { 1.0 };
            let whole = if matches!(whole, "" | "-" | "+") { 0.0 } else { whole.parse().ok()? };
            [whole, sign * format!("0{fraction}").parse::<f64>().ok()?]
        }
        None => [text.parse().ok()?, 0.0],
    };
    value[0].is_finite().then_some(value)
}
