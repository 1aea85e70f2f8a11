//! `asdfkit table`: the values at some paths of many files, one line for each file.

use super::get::split_region;
use crate::core::arguments::InUnit;
use crate::core::csv::csv_field;
use crate::core::elements::datatype_text;
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::files::{Kinds, expanded, path_of};
use crate::core::input::Input;
use crate::core::output::{Output, printable};
use crate::core::parts::{Part, array_of};
use crate::core::tree_path::TreePath;
use crate::core::value;
use asdfkit::array::Array;
use asdfkit::file::{Node, NodeType};
use asdfkit::{Error, NodeKind, Status};
use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Make a table of the values at some paths in many files
///
/// A value that a file does not have is an empty cell, or null in JSON. The unit of a quantity stands behind its number, in
/// CSV and JSON under PATH/unit. The exit code is 1 if no file has any of the values.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// Path of a value, such as meta/exposure/time; can be repeated
    #[arg(short, long = "key", value_name = "PATH", required = true)]
    keys: Vec<TreePath>,
    /// Files to read, or folders of them; `-` is standard input
    ///
    /// Names before the first file that exists are further paths.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Form of the output
    #[arg(short = 'f', long = "as", value_enum, value_name = "FORM", default_value_t = Form::Text)]
    form: Form,
    /// Text for values that a file does not have
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    missing: Option<String>,
    #[command(flatten)]
    unit: InUnit,
}

/// Form of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Aligned columns
    Text,
    /// Comma-separated values
    Csv,
    /// One JSON object for each file
    Json,
}

/// The table that arguments ask for.
pub(crate) struct Keywords<'a> {
    keys: Vec<TreePath>,
    pub(crate) files: Vec<PathBuf>,
    form: Form,
    missing: &'a str,
    unit: &'a InUnit,
    lines: Vec<Vec<Cell>>,
    is_found: bool,
}

/// Cell of the table as text, with the unit of a quantity.
struct Cell {
    text: String,
    unit: Option<String>,
}

impl Cell {
    fn of_text(text: String) -> Cell {
        Cell { text, unit: None }
    }

    fn with_unit(&self) -> String {
        match &self.unit {
            Some(unit) => format!("{} {unit}", self.text),
            None => self.text.clone(),
        }
    }
}

