//! ECSV: tables as text, whose header is YAML in lines that begin with `#` (APE 6 of the Astropy project).
//!
//! A table is read from its first byte to its last, in the memory of a few records, also where it is compressed (gzip
//! and bzip2). What is told of places in errors and warnings are byte, line and column of its text.

mod columns;
mod datatype;
mod header;
mod input;
mod lines;
mod names;
mod options;

pub use header::{HeaderText, read as read_header};
pub use input::Input;
pub use options::{ExternalHeader, NamesPolicy, ReadOptions};
