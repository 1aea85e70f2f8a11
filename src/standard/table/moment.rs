//! Single points in time in the entries of `__serialized_columns__`. They are two numbers there, and text in ASDF.

use super::object::{Attribute, Object};
use crate::standard::time::{JulianDate, Time, TimeFormat, TimeOptions, TimeScale};

/// Replaces the Julian date of a point in time by text, which keeps nanoseconds. A point in time that has no text stays.
pub(super) fn with_text(object: &mut Object) {
    if let Some(text) = text(object) {
        object.attributes.retain(|(key, _)| key != "jd1" && key != "jd2");
        object.attributes.push(("value".to_owned(), Attribute::Text(text)));
    }
}

fn text(object: &Object) -> Option<String> {
    let number = |key: &str| match object.get(key)? {
        Attribute::Literal(text) => text.parse().ok(),
        _ => None,
    };
    let date = JulianDate::new(number("jd1")?, number("jd2")?).ok()?;
    let format = TimeFormat::from_name(object.text("format")?)?;
    let scale = match object.text("scale") {
        Some(scale) => Some(TimeScale::from_name(scale)?),
        None => None,
    };
    let time =
        Time::new(vec![date], &[], &TimeOptions { scale, format: Some(format), ..TimeOptions::default() }).ok()?;
    let of_text = if format.is_number() { TimeFormat::Isot } else { format };
    time.text(0, of_text, None).or_else(|_| time.text(0, TimeFormat::Isot, None)).ok()
}
