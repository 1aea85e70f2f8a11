//! Values of a condition: cells, and the moments that cells of times are.

use super::cells::{self, Cell};
use super::failure::{Failure, Result};
use asdfkit::table::{Column, Table};
use asdfkit::{JulianDate, NodeKind, Time, TimeFormat, TimeOptions, TimeScale};
use std::cmp::Ordering;
use std::collections::HashMap;

/// Longest difference of two dates in days that are the same moment: 0.05 ns, which texts and numbers of one moment can
/// differ by.
const RESOLUTION: f64 = 5e-11 / 86400.0;

/// A point in time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moment {
    date: JulianDate,
    scale: TimeScale,
}

impl Moment {
    /// Reads a date, or a time, on the clock of a scale.
    fn parse(text: &str, scale: TimeScale) -> asdfkit::Result<Moment> {
        let options = TimeOptions { scale: Some(scale), ..TimeOptions::default() };
        Ok(Moment::first(&Time::from_texts(std::iter::once(text), &[], &options)?))
    }

    fn first(time: &Time) -> Moment {
        Moment { date: time.dates().first().copied().unwrap_or_default(), scale: time.scale() }
    }

    /// Returns the same moment on the clock of a scale.
    fn to_scale(self, scale: TimeScale) -> asdfkit::Result<Moment> {
        let options = TimeOptions { scale: Some(self.scale), ..TimeOptions::default() };
        Ok(Moment::first(&Time::new(vec![self.date], &[], &options)?.to_scale(scale)?))
    }

    /// Compares two moments. Clocks that cannot be converted to one another are an error.
    pub(super) fn order(self, other: Moment) -> asdfkit::Result<Ordering> {
        let other = if self.scale == other.scale { other } else { other.to_scale(self.scale)? };
        let difference = (self.date.jd1() - other.date.jd1()) + (self.date.jd2() - other.date.jd2());
        Ok(if difference.abs() <= RESOLUTION { Ordering::Equal } else { difference.total_cmp(&0.0) })
    }
}

/// A value of a condition.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Operand {
    pub(super) cell: Cell,
    /// Moment of a cell of times.
    pub(super) moment: Option<Moment>,
}

impl From<Cell> for Operand {
    fn from(cell: Cell) -> Operand {
        Operand { cell, moment: None }
    }
}

/// Moments of the texts of a condition, each read once.
#[derive(Default)]
pub(super) struct Literals(HashMap<(String, TimeScale), Moment>);

impl Literals {
    /// Returns the moments of two operands, if one of them is a time and the other one a time or a text.
    pub(super) fn moments(&mut self, one: &Operand, other: &Operand) -> Result<Option<[Moment; 2]>> {
        Ok(match (one.moment, other.moment, &one.cell, &other.cell) {
            (Some(one), Some(other), ..) => Some([one, other]),
            (Some(one), None, _, Cell::Text(text)) => Some([one, self.read(text, one.scale)?]),
            (None, Some(other), Cell::Text(text), _) => Some([self.read(text, other.scale)?, other]),
            _ => None,
        })
    }

    fn read(&mut self, text: &str, scale: TimeScale) -> Result<Moment> {
        let key = (text.to_owned(), scale);
        if let Some(known) = self.0.get(&key) {
            return Ok(*known);
        }
        let moment = Moment::parse(text, scale).map_err(|error| Failure::usage(error.message().to_owned()))?;
        self.0.insert(key, moment);
        Ok(moment)
    }
}

/// A column that a condition names.
pub(super) struct Values<'a> {
    /// `None` for a column of times in two parts.
    column: Option<&'a Column>,
    times: Option<Time>,
}

impl<'a> Values<'a> {
    /// Finds a column of a table.
    pub(super) fn of(table: &'a Table, name: &str) -> Result<Values<'a>> {
        let times = match table.time_kind(name)? {
            Some(NodeKind::Time) => Some(table.time(name, &TimeOptions::default())?),
            _ => None,
        };
        let times = times.filter(|times| times.shape().len() == 1);
        let column = match table.position(name) {
            Err(_) if times.is_some() => None,
            position => Some(&*table.columns()[position?]),
        };
        Ok(Values { column, times })
    }

    /// Returns whether each cell is an array.
    pub(super) fn are_arrays(&self) -> bool {
        self.column.is_some_and(|column| *column.cell_shape() != asdfkit::table::CellShape::Scalar)
    }

    /// Returns the value of a row.
    pub(super) fn get(&self, row: usize) -> Result<Operand> {
        let times = self.times.as_ref();
        let moment = times
            .filter(|times| !times.is_missing(row))
            .map(|times| Moment { date: times.dates().get(row).copied().unwrap_or_default(), scale: times.scale() });
        let cell = match (self.column, times, moment) {
            (Some(column), ..) => cells::cell(column, row),
            (None, Some(times), Some(_)) => Cell::Text(times.text(row, TimeFormat::Isot, None)?),
            _ => Cell::Missing,
        };
        Ok(Operand { cell, moment })
    }
}
