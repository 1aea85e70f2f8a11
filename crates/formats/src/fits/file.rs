//! A FITS file as a list of HDUs.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::read::MultiGzDecoder;
use memmap2::Mmap;
use tempfile::NamedTempFile;

use super::header::Header;
use super::{BLOCK, CARD};
use crate::failure::{Failure, Result, status};

/// Largest number of axes that the standard allows.
const MAX_AXES: u64 = 999;

/// Kind of the data of an HDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Image,
    BinaryTable,
    /// A binary table that holds the tiles of an image.
    CompressedImage,
    TextTable,
    /// Random groups, and extensions that the standard does not know.
    Other,
}

/// A header and the place of its data.
pub(crate) struct Hdu {
    pub(crate) header: Header,
    pub(crate) kind: Kind,
    pub(crate) bitpix: i64,
    /// Extents as the file orders them, fastest axis first.
    pub(crate) axes: Vec<u64>,
    pub(crate) data_offset: usize,
    /// Size of the data without padding.
    pub(crate) data_size: usize,
}

impl Hdu {
    /// Extents in C order.
    pub(crate) fn shape(&self) -> Vec<i64> {
        self.axes.iter().rev().map(|&extent| i64::try_from(extent).unwrap_or(i64::MAX)).collect()
    }
}

/// Decompresses a file of gzip to a temporary file, as cfitsio needs it, too. Returns `None` for other files.
fn decompressed(mut file: &File) -> io::Result<Option<NamedTempFile>> {
    let mut start = Vec::new();
    file.take(2).read_to_end(&mut start)?;
    file.rewind()?;
    if start != [0x1f, 0x8b] {
        return Ok(None);
    }
    let mut content = NamedTempFile::new()?;
    io::copy(&mut MultiGzDecoder::new(file), &mut content)?;
    Ok(Some(content))
}

/// An open file. Its bytes are mapped, and stay mapped as long as something uses them.
pub(crate) struct FitsFile {
    /// File with the bytes that are mapped.
    pub(crate) path: PathBuf,
    pub(crate) hdus: Vec<Hdu>,
    /// Byte after the last HDU with its padding, which the file need not have.
    pub(crate) end: usize,
    /// Number of bytes after the last HDU.
    pub(crate) trailing: usize,
    /// The decompressed bytes of a file that is compressed as a whole.
    _decompressed: Option<NamedTempFile>,
    map: Option<Mmap>,
}

impl FitsFile {
    /// Opens a file, compressed by gzip or not, and reads all headers.
    #[allow(unsafe_code)]
    pub(crate) fn open(path: &Path) -> Result<Arc<FitsFile>> {
        let mut file = File::open(path).map_err(|error| Failure::file(path, &error))?;
        let decompressed = decompressed(&file).map_err(|error| {
            let status = match error.kind() {
                io::ErrorKind::UnexpectedEof => status::TRUNCATED,
                io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => status::CORRUPT,
                _ => return Failure::file(path, &error),
            };
            Failure::new(status, format!("{}: the gzip stream is damaged: {error}", path.display()))
        })?;
        if let Some(content) = &decompressed {
            file = content.reopen().map_err(|error| Failure::file(path, &error))?;
        }
        let length = file.metadata().map_err(|error| Failure::file(path, &error))?.len();
        let map = if length == 0 {
            None
        } else {
            // SAFETY: the bytes are only read. As in the core, a program that truncates the file meanwhile ends this one.
            Some(unsafe { Mmap::map(&file) }.map_err(|error| Failure::file(path, &error))?)
        };
        let bytes = map.as_deref().unwrap_or_default();
        let (hdus, end) = read_hdus(bytes).map_err(|failure| failure.in_fits_file(path))?;
        let trailing = bytes.len().saturating_sub(end);
        let path = decompressed.as_ref().map_or(path, NamedTempFile::path).to_path_buf();
        Ok(Arc::new(FitsFile { path, hdus, end, trailing, _decompressed: decompressed, map }))
    }

    /// Data of an HDU, without padding.
    pub(crate) fn data(&self, hdu: &Hdu) -> &[u8] {
        let bytes = self.map.as_deref().unwrap_or_default();
        bytes.get(hdu.data_offset..hdu.data_offset + hdu.data_size).unwrap_or_default()
    }

