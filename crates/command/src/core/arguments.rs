//! Arguments that several sub-commands share.

use super::failure::{Failure, Result};
use asdfkit::codec::{Codec, Compression};
use asdfkit::file::WriteOptions;
use clap::Args;
use std::path::PathBuf;

/// Input files.
#[derive(Args, Debug)]
pub(crate) struct Files {
    /// Files to read; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Ways to read tables in text.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct TableText {
    /// Text that means a missing cell in ECSV and CSV files, besides an empty field, such as null; can be repeated
    #[arg(long, value_name = "TEXT")]
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

/// Number of threads.
#[derive(Args, Clone, Copy, Debug)]
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
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace an existing file
    #[arg(short, long)]
    pub(crate) force: bool,
}

impl Target {
    /// Returns the options for writing the new file.
    pub(crate) fn options(&self, threads: Threads) -> WriteOptions {
        WriteOptions { replace: self.force, threads: threads.number(), ..WriteOptions::default() }
    }
}
