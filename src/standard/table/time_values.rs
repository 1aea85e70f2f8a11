//! Points in time and spans of time from the columns of the file that hold them.

use super::object::{Attribute, Object};
use crate::error::{Error, Result, Status};
use crate::standard::object_kind::ObjectKind;
use crate::standard::time::{JulianDate, Stored, Time, TimeDelta, TimeFormat, TimeOptions, TimeScale};
use crate::standard::time::{Values as TimeValues, decimal_parts};
use crate::standard::units::{Spelling, Unit};
use crate::table::{CellShape, Column, ElementType, Table, Values};

/// Names of the fields of the format `ymdhms`.
const FIELDS: [&str; 6] = ["year", "month", "day", "hour", "minute", "second"];

/// Returns the points in time that an object describes. `parts` holds its columns, with their masks applied. The options
/// tell scale and format where the object tells none, and the table of leap seconds.
pub(super) fn times(object: &Object, parts: &Table, options: &TimeOptions) -> Result<Time> {
    let format = object.text("format").map(|name| known("format", name, TimeFormat::from_name)).transpose()?;
    let scale = object.text("scale").map(|name| known("scale", name, TimeScale::from_name)).transpose()?;
    let options = TimeOptions { format: format.or(options.format), scale: scale.or(options.scale), ..options.clone() };
    if let Some(key) = object.attributes.iter().map(|(key, _)| key).find(|key| key.starts_with("_delta_")) {
        let message =
            format!("times with the attribute '{key}', an offset from another scale, cannot be read as times");
        return Err(Error::new(Status::Unsupported, message));
    }
    let time = match (object.get("value"), object.get("jd1"), object.get("jd2")) {
        (Some(Attribute::Column(name)), _, _) => stored(parts.column(name)?)?.time(&options)?,
        (None, Some(Attribute::Column(first)), Some(Attribute::Column(second))) => {
            let (dates, shape, missing) = sums(parts.column(first)?, parts.column(second)?)?;
            Time::new(dates, &shape, &options)?.with_missing(missing)?
        }
        (Some(value), _, _) => match fields(value) {
            Some(fields) => of_fields(fields, parts, &options)?,
            None => return Err(without_values()),
        },
        _ => return Err(without_values()),
    };
    let time = match object.get("location") {
        Some(Attribute::Object(place)) => time.with_location(places(place, parts)?)?,
        _ => time,
    };
    let has_dates = object.text("out_subfmt") == Some("date");
    Ok(if has_dates { time.clone().with_dates_only().unwrap_or(time) } else { time })
}

/// Returns the spans of time that an object describes.
pub(super) fn spans(object: &Object, parts: &Table) -> Result<TimeDelta> {
    let format = object.text("format").unwrap_or("jd");
    let scale = object.text("scale").map(|name| known("scale", name, TimeScale::from_name)).transpose()?;
    let (days, shape, missing) = match (object.get("value"), object.get("jd1"), object.get("jd2")) {
        (Some(Attribute::Column(name)), _, _) => {
            let column = parts.column(name)?;
            let (shape, missing) = shape_and_mask(column)?;
            (days_of(format, column, &missing)?, shape, missing)
        }
        (None, Some(Attribute::Column(first)), Some(Attribute::Column(second))) => {
            sums(parts.column(first)?, parts.column(second)?)?
        }
        _ => return Err(without_values()),
    };
    TimeDelta::new(days, &shape, scale, format)?.with_missing(missing)
}

/// Returns the points in time of a plain column of texts, or of numbers if the options have a format.
pub(super) fn plain_times(column: &Column, options: &TimeOptions) -> Result<Time> {
    if column.values().text().is_none() && options.format.is_none() {
        let message = "the column is not one of times: its values are numbers without a time format";
        return Err(Error::new(Status::WrongType, message));
    }
    stored(column)?.time(options).map_err(|error| match error.status() {
        Status::InvalidArgument => Error::new(Status::WrongType, error.message()),
        _ => error,
    })
}

fn known<T>(what: &str, name: &str, from_name: impl Fn(&str) -> Option<T>) -> Result<T> {
    from_name(name).ok_or_else(|| {
        Error::new(Status::Unsupported, format!("the {what} '{}' of times is unknown", name.escape_debug()))
    })
}

fn without_values() -> Error {
    Error::new(Status::Unsupported, "the metadata of the column name no columns with its values")
}

