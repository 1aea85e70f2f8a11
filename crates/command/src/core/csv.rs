//! Tables as comma-separated values.

use super::cells;
use super::display_format::DisplayFormat;
use super::failure::Result;
use asdfkit::table::Table;
use std::io::Write;
use std::ops::Range;

/// Writes rows as CSV, with a line of names before the first row. Columns without a format have all digits.
pub(crate) fn write_csv(
    table: &Table,
    rows: Range<usize>,
    names: bool,
    formats: &[Option<DisplayFormat>],
    out: &mut dyn Write,
) -> Result<()> {
    let mut line = String::new();
    if names {
        let names: Vec<String> = table.header().columns.iter().map(|column| csv_field(&column.name)).collect();
        writeln!(out, "{}", names.join(","))?;
    }
    for row in rows {
        line.clear();
        for (index, column) in table.columns().iter().enumerate() {
            if index > 0 {
                line.push(',');
            }
            let format = formats.get(index).and_then(Option::as_ref);
            match cells::formatted(column, row, format) {
                // An empty text in quotes is not a missing cell.
                Some(text) if text.is_empty() => line.push_str("\"\""),
                // Blanks of a format only align cells.
                Some(text) if format.is_some() => line.push_str(&csv_field(text.trim_matches(' '))),
                Some(text) => line.push_str(&csv_field(&text)),
                None => {}
            }
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

/// Returns a field of CSV, in quotes if its text needs them.
pub(crate) fn csv_field(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) || text.starts_with(' ') || text.ends_with(' ') {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
