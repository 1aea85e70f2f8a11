//! Block payloads, compressed and not: labels, bounded decoding, encoding.
//!
//! A codec knows bytes and the sizes a block header declares for them. It knows no headers, no arrays and
//! no checksums but those inside its own streams, which are always verified.

mod any_codec;
#[cfg(any(feature = "blsc", feature = "bls2"))]
mod blosc;
mod bzip2;
mod chunk_index;
mod compression;
mod custom;
mod decoded_source;
mod decoder;
mod encode;
mod format;
mod input;
mod label;
mod lz4;
mod memory;
mod outcome;
pub(crate) mod parallel;
mod stream;
mod table;
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

pub use any_codec::{AnyCodec, Codecs};
pub use chunk_index::{ChunkIndex, CodedChunk};
pub use compression::Compression;
pub use custom::{CustomCodec, LabelledCodec};
pub(crate) use decoded_source::DecodedSource;
pub use decoder::{Decoder, decode_into};
pub use encode::{Encoder, encode};
pub use label::Label;
pub use outcome::Outcome;
pub use table::Codec;
