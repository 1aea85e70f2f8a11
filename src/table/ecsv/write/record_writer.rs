//! Writes the records of a batch of rows.

use super::array_writer::ArrayWriter;
use super::field_writer::FieldWriter;
use super::numbers::Spelling;
use crate::error::{Error, Result, Status};
use crate::table::memory::kept_text;
use crate::table::{CellShape, Column, ElementType, Table, Text, Values};
use std::ops::Range;

/// Source of one field in every record.
#[derive(Clone, Copy)]
pub(super) enum FieldSource {
    /// The cell of a column.
    Cell {
        /// Index of the column in the table.
        column: usize,
        /// True if an empty string may be written as an empty field.
        empty: bool,
    },
    /// Mask of a column: `True` if the cell is missing.
    Missing {
        /// Index of the column in the table.
        column: usize,
    },
}

/// Writer of one field in every record.
struct CellWriter<'a> {
    column: &'a Column,
    name: &'a str,
    kind: CellKind<'a>,
}

enum CellKind<'a> {
    Missing,
    Number,
    Strings {
        text: &'a Text,
        empty: bool,
    },
    /// Text that must be a valid number or JSON value.
    Kept {
        text: &'a Text,
    },
    Array {
        writer: ArrayWriter<'a>,
        scratch: Vec<u8>,
    },
}

impl<'a> CellWriter<'a> {
    fn new(table: &'a Table, source: FieldSource, elements: Spelling) -> Result<CellWriter<'a>> {
        let (position, empty) = match source {
            FieldSource::Cell { column, empty } => (column, Some(empty)),
            FieldSource::Missing { column } => (column, None),
        };
        let (Some(column), Some(header)) = (table.columns().get(position), table.header().columns.get(position)) else {
            return Err(Error::new(Status::Internal, "a field refers to a column that does not exist"));
        };
        let kind = match (empty, column.cell_shape(), column.values()) {
            (None, ..) => CellKind::Missing,
            (_, CellShape::Fixed(_) | CellShape::Variable(_), _) => {
                CellKind::Array { writer: ArrayWriter::new(column, elements), scratch: Vec::new() }
            }
            (Some(empty), CellShape::Scalar, Values::Text(text)) => match column.element_type() {
                ElementType::Float128 | ElementType::Complex256 | ElementType::Json => CellKind::Kept { text },
                _ => CellKind::Strings { text, empty },
            },
            (_, CellShape::Scalar, _) => CellKind::Number,
        };
        Ok(CellWriter { column, name: &header.name, kind })
    }

    fn write(&mut self, out: &mut Vec<u8>, fields: &FieldWriter, row: usize) -> Result<()> {
        let is_present = self.column.has_cell(row);
        if let CellKind::Missing = self.kind {
            out.extend_from_slice(if is_present { b"False" } else { b"True" });
            return Ok(());
        }
        if !is_present {
            fields.write_missing(out);
            return Ok(());
        }
        match &mut self.kind {
            CellKind::Missing => Ok(()),
            CellKind::Number => {
                Spelling::FIELD.write(out, self.column.values(), row);
                Ok(())
            }
            CellKind::Strings { text, empty } => {
                let text = text.get(row);
                if text.is_empty() && !*empty {
                    let error = Error::new(
                        Status::ValueRange,
                        "an empty string would be read as missing; the option for empty strings can allow it",
                    );
                    return Err(self.cell_error(row, &error));
                }
                fields.write(out, text.as_bytes())
            }
            CellKind::Kept { text } => {
                let text = text.get(row);
                kept_text::check(text, self.column.element_type()).map_err(|error| self.cell_error(row, &error))?;
                fields.write(out, text.as_bytes())
            }
            CellKind::Array { writer, scratch } => {
                scratch.clear();
                if let Err(error) = writer.write(scratch, row) {
                    return Err(self.cell_error(row, &error));
                }
                fields.write(out, scratch)
            }
        }
    }

    /// Adds the row and the column to an error. Rows are counted from 0 in the batch.
    fn cell_error(&self, row: usize, error: &Error) -> Error {
        Error::because_of(&format!("row {row}"), error).in_table_column(self.name)
    }
}

/// Appends the records of some rows of a table, each with a line feed. `flush` is called after each record and may
/// empty `out`.
pub(super) fn write_records(
    table: &Table,
    rows: Range<usize>,
    sources: &[FieldSource],
    fields: &FieldWriter,
    elements: Spelling,
    out: &mut Vec<u8>,
    mut flush: impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    let cells = sources.iter().map(|&source| CellWriter::new(table, source, elements));
    let mut cells: Vec<CellWriter> = cells.collect::<Result<_>>()?;
    for row in rows {
        for (position, cell) in cells.iter_mut().enumerate() {
            if position > 0 {
                fields.separate(out);
            }
            cell.write(out, fields, row)?;
        }
        out.push(b'\n');
        flush(out)?;
    }
    Ok(())
}
