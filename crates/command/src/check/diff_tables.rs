//! Differences between two tables. ECSV tables are read in batches of equal rows, tables of ASDF files as a whole.

use super::difference::{Difference, Differences, Tolerance};
use crate::core::arguments::TableText;
use crate::core::call::check_interrupt;
use crate::core::cells;
use crate::core::failure::Result;
use crate::core::input::Input;
use crate::core::tables::{Batches, Part};
use asdfkit::report::Operation;
use asdfkit::table::{Column, ColumnHeader, Header, Table, ecsv};
use serde_json::Value;

/// Number of rows that are compared together.
const BATCH_ROWS: u64 = 1 << 16;

/// Adds the differences between two tables.
pub(super) fn compare(
    inputs: &[Input; 2],
    text: &TableText,
    tolerance: Tolerance,
    threads: usize,
    out: &mut Differences,
) -> Result<()> {
    let options = ecsv::ReadOptions { batch_rows: BATCH_ROWS, threads, ..ecsv::ReadOptions::default() };
    let (mut old, mut new) = (inputs[0].text_table(text, options.clone())?, inputs[1].text_table(text, options)?);
    let headers = [old.header().clone(), new.header().clone()];
    compare_batches([&headers[0], &headers[1]], tolerance, out, || Ok([old.next_batch()?, new.next_batch()?]))
}

/// Adds the differences between a table of an ECSV file and one of an ASDF file, in either order.
pub(super) fn compare_formats(
    inputs: &[Input; 2],
    parts: &[Part; 2],
    tolerance: Tolerance,
    out: &mut Differences,
) -> Result<()> {
    let [old, new] =
        [Batches::open(&inputs[0], &parts[0])?.read_all()?, Batches::open(&inputs[1], &parts[1])?.read_all()?];
    let headers = [old.header().clone(), new.header().clone()];
    let mut tables = Some([Some(old), Some(new)]);
    compare_batches([&headers[0], &headers[1]], tolerance, out, || Ok(tables.take().unwrap_or_default()))
}

/// Adds the differences between tables whose batches have equal numbers of rows, up to the end of the shorter one.
fn compare_batches(
    headers: [&Header; 2],
    tolerance: Tolerance,
    out: &mut Differences,
    mut next: impl FnMut() -> Result<[Option<Table>; 2]>,
) -> Result<()> {
    let pairs = compare_headers(headers[0], headers[1], out);
    let mut found: Vec<Found> = pairs.iter().map(|_| Found::default()).collect();
    let (mut rows, mut total) = (0, [0_u64; 2]);
    loop {
        check_interrupt()?;
        let batches = next()?;
        for (sum, batch) in total.iter_mut().zip(&batches) {
            *sum += batch.as_ref().map_or(0, |batch| batch.row_count() as u64);
        }
        match &batches {
            [None, None] => break,
            [Some(old), Some(new)] => {
                for (pair, found) in pairs.iter().zip(&mut found) {
                    found.compare(old, new, pair, tolerance, rows);
                }
                rows += old.row_count().min(new.row_count()) as u64;
            }
            _ => {}
        }
    }
    if total[0] != total[1] {
        out.add(Difference::new(Operation::Change, "", format!("{} rows -> {} rows", total[0], total[1])));
    }
    for (pair, found) in pairs.iter().zip(found) {
        let Some((row, before, after)) = found.first else { continue };
        let message = format!("{} of {rows} cells differ, the first in row {row}: {before} -> {after}", found.count);
        out.add(Difference {
            old: Some(before),
            new: Some(after),
            first: Some(vec![row as i64]),
            elements: Some(found.count),
            ..Difference::new(Operation::Change, &pair.name, message)
        });
    }
    Ok(())
}

/// A column that both tables have.
struct Pair {
    name: String,
    old: usize,
    new: usize,
}

fn compare_headers(old: &Header, new: &Header, out: &mut Differences) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (position, column) in old.columns.iter().enumerate() {
        let Some(other) = new.columns.iter().position(|other| other.name == column.name) else {
            out.add(Difference::new(Operation::Remove, &column.name, described(column)));
            continue;
        };
        let counterpart = &new.columns[other];
        if described(column) != described(counterpart) {
            let message = format!("{} -> {}", described(column), described(counterpart));
            out.add(Difference::new(Operation::Change, &column.name, message));
        }
        if column.description != counterpart.description {
            out.add(Difference::new(Operation::Change, &column.name, "the description differs"));
        }
        pairs.push(Pair { name: column.name.clone(), old: position, new: other });
    }
    for column in &new.columns {
        if !old.columns.iter().any(|other| other.name == column.name) {
            out.add(Difference::new(Operation::Add, &column.name, described(column)));
        }
    }
    pairs
}

/// Returns type, shape and unit of a column.
fn described(column: &ColumnHeader) -> String {
    let unit = column.unit.as_deref().map(|unit| format!(" in {unit}")).unwrap_or_default();
    let shape = match &column.cell_shape {
        asdfkit::table::CellShape::Scalar => String::new(),
        shape => format!(" {shape:?}"),
    };
    format!("column of {}{shape}{unit}", column.element_type)
}

/// Cells of a column that differ.
#[derive(Default)]
struct Found {
    count: u64,
    first: Option<(u64, Value, Value)>,
}

impl Found {
    fn compare(&mut self, old: &Table, new: &Table, pair: &Pair, tolerance: Tolerance, before: u64) {
        let (left, right): (&Column, &Column) = (&old.columns()[pair.old], &new.columns()[pair.new]);
        let count = old.row_count().min(new.row_count());
        let plain = |column: &Column| column.cells().is_none() && column.elements().is_none();
        if plain(left) && plain(right) && left.values() == right.values() && left.offsets() == right.offsets() {
            return;
        }
        for row in 0..count {
            let equal = match (cells::number(left, row), cells::number(right, row)) {
                (Some(one), Some(other)) => {
                    tolerance.equal(one, other)
                        && (one != other || one.abs() < 9e15 || cells::text(left, row) == cells::text(right, row))
                }
                _ => cells::text(left, row) == cells::text(right, row),
            };
            if !equal {
                self.count += 1;
                let values = || (before + row as u64, cells::json(left, row), cells::json(right, row));
                self.first.get_or_insert_with(values);
            }
        }
    }
}
