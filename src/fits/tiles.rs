//! Tile-compressed images. A decoder that the program sets gives their pixels; the library has none of its own.

use super::hdu::{Hdu, Kind};
use crate::error::{Error, Result, Status};
use crate::process::{ForkMutex, ForkRwLock};
use crate::source::{Source, read_vec_at, zeroed_bytes};
use std::ops::Range;
use std::sync::{Arc, LazyLock, OnceLock};

/// Bytes of pixels that are decoded at once and kept: neighbouring reads decode a tile once.
const STRIP: u64 = if cfg!(test) { 64 } else { 16 << 20 };

/// Decodes pixels of a tile-compressed image. The arguments are header and data of the HDU, the number of the first pixel,
/// the number of pixels, and a buffer for them. Pixels are as an image without compression stores them: big-endian, of the
/// type of `ZBITPIX`, before `BSCALE` and `BZERO` are applied.
pub type ImageDecoder = dyn Fn(&[u8], i64, i64, &mut [u8]) -> Result<()> + Send + Sync;

static DECODER: LazyLock<ForkRwLock<Option<Arc<ImageDecoder>>>> = LazyLock::new(ForkRwLock::default);

/// Sets the decoder of tile-compressed images in FITS files, for all files and threads; `None` for no decoder.
///
/// Without a decoder, arrays in such images fail with [`Status::Unsupported`].
pub fn set_image_decoder(decoder: Option<Arc<ImageDecoder>>) -> Result<()> {
    *DECODER.write()? = decoder;
    Ok(())
}

/// Pixels of an image in the form of an image without compression.
pub(super) struct TilesSource {
    file: Arc<dyn Source>,
    /// Header and data of the HDU in the file.
    range: Range<u64>,
    decoder: Arc<ImageDecoder>,
    /// Bytes of a pixel.
    width: u64,
    length: u64,
    /// The bytes of the range.
    stored: OnceLock<Vec<u8>>,
    /// First byte of the strip that was decoded last, and its pixels.
    strip: ForkMutex<Option<(u64, Arc<Vec<u8>>)>>,
}

impl TilesSource {
    /// Returns the pixels of an image that [`Hdu::decoded`] describes.
    pub(super) fn new(file: Arc<dyn Source>, tiles: &Hdu, image: &Hdu) -> Result<TilesSource> {
        let Some(decoder) = DECODER.read()?.clone() else {
            let message = format!(
                "{tiles} is a tile-compressed image (ZIMAGE = T), which libasdfkit_formats decodes; load that library \
                 (asdf_formats_load), or make a plain image with funpack"
            );
            return Err(Error::new(Status::Unsupported, message).at_offset(tiles.header.start));
        };
        let range = tiles.header.start..tiles.data + tiles.length;
        let width = image.width.unsigned_abs();
        let (stored, strip) = (OnceLock::new(), ForkMutex::new(None));
        Ok(TilesSource { file, range, decoder, width, length: image.length, stored, strip })
    }

    fn stored(&self) -> Result<&[u8]> {
        if let Some(stored) = self.stored.get() {
            return Ok(stored);
        }
        let bytes = read_vec_at(&*self.file, self.range.start, self.range.end - self.range.start)?;
        Ok(self.stored.get_or_init(|| bytes))
    }

    /// Returns the strip that begins with a byte.
    fn strip(&self, start: u64) -> Result<Arc<Vec<u8>>> {
        let mut kept = self.strip.lock()?;
        if let Some((first, pixels)) = &*kept
            && *first == start
        {
            return Ok(pixels.clone());
        }
        let mut pixels = zeroed_bytes(STRIP.min(self.length - start))?;
        let (first, count) = (start / self.width, pixels.len() as u64 / self.width);
        let decoded = (self.decoder)(self.stored()?, first as i64, count as i64, &mut pixels);
        decoded.map_err(
            |error| if error.location().offset.is_none() { error.at_offset(self.range.start) } else { error },
        )?;
        let pixels = Arc::new(pixels);
        *kept = Some((start, pixels.clone()));
        Ok(pixels)
    }
}

impl Source for TilesSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let mut done = 0;
        while done < buffer.len() {
            let at = offset.saturating_add(done as u64);
            if at >= self.length {
                break;
            }
            let start = at - at % STRIP;
            let pixels = self.strip(start)?;
            let part = pixels.get((at - start) as usize..).unwrap_or_default();
            let count = part.len().min(buffer.len() - done);
            buffer[done..done + count].copy_from_slice(&part[..count]);
            done += count;
        }
        Ok(done)
    }
}

impl Hdu {
    /// Returns the image in an HDU of tiles, with its data at the start of a source.
    pub(super) fn decoded(&self) -> Result<Hdu> {
        let bits = self.header.needed("ZBITPIX", i64::MIN..=i64::MAX)?;
        if !matches!(bits, 8 | 16 | 32 | 64 | -32 | -64) {
            return Err(self.header.wrong("ZBITPIX", &format!("is {bits}; expected 8, 16, 32, 64, -32 or -64")));
        }
        let rank = self.header.needed("ZNAXIS", 1..=999)?;
        let mut axes = Vec::new();
        for axis in 1..=rank {
            axes.push(self.header.needed(&format!("ZNAXIS{axis}"), 0..=i64::MAX)?.unsigned_abs());
        }
        let mut image =
            Hdu { header: self.header.clone(), kind: Kind::Image, width: bits / 8, axes, data: 0, length: 0 };
        let bytes = image.value_count()?.checked_mul(image.width.unsigned_abs());
        image.length = bytes.filter(|&bytes| bytes <= i64::MAX as u64).ok_or_else(|| image.too_large())?;
        Ok(image)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemorySource;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn reads_of_any_range_decode_each_strip_once() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let decoder = move |hdu: &[u8], first: i64, count: i64, pixels: &mut [u8]| {
            counted.fetch_add(1, Ordering::Relaxed);
            assert_eq!((hdu, pixels.len()), (&b"hdu"[..], 2 * count as usize));
            for (pixel, number) in pixels.as_chunks_mut::<2>().0.iter_mut().zip(first..) {
                *pixel = (number as u16).to_be_bytes();
            }
            Ok(())
        };
        let source = TilesSource {
            file: Arc::new(MemorySource::of_vec(b"--hdu--".to_vec())),
            range: 2..5,
            decoder: Arc::new(decoder),
            width: 2,
            length: 2 * 100,
            stored: OnceLock::new(),
            strip: ForkMutex::new(None),
        };
        let all: Vec<u8> = (0..100_u16).flat_map(u16::to_be_bytes).collect();
        assert_eq!(read_vec_at(&source, 0, 200).unwrap(), all);
        assert_eq!(calls.load(Ordering::Relaxed), 4);
        for (offset, size) in [(0, 1), (3, 64), (63, 2), (191, 9), (199, 1), (60, 140)] {
            assert_eq!(read_vec_at(&source, offset, size).unwrap(), all[offset as usize..(offset + size) as usize]);
        }
        let mut rest = [7; 4];
        assert_eq!(source.read_at(198, &mut rest).unwrap(), 2);
        assert_eq!((rest, source.read_at(200, &mut [0]).unwrap()), ([0, 99, 7, 7], 0));
    }
}
