//! Timestamps, dates and durations of Arrow, which are imported as integers, as columns of times.

use super::entry;
use super::object::Object;
use super::time_layout::Layout;
use super::time_values::{places, shape_and_mask};
use crate::error::{Error, Result, Status, Warning};
use crate::reserve;
use crate::standard::object_kind::ObjectKind;
use crate::standard::time::{Time, TimeDelta, TimeFormat, TimeOptions, TimeScale};
use crate::table::arrow::Field;
use crate::table::{Table, Values, logical_columns};

/// Columns of an Arrow table that hold times.
#[derive(Clone, Debug, Default)]
pub struct ArrowTimes {
    columns: Vec<ArrowTime>,
}

#[derive(Clone, Debug)]
struct ArrowTime {
    name: String,
    meaning: Meaning,
}

/// Meaning of the integers of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Meaning {
    /// Ticks since 1970, with the time zone if there is one.
    Timestamp {
        per_second: i64,
        zone: String,
    },
    /// Days since 1970.
    Days,
    /// Milliseconds since 1970, whole days.
    Milliseconds,
    Duration {
        per_second: i64,
    },
}

impl ArrowTimes {
    /// Finds the columns of timestamps, dates and durations in a field of a table, and makes integers of them in the
    /// field. Those in lists of different lengths and in structs stay.
    pub fn take_from(field: &mut Field) -> ArrowTimes {
        let mut columns = Vec::new();
        for child in &mut field.children {
            let name = child.name.clone();
            let mut place = child;
            while place.format.starts_with("+w:") && place.children.len() == 1 {
                place = &mut place.children[0];
            }
            if let Some(values) = place.dictionary.as_deref_mut() {
                place = values;
            }
            if let Some((meaning, integer)) = meaning(&place.format) {
                integer.clone_into(&mut place.format);
                columns.push(ArrowTime { name, meaning });
            }
        }
        ArrowTimes { columns }
    }

    /// Returns true if no column holds times.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// Makes columns of times of the integers in a table.
    ///
    /// Times have the format, the scale and the place that the metadata of the table describe for a column of this name.
    /// Otherwise they are in UTC, as text with nanoseconds. Dates have astropy's sub-format `date`. A time zone other
    /// than UTC is a warning.
    pub fn convert(&self, mut table: Table) -> Result<Table> {
        for column in &self.columns {
            let made = column.layout(&table).map_err(|error| error.in_table_column(&column.name))?;
            table = table.with_layout(&column.name, made)?;
            if let Meaning::Timestamp { zone, .. } = &column.meaning
                && !matches!(&**zone, "" | "UTC" | "Etc/UTC" | "+00:00" | "GMT" | "Z")
            {
                let message = format!(
                    "column '{}': the time zone {} is not kept; the times are in UTC",
                    column.name,
                    zone.escape_debug()
                );
                table.warn(vec![Warning::new(message)]);
            }
        }
        Ok(table)
    }
}

/// Returns the meaning of an Arrow type of times, and the type of its integers.
fn meaning(format: &str) -> Option<(Meaning, &'static str)> {
    let per_second = |unit: &str| match unit {
        "s" => Some(1),
        "m" => Some(1_000),
        "u" => Some(1_000_000),
        "n" => Some(1_000_000_000),
        _ => None,
    };
    match format {
        "tdD" => return Some((Meaning::Days, "i")),
        "tdm" => return Some((Meaning::Milliseconds, "l")),
        _ => {}
    }
    if let Some(unit) = format.strip_prefix("tD") {
        return Some((Meaning::Duration { per_second: per_second(unit)? }, "l"));
    }
    let (unit, zone) = format.strip_prefix("ts")?.split_once(':')?;
    Some((Meaning::Timestamp { per_second: per_second(unit)?, zone: zone.to_owned() }, "l"))
}

impl ArrowTime {
    fn layout(&self, table: &Table) -> Result<Layout> {
        let column = table.column(&self.name)?;
        let (shape, missing) = shape_and_mask(column)?;
        let mut ticks = match column.values() {
            Values::Int64(values) => reserve::copy_of(values)?,
            Values::Int32(values) => reserve::collected(values.iter().map(|&value| Ok(value.into())))?,
            _ => return Err(Error::new(Status::Internal, "times of Arrow are not integers")),
        };
        // Arrow allows any integer below the mask.
        ticks.iter_mut().zip(&missing).filter(|(_, is_missing)| **is_missing).for_each(|(tick, _)| *tick = 0);
        let described = self.described(table)?;
        let described = described.as_ref();
        let text = |key: &str| described.and_then(|object| object.text(key));
        let scale = text("scale").and_then(TimeScale::from_name);
        if let Meaning::Duration { per_second } = self.meaning {
            let format = text("format").unwrap_or("sec");
            let spans = TimeDelta::from_ticks(&ticks, per_second, &shape, scale, format)?.with_missing(missing)?;
            return Layout::of_spans(&self.name, &spans);
        }
        let format = text("format").and_then(TimeFormat::from_name);
        let times = match &self.meaning {
            Meaning::Timestamp { per_second, zone } => {
                // Without a time zone the clock is that of the scale.
                let clock = if zone.is_empty() { scale.unwrap_or(TimeScale::Utc) } else { TimeScale::Utc };
                let options = TimeOptions { scale: Some(clock), ..TimeOptions::default() };
                let times = Time::from_ticks(&ticks, *per_second, &shape, &options)?.with_missing(missing)?;
                times.to_scale(scale.filter(|_| clock.is_convertible()).unwrap_or(clock))?
            }
            Meaning::Days | Meaning::Milliseconds => {
                let (per_second, factor) = if self.meaning == Meaning::Days { (1, 86_400) } else { (1_000, 1) };
                let ticks: Vec<i64> = ticks.iter().map(|&tick| tick.saturating_mul(factor)).collect();
                let times = Time::from_ticks(&ticks, per_second, &shape, &TimeOptions::default())?;
                let times = times.with_missing(missing)?.with_format(TimeFormat::Iso);
                let dates = times.with_format(format.unwrap_or(TimeFormat::Iso));
                dates.clone().with_dates_only().unwrap_or(dates)
            }
            Meaning::Duration { .. } => return Err(Error::new(Status::Internal, "a duration is not a time")),
        };
        let times = match format {
            Some(format) => times.with_format(format),
            None => times,
        };
        let location = described.and_then(|object| match object.get("location") {
            Some(super::object::Attribute::Object(place)) => places(place, table).ok(),
            _ => None,
        });
        let times = times.with_location(location.unwrap_or_default())?;
        Layout::of_times(&self.name, &times)
    }

    /// Returns the object that the metadata describe under the name of the column, if it has the right class.
    fn described(&self, table: &Table) -> Result<Option<Object>> {
        let found = logical_columns(table.header()).into_iter().find(|column| column.name == self.name);
        let Some(attributes) = found.and_then(|column| column.attributes) else { return Ok(None) };
        let is_span = matches!(self.meaning, Meaning::Duration { .. });
        let kind = if is_span { ObjectKind::TimeDelta } else { ObjectKind::Time };
        Ok(entry::object_of(&attributes)?.filter(|object| object.kind == kind))
    }
}
