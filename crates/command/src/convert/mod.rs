//! Conversion between formats: tables as ECSV, ASDF, CSV, Parquet and Arrow; arrays of numpy or of raw bytes to ASDF; ASDF
//! files in FITS files and out of them; references.

pub(crate) mod arguments;
mod array;
mod arrow;
mod csv;
mod format;
mod npy;
mod parquet;
mod reference_folder;
pub(crate) mod references;
pub(crate) mod run;
pub(crate) mod select;
mod table;
mod whole;
