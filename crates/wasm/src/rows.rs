//! Rows of tables, column by column.

use crate::answer::{Answer, check_size, refused};
use crate::kept_rows::KeptRows;
use crate::opened::Opened;
use crate::request::Request;
use crate::sorted_rows::SortedRows;
use asdfkit::array::{Float16, ScalarType};
use asdfkit::table::{CellShape, Column, Table};
use asdfkit::{Result, TableReadOptions};
use serde_json::{Value, json};
use std::ops::Range;

/// Reads rows of the columns that are named, or of all. Only these rows are read, and some around them; all of them, if they
/// are wanted in the order of a column.
pub(crate) fn read(opened: &mut Opened, request: &Request) -> Result<Answer> {
    let (path, start, count) = (request.text("path")?, request.index("start")?, request.index("count")?);
    let wanted = start..start.saturating_add(count);
    if let Some(name) = request.optional_text("sort") {
        if opened.sorted.as_ref().is_none_or(|sorted| sorted.path != path) {
            // The memory of the old rows is free before new ones are read.
            (opened.rows, opened.sorted) = (None, None);
            opened.sorted = Some(SortedRows::of(path, all_rows(opened, path)?));
        }
        let Some(sorted) = &mut opened.sorted else { return Err(refused("there is no table")) };
        let order = sorted.order(name, request.flag("descending"))?;
        let place = |row: u64| usize::try_from(row).unwrap_or(usize::MAX).min(order.len());
        let rows = order[place(wanted.start)..place(wanted.end)].to_vec();
        let mut answer = answer(&sorted.table, &rows, request)?;
        answer.json["rows"] = json!(sorted.table.row_count());
        answer.json["start"] = json!(start);
        answer.json["rowNumbers"] = json!(rows);
        return Ok(answer);
    }
    if opened.rows.as_ref().is_none_or(|kept| kept.path != path || !kept.has(&wanted)) {
        (opened.rows, opened.sorted) = (None, None);
        opened.rows = Some(match &opened.file {
            Some(file) => KeptRows::of_file(&file.root()?, path, &wanted)?,
            None => {
                let (table, all) = opened.text_rows().read(&wanted)?;
                KeptRows { path: path.to_owned(), first: start, table, all }
            }
        });
    }
    let Some(kept) = &opened.rows else { return Err(refused("there is no table")) };
    let first = usize::try_from(start.saturating_sub(kept.first)).unwrap_or(usize::MAX).min(kept.table.row_count());
    let count = usize::try_from(count).unwrap_or(usize::MAX).min(kept.table.row_count() - first);
    let rows: Vec<usize> = (first..first + count).collect();
    let mut answer = answer(&kept.table, &rows, request)?;
    answer.json["rows"] = json!(kept.all);
    answer.json["start"] = json!(kept.first + first as u64);
    Ok(answer)
}

/// Reads all rows of a table. Fails with `Status::Limit` if they need more memory than a tab has for them.
fn all_rows(opened: &mut Opened, path: &str) -> Result<Table> {
    match &opened.file {
        Some(file) => file.root()?.table(path, &TableReadOptions { leave_out: true, ..TableReadOptions::default() }),
        None => opened.text_rows().read_all(),
    }
}

/// Returns these rows of the wanted columns.
fn answer(table: &Table, rows: &[usize], request: &Request) -> Result<Answer> {
    let positions: Vec<usize> = match request.texts("columns")? {
        Some(names) => names.iter().map(|name| table.position(name)).collect::<Result<_>>()?,
        None => (0..table.columns().len()).collect(),
    };
    let mut bytes = Vec::new();
    let columns: Vec<Value> =
        positions.iter().map(|&position| column(table, position, rows, &mut bytes)).collect::<Result<_>>()?;
    let warnings: Vec<String> = table.warnings().iter().map(ToString::to_string).collect();
    Ok(Answer { json: json!({"count": rows.len(), "columns": columns, "warnings": warnings}), bytes })
}

/// Describes rows of a column, and appends its elements to `bytes`.
fn column(table: &Table, position: usize, rows: &[usize], bytes: &mut Vec<u8>) -> Result<Value> {
    let missing = || refused("the table has no such column");
    let header = table.header().columns.get(position).ok_or_else(missing)?;
    let column: &Column = table.columns().get(position).ok_or_else(missing)?;
    let cells: Vec<Range<usize>> = rows.iter().map(|&row| column.elements_of(row)).collect();
    let elements = || cells.iter().cloned().flatten();
    let places = |is_missing: &mut dyn Iterator<Item = bool>| -> Vec<usize> {
        is_missing.enumerate().filter(|(_, is_missing)| *is_missing).map(|(place, _)| place).collect()
    };
    let mut out = json!({
        "name": header.name,
        "unit": header.unit,
        "description": header.description,
        "datatype": header.element_type.name(),
        "missing": places(&mut rows.iter().map(|&row| !column.has_cell(row))),
        "missingElements": places(&mut elements().map(|index| !column.has_element(index))),
    });
    match column.cell_shape() {
        CellShape::Scalar => {}
        CellShape::Fixed(extents) => out["cellShape"] = json!(extents),
        CellShape::Variable(extents) => {
            out["cellShape"] = json!(extents);
            out["lengths"] = json!(cells.iter().map(Range::len).collect::<Vec<_>>());
        }
    }
    let values = column.values();
    if let Some(text) = values.text() {
        let texts: Vec<&str> = elements().map(|index| text.get(index)).collect();
        check_size(texts.iter().map(|text| text.len() as u64).sum())?;
        out["texts"] = json!(texts);
        return Ok(out);
    }
    let (Some(scalar), Some(all)) = (values.scalar_type(), values.bytes()) else { return Err(missing()) };
    let size = scalar.size();
    check_size((bytes.len() + elements().count() * size) as u64)?;
    let parts = cells.iter().map(|cell| all.get(cell.start * size..cell.end * size).unwrap_or_default());
    // Typed arrays begin at multiples of eight bytes.
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    let begin = bytes.len();
    match scalar {
        ScalarType::Float16 => {
            let half = |unit: &[u8]| {
                unit.try_into().map_or(f32::NAN, |unit| Float16::from_bits(u16::from_ne_bytes(unit)).to_f32())
            };
            parts
                .flat_map(|part| part.chunks_exact(2))
                .for_each(|unit| bytes.extend_from_slice(&half(unit).to_ne_bytes()));
            out["datatype"] = json!("float32");
        }
        _ => parts.for_each(|part| bytes.extend_from_slice(part)),
    }
    out["offset"] = json!(begin);
    out["elementBytes"] = json!(bytes.len() - begin);
    Ok(out)
}
