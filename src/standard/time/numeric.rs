//! Points in time as numbers of a format, from and to Julian dates.

use super::calendar::Date;
use super::clock::{Clock, Reading};
use super::format::{Epoch, TimeFormat};
use super::julian_date::{JulianDate, MJD_ZERO};
use super::leap_seconds::LeapSeconds;
use super::scale::{TimeScale, convert};
use crate::error::{Error, Result, Status};

/// Days of a Julian and a Besselian year.
const JULIAN_YEAR: f64 = 365.25;
const BESSELIAN_YEAR: f64 = 365.242_198_781;
/// J2000.0 and B1900.0 as Julian dates, the second as an offset from the first.
const J2000: f64 = 2_451_545.0;
const B1900_FROM_J2000: f64 = -36_524.686_48;
/// The same as Modified Julian Dates.
const J2000_MJD: f64 = 51_544.5;
const B1900_MJD: f64 = 15_019.813_52;

/// Returns the Julian date of the sum of two numbers in a format, in a scale.
pub(super) fn date_of(format: TimeFormat, value: [f64; 2], scale: TimeScale, leap: &LeapSeconds) -> Result<JulianDate> {
    let sum = JulianDate::new(value[0], value[1])?;
    match format {
        TimeFormat::Jd => Ok(sum),
        TimeFormat::Mjd => Ok(sum.plus(JulianDate::new(MJD_ZERO, 0.0)?)),
        TimeFormat::Jyear => JulianDate::new(MJD_ZERO, J2000_MJD + (value[0] + value[1] - 2000.0) * JULIAN_YEAR),
        TimeFormat::Byear => JulianDate::new(MJD_ZERO, B1900_MJD + (value[0] + value[1] - 1900.0) * BESSELIAN_YEAR),
        TimeFormat::DecimalYear => date_of_year(sum, scale, leap),
        _ => match format.epoch() {
            Some(epoch) => {
                let since = JulianDate::quotient(value[0], value[1], epoch.per_day);
                convert(epoch.date().plus(since), epoch.scale, scale, leap)
            }
            None => Err(no_number(format)),
        },
    }
}

/// Returns the number of a format for a Julian date in a scale.
pub(super) fn value_of(format: TimeFormat, date: JulianDate, scale: TimeScale, leap: &LeapSeconds) -> Result<f64> {
    match format {
        TimeFormat::Jd => Ok(date.days()),
        TimeFormat::Mjd => Ok((date.jd1() - MJD_ZERO) + date.jd2()),
        TimeFormat::Jyear => Ok(2000.0 + ((date.jd1() - J2000) + date.jd2()) / JULIAN_YEAR),
        TimeFormat::Byear => Ok(1900.0 + ((date.jd1() - J2000) + (date.jd2() - B1900_FROM_J2000)) / BESSELIAN_YEAR),
        TimeFormat::DecimalYear => year_of(date, scale, leap),
        _ => match format.epoch() {
            Some(epoch) => Ok(units_since(&epoch, convert(date, scale, epoch.scale, leap)?)),
            None => Err(no_number(format)),
        },
    }
}

fn no_number(format: TimeFormat) -> Error {
    let message = format!("the values of the time format '{}' are not single numbers", format.name());
    Error::new(Status::InvalidArgument, message)
}

fn units_since(epoch: &Epoch, date: JulianDate) -> f64 {
    let start = epoch.date();
    (date.jd1() - start.jd1()) * epoch.per_day + (date.jd2() - start.jd2()) * epoch.per_day
}

fn start_of_year(year: i64, scale: TimeScale, leap: &LeapSeconds) -> JulianDate {
    let day = Date { year, month: 1, day: 1 }.day();
    Reading { day, hour: 0, minute: 0, second: 0.0 }.julian_date(scale, leap)
}

