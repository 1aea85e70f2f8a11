//! Charts of lists of numbers and of columns.

use super::arguments::{ChartLook, Kind, Show};
use super::place::Place;
use super::values::Numbers;
use crate::core::failure::{Failure, Result};
use crate::core::input::{Format, Input};
use crate::core::tables::{Batches, Part};
use crate::core::tree_path::TreePath;
use asdfkit::array::{ReadOptions, ScalarType};
use asdfkit::file::Node;
use asdfkit::table::{Header, Table};
use asdfkit_pictures::plot::{Axis, Chart, Marks};

/// Most values of a chart that are read one by one; of longer lists every so-many-th is.
const MOST: i64 = 1 << 24;

/// Values with a name.
pub(super) struct List {
    pub(super) label: String,
    values: Vec<f64>,
    /// Index of the first value, and the distance of two values.
    first: f64,
    step: f64,
}

impl List {
    fn of_place(place: &Place, arguments: &Show) -> Result<List> {
        let numbers = Numbers::of(&place.array, &arguments.unit, arguments.threads.number())?;
        let shape = place.selection.shape();
        let total = shape.iter().fold(1_i64, |total, extent| total.saturating_mul(*extent));
        let mut selection = place.selection.clone();
        let mut factor = 1;
        if total > MOST {
            factor = (total - 1) / MOST + 1;
            selection = selection.every(factor);
        }
        let mut values = Vec::new();
        numbers.each(&place.array, &selection, |value, missing| values.push(if missing { f64::NAN } else { value }))?;
        let at = |parts: &[i64]| place.selection.kept().last().map_or(0, |last| parts[*last]);
        let first = if factor > 1 { at(&selection.start) } else { at(&place.selection.start) };
        Ok(List {
            label: label(place.path.trim_start_matches('/'), place.unit.as_deref()),
            values,
            first: first as f64,
            step: (at(&place.selection.step) * factor) as f64,
        })
    }

    fn of_column(table: &Table, name: &str) -> Result<List> {
        let position = table.position(name)?;
        let options = ReadOptions::default();
        let ((elements, mask), _) = table.load_column(name, None, &ScalarType::Float64.into(), true, &options)?;
        let mask = mask.unwrap_or_default();
        let value = |(index, bytes): (usize, &[u8])| match mask.get(index) {
            Some(1..) => f64::NAN,
            _ => f64::from_ne_bytes(bytes.try_into().unwrap_or_default()),
        };
        let values: Vec<f64> = elements.as_ref().chunks_exact(8).enumerate().map(value).collect();
        let unit = table.header().columns.get(position).and_then(|column| column.unit.clone());
        Ok(List { label: label(name, unit.as_deref()), values, first: 0.0, step: 1.0 })
    }

    fn indices(&self) -> List {
        let values = (0..self.values.len()).map(|index| self.first + self.step * index as f64).collect();
        List { label: "index".to_owned(), values, first: 0.0, step: 1.0 }
    }
}

fn label(name: &str, unit: Option<&str>) -> String {
    match unit {
        Some(unit) if !unit.is_empty() => format!("{name} [{unit}]"),
        _ => name.to_owned(),
    }
}

/// Makes a chart of an array.
pub(super) fn of_place(place: &Place, root: &Node, arguments: &Show) -> Result<Chart> {
    let y = List::of_place(place, arguments)?;
    let x = match &arguments.chart.x {
        None => None,
        Some(path) => {
            // A column beside this one, or an array of the file.
            let beside = place.path.rsplit_once('/').map(|(table, _)| format!("{table}{}", &**path));
            let beside: Option<TreePath> = beside.map(|path| path.parse().unwrap_or_default());
            let found = match beside {
                Some(beside) => Place::find(root, &beside, None).ok().flatten(),
                None => None,
            };
            let found = match found {
                Some(found) => Some(found),
                None => Place::find(root, path, None)?,
            };
            let found = found.ok_or_else(|| Failure::not_found(format!("there is no array at '{path}'")))?;
            Some(List::of_place(&found, arguments)?)
        }
    };
    made(x, y, arguments.kind, &arguments.chart)
}

/// Makes a chart of a column of a table in text.
pub(super) fn of_text_table(input: &Input, arguments: &Show) -> Result<Chart> {
    if input.format_of_table(&arguments.text)? != Format::Ecsv {
        return Err(Failure::usage("a description has no values to show"));
    }
    let x = arguments.chart.x.as_ref().map(|path| path.trim_start_matches('/').to_owned());
    let named =
        arguments.path.as_ref().filter(|path| !path.is_root()).map(|path| path.trim_start_matches('/').to_owned());
    let name = match named {
        Some(name) => name,
        None => {
            let reader = input.text_table(&arguments.text, asdfkit::table::ecsv::ReadOptions::default())?;
            first_column(reader.header(), x.as_deref())?
        }
    };
    let mut columns: Vec<String> = x.iter().cloned().collect();
    if !columns.contains(&name) {
        columns.push(name.clone());
    }
    let part = Part {
        path: None,
        columns: Some(columns),
        rows: 0..u64::MAX,
        threads: arguments.threads.number(),
        text: arguments.text.clone(),
    };
    let table = Batches::open(input, &part)?.read_all()?;
    let y = List::of_column(&table, &name)?;
    let x = x.map(|name| List::of_column(&table, &name)).transpose()?;
    made(x, y, arguments.kind, &arguments.chart)
}

/// Returns the first column of numbers other than that of the horizontal axis.
fn first_column(header: &Header, other: Option<&str>) -> Result<String> {
    let is_number = |element_type: asdfkit::table::ElementType| matches!(element_type, asdfkit::table::ElementType::Scalar(scalar) if scalar != ScalarType::Bool8);
    let mut columns = header.columns.iter();
    let found = columns.find(|column| is_number(column.element_type) && Some(column.name.as_str()) != other);
    found.map(|column| column.name.clone()).ok_or_else(|| Failure::usage("the table has no column of numbers"))
}

fn made(x: Option<List>, y: List, kind: Option<Kind>, look: &ChartLook) -> Result<Chart> {
    let marks = match kind {
        Some(Kind::Histogram) => Marks::Histogram { bins: look.bins.into() },
        Some(Kind::Scatter) => Marks::Points,
        None if x.is_some() => Marks::Points,
        _ => Marks::Line,
    };
    let title = y.label.clone();
    if let Marks::Histogram { .. } = marks {
        let x_axis = Axis { label: y.label, is_log: false };
        let y_axis = Axis { label: "count".to_owned(), is_log: look.log_y };
        return Ok(Chart { title, x_axis, y_axis, x: Vec::new(), y: y.values, marks });
    }
    let title = if x.is_some() { String::new() } else { title };
    let x = x.unwrap_or_else(|| y.indices());
    if x.values.len() != y.values.len() {
        let (left, right) = (x.values.len(), y.values.len());
        return Err(Failure::usage(format!("'{}' has {left} values, '{}' has {right}", x.label, y.label)));
    }
    let x_axis = Axis { label: x.label, is_log: look.log_x };
    let y_axis = Axis { label: y.label, is_log: look.log_y };
    Ok(Chart { title, x_axis, y_axis, x: x.values, y: y.values, marks })
}
