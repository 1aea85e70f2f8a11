//! Spans of time as astropy's format `quantity_str`: `11574d 1hr 46min 40.0s`.

use crate::error::Result;
use crate::standard::time::{JulianDate, decimal_parts};

/// Units in the order in which they follow one another, and their length in seconds.
const UNITS: [(&str, f64); 5] = [("yr", 31_557_600.0), ("d", 86_400.0), ("hr", 3_600.0), ("min", 60.0), ("s", 1.0)];

/// Returns the days of a text; `None` for any other text.
pub(super) fn days(text: &str) -> Option<Result<JulianDate>> {
    let (is_negative, mut rest) = match text.trim().strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.trim().trim_start_matches('+')),
    };
    let mut sum = JulianDate::default();
    let mut units = UNITS.iter();
    while !rest.is_empty() {
        let is_digit = |byte: char| byte.is_ascii_digit() || matches!(byte, '.' | 'e' | '-' | '+');
        let [value, fraction] = decimal_parts(rest.get(..rest.find(|byte| !is_digit(byte))?)?)?;
        rest = rest.trim_start_matches(is_digit).trim_start();
        let end = rest.find(|letter: char| !letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (unit, behind) = rest.split_at_checked(end)?;
        let (_, seconds) = units.find(|(known, _)| *known == unit)?;
        if JulianDate::new(value, fraction).is_err() {
            return Some(JulianDate::new(value, fraction));
        }
        let part = match *seconds >= 86_400.0 {
            true => JulianDate::quotient(value * (seconds / 86_400.0), fraction * (seconds / 86_400.0), 1.0),
            false => JulianDate::quotient(value, fraction, 86_400.0 / seconds),
        };
        sum = sum.plus(part);
        rest = behind.trim_start();
    }
    let is_whole = !text.trim().is_empty();
    let signed = if is_negative { JulianDate::default().minus(sum) } else { sum };
    is_whole.then_some(Ok(signed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_days() {
        for (text, expected) in [
            ("1.0s", 1.0 / 86_400.0),
            ("11574d 1hr 46min 40.0s", 1e9 / 86_400.0),
            ("-1d 12hr", -1.5),
            ("2yr", 730.5),
            ("0.0s", 0.0),
        ] {
            let days = days(text).unwrap().unwrap();
            assert!((days.jd1() + days.jd2() - expected).abs() < 1e-12, "{text}: {days:?}");
        }
        for text in ["", "1", "1x", "s", "1s 2d", "1d,2s", "- s", "1ds"] {
            assert!(days(text).is_none(), "{text}");
        }
    }
}
