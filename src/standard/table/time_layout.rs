//! Columns of a table that hold points in time or spans of time without loss, and their description.
//!
//! Values are stored in their format, as astropy stores them in ECSV, if they can be read as the same two doubles.
//! Otherwise these two are stored, which astropy reads in every format.

use super::object::{Attribute, Object};
use crate::array::Text;
use crate::error::{Error, Result};
use crate::float::Notation;
use crate::standard::object_kind::ObjectKind;
use crate::standard::time::{Exactness, JulianDate, Time, TimeDelta, TimeFormat};
use crate::table::{Bitmap, CellShape, Column, ColumnHeader, ColumnParts, ElementType, Values};
use std::sync::Arc;

/// Columns of an object, and its description.
pub(super) struct Layout {
    pub(super) object: Object,
    pub(super) columns: Vec<(ColumnHeader, Arc<Column>)>,
}

/// Shape and mask of the elements of a column.
struct Frame<'a> {
    shape: &'a [i64],
    missing: Option<&'a [bool]>,
}

impl Layout {
    /// Lays out points in time, whose first axis is the rows.
    pub(super) fn of_times(name: &str, time: &Time) -> Result<Layout> {
        let frame = Frame { shape: time.shape(), missing: time.missing() };
        let mut layout =
            Layout { object: Object { kind: ObjectKind::Time, attributes: Vec::new() }, columns: Vec::new() };
        layout.text("format", time.format().name());
        if time.is_dates_only() {
            layout.text("out_subfmt", "date");
        }
        let precision = layout.times(name, time, &frame)?;
        if precision > 3 {
            // Astropy then writes the same decimals.
            layout.object.attributes.push(("precision".to_owned(), Attribute::Literal(precision.to_string())));
        }
        layout.text("scale", time.scale().name());
        layout.places(name, time)?;
        Ok(layout)
    }

    /// Lays out spans of time, whose first axis is the rows.
    pub(super) fn of_spans(name: &str, spans: &TimeDelta) -> Result<Layout> {
        let frame = Frame { shape: spans.shape(), missing: spans.missing() };
        let object = Object { kind: ObjectKind::TimeDelta, attributes: Vec::new() };
        let mut layout = Layout { object, columns: Vec::new() };
        layout.text("format", spans.format());
        if let Some(scale) = spans.scale() {
            layout.text("scale", scale.name());
        }
        match exact_spans(spans) {
            Some(values) => layout.part("value", name.to_owned(), Values::Float64(values), &frame)?,
            None => layout.sums(name, spans.days(), &frame)?,
        }
        Ok(layout)
    }

    /// Adds the columns of the values. Returns the number of decimals of a second in texts.
    fn times(&mut self, name: &str, time: &Time, frame: &Frame) -> Result<u32> {
        if let Some(numbers) = time.exact_numbers(time.format(), Exactness::Bits)? {
            let numbers = numbers.into_iter().map(|number| if number.is_nan() { 0.0 } else { number }).collect();
            self.part("value", name.to_owned(), Values::Float64(numbers), frame)?;
            return Ok(0);
        }
        if let Some((texts, precision)) = exact_texts(time)? {
            let mut values = Text::new();
            texts.iter().try_for_each(|text| values.push(text))?;
            self.part("value", name.to_owned(), Values::Text(values), frame)?;
            return Ok(precision);
        }
        self.sums(name, time.dates(), frame)?;
        Ok(0)
    }

    fn sums(&mut self, name: &str, dates: &[JulianDate], frame: &Frame) -> Result<()> {
        let first = dates.iter().map(|date| date.jd1()).collect();
        let second = dates.iter().map(|date| date.jd2()).collect();
        self.part("jd1", format!("{name}.jd1"), Values::Float64(first), frame)?;
        self.part("jd2", format!("{name}.jd2"), Values::Float64(second), frame)
    }

    /// Adds the place on Earth: one for all rows, or columns of coordinates.
    fn places(&mut self, name: &str, time: &Time) -> Result<()> {
        let places = time.location();
        if places.is_empty() {
            return Ok(());
        }
        let mut axes = vec![("ellipsoid".to_owned(), Attribute::Text("WGS84".to_owned()))];
        for (axis, key) in ["x", "y", "z"].into_iter().enumerate() {
            let values: Vec<f64> = places.iter().filter_map(|place| place.get(axis).copied()).collect();
            let value = match values[..] {
                [value] => {
                    let mut text = String::new();
                    Notation::PYTHON.write(&mut text, value);
                    Attribute::Literal(text)
                }
                _ => {
                    let column = format!("{name}.location.{key}");
                    self.values(
                        column.clone(),
                        Values::Float64(values),
                        &Frame { shape: time.shape(), missing: None },
                    )?;
                    if let Some((header, _)) = self.columns.last_mut() {
                        header.unit = Some("m".to_owned());
                    }
                    Attribute::Column(column)
                }
            };
            axes.push((
                key.to_owned(),
                Attribute::Object(Object::measured(ObjectKind::Quantity, "m".to_owned(), value)),
            ));
        }
        let place = Object { kind: ObjectKind::EarthLocation, attributes: axes };
        self.object.attributes.push(("location".to_owned(), Attribute::Object(place)));
        Ok(())
    }

