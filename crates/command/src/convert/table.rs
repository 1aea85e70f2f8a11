//! Conversion of tables, in batches where the formats allow it.

use super::arguments::Arguments;
use super::arrow::{self, Exported};
use super::format::Format;
use super::{csv, parquet};
use crate::core::call::check_interrupt;
use crate::core::csv::write_csv;
use crate::core::failure::{Failure, Result};
use crate::core::input::{Input, is_standard};
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::{Output, Standard, warn};
use crate::core::tables::{Batches, Part, joined};
use asdfkit::array::TemporaryFiles;
use asdfkit::codec::Compression;
use asdfkit::file::{ArrayOptions, File, NewOptions, WriteOptions};
use asdfkit::table::Table;
use asdfkit::table::ecsv::{self, TableWriter};
use asdfkit::{NodeTableWriter, TableWriteOptions};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// Place of a table in a new ASDF file.
const PLACE: &str = "/table";

/// Converts a table.
pub(super) fn convert(
    input: &Input,
    arguments: &Arguments,
    from: Format,
    to: Format,
    output: &mut Output,
) -> Result<()> {
    let threads = arguments.threads.number();
    let path = if from == Format::Asdf { arguments.path.clone() } else { None };
    let part =
        Part { path, columns: arguments.columns.clone(), rows: 0..u64::MAX, threads, text: arguments.text.clone() };
    let mut batches = match from {
        Format::Csv => csv::open(input, &part, &arguments.text.null)?,
        Format::Asdf | Format::Parquet if !arguments.text.null.is_empty() => {
            return Err(Failure::usage("--null is for tables in text: ECSV and CSV files"));
        }
        Format::Parquet => parquet::open(input, &part)?,
        _ => Batches::open(input, &part)?,
    };
    let destination = Destination {
        target: &arguments.target,
        place: arguments.path.as_deref(),
        compression: arguments.packing.compression()?,
        options: arguments.write_options(),
    };
    write(&mut batches, to, &destination, output)
}

/// New file with a table.
pub(super) struct Destination<'a> {
    pub(super) target: &'a Path,
    /// Path of the table in an ASDF file.
    pub(super) place: Option<&'a str>,
    pub(super) compression: Option<Compression>,
    pub(super) options: WriteOptions,
}

/// Writes the rest of a table into a new file.
pub(super) fn write(batches: &mut Batches, to: Format, new: &Destination, output: &mut Output) -> Result<()> {
    match to {
        Format::Asdf => write_asdf(batches, new, output),
        Format::Ecsv => write_ecsv(batches, new, output),
        Format::Csv => write_stream(new, output, |out| {
            let mut first = true;
            while let Some((table, rows)) = next(batches)? {
                write_csv(&table, rows, first, &[], out)?;
                first = false;
            }
            Ok(())
        }),
        Format::Parquet => write_stream(new, output, |out| {
            let mut file = None;
            export(batches, new, |exported, rows| parquet::write(&mut file, &exported, rows, out))?;
            parquet::finish(file, out)
        }),
        _ => write_stream(new, output, |out| {
            let mut stream = None;
            export(batches, new, |exported, rows| arrow::write(&mut stream, &exported, rows, out))?;
            arrow::finish(stream, out)
        }),
    }
}

fn next(batches: &mut Batches) -> Result<Option<(Table, Range<usize>)>> {
    check_interrupt()?;
    batches.next()
}

/// Calls `write` with each batch as Arrow has it.
///
/// A table with times becomes one batch: if one time of a column is no whole number of nanoseconds, the type of the
/// column is another one.
fn export(
    batches: &mut Batches,
    new: &Destination,
    mut write: impl FnMut(Exported, Range<usize>) -> Result<()>,
) -> Result<()> {
    let name = new.target.to_string_lossy();
    let Some((first, rows)) = next(batches)? else { return Ok(()) };
    if arrow::has_times(&first)? {
        let rest = std::iter::from_fn(|| next(batches).transpose());
        let mut tables = std::iter::once(Ok((first, rows))).chain(rest).map(|batch| {
            let (table, rows) = batch?;
            part_of(table, rows)
        });
        let table = joined(&mut tables)?;
        let rows = 0..table.row_count();
        return write(Exported::of_table(&table, &name)?, rows);
    }
    write(Exported::of_table(&first, &name)?, rows)?;
    while let Some((table, rows)) = next(batches)? {
        write(Exported::of_table(&table, &name)?, rows)?;
    }
    Ok(())
}