    /// Returns the offset of the first byte of the padding of an HDU that is not as the standard wants it.
    pub(crate) fn unusual_padding(&self, hdu: &Hdu) -> Option<usize> {
        unusual_padding(self.map.as_deref().unwrap_or_default(), hdu)
    }
}

/// Padding is blanks behind the word END of a header and behind an ASCII table, zeros behind other data.
fn unusual_padding(bytes: &[u8], hdu: &Hdu) -> Option<usize> {
    let end = hdu.data_offset + hdu.data_size;
    let after_end = hdu.header.offset + hdu.header.cards.len() * CARD + "END".len();
    let fill = if hdu.kind == Kind::TextTable { b' ' } else { 0 };
    [(after_end, hdu.data_offset, b' '), (end, end.next_multiple_of(BLOCK), fill)].into_iter().find_map(
        |(start, end, fill)| {
            let padding = bytes.get(start..end.min(bytes.len())).unwrap_or_default();
            padding.iter().position(|&byte| byte != fill).map(|position| start + position)
        },
    )
}

/// Reads all HDUs. Also returns where the last one ends.
fn read_hdus(bytes: &[u8]) -> Result<(Vec<Hdu>, usize)> {
    if !bytes.starts_with(b"SIMPLE  =") {
        return Err(Failure::new(status::FITS_HEADER, "HDU 0: this is no FITS file: it does not start with SIMPLE"));
    }
    let mut hdus = Vec::new();
    let mut offset = 0;
    while offset == 0 || bytes.get(offset..).is_some_and(|rest| rest.starts_with(b"XTENSION")) {
        let hdu = read_hdu(bytes, offset, hdus.len())?;
        offset = (hdu.data_offset + hdu.data_size).next_multiple_of(BLOCK);
        hdus.push(hdu);
    }
    Ok((hdus, offset))
}

fn read_hdu(bytes: &[u8], offset: usize, number: usize) -> Result<Hdu> {
    let hdu = structure(Header::read(bytes, offset, number)?)?;
    let (data_offset, size) = (hdu.data_offset, hdu.data_size);
    if data_offset.checked_add(size).is_none_or(|end| end > bytes.len()) {
        return Err(Failure::new(
            status::TRUNCATED,
            format!(
                "HDU {number}: the data at byte {data_offset} has {size} bytes, but the file ends at byte {}",
                bytes.len()
            ),
        ));
    }
    Ok(hdu)
}

/// Reads the structure that a header states. Its data need not exist.
pub(crate) fn structure(header: Header) -> Result<Hdu> {
    let bitpix = header
        .integer("BITPIX")
        .filter(|bitpix| matches!(bitpix, 8 | 16 | 32 | 64 | -32 | -64))
        .ok_or_else(|| header.failure("BITPIX", "BITPIX must be 8, 16, 32, 64, -32 or -64"))?;
    let rank = header.count("NAXIS")?;
    if rank > MAX_AXES {
        return Err(header.failure("NAXIS", format!("{rank} axes are more than {MAX_AXES}")));
    }
    let axes = (1..=rank).map(|axis| header.count(&format!("NAXIS{axis}"))).collect::<Result<Vec<_>>>()?;
    let size = data_size(&header, bitpix, &axes)?;
    let data_offset = header.offset + header.size;
    let data_size = usize::try_from(size).map_err(|_| header.failure("NAXIS1", "the data are larger than memory"))?;
    let kind = kind(&header, &axes);
    Ok(Hdu { kind, bitpix, axes, data_offset, data_size, header })
}

fn kind(header: &Header, axes: &[u64]) -> Kind {
    match header.text("XTENSION") {
        None if header.hdu == 0 => {
            if is_groups(header, axes) {
                Kind::Other
            } else {
                Kind::Image
            }
        }
        Some("IMAGE" | "IUEIMAGE") => Kind::Image,
        Some("BINTABLE" | "A3DTABLE") if axes.len() == 2 => {
            if header.flag("ZIMAGE") {
                Kind::CompressedImage
            } else {
                Kind::BinaryTable
            }
        }
        Some("TABLE") if axes.len() == 2 => Kind::TextTable,
        _ => Kind::Other,
    }
}

