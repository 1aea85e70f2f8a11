//! FITS files: cards, headers, HDUs, and their data as arrays (FITS standard 4.0).
//!
//! Reads the file structure without a FITS library. An `ASDF` HDU holds a whole ASDF file, whose arrays can name the
//! other HDUs. This module does not read trees.

mod array;
pub(crate) mod card;
mod columns;
mod conversion;
mod converted;
mod file;
mod hdu;
mod header;
mod name;

pub(crate) use file::FitsFile;
pub(crate) use name::is_hdu_source;
