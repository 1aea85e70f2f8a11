//! ECSV: tables as text, whose header is YAML in lines that begin with `#` (APE 6 of the Astropy project).
//!
//! A table is read from its first byte to its last, in the memory of a few records, also where it is compressed (gzip,
//! bzip2, and xz and Zstandard with the features of these names). What is told of places in errors and warnings are byte,
//! line and column of its text.
//!
//! A table is written by [`write()`], or batch by batch by a [`TableWriter`].

mod array_writer;
mod arrays;
mod builders;
mod cells;
mod columns;
mod compressed_output;
mod convert;
mod datatype;
mod fault;
mod field_writer;
mod header;
mod header_writer;
mod input;
mod json;
mod kept_text;
mod lines;
mod marks;
mod names;
mod numbers;
mod options;
mod parse;
mod pieces;
mod probe;
mod reader;
mod record_writer;
mod records;
#[cfg(test)]
mod round_trips;
mod serialized;
mod table_writer;
mod write_options;
#[cfg(feature = "zstd")]
mod zstd;

pub use header::{HeaderText, read as read_header};
pub use input::Input;
pub(super) use json::Json;
pub(super) use kept_text::check as check_kept_text;
pub use options::{ExternalHeader, NamesPolicy, ReadOptions};
pub(super) use parse::complex_parts;
pub use probe::probe;
pub use reader::{TableReader, read};
pub use table_writer::{TableWriter, write};
pub use write_options::{EmptyStrings, JsonNumbers, TextCompression, WriteOptions};
