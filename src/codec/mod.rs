//! Block payloads, compressed and not: labels, bounded decoding, encoding.
//!
//! A codec knows bytes and the sizes a block header declares for them. It knows no headers, no arrays and
//! no checksums but those inside its own streams, which are always verified.

#[cfg(any(feature = "blsc", feature = "bls2"))]
mod blosc;
mod bzip2;
mod custom;
mod decoded_source;
mod decoder;
mod encode;
mod input;
mod label;
mod lz4;
mod outcome;
pub(crate) mod parallel;
mod stream;
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

pub use custom::{AnyCodec, Codecs, CustomCodec, LabelledCodec};
pub(crate) use decoded_source::DecodedSource;
pub use decoder::{Decoder, decode_into};
pub use encode::{Compression, Encoder, encode};
pub use label::{Codec, Label};
pub use lz4::index::{Lz4Chunk, Lz4Index};
pub use outcome::Outcome;

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
