//! Checks of tile-compressed images. cfitsio trusts what headers and streams say: it divides by sizes of tiles, and writes as many
//! pixels as a stream states.

use super::column::Column;
use super::file::Hdu;
use super::streams::Method;
use super::table::Table;
use crate::failure::{Failure, Result, status};

/// Pixels of a tile that are always allowed. Larger tiles may not be larger than the image.
const TILE: i64 = 1 << 24;
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
    method: Method,
    table: Table,
    /// Column of the streams of the method; those of tiles that are compressed by gzip instead, or not at all.
    streams: usize,
    gzip: Option<usize>,
    plain: Option<usize>,
    /// Size of a pixel of the image, and those that pixels can have in a gzip stream of the method.
    pixel: usize,
    sizes: &'static [usize],
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
        let method = method_of(hdu)?;
        let form = if method == Method::Plio { b'I' } else { b'B' };
        let named = |name: &str| {
            let is_named = |name: &str, known: &str| known.trim_end().eq_ignore_ascii_case(name);
            table.columns.iter().position(|column| is_named(name, &column.name))
        };
        let Some(streams) = named("COMPRESSED_DATA") else {
            return Err(header.failure("TFIELDS", "the table has no column COMPRESSED_DATA"));
        };
        if table.columns[streams].form.descriptor.is_none() {
            let message = "the column COMPRESSED_DATA has not the form of compressed tiles";
            return Err(header.failure(&format!("TFORM{}", table.columns[streams].number), message));
        }
        check_stored(hdu, &table.columns[streams], &[form])?;
        let variable = |name: &str| named(name).filter(|&column| table.columns[column].form.descriptor.is_some());
        let (gzip, plain) = (variable("GZIP_COMPRESSED_DATA"), variable("UNCOMPRESSED_DATA"));
        for (column, forms) in [(gzip, b"B".as_slice()), (plain, b"BIJKED")] {
            column.map_or(Ok(()), |column| check_stored(hdu, &table.columns[column], forms))?;
        }
        let bitpix = header.integer("ZBITPIX").unwrap_or(0);
        let sizes = sizes_of(hdu, bitpix, named("ZSCALE").or(named("ZZERO")).is_some())?;
        let pixel = (bitpix.unsigned_abs() / 8) as usize;
        Ok(Tiles { extents, method, table, streams, gzip, plain, pixel, sizes })
    }

    /// Checks the streams of the tiles that hold these pixels of an image of this shape. Fails with the byte of a descriptor.
    pub(super) fn check(&self, shape: &[i64], hdu: &Hdu, data: &[u8], first: i64, count: i64) -> Result<()> {
        let ([_, inner @ ..], [size, sizes @ ..]) = (shape, &self.extents[..]) else { return Ok(()) };
        let plane = inner.iter().product::<i64>() * size;
        let in_slab: u64 = inner.iter().zip(sizes).map(|(&extent, &size)| tiles_along(extent, size)).product();
        let slab = |pixel: i64| (pixel / plane.max(1)).unsigned_abs() * in_slab;
        let rows = slab(first)..slab(first + count - 1) + in_slab;
        for row in (rows.start..rows.end.min(self.table.rows as u64)).map(|row| row as usize) {
            if !self.is_whole(data, row, self.pixels_of(shape, row as i64))? {
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
    /// Returns true if the stream of a tile is whole. cfitsio takes the column of the method first, then that of pixels that
    /// are not compressed.
    fn is_whole(&self, data: &[u8], row: usize, pixels: i64) -> Result<bool> {
        let cell = |column: usize| self.table.variable_cell(&self.table.columns[column], data, row);
        let pixels = usize::try_from(pixels).unwrap_or(usize::MAX);
        let stream = cell(self.streams)?;
        if !stream.is_empty() {
            // Pixels that are floats themselves have no other method.
            let is_stored = self.method == Method::Gzip || self.sizes.len() > 1;
            return Ok(is_stored && self.method.fits(stream, pixels, self.sizes));
        }
        if let Some(plain) = self.plain {
            let size = self.table.columns[plain].stored_size();
            return Ok(pixels.checked_mul(size) == Some(cell(plain)?.len()));
        }
        let stream = self.gzip.map(cell).transpose()?.unwrap_or_default();
        Ok(Method::Gzip.fits(stream, pixels, &[self.pixel]))
    }

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
        // cfitsio counts pixels of a tile by `int`.
        let most = TILE.max(image).min(i32::MAX.into());
        let product = pixels.checked_mul(size).filter(|&product| product <= most);
        pixels = product.filter(|_| size > 0).ok_or_else(|| {
            header.failure(&keyword, format!("a tile with the extent {size} has no pixels, or more than the image"))
        })?;
        tile.push(size);
    }
    Ok(tile)
}

/// Reads the method, and checks its parameters.
fn method_of(hdu: &Hdu) -> Result<Method> {
    let header = &hdu.header;
    let number = |keyword: &str, allowed: &[i64], default: i64| match header.find(keyword).map(|card| card.integer()) {
        None => Ok(default as usize),
        Some(Some(number)) if allowed.contains(&number) => Ok(number as usize),
        Some(_) => Err(header.failure(keyword, format!("the value is not one of {allowed:?}"))),
    };
    if let Some(card) = header.find("ZDITHER0")
        && !card.integer().is_some_and(|seed| (1..=10_000).contains(&seed))
    {
        return Err(header.failure("ZDITHER0", "the value is not an integer from 1 to 10000"));
    }
    let method = header.text("ZCMPTYPE").unwrap_or_default().trim_end();
    if (method.starts_with("RICE") || method == "HCOMPRESS_1") && header.float("ZVAL1").is_none() {
        // cfitsio goes on with a column that the table does not have.
        return Err(header.failure("ZVAL1", "the first parameter of the compression is missing, or not a number"));
    }
    Ok(match method {
        "RICE_1" | "RICE_ONE" => {
            // cfitsio takes both by their numbers. Files before ZVAL2 had this meaning have another name for it, and 4 bytes.
            let (block, pixel) = (number("ZVAL1", &[16, 32], 32)?, number("ZVAL2", &[1, 2, 4, 8], 4)?);
            let is_old = header.text("ZNAME2").is_some_and(|name| name.trim_end() == "NOISEBIT");
            Method::Rice { block, pixel: if is_old { 4 } else { pixel.min(4) } }
        }
        "GZIP_1" | "GZIP_2" => Method::Gzip,
        "HCOMPRESS_1" => Method::Hcompress,
        "PLIO_1" => Method::Plio,
        // Only tiles that are stored in other columns.
        "NOCOMPRESS" => Method::Unknown,
        _ => return Err(header.failure("ZCMPTYPE", format!("the compression '{method}' is unknown"))),
    })
}

/// Returns the sizes that pixels can have in a gzip stream: floats have their own, integers any one of theirs.
fn sizes_of(hdu: &Hdu, bitpix: i64, is_scaled: bool) -> Result<&'static [usize]> {
    let is_none = hdu.header.text("ZQUANTIZ").is_some_and(|text| text.trim_end().eq_ignore_ascii_case("NONE"));
    match bitpix {
        -32 if is_none || !is_scaled => Ok(&[4]),
        -64 if is_none || !is_scaled => Ok(&[8]),
        1.. if is_none => Err(hdu.header.failure("ZQUANTIZ", "cfitsio takes integers with the value NONE for floats")),
        64 => Ok(&[1, 2, 4, 8]),
        _ => Ok(&[1, 2, 4]),
    }
}

/// Checks that cfitsio takes the bytes of a column as they are stored.
fn check_stored(hdu: &Hdu, column: &Column, forms: &[u8]) -> Result<()> {
    let header = &hdu.header;
    if !forms.contains(&column.form.code) {
        let message = format!("the column {} has not the form of compressed tiles", column.name.trim_end());
        return Err(header.failure(&format!("TFORM{}", column.number), message));
    }
    for name in ["TSCAL", "TZERO", "TNULL"] {
        let keyword = format!("{name}{}", column.number);
        if header.find(&keyword).is_some() {
            return Err(header.failure(&keyword, "compressed tiles are neither scaled nor missing"));
        }
    }
    Ok(())
}
