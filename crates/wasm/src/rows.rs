//! Rows of tables, column by column.

use crate::answer::{Answer, check_size, refused};
use crate::kept_rows::KeptRows;
use crate::opened::Opened;
use crate::request::Request;
use crate::text_rows::TextRows;
use asdfkit::Result;
use asdfkit::array::{Float16, ScalarType};
use asdfkit::table::{CellShape, Column, Table};
use serde_json::{Value, json};

/// Reads rows of the columns that are named, or of all. Only these rows are read, and some around them.
pub(crate) fn read(opened: &mut Opened, request: &Request) -> Result<Answer> {
    let (path, start, count) = (request.text("path")?, request.index("start")?, request.index("count")?);
    let wanted = start..start.saturating_add(count);
    if opened.rows.as_ref().is_none_or(|kept| kept.path != path || !kept.has(&wanted)) {
        // The memory of the old rows is free before new ones are read.
        opened.rows = None;
        opened.rows = Some(match &opened.file {
            Some(file) => KeptRows::of_file(&file.root()?, path, &wanted)?,
            None => {
                let text_rows = opened.text_rows.get_or_insert_with(|| TextRows::of(opened.source.clone()));
                let (table, all) = text_rows.read(&wanted)?;
                KeptRows { path: path.to_owned(), first: start, table, all }
            }
        });
    }
    let Some(kept) = &opened.rows else { return Err(refused("there is no table")) };
    let table = &kept.table;
    let first = usize::try_from(start.saturating_sub(kept.first)).unwrap_or(usize::MAX).min(table.row_count());
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(table.row_count() - first);
    let positions: Vec<usize> = match request.texts("columns")? {
        Some(names) => names.iter().map(|name| table.position(name)).collect::<Result<_>>()?,
        None => (0..table.columns().len()).collect(),
    };
    let mut bytes = Vec::new();
    let columns: Vec<Value> =
        positions.iter().map(|&position| column(table, position, first, count, &mut bytes)).collect::<Result<_>>()?;
    let warnings: Vec<String> = table.warnings().iter().map(ToString::to_string).collect();
    let start = kept.first + first as u64;
    let json = json!({"rows": kept.all, "start": start, "count": count, "columns": columns, "warnings": warnings});
    Ok(Answer { json, bytes })
}

/// Describes the rows of a column, and appends its elements to `bytes`.
fn column(table: &Table, position: usize, start: usize, count: usize, bytes: &mut Vec<u8>) -> Result<Value> {
    let missing = || refused("the table has no such column");
    let header = table.header().columns.get(position).ok_or_else(missing)?;
    let column: &Column = table.columns().get(position).ok_or_else(missing)?;
    let rows = start..start + count;
    let lengths: Vec<usize> = rows.clone().map(|row| column.elements_of(row).len()).collect();
    let first = rows.clone().next().map_or(0, |row| column.elements_of(row).start);
    let elements = first..first + lengths.iter().sum::<usize>();
    let mut out = json!({
        "name": header.name,
        "unit": header.unit,
        "description": header.description,
        "datatype": header.element_type.name(),
        "missing": rows.clone().filter(|row| !column.has_cell(*row)).map(|row| row - start).collect::<Vec<_>>(),
        "missingElements": elements.clone().filter(|index| !column.has_element(*index)).map(|index| index - first).collect::<Vec<_>>(),
    });
    match column.cell_shape() {
        CellShape::Scalar => {}
        CellShape::Fixed(extents) => out["cellShape"] = json!(extents),
        CellShape::Variable(extents) => {
            out["cellShape"] = json!(extents);
            out["lengths"] = json!(lengths);
        }
    }
    let values = column.values();
    if let Some(text) = values.text() {
        check_size(text.bytes().len() as u64)?;
        out["texts"] = json!(elements.map(|index| text.get(index)).collect::<Vec<_>>());
        return Ok(out);
    }
    let (Some(scalar), Some(all)) = (values.scalar_type(), values.bytes()) else { return Err(missing()) };
    let size = scalar.size();
    let part = all.get(elements.start * size..elements.end * size).unwrap_or_default();
    check_size((bytes.len() + part.len()) as u64)?;
    // Typed arrays begin at multiples of eight bytes.
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let begin = bytes.len();
    match scalar {
        ScalarType::Float16 => {
            let half = |unit: &[u8]| {
                unit.try_into().map_or(f32::NAN, |unit| Float16::from_bits(u16::from_ne_bytes(unit)).to_f32())
            };
            part.chunks_exact(2).for_each(|unit| bytes.extend_from_slice(&half(unit).to_ne_bytes()));
            out["datatype"] = json!("float32");
        }
        _ => bytes.extend_from_slice(part),
    }
    out["offset"] = json!(begin);
    out["elementBytes"] = json!(bytes.len() - begin);
    Ok(out)
}
