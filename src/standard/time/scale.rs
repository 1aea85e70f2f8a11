//! Time scales, and the conversion of Julian dates between those with a known relation: UTC, TAI and TT.

use super::calendar::Date;
use super::julian_date::JulianDate;
use super::leap_seconds::LeapSeconds;
use crate::error::{Error, Result, Status};

/// Seconds of a day.
pub(super) const DAY: f64 = 86_400.0;
/// TT - TAI in seconds.
const TT_MINUS_TAI: f64 = 32.184;

macro_rules! scales {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal, $text:literal;)*) => {
        /// Scale of points in time.
        ///
        /// UTC, TAI and TT are converted to one another. The others are kept: their relation to TAI depends on
        /// measurements of the Earth, or on a model of its orbit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        #[non_exhaustive]
        pub enum TimeScale {
            $($(#[doc = $doc])* $name = $code,)*
        }

        impl TimeScale {
            /// Returns the name of the scale as in files: `utc`, `tai`.
            pub fn name(self) -> &'static str {
                match self {
                    $(TimeScale::$name => $text,)*
                }
            }

            /// Returns the scale with this name.
            pub fn from_name(name: &str) -> Option<TimeScale> {
                match name {
                    $($text => Some(TimeScale::$name),)*
                    _ => None,
                }
            }

            /// Returns the number of the scale in the C interface.
            pub fn code(self) -> i32 {
                self as i32
            }

            /// Returns the scale with this number in the C interface.
            pub fn from_code(code: i32) -> Option<TimeScale> {
                match code {
                    $($code => Some(TimeScale::$name),)*
                    _ => None,
                }
            }
        }
    };
}

scales! {
    /// Coordinated Universal Time, with leap seconds.
    Utc = 1, "utc";
    /// International Atomic Time.
    Tai = 2, "tai";
    /// Terrestrial Time, TAI + 32.184 s.
    Tt = 3, "tt";
    /// Universal Time, the rotation of the Earth.
    Ut1 = 4, "ut1";
    /// Barycentric Dynamical Time.
    Tdb = 5, "tdb";
    /// Barycentric Coordinate Time.
    Tcb = 6, "tcb";
    /// Geocentric Coordinate Time.
    Tcg = 7, "tcg";
    /// Local time of an unknown offset, as astropy writes it in tables.
    Local = 8, "local";
}

impl TimeScale {
    /// Returns whether the scale can be converted to TAI.
    pub fn is_convertible(self) -> bool {
        matches!(self, TimeScale::Utc | TimeScale::Tai | TimeScale::Tt)
    }
}

/// Converts a Julian date from one scale to another. Fails with [`Status::Unsupported`] unless both are among UTC, TAI
/// and TT.
pub(super) fn convert(date: JulianDate, from: TimeScale, to: TimeScale, leap: &LeapSeconds) -> Result<JulianDate> {
    if from == to {
        return Ok(date);
    }
    let tai = match from {
        TimeScale::Utc => utc_to_tai(date, leap)?,
        TimeScale::Tai => date,
        TimeScale::Tt => shifted(date, -TT_MINUS_TAI)?,
        _ => return Err(unknown_relation(from, to)),
    };
    match to {
        TimeScale::Utc => tai_to_utc(tai, leap),
        TimeScale::Tai => Ok(tai),
        TimeScale::Tt => shifted(tai, TT_MINUS_TAI),
        _ => Err(unknown_relation(from, to)),
    }
}

fn unknown_relation(from: TimeScale, to: TimeScale) -> Error {
    let message = format!(
        "times are not converted from {} to {}: only UTC, TAI and TT are converted to one another",
        from.name(),
        to.name()
    );
    Error::new(Status::Unsupported, message)
}

fn shifted(date: JulianDate, seconds: f64) -> Result<JulianDate> {
    Ok(date.plus(JulianDate::new(0.0, seconds / DAY)?))
}

/// Converts UTC to TAI. A Julian date in UTC divides the day by its length, so a day with a leap second has longer
/// seconds, as in ERFA.
fn utc_to_tai(date: JulianDate, leap: &LeapSeconds) -> Result<JulianDate> {
    let (day, fraction) = date.split()?;
    let utc = leap.day(day);
    let seconds = fraction * (DAY + utc.leap) / DAY * (DAY + utc.drift) / DAY;
    Ok(JulianDate::of_day(day, 0.0).plus(JulianDate::new(seconds, utc.offset / DAY)?))
}

/// Converts TAI to UTC by iteration, as ERFA does.
fn tai_to_utc(date: JulianDate, leap: &LeapSeconds) -> Result<JulianDate> {
    let mut utc = date;
    for _ in 0..3 {
        utc = utc.plus(date.minus(utc_to_tai(utc, leap)?));
    }
    Ok(utc)
}

/// Returns whether UTC had no defined relation to TAI on a day: before 1960.
pub(super) fn is_before_utc(day: i64) -> bool {
    day < Date { year: 1960, month: 1, day: 1 }.day()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(jd1: f64, jd2: f64) -> JulianDate {
        JulianDate::new(jd1, jd2).unwrap()
    }

    #[test]
    fn scales_have_names_and_numbers() {
        for code in 1..=8 {
            let scale = TimeScale::from_code(code).unwrap();
            assert_eq!((scale.code(), TimeScale::from_name(scale.name())), (code, Some(scale)));
        }
        assert_eq!((TimeScale::from_code(0), TimeScale::from_code(9), TimeScale::from_name("UTC")), (None, None, None));
    }

    #[test]
    fn conversions_are_inverse_around_a_leap_second() {
        let leap = LeapSeconds::built_in();
        // 2016-12-31 has 86,401 seconds; the last of them begins at 86,400.
        for tenth in -20..30 {
            let second = 86_400.0 + f64::from(tenth) / 10.0;
            let utc = if second < 86_401.0 {
                JulianDate::of_day(57_753, second / 86_401.0)
            } else {
                JulianDate::of_day(57_754, (second - 86_401.0) / DAY)
            };
            let tai = convert(utc, TimeScale::Utc, TimeScale::Tai, &leap).unwrap();
            let expected = JulianDate::of_day(57_753, (second + 36.0) / DAY);
            assert!((tai.minus(expected).days() * DAY).abs() < 1e-10, "{second}");
            let back = convert(tai, TimeScale::Tai, TimeScale::Utc, &leap).unwrap();
            assert!((back.minus(utc).days() * DAY).abs() < 1e-10, "{second}");
            let tt = convert(utc, TimeScale::Utc, TimeScale::Tt, &leap).unwrap();
            assert!((tt.minus(tai).days() * DAY - 32.184).abs() < 1e-10, "{second}");
        }
    }

    #[test]
    fn unknown_relations_are_errors() {
        let leap = LeapSeconds::built_in();
        let date = date(2_451_545.0, 0.0);
        for (from, to) in
            [(TimeScale::Tdb, TimeScale::Tt), (TimeScale::Utc, TimeScale::Ut1), (TimeScale::Tcb, TimeScale::Tcg)]
        {
            assert_eq!(convert(date, from, to, &leap).unwrap_err().status(), Status::Unsupported);
        }
        assert_eq!(convert(date, TimeScale::Tdb, TimeScale::Tdb, &leap).unwrap(), date);
    }
}
