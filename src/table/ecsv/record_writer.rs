//! The records of a batch of rows as text.

use super::array_writer::ArrayWriter;
use super::field_writer::FieldWriter;
use super::numbers::Spelling;
use crate::error::{Error, Result, Status};
use crate::table::{CellShape, Column, ElementType, Table, Text, Values};

/// What a field of every record is made from.
#[derive(Clone, Copy)]
pub(super) enum FieldSource {
    /// The cell of a column.
    Cell {
        /// The position of the column in the table.
        column: usize,
        /// Whether an empty string may be written as an empty field.
        empty: bool,
    },
    /// Whether the cell of a column is missing.
    Missing {
        /// The position of the column in the table.
        column: usize,
    },
}

/// Writes one field of every record.
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
    /// Text that is a number or JSON.
    Checked {
        text: &'a Text,
        is_right: fn(&str) -> bool,
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
            return Err(Error::new(Status::Internal, "a field of a column that is not there"));
        };
        let kind = match (empty, column.cell_shape(), column.values()) {
            (None, ..) => CellKind::Missing,
            (_, CellShape::Fixed(_) | CellShape::Variable(_), _) => {
                CellKind::Array { writer: ArrayWriter::new(column, elements), scratch: Vec::new() }
            }
            (Some(empty), CellShape::Scalar, Values::Text(text)) => match column.element_type() {
                ElementType::Float128 => CellKind::Checked { text, is_right: is_number },
                ElementType::Complex256 => CellKind::Checked { text, is_right: is_complex },
                ElementType::Json => CellKind::Checked { text, is_right: |text| !text.is_empty() },
                _ => CellKind::Strings { text, empty },
            },
            (_, CellShape::Scalar, _) => CellKind::Number,
        };
        Ok(CellWriter { column, name: &header.name, kind })
    }

    fn write(&mut self, out: &mut Vec<u8>, fields: &FieldWriter, row: usize) -> Result<()> {
        let is_there = self.column.has_cell(row);
        if let CellKind::Missing = self.kind {
            out.extend_from_slice(if is_there { b"False" } else { b"True" });
            return Ok(());
        }
        if !is_there {
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
                    return Err(self.wrong(row, "an empty string, which would be read as a missing one"));
                }
                fields.write(out, text.as_bytes())
            }
            CellKind::Checked { text, is_right } => {
                let text = text.get(row);
                if !is_right(text) {
                    let what = format!("text that is no {}", self.column.element_type());
                    return Err(self.wrong(row, &what));
                }
                fields.write(out, text.as_bytes())
            }
            CellKind::Array { writer, scratch } => {
                scratch.clear();
                writer.write(scratch, row)?;
                fields.write(out, scratch)
            }
        }
    }

    fn wrong(&self, row: usize, what: &str) -> Error {
        Error::new(Status::ValueRange, format!("the column '{}' has {what}, in row {row} of those given", self.name))
    }
}

/// Appends the records of a table, with an end of line behind each. Between them `flush` may take away what is written.
pub(super) fn write_records(
    table: &Table,
    sources: &[FieldSource],
    fields: &FieldWriter,
    elements: Spelling,
    out: &mut Vec<u8>,
    mut flush: impl FnMut(&mut Vec<u8>) -> Result<()>,
) -> Result<()> {
    let cells = sources.iter().map(|&source| CellWriter::new(table, source, elements));
    let mut cells: Vec<CellWriter> = cells.collect::<Result<_>>()?;
    for row in 0..table.row_count() {
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

fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
}

fn is_complex(text: &str) -> bool {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    let Some(parts) = inner.strip_suffix(['j', 'J']) else { return is_number(inner) };
    let is_sign = |(at, character): &(usize, char)| {
        matches!(character, '+' | '-') && !parts.get(..*at).unwrap_or_default().ends_with(['e', 'E'])
    };
    match parts.char_indices().rev().find(is_sign) {
        Some((at, _)) if at > 0 => {
            let (real, imaginary) = parts.split_at(at);
            is_number(real) && is_number(imaginary)
        }
        _ => is_number(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_kept_as_text_are_checked() {
        for text in ["1", "-1.5e-4000", "nan", "+inf", ".5"] {
            assert!(is_number(text) && is_complex(text), "{text}");
        }
        for text in ["(1+2j)", "1e-5-2E+7j", "-2j", "(nan-infj)"] {
            assert!(is_complex(text) && !is_number(text), "{text}");
        }
        for text in ["", "x", "1 ", "0x1", "(1", "1+2", "1+j", "1_0"] {
            assert!(!is_complex(text), "{text}");
        }
    }
}
