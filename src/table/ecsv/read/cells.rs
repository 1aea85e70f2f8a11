//! The cells of one column in some records: their text, or that they are missing.

use super::records::{Field, text_of};
use crate::error::{Error, Result as KitResult, Status};
use crate::table::Text;
use crate::table::cell::fault::{Fault, excerpt};
use crate::table::cell::parse::Refusal;
use crate::table::ecsv::ReadOptions;
use std::sync::atomic::{AtomicU64, Ordering};

type Result<T> = std::result::Result<T, Fault>;

/// How fields are read, whatever column they are of.
pub(super) struct Reading {
    /// What means a missing cell, besides nothing.
    null_values: Vec<String>,
    pub(super) strict: bool,
    /// Blanks at the ends of quoted text are no part of it.
    pub(super) trim_quoted: bool,
    /// How deep JSON may be nested.
    pub(super) depth: u32,
    /// Bytes that may still be taken for the elements of missing cells: they are next to nothing in the file.
    filler: AtomicU64,
    most_filler: u64,
}

impl Reading {
    /// What these options ask for.
    pub(super) fn new(options: &ReadOptions) -> Reading {
        Reading {
            null_values: options.null_values.iter().filter(|token| !token.is_empty()).cloned().collect(),
            strict: options.strict,
            trim_quoted: options.trim_quoted,
            depth: options.limits.depth,
            filler: AtomicU64::new(options.limits.decoded_bytes),
            most_filler: options.limits.decoded_bytes,
        }
    }

    /// Forgets what was taken for a table before.
    pub(super) fn begin(&self) {
        self.filler.store(self.most_filler, Ordering::Relaxed);
    }

    /// The number of elements that a missing cell is made of, each of so many bytes, if the memory for them is allowed.
    pub(super) fn take_filler(&self, elements: Option<u64>, size: u64) -> KitResult<usize> {
        let taken = elements.and_then(|elements| {
            let bytes = elements.checked_mul(size)?;
            let take = |left: u64| left.checked_sub(bytes);
            self.filler.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).ok()?;
            usize::try_from(elements).ok()
        });
        taken.ok_or_else(|| Error::limit("the memory for missing array cells, in bytes,", self.most_filler))
    }
}

/// The fields of some records, and the text that they are in.
#[derive(Clone, Copy)]
pub(super) struct Records<'a> {
    pub(super) text: &'a str,
    /// Those of all columns, record after record.
    pub(super) fields: &'a [Field],
    /// The number of fields of a record.
    pub(super) field_count: usize,
    pub(super) record_count: usize,
}

/// What is not there: cells, by their places among those at hand, and elements of others, by their places in the column.
#[derive(Default)]
pub(super) struct Missing {
    pub(super) rows: Vec<usize>,
    pub(super) elements: Vec<usize>,
}

/// What is wrong with the text of a cell.
pub(super) enum Wrong {
    Refused(Refusal),
    Failed(Error),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong::Failed(error)
    }
}

/// The cells of one column in some records.
pub(super) struct Cells<'a> {
    pub(super) records: Records<'a>,
    pub(super) reading: &'a Reading,
    /// The place of the column among the fields of a record.
    pub(super) column: usize,
    /// Blanks at the ends of quoted text are no part of it.
    pub(super) trims: bool,
    /// An empty field is an empty text.
    pub(super) has_empty_texts: bool,
}

impl Cells<'_> {
    /// Calls `each` with the text of each cell, or nothing for one that is missing, and tells which are. What it fails
    /// with is told of that cell, which ought to have held `what`.
    #[inline]
    pub(super) fn each(
        &self,
        what: &str,
        mut each: impl FnMut(Option<&str>) -> std::result::Result<(), Wrong>,
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

    /// What a field says, if anything.
    #[inline]
    fn content<'t>(&self, field: Field, text: &'t str, scratch: &'t mut String) -> KitResult<Option<&'t str>> {
        if field.is_empty() {
            return Ok(self.has_empty_texts.then_some(""));
        }
        let mut content = text_of(field, text, scratch)?;
        if self.trims && field.is_quoted() {
            content = content.trim_matches([' ', '\t']);
        }
        let is_nothing = content.is_empty() && !self.has_empty_texts;
        let is_null = is_nothing || self.reading.null_values.iter().any(|token| token == content);
        Ok(if is_null { None } else { Some(content) })
    }

    fn fault(&self, error: &Error, field: Field) -> Fault {
        Fault::of(error, field.start()).in_column(self.column)
    }

    /// Appends numbers, each by `parse`.
    #[inline]
    pub(super) fn numbers<T: Default>(
        &self,
        values: &mut Vec<T>,
        what: &str,
        parse: impl Fn(&str) -> std::result::Result<T, Refusal>,
    ) -> Result<Missing> {
        let count = self.records.record_count;
        let room = values.try_reserve(count).map_err(|_| Error::out_of_memory((count * size_of::<T>()) as u64));
        room.map_err(|error| Fault::of(&error, 0).in_column(self.column))?;
        let rows = self.each(what, |text| {
            let value = match text {
                Some(text) => parse(text).map_err(Wrong::Refused)?,
                None => T::default(),
            };
            values.push(value);
            Ok(())
        })?;
        Ok(Missing { rows, elements: Vec::new() })
    }

    /// Appends texts that pass `check`.
    #[inline]
    pub(super) fn texts(
        &self,
        values: &mut Text,
        what: &str,
        check: impl Fn(&str) -> std::result::Result<(), Wrong>,
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

impl Wrong {
    /// The error that this text, which ought to be `what`, gives.
    fn error(self, text: &str, what: &str) -> Error {
        match self {
            Wrong::Failed(error) => error,
            Wrong::Refused(Refusal::Form) => Error::new(Status::Cell, format!("{} is not {what}", excerpt(text))),
            Wrong::Refused(Refusal::Range) => {
                let message = format!("{} does not fit the type of the column", excerpt(text));
                Error::new(Status::ValueRange, message)
            }
        }
    }
}