/// Returns the Julian date of a year with a fraction. In UTC, the fraction counts seconds of TAI, as in astropy.
fn date_of_year(value: JulianDate, scale: TimeScale, leap: &LeapSeconds) -> Result<JulianDate> {
    if value.days().abs() > 1e6 {
        let message = format!("the year {} is out of range", value.days());
        return Err(Error::new(Status::OutOfRange, message));
    }
    let year = value.days().trunc();
    let fraction = (value.jd1() - year) + value.jd2();
    let uniform = if scale == TimeScale::Utc { TimeScale::Tai } else { scale };
    let start = convert(start_of_year(year as i64, scale, leap), scale, uniform, leap)?;
    let end = convert(start_of_year(year as i64 + 1, scale, leap), scale, uniform, leap)?;
    convert(start.plus(end.minus(start).times(fraction)), uniform, scale, leap)
}

/// Returns the year with its fraction.
fn year_of(date: JulianDate, scale: TimeScale, leap: &LeapSeconds) -> Result<f64> {
    let year = Clock::of(date, scale, 0, leap)?.date.year;
    let start = start_of_year(year, scale, leap);
    let end = start_of_year(year + 1, scale, leap);
    Ok(year as f64 + date.minus(start).days() / end.minus(start).days())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expected values from astropy 8.
    #[test]
    fn numbers_are_those_of_astropy() {
        let leap = LeapSeconds::built_in();
        // 2020-01-01T00:00:00 UTC.
        let date = JulianDate::new(2_458_849.5, 0.0).unwrap();
        for (format, expected) in [
            (TimeFormat::Jd, 2_458_849.5),
            (TimeFormat::Mjd, 58_849.0),
            (TimeFormat::DecimalYear, 2020.0),
            (TimeFormat::Unix, 1_577_836_800.0),
            (TimeFormat::UnixTai, 1_577_836_837.0),
            (TimeFormat::CxcSec, 694_224_069.184),
            (TimeFormat::GalexSec, 1_261_872_000.0),
            (TimeFormat::Gps, 1_261_872_018.0),
            (TimeFormat::PlotDate, 737_425.0),
            (TimeFormat::Stardate, -274_098.900_550_659_8),
            (TimeFormat::Utime, 1_293_840_000.0),
            (TimeFormat::TaiSeconds, 1_956_528_037.0),
        ] {
            let value = value_of(format, date, TimeScale::Utc, &leap).unwrap();
            assert_eq!(value, expected, "{}", format.name());
            let back = date_of(format, [value, 0.0], TimeScale::Utc, &leap).unwrap();
            assert!(back.minus(date).days().abs() < 1e-9, "{}", format.name());
        }
        for format in [TimeFormat::Jyear, TimeFormat::Byear] {
            let value = value_of(format, date, TimeScale::Tt, &leap).unwrap();
            let back = date_of(format, [value, 0.0], TimeScale::Tt, &leap).unwrap();
            assert!(back.minus(date).days().abs() < 1e-9, "{}", format.name());
        }
    }

    #[test]
    fn other_formats_and_numbers_are_refused() {
        let leap = LeapSeconds::built_in();
        let refused = |format, value| date_of(format, [value, 0.0], TimeScale::Utc, &leap).unwrap_err().status();
        assert_eq!(refused(TimeFormat::Iso, 1.0), Status::InvalidArgument);
        assert_eq!(refused(TimeFormat::Jd, f64::NAN), Status::OutOfRange);
        assert_eq!(refused(TimeFormat::DecimalYear, 1e9), Status::OutOfRange);
        let date = JulianDate::new(2_451_545.0, 0.0).unwrap();
        let unknown = value_of(TimeFormat::Unix, date, TimeScale::Tdb, &leap).unwrap_err();
        assert_eq!(unknown.status(), Status::Unsupported);
        assert_eq!(
            value_of(TimeFormat::Ymdhms, date, TimeScale::Utc, &leap).unwrap_err().status(),
            Status::InvalidArgument
        );
    }
}