    fn text(&mut self, key: &str, text: &str) {
        self.object.attributes.push((key.to_owned(), Attribute::Text(text.to_owned())));
    }

    /// Adds a column of elements with a shape and a mask, which the attribute `key` refers to.
    pub(super) fn column(
        &mut self,
        key: &str,
        name: String,
        values: Values,
        (shape, missing): (&[i64], Option<&[bool]>),
    ) -> Result<()> {
        self.part(key, name, values, &Frame { shape, missing })
    }

    fn part(&mut self, key: &str, name: String, values: Values, frame: &Frame) -> Result<()> {
        self.object.attributes.push((key.to_owned(), Attribute::Column(name.clone())));
        self.values(name, values, frame)
    }

    fn values(&mut self, name: String, values: Values, frame: &Frame) -> Result<()> {
        let element_type = ElementType::of_values(&values);
        let extent = |&extent: &i64| u64::try_from(extent).map_err(|_| Error::out_of_memory(u64::MAX));
        let (&rows, of_cell) = frame.shape.split_first().unwrap_or((&1, &[]));
        let cell_shape = match of_cell {
            [] => CellShape::Scalar,
            _ => CellShape::Fixed(of_cell.iter().map(extent).collect::<Result<_>>()?),
        };
        let row_count = usize::try_from(rows).map_err(|_| Error::out_of_memory(u64::MAX))?;
        let (cells, elements) = match frame.missing {
            None => (None, None),
            Some(missing) if of_cell.is_empty() => (Some(bitmap(missing.iter().map(|is| !is))?), None),
            Some(missing) => {
                let count = missing.len().checked_div(row_count).unwrap_or_default();
                let has_any =
                    |row: usize| (row * count..(row + 1) * count).any(|index| missing.get(index) == Some(&false));
                (Some(bitmap((0..row_count).map(has_any))?), Some(bitmap(missing.iter().map(|is| !is))?))
            }
        };
        let header = ColumnHeader::new(name, element_type, cell_shape.clone());
        let parts = ColumnParts { element_type, cell_shape, values, offsets: None, cells, elements, row_count };
        self.columns.push((header, Arc::new(Column::new(parts)?)));
        Ok(())
    }
}

fn bitmap(bits: impl Iterator<Item = bool>) -> Result<Bitmap> {
    let mut bitmap = Bitmap::default();
    bits.into_iter().try_for_each(|bit| bitmap.push(bit))?;
    Ok(bitmap)
}

/// Returns texts that hold points in time, if their format has texts that astropy reads in tables.
fn exact_texts(time: &Time) -> Result<Option<(Vec<String>, u32)>> {
    use TimeFormat::{ByearStr, Datetime, Datetime64, Fits, Iso, Isot, JyearStr, Yday};
    let most = match time.format() {
        Iso | Isot | Fits | Yday | ByearStr | JyearStr | Datetime64 => 9,
        // Astropy does not read texts of missing ones.
        Datetime if time.missing().is_none() => 6,
        _ => return Ok(None),
    };
    let texts = match time.exact_texts(time.format(), (Exactness::Bits, most), "") {
        Err(error) if error.status() == crate::Status::OutOfRange => return Ok(None),
        texts => texts?,
    };
    // Types of Python have no leap second.
    let is_of_python = matches!(time.format(), Datetime | Datetime64);
    Ok(texts.filter(|(texts, _)| !is_of_python || !texts.iter().any(|text| text.contains(":60"))))
}

/// Returns the numbers of spans of time in their format, if they hold the spans exactly.
fn exact_spans(spans: &TimeDelta) -> Option<Vec<f64>> {
    let per_day = match spans.format() {
        // Astropy does not read spans with missing values from their numbers.
        _ if spans.missing().is_some() => return None,
        "jd" => 1.0,
        "sec" => 86_400.0,
        _ => return None,
    };
    let number = |days: &JulianDate| {
        let value = days.jd1() * per_day + days.jd2() * per_day;
        (JulianDate::quotient(value, 0.0, per_day) == *days).then_some(value)
    };
    spans.days().iter().map(number).collect()
}
