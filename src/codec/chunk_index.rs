//! Offsets and sizes of the chunks of a payload, so that single chunks can be decoded.
//!
//! The formats that consist of chunks build the index. The index decodes single chunks and does not depend on a format.

use super::input::Input;
use crate::error::Result;
use crate::source::Source;

/// One chunk: compressed bytes that can be decoded separately.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodedChunk {
    /// Offset of the compressed bytes in the file, after the header of the chunk.
    pub stored_offset: u64,
    /// Number of compressed bytes.
    pub stored_length: u64,
    /// Offset of the first decoded byte in the decoded payload.
    pub decoded_offset: u64,
    /// Number of decoded bytes.
    pub decoded_length: u64,
}

/// The chunks of a payload in order. Together they decode to exactly the declared size.
#[derive(Clone, Debug)]
pub struct ChunkIndex {
    /// The chunks without those that decode to no bytes.
    pub chunks: Vec<CodedChunk>,
    /// Number of filler bytes after the last chunk.
    pub trailing_bytes: u64,
    pub(super) layout: ChunkLayout,
}

/// Properties that all chunks of a format share.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkLayout {
    /// Bytes of the header before each chunk.
    pub(super) header_size: u64,
    /// Number of bytes at the end of the header that common decoders of a single chunk expect before its data.
    pub(super) prefix_size: u64,
    /// Decodes the compressed bytes of a chunk into memory of its decoded length.
    pub(super) decode: fn(&[u8], &mut [u8]) -> Result<()>,
}

impl ChunkIndex {
    /// Decodes a chunk into `out`, whose length is the decoded length. `scratch` holds the stored bytes; passing it
    /// again saves an allocation.
    ///
    /// Fails with [`Status::Corrupt`](crate::Status::Corrupt) for damaged bytes, or with an error of the source.
    pub fn decode(&self, chunk: &CodedChunk, source: &dyn Source, scratch: &mut Vec<u8>, out: &mut [u8]) -> Result<()> {
        let mut input = Input::with_piece(source, chunk.stored_offset, chunk.stored_length, 0)?;
        self.decode_stored(chunk, input.take_slice(chunk.stored_length, scratch)?, out)
    }

    /// Decodes a chunk from its stored bytes into `out`, whose length is the decoded length.
    pub(crate) fn decode_stored(&self, chunk: &CodedChunk, stored: &[u8], out: &mut [u8]) -> Result<()> {
        self.layout.decode_stored(chunk, stored, out)
    }

    /// Returns the offset and length in the file of the bytes that a decoder of single chunks takes.
    pub(crate) fn place(&self, chunk: &CodedChunk) -> [u64; 2] {
        let prefix = self.layout.prefix_size;
        [chunk.stored_offset - prefix, chunk.stored_length + prefix]
    }
}

impl ChunkLayout {
    /// Decodes as [`ChunkIndex::decode_stored`] does. Errors contain the offset of the chunk's header.
    pub(super) fn decode_stored(&self, chunk: &CodedChunk, stored: &[u8], out: &mut [u8]) -> Result<()> {
        (self.decode)(stored, out).map_err(|error| error.at_offset(chunk.stored_offset - self.header_size))
    }
}
