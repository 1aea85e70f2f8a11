//! `asdfkit select`: rows and columns of a table, as text or as a new table.

use super::format::Format;
use super::table::{Destination, write};
use crate::core::arguments::{TableText, Threads, Units, parse_name};
use crate::core::condition::Condition;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::{Input, is_standard};
use crate::core::new_file;
use crate::core::output::Output;
use crate::core::tables::{Batches, Part, joined, with_columns};
use crate::core::tree_path::TreePath;
use crate::look::table::{Chosen, Form, Shown, Tables, View};
use asdfkit::file::WriteOptions;
use asdfkit::table::SortKey;
use clap::Args;
use std::ffi::OsStr;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Write rows and columns of a table
///
/// Cells have the display format of their column in text and CSV, unless --raw; JSON and tables in files have all digits.
#[derive(Args, Debug)]
pub(crate) struct Select {
    /// ECSV or ASDF file; `-` is standard input
    pub(crate) file: PathBuf,
    /// Path of the table in an ASDF file; the first table by default
    path: Option<TreePath>,
    /// Rows, such as 10:20, 10: or :20, counted from 0; of those, --where chooses
    #[arg(short, long, value_name = "ROWS", allow_hyphen_values = true)]
    rows: Option<String>,
    /// Only rows that meet a condition, such as "flux > 3.5 and name != 'Vega'"
    ///
    /// Comparisons are <, <=, >, >=, == and !=, `x in (1, 2)`, `x is missing` and `x is not missing`; `and`, `or`, `not`,
    /// parentheses and + - * / % join them. A name of a column with other characters stands in backquotes. A comparison
    /// with a missing cell is unknown, and unknown rows are left out. Units are those of --units.
    #[arg(short = 'w', long = "where", value_name = "EXPR", value_parser = parse_condition)]
    condition: Option<Condition>,
    /// Columns, separated by commas, in this order
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES", value_parser = parse_name)]
    columns: Option<Vec<String>>,
    /// Columns to sort by, such as flux or -flux,id: the largest value first after a hyphen; takes all rows into memory
    #[arg(long, value_delimiter = ',', value_name = "NAMES", value_parser = parse_name, allow_hyphen_values = true)]
    sort: Vec<String>,
    /// Form of the output, CSV by default
    #[arg(short = 'f', long = "as", value_enum, value_name = "FORM")]
    form: Option<Form>,
    /// File to write; standard output by default
    ///
    /// The suffix tells the form: .csv, .json or .txt, or a table with units and metadata in .ecsv, .asdf, .parquet or
    /// .arrow.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long, requires = "output")]
    force: bool,
    #[command(flatten)]
    view: View,
    #[command(flatten)]
    units: Units,
    #[command(flatten)]
    text: TableText,
    #[command(flatten)]
    threads: Threads,
}

fn parse_condition(text: &str) -> std::result::Result<Condition, String> {
    text.parse()
}

/// Writes the selected rows.
pub(crate) fn select(input: &Input, arguments: &Select, output: &mut Output) -> Result<Outcome> {
    let rows = match &arguments.rows {
        None => 0..u64::MAX,
        Some(text) => parse_rows(text)?,
    };
    if let Some(target) = &arguments.output {
        input.check_differs(target)?;
    }
    let threads = arguments.threads.number();
    let keys: Vec<SortKey> = arguments.sort.iter().map(|name| sort_key(name)).collect();
    // Columns that are sorted by need not be written.
    let mut columns = arguments.columns.clone();
    if let Some(columns) = &mut columns {
        let more: Vec<&str> =
            keys.iter().map(|key| key.column).filter(|name| !columns.iter().any(|own| own == name)).collect();
        columns.extend(more.into_iter().map(str::to_owned));
    }
    let part = Part { path: arguments.path.clone(), columns, rows, threads, text: arguments.text.clone() };
    let mut chosen: Tables = Box::new(Chosen::open(input, part, &arguments.units, arguments.condition.clone())?);
    if !keys.is_empty() {
        let sorted = joined(&mut *chosen)?.sorted_by(&keys)?;
        chosen = Box::new(std::iter::once(with_columns(sorted, arguments.columns.as_deref())));
    }
    let file = arguments.output.as_deref().filter(|target| !is_standard(target));
    let (form, format) = match file {
        _ if output.json || arguments.form.is_some() => (arguments.form.unwrap_or(Form::Json), None),
        None => (Form::Csv, None),
        Some(target) => form_of(target)?,
    };
    let form = if output.json { Form::Json } else { form };
    if let (Some(target), Some(format)) = (file, format) {
        let options = WriteOptions { replace: arguments.force, threads, ..WriteOptions::default() };
        let new = Destination { target, place: None, compression: None, options };
        write(&mut Batches::Made(chosen), format, &new, output)?;
        return Ok(Outcome::Yes);
    }
    let width = if arguments.view.wide || file.is_some() { None } else { output.width() };
    let shown = Shown { form, is_raw: arguments.view.raw, style: output.style(), width };
    match file {
        None => shown.write(chosen, output.stream())?,
        Some(target) => new_file::write(target, arguments.force, |out| shown.write(chosen, out))?,
    }
    Ok(Outcome::Yes)
}

/// Returns the column to sort by, and the direction.
fn sort_key(name: &str) -> SortKey<'_> {
    match name.strip_prefix('-') {
        Some(column) => SortKey::descending(column),
        None => SortKey::ascending(name),
    }
}

/// Returns the form that the suffix of a new file tells, and the format of a table that is no text for people.
fn form_of(target: &Path) -> Result<(Form, Option<Format>)> {
    match target.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase).as_deref() {
        Some("csv") => Ok((Form::Csv, None)),
        Some("json") => Ok((Form::Json, None)),
        Some("txt" | "text") => Ok((Form::Text, None)),
        _ => match Format::of_table(target) {
            Some(format) => Ok((Form::Csv, Some(format))),
            None => {
                let message = "the suffix is none of .csv, .json, .txt, .ecsv, .asdf, .parquet and .arrow; give --as";
                Err(Failure::usage(format!("{}: {message}", target.display())))
            }
        },
    }
}

/// Parses rows such as `10:20`, `10:`, `:20` or `10`.
fn parse_rows(text: &str) -> Result<Range<u64>> {
    let wrong = || Failure::usage(format!("'{text}' are no rows: write 10:20, counted from the first row, which is 0"));
    let number = |digits: &str, absent: u64| match digits.trim() {
        "" => Ok(absent),
        digits => digits.parse().map_err(|_| wrong()),
    };
    match text.split_once(':') {
        Some((start, end)) => Ok(number(start, 0)?..number(end, u64::MAX)?),
        None => {
            let row = number(text, 0)?;
            Ok(row..row.saturating_add(1))
        }
    }
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
