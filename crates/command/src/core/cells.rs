//! Cells of tables as text and JSON.

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

/// Returns a row as a JSON object of its cells.
pub(crate) fn row_json(table: &Table, row: usize) -> Value {
    let names = table.header().columns.iter().map(|column| column.name.clone());
    Value::from(names.zip(table.columns().iter().map(|column| json(column, row))).collect::<serde_json::Map<_, _>>())
}
