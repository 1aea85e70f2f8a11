//! Cells of one column in some records: the text of each, or `None` if it is missing.

use super::records::{Field, text_of};
use crate::error::{Error, Result as KitResult, Status};
use crate::limits::Limit;
use crate::table::Text;
use crate::table::cell::fault::{Fault, excerpt};
use crate::table::cell::parse::Refusal;
use crate::table::ecsv::ReadOptions;
use std::sync::atomic::{AtomicU64, Ordering};

type Result<T> = std::result::Result<T, Fault>;

/// Options for reading fields, the same for all columns.
pub(super) struct Reading {
    /// Texts that mean a missing cell, besides an empty field (see [`Cells::has_empty_texts`]).
    null_values: Vec<String>,
    pub(super) strict: bool,
    /// True if blanks at the ends of quoted text are removed.
    pub(super) trim_quoted: bool,
    /// Maximum nesting of JSON.
    pub(super) depth: u32,
    /// Bytes left for the elements of missing array cells. These take memory, but almost no space in the file.
    padding: AtomicU64,
    max_padding: u64,
}

impl Reading {
    /// Takes over the options that concern fields.
    pub(super) fn new(options: &ReadOptions) -> Reading {
        Reading {
            null_values: options.null_values.iter().filter(|token| !token.is_empty()).cloned().collect(),
            strict: options.strict,
            trim_quoted: options.trim_quoted,
            depth: options.limits.depth,
            padding: AtomicU64::new(options.limits.decoded_bytes),
            max_padding: options.limits.decoded_bytes,
        }
    }

    /// Resets the memory for missing array cells before the next table.
    pub(super) fn begin(&self) {
        self.padding.store(self.max_padding, Ordering::Relaxed);
    }

    /// Returns the number of elements in a missing cell, each of `size` bytes, if the limit allows their memory.
    pub(super) fn reserve_padding(&self, elements: Option<u64>, size: u64) -> KitResult<usize> {
        let taken = elements.and_then(|elements| {
            let bytes = elements.checked_mul(size)?;
            let take = |left: u64| left.checked_sub(bytes);
            self.padding.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
            usize::try_from(elements).ok()
        });
        taken.ok_or_else(|| {
            Limit::DecodedBytes.exceeded("the memory for missing array cells, in bytes,", self.max_padding)
        })
    }
}

/// Fields of some records, and the text that contains them.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    pub(super) text: &'a str,
    /// Fields of all columns, record after record.
    pub(super) fields: &'a [Field],
    /// Number of fields in a record.
    pub(super) field_count: usize,
    pub(super) record_count: usize,
}

/// Missing cells by their index in the records, and missing elements of other cells by their index in the column.
#[derive(Default)]
pub(super) struct Missing {
    pub(super) rows: Vec<usize>,
    pub(super) elements: Vec<usize>,
}

/// Content that a cell must have, for messages.
#[derive(Clone, Copy)]
pub(super) struct Expected {
    noun: &'static str,
    /// Datatype with its range, for integers.
    range: &'static str,
}

impl Expected {
    pub(super) const fn new(noun: &'static str) -> Expected {
        Expected { noun, range: "the column's type" }
    }

    pub(super) const fn integer(range: &'static str) -> Expected {
        Expected { noun: "an integer", range }
    }
}

/// Error in the text of a cell.
pub(super) enum CellError {
    Refused(Refusal),
    Failed(Error),
}

impl From<Error> for CellError {
    fn from(error: Error) -> CellError {
        CellError::Failed(error)
    }
}

/// Cells of one column in some records.
pub(super) struct Cells<'a> {
    pub(super) records: Records<'a>,
    pub(super) reading: &'a Reading,
    /// Index of the column among the fields of a record.
    pub(super) column: usize,
    /// True if blanks at the ends of quoted text are removed.
    pub(super) trims: bool,
    /// True if an empty field is an empty text instead of a missing cell.
    pub(super) has_empty_texts: bool,
}

