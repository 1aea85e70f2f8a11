//! The arguments of `asdfkit convert`.

use super::format::Format;
use crate::core::arguments::{Packing, TableText, Threads, parse_name};
use crate::core::tree_path::TreePath;
use asdfkit::file::{StandardVersion, WriteOptions};
use clap::Args;
use std::path::PathBuf;

/// Convert a table between ECSV, ASDF, CSV and Parquet, or to Arrow; an array of numpy or of raw bytes to ASDF; ASDF from and
/// to FITS; or an ASDF file to another version of the standard
///
/// The suffixes of the names tell the formats, unless --from and --to do. `get --as npy` writes arrays of ASDF files
/// for numpy, and `ndl create` makes an ASDF file from a description. `convert x.fits x.asdf` takes ASDF out of a FITS
/// file: the data of the HDUs that its arrays name become blocks. `convert x.asdf x.fits` makes a FITS file with the HDU
/// `ASDF`; arrays that images can hold become HDUs. A FITS file without this HDU becomes a tree with the tag `fits/fits`,
/// and such a tree becomes that FITS file again; `--to plain-fits` makes a FITS file without ASDF of any tree. These two
/// need libasdfkit_formats. They tell what the new file does not hold, and then end with exit code 1 unless --lossy. A column of a CSV file becomes integers, floats
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
    pub(super) from: Option<Format>,
    /// Format of the file to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(super) to: Option<Format>,
    /// Path of the table or array in the ASDF file; by default the first table of a file to read, and `table` or `data`
    /// in a file to write
    #[arg(short, long, value_name = "PATH")]
    pub(super) path: Option<TreePath>,
    /// Columns of the table, separated by commas, in this order
    #[arg(short, long, value_delimiter = ',', value_name = "NAMES", value_parser = parse_name)]
    pub(super) columns: Option<Vec<String>>,
    #[command(flatten)]
    pub(super) text: TableText,
    /// Datatype of raw elements, such as float32 or >int16
    #[arg(long, value_name = "DATATYPE")]
    pub(super) datatype: Option<String>,
    /// Shape of raw elements, such as 512,512
    #[arg(long, value_delimiter = ',', value_name = "EXTENTS")]
    pub(super) shape: Option<Vec<i64>>,
    /// End with exit code 0 even if the new file does not hold everything
    #[arg(long)]
    pub(super) lossy: bool,
    /// Version of the ASDF standard of the file to write, such as 1.5.0: tags, forms and implied defaults become those of
    /// this version
    #[arg(long, value_name = "VERSION", value_parser = standard_version)]
    pub(super) standard: Option<StandardVersion>,
    /// Replace an existing file
    #[arg(short, long)]
    pub(super) force: bool,
    #[command(flatten)]
    pub(super) packing: Packing,
    #[command(flatten)]
    pub(super) threads: Threads,
}

impl Arguments {
    /// Returns the options for writing a new ASDF file.
    pub(super) fn write_options(&self) -> WriteOptions {
        let (threads, as_standard) = (self.threads.number(), self.standard);
        WriteOptions { replace: self.force, threads, as_standard, ..WriteOptions::default() }
    }
}

fn standard_version(text: &str) -> Result<StandardVersion, String> {
    let known = StandardVersion::ALL.map(StandardVersion::as_str).join(", ");
    let known_as = |text: &str| StandardVersion::from_text(text);
    known_as(text)
        .or_else(|| known_as(&format!("{text}.0")))
        .ok_or_else(|| format!("the versions of the standard are {known}"))
}
