//! Imports tables from Arrow arrays, batch by batch.

use super::build::ColumnBuilder;
use super::field::keys;
use super::plan::Plan;
use super::{ArrayView, Field, Format, meta_read};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::progress::{self, Counted};
use crate::table::{Header, Table};
use std::collections::HashSet;
use std::sync::Arc;

/// Makes tables from Arrow arrays that one [`Field`] describes. The values are copied.
///
/// A column may have any type of [`Format`] except a struct. Its cells may be arrays of a shape that a table can hold.
/// Dictionaries of such values are read as well.
#[derive(Debug)]
pub struct Importer {
    header: Arc<Header>,
    columns: Vec<ColumnBuilder>,
    row_count: usize,
    /// Memory left for values that no buffer holds, in bytes, until the next table is taken.
    allowance: u64,
    /// Number of further arrays whose buffers may hold nothing, until the next table is taken.
    empty_arrays: u64,
    table_bytes: u64,
}

/// Maximum number of rows. The C interface counts rows in signed 64-bit integers.
const MAX_ROWS: u64 = i64::MAX as u64;

/// Returns how many arrays may hold nothing in their buffers. Without a limit, a stream could return them forever.
fn empty_arrays(table_bytes: u64) -> u64 {
    (table_bytes / 4096).max(256)
}

impl Importer {
    /// Prepares the import of arrays of this field, a struct whose children become columns.
    ///
    /// Fails with [`Status::Unsupported`] if a column cannot hold the values of a field. Fails with
    /// [`Status::InvalidArgument`] if the field is not a struct or two columns have the same name, and with
    /// [`Status::WrongType`] if `ecsv:meta` is not JSON.
    pub fn new(field: &Field, limits: &Limits) -> Result<Importer> {
        if Format::parse(&field.format) != Some(Format::Struct) {
            let message =
                format!("an Arrow table must be a struct, not an array of the type '{}'", field.format.escape_debug());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let mut header = Header {
            meta: field.metadata_value(keys::META).map(meta_read::read).transpose()?,
            schema: field.metadata_value(keys::SCHEMA).map(str::to_owned),
            ..Header::default()
        };
        let mut columns = Vec::new();
        let mut names = HashSet::new();
        for column in &field.children {
            if !names.insert(&column.name) {
                let message = format!("two columns have the name '{}'", column.name.escape_debug());
                return Err(Error::new(Status::InvalidArgument, message));
            }
            let (declared, plan) = Plan::of_field(column).map_err(|error| error.in_table_column(&column.name))?;
            columns.push(ColumnBuilder::new(&declared, plan, column));
            header.columns.push(declared);
        }
        let table_bytes = limits.table_bytes;
        Ok(Importer {
            header: Arc::new(header),
            columns,
            row_count: 0,
            allowance: table_bytes,
            empty_arrays: empty_arrays(table_bytes),
            table_bytes,
        })
    }

    /// Returns the description of the tables.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Appends the rows of an array.
    ///
    /// Fails with
    ///
    /// * [`Status::InvalidArgument`] if the array does not match its field;
    /// * [`Status::Encoding`] if text is not valid UTF-8;
    /// * [`Status::ValueRange`] if the text of a JSON value or a number is not valid;
    /// * [`Status::Unsupported`] for a missing row, lists of different lengths in one cell, or a missing list inside a
    ///   cell;
    /// * [`Status::Limit`] for more rows than a signed 64-bit integer counts, or for too many values that no buffer
    ///   holds, such as those of a column of nulls. They may take [`Limits::table_bytes`] plus the number of bytes in
    ///   the buffers. Of arrays whose buffers hold nothing, there may be one for each 4 KiB of that limit;
    /// * [`Status::Cancelled`] if the progress callback cancels. The bytes in the buffers count as progress.
    ///
    /// After a failure the importer must not be used.
    pub fn append(&mut self, array: &ArrayView) -> Result<()> {
        // A struct without columns may claim any number of rows, so the rows are only examined if it has a validity
        // bitmap.
        if array.validity.is_some() && (0..array.length).any(|row| !array.has(row)) {
            return Err(Error::new(Status::Unsupported, "a whole row is missing: only cells of a row can be missing"));
        }
        if array.children.len() != self.columns.len() {
            let message = format!(
                "the array has {} columns, but its schema has {} fields",
                array.children.len(),
                self.columns.len()
            );
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let rows = self.row_count.checked_add(array.length).filter(|&rows| rows as u64 <= MAX_ROWS);
        let row_count =
            rows.ok_or_else(|| Error::new(Status::Limit, format!("a table has at most {MAX_ROWS} rows")))?;
        let stored = array.children.iter().map(ArrayView::stored_bytes).fold(0, u64::saturating_add);
        progress::advance(Counted::Elements, stored)?;
        self.allowance = self.allowance.saturating_add(stored);
        if stored == 0 {
            self.empty_arrays = self.empty_arrays.checked_sub(1).ok_or_else(|| too_many(self.table_bytes))?;
        }
        for ((builder, column), declared) in self.columns.iter_mut().zip(&array.children).zip(&self.header.columns) {
            let rows = rows_of(column, array).and_then(|rows| {
                let unstored = builder.unstored_bytes(&rows)?;
                let left = self.allowance.checked_sub(unstored);
                self.allowance = left.ok_or_else(|| too_much(self.table_bytes))?;
                builder.append(&rows)
            });
            rows.map_err(|error| error.in_table_column(&declared.name))?;
        }
        self.row_count = row_count;
        Ok(())
    }

    /// Returns a table of the rows so far. Rows that are appended later make another table.
    pub fn take(&mut self) -> Result<Table> {
        let columns = self.columns.iter_mut().map(|column| column.take().map(Arc::new)).collect::<Result<_>>()?;
        self.allowance = self.table_bytes;
        self.empty_arrays = empty_arrays(self.table_bytes);
        Table::new(self.header.clone(), columns, std::mem::take(&mut self.row_count))
    }
}

fn too_much(table_bytes: u64) -> Error {
    let message = format!("values without Arrow buffers would take more than {table_bytes} bytes of memory");
    Error::new(Status::Limit, message)
}

fn too_many(table_bytes: u64) -> Error {
    let most = empty_arrays(table_bytes);
    let message =
        format!("there are more than {most} Arrow arrays whose buffers hold nothing; join them to larger ones");
    Error::new(Status::Limit, message)
}

/// Returns the part of a column that belongs to the rows of its struct.
fn rows_of<'a>(column: &ArrayView<'a>, table: &ArrayView) -> Result<ArrayView<'a>> {
    let end = table
        .offset
        .checked_add(table.length)
        .ok_or_else(|| Error::new(Status::InvalidArgument, "an Arrow array has too many rows for this platform"))?;
    let places = column.places(&(table.offset..end))?;
    Ok(ArrayView { offset: places.start, length: table.length, ..column.clone() })
}
