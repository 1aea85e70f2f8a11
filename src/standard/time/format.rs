//! Formats of points in time: their names, their scales, and how they are stored.

use super::julian_date::JulianDate;
use super::scale::TimeScale;

macro_rules! formats {
    ($($(#[doc = $doc:literal])* $name:ident = $code:literal, $text:literal;)*) => {
        /// Format of points in time: how their values are written.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(i32)]
        #[non_exhaustive]
        pub enum TimeFormat {
            $($(#[doc = $doc])* $name = $code,)*
        }

        impl TimeFormat {
            /// All formats.
            pub const ALL: &'static [TimeFormat] = &[$(TimeFormat::$name,)*];

            /// Returns the name of the format, as in files.
            pub fn name(self) -> &'static str {
                match self {
                    $(TimeFormat::$name => $text,)*
                }
            }

            /// Returns the format with this name.
            pub fn from_name(name: &str) -> Option<TimeFormat> {
                match name {
                    $($text => Some(TimeFormat::$name),)*
                    _ => None,
                }
            }

            /// Returns the number of the format in the C interface.
            pub fn code(self) -> i32 {
                self as i32
            }

            /// Returns the format with this number in the C interface.
            pub fn from_code(code: i32) -> Option<TimeFormat> {
                match code {
                    $($code => Some(TimeFormat::$name),)*
                    _ => None,
                }
            }
        }
    };
}

formats! {
    /// Date and time as text: `2027-01-31 04:05:06.700`.
    Iso = 1, "iso";
    /// Date and time as text: `2027-01-31T04:05:06.700`.
    Isot = 2, "isot";
    /// Like `isot`; years beyond 0 to 9999 have a sign and five digits.
    Fits = 3, "fits";
    /// Day of the year and time as text: `2027:031:04:05:06.700`.
    Yday = 4, "yday";
    /// Besselian epoch as a number.
    Byear = 5, "byear";
    /// Julian epoch as a number.
    Jyear = 6, "jyear";
    /// Besselian epoch as text: `B1950.0`.
    ByearStr = 7, "byear_str";
    /// Julian epoch as text: `J2000.0`.
    JyearStr = 8, "jyear_str";
    /// Year and fraction of this year as a number.
    DecimalYear = 9, "decimalyear";
    /// Julian date.
    Jd = 10, "jd";
    /// Modified Julian Date.
    Mjd = 11, "mjd";
    /// Seconds of TAI since 1980-01-06T00:00:00 UTC.
    Gps = 12, "gps";
    /// Seconds of UTC since 1970-01-01, without leap seconds.
    Unix = 13, "unix";
    /// Seconds of TAI since 1970-01-01 TAI.
    UnixTai = 14, "unix_tai";
    /// Seconds of UTC since 1979-01-01, without leap seconds.
    Utime = 15, "utime";
    /// Seconds of TAI since 1958-01-01 TAI.
    TaiSeconds = 16, "tai_seconds";
    /// Seconds of TT since 1998-01-01 TT.
    CxcSec = 17, "cxcsec";
    /// Seconds of UTC since 1980-01-06, without leap seconds.
    GalexSec = 18, "galexsec";
    /// Days of UTC since 0001-01-01, which is day 1.
    PlotDate = 19, "plot_date";
    /// Year, month, day, hour, minute and second as numbers.
    Ymdhms = 20, "ymdhms";
    /// Python's `datetime`.
    Datetime = 21, "datetime";
    /// Numpy's `datetime64`.
    Datetime64 = 22, "datetime64";
    /// Stardates.
    Stardate = 23, "stardate";
}

/// Relation of the numbers of a format to Julian dates: a number of units since an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Epoch {
    pub(super) scale: TimeScale,
    /// The epoch as a Modified Julian Day, and seconds after it.
    pub(super) day: i64,
    pub(super) seconds: f64,
    /// Number of units in a day.
    pub(super) per_day: f64,
}

impl Epoch {
    pub(super) fn date(&self) -> JulianDate {
        JulianDate::of_day(self.day, self.seconds / 86_400.0)
    }
}

impl TimeFormat {
    /// Returns the scale of values without a scale.
    pub fn default_scale(self) -> TimeScale {
        match self {
            TimeFormat::Byear | TimeFormat::Jyear | TimeFormat::ByearStr | TimeFormat::JyearStr => TimeScale::Tt,
            _ => self.epoch().map_or(TimeScale::Utc, |epoch| epoch.scale),
        }
    }

    /// Returns whether the values are numbers.
    pub fn is_number(self) -> bool {
        use TimeFormat::{Byear, DecimalYear, Jd, Jyear, Mjd};
        matches!(self, Byear | Jyear | DecimalYear | Jd | Mjd) || self.epoch().is_some()
    }

    /// Returns the format of the number in the text of an epoch; `None` for other formats.
    pub(super) fn number_of_epoch(self) -> Option<TimeFormat> {
        match self {
            TimeFormat::ByearStr => Some(TimeFormat::Byear),
            TimeFormat::JyearStr => Some(TimeFormat::Jyear),
            _ => None,
        }
    }

    /// Returns the epoch of a format that counts units since an epoch.
    pub(super) fn epoch(self) -> Option<Epoch> {
        let (scale, day, seconds, per_day) = match self {
            TimeFormat::Gps => (TimeScale::Tai, 44_244, 19.0, 86_400.0),
            TimeFormat::Unix => (TimeScale::Utc, 40_587, 0.0, 86_400.0),
            TimeFormat::UnixTai => (TimeScale::Tai, 40_587, 0.0, 86_400.0),
            TimeFormat::Utime => (TimeScale::Utc, 43_874, 0.0, 86_400.0),
            TimeFormat::TaiSeconds => (TimeScale::Tai, 36_204, 0.0, 86_400.0),
            TimeFormat::CxcSec => (TimeScale::Tt, 50_814, 0.0, 86_400.0),
            TimeFormat::GalexSec => (TimeScale::Utc, 44_244, 0.0, 86_400.0),
            TimeFormat::PlotDate => (TimeScale::Utc, -678_576, 0.0, 1.0),
            TimeFormat::Stardate => (TimeScale::Tai, 167_876, 39_600.0, 1.0 / 0.397_766_856),
            _ => return None,
        };
        Some(Epoch { scale, day, seconds, per_day })
    }
}

#[cfg(test)]
mod tests {
    use super::super::calendar::Date;
    use super::*;

    #[test]
    fn formats_have_names_and_numbers() {
        for (format, code) in TimeFormat::ALL.iter().zip(1..) {
            assert_eq!((format.code(), TimeFormat::from_name(format.name())), (code, Some(*format)));
            assert_eq!(TimeFormat::from_code(code), Some(*format));
        }
        assert_eq!(
            (TimeFormat::from_code(0), TimeFormat::from_code(24), TimeFormat::from_name("ISO")),
            (None, None, None)
        );
    }

    #[test]
    fn epochs_are_the_days_in_the_names() {
        for (format, year, month, day) in [
            (TimeFormat::Gps, 1980, 1, 6),
            (TimeFormat::GalexSec, 1980, 1, 6),
            (TimeFormat::Unix, 1970, 1, 1),
            (TimeFormat::UnixTai, 1970, 1, 1),
            (TimeFormat::Utime, 1979, 1, 1),
            (TimeFormat::TaiSeconds, 1958, 1, 1),
            (TimeFormat::CxcSec, 1998, 1, 1),
            (TimeFormat::PlotDate, 0, 12, 31),
            (TimeFormat::Stardate, 2318, 7, 5),
        ] {
            assert_eq!(Date::of_day(format.epoch().unwrap().day), Date { year, month, day }, "{}", format.name());
        }
    }
}
