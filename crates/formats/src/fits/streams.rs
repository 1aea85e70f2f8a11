//! Streams of tiles, read without their pixels. cfitsio reads on behind a stream that ends too early, so each stream is
//! walked first: the walk takes the bits that the decoder of cfitsio takes.

use super::bits::Bits;
use super::hcompress;
use flate2::read::GzDecoder;

/// How a tile is compressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Method {
    /// Sizes of a block in pixels and of a pixel in bytes.
    Rice {
        block: usize,
        pixel: usize,
    },
    Gzip,
    Hcompress,
    Plio,
    Unknown,
}

impl Method {
    /// Returns true if cfitsio can decode the stream of a tile of this number of pixels, and reads no byte behind it.
    /// `sizes` are the sizes that pixels can have in a gzip stream.
    pub(super) fn fits(self, stream: &[u8], pixels: usize, sizes: &[usize]) -> bool {
        match self {
            Method::Rice { block, pixel } => walk_rice(stream, pixels, block, pixel).is_some(),
            Method::Gzip => is_gzip(stream, pixels, sizes),
            Method::Hcompress => hcompress::walk(stream, pixels).is_some(),
            Method::Plio => is_plio(stream),
            Method::Unknown => false,
        }
    }
}

/// Walks a RICE stream: the first pixel, then blocks of differences. Returns `None` if it ends before the last pixel.
fn walk_rice(stream: &[u8], pixels: usize, block: usize, pixel: usize) -> Option<()> {
    // Bits of the number of low bits, and the number that stands for pixels without a code.
    let (number_bits, plain) = match pixel {
        1 => (3, 7),
        2 => (4, 15),
        _ => (5, 26),
    };
    let mut bits = Bits::new(stream.get(pixel..)?);
    let mut rest = pixels;
    while rest > 0 {
        let count = rest.min(block);
        match bits.take(number_bits)? {
            0 => {}
            number if number == plain => bits.skip(count.checked_mul(8 * pixel)?)?,
            number => (0..count).try_for_each(|_| bits.skip_code(number - 1))?,
        }
        rest -= count;
    }
    Some(())
}

/// Returns true if the words of a stream of PLIO are as many as it states. The short header has the number in word 2, the long one
/// in words 3 and 4, and its own length in word 1.
fn is_plio(stream: &[u8]) -> bool {
    /// Operation whose value is in the next word.
    const WITH_WORD: i64 = 1;
    let words = stream.as_chunks::<2>().0;
    let word = |at: usize| words.get(at).map_or(-1, |word| i64::from(i16::from_be_bytes(*word)));
    let (length, first) = match word(2) {
        length if length > 0 => (length, 3),
        _ => ((word(4) << 15) + word(3), word(1)),
    };
    // cfitsio leaves all pixels of a stream without operations as they were in memory.
    let (Ok(length @ 1..), true) = (usize::try_from(length), first >= 0 && words.len() >= 5) else { return false };
    length < words.len() || length == words.len() && word(length - 1) / 4096 != WITH_WORD
}

/// Returns true if a gzip stream is whole, and holds pixels of one of these sizes. cfitsio waits without end for the rest of
/// a damaged stream, and takes pixels of any other size for doubles.
fn is_gzip(stream: &[u8], pixels: usize, sizes: &[usize]) -> bool {
    use std::io::Read;
    let most = (pixels as u64).saturating_mul(8).saturating_add(1);
    let mut decoder = GzDecoder::new(stream).take(most);
    std::io::copy(&mut decoder, &mut std::io::sink())
        .is_ok_and(|bytes| sizes.iter().any(|&size| bytes == (pixels as u64).saturating_mul(size as u64)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rice_needs_all_bits() {
        // A first pixel of one byte; a block of 2 pixels with one low bit (number 2): codes 01 1 and 1 0.
        let stream = [9, 0b0100_1110];
        let rice = Method::Rice { block: 32, pixel: 1 };
        assert!(rice.fits(&stream, 2, &[]));
        assert!(!rice.fits(&stream[..1], 2, &[]));
        // The third pixel has no end.
        assert!(!rice.fits(&stream, 3, &[]));
        assert!(!rice.fits(&[], 2, &[]));
        // Pixels without a code: 3 + 2 × 8 bits.
        assert!(rice.fits(&[9, 0b1110_0000, 0, 0], 2, &[]));
        assert!(!rice.fits(&[9, 0b1110_0000, 0], 2, &[]));
        // Blocks of equal pixels take 3 bits each.
        assert!(rice.fits(&[9, 0], 64, &[]));
        assert!(!rice.fits(&[9, 0], 65, &[]));
    }

    #[test]
    fn sizes_of_gzip_pixels() {
        use std::io::Write;
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(&[7; 8]).unwrap();
        let stream = encoder.finish().unwrap();
        assert!(Method::Gzip.fits(&stream, 2, &[1, 2, 4]));
        assert!(!Method::Gzip.fits(&stream, 2, &[8]));
        assert!(!Method::Gzip.fits(&stream, 3, &[1, 2, 4]));
        assert!(!Method::Gzip.fits(&stream[..stream.len() - 9], 2, &[1, 2, 4]));
    }
}
