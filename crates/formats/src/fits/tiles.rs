//! Checks of tile-compressed images. cfitsio trusts what headers and streams say: it divides by sizes of tiles, and writes as many
//! pixels as a stream states.

use super::file::Hdu;
use super::table::Table;
use crate::failure::{Failure, Result, status};
use flate2::read::GzDecoder;
use std::io::Read;

/// Pixels of a tile that are always allowed. Larger tiles may not be larger than the image.
const TILE: i64 = 1 << 24;
/// First bytes of a stream of HCOMPRESS, and the size of what stands before its bits.
const HCOMPRESS: [u8; 2] = [0xdd, 0x99];
const HCOMPRESS_HEADER: usize = 25;
/// Keywords of the structure, and the first parts of numbered ones. cfitsio could take another one of several cards.
const STRUCTURE: [&str; 27] = [
    "BITPIX", "NAXIS", "PCOUNT", "GCOUNT", "TFIELDS", "THEAP", "TFORM", "TTYPE", "TSCAL", "TZERO", "TNULL", "TDIM",
    "ZIMAGE", "ZSIMPLE", "ZTENSION", "ZBITPIX", "ZNAXIS", "ZTILE", "ZCMPTYPE", "ZNAME", "ZVAL", "ZBLANK", "ZSCALE",
    "ZZERO", "ZQUANTIZ", "ZDITHER", "ZMASKCMP",
];

/// The tiles of an image: rows of a table.
pub(crate) struct Tiles {
    /// Extents of a tile in C order.
    extents: Vec<i64>,
    method: String,
    table: Table,
    /// Column of the streams of the method, and that of tiles that are compressed by gzip instead.
    streams: usize,
    gzip: Option<usize>,
}

impl Tiles {
    /// Reads the structure. Fails with the card, or the byte of a descriptor, unless header and descriptors fit each other.
    pub(super) fn read(shape: &[i64], hdu: &Hdu, data: &[u8]) -> Result<Tiles> {
        let header = &hdu.header;
        let is_structure =
            |keyword: &str| STRUCTURE.contains(&keyword.trim_end_matches(|letter: char| letter.is_ascii_digit()));
        if let Some(keyword) = header.repeated(is_structure) {
            return Err(header.failure(&keyword, format!("the keyword {keyword} has several cards")));
        }
        if let Some(keyword) = header.unprintable(is_structure) {
            return Err(header.failure(&keyword, "the card has bytes that are not printable ASCII"));
        }
        let table = Table::read(hdu, data)?;
        let extents = tile_of(shape, hdu)?;
        // The image has fewer than 2^60 pixels.
        let tiles: u64 = shape.iter().zip(&extents).map(|(&extent, &size)| tiles_along(extent, size)).product();
        if tiles != table.rows as u64 {
            let message = format!("the image has {tiles} tiles, but the table has {} rows", table.rows);
            return Err(header.failure("NAXIS2", message));
        }
        let method = header.text("ZCMPTYPE").unwrap_or_default().trim_end().to_owned();
        let forms: &[u8] = match method.as_str() {
            "RICE_1" | "RICE_ONE" | "GZIP_1" | "GZIP_2" | "HCOMPRESS_1" | "NOCOMPRESS" => b"BIJ",
            "PLIO_1" => b"IB",
            _ => return Err(header.failure("ZCMPTYPE", format!("the compression '{method}' is unknown"))),
        };
        let named = |name: &str| {
            let is_named = |name: &str, known: &str| known.trim_end().eq_ignore_ascii_case(name);
            table.columns.iter().position(|column| is_named(name, &column.name))
        };
        let Some(streams) = named("COMPRESSED_DATA") else {
            return Err(header.failure("TFIELDS", "the table has no column COMPRESSED_DATA"));
        };
        let column = &table.columns[streams];
        if column.form.descriptor.is_none() || !forms.contains(&column.form.code) {
            let message = "the column COMPRESSED_DATA has not the form of compressed tiles";
            return Err(header.failure(&format!("TFORM{}", column.number), message));
        }
        check_numbers(hdu, &method)?;
        let gzip = named("GZIP_COMPRESSED_DATA").filter(|&column| table.columns[column].form.descriptor.is_some());
        Ok(Tiles { extents, method, table, streams, gzip })
    }

    /// Checks the streams of the tiles that hold these pixels of an image of this shape. Fails with the byte of a descriptor.
    pub(super) fn check(&self, shape: &[i64], hdu: &Hdu, data: &[u8], first: i64, count: i64) -> Result<()> {
        let ([_, inner @ ..], [size, sizes @ ..]) = (shape, &self.extents[..]) else { return Ok(()) };
        let plane = inner.iter().product::<i64>() * size;
        let in_slab: u64 = inner.iter().zip(sizes).map(|(&extent, &size)| tiles_along(extent, size)).product();
        let slab = |pixel: i64| (pixel / plane.max(1)).unsigned_abs() * in_slab;
        let rows = slab(first)..slab(first + count - 1) + in_slab;
        for row in (rows.start..rows.end.min(self.table.rows as u64)).map(|row| row as usize) {
            let cell = |column: usize| self.table.variable_cell(&self.table.columns[column], data, row);
            let (stream, pixels) = (cell(self.streams)?, self.pixels_of(shape, row as i64));
            let fits = match self.method.as_str() {
                _ if stream.is_empty() => true,
                "HCOMPRESS_1" => is_hcompress(stream, pixels),
                "PLIO_1" => is_plio(stream),
                "GZIP_1" | "GZIP_2" => is_gzip(stream, pixels),
                _ => true,
            };
            let other = self.gzip.filter(|_| stream.is_empty()).map(cell).transpose()?.unwrap_or_default();
            if !fits || !other.is_empty() && !is_gzip(other, pixels) {
                let byte = hdu.data_offset + row * self.table.row_size + self.table.columns[self.streams].offset;
                let message = format!(
                    "HDU {}: the compressed image cannot be decoded: the stream of tile {} is damaged; its descriptor is at \
                     byte {byte}",
                    hdu.header.hdu,
                    row + 1
                );
                return Err(Failure::new(status::CORRUPT, message));
            }
        }
        Ok(())
    }
}

