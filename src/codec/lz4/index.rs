//! Where the chunks of an `lz4` payload are, so that some can be decoded without the others.
//!
//! Only the sizes that stand before each chunk are read, and checked as the decoding of all would check them.

use super::{chunks as lz4_chunks, frame as lz4_frame};
use crate::codec::Codec;
use crate::codec::input::Input;
use crate::codec::outcome::too_few;
use crate::error::{Error, Result};
use crate::source::Source;

/// How much is read at a time: little, as most of it is passed over, yet the headers of many small chunks.
const PIECE: u64 = 4096;

/// One chunk: an LZ4 block that can be decoded by itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lz4Chunk {
    /// Offset of the LZ4 block in the file, behind its sizes.
    pub stored_offset: u64,
    /// Bytes of the LZ4 block.
    pub stored_length: u64,
    /// Offset of the first decoded byte in the decoded payload.
    pub decoded_offset: u64,
    /// Bytes that it decodes to.
    pub decoded_length: u64,
}

/// The chunks of a payload in their order, which together decode to exactly the size declared.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lz4Index {
    /// The chunks; those that decode to nothing are not among them.
    pub chunks: Vec<Lz4Chunk>,
    /// Bytes of filler after the last one.
    pub trailing_bytes: u64,
}

impl Lz4Index {
    /// Bytes of the decoded size, which stands right before each LZ4 block.
    pub(crate) const SIZE_BYTES: u64 = 4;

    /// Whether a payload under this label is an LZ4 frame instead.
    pub(crate) fn is_frame(source: &dyn Source, offset: u64, used_size: u64) -> Result<bool> {
        Ok(Input::with_piece(source, offset, used_size, PIECE)?.peek()? == Some(lz4_frame::MAGIC))
    }

    /// Finds the chunks of the `used_size` bytes at `offset` of `source`, which are to decode to `data_size` bytes.
    ///
    /// Nothing if there are more than `most` chunks, or if the payload is an LZ4 frame. Errors are those that
    /// [`Decoder`](crate::codec::Decoder) has for sizes that cannot be.
    pub fn read(
        source: &dyn Source,
        offset: u64,
        used_size: u64,
        data_size: u64,
        most: usize,
    ) -> Result<Option<Lz4Index>> {
        Codec::Lz4.check_sizes(used_size, data_size).map_err(|error| error.at_offset(offset))?;
        let mut input = Input::with_piece(source, offset, used_size, PIECE)?;
        if input.peek()? == Some(lz4_frame::MAGIC) {
            return Ok(None);
        }
        let mut chunks = Vec::new();
        let mut scratch = Vec::new();
        let mut decoded_offset = 0;
        while let Some((stored_length, decoded_length)) =
            lz4_chunks::next_sizes(&mut input, data_size - decoded_offset)?
        {
            let chunk = Lz4Chunk { stored_offset: input.position(), stored_length, decoded_offset, decoded_length };
            if decoded_length == 0 {
                // Nobody will decode it, so what is wrong with it is seen here or never.
                chunk.decode_stored(input.take_slice(stored_length, &mut scratch)?, &mut [])?;
                continue;
            }
            input.skip(stored_length)?;
            decoded_offset += decoded_length;
            if chunks.len() == most {
                return Ok(None);
            }
            chunks.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Lz4Chunk>() as u64))?;
            chunks.push(chunk);
        }
        if decoded_offset < data_size {
            return Err(too_few(decoded_offset, data_size, &input));
        }
        Ok(Some(Lz4Index { chunks, trailing_bytes: input.remaining() }))
    }
}

impl Lz4Chunk {
    /// Decodes the chunk into `out`, which has its decoded length. `scratch` is for the stored bytes; given again, it
    /// spares the next call an allocation.
    pub fn decode(&self, source: &dyn Source, scratch: &mut Vec<u8>, out: &mut [u8]) -> Result<()> {
        let mut input = Input::with_piece(source, self.stored_offset, self.stored_length, 0)?;
        let stored = input.take_slice(self.stored_length, scratch)?;
        self.decode_stored(stored, out)
    }

    /// Decodes the chunk, whose stored bytes are at hand, into `out`, which has its decoded length.
    pub(crate) fn decode_stored(&self, stored: &[u8], out: &mut [u8]) -> Result<()> {
        lz4_chunks::decode_block(stored, out).map_err(|error| error.at_offset(self.header_offset()))
    }

    /// Where the sizes before the LZ4 block stand, by which errors name a chunk.
    fn header_offset(&self) -> u64 {
        self.stored_offset - lz4_chunks::HEADER_SIZE
    }
}
