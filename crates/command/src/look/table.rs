//! `asdfkit head` and `select`: rows and columns of tables.

use super::get::csv_field;
use crate::core::arguments::{TableText, Threads, Units};
use crate::core::call::check_interrupt;
use crate::core::cells;
use crate::core::condition::Condition;
use crate::core::display_format::DisplayFormat;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::Input;
use crate::core::output::{Output, Style, printable};
use crate::core::size::count;
use crate::core::tables::{Batches, Part};
use crate::core::tree_path::TreePath;
use asdfkit::table::{Header, Rows, Table};
use clap::{Args, ValueEnum};
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write;
use std::ops::Range;
use std::path::PathBuf;

/// Maximum width of a cell in aligned text.
const MAX_WIDTH: usize = 40;

/// Show the first rows of tables
///
/// Cells have the display format of their column.
#[derive(Args, Debug)]
pub(crate) struct Head {
    /// ECSV or ASDF files, or folders of them, and the path of the table in ASDF files; `-` is standard input
    ///
    /// Without a path, the first table of each file is shown. The arguments after the first one that are names of files
    /// are files.
    #[arg(required = true, value_name = "FILE|PATH")]
    pub(crate) files: Vec<OsString>,
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
    view: View,
    #[command(flatten)]
    units: Units,
    #[command(flatten)]
    text: TableText,
}

/// Cells on output.
#[derive(Args, Clone, Copy, Debug)]
struct View {
    /// Show cells with all digits, not in the display format of their column
    #[arg(long)]
    raw: bool,
    /// Show all columns in text, also those that the terminal has no space for
    #[arg(long)]
    wide: bool,
}