/// Returns the fields of year, month, day and so on.
fn fields(value: &Attribute) -> Option<&[(String, String)]> {
    match value {
        Attribute::Fields(fields) => Some(fields),
        Attribute::Object(Object { kind: ObjectKind::Records, attributes }) => {
            attributes.iter().find_map(|(_, inner)| match inner {
                Attribute::Fields(fields) => Some(&fields[..]),
                _ => None,
            })
        }
        _ => None,
    }
}

fn of_fields(fields: &[(String, String)], parts: &Table, options: &TimeOptions) -> Result<Time> {
    let mut columns = Vec::new();
    let mut whole: Option<(Vec<i64>, Vec<bool>)> = None;
    for (index, field) in FIELDS.iter().enumerate() {
        let Some((_, name)) = fields.iter().find(|(known, _)| known == field) else {
            if index < 3 {
                return Err(Error::new(Status::Unsupported, format!("the times have no field '{field}'")));
            }
            columns.push(None);
            continue;
        };
        let column = parts.column(name)?;
        let (shape, missing) = shape_and_mask(column)?;
        match &mut whole {
            None => whole = Some((shape, missing)),
            Some((first, mask)) if *first == shape => {
                mask.iter_mut().zip(missing).for_each(|(all, own)| *all |= own);
            }
            Some(_) => return Err(Error::new(Status::TagContent, "the fields of the times have different shapes")),
        }
        columns.push(Some(numbers(column)?.0));
    }
    let (shape, missing) = whole.unwrap_or_default();
    let times = missing.iter().enumerate().map(|(index, &is_missing)| {
        let mut values = [0.0; 6];
        for (value, column) in values.iter_mut().zip(&columns) {
            *value = column.as_ref().and_then(|column| column.get(index).copied()).unwrap_or(0.0);
        }
        (!is_missing).then_some(values)
    });
    Time::from_fields(times, &shape, options)
}

/// Returns the shape of the elements of all cells, and which of them are missing.
pub(super) fn shape_and_mask(column: &Column) -> Result<(Vec<i64>, Vec<bool>)> {
    let mut shape = vec![column.row_count() as i64];
    match column.cell_shape() {
        CellShape::Scalar => {}
        CellShape::Fixed(extents) => shape.extend(extents.iter().map(|&extent| extent as i64)),
        CellShape::Variable(_) => {
            let message = "cells of different length cannot be read as times";
            return Err(Error::new(Status::Unsupported, message));
        }
    }
    Ok((shape, (0..column.values().len()).map(|index| !column.has_element(index)).collect()))
}

fn stored(column: &Column) -> Result<Stored> {
    let (shape, missing) = shape_and_mask(column)?;
    let values = match column.values() {
        Values::Text(text) => TimeValues::Texts(text.copy()?),
        _ => {
            let (mut numbers, rest) = numbers(column)?;
            numbers.iter_mut().zip(&missing).filter(|(_, is)| **is).for_each(|(number, _)| *number = f64::NAN);
            TimeValues::Numbers(numbers, rest)
        }
    };
    Ok(Stored { values, shape, missing: Some(missing).filter(|missing| missing.contains(&true)) })
}

/// Returns numbers as doubles. Integers that a double does not hold get a second part.
fn numbers(column: &Column) -> Result<(Vec<f64>, Option<Vec<f64>>)> {
    let wide = |values: Vec<i128>| {
        let first: Vec<f64> = values.iter().map(|&value| value as f64).collect();
        let rest = values.iter().zip(&first).map(|(&value, &first)| (value - first as i128) as f64).collect();
        (first, Some(rest))
    };
    fn exact<T: Copy + Into<f64>>(values: &[T]) -> (Vec<f64>, Option<Vec<f64>>) {
        (values.iter().map(|&value| value.into()).collect(), None)
    }
    Ok(match column.values() {
        Values::Float64(values) => exact(values),
        Values::Float32(values) => exact(values),
        Values::Int8(values) => exact(values),
        Values::Int16(values) => exact(values),
        Values::Int32(values) => exact(values),
        Values::Uint8(values) => exact(values),
        Values::Uint16(values) => exact(values),
        Values::Uint32(values) => exact(values),
        Values::Int64(values) => wide(values.iter().map(|&value| value.into()).collect()),
        Values::Uint64(values) => wide(values.iter().map(|&value| value.into()).collect()),
        _ => {
            let message = format!("values of the type {} are not times", column.element_type());
            return Err(Error::new(Status::Unsupported, message));
        }
    })
}