impl Cells<'_> {
    /// Calls `each` with the text of each cell, `None` for a missing one, and returns the indices of the missing cells.
    /// An error of `each` gets the place of the cell; its message says that the cell should hold `what`.
    #[inline]
    pub(super) fn each(
        &self,
        what: Expected,
        mut each: impl FnMut(Option<&str>) -> std::result::Result<(), CellError>,
    ) -> Result<Vec<usize>> {
        let mut missing = Vec::new();
        let mut scratch = String::new();
        let Records { text, fields, field_count, .. } = self.records;
        let of_column = fields.get(self.column..).unwrap_or_default().iter().step_by(field_count.max(1));
        for (row, &field) in of_column.enumerate() {
            let content = self.content(field, text, &mut scratch).map_err(|error| self.fault(&error, field))?;
            if content.is_none() {
                missing.try_reserve(1).map_err(|_| self.fault(&Error::out_of_memory(8), field))?;
                missing.push(row);
            }
            if let Err(wrong) = each(content) {
                return Err(self.fault(&wrong.error(content.unwrap_or_default(), what), field));
            }
        }
        Ok(missing)
    }

    /// Returns the text of a field, or `None` if the cell is missing.
    #[inline]
    fn content<'t>(&self, field: Field, text: &'t str, scratch: &'t mut String) -> KitResult<Option<&'t str>> {
        if field.is_empty() {
            return Ok(self.has_empty_texts.then_some(""));
        }
        let mut content = text_of(field, text, scratch)?;
        if self.trims && field.is_quoted() {
            content = content.trim_matches([' ', '\t']);
        }
        let is_empty = content.is_empty() && !self.has_empty_texts;
        let is_null = is_empty || self.reading.null_values.iter().any(|token| token == content);
        Ok(if is_null { None } else { Some(content) })
    }

    fn fault(&self, error: &Error, field: Field) -> Fault {
        Fault::of(error, field.start()).in_column(self.column)
    }

    /// Appends the numbers that `parse` returns for the cells.
    #[inline]
    pub(super) fn numbers<T: Default>(
        &self,
        values: &mut Vec<T>,
        what: Expected,
        parse: impl Fn(&str) -> std::result::Result<T, Refusal>,
    ) -> Result<Missing> {
        let count = self.records.record_count;
        let reserved = values.try_reserve(count).map_err(|_| Error::out_of_memory((count * size_of::<T>()) as u64));
        reserved.map_err(|error| Fault::of(&error, 0).in_column(self.column))?;
        let rows = self.each(what, |text| {
            let value = match text {
                Some(text) => parse(text).map_err(CellError::Refused)?,
                None => T::default(),
            };
            values.push(value);
            Ok(())
        })?;
        Ok(Missing { rows, elements: Vec::new() })
    }

    /// Appends texts after `check` has accepted them.
    #[inline]
    pub(super) fn texts(
        &self,
        values: &mut Text,
        what: Expected,
        check: impl Fn(&str) -> std::result::Result<(), CellError>,
    ) -> Result<Missing> {
        let rows = self.each(what, |text| {
            if let Some(text) = text {
                check(text)?;
            }
            Ok(values.push(text.unwrap_or_default())?)
        })?;
        Ok(Missing { rows, elements: Vec::new() })
    }
}

impl CellError {
    /// Returns the error for a text that is not `what` it should be.
    fn error(self, text: &str, what: Expected) -> Error {
        match self {
            CellError::Failed(error) => error,
            CellError::Refused(Refusal::Form) => {
                Error::new(Status::Cell, format!("{} is not {}", excerpt(text), what.noun))
            }
            CellError::Refused(Refusal::Range) => {
                let message = format!("{} is outside the range of {}", excerpt(text), what.range);
                Error::new(Status::ValueRange, message)
            }
        }
    }
}
