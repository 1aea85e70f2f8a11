//! Conversion of tables, in batches where the formats allow it.

use super::arguments::Arguments;
use super::format::Format;
use super::{arrow, csv, parquet};
use crate::core::call::check_interrupt;
use crate::core::failure::{Failure, Result};
use crate::core::input::{Input, is_standard};
use crate::core::new_file::{self, tell_new_warnings};
use crate::core::output::{Output, Standard, warn};
use crate::core::tables::{Batches, Part};
use crate::look::table::write_csv;
use asdfkit::TableWriteOptions;
use asdfkit::file::{ArrayOptions, File, NewOptions};
use asdfkit::table::Table;
use asdfkit::table::ecsv::{self, TableWriter};
use std::io::Write;

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
    match to {
        Format::Asdf => write_asdf(&batches.read_all()?, arguments, output),
        Format::Ecsv => write_ecsv(&mut batches, arguments, output),
        Format::Csv => write_stream(arguments, output, |out| {
            let mut first = true;
            while let Some((table, rows)) = next(&mut batches)? {
                write_csv(&table, rows, first, &[], out)?;
                first = false;
            }
            Ok(())
        }),
        Format::Parquet => write_stream(arguments, output, |out| {
            let mut file = None;
            while let Some((table, rows)) = next(&mut batches)? {
                parquet::write(&mut file, &table, rows, out)?;
            }
            parquet::finish(file, out)
        }),
        _ => write_stream(arguments, output, |out| {
            let mut stream = None;
            while let Some((table, rows)) = next(&mut batches)? {
                arrow::write(&mut stream, &table, rows, out)?;
            }
            arrow::finish(stream, out)
        }),
    }
}

fn next(batches: &mut Batches) -> Result<Option<(Table, std::ops::Range<usize>)>> {
    check_interrupt()?;
    batches.next()
}

/// Calls `write` with the new file, or with standard output.
fn write_stream(
    arguments: &Arguments,
    output: &mut Output,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    match is_standard(&arguments.target) {
        true => write(output.stream()),
        false => new_file::write(&arguments.target, arguments.force, write),
    }
}

fn write_asdf(table: &Table, arguments: &Arguments, output: &mut Output) -> Result<()> {
    let file = File::new(&NewOptions::default());
    let arrays = ArrayOptions { compression: arguments.packing.compression()?, ..ArrayOptions::default() };
    let options = TableWriteOptions { arrays, ..TableWriteOptions::default() };
    file.root()?.set_table(arguments.path.as_deref().unwrap_or(PLACE), table, &options)?;
    new_file::write_asdf(&arguments.target, output, |target| Ok(file.write(target, &arguments.write_options())?))?;
    tell_new_warnings(&file, &arguments.target, 0);
    Ok(())
}

fn write_ecsv(batches: &mut Batches, arguments: &Arguments, output: &mut Output) -> Result<()> {
    let threads = arguments.threads.number();
    let options = ecsv::WriteOptions { replace: arguments.force, threads, ..ecsv::WriteOptions::default() };
    let is_output = is_standard(&arguments.target);
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
                    false => TableWriter::create(&arguments.target, plain.header(), &options),
                };
                writer.insert(made.map_err(failed)?)
            }
        };
        writer.append(&table).map_err(failed)?;
    }
    let mut writer = writer.ok_or_else(|| Failure::usage("the table has no header"))?;
    writer.finish().map_err(failed)?;
    writer.warnings().iter().for_each(|warning| warn(&arguments.target.to_string_lossy(), warning));
    Ok(())
}
