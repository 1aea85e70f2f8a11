//! The first rows of tables, which can be sorted and filtered.

use super::arguments::{Content, Context};
use super::html::escaped;
use crate::core::arguments::TableText;
use crate::core::cells;
use crate::core::elements::{for_each_piece, leaves};
use crate::core::failure::Result;
use crate::core::input::Input;
use crate::core::parts::array_of;
use crate::core::region::Selection;
use crate::core::tables::{Batches, Part};
use asdfkit::TableReadOptions;
use asdfkit::file::Node;
use asdfkit::table::{ElementType, Header, Table};

/// Columns that are shown.
const COLUMNS: usize = 60;
/// Characters of a cell.
const CELL: usize = 80;

/// A column: its name, unit and meaning, and whether it is sorted by number.
struct Head {
    name: String,
    unit: Option<String>,
    meaning: Option<String>,
    is_number: bool,
}

/// Returns the rows of an ECSV file.
pub(super) fn of_text_table(input: &Input, text: &TableText, rows: usize, threads: usize) -> Result<String> {
    let part =
        Part { path: None, columns: None, rows: 0..(rows as u64).saturating_add(1), threads, text: text.clone() };
    let mut batches = Batches::open(input, &part)?;
    let mut made: Vec<Vec<Option<String>>> = Vec::new();
    let mut heads = Vec::new();
    while let Some((table, range)) = batches.next()? {
        heads = heads_of(table.header());
        for row in range {
            if made.len() <= rows {
                made.push(cells_of(&table, row));
            }
        }
        if made.len() > rows {
            break;
        }
    }
    let is_cut = made.len() > rows;
    made.truncate(rows);
    Ok(table_text(&heads, &made, if is_cut { Shown::First } else { Shown::All }))
}

/// Returns the rows of a table in a tree.
pub(super) fn of_node(node: &Node, context: &Context) -> Result<String> {
    let options = TableReadOptions { threads: context.threads, ..TableReadOptions::default() };
    let table = node.table("", &options)?;
    let Content { rows, .. } = context.content;
    let count = table.row_count();
    let made: Vec<_> = (0..count.min(*rows)).map(|row| cells_of(&table, row)).collect();
    Ok(table_text(&heads_of(table.header()), &made, Shown::of(count as u64)))
}

/// Returns the first elements of an array of records.
pub(super) fn of_records(node: &Node, context: &Context) -> Result<String> {
    let Some(array) = array_of(node)? else { return Ok(String::new()) };
    let shape = array.shape();
    let parts = leaves(array.datatype())?;
    let heads: Vec<Head> = parts
        .iter()
        .map(|part| Head { name: part.name.clone(), unit: None, meaning: None, is_number: !part.is_text() })
        .collect();
    let count = array.element_count().max(0);
    let mut selection = Selection::all(shape);
    if let [rows] = selection.count[..] {
        selection.count[0] = rows.min(context.content.rows as i64);
    } else if count > context.content.rows as i64 {
        return Ok(String::new());
    }
    let item = array.datatype().item_size()?.max(1) as usize;
    let mut made = Vec::new();
    for_each_piece(&array, &selection, &(array.datatype().clone(), None), context.threads, |piece| {
        for (index, element) in piece.bytes.chunks_exact(item).enumerate() {
            let text = |part: &crate::core::elements::Leaf| {
                let mut text = String::new();
                part.write_text(element, &mut text);
                (!piece.is_missing(index)).then_some(text)
            };
            made.push(parts.iter().map(text).collect());
        }
        Ok(())
    })?;
    Ok(table_text(&heads, &made, Shown::of(count as u64)))
}

/// Number of rows that the table has.
enum Shown {
    All,
    /// More than are shown.
    First,
    Of(u64),
}

impl Shown {
    fn of(count: u64) -> Shown {
        Shown::Of(count)
    }
}

fn heads_of(header: &Header) -> Vec<Head> {
    let head = |column: &asdfkit::table::ColumnHeader| Head {
        name: column.name.clone(),
        unit: column.unit.clone(),
        meaning: column.description.clone(),
        is_number: matches!(column.element_type, ElementType::Scalar(_)),
    };
    header.columns.iter().map(head).collect()
}

fn cells_of(table: &Table, row: usize) -> Vec<Option<String>> {
    table.columns().iter().take(COLUMNS).map(|column| cells::text(column, row)).collect()
}

fn table_text(heads: &[Head], rows: &[Vec<Option<String>>], shown: Shown) -> String {
    let shown = match shown {
        Shown::Of(count) if count > rows.len() as u64 => format!("the first {} of {count} rows", rows.len()),
        Shown::First => format!("the first {} rows", rows.len()),
        Shown::All | Shown::Of(_) => format!("{} rows", rows.len()),
    };
    let columns = match heads.len() {
        count if count > COLUMNS => format!("the first {COLUMNS} of {count} columns"),
        count => format!("{count} columns"),
    };
    let mut out = format!(
        "<div class=\"rows\"><label>Filter rows <input type=\"search\" class=\"filter\" autocomplete=\"off\"></label>\
         <div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Rows of the table\">\
         <table><caption>{shown}, {columns}</caption><thead><tr>"
    );
    for head in heads.iter().take(COLUMNS) {
        let unit = head.unit.as_deref().filter(|unit| !unit.is_empty());
        let unit = unit.map_or(String::new(), |unit| format!("<br><span class=\"unit\">{}</span>", escaped(unit)));
        let kind = if head.is_number { "number" } else { "text" };
        let meaning = head.meaning.as_deref();
        let meaning = meaning.map_or(String::new(), |text| format!(" title=\"{}\"", escaped(text)));
        out.push_str(&format!(
            "<th scope=\"col\" data-kind=\"{kind}\"><button type=\"button\"{meaning}>{}{unit}</button></th>",
            escaped(&head.name)
        ));
    }
    out.push_str("</tr></thead><tbody>\n");
    for row in rows {
        out.push_str("<tr>");
        for (cell, head) in row.iter().take(COLUMNS).zip(heads) {
            let class = if head.is_number { " class=\"number\"" } else { "" };
            match cell {
                Some(text) => {
                    let cut: String = text.chars().take(CELL).collect();
                    let dots = if cut.len() < text.len() { "…" } else { "" };
                    out.push_str(&format!("<td{class}>{}{dots}</td>", escaped(&cut)));
                }
                None => out.push_str("<td class=\"missing\" title=\"missing\">--</td>"),
            }
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div></div>");
    out
}