/// Returns the sums of two columns as Julian dates or days, with their shape and mask.
fn sums(first: &Column, second: &Column) -> Result<(Vec<JulianDate>, Vec<i64>, Vec<bool>)> {
    let ((shape, mut missing), (second_shape, also_missing)) = (shape_and_mask(first)?, shape_and_mask(second)?);
    if shape != second_shape {
        return Err(Error::new(Status::TagContent, "'jd1' and 'jd2' of the times have different shapes"));
    }
    missing.iter_mut().zip(also_missing).for_each(|(is, also)| *is |= also);
    let (whole, rest) = (numbers(first)?.0, numbers(second)?.0);
    let sum = |(index, (jd1, jd2)): (usize, (&f64, &f64))| match missing.get(index) {
        Some(true) => Ok(JulianDate::default()),
        _ => JulianDate::new(*jd1, *jd2),
    };
    Ok((whole.iter().zip(&rest).enumerate().map(sum).collect::<Result<_>>()?, shape, missing))
}

/// Returns spans of time in days from values in a format of astropy.
fn days_of(format: &str, column: &Column, missing: &[bool]) -> Result<Vec<JulianDate>> {
    let per_day = match format {
        "jd" | "quantity_str" => 1.0,
        "sec" => 86_400.0,
        _ => {
            let message = format!("the format '{}' of spans of time is unknown", format.escape_debug());
            return Err(Error::new(Status::Unsupported, message));
        }
    };
    let is_present = |index: usize| missing.get(index) != Some(&true);
    let checked = |value: [f64; 2]| JulianDate::new(value[0], value[1]);
    if let Values::Text(texts) = column.values() {
        let wrong =
            |text: &str| Error::new(Status::TagContent, format!("'{}' is not a span of time", text.escape_debug()));
        let of_text = |(index, text): (usize, &str)| {
            if !is_present(index) {
                return Ok(JulianDate::default());
            }
            if format == "quantity_str" {
                let plain =
                    if column.element_type() == ElementType::Json { text.trim().trim_matches('"') } else { text };
                return super::quantity_text::days(plain).ok_or_else(|| wrong(text))?;
            }
            let [value, rest] = decimal_parts(text).ok_or_else(|| wrong(text))?;
            checked([value, rest])?;
            Ok(JulianDate::quotient(value, rest, per_day))
        };
        return texts.iter().enumerate().map(of_text).collect();
    }
    let (first, rest) = numbers(column)?;
    let of_number = |(index, &value): (usize, &f64)| {
        if !is_present(index) {
            return Ok(JulianDate::default());
        }
        let rest = rest.as_ref().and_then(|rest| rest.get(index).copied()).unwrap_or(0.0);
        checked([value, rest])?;
        Ok(JulianDate::quotient(value, rest, per_day))
    };
    first.iter().enumerate().map(of_number).collect()
}

/// Returns places on Earth in metres: one, or one for each point in time.
pub(super) fn places(place: &Object, parts: &Table) -> Result<Vec<[f64; 3]>> {
    let metre = Unit::parse("m", Spelling::Generic)?;
    let mut axes = Vec::new();
    for axis in ["x", "y", "z"] {
        let Some(Attribute::Object(quantity)) = place.get(axis) else {
            let message = "a place of the times has no geocentric coordinates x, y, z";
            return Err(Error::new(Status::Unsupported, message));
        };
        let unit = match quantity.get("unit") {
            Some(Attribute::Unit(unit) | Attribute::Text(unit)) => Unit::parse(unit, Spelling::Generic)?,
            _ => metre.clone(),
        };
        let conversion = unit.conversion_to(&metre, &[])?;
        let values = match quantity.get("value") {
            Some(Attribute::Column(name)) => numbers(parts.column(name)?)?.0,
            Some(Attribute::Literal(text)) => text.parse().map(|value| vec![value]).unwrap_or_default(),
            _ => Vec::new(),
        };
        axes.push(values.into_iter().map(|value| conversion.apply(value)).collect::<Vec<_>>());
    }
    let count = axes.iter().map(Vec::len).max().unwrap_or(0);
    if count == 0 || axes.iter().any(|axis| axis.len() != count) {
        return Err(Error::new(Status::TagContent, "the coordinates of the places of times differ in number"));
    }
    let value =
        |axis: usize, index: usize| axes.get(axis).and_then(|axis| axis.get(index).copied()).unwrap_or(f64::NAN);
    Ok((0..count).map(|index| [0, 1, 2].map(|axis| value(axis, index))).collect())
}
