//! FITS files: cards, headers, HDUs, and their data as arrays (FITS standard 4.0).
//!
//! Reads the file structure without a FITS library. An `ASDF` HDU holds a whole ASDF file, whose arrays can name the
//! other HDUs. This module does not read trees.

mod array;
pub(crate) mod card;
mod cards;
mod columns;
mod conversion;
mod converted;
mod file;
mod frame;
mod hdu;
mod header;
mod heap;
mod image;
mod name;
mod sums;
mod tiles;

pub(crate) use array::HduPlace;
pub(crate) use file::FitsFile;
pub(crate) use frame::{AsdfHeader, padding};
pub(crate) use image::{ImageElements, NewImage, hdu_name, primary_header};
pub(crate) use name::{HduTarget, is_hdu_source};
pub(crate) use sums::hash_of;
pub use tiles::{ImageDecoder, set_image_decoder};