impl Keywords<'_> {
    /// Divides the arguments into paths and files.
    pub(crate) fn new<'a>(arguments: &'a Arguments, output: &Output) -> Result<Keywords<'a>> {
        let is_file = |name: &PathBuf| name.as_os_str() == "-" || name.exists();
        let begin = arguments.files.iter().position(is_file).unwrap_or(0);
        let mut keys = arguments.keys.clone();
        for name in &arguments.files[..begin] {
            if name.extension().is_some_and(|suffix| suffix == "asdf") {
                return Err(Failure::usage(format!("{}: there is no such file", name.display())));
            }
            keys.push(path_of(name.as_os_str())?);
        }
        let form = if output.json { Form::Json } else { arguments.form };
        let files = expanded(&arguments.files[begin..], Kinds::Asdf)?;
        let missing = arguments.missing.as_deref().unwrap_or(if form == Form::Text { "--" } else { "" });
        let heads = std::iter::once("file".to_owned()).chain(keys.iter().map(name_of));
        let lines = vec![heads.map(Cell::of_text).collect()];
        Ok(Keywords { keys, files, form, missing, unit: &arguments.unit, lines, is_found: false })
    }

    /// Adds the line of a file. Lines of JSON are written at once.
    pub(crate) fn add(&mut self, path: &Path, output: &mut Output) -> Result<Outcome> {
        let input = Input::open(path)?;
        let file = input.asdf_in_pieces()?;
        let root = file.root()?;
        let values = self.keys.iter().map(|key| value_at(&root, key, self.unit)).collect::<Result<Vec<_>>>()?;
        self.is_found |= values.iter().any(Option::is_some);
        if self.form == Form::Json {
            let mut object = Map::new();
            object.insert("file".to_owned(), json!(input.name()));
            for (key, value) in self.keys.iter().zip(values) {
                let (value, unit) = value.unwrap_or((Value::Null, None));
                object.insert(name_of(key), value);
                if let Some(unit) = unit {
                    object.insert(unit_name_of(key), json!(unit));
                }
            }
            writeln!(output.stream(), "{}", Value::from(object))?;
            return Ok(Outcome::Yes);
        }
        let cell = |value: Option<(Value, Option<String>)>| match value {
            None => Cell::of_text(self.missing.to_owned()),
            Some((Value::String(text), unit)) => Cell { text, unit },
            Some((value, unit)) => Cell { text: value.to_string(), unit },
        };
        let name = Cell::of_text(input.name());
        self.lines.push(std::iter::once(name).chain(values.into_iter().map(cell)).collect());
        Ok(Outcome::Yes)
    }

    /// Writes all lines. A column of units follows a path if any file has a quantity there.
    fn write_csv(&mut self, output: &mut Output) -> Result<()> {
        let has_unit = |column: usize| self.lines.iter().any(|line| line[column].unit.is_some());
        let has_units: Vec<bool> = (0..=self.keys.len())
            .map(|column| {
                let is_asked_for = |key: &TreePath| self.keys.iter().any(|other| name_of(other) == unit_name_of(key));
                has_unit(column) && !self.keys.get(column.wrapping_sub(1)).is_some_and(is_asked_for)
            })
            .collect();
        for (number, line) in self.lines.iter().enumerate() {
            let mut fields = Vec::new();
            for (column, cell) in line.iter().enumerate() {
                fields.push(csv_field(&cell.text).to_string());
                if has_units[column] {
                    let unit = match number {
                        0 => self.keys.get(column.wrapping_sub(1)).map(unit_name_of),
                        _ => cell.unit.clone(),
                    };
                    fields.push(csv_field(&unit.unwrap_or_default()).to_string());
                }
            }
            writeln!(output.stream(), "{}", fields.join(","))?;
        }
        Ok(())
    }

    /// Writes the lines that are left.
    pub(crate) fn finish(mut self, output: &mut Output) -> Result<Outcome> {
        match self.form {
            Form::Json => {}
            Form::Csv => self.write_csv(output)?,
            Form::Text => {
                let style = output.style();
                let lines: Vec<Vec<String>> =
                    self.lines.iter().map(|line| line.iter().map(Cell::with_unit).collect()).collect();
                let width = |column: usize| lines.iter().map(|line| printable(&line[column]).chars().count()).max();
                let widths: Vec<usize> = (0..=self.keys.len()).map(|column| width(column).unwrap_or(0)).collect();
                for (number, line) in lines.iter().enumerate() {
                    let fields = line.iter().zip(&widths).map(|(text, width)| format!("{:<width$}", printable(text)));
                    let joined = fields.collect::<Vec<_>>().join("  ");
                    let joined = joined.trim_end();
                    let shown = if number == 0 { style.name(joined) } else { joined.to_owned() };
                    writeln!(output.stream(), "{shown}")?;
                }
            }
        }
        Ok(Outcome::of(self.is_found))
    }
}

/// Returns the name of the column of a path.
fn name_of(key: &TreePath) -> String {
    if key.is_root() { "/".to_owned() } else { key.trim_start_matches('/').to_owned() }
}

/// Returns the name of the column with the units of a path.
fn unit_name_of(key: &TreePath) -> String {
    format!("{}/unit", name_of(key).trim_end_matches('/'))
}

/// Returns the value at a path, with its unit if it is a quantity; `None` if there is none.
fn value_at(root: &Node, path: &str, wanted: &InUnit) -> Result<Option<(Value, Option<String>)>> {
    let (path, region) = split_region(root, path)?;
    if region.is_some() {
        return Err(Failure::usage("a table has values of the tree, not elements of arrays"));
    }
    let part = match Part::find(root, path) {
        Err(Failure::Library(error)) if matches!(error.status(), Status::NotFound | Status::WrongType) => {
            return Ok(None);
        }
        part => part?,
    };
    let of_array = |array: &Array| json!(format!("array {} {:?}", datatype_text(array.datatype()), array.shape()));
    let node = match part {
        Part::Array(array, _) => return Ok(Some((of_array(&array), None))),
        Part::Node(node) => node,
    };
    let is_collection = matches!(node.node_type("")?, NodeType::Mapping | NodeType::Sequence);
    let is_quantity = node.kind("")? == NodeKind::Quantity;
    let unit = if is_quantity { Error::readable(node.unit(""))?.filter(|unit| !unit.is_empty()) } else { None };
    if let Some(array) = array_of(&node)?.filter(|_| is_collection) {
        return Ok(Some((of_array(&array), unit)));
    }
    if is_quantity && let Some(number) = wanted.number(&node)? {
        return Ok(Some((value::float(number), wanted.text())));
    }
    // The value of a quantity or of a time.
    if is_collection && node.tag("")?.is_some() && node.exists("value")? {
        return Ok(Some((value::of_node(&node.at("value")?)?, unit)));
    }
    Ok(Some((value::of_node(&node)?, None)))
}