fn is_groups(header: &Header, axes: &[u64]) -> bool {
    header.flag("GROUPS") && axes.first() == Some(&0)
}

/// Size of the data in bytes: |BITPIX| / 8 × GCOUNT × (PCOUNT + NAXIS1 × … × NAXISn).
fn data_size(header: &Header, bitpix: i64, axes: &[u64]) -> Result<u64> {
    if axes.is_empty() {
        return Ok(0);
    }
    let groups = is_groups(header, axes);
    let counted = if groups { &axes[1..] } else { axes };
    let optional = |keyword: &str, default| match header.find(keyword) {
        Some(_) if header.hdu > 0 || groups => header.count(keyword),
        _ => Ok(default),
    };
    let (parameters, repeat) = (optional("PCOUNT", 0)?, optional("GCOUNT", 1)?);
    // A product with a zero is zero, whatever the other factors are.
    let elements = if counted.contains(&0) {
        Some(0)
    } else {
        counted.iter().try_fold(1_u64, |product, &axis| product.checked_mul(axis))
    };
    elements
        .and_then(|elements| elements.checked_add(parameters))
        .and_then(|elements| elements.checked_mul(repeat))
        .and_then(|elements| elements.checked_mul(bitpix.unsigned_abs() / 8))
        .filter(|&size| i64::try_from(size).is_ok())
        .ok_or_else(|| header.failure("NAXIS1", "the product of all NAXISn is larger than any file"))
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, read_hdus, unusual_padding};
    use crate::failure::status;

    fn header(cards: &[&str]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for card in cards.iter().chain(&["END"]) {
            bytes.extend(format!("{card:<80}").bytes());
        }
        bytes.resize(bytes.len().next_multiple_of(BLOCK), b' ');
        bytes
    }

    fn refused(cards: &[&str]) -> (i32, String) {
        let failure = read_hdus(&header(cards)).err().unwrap();
        (failure.status, failure.message)
    }

    #[test]
    fn bad_headers_are_refused_with_card_and_byte() {
        let (status, message) = refused(&["SIMPLE  = T", "BITPIX  = 12", "NAXIS   = 0"]);
        assert_eq!(status, status::FITS_HEADER);
        assert!(message.contains("HDU 0: card 2 (BITPIX) at byte 80"), "{message}");
        let (_, message) = refused(&["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 2", "NAXIS1  = 4"]);
        assert!(message.contains("NAXIS2 is missing"), "{message}");
        let huge = "NAXIS1  = 9223372036854775807";
        let (status, message) = refused(&["SIMPLE  = T", "BITPIX  = 64", "NAXIS   = 2", huge, "NAXIS2  = 3"]);
        assert_eq!(status, status::FITS_HEADER, "{message}");
        let (status, message) = refused(&["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 1", "NAXIS1  = 4"]);
        assert_eq!(status, status::TRUNCATED);
        assert!(message.contains("byte 2880"), "{message}");
    }

    #[test]
    fn padding_with_other_bytes_is_found() {
        let mut bytes = header(&["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 1", "NAXIS1  = 4"]);
        // A file may end with its data.
        bytes.extend([1, 2, 3, 4]);
        let (hdus, _) = read_hdus(&bytes).unwrap();
        assert_eq!(unusual_padding(&bytes, &hdus[0]), None);
        bytes.resize(2 * BLOCK, 0);
        assert_eq!(unusual_padding(&bytes, &hdus[0]), None);
        *bytes.last_mut().unwrap() = b' ';
        assert_eq!(unusual_padding(&bytes, &hdus[0]), Some(2 * BLOCK - 1));
        bytes[5 * 80 - 1] = b'x';
        assert_eq!(unusual_padding(&bytes, &hdus[0]), Some(5 * 80 - 1));
    }

    #[test]
    fn a_header_needs_an_end() {
        let bytes = &header(&["SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 0"])[..240];
        assert_eq!(read_hdus(bytes).err().unwrap().status, status::TRUNCATED);
    }
}
