//! Whole files that are compressed: .gz, .bz2, .xz, .zst. The first bytes tell the compression.

mod bzip2;
mod gzip;
#[cfg(feature = "zstd")]
mod zstd;

#[cfg(feature = "zstd")]
use super::memory::no_memory;
use crate::error::{Error, Result, Status};
use std::io::{BufRead, ErrorKind, Read};

/// Maximum memory of the xz decoder in KiB: twice the memory of its highest level.
#[cfg(feature = "xz")]
const XZ_MEMORY: u32 = 128 * 1024;

/// Compression of a whole file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FileCompression {
    Gzip,
    Bzip2,
    Xz,
    Zstd,
}

impl FileCompression {
    /// Number of bytes that tell the compression.
    pub(crate) const FIRST: usize = 6;

    /// Detects the compression by the first bytes. Neither an ASDF file nor the text of a table begins with them.
    pub(crate) fn of(first: &[u8]) -> Option<FileCompression> {
        match first {
            [0x1F, 0x8B, ..] => Some(FileCompression::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', ..] => Some(FileCompression::Bzip2),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(FileCompression::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(FileCompression::Zstd),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            FileCompression::Gzip => "gzip",
            FileCompression::Bzip2 => "bzip2",
            FileCompression::Xz => "xz",
            FileCompression::Zstd => "zstd",
        }
    }

    /// Makes a reader of the decompressed bytes of all members, streams or frames.
    ///
    /// Fails with [`Status::UnknownCodec`] if this build does not support the compression.
    pub(crate) fn reader(self, stored: impl BufRead + Send + 'static) -> Result<Box<dyn Read + Send>> {
        match self {
            FileCompression::Gzip => Ok(Box::new(gzip::GzipReader::new(stored)?)),
            FileCompression::Bzip2 => Ok(Box::new(bzip2::Bzip2Reader::new(stored))),
            #[cfg(feature = "xz")]
            FileCompression::Xz => Ok(Box::new(lzma_rust2::XzReader::new_mem_limit(stored, true, XZ_MEMORY))),
            #[cfg(feature = "zstd")]
            FileCompression::Zstd => Ok(Box::new(zstd::ZstdReader::new(stored).ok_or_else(|| no_memory("Zstandard"))?)),
            #[cfg(not(all(feature = "xz", feature = "zstd")))]
            _ => {
                let message = format!("the file is compressed with {}, which this build does not support", self.name());
                Err(Error::new(Status::UnknownCodec, message))
            }
        }
    }

    /// Converts an error of the compressed data.
    pub(crate) fn error_of(self, error: &std::io::Error) -> Error {
        let name = self.name();
        match error.kind() {
            ErrorKind::UnexpectedEof => Error::new(Status::Truncated, format!("the {name} data end early")),
            ErrorKind::OutOfMemory => Error::new(Status::OutOfMemory, format!("decompressing {name}: {error}")),
            _ => Error::new(Status::Corrupt, format!("the {name} data are damaged: {error}")),
        }
    }
}

/// Skips zero bytes after a stream, which fill up the blocks of some media. Returns true at the end of the stored bytes.
fn skip_padding(stored: &mut impl BufRead) -> std::io::Result<bool> {
    loop {
        let bytes = match stored.fill_buf() {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            bytes => bytes?,
        };
        let (zeros, count) = (bytes.iter().take_while(|&&byte| byte == 0).count(), bytes.len());
        stored.consume(zeros);
        if count == 0 || zeros < count {
            return Ok(count == 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    #[test]
    fn padding_of_any_length_is_skipped() {
        for zeros in 0..10 {
            for rest in ["", "x", "abcde"] {
                let bytes = [&vec![0; zeros], rest.as_bytes()].concat();
                let mut stored = BufReader::with_capacity(4, &bytes[..]);
                assert_eq!(skip_padding(&mut stored).unwrap(), rest.is_empty(), "{zeros} {rest}");
                let mut left = String::new();
                stored.read_to_string(&mut left).unwrap();
                assert_eq!(left, rest, "{zeros}");
            }
        }
    }
}
