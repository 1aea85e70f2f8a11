//! The codecs inside of a chunk, to compress one stream.

use super::header::{LZ4, ZLIB, ZSTD};
use crate::codec::blosc_options::BloscCodec;
use crate::codec::memory::created;
use crate::error::{Error, Result, Status};

/// A codec with a level of Blosc, from 1 to 9.
#[derive(Clone, Copy)]
pub(super) struct Inner {
    pub(super) codec: BloscCodec,
    pub(super) level: u32,
}

impl Inner {
    /// Returns the number of the codec in a chunk.
    pub(super) fn number(self) -> u8 {
        match self.codec {
            BloscCodec::Lz4 => LZ4,
            BloscCodec::Zlib => ZLIB,
            BloscCodec::Zstd => ZSTD,
        }
    }

    /// Returns the room for the compressed bytes of a stream of this size.
    pub(super) fn room(self, size: usize) -> u64 {
        match self.codec {
            BloscCodec::Lz4 => lz4_flex::block::get_maximum_output_size(size) as u64,
            // A stream that does not become smaller is stored as it is.
            BloscCodec::Zlib | BloscCodec::Zstd => size as u64,
        }
    }

    /// Compresses a stream. Returns the size of the result; that of the stream if it did not become smaller.
    pub(super) fn compress(self, stream: &[u8], out: &mut [u8]) -> Result<usize> {
        let whole = stream.len();
        match self.codec {
            BloscCodec::Lz4 => lz4_flex::block::compress_into(stream, out)
                .map_err(|error| Error::new(Status::Internal, format!("compressing with lz4: {error}"))),
            BloscCodec::Zlib => {
                let mut library =
                    created("zlib", || flate2::Compress::new(flate2::Compression::new(self.level), true))?;
                let status = library
                    .compress(stream, out, flate2::FlushCompress::Finish)
                    .map_err(|error| Error::new(Status::Internal, format!("compressing with zlib: {error}")))?;
                let is_complete = status == flate2::Status::StreamEnd;
                Ok(if is_complete { usize::try_from(library.total_out()).unwrap_or(whole) } else { whole })
            }
            #[cfg(feature = "zstd")]
            BloscCodec::Zstd => {
                let level = if self.level < 9 { 2 * self.level as i32 - 1 } else { 22 };
                Ok(crate::codec::zstd::encode_frame(stream, out, level)?.unwrap_or(whole))
            }
            #[cfg(not(feature = "zstd"))]
            BloscCodec::Zstd => Err(Error::new(Status::UnknownCodec, "the codec 'zstd' is not in this build")),
        }
    }
}
