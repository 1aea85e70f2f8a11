//! Conversion between formats: tables as ECSV, ASDF, CSV and Arrow; arrays of numpy or of raw bytes to ASDF; ASDF files
//! in FITS files and out of them.

pub(crate) mod arguments;
mod array;
mod arrow;
mod csv;
mod format;
mod npy;
pub(crate) mod run;
mod table;
mod whole;
