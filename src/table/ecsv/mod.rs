//! ECSV: tables as text whose header is YAML, in lines that begin with `#` (APE 6 of the Astropy project).
//!
//! A table is read from the first byte to the last, with memory for a few records only. It may be compressed with gzip
//! or bzip2, and with xz or Zstandard if the cargo feature of that name is enabled. Places in errors and warnings are
//! byte, line and column of the decompressed text.
//!
//! [`write()`] writes a table, and [`TableWriter`] writes it batch by batch.

#[cfg(test)]
mod cancelled_test;
pub(super) mod read;
mod serialized;
#[cfg(test)]
pub(super) mod tests;
pub(super) mod write;

pub(super) use super::cell::json::Json;
pub(super) use super::cell::parse::complex_parts;
pub(super) use super::memory::kept_text::check as check_kept_text;
pub use read::header::{HeaderText, read as read_header};
pub use read::index::TableIndex;
pub use read::input::Input;
pub use read::options::{ExternalHeader, NamesPolicy, ReadOptions};
pub use read::probe::probe;
pub use read::reader::{TableReader, read};
pub use write::options::{EmptyStrings, JsonNumbers, TextCompression, WriteOptions};
pub use write::table_writer::{TableWriter, write};
