//! `asdfkit head`: the first rows of tables, and the notation of tables.

use crate::core::arguments::{TableText, Units, parse_name, parse_number};
use crate::core::call::check_interrupt;
use crate::core::cells;
use crate::core::condition::Condition;
use crate::core::csv::write_csv;
use crate::core::display_format::DisplayFormat;
use crate::core::failure::{Outcome, Result};
use crate::core::input::{Format, Input};
use crate::core::output::{Output, Style, printable};
use crate::core::size::count;
use crate::core::tables::{Batches, Part, first_table};
use crate::core::tree_path::TreePath;
use asdfkit::table::{Header, Rows, Table};
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::io::Write;
use std::ops::Range;

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
    #[arg(
        short = 'n',
        long,
        default_value_t = 10,
        value_name = "NUMBER",
        value_parser = parse_number,
        allow_negative_numbers = true
    )]
    rows: u64,
    /// Columns to show, separated by commas
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES", value_parser = parse_name)]
    columns: Option<Vec<String>>,
    /// Form of the output
    #[arg(short = 'f', long = "as", value_enum, default_value_t = Form::Text, value_name = "FORM")]
    form: Form,
    #[command(flatten)]
    view: View,
    #[command(flatten)]
    units: Units,
    #[command(flatten)]
    pub(crate) text: TableText,
}

/// Cells on output.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct View {
    /// Show cells with all digits, not in the display format of their column
    #[arg(long)]
    pub(crate) raw: bool,
    /// Show all columns in text, also those that the terminal has no space for
    #[arg(long)]
    pub(crate) wide: bool,
}

/// Form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Aligned columns
    Text,
    /// Comma-separated values
    Csv,
    /// One JSON object for each row
    Json,
}

/// Returns whether a file has a table: a table in text, or a tree with one.
pub(crate) fn has_table(input: &Input, text: &TableText) -> Result<bool> {
    Ok(input.format_of_table(text)? != Format::Asdf || first_table(&input.asdf()?)?.is_some())
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
    let form = if output.json { Form::Json } else { arguments.form };
    let width = if arguments.view.wide { None } else { output.width() };
    let shown = Shown { form, is_raw: arguments.view.raw, style: output.style(), width };
    let chosen = Chosen::open(input, part, &arguments.units, None)?;
    shown.write(Box::new(chosen), output.stream())?;
    Ok(Outcome::Yes)
}

/// Tables that follow each other.
pub(crate) type Tables = Box<dyn Iterator<Item = Result<Table>>>;

/// The rows and columns of a table that are chosen, in batches.
pub(crate) struct Chosen {
    batches: Batches,
    units: Units,
    condition: Option<Condition>,
    /// Columns to write. A condition can need more.
    wanted: Option<Vec<String>>,
}

impl Chosen {
    pub(crate) fn open(input: &Input, mut part: Part, units: &Units, condition: Option<Condition>) -> Result<Chosen> {
        let wanted = part.columns.clone();
        if let (Some(columns), Some(condition)) = (&mut part.columns, &condition) {
            let more: Vec<String> = condition.names().iter().filter(|name| !columns.contains(name)).cloned().collect();
            columns.extend(more);
        }
        Ok(Chosen { batches: Batches::open(input, &part)?, units: units.clone(), condition, wanted })
    }

    fn read(&mut self) -> Result<Option<Table>> {
        check_interrupt()?;
        let Some((table, rows)) = self.batches.next()? else { return Ok(None) };
        let table = match rows == (0..table.row_count()) {
            true => table,
            false => table.slice(rows.start as u64, Some(rows.len() as u64), 1)?,
        };
        let table = self.units.convert(table)?;
        let Some(condition) = &self.condition else { return Ok(Some(table)) };
        let mask = condition.mask(&table)?;
        let names: Option<Vec<&str>> = self.wanted.as_ref().map(|names| names.iter().map(String::as_str).collect());
        Ok(Some(table.select(Rows::Mask(&mask), names.as_deref())?))
    }
}

impl Iterator for Chosen {
    type Item = Result<Table>;

    fn next(&mut self) -> Option<Result<Table>> {
        self.read().transpose()
    }
}

/// Notation of a table.
pub(crate) struct Shown {
    pub(crate) form: Form,
    pub(crate) is_raw: bool,
    pub(crate) style: Style,
    /// Number of characters of a line of text; `None` for all columns.
    pub(crate) width: Option<usize>,
}

impl Shown {
    pub(crate) fn write(&self, tables: Tables, out: &mut dyn Write) -> Result<()> {
        let mut first = true;
        for table in tables {
            let table = table?;
            let (formats, rows) = (formats_of(&table, self.is_raw), 0..table.row_count());
            match self.form {
                Form::Text => write_text(&table, rows, first, &formats, (self.style, self.width), out)?,
                Form::Csv => write_csv(&table, rows, first, &formats, out)?,
                Form::Json => {
                    for row in rows {
                        writeln!(out, "{}", cells::row_json(&table, row))?;
                    }
                }
            }
            first = false;
        }
        Ok(())
    }
}

/// Returns the display formats of the columns; none if cells are written with all digits.
fn formats_of(table: &Table, is_raw: bool) -> Vec<Option<DisplayFormat>> {
    let format = |format: &Option<String>| format.as_deref().and_then(DisplayFormat::parse);
    match is_raw {
        true => Vec::new(),
        false => table.header().columns.iter().map(|column| format(&column.format)).collect(),
    }
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
}