/// Calls `write` with the new file, or with standard output.
fn write_stream(
    new: &Destination,
    output: &mut Output,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    match is_standard(new.target) {
        true => write(output.stream()),
        false => new_file::write(new.target, new.options.replace, write),
    }
}

/// Writes a table of one batch from memory, and all batches for a codec that needs whole columns. Otherwise batches are
/// gathered in a temporary file beside the new file.
fn write_asdf(batches: &mut Batches, new: &Destination, output: &mut Output) -> Result<()> {
    let file = File::new(&NewOptions::default());
    let arrays = ArrayOptions { compression: new.compression.clone(), ..ArrayOptions::default() };
    let options = TableWriteOptions { arrays, ..TableWriteOptions::default() };
    let (root, path) = (file.root()?, new.place.unwrap_or(PLACE));
    if options.arrays.compression.as_ref().is_some_and(|compression| !compression.takes_pieces()) {
        root.set_table(path, &batches.read_all()?, &options)?;
        return finish_asdf(&file, new, output);
    }
    let (first, rows) = next(batches)?.ok_or_else(|| Failure::usage("the table has no header"))?;
    let first = part_of(first, rows)?;
    match next(batches)? {
        None => root.set_table(path, &first, &options)?,
        Some((second, rows)) => {
            let mut writer =
                NodeTableWriter::begin(&root, path, first.header(), &options, &temporary_files(new.target))?;
            writer.append(&first)?;
            drop(first);
            writer.append(&part_of(second, rows)?)?;
            while let Some((table, rows)) = next(batches)? {
                writer.append(&part_of(table, rows)?)?;
            }
            writer.finish()?;
        }
    }
    finish_asdf(&file, new, output)
}

fn finish_asdf(file: &File, new: &Destination, output: &mut Output) -> Result<()> {
    new_file::write_asdf(new.target, output, |target| Ok(file.write(target, &new.options)?))?;
    tell_new_warnings(file, new.target, 0);
    Ok(())
}

/// Returns some rows of a table.
fn part_of(table: Table, rows: Range<usize>) -> Result<Table> {
    if rows == (0..table.row_count()) {
        return Ok(table);
    }
    Ok(table.slice(rows.start as u64, Some(rows.len() as u64), 1)?)
}

/// Returns the directory of the new file, which has room for its rows.
fn temporary_files(target: &Path) -> TemporaryFiles {
    match target.parent() {
        _ if is_standard(target) => TemporaryFiles::SystemDirectory,
        Some(folder) if !folder.as_os_str().is_empty() => TemporaryFiles::Directory(folder.to_owned()),
        _ => TemporaryFiles::Directory(".".into()),
    }
}

fn write_ecsv(batches: &mut Batches, new: &Destination, output: &mut Output) -> Result<()> {
    let WriteOptions { replace, threads, .. } = new.options;
    let options = ecsv::WriteOptions { replace, threads, ..ecsv::WriteOptions::default() };
    let is_output = is_standard(new.target);
    let failed = |error| if is_output { Failure::of_output(error) } else { Failure::from(error) };
    let mut writer = None;
    while let Some((table, _)) = next(batches)? {
        let writer = match &mut writer {
            Some(writer) => writer,
            None => {
                output.flush()?;
                let plain = table.with_plain_metadata()?;
                let made = match is_output {
                    true => TableWriter::to_stream(Box::new(Standard), plain.header(), &options),
                    false => TableWriter::create(new.target, plain.header(), &options),
                };
                writer.insert(made.map_err(failed)?)
            }
        };
        writer.append(&table).map_err(failed)?;
    }
    let mut writer = writer.ok_or_else(|| Failure::usage("the table has no header"))?;
    writer.finish().map_err(failed)?;
    writer.warnings().iter().for_each(|warning| warn(&new.target.to_string_lossy(), warning));
    Ok(())
}