/// Write rows and columns of a table
///
/// Cells have the display format of their column in text and CSV, unless --raw; JSON has all digits.
#[derive(Args, Debug)]
pub(crate) struct Select {
    /// ECSV or ASDF file; `-` is standard input
    pub(crate) file: PathBuf,
    /// Path of the table in an ASDF file; the first table by default
    path: Option<TreePath>,
    /// Rows, such as 10:20, 10: or :20, counted from 0
    #[arg(short, long, value_name = "ROWS")]
    rows: Option<String>,
    /// Only rows that meet a condition, such as "flux > 3.5 and name != 'Vega'"
    ///
    /// Comparisons are <, <=, >, >=, == and !=, `x in (1, 2)`, `x is missing` and `x is not missing`; `and`, `or`, `not`,
    /// parentheses and + - * / % join them. A name of a column with other characters stands in backquotes. A comparison
    /// with a missing cell is unknown, and unknown rows are left out. Units are those of --units.
    #[arg(short = 'w', long = "where", value_name = "EXPR", value_parser = parse_condition)]
    condition: Option<Condition>,
    /// Columns, separated by commas, in this order
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    columns: Option<Vec<String>>,
    /// Form of the output
    #[arg(short = 'f', long = "as", value_enum, default_value_t = Form::Csv, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    view: View,
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

fn parse_condition(text: &str) -> std::result::Result<Condition, String> {
    text.parse()
}

/// Shows the first rows of one file.
pub(crate) fn head(input: &Input, path: Option<&TreePath>, arguments: &Head, output: &mut Output) -> Result<Outcome> {
    let part = Part {
        path: path.cloned(),
        columns: arguments.columns.clone(),
        rows: 0..arguments.rows,
        threads: 1,
        text: arguments.text.clone(),
    };
    let what = What { units: &arguments.units, view: arguments.view, condition: None, form: arguments.form };
    write(input, part, &what, output)
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
    let condition = arguments.condition.as_ref();
    let what = What { units: &arguments.units, view: arguments.view, condition, form: arguments.form };
    write(input, part, &what, output)
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

/// Part of a table that is written, and its notation.
struct What<'a> {
    units: &'a Units,
    view: View,
    condition: Option<&'a Condition>,
    form: Form,
}

fn write(input: &Input, mut part: Part, what: &What, output: &mut Output) -> Result<Outcome> {
    let form = if output.json { Form::Json } else { what.form };
    let wanted = part.columns.clone();
    // A condition can need columns that are not written.
    if let (Some(columns), Some(condition)) = (&mut part.columns, what.condition) {
        let more: Vec<String> = condition.names().iter().filter(|name| !columns.contains(name)).cloned().collect();
        columns.extend(more);
    }
    let mut batches = Batches::open(input, &part)?;
    let style = output.style();
    let width = if what.view.wide { None } else { output.width() };
    let mut first = true;
    while let Some((table, rows)) = batches.next()? {
        check_interrupt()?;
        let table = what.units.convert(&table)?;
        let (table, rows) = match what.condition {
            Some(condition) => {
                let table = table.slice(rows.start as u64, Some(rows.len() as u64), 1)?;
                let mask = condition.mask(&table)?;
                let names: Option<Vec<&str>> = wanted.as_ref().map(|names| names.iter().map(String::as_str).collect());
                let table = table.select(Rows::Mask(&mask), names.as_deref())?;
                let rows = 0..table.row_count();
                (Cow::Owned(table), rows)
            }
            None => (table, rows),
        };
        let formats = formats_of(&table, what.view.raw);
        let out = output.stream();
        match form {
            Form::Text => write_text(&table, rows, first, &formats, (style, width), out)?,
            Form::Csv => write_csv(&table, rows, first, &formats, out)?,
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

/// Returns the display formats of the columns; none if cells are written with all digits.
fn formats_of(table: &Table, is_raw: bool) -> Vec<Option<DisplayFormat>> {
    let format = |format: &Option<String>| format.as_deref().and_then(DisplayFormat::parse);
    match is_raw {
        true => Vec::new(),
        false => table.header().columns.iter().map(|column| format(&column.format)).collect(),
    }
}

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

/// Writes rows in columns of equal width. Columns in the middle are left out if the width has no space for them.
fn write_text(
    table: &Table,
    rows: Range<usize>,
    names: bool,
    formats: &[Option<DisplayFormat>],
    (style, space): (Style, Option<usize>),
    out: &mut dyn Write,
) -> Result<()> {
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
        let format = |index: usize| formats.get(index).and_then(Option::as_ref);
        let columns = table.columns().iter().enumerate();
        let texts = columns.map(|(index, column)| cells::formatted(column, row, format(index)));
        lines.push(texts.map(|text| text.map_or("--".to_owned(), |text| cut(&text))).collect());
    }
    let width = |index: usize| lines.iter().map(|line| line[index].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..header.columns.len()).map(width).collect();
    let shown = Elided::of(&widths, space);
    for (number, line) in lines.iter().enumerate() {
        let fields: Vec<String> = line.iter().zip(&widths).map(|(text, width)| format!("{text:>width$}")).collect();
        let joined = shown.join(&fields, if number == 0 && heads > 0 { "…" } else { " " });
        match number {
            0 if heads > 0 => writeln!(out, "{}", style.name(joined))?,
            1 if heads > 1 => writeln!(out, "{}", style.faint(joined))?,
            _ => writeln!(out, "{joined}")?,
        }
    }
    if shown.hidden > 0 && names {
        let hidden = count(shown.hidden as u64, "column");
        writeln!(out, "{}", style.faint(format!("{hidden} not shown; --wide shows all, -c NAMES some")))?;
    }
    Ok(())
}

/// Columns that are shown: the first and the last ones.
struct Elided {
    left: usize,
    hidden: usize,
}

impl Elided {
    /// Chooses the columns for a number of characters.
    fn of(widths: &[usize], space: Option<usize>) -> Elided {
        let whole = widths.iter().map(|width| width + 2).sum::<usize>().saturating_sub(2);
        let all = Elided { left: widths.len(), hidden: 0 };
        let Some(space) = space.filter(|space| whole > *space) else { return all };
        // The mark has one character.
        let mut left_over = space.saturating_sub(1);
        let (mut left, mut right) = (0, 0);
        while left + right < widths.len() {
            let takes_left = left <= right;
            let size = 2 + if takes_left { widths[left] } else { widths[widths.len() - 1 - right] };
            if size > left_over && left > 0 {
                break;
            }
            left_over = left_over.saturating_sub(size);
            if takes_left { left += 1 } else { right += 1 }
        }
        Elided { left, hidden: widths.len() - left - right }
    }

    fn join(&self, fields: &[String], mark: &str) -> String {
        if self.hidden == 0 {
            return fields.join("  ");
        }
        let mut shown: Vec<&str> = fields[..self.left].iter().map(String::as_str).collect();
        shown.push(mark);
        shown.extend(fields[self.left + self.hidden..].iter().map(String::as_str));
        shown.join("  ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_in_the_middle_are_left_out() {
        let widths = [5; 20];
        let shown = Elided::of(&widths, Some(40));
        assert_eq!((shown.left, shown.hidden), (3, 15));
        assert_eq!(shown.join(&vec!["12345".to_owned(); 20], "…").chars().count(), 36);
        assert_eq!(Elided::of(&widths, None).hidden, 0);
        assert_eq!(Elided::of(&widths, Some(138)).hidden, 0);
        assert_eq!(Elided::of(&[500], Some(10)).hidden, 0);
    }

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
