//! FITS files (FITS standard 4.0): their cards, headers and data. Nothing here knows of ASDF.

mod bits;
pub(crate) mod card;
pub(crate) mod column;
pub(crate) mod compressed;
pub(crate) mod file;
pub(crate) mod format;
pub(crate) mod group;
mod hcompress;
pub(crate) mod header;
pub(crate) mod image;
mod streams;
pub(crate) mod table;
pub(crate) mod text_table;
mod tiles;

/// Size of a card in bytes.
pub(crate) const CARD: usize = 80;
/// Size of a block of the file in bytes.
pub(crate) const BLOCK: usize = 2880;
