//! Tables for Arrow: columns of times become timestamps, dates and durations in nanoseconds.

use super::object::{Attribute, Object};
use super::time_layout::Layout;
use super::time_values;
use crate::error::{Error, Result, Status, Warning};
use crate::reserve;
use crate::standard::kind::NodeKind;
use crate::standard::object_kind::ObjectKind;
use crate::standard::time::{Nanoseconds, TimeOptions, TimeScale};
use crate::table::arrow::Field;
use crate::table::{Table, Values, logical_columns};

/// Arrow types of the columns that are made.
const UTC: &str = "tsn:UTC";
const OF_ANOTHER_SCALE: &str = "tsn:";
const DATE: &str = "tdD";
const DURATION: &str = "tDn";
/// Nanoseconds of a day.
const DAY: i64 = 86_400_000_000_000;

/// Integers that Arrow stores for a column of times.
struct Integers {
    values: Vec<i64>,
    shape: Vec<i64>,
    missing: Option<Vec<bool>>,
    format: &'static str,
}

impl Table {
    /// Returns a table for Arrow and the field that describes it.
    ///
    /// A column of times becomes timestamps in nanoseconds, in UTC if its scale is UTC, TAI or TT, and otherwise without
    /// a time zone. Dates become days, spans of time become durations. Format, scale and place stay in the metadata. A
    /// column that integers do not hold exactly stays as it is stored, with a warning: a time in a leap second, between
    /// two nanoseconds, or beyond the years 1677 to 2262.
    ///
    /// Fails as [`Field::of_header`] does.
    pub fn for_arrow(&self) -> Result<(Table, Field)> {
        let mut table = self.clone();
        let mut formats = Vec::new();
        for logical in logical_columns(self.header()) {
            let Some(kind) = self.time_kind(&logical.name)? else { continue };
            match integers(self, &logical.name, kind) {
                Ok((object, integers)) => {
                    let format = integers.format;
                    let layout = integer_layout(&logical.name, object, integers, self)?;
                    table = table.with_layout(&logical.name, layout)?;
                    formats.push((logical.name, format));
                }
                Err(error) => {
                    let message = format!("{error}: the column is exported to Arrow as it is stored");
                    table.warn(vec![Warning::new(message)]);
                }
            }
        }
        let mut field = Field::of_header(table.header())?;
        for (name, format) in formats {
            if let Some(mut place) = field.children.iter_mut().find(|child| child.name == name) {
                while place.children.len() == 1 {
                    place = &mut place.children[0];
                }
                format.clone_into(&mut place.format);
            }
        }
        Ok((table, field))
    }
}

/// Returns the integers of a column of times, and its description.
fn integers(table: &Table, name: &str, kind: NodeKind) -> Result<(Object, Integers)> {
    let none = || Error::new(Status::Internal, "a column of times has been lost");
    let (object, parts) = table.object(name)?.ok_or_else(none)?;
    let in_column = |error: Error| error.in_table_column(name);
    if kind == NodeKind::TimeDelta {
        let spans = time_values::spans(&object, &parts).map_err(in_column)?;
        let values = whole(&spans.nanoseconds().map_err(in_column)?).map_err(in_column)?;
        let (shape, missing) = (spans.shape().to_vec(), spans.missing().map(<[bool]>::to_vec));
        return Ok((object, Integers { values, shape, missing, format: DURATION }));
    }
    let times = time_values::times(&object, &parts, &TimeOptions::default()).map_err(in_column)?;
    let (scale, format) = match times.scale().is_convertible() {
        true => (TimeScale::Utc, UTC),
        false => (times.scale(), OF_ANOTHER_SCALE),
    };
    let mut values = whole(&times.nanoseconds(scale).map_err(in_column)?).map_err(in_column)?;
    let is_date = times.is_dates_only() && times.scale() == TimeScale::Utc;
    if is_date {
        values.iter_mut().for_each(|value| *value = value.div_euclid(DAY));
    }
    let (shape, missing) = (times.shape().to_vec(), times.missing().map(<[bool]>::to_vec));
    Ok((object, Integers { values, shape, missing, format: if is_date { DATE } else { format } }))
}

fn whole(values: &[Option<Nanoseconds>]) -> Result<Vec<i64>> {
    let of_value = |(index, value): (usize, &Option<Nanoseconds>)| match value {
        Some(Nanoseconds { whole, rest: 0.0 }) => Ok(*whole),
        None => Ok(0),
        Some(_) => {
            let message = format!("element {index} is between two nanoseconds");
            Err(Error::new(Status::ValueRange, message))
        }
    };
    reserve::collected(values.iter().enumerate().map(of_value))
}

/// Lays out integers, with the attributes of the object that are no values.
fn integer_layout(name: &str, object: Object, integers: Integers, table: &Table) -> Result<Layout> {
    let mut layout = Layout { object: Object { kind: object.kind, attributes: Vec::new() }, columns: Vec::new() };
    let values = match integers.format {
        DATE => Values::Int32(integers.values.iter().map(|&days| days as i32).collect()),
        _ => Values::Int64(integers.values),
    };
    layout.column("value", name.to_owned(), values, (&integers.shape, integers.missing.as_deref()))?;
    for (key, attribute) in object.attributes {
        if matches!(&*key, "value" | "jd1" | "jd2") {
            continue;
        }
        if let Attribute::Object(Object { kind: ObjectKind::EarthLocation, attributes }) = &attribute {
            for (_, axis) in attributes {
                let Attribute::Object(axis) = axis else { continue };
                let Some(Attribute::Column(column)) = axis.get("value") else { continue };
                let position = table.position(column)?;
                layout
                    .columns
                    .extend(table.header().columns.get(position).cloned().zip(table.columns().get(position).cloned()));
            }
        }
        layout.object.attributes.push((key, attribute));
    }
    Ok(layout)
}
