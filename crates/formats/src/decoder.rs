//! Decoding of tile-compressed images in memory: what the core calls for images of ASDF files in FITS files.

use crate::failure::{Failure, Result, status, zeros};
use crate::fits::compressed::{Compressed, Structure};
use crate::fits::file::{Kind, structure};
use crate::fits::header::Header;
use crate::fits::{BLOCK, CARD};

/// Decodes pixels of an HDU, given by its header and data. They are numbers as an image that is not compressed stores
/// them: big-endian, without scaling.
pub(crate) fn decode(hdu: &[u8], first: i64, count: i64, pixels: &mut [u8]) -> Result<()> {
    let parsed = structure(Header::read(hdu, 0, 1)?)?;
    if parsed.kind != Kind::CompressedImage {
        return Err(parsed.header.failure("ZIMAGE", "the HDU holds no tile-compressed image"));
    }
    let end = parsed.data_offset.checked_add(parsed.data_size).filter(|&end| end <= hdu.len());
    let end = end.ok_or_else(|| Failure::new(status::TRUNCATED, "the data of the compressed image are cut off"))?;
    let data = hdu.get(parsed.data_offset..end).unwrap_or_default();
    let image = Structure::of(&parsed, data)?;
    let total = image.shape.iter().product::<i64>();
    let range = (first >= 0 && count >= 0).then(|| first.checked_add(count)).flatten();
    if range.is_none_or(|end| end > total) {
        let message = format!("{count} pixels from pixel {first} on; the image has {total}");
        return Err(Failure::new(status::OUT_OF_RANGE, message));
    }
    let size = usize::try_from(count).ok().and_then(|count| count.checked_mul(image.form.stored_size()));
    if size != Some(pixels.len()) {
        let message = format!("the buffer has {} bytes, which are not those of {count} pixels", pixels.len());
        return Err(Failure::new(status::INVALID_ARGUMENT, message));
    }
    if pixels.is_empty() {
        return Ok(());
    }
    let (first, count) = (usize::try_from(first).unwrap_or(usize::MAX), usize::try_from(count).unwrap_or(0));
    image.check(&parsed, data, first, count)?;
    let mut file = zeros(BLOCK + end.next_multiple_of(BLOCK))?;
    file[..BLOCK].copy_from_slice(&primary());
    file[BLOCK..BLOCK + end].copy_from_slice(&hdu[..end]);
    let image = Compressed::in_memory(file, 1, parsed.data_offset, image.form)?;
    image.read_stored(first, pixels)
}

/// A primary HDU without data.
fn primary() -> Vec<u8> {
    let cards = ["SIMPLE  =                    T", "BITPIX  =                    8", "NAXIS   =                    0"];
    let mut bytes = Vec::new();
    for card in cards.iter().chain(&["EXTEND  =                    T", "END"]) {
        bytes.extend(format!("{card:<width$}", width = CARD).bytes());
    }
    bytes.resize(BLOCK, b' ');
    bytes
}
