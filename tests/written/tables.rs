//! Tables: ECSV text, the forms in an ASDF file, and Arrow arrays.

use crate::random::Lcg;
use crate::{arrays, check_refusal, content, texts};
use asdfkit::array::{Datatype, Order, ScalarType};
use asdfkit::file::{File, NewOptions, OpenOptions, WriteOptions};
use asdfkit::table::arrow::{Array, ArrayView, Field, Importer};
use asdfkit::table::ecsv::{self, EmptyStrings, JsonNumbers};
use asdfkit::table::{Column, ColumnData, Delimiter, ElementType, Table, logical_columns};
use asdfkit::{Limits, Result, TableForm, TableReadOptions, TableWriteOptions};
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// Texts that are valid JSON, numbers of 128 bits, or neither.
const KEPT: &[&str] =
    &["1", "1.5", "1e4000", "nan", "-inf", "null", "[1, \"a\"]", "{\"a\": null}", "\"\\u0000\"", "(1+2j)", "x", ""];

fn elements(random: &mut Lcg, count: usize) -> (Datatype, Vec<u8>) {
    let datatype = match random.below(5) {
        0 => Datatype::Ucs4(*random.pick(&[0, 1, 5])),
        _ => Datatype::Scalar(*random.pick(ScalarType::ALL)),
    };
    let mut bytes = Vec::new();
    arrays::fill(random, &datatype, count, &mut bytes);
    (datatype, bytes)
}

fn add_column(random: &mut Lcg, table: &mut Table) -> Result<String> {
    let (name, rows) = (texts::name(random), table.row_count());
    match random.below(6) {
        0 | 1 => {
            let cells: Vec<Option<Cow<str>>> =
                (0..rows).map(|_| (random.below(4) > 0).then(|| texts::text(random).into())).collect();
            table.add_texts(&name, ElementType::String, false, cells.into_iter())?;
        }
        2 => {
            let element_type = *random.pick(&[ElementType::Json, ElementType::Float128, ElementType::Complex256]);
            let cells: Vec<Option<Cow<str>>> =
                (0..rows).map(|_| (random.below(4) > 0).then(|| (*random.pick(KEPT)).into())).collect();
            table.add_texts(&name, element_type, false, cells.into_iter())?;
        }
        kind => {
            let shape = if random.below(2) == 0 { Vec::new() } else { arrays::shape(random) };
            let row: i64 = shape.iter().try_fold(1_i64, |product, &extent| product.checked_mul(extent)).unwrap_or(0);
            let row = row.clamp(0, 50);
            let lengths: Vec<i64> =
                (0..rows).map(|_| (random.below(5) as i64 - 1) * row).map(|length| length.max(-1)).collect();
            let is_variable = kind == 3;
            let count = if is_variable { lengths.iter().map(|&length| length.max(0)).sum() } else { row * rows as i64 };
            let (datatype, bytes) = elements(random, count as usize);
            let mask: Vec<u8> = (0..count).map(|_| u8::from(random.below(4) == 0)).collect();
            let mask = (random.below(2) == 0).then_some(&mask[..]);
            let data = ColumnData { datatype, bytes: &bytes, order: Order::C, mask, blank_padded: false };
            if is_variable {
                table.add_variable(&name, &shape, &lengths, &data)?;
            } else {
                table.add_array(&name, &shape, &data)?;
            }
        }
    }
    Ok(name)
}

fn describe(random: &mut Lcg, table: &mut Table, name: &str) -> Result<()> {
    let maybe = |random: &mut Lcg| (random.below(4) == 0).then(|| texts::text(random));
    let (unit, description, format) = (maybe(random), maybe(random), maybe(random));
    table.describe_column(name, |header| {
        header.unit = unit;
        header.description = description;
        header.format = format;
    })
}

/// Returns a mapping for the metadata.
fn metadata(random: &mut Lcg) -> Result<asdfkit::file::Node> {
    let root = File::new(&NewOptions::default()).root()?;
    root.set_mapping("m", false)?;
    for _ in 0..random.below(4) {
        let path = format!("m/{}", texts::token(&texts::name(random)));
        match random.below(4) {
            0 => root.set_i64(&path, 5)?,
            1 => root.set_f64(&path, -0.5)?,
            2 => root.set_string(&format!("{path}/a/-"), &texts::text(random))?,
            _ => root.set_string(&path, &texts::text(random))?,
        }
    }
    if random.below(20) == 0 {
        let depth = *random.pick(&[100, 200, 250, 252, 253, 254, 255, 256, 300]);
        let mut node = root.make("m/deep")?;
        for _ in 0..depth {
            node.set_sequence("", random.below(2) == 0)?;
            node = node.make("-")?;
        }
    }
    root.at("m")
}

fn table(random: &mut Lcg, case: &str) -> Table {
    let mut table = Table::of_rows(random.below(5));
    let try_it = |result: Result<()>| {
        if let Err(error) = result {
            check_refusal(&error, case);
        }
    };
    for _ in 0..random.below(5) {
        let added = add_column(random, &mut table);
        try_it(added.and_then(|name| describe(random, &mut table, &name)));
    }
    if random.below(2) == 0 {
        try_it(metadata(random).and_then(|meta| table.set_meta(Some(&meta))));
    }
    table
}

/// Returns the content of a column. What missing elements hold does not count.
fn add_values(out: &mut String, column: &Column) {
    for row in 0..column.row_count() {
        if !column.has_cell(row) {
            out.push_str("- ");
            continue;
        }
        for index in column.elements_of(row) {
            match (column.has_element(index), column.values().text(), column.values().bytes()) {
                (false, ..) => out.push_str("_ "),
                (_, Some(text), _) => write!(out, "{:?} ", text.get(index)).unwrap(),
                (_, _, Some(bytes)) => {
                    let size = bytes.len() / column.values().len();
                    write!(out, "{:02x?} ", &bytes[index * size..][..size]).unwrap();
                }
                _ => {}
            }
        }
        out.push('|');
    }
    out.push('\n');
}

