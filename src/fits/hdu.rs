//! HDU: a header, and the place and kind of its data.

use super::header::{BLOCK, Header};
use crate::error::{Error, Result, Status};
use std::fmt;

/// Largest number of axes or fields.
const MOST: i64 = 999;

/// Kind of an HDU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The primary HDU, an `IMAGE` extension, or one of another kind with `BITPIX` and axes.
    Image,
    /// Random groups, a deprecated form of the primary HDU.
    Groups,
    /// A binary table.
    Table,
    /// A binary table that holds a tile-compressed image.
    Tiles,
    /// A table of text.
    TextTable,
}

/// A header, and the place of its data.
#[derive(Clone, Debug)]
pub(super) struct Hdu {
    pub(super) header: Header,
    pub(super) kind: Kind,
    /// Bytes of a value, negative for floats: `BITPIX` / 8.
    pub(super) width: i64,
    /// Extents, the fastest axis first.
    pub(super) axes: Vec<u64>,
    /// First byte of the data in the file.
    pub(super) data: u64,
    /// Bytes of the data, with the heap of a table.
    pub(super) length: u64,
}

impl Hdu {
    /// Reads the structure from a header.
    pub(super) fn of_header(header: Header) -> Result<Hdu> {
        let extension = header.text("XTENSION")?.unwrap_or_default();
        let bits = header.needed("BITPIX", i64::MIN..=i64::MAX)?;
        if !matches!(bits, 8 | 16 | 32 | 64 | -32 | -64) {
            return Err(header.wrong("BITPIX", &format!("is {bits}; expected 8, 16, 32, 64, -32 or -64")));
        }
        let rank = header.needed("NAXIS", 0..=MOST)?;
        let mut axes = Vec::new();
        for axis in 1..=rank {
            axes.push(header.needed(&format!("NAXIS{axis}"), 0..=i64::MAX)?.unsigned_abs());
        }
        let is_groups = header.hdu == 0 && axes.first() == Some(&0) && header.is_true("GROUPS");
        let kind = match extension {
            _ if is_groups => Kind::Groups,
            "BINTABLE" if header.is_true("ZIMAGE") => Kind::Tiles,
            "BINTABLE" | "A3DTABLE" => Kind::Table,
            "TABLE" => Kind::TextTable,
            _ => Kind::Image,
        };
        if matches!(kind, Kind::Table | Kind::Tiles | Kind::TextTable) && (bits != 8 || rank != 2) {
            let keyword = if bits == 8 { "NAXIS" } else { "BITPIX" };
            return Err(header.wrong(keyword, "is not that of a table, which has BITPIX 8 and NAXIS 2"));
        }
        let mut hdu = Hdu { data: header.end, header, kind, width: bits / 8, axes, length: 0 };
        hdu.length = hdu.data_length()?;
        Ok(hdu)
    }

    /// Returns the product of the extents.
    pub(super) fn value_count(&self) -> Result<u64> {
        let axes = if self.kind == Kind::Groups { self.axes.get(1..).unwrap_or_default() } else { &self.axes };
        if axes.is_empty() {
            return Ok(0);
        }
        let count = axes.iter().try_fold(1_u64, |count, &axis| count.checked_mul(axis));
        count.filter(|&count| count <= i64::MAX as u64).ok_or_else(|| self.too_large())
    }

    fn data_length(&self) -> Result<u64> {
        let parameters = self.header.integer("PCOUNT", 0..=i64::MAX)?.unwrap_or(0).unsigned_abs();
        let groups = self.header.integer("GCOUNT", 0..=i64::MAX)?.unwrap_or(1).unsigned_abs();
        let values = self.value_count()?.checked_add(parameters);
        let bytes = values.and_then(|values| values.checked_mul(groups)?.checked_mul(self.width.unsigned_abs()));
        let fits = |&bytes: &u64| bytes <= i64::MAX as u64 - BLOCK && self.data <= i64::MAX as u64 - BLOCK - bytes;
        bytes.filter(fits).ok_or_else(|| self.too_large())
    }

    pub(super) fn too_large(&self) -> Error {
        let extents: Vec<String> = self.axes.iter().take(8).map(u64::to_string).collect();
        let more = if self.axes.len() > 8 { " x …" } else { "" };
        self.header.wrong("NAXIS", &format!("and NAXISn ({}{more}) give more bytes than 2^63", extents.join(" x ")))
    }

    /// Returns the byte at which the next HDU begins.
    pub(super) fn end(&self) -> u64 {
        self.data + self.length.next_multiple_of(BLOCK)
    }

    /// Returns the name without blanks at its end; empty without a name.
    pub(super) fn name(&self) -> &str {
        self.header.text("EXTNAME").ok().flatten().unwrap_or_default()
    }

    /// Returns the version.
    pub(super) fn version(&self) -> i64 {
        self.header.integer("EXTVER", i64::MIN..=i64::MAX).ok().flatten().unwrap_or(1)
    }

    /// Fails with [`Status::Truncated`] if the file of this length ends before the data.
    pub(super) fn check_complete(&self, length: u64) -> Result<()> {
        let end = self.data + self.length;
        if end <= length {
            return Ok(());
        }
        let message = format!("the data of {self} end at byte {end}, but the file has {length} bytes");
        Err(Error::new(Status::Truncated, message).at_offset(length))
    }
}

impl fmt::Display for Hdu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HDU {}", self.header.hdu)?;
        match self.name() {
            "" => Ok(()),
            name => write!(f, " ('{name}', {})", self.version()),
        }
    }
}
