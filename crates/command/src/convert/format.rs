//! Formats that files are converted from and to.

use crate::core::failure::{Failure, Result};
use crate::core::input::is_standard;
use clap::ValueEnum;
use std::ffi::OsStr;
use std::path::Path;

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// ASDF (.asdf)
    Asdf,
    /// ECSV, compressed or not (.ecsv, .ecsv.gz)
    Ecsv,
    /// Comma-separated values with a line of names (.csv)
    Csv,
    /// Stream of Arrow, which pyarrow, polars and DuckDB read (.arrows); only to convert to
    Arrow,
    /// Parquet, with units and metadata (.parquet, .parq)
    Parquet,
    /// Array of numpy (.npy); only to convert from
    Npy,
    /// Packed elements in C order (.raw); only to convert from
    Raw,
    /// FITS file (.fits, .fits.gz, .fit, .fts): with ASDF in the HDU `ASDF`, as JWST products have it, or without
    Fits,
    /// FITS file without ASDF; only to convert to
    PlainFits,
}

/// Suffixes of names by format. Messages name the first one of each.
const SUFFIXES: [(Format, &[&str]); 8] = [
    (Format::Asdf, &[".asdf"]),
    (Format::Ecsv, &[".ecsv", ".ecsv.gz", ".ecsv.bz2", ".ecsv.xz"]),
    (Format::Csv, &[".csv"]),
    (Format::Arrow, &[".arrow", ".arrows"]),
    (Format::Parquet, &[".parquet", ".parq"]),
    (Format::Npy, &[".npy"]),
    (Format::Raw, &[".raw", ".bin"]),
    (Format::Fits, &[".fits", ".fits.gz", ".fit", ".fts"]),
];

impl Format {
    /// Returns the chosen format, or the one that the suffix of the name tells.
    pub(super) fn of(chosen: Option<Format>, path: &Path, option: &str) -> Result<Format> {
        chosen.or_else(|| Format::by_suffix(path)).ok_or_else(|| {
            let what = if is_standard(path) {
                "a stream has no suffix".to_owned()
            } else {
                let [others @ .., last] = SUFFIXES.map(|(_, suffixes)| suffixes[0]);
                format!("the suffix is none of {} and {last}", others.join(", "))
            };
            let advice = match option {
                "--to" if has_suffix(path, &[".zarr", ".json"]) => {
                    "; `asdfkit references` writes references to arrays for zarr and xarray"
                }
                _ => "",
            };
            Failure::usage(format!("{}: {what}; give {option}{advice}", path.display()))
        })
    }

    /// Returns the format of tables that the suffix of a name tells.
    pub(super) fn of_table(path: &Path) -> Option<Format> {
        Format::by_suffix(path).filter(|format| format.holds_tables())
    }

    fn by_suffix(path: &Path) -> Option<Format> {
        SUFFIXES.iter().find(|(_, suffixes)| has_suffix(path, suffixes)).map(|(format, _)| *format)
    }

    /// Returns true if files of this format hold tables, or may hold them.
    pub(super) fn holds_tables(self) -> bool {
        !matches!(self, Format::Npy | Format::Raw | Format::Fits | Format::PlainFits)
    }
}

/// Returns whether the name of a file ends with one of these suffixes, in any case of letters.
fn has_suffix(path: &Path, suffixes: &[&str]) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    suffixes.iter().any(|suffix| name.ends_with(suffix))
}
