//! A table from arrays of Arrow, batch by batch.

use super::build::ColumnBuilder;
use super::field::keys;
use super::plan::Plan;
use super::{ArrayView, Field, Format, meta_read};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::table::{Header, Table};
use std::collections::HashSet;
use std::sync::Arc;

/// Takes arrays of Arrow that one [`Field`] describes, and makes tables of them.
///
/// The values are copied. Columns may be of any type that a [`Format`] names but structs, arrays in cells as a table
/// can hold them, and dictionaries of such values.
#[derive(Debug)]
pub struct Importer {
    header: Arc<Header>,
    columns: Vec<ColumnBuilder>,
    row_count: usize,
    /// Memory that the columns since the last table may take for values that no buffer holds.
    allowance: u64,
    table_bytes: u64,
}

/// Rows are counted by signed numbers of 64 bits in the C interface.
const MOST_ROWS: u64 = i64::MAX as u64;

impl Importer {
    /// Prepares for arrays of this field, a struct whose fields become columns.
    ///
    /// Fails with [`Status::Unsupported`] if no column can hold the values of a field, and with
    /// [`Status::InvalidArgument`] if it is no struct or two columns have one name; metadata of ours that are not JSON
    /// are [`Status::WrongType`].
    pub fn new(field: &Field, limits: &Limits) -> Result<Importer> {
        if Format::parse(&field.format) != Some(Format::Struct) {
            let message = format!("a table is a struct in Arrow, not of the type '{}'", field.format.escape_debug());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let mut header = Header {
            meta: field.said(keys::META).map(meta_read::read).transpose()?,
            schema: field.said(keys::SCHEMA).map(str::to_owned),
            ..Header::default()
        };
        let mut columns = Vec::new();
        let mut names = HashSet::new();
        for column in &field.children {
            if !names.insert(&column.name) {
                let message = format!("two columns have the name '{}'", column.name.escape_debug());
                return Err(Error::new(Status::InvalidArgument, message));
            }
            let (said, plan) = Plan::of_field(column).map_err(|error| error.in_table_column(&column.name))?;
            columns.push(ColumnBuilder::new(&said, plan));
            header.columns.push(said);
        }
        let table_bytes = limits.table_bytes;
        Ok(Importer { header: Arc::new(header), columns, row_count: 0, allowance: table_bytes, table_bytes })
    }

    /// What is said of the tables.
    pub fn header(&self) -> &Arc<Header> {
        &self.header
    }

    /// Appends the rows of an array.
    ///
    /// Fails with [`Status::InvalidArgument`] if the array is not what its field says, with [`Status::Encoding`] if text
    /// is not UTF-8, with [`Status::ValueRange`] if it is to be JSON or a number and is not, and with
    /// [`Status::Unsupported`] for what a table cannot hold: a row that is missing, lists of several lengths in one cell,
    /// a missing list inside a cell. Fails with [`Status::Limit`] for more rows than can be counted, and if values that
    /// no buffer holds, as those of a column of nulls, take more memory than [`Limits::table_bytes`] and the bytes of the
    /// buffers together. The importer is of no use after a failure.
    pub fn append(&mut self, array: &ArrayView) -> Result<()> {
        // A struct without columns may have any number of rows, so none of them is looked at without need.
        if array.validity.is_some() && (0..array.length).any(|row| !array.has(row)) {
            return Err(Error::new(Status::Unsupported, "a whole row is missing; only cells of it can be"));
        }
        if array.children.len() != self.columns.len() {
            let message = format!("{} columns, but {} fields", array.children.len(), self.columns.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let rows = self.row_count.checked_add(array.length).filter(|&rows| rows as u64 <= MOST_ROWS);
        let row_count =
            rows.ok_or_else(|| Error::new(Status::Limit, format!("a table has at most {MOST_ROWS} rows")))?;
        self.allowance = array.children.iter().map(ArrayView::stored_bytes).fold(self.allowance, u64::saturating_add);
        for ((builder, column), said) in self.columns.iter_mut().zip(&array.children).zip(&self.header.columns) {
            let rows = rows_of(column, array).and_then(|rows| {
                let made = builder.made_bytes(&rows)?;
                let left = self.allowance.checked_sub(made);
                self.allowance = left.ok_or_else(|| too_much(self.table_bytes))?;
                builder.append(&rows)
            });
            rows.map_err(|error| error.in_table_column(&said.name))?;
        }
        self.row_count = row_count;
        Ok(())
    }

    /// The rows so far; those that are appended later make another table.
    pub fn take(&mut self) -> Result<Table> {
        let columns = self.columns.iter_mut().map(|column| column.take().map(Arc::new)).collect::<Result<_>>()?;
        self.allowance = self.table_bytes;
        Table::new(self.header.clone(), columns, std::mem::take(&mut self.row_count))
    }
}

fn too_much(table_bytes: u64) -> Error {
    let message = format!("values that no buffer of Arrow holds take more than {table_bytes} bytes of memory");
    Error::new(Status::Limit, message)
}

/// The rows of a column that those of its struct mean.
fn rows_of<'a>(column: &ArrayView<'a>, table: &ArrayView) -> Result<ArrayView<'a>> {
    let end = table.offset.checked_add(table.length).ok_or_else(|| Error::new(Status::InvalidArgument, "too long"))?;
    let places = column.places(&(table.offset..end))?;
    Ok(ArrayView { offset: places.start, length: table.length, ..column.clone() })
}
