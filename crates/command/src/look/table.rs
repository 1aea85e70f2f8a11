//! `asdfkit head` and `select`: rows and columns of tables.

use super::get::csv_field;
use crate::core::arguments::{TableText, Threads, Units};
use crate::core::call::check_interrupt;
use crate::core::cells;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::Input;
use crate::core::output::{Output, Style, printable};
use crate::core::tables::{Batches, Part};
use crate::core::tree_path::TreePath;
use asdfkit::table::{Header, Table};
use clap::{Args, ValueEnum};
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

/// Maximum width of a cell in aligned text.
const MAX_WIDTH: usize = 40;

/// Show the first rows of a table
#[derive(Args, Debug)]
pub(crate) struct Head {
    /// ECSV or ASDF file; `-` is standard input
    pub(crate) file: PathBuf,
    /// Path of the table in an ASDF file; the first table by default
    path: Option<TreePath>,
    /// Number of rows
    #[arg(short = 'n', long, default_value_t = 10, value_name = "NUMBER")]
    rows: u64,
    /// Columns to show, separated by commas
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    columns: Option<Vec<String>>,
    /// Form of the output
    #[arg(short = 'f', long = "as", value_enum, default_value_t = Form::Text, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    units: Units,
    #[command(flatten)]
    text: TableText,
}

/// Write rows and columns of a table
#[derive(Args, Debug)]
pub(crate) struct Select {
    /// ECSV or ASDF file; `-` is standard input
    pub(crate) file: PathBuf,
    /// Path of the table in an ASDF file; the first table by default
    path: Option<TreePath>,
    /// Rows, such as 10:20, 10: or :20, counted from 0
    #[arg(short, long, value_name = "ROWS")]
    rows: Option<String>,
    /// Columns, separated by commas, in this order
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    columns: Option<Vec<String>>,
    /// Form of the output
    #[arg(short = 'f', long = "as", value_enum, default_value_t = Form::Csv, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    units: Units,
    #[command(flatten)]
    text: TableText,
    #[command(flatten)]
    threads: Threads,
}

/// Form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Aligned columns
    Text,
    /// Comma-separated values
    Csv,
    /// One JSON object for each row
    Json,
}

/// Shows the first rows.
pub(crate) fn head(input: &Input, arguments: &Head, output: &mut Output) -> Result<Outcome> {
    let part = Part {
        path: arguments.path.clone(),
        columns: arguments.columns.clone(),
        rows: 0..arguments.rows,
        threads: 1,
        text: arguments.text.clone(),
    };
    write(input, &part, &arguments.units, arguments.form, output)
}

/// Writes the selected rows.
pub(crate) fn select(input: &Input, arguments: &Select, output: &mut Output) -> Result<Outcome> {
    let rows = match &arguments.rows {
        None => 0..u64::MAX,
        Some(text) => parse_rows(text)?,
    };
    let threads = arguments.threads.number();
    let part = Part {
        path: arguments.path.clone(),
        columns: arguments.columns.clone(),
        rows,
        threads,
        text: arguments.text.clone(),
    };
    write(input, &part, &arguments.units, arguments.form, output)
}

/// Parses rows such as `10:20`, `10:`, `:20` or `10`.
fn parse_rows(text: &str) -> Result<Range<u64>> {
    let number = |digits: &str, absent: u64| match digits.trim() {
        "" => Ok(absent),
        digits => digits.parse().map_err(|_| Failure::usage(format!("'{text}' are no rows: write 10:20"))),
    };
    match text.split_once(':') {
        Some((start, end)) => Ok(number(start, 0)?..number(end, u64::MAX)?),
        None => {
            let row = number(text, 0)?;
            Ok(row..row.saturating_add(1))
        }
    }
}

fn write(input: &Input, part: &Part, units: &Units, form: Form, output: &mut Output) -> Result<Outcome> {
    let form = if output.json { Form::Json } else { form };
    let mut batches = Batches::open(input, part)?;
    let style = output.style();
    let mut first = true;
    while let Some((table, rows)) = batches.next()? {
        check_interrupt()?;
        let table = units.convert(&table)?;
        let out = output.stream();
        match form {
            Form::Text => write_text(&table, rows, first, style, out)?,
            Form::Csv => write_csv(&table, rows, first, out)?,
            Form::Json => {
                for row in rows {
                    writeln!(out, "{}", cells::row_json(&table, row))?;
                }
            }
        }
        first = false;
    }
    Ok(Outcome::Yes)
}

/// Writes rows as CSV, with a line of names before the first row.
pub(crate) fn write_csv(table: &Table, rows: Range<usize>, names: bool, out: &mut dyn Write) -> Result<()> {
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
            match cells::text(column, row) {
                // An empty text in quotes is not a missing cell.
                Some(text) if text.is_empty() => line.push_str("\"\""),
                Some(text) => line.push_str(&csv_field(&text)),
                None => {}
            }
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}

fn cut(text: &str) -> String {
    let line = printable(text);
    match line.char_indices().nth(MAX_WIDTH) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn unit_of(header: &Header, index: usize) -> &str {
    header.columns[index].unit.as_deref().unwrap_or_default()
}

/// Writes rows in columns of equal width.
fn write_text(table: &Table, rows: Range<usize>, names: bool, style: Style, out: &mut dyn Write) -> Result<()> {
    let header = table.header();
    let mut lines: Vec<Vec<String>> = Vec::new();
    if names {
        lines.push(header.columns.iter().map(|column| cut(&column.name)).collect());
        if header.columns.iter().any(|column| column.unit.is_some()) {
            lines.push((0..header.columns.len()).map(|index| cut(unit_of(header, index))).collect());
        }
    }
    let heads = lines.len();
    for row in rows {
        let texts = table.columns().iter().map(|column| cells::text(column, row));
        lines.push(texts.map(|text| text.map_or("--".to_owned(), |text| cut(&text))).collect());
    }
    let width = |index: usize| lines.iter().map(|line| line[index].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.columns.len()).map(width).collect();
    for (number, line) in lines.iter().enumerate() {
        let fields = line.iter().zip(&widths).map(|(text, width)| format!("{text:>width$}"));
        let joined = fields.collect::<Vec<_>>().join("  ");
        match number {
            0 if heads > 0 => writeln!(out, "{}", style.name(joined))?,
            1 if heads > 1 => writeln!(out, "{}", style.faint(joined))?,
            _ => writeln!(out, "{joined}")?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_have_open_ends() {
        assert_eq!(parse_rows("10:20").unwrap(), 10..20);
        assert_eq!(parse_rows("10:").unwrap(), 10..u64::MAX);
        assert_eq!(parse_rows(":20").unwrap(), 0..20);
        assert_eq!(parse_rows("7").unwrap(), 7..8);
        assert!(parse_rows("a:b").is_err());
        assert!(parse_rows("-1").is_err());
    }
}
