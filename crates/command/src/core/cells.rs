//! Cells of tables as text and JSON.

use super::display_format::{DisplayFormat, Shown};
use super::elements::write_scalar;
use super::value;
use asdfkit::array::ScalarType;
use asdfkit::table::{CellShape, Column, ElementType, Table};
use serde_json::Value;

/// Appends one element of a column as text. Truth values are spelled as in ECSV.
fn write_element(column: &Column, index: usize, out: &mut String) {
    let values = column.values();
    match (values.text(), values.bytes(), values.scalar_type()) {
        (Some(text), ..) => out.push_str(text.get(index)),
        (_, Some(bytes), Some(ScalarType::Bool8)) => out.push_str(if bytes[index] != 0 { "True" } else { "False" }),
        (_, Some(bytes), Some(scalar)) => {
            let size = scalar.size();
            write_scalar(scalar, &bytes[index * size..(index + 1) * size], out);
        }
        _ => {}
    }
}

/// Returns one element of a column as JSON.
fn element_json(column: &Column, index: usize) -> Value {
    if !column.has_element(index) {
        return Value::Null;
    }
    let mut text = String::new();
    write_element(column, index, &mut text);
    match column.element_type() {
        ElementType::Json => serde_json::from_str(&text).unwrap_or(Value::from(text)),
        ElementType::Scalar(ScalarType::Bool8) => Value::from(text == "True"),
        ElementType::Scalar(ScalarType::Complex64 | ScalarType::Complex128) => Value::from(text),
        ElementType::Scalar(_) => value::number(&text),
        _ => Value::from(text),
    }
}

/// Returns a cell as JSON: a value, or nested lists of the shape of the column; null if it is missing.
pub(crate) fn json(column: &Column, row: usize) -> Value {
    if !column.has_cell(row) {
        return Value::Null;
    }
    let range = column.elements_of(row);
    let inner: Vec<u64> = match column.cell_shape() {
        CellShape::Scalar => return element_json(column, range.start),
        CellShape::Fixed(extents) => extents.get(1..).unwrap_or_default().to_vec(),
        // The extents before the last one; the last one differs from cell to cell.
        CellShape::Variable(extents) => {
            let rows = extents.iter().product::<u64>().max(1);
            let last = range.len() as u64 / rows;
            extents.iter().skip(1).copied().chain((!extents.is_empty()).then_some(last)).collect()
        }
    };
    let mut items: Vec<Value> = range.map(|index| element_json(column, index)).collect();
    for extent in inner.iter().rev() {
        let extent = (*extent as usize).max(1);
        let rest = items.chunks(extent).map(|part| Value::from(part.to_vec())).collect();
        items = rest;
    }
    Value::from(items)
}

/// Returns a cell as text; a cell with an array is JSON. `None` if it is missing.
pub(crate) fn text(column: &Column, row: usize) -> Option<String> {
    if !column.has_cell(row) {
        return None;
    }
    if *column.cell_shape() != CellShape::Scalar {
        return Some(json(column, row).to_string());
    }
    let mut out = String::new();
    write_element(column, column.elements_of(row).start, &mut out);
    Some(out)
}

/// Returns the number in a cell, if it is one.
pub(crate) fn number(column: &Column, row: usize) -> Option<f64> {
    let real = matches!(column.element_type(), ElementType::Scalar(scalar)
        if !matches!(scalar, ScalarType::Bool8 | ScalarType::Complex64 | ScalarType::Complex128));
    if !real || *column.cell_shape() != CellShape::Scalar {
        return None;
    }
    text(column, row)?.parse().ok()
}

/// A cell as a condition or a display format sees it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// A missing cell.
    Missing,
    /// A truth value.
    Bool(bool),
    /// An integer.
    Integer(i128),
    /// A floating-point number.
    Float(f64),
    /// A text, or the JSON of any other cell.
    Text(String),
}

impl Cell {
    /// Returns the value of a number.
    pub(crate) fn number(&self) -> Option<f64> {
        match self {
            Cell::Integer(number) => Some(*number as f64),
            Cell::Float(number) => Some(*number),
            _ => None,
        }
    }

    /// Returns what the cell is, for messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Cell::Missing => "a missing cell",
            Cell::Bool(_) => "a truth value",
            Cell::Integer(_) | Cell::Float(_) => "a number",
            Cell::Text(_) => "a text",
        }
    }
}

/// Returns a cell with its value.
pub(crate) fn cell(column: &Column, row: usize) -> Cell {
    let Some(text) = text(column, row) else { return Cell::Missing };
    if *column.cell_shape() != CellShape::Scalar {
        return Cell::Text(text);
    }
    match column.element_type() {
        ElementType::Scalar(ScalarType::Bool8) => Cell::Bool(text == "True"),
        ElementType::Scalar(ScalarType::Complex64 | ScalarType::Complex128) => Cell::Text(text),
        ElementType::Scalar(scalar) if scalar.name().contains("int") => {
            text.parse().map_or(Cell::Text(text), Cell::Integer)
        }
        ElementType::Scalar(_) => text.parse().map_or(Cell::Text(text), Cell::Float),
        _ => Cell::Text(text),
    }
}

/// Returns a cell as text in a display format, or as it is if the format is for other values. `None` if it is missing.
pub(crate) fn formatted(column: &Column, row: usize, format: Option<&DisplayFormat>) -> Option<String> {
    let plain = text(column, row)?;
    let Some(format) = format.filter(|_| *column.cell_shape() == CellShape::Scalar) else { return Some(plain) };
    let shown = match cell(column, row) {
        Cell::Integer(number) => format.apply(&Shown::Integer(number)),
        Cell::Float(number) => format.apply(&Shown::Float(number)),
        Cell::Text(text) => format.apply(&Shown::Text(&text)),
        Cell::Bool(_) | Cell::Missing => None,
    };
    Some(shown.unwrap_or(plain))
}

/// Returns a row as a JSON object of its cells.
pub(crate) fn row_json(table: &Table, row: usize) -> Value {
    let names = table.header().columns.iter().map(|column| column.name.clone());
    Value::from(names.zip(table.columns().iter().map(|column| json(column, row))).collect::<serde_json::Map<_, _>>())
}
