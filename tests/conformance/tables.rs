//! Runs a corpus of ECSV tables with a manifest: the content of each file, or that it must be refused.

use crate::hex::hex;
use crate::metadata;
use crate::units;
use crate::verdict::{Findings, Verdict};
use asdfkit::table::ecsv::{self, ReadOptions};
use asdfkit::table::{CellShape, Column, ColumnHeader, Delimiter, ElementType, Table, Values};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::path::Path;

/// Returns the verdict of each entry of a manifest, in order.
pub(crate) fn run(manifest: &Path) -> Result<Vec<(String, Verdict)>, String> {
    let directory = manifest.parent().unwrap_or(Path::new("."));
    let text = std::fs::read(manifest).map_err(|error| format!("{}: {error}", manifest.display()))?;
    // The manifest contains metadata nested deeper than the default limit of this JSON reader.
    let mut reader = serde_json::Deserializer::from_slice(&text);
    reader.disable_recursion_limit();
    let json = Value::deserialize(&mut reader).map_err(|error| format!("{}: {error}", manifest.display()))?;
    let entries = json["samples"].as_array().ok_or_else(|| format!("{}: 'samples' is missing", manifest.display()))?;
    let verdict = |entry: &Value| {
        let name = entry["id"].as_str().unwrap_or("(an entry without a name)");
        let mut findings = Findings::new(false);
        judge(entry, directory, &mut findings);
        (name.to_owned(), findings.verdict())
    };
    Ok(entries.iter().map(verdict).collect())
}

fn judge(entry: &Value, directory: &Path, findings: &mut Findings) {
    let path = directory.join(entry["file"].as_str().unwrap_or_default());
    match std::fs::read(&path) {
        Ok(bytes) => {
            findings.same("", "the size of the file", Some(bytes.len() as u64), entry["bytes"].as_u64());
            let digest = hex(&Sha256::digest(&bytes));
            findings.same("", "the SHA-256 of the file", Some(digest.as_str()), entry["sha256"].as_str());
        }
        Err(error) => return findings.differ("", error),
    }
    let Some(options) = options(&entry["options"], findings) else { return };
    let expect = &entry["expect"];
    let may_hold = expect.get("if_ok").unwrap_or(expect);
    match (expect["outcome"].as_str().unwrap_or_default(), ecsv::read(&path, &options)) {
        ("ok", Ok(table)) => compare(expect, expect, &table, findings),
        ("either", Ok(table)) if may_hold.get("columns").is_some() => compare(expect, may_hold, &table, findings),
        ("either", _) => {}
        ("ok", Err(error)) => findings.differ("", error),
        ("error", Err(error)) => {
            let location = error.location();
            let is_placed = location.line.is_some() || location.offset.is_some();
            findings.same("", "whether the error tells a place", is_placed, true);
        }
        ("error", Ok(_)) => findings.differ("", "the table is read, but must be refused"),
        (other, _) => findings.differ("", format_args!("the outcome '{other}' is not known")),
    }
}

/// Returns the options in the manifest. An unknown option is a failure, because it would be ignored.
fn options(asked: &Value, findings: &mut Findings) -> Option<ReadOptions> {
    // The manifest describes the columns of the file.
    let mut options = ReadOptions { raw_columns: true, ..ReadOptions::default() };
    for (name, value) in asked.as_object().into_iter().flatten() {
        match name.as_str() {
            "null_values" => {
                let texts = value.as_array().into_iter().flatten().filter_map(Value::as_str);
                options.null_values = texts.map(str::to_owned).collect();
            }
            other => {
                findings.differ("", format_args!("the option '{other}' is not known"));
                return None;
            }
        }
    }
    Some(options)
}

fn compare(expect: &Value, content: &Value, table: &Table, findings: &mut Findings) {
    let header = table.header();
    if expect.get("version").is_some_and(|version| !version.is_null()) {
        findings.same("", "the version", header.version.as_deref(), expect["version"].as_str());
        let delimiter = match header.delimiter {
            Delimiter::Space => " ",
            Delimiter::Comma => ",",
        };
        findings.same("", "the delimiter", Some(delimiter), expect["delimiter"].as_str());
        findings.same("", "the schema", header.schema.as_deref(), expect["schema"].as_str());
        metadata::compare("/meta", &expect["meta"], header.meta.as_ref(), findings);
    }
    findings.same("", "the number of rows", Some(table.row_count() as u64), content["nrows"].as_u64());
    let columns = content["columns"].as_array().map(Vec::as_slice).unwrap_or_default();
    findings.same("", "the number of columns", header.columns.len(), columns.len());
    for ((expected, header), column) in columns.iter().zip(&header.columns).zip(table.columns()) {
        compare_column(expected, header, column, findings);
    }
}

