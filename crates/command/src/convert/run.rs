//! `asdfkit convert`: the arguments, and the choice of the conversion.

use super::format::Format;
use super::{array, table};
use crate::core::arguments::{Packing, TableText, Threads};
use crate::core::failure::{Failure, Outcome, Result};
use crate::core::input::Input;
use crate::core::output::Output;
use crate::core::tree_path::TreePath;
use clap::Args;
use std::path::PathBuf;

/// Convert a table between ECSV, ASDF and CSV, or to Arrow; or an array of numpy or of raw bytes to ASDF
///
/// The suffixes of the names tell the formats, unless --from and --to do. `get --as npy` writes arrays of ASDF files
/// for numpy, and `ndl create` makes an ASDF file from a description. A column of a CSV file becomes integers, floats
/// or truth values (True, False) if all its fields are such; otherwise it becomes text, also if it has integers that
/// begin with 0.
#[derive(Args, Debug)]
pub(crate) struct Arguments {
    /// File to read; `-` is standard input
    pub(super) source: PathBuf,
    /// File to write; `-` is standard output
    pub(super) target: PathBuf,
    /// Format of the file to read
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Option<Format>,
    /// Format of the file to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    /// Path of the table or array in the ASDF file; by default the first table of a file to read, and `table` or `data`
    /// in a file to write
    #[arg(short, long, value_name = "PATH")]
    pub(super) path: Option<TreePath>,
    /// Columns of the table, separated by commas, in this order
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES")]
    pub(super) columns: Option<Vec<String>>,
    #[command(flatten)]
    pub(super) text: TableText,
    /// Datatype of raw elements, such as float32 or >int16
    #[arg(long, value_name = "DATATYPE")]
    pub(super) datatype: Option<String>,
    /// Shape of raw elements, such as 512,512
    #[arg(long, value_delimiter = ',', value_name = "EXTENTS")]
    pub(super) shape: Option<Vec<i64>>,
    /// Replace an existing file
    #[arg(short, long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) packing: Packing,
    #[command(flatten)]
    pub(super) threads: Threads,
}

/// Converts a file.
pub(crate) fn run(arguments: &Arguments, output: &mut Output) -> Result<Outcome> {
    let to = Format::of(arguments.to, &arguments.target, "--to")?;
    let input = Input::open(&arguments.source)?;
    input.check_differs(&arguments.target)?;
    // The first line tells more than the suffix: tables in ECSV are often called .csv, and files can be compressed.
    let is_free = arguments.from.is_none();
    let from = match () {
        () if arguments.text.is_given() || is_free && input.is_ecsv() => Format::Ecsv,
        () if is_free && input.is_asdf() => Format::Asdf,
        () => Format::of(arguments.from, &arguments.source, "--from")?,
    };
    match (from, to) {
        (Format::Arrow, _) => return Err(Failure::usage("streams of Arrow are only written")),
        (_, Format::Npy | Format::Raw) => {
            return Err(Failure::usage("`asdfkit get FILE PATH --as npy` writes arrays for numpy"));
        }
        (Format::Npy | Format::Raw, Format::Asdf) => array::convert(&input, arguments, from, output)?,
        (from, _) if from.holds_tables() => table::convert(&input, arguments, from, to, output)?,
        _ => return Err(Failure::usage("an array is converted to ASDF only")),
    }
    Ok(Outcome::Yes)
}
