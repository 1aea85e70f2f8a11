//! Block payloads, compressed and not: labels, bounded decoding, encoding.
//!
//! A codec knows bytes and the sizes a block header declares for them. It knows no headers, no arrays and
//! no checksums but those inside its own streams, which are always verified.

#[cfg(any(feature = "blsc", feature = "bls2"))]
mod blosc;
mod bzip2_blocks;
mod custom;
mod decoded_source;
mod decoder;
mod deflate;
mod encode;
#[cfg(feature = "libdeflate")]
mod inflate;
mod input;
mod label;
mod lz4_chunks;
mod lz4_frame;
mod lz4_index;
mod lz4_parallel;
pub(crate) mod parallel;
mod stream;
#[cfg(feature = "zstd")]
mod zstd;

pub use custom::{AnyCodec, Codecs, CustomCodec, LabelledCodec};
pub(crate) use decoded_source::DecodedSource;
pub use decoder::{Decoder, Outcome, decode_into};
pub use encode::{Compression, Encoder, encode};
pub use label::{Codec, Label};
pub use lz4_index::{Lz4Chunk, Lz4Index};

use crate::error::{Error, Result};

/// Makes `buffer` exactly `size` bytes long, keeping its memory where that suffices. What it held is lost.
fn try_resize(buffer: &mut Vec<u8>, size: u64) -> Result<&mut [u8]> {
    let length = usize::try_from(size).map_err(|_| Error::out_of_memory(size))?;
    if length > buffer.capacity() {
        buffer.clear();
        buffer.try_reserve_exact(length).map_err(|_| Error::out_of_memory(size))?;
    }
    buffer.resize(length, 0);
    Ok(buffer)
}