fn compare_column(expected: &Value, header: &ColumnHeader, column: &Column, findings: &mut Findings) {
    let at = header.name.as_str();
    findings.same(at, "the name", Some(at), expected["name"].as_str());
    let mut text = |what, is: Option<&str>| findings.same(at, what, is, expected[what].as_str());
    text("datatype", Some(&header.declared_datatype));
    text("subtype", header.declared_subtype.as_deref());
    text("description", header.description.as_deref());
    text("format", header.format.as_deref());
    let unit = (header.unit.as_deref(), expected["unit"].as_str());
    if !units::are_same(unit.0, unit.1) {
        findings.differ(at, format_args!("the unit is {:?}, expected {:?}", unit.0, unit.1));
    }
    metadata::compare(&format!("{at}/meta"), &expected["meta"], header.meta.as_ref(), findings);
    let (kind, shape) = match column.cell_shape() {
        _ if column.element_type() == ElementType::Json => ("json", extents(column.cell_shape())),
        CellShape::Scalar => ("scalar", Vec::new()),
        CellShape::Fixed(_) => ("fixed", extents(column.cell_shape())),
        CellShape::Variable(_) => ("var", extents(column.cell_shape())),
    };
    findings.same(at, "the kind", Some(kind), expected["kind"].as_str());
    findings.same(at, "the shape", Some(&shape), expected["shape"].as_array());
    let alias = ["int", "float", "str"].contains(&expected["base"].as_str().unwrap_or_default());
    if !alias {
        findings.same(at, "the element type", Some(column.element_type().name()), expected["base"].as_str());
    }
    let rows = expected["values"].as_array().map(Vec::as_slice).unwrap_or_default();
    findings.same(at, "the number of cells", column.row_count(), rows.len());
    let others = expected["alt_values_oracle"].as_array();
    for (row, value) in rows.iter().enumerate() {
        let is = cell(column, row);
        if !is_same(&is, value) && !others.and_then(|others| others.get(row)).is_some_and(|other| is_same(&is, other)) {
            findings.differ(at, format_args!("row {row} is {is}, expected {value}"));
        }
    }
    if others.is_none() {
        compare_bits(expected, column, at, findings);
    }
}

fn extents(shape: &CellShape) -> Vec<Value> {
    match shape {
        CellShape::Scalar => Vec::new(),
        CellShape::Fixed(extents) => extents.iter().map(|&extent| extent.into()).collect(),
        CellShape::Variable(extents) => extents.iter().map(|&extent| extent.into()).chain([Value::Null]).collect(),
    }
}

/// Compares the bits of floats, except NaNs, whose bits text does not show.
fn compare_bits(expected: &Value, column: &Column, at: &str, findings: &mut Findings) {
    for (row, bits) in expected["bits"].as_array().into_iter().flatten().enumerate() {
        let Some(bits) = bits.as_str() else { continue };
        let is = match column.values() {
            Values::Float16(values) => format!("{:04x}", values[row]),
            Values::Float32(values) if values[row].is_nan() => continue,
            Values::Float32(values) => format!("{:08x}", values[row].to_bits()),
            Values::Float64(values) if values[row].is_nan() => continue,
            Values::Float64(values) => format!("{:016x}", values[row].to_bits()),
            _ => return findings.differ(at, "has no bits to compare"),
        };
        if column.has_cell(row) {
            findings.same(at, &format!("the bits of row {row}"), is.as_str(), bits);
        }
    }
}

/// Returns a cell in the form of the manifest.
fn cell(column: &Column, row: usize) -> Value {
    let elements = column.elements_of(row);
    match column.cell_shape() {
        CellShape::Scalar => element(column, elements.start, column.has_cell(row)),
        CellShape::Variable(_) if !column.has_cell(row) => Value::Null,
        CellShape::Fixed(extents) => nested(column, extents, elements.start),
        CellShape::Variable(extents) => {
            let of_last = extents.iter().product::<u64>().max(1) as usize;
            let mut extents = extents.clone();
            extents.push((elements.len() / of_last) as u64);
            nested(column, &extents, elements.start)
        }
    }
}

fn nested(column: &Column, extents: &[u64], start: usize) -> Value {
    let Some((&extent, inner)) = extents.split_first() else {
        return element(column, start, column.has_element(start));
    };
    let step = inner.iter().product::<u64>() as usize;
    (0..extent as usize).map(|index| nested(column, inner, start + index * step)).collect()
}

fn element(column: &Column, index: usize, is_there: bool) -> Value {
    if !is_there {
        return Value::Null;
    }
    match column.values() {
        Values::Bool8(values) => (values[index] == 1).into(),
        Values::Int8(values) => values[index].into(),
        Values::Int16(values) => values[index].into(),
        Values::Int32(values) => values[index].into(),
        Values::Int64(values) => values[index].into(),
        Values::Uint8(values) => values[index].into(),
        Values::Uint16(values) => values[index].into(),
        Values::Uint32(values) => values[index].into(),
        Values::Uint64(values) => values[index].into(),
        Values::Float16(values) => float(float16(values[index])),
        Values::Float32(values) => float(values[index].into()),
        Values::Float64(values) => float(values[index]),
        Values::Complex64(values) => values[index].map(|part| float(part.into())).to_vec().into(),
        Values::Complex128(values) => values[index].map(float).to_vec().into(),
        Values::Text(text) if column.element_type() == ElementType::Json => {
            let json = serde_json::from_str(text.get(index)).unwrap_or(Value::String("not JSON".into()));
            serde_json::json!({ "json": json })
        }
        Values::Text(text) => text.get(index).into(),
        other => format!("values of a type that is not known here: {:?}", other.scalar_type()).into(),
    }
}

/// Returns the value of a binary16 number with these bits.
fn float16(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 1023) / 1024.0);
    sign * match exponent {
        0 => fraction * 2_f64.powi(-14),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction) * 2_f64.powi(exponent - 15),
    }
}

/// Returns a float in the form of the manifest.
pub(crate) fn float(value: f64) -> Value {
    match value {
        _ if value.is_nan() => "nan".into(),
        f64::INFINITY => "inf".into(),
        f64::NEG_INFINITY => "-inf".into(),
        _ => value.into(),
    }
}

/// Returns whether two values are equal; the spelling of numbers is ignored.
fn is_same(is: &Value, expected: &Value) -> bool {
    match (is, expected) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || (one.is_f64() || other.is_f64()) && one.as_f64() == other.as_f64()
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| is_same(value, other)))
        }
        // A line break in a cell may be the one of the file.
        (Value::String(one), Value::String(other)) => one == other || one.replace("\r\n", "\n") == *other,
        _ => is == expected,
    }
}
