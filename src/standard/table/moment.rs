//! Points in time that are no columns, as attributes of objects. In YAML of astropy they are Julian dates of two numbers or
//! of two arrays. In ASDF, a single one is text.

use super::encoded_array::EncodedArray;
use super::object::{Attribute, Object};
use crate::float;
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
    let options = options(object)?;
    let format = options.format?;
    let time = Time::new(vec![date], &[], &options).ok()?;
    let of_text = if format.is_number() { TimeFormat::Isot } else { format };
    time.text(0, of_text, None).or_else(|_| time.text(0, TimeFormat::Isot, None)).ok()
}

/// Returns the points in time of an object whose Julian dates are arrays.
pub(super) fn times(object: &Object) -> Option<Time> {
    let (Attribute::Array(first), Attribute::Array(second)) = (object.get("jd1")?, object.get("jd2")?) else {
        return None;
    };
    let days = first.doubles()?.into_iter().zip(second.doubles()?);
    let dates = days.map(|(first, second)| JulianDate::new(first, second).ok()).collect::<Option<Vec<_>>>()?;
    let is_whole = first.shape == second.shape;
    Time::new(dates, &first.shape, &options(object)?).ok().filter(|_| is_whole)
}

/// Returns the Julian dates of points in time as attributes.
pub(super) fn parts(times: &Time) -> impl Iterator<Item = (String, Attribute)> {
    ["jd1", "jd2"].into_iter().map(|key| {
        let part = |date: &JulianDate| if key == "jd1" { date.jd1() } else { date.jd2() };
        let values: Vec<f64> = times.dates().iter().map(part).collect();
        let value = match (&values[..], times.shape()) {
            ([value], []) => Attribute::Literal(literal(*value)),
            (_, shape) => Attribute::Array(EncodedArray::of_doubles(&values, shape)),
        };
        (key.to_owned(), value)
    })
}

fn literal(value: f64) -> String {
    let mut text = String::new();
    float::Notation::YAML.write(&mut text, value);
    text
}

/// Returns format and scale of an object.
fn options(object: &Object) -> Option<TimeOptions> {
    let format = TimeFormat::from_name(object.text("format")?)?;
    let scale = match object.text("scale") {
        Some(scale) => Some(TimeScale::from_name(scale)?),
        None => None,
    };
    Some(TimeOptions { scale, format: Some(format), ..TimeOptions::default() })
}
