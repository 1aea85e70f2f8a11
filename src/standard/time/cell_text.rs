//! Validation of a text that becomes a cell of a column of times. The text itself is stored as it is.

use super::format::TimeFormat;
use super::points::{Time, TimeOptions, decimal_parts};
use super::scale::TimeScale;
use crate::error::{Error, Result, Status};
use std::iter::once;

/// Fails with [`Status::ValueRange`] if a text is not a time of this format and scale. `None` means any of them.
/// Programs that read the column pass its format on, and fail for a text of another format.
pub(in crate::standard) fn check_text(text: &str, format: Option<TimeFormat>, scale: Option<TimeScale>) -> Result<()> {
    let is_right = match format {
        Some(format) if format.is_number() => decimal_parts(text.trim()).is_some(),
        _ => {
            let options = TimeOptions { scale, ..TimeOptions::default() };
            let read = Time::from_texts(once(text), &[], &options);
            read.is_ok_and(|time| format.is_none_or(|format| suits(format, time.format(), text)))
        }
    };
    if is_right {
        return Ok(());
    }
    let of_format = format.map_or_else(String::new, |format| format!(" of format '{}'", format.name()));
    let in_scale = scale.map_or_else(String::new, |scale| format!(" in scale {}", scale.name()));
    let message = format!("'{}' is not a time{of_format}{in_scale}", text.escape_debug());
    Err(Error::new(Status::ValueRange, message))
}

/// Returns whether a text that is read in the format `own` is one of a column of a format of texts.
fn suits(format: TimeFormat, own: TimeFormat, text: &str) -> bool {
    use TimeFormat::{ByearStr, Fits, Iso, Isot, JyearStr, Yday};
    let is_date = own == Iso && !text.contains(' ');
    match format {
        Iso | Yday | ByearStr | JyearStr => own == format,
        Isot => own == Isot || is_date,
        Fits => matches!(own, Fits | Isot) || is_date,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use TimeFormat::{ByearStr, Datetime64, Fits, Iso, Isot, JyearStr, Mjd, Unix, Yday};

    const TEXTS: [&str; 14] = [
        "2000-01-02",
        "2000-1-2 03:04",
        "2000-01-02T03:04:05.1234567890123",
        "2000-01-02T03:04:60",
        "+02000-01-02T03:04:05",
        "2000:002:03:04:05.5",
        "B1950.0",
        "J2000",
        "51544.5",
        " 1e5",
        "garbage",
        "",
        "2000-13-01",
        "nan",
    ];

    /// The sets of texts are those that astropy 6 reads in a format.
    #[test]
    fn texts_are_those_of_the_format() {
        for (format, right) in [
            (Iso, &[0, 1][..]),
            (Isot, &[0, 2, 3]),
            (Fits, &[0, 2, 3, 4]),
            (Yday, &[5]),
            (ByearStr, &[6]),
            (JyearStr, &[7]),
            (Mjd, &[8, 9]),
            (Unix, &[8, 9]),
        ] {
            for (index, text) in TEXTS.iter().enumerate() {
                let found = check_text(text, Some(format), Some(TimeScale::Utc));
                assert_eq!(found.is_ok(), right.contains(&index), "{text} {}", format.name());
                assert!(found.is_ok() || found.unwrap_err().status() == Status::ValueRange);
            }
        }
    }

    #[test]
    fn any_scale_and_any_format_are_possible() {
        for scale in [TimeScale::Tai, TimeScale::Tdb, TimeScale::Ut1, TimeScale::Utc] {
            assert!(check_text(TEXTS[2], Some(Isot), Some(scale)).is_ok());
            assert!(check_text(TEXTS[6], None, Some(scale)).is_ok());
        }
        assert!(check_text(TEXTS[2], Some(Datetime64), None).is_ok());
        assert!(check_text("2000-01-02T03:04:05Z", Some(Isot), Some(TimeScale::Utc)).is_ok());
        let error = check_text("2000-01-02T03:04:05Z", Some(Isot), Some(TimeScale::Tai)).unwrap_err();
        assert_eq!(error.message(), "'2000-01-02T03:04:05Z' is not a time of format 'isot' in scale tai");
        assert_eq!(check_text("x\n", None, None).unwrap_err().message(), "'x\\n' is not a time");
    }
}
