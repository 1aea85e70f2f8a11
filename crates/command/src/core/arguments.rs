//! Arguments that several sub-commands share.

use super::failure::{Failure, Result};
use asdfkit::array::{Array, Datatype, ScalarType};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::{Node, WriteOptions};
use asdfkit::table::Table;
use asdfkit::units::{Conversion, Spelling, Unit};
use clap::Args;
use std::path::{Path, PathBuf};

/// Input files.
#[derive(Args, Debug, Default)]
pub(crate) struct Files {
    /// Files to read; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Ways to read tables in text.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TableText {
    /// Text that means a missing cell in ECSV and CSV files, besides an empty field, such as null; can be repeated
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub(crate) null: Vec<String>,
    /// ECSV file whose header describes the rows of the file to read
    #[arg(long, value_name = "FILE")]
    pub(crate) header: Option<PathBuf>,
    /// Read all columns of a table in text as text; its header then needs no datatypes, or is missing
    #[arg(long, conflicts_with = "header")]
    pub(crate) as_text: bool,
}

impl TableText {
    /// True if the file is read as a table in text, whatever it begins with.
    pub(crate) fn is_given(&self) -> bool {
        self.header.is_some() || self.as_text
    }
}

/// Parses a number of rows or of anything else that is counted.
pub(crate) fn parse_number(text: &str) -> std::result::Result<u64, String> {
    text.parse().map_err(|_| "it is no whole number from 0".to_owned())
}

/// Parses a name in a list, without the blanks around it.
pub(crate) fn parse_name(text: &str) -> std::result::Result<String, std::convert::Infallible> {
    Ok(text.trim().to_owned())
}

/// Number of threads.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Threads {
    /// Maximum number of threads; 0 for the number of processors
    #[arg(long, default_value_t = 0, value_name = "NUMBER")]
    threads: usize,
}

impl Threads {
    /// Returns the number of threads.
    pub(crate) fn number(self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            number => number,
        }
    }
}

/// Unit to convert numbers to.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InUnit {
    /// Unit to read a quantity or a column in, such as km/s; integers become floats
    #[arg(short, long, value_name = "UNIT")]
    unit: Option<String>,
}

impl InUnit {
    /// Returns the datatype of the elements of an array in this unit, and their conversion.
    pub(crate) fn of(&self, array: &Array) -> Result<(Datatype, Option<Conversion>)> {
        let datatype = array.datatype().clone();
        let Some(unit) = &self.unit else { return Ok((datatype, None)) };
        let conversion = array.conversion_to(&Unit::read(unit, Spelling::Generic), &[])?;
        let is_integer = datatype.scalar().is_some_and(|scalar| scalar.name().contains("int"));
        Ok((if is_integer { ScalarType::Float64.into() } else { datatype }, Some(conversion)))
    }

    /// Returns the unit as it was given.
    pub(crate) fn text(&self) -> Option<String> {
        self.unit.clone()
    }

    /// Returns the number of a node in this unit; `None` if there is no unit.
    pub(crate) fn number(&self, node: &Node) -> Result<Option<f64>> {
        let Some(unit) = &self.unit else { return Ok(None) };
        Ok(Some(node.f64_in("", &Unit::read(unit, Spelling::Generic), &[])?))
    }
}

/// Units to convert columns to.
#[derive(Args, Clone, Debug)]
pub(crate) struct Units {
    /// Units to convert columns to, such as flux=Jy,distance=kpc
    #[arg(long, value_delimiter = ',', value_name = "COLUMN=UNIT")]
    units: Vec<String>,
}

impl Units {
    /// Returns the table with these columns in other units.
    pub(crate) fn convert(&self, mut table: Table) -> Result<Table> {
        for pair in &self.units {
            let Some((column, unit)) = pair.split_once('=') else {
                return Err(Failure::usage(format!("'{pair}' is no column with a unit: write flux=Jy")));
            };
            table.convert_column(column, &Unit::read(unit, Spelling::Generic), &[])?;
        }
        Ok(table)
    }
}

/// Compression of arrays.
#[derive(Args, Clone, Debug)]
pub(crate) struct Packing {
    /// Codec: none, zlib, bzp2, lz4, lz4f, zstd, blsc, bls2 or xz
    #[arg(long, value_name = "CODEC")]
    pub(crate) codec: Option<String>,
    /// Level of the codec
    #[arg(long, value_name = "NUMBER", requires = "codec")]
    pub(crate) level: Option<u32>,
}

impl Packing {
    /// Returns the compression; `None` stores bytes as they are.
    pub(crate) fn compression(&self) -> Result<Option<Compression>> {
        let wrong = |error: asdfkit::Error| Failure::usage(error.message());
        match self.codec.as_deref() {
            None | Some("none") => Ok(None),
            Some(name) => {
                let codec: Codec = name.parse().map_err(wrong)?;
                Ok(Some(Compression::new(codec, self.level).map_err(wrong)?))
            }
        }
    }
}

/// A new file.
#[derive(Args, Clone, Debug)]
pub(crate) struct Target {
    /// New file; `-` is standard output where the format allows it
    #[arg(value_name = "NEW", required_unless_present = "output")]
    new: Option<PathBuf>,
    /// New file, as an option
    #[arg(short, long, value_name = "NEW", conflicts_with = "new")]
    output: Option<PathBuf>,
    /// Replace an existing file
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl Target {
    /// Returns the name of the new file.
    pub(crate) fn path(&self) -> &Path {
        self.new.as_deref().or(self.output.as_deref()).unwrap_or(Path::new("-"))
    }

    /// Returns the options for writing the new file.
    pub(crate) fn options(&self, threads: Threads) -> WriteOptions {
        WriteOptions { replace: self.force, threads: threads.number(), ..WriteOptions::default() }
    }
}