impl Tiles {
    /// Returns the number of pixels of a tile. Those at the end of an axis can be shorter.
    fn pixels_of(&self, shape: &[i64], tile: i64) -> i64 {
        let (mut rest, mut pixels) = (tile, 1);
        for (&extent, &size) in shape.iter().zip(&self.extents).rev() {
            let along = tiles_along(extent, size).max(1) as i64;
            pixels *= size.min(extent - rest % along * size);
            rest /= along;
        }
        pixels
    }
}

/// Returns the number of tiles along an axis.
fn tiles_along(extent: i64, size: i64) -> u64 {
    extent.unsigned_abs().div_ceil(size.unsigned_abs().max(1))
}

/// Returns the extents of a tile in C order: ZTILEn, or rows of the image.
fn tile_of(shape: &[i64], hdu: &Hdu) -> Result<Vec<i64>> {
    let header = &hdu.header;
    let (rank, image) = (shape.len(), shape.iter().product::<i64>());
    let mut tile = Vec::new();
    let mut pixels = 1_i64;
    for (place, extent) in shape.iter().enumerate() {
        let axis = rank - place;
        let keyword = format!("ZTILE{axis}");
        let size = match header.find(&keyword) {
            None if axis == 1 => *extent,
            None => 1,
            Some(_) => i64::try_from(header.count(&keyword)?).unwrap_or(i64::MAX),
        };
        let product = pixels.checked_mul(size).filter(|&product| product <= TILE.max(image));
        pixels = product.filter(|_| size > 0).ok_or_else(|| {
            header.failure(&keyword, format!("a tile with the extent {size} has no pixels, or more than the image"))
        })?;
        tile.push(size);
    }
    Ok(tile)
}

/// Checks the parameters of the method.
fn check_numbers(hdu: &Hdu, method: &str) -> Result<()> {
    let header = &hdu.header;
    let allowed = |keyword: &str, numbers: &[i64]| match header.find(keyword).map(|card| card.integer()) {
        Some(number) if !number.is_some_and(|number| numbers.contains(&number)) => {
            Err(header.failure(keyword, format!("the value is not one of {numbers:?}")))
        }
        _ => Ok(()),
    };
    if method.starts_with("RICE") {
        // cfitsio takes the first two by their numbers: size of a block, bytes of a pixel.
        allowed("ZVAL1", &[16, 32])?;
        allowed("ZVAL2", &[1, 2, 4, 8])?;
    }
    if let Some(card) = header.find("ZDITHER0")
        && !card.integer().is_some_and(|seed| (1..=10_000).contains(&seed))
    {
        return Err(header.failure("ZDITHER0", "the value is not an integer from 1 to 10000"));
    }
    Ok(())
}

/// Returns whether a stream of HCOMPRESS begins as one, for this number of pixels.
fn is_hcompress(cell: &[u8], pixels: i64) -> bool {
    let Some(head) = cell.get(..HCOMPRESS_HEADER).filter(|head| head.starts_with(&HCOMPRESS)) else { return false };
    let number = |at: usize| head[at..at + 4].iter().fold(0_i64, |number, byte| number << 8 | i64::from(*byte));
    let (rows, columns) = (number(2), number(6));
    rows > 0 && columns > 0 && rows * columns == pixels && head[22..25].iter().all(|planes| *planes < 64)
}

/// Returns whether the words of a stream of PLIO are as many as it states. The short header has the number in word 2, the long one
/// in words 3 and 4, and its own length in word 1.
fn is_plio(cell: &[u8]) -> bool {
    /// Operation whose value is in the next word.
    const WITH_WORD: i64 = 1;
    let words = cell.as_chunks::<2>().0;
    let word = |at: usize| words.get(at).map_or(-1, |word| i64::from(i16::from_be_bytes(*word)));
    let (length, first) = match word(2) {
        length if length > 0 => (length, 3),
        _ => ((word(4) << 15) + word(3), word(1)),
    };
    let (Ok(length), true) = (usize::try_from(length), first >= 0 && words.len() >= 5) else { return false };
    length < words.len() || length == words.len() && word(length - 1) / 4096 != WITH_WORD
}

/// Returns whether a gzip stream is whole, and has no more bytes than a tile of this number of pixels. cfitsio waits without end
/// for the rest of a damaged one.
fn is_gzip(stream: &[u8], pixels: i64) -> bool {
    let most = pixels.unsigned_abs().saturating_mul(8);
    let mut decoder = GzDecoder::new(stream).take(most.saturating_add(1));
    std::io::copy(&mut decoder, &mut std::io::sink()).is_ok_and(|size| size <= most)
}
