//! Bytes around an ASDF file in a FITS file: the HDUs before and after it, and the header of its HDU.

use super::cards::Cards;
use super::file::FitsFile;
use super::hdu::Kind;
use super::header::BLOCK;
use super::sums::Sum;
use crate::error::Result;
use crate::source::Source;
use std::ops::Range;

/// The header of the HDU that holds an ASDF file, for any length of this file.
pub(crate) struct AsdfHeader {
    cards: Cards,
    axes: usize,
    is_table: bool,
}

impl AsdfHeader {
    /// Returns the header of a new HDU, in the form of a table with one row and one column.
    pub(crate) fn of_table() -> AsdfHeader {
        let mut cards = Cards::new();
        cards.add_text("XTENSION", "BINTABLE", "binary table extension");
        cards.add("BITPIX", "8", "array data type");
        cards.add("NAXIS", "2", "number of array dimensions");
        cards.add("NAXIS1", "0", "length of dimension 1");
        cards.add("NAXIS2", "1", "length of dimension 2");
        cards.add("PCOUNT", "0", "number of group parameters");
        cards.add("GCOUNT", "1", "number of groups");
        cards.add("TFIELDS", "1", "number of table fields");
        cards.add_text("TTYPE1", "ASDF_METADATA", "");
        cards.add_text("TFORM1", "0B", "");
        cards.add_text("EXTNAME", "ASDF", "extension name");
        AsdfHeader { cards: cards.end(), axes: 2, is_table: true }
    }

    /// Returns the size of the header.
    pub(crate) fn size(&self) -> u64 {
        self.cards.bytes().len() as u64
    }

    /// Returns whether the header has checksums, which depend on the bytes of the ASDF file.
    pub(crate) fn has_sums(&self) -> bool {
        self.cards.has_sums()
    }

    /// Returns the bytes of the header for an ASDF file of this length. `content` has the ASDF file at `start`.
    ///
    /// Fails with [`Status::Unsupported`](crate::Status::Unsupported) for a table with several columns.
    pub(crate) fn bytes(&self, length: u64, content: &dyn Source, start: u64) -> Result<Vec<u8>> {
        let mut cards = self.cards.clone();
        cards.describe_asdf(length, self.axes, self.is_table)?;
        if self.has_sums() {
            cards.set_sums(Sum::of_range(content, start..start + length)?);
        }
        Ok(cards.bytes().to_vec())
    }
}

impl FitsFile {
    /// Returns the header of the HDU that holds ASDF.
    pub(crate) fn asdf_header(&self) -> Result<AsdfHeader> {
        let hdu = self.asdf_hdu();
        let (axes, is_table) = hdu.map_or((0, false), |hdu| (hdu.axes.len(), hdu.kind == Kind::Table));
        Ok(AsdfHeader { cards: Cards::read(&*self.source, self.asdf_header_range())?, axes, is_table })
    }

    /// Returns the place of the header of the HDU that holds ASDF.
    pub(crate) fn asdf_header_range(&self) -> Range<u64> {
        self.asdf_hdu().map_or(0..0, |hdu| hdu.header_range())
    }

    /// Returns the bytes after the HDU that holds ASDF.
    pub(crate) fn after_asdf(&self) -> Range<u64> {
        let length = self.source.len();
        self.asdf_hdu().map_or(length, |hdu| hdu.end().min(length))..length
    }
}

/// Returns the number of zeros after data of this length.
pub(crate) fn padding(length: u64) -> u64 {
    length.next_multiple_of(BLOCK) - length
}
