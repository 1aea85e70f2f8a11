//! Places of the chunks of a payload, so that some can be decoded without the others.
//!
//! The formats that consist of chunks make the index. It decodes single chunks and knows no format.

use super::input::Input;
use crate::error::Result;
use crate::source::Source;

/// One chunk: compressed bytes that can be decoded by themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CodedChunk {
    /// Offset of the compressed bytes in the file, behind the chunk's header.
    pub stored_offset: u64,
    /// Number of compressed bytes.
    pub stored_length: u64,
    /// Offset of the first decoded byte in the decoded payload.
    pub decoded_offset: u64,
    /// Number of decoded bytes.
    pub decoded_length: u64,
}

/// The chunks of a payload in their order, which together decode to exactly the size declared.
#[derive(Clone, Debug)]
pub struct ChunkIndex {
    /// The chunks; those that decode to nothing are not among them.
    pub chunks: Vec<CodedChunk>,
    /// Bytes of filler after the last one.
    pub trailing_bytes: u64,
    pub(super) layout: ChunkLayout,
}

/// Properties of all chunks of a format.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChunkLayout {
    /// Bytes of the header before each chunk.
    pub(super) header_size: u64,
    /// Bytes at the end of the header that common decoders of a single chunk expect before it.
    pub(super) prefix_size: u64,
    /// Decodes the compressed bytes of a chunk into memory of its decoded length.
    pub(super) decode: fn(&[u8], &mut [u8]) -> Result<()>,
}

impl ChunkIndex {
    /// Decodes a chunk into `out`, which has its decoded length. `scratch` is for the stored bytes; given again, it
    /// spares the next call an allocation.
    ///
    /// Fails with [`Status::Corrupt`](crate::Status::Corrupt) for damaged bytes and as the source does.
    pub fn decode(&self, chunk: &CodedChunk, source: &dyn Source, scratch: &mut Vec<u8>, out: &mut [u8]) -> Result<()> {
        let mut input = Input::with_piece(source, chunk.stored_offset, chunk.stored_length, 0)?;
        self.decode_stored(chunk, input.take_slice(chunk.stored_length, scratch)?, out)
    }

    /// Decodes a chunk, whose stored bytes are at hand, into `out`, which has its decoded length.
    pub(crate) fn decode_stored(&self, chunk: &CodedChunk, stored: &[u8], out: &mut [u8]) -> Result<()> {
        self.layout.decode_stored(chunk, stored, out)
    }

    /// Offset and length in the file of the bytes that a decoder of single chunks takes.
    pub(crate) fn place(&self, chunk: &CodedChunk) -> [u64; 2] {
        let prefix = self.layout.prefix_size;
        [chunk.stored_offset - prefix, chunk.stored_length + prefix]
    }
}

impl ChunkLayout {
    /// Does the same as [`ChunkIndex::decode_stored`]. Errors name the chunk by the place of its header.
    pub(super) fn decode_stored(&self, chunk: &CodedChunk, stored: &[u8], out: &mut [u8]) -> Result<()> {
        (self.decode)(stored, out).map_err(|error| error.at_offset(chunk.stored_offset - self.header_size))
    }
}