/// Returns the content of the columns of these names, as far as a writer keeps it.
fn content_of(table: &Table, names: &Table, is_bare: bool) -> Result<String> {
    let mut out = format!("{} rows\n", table.row_count());
    let logical = logical_columns(table.header());
    for named in &names.header().columns {
        let position = table.position(&named.name)?;
        let header = &table.header().columns[position];
        write!(out, "{:?} {} ", header.name, header.element_type).unwrap();
        if !is_bare {
            write!(out, "{:?} {:?} {:?} {:?} ", header.cell_shape, header.unit, header.description, header.format)
                .unwrap();
        }
        match logical.iter().find(|column| column.name == named.name) {
            Some(column) => add_values(&mut out, &*column.values(table)?),
            None => add_values(&mut out, table.column(&named.name)?),
        }
    }
    Ok(out)
}

/// Returns the content of the metadata. In ECSV, a mapping gets the tag of ordered ones, and an empty one is lost beside a
/// description of masked columns.
fn metadata_of(table: &Table) -> Result<String> {
    let content = table.header().meta.as_ref().map_or(Ok(String::new()), content::of_node)?;
    let content = content.replace("!tag:yaml.org,2002:omap ", "");
    Ok(if content == "{\n}\n" { String::new() } else { content })
}

fn check_same(wanted: &Table, found: &Table, is_bare: bool, case: &str) {
    let wanted_content = content_of(wanted, wanted, is_bare).unwrap();
    let found_content = content_of(found, wanted, is_bare).unwrap_or_else(|error| panic!("{case}: {error}"));
    assert!(wanted_content == found_content, "{case}\nexpected {wanted_content}\nfound {found_content}");
}

fn check_metadata(wanted: &Table, found: &Table, case: &str) {
    let [wanted, found] =
        [wanted, found].map(|table| metadata_of(table).unwrap_or_else(|error| panic!("{case}: {error}")));
    assert!(wanted == found, "{case}\nexpected {wanted}\nfound {found}");
}

fn check_ecsv(random: &mut Lcg, table: &Table, case: &str) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(*random.pick(&["t.ecsv", "t.ecsv.gz", "t.ecsv.bz2"]));
    std::fs::write(&path, "old").unwrap();
    let options = ecsv::WriteOptions {
        delimiter: *random.pick(&[None, Some(Delimiter::Space), Some(Delimiter::Comma)]),
        empty_strings: *random.pick(&[EmptyStrings::MarkColumns, EmptyStrings::MarkAllColumns, EmptyStrings::Refuse]),
        json_numbers: JsonNumbers::Names,
        replace: true,
        durable: false,
        threads: 1 + random.below(2),
        ..ecsv::WriteOptions::default()
    };
    match ecsv::write(&path, table, &options) {
        Ok(()) => {
            let read = ecsv::read(&path, &ecsv::ReadOptions::default());
            let read = read.unwrap_or_else(|error| panic!("{case}, ECSV: {error}"));
            assert!(read.warnings().is_empty(), "{case}, ECSV: {:?}", read.warnings());
            check_same(table, &read, false, &format!("{case}, ECSV"));
            // Marked columns are described in the metadata.
            if options.empty_strings == EmptyStrings::Refuse {
                check_metadata(table, &read, &format!("{case}, ECSV"));
            }
            1
        }
        Err(error) => {
            check_refusal(&error, &format!("{case}, ECSV"));
            assert_eq!(std::fs::read(&path).unwrap(), b"old", "{case}, ECSV");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "{case}, ECSV");
            0
        }
    }
}

fn check_asdf(random: &mut Lcg, table: &Table, case: &str) -> usize {
    let file = File::new(&NewOptions::default());
    let form = *random.pick(&TableForm::ALL);
    let options = TableWriteOptions { form, ..TableWriteOptions::default() };
    let label = format!("{case}, {form:?}");
    let written = file.root().unwrap().set_table("t", table, &options);
    match written.and_then(|()| file.write_to_memory(&WriteOptions::default())) {
        Ok(bytes) => {
            let file = File::open_memory(Arc::new(bytes), &OpenOptions::default()).unwrap();
            let read = file.root().unwrap().table("t", &TableReadOptions::default());
            let read = read.unwrap_or_else(|error| panic!("{label}: {error}"));
            check_same(table, &read, form == TableForm::Records, &label);
            if matches!(form, TableForm::Standard | TableForm::Astropy) {
                check_metadata(table, &read, &label);
            }
            1
        }
        Err(error) => {
            check_refusal(&error, &label);
            0
        }
    }
}

fn check_arrow(table: &Table, case: &str) -> usize {
    let label = format!("{case}, Arrow");
    let exported = Field::of_header(table.header()).and_then(|field| Ok((field, Array::of_table(table)?)));
    match exported {
        Ok((field, array)) => {
            let import = || {
                let mut importer = Importer::new(&field, &Limits::default())?;
                importer.append(&ArrayView::of(&array))?;
                importer.take()
            };
            let read = import().unwrap_or_else(|error| panic!("{label}: {error}"));
            check_same(table, &read, false, &label);
            check_metadata(table, &read, &label);
            1
        }
        Err(error) => {
            check_refusal(&error, &label);
            0
        }
    }
}

pub(crate) fn check(random: &mut Lcg, case: &str) -> usize {
    let table = table(random, case);
    check_ecsv(random, &table, case) + check_asdf(random, &table, case) + check_arrow(&table, case)
}
