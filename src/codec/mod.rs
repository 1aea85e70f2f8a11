//! Block payloads, compressed or not: labels, bounded decoding, encoding.
//!
//! A codec gets bytes and the sizes that a block header declares for them. It does not deal with headers or arrays, and
//! with no checksums except those inside its own streams, which it always verifies.

mod any_codec;
#[cfg(any(feature = "blsc", feature = "bls2"))]
mod blosc;
mod blosc_options;
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
pub(crate) mod numcodecs;
mod outcome;
pub(crate) mod parallel;
mod stream;
mod table;
mod whole;
#[cfg(feature = "xz")]
mod xz;
mod zlib;
#[cfg(feature = "zstd")]
mod zstd;

pub use any_codec::{AnyCodec, Codecs};
pub use blosc_options::{BloscCodec, BloscOptions, Shuffle};
pub use chunk_index::{ChunkIndex, CodedChunk};
pub use compression::Compression;
pub use custom::{CustomCodec, LabelledCodec};
pub(crate) use decoded_source::DecodedSource;
pub use decoder::{Decoder, decode_into};
pub use encode::{Encoder, encode};
pub use label::Label;
pub(crate) use memory::created;
pub use numcodecs::{ChunkCodecs, ChunkCompressor, ChunkFilter};
pub use outcome::Outcome;
pub use table::Codec;
pub(crate) use whole::FileCompression;
