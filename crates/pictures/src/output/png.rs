//! Pictures as PNG.

use crate::array::Raster;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::{self, Write};

/// First bytes of each file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Eight bits a channel, red, green and blue, the only compression and filter method, no interlacing.
const KIND: [u8; 5] = [8, 2, 0, 0, 0];
/// Bytes of a pixel.
const PIXEL: usize = 3;

/// Returns the picture as a PNG file. Fails for a picture without pixels.
pub fn encode(raster: &Raster) -> io::Result<Vec<u8>> {
    let side = |length: usize| match u32::try_from(length) {
        Ok(length @ 1..=0x7fff_ffff) => Ok(length.to_be_bytes()),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "a picture has from 1 to 2147483647 pixels along a side")),
    };
    let mut header = [side(raster.width())?, side(raster.height())?].concat();
    header.extend_from_slice(&KIND);
    let mut packed = ZlibEncoder::new(Vec::new(), Compression::default());
    let length = raster.width() * PIXEL;
    let mut above = vec![0; length];
    let mut filtered = Filtered::new(length);
    for line in raster.bytes().chunks_exact(length) {
        packed.write_all(filtered.best(line, &above))?;
        above.copy_from_slice(line);
    }
    let mut out = SIGNATURE.to_vec();
    for (name, content) in [(b"IHDR", header), (b"IDAT", packed.finish()?), (b"IEND", Vec::new())] {
        add_chunk(&mut out, name, &content)?;
    }
    Ok(out)
}

fn add_chunk(out: &mut Vec<u8>, name: &[u8; 4], content: &[u8]) -> io::Result<()> {
    let length = u32::try_from(content.len()).map_err(io::Error::other)?;
    out.extend_from_slice(&length.to_be_bytes());
    let start = out.len();
    out.extend_from_slice(name);
    out.extend_from_slice(content);
    let mut sum = Crc::new();
    sum.update(&out[start..]);
    out.extend_from_slice(&sum.sum().to_be_bytes());
    Ok(())
}

/// A line of bytes in three forms, each behind the number of its filter: as it is, as differences to the pixel on the
/// left, as differences to the line above.
struct Filtered {
    forms: [Vec<u8>; 3],
}

impl Filtered {
    fn new(length: usize) -> Filtered {
        Filtered { forms: [0, 1, 2].map(|filter| [vec![filter], vec![0; length]].concat()) }
    }

    /// Returns the form with the smallest sum of absolute differences, which usually compresses best.
    fn best(&mut self, line: &[u8], above: &[u8]) -> &[u8] {
        let [plain, left, up] = &mut self.forms;
        for (index, (&byte, &above)) in line.iter().zip(above).enumerate() {
            let before = index.checked_sub(PIXEL).map_or(0, |before| line[before]);
            plain[index + 1] = byte;
            left[index + 1] = byte.wrapping_sub(before);
            up[index + 1] = byte.wrapping_sub(above);
        }
        let weight =
            |form: &&Vec<u8>| form[1..].iter().map(|byte| u64::from(byte.cast_signed().unsigned_abs())).sum::<u64>();
        self.forms.iter().min_by_key(weight).map_or(&[], Vec::as_slice)
    }
}

/// Returns the picture as a URI that holds it, for pages. A picture without pixels has an empty one.
pub fn data_uri(raster: &Raster) -> String {
    encode(raster).map_or(String::new(), |bytes| format!("data:image/png;base64,{}", STANDARD.encode(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_have_lengths_and_sums() {
        let mut raster = Raster::new(3, 2, [1, 2, 3]);
        raster.set_pixel(2, 1, [200, 100, 50]);
        let bytes = encode(&raster).unwrap();
        assert_eq!(bytes[..24], *b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x03\0\0\0\x02");
        assert_eq!(bytes[bytes.len() - 12..], *b"\0\0\0\0IEND\xae\x42\x60\x82");
        assert!(encode(&Raster::new(0, 5, [0; 3])).is_err());
        assert_eq!(data_uri(&Raster::new(0, 5, [0; 3])), "");
    }

    #[test]
    fn lines_have_the_best_filter() {
        let mut filtered = Filtered::new(6);
        assert_eq!(filtered.best(&[9, 8, 7, 9, 8, 7], &[9, 8, 7, 9, 8, 7]), [2, 0, 0, 0, 0, 0, 0]);
        assert_eq!(filtered.best(&[9, 8, 7, 9, 8, 7], &[0; 6]), [1, 9, 8, 7, 0, 0, 0]);
        assert_eq!(filtered.best(&[0, 1, 0, 1, 0, 1], &[90; 6])[0], 0);
    }
}
