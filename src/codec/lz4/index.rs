//! Search for the chunks of an `lz4` payload.
//!
//! Reads and checks only the size fields before each chunk, in the same way as decoding does.

use super::chunks::{LAYOUT, next_sizes};
use super::frame;
use crate::codec::chunk_index::{ChunkIndex, CodedChunk};
use crate::codec::input::{Input, StoredBytes};
use crate::codec::outcome::too_few;
use crate::error::{Error, Result};

/// Bytes read at a time: few, because most bytes are skipped, but enough for the headers of many small chunks.
const PIECE: u64 = 4096;

/// Opens the stored bytes for reading in small pieces.
pub(super) fn input(stored: StoredBytes<'_>) -> Result<Input<'_>> {
    Input::with_piece(stored.source, stored.offset, stored.used_size, PIECE)
}

/// Finds the chunks, which must decode to `data_size` bytes.
///
/// Returns `None` if there are more than `most` chunks or if the payload is an LZ4 frame. Impossible sizes are errors,
/// as in [`Decoder`](crate::codec::Decoder).
pub(super) fn read(stored: StoredBytes<'_>, data_size: u64, most: usize) -> Result<Option<ChunkIndex>> {
    let mut input = input(stored)?;
    if frame::is_next(&mut input)? {
        return Ok(None);
    }
    let mut chunks = Vec::new();
    let mut scratch = Vec::new();
    let mut decoded_offset = 0;
    while let Some((stored_length, decoded_length)) = next_sizes(&mut input, data_size - decoded_offset)? {
        let chunk = CodedChunk { stored_offset: input.position(), stored_length, decoded_offset, decoded_length };
        if decoded_length == 0 {
            // An empty chunk is never decoded later, so check it here.
            LAYOUT.decode_stored(&chunk, input.take_slice(stored_length, &mut scratch)?, &mut [])?;
            continue;
        }
        input.skip(stored_length)?;
        decoded_offset += decoded_length;
        if chunks.len() == most {
            return Ok(None);
        }
        chunks.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<CodedChunk>() as u64))?;
        chunks.push(chunk);
    }
    if decoded_offset < data_size {
        return Err(too_few(decoded_offset, data_size, &input));
    }
    Ok(Some(ChunkIndex { chunks, trailing_bytes: input.remaining(), layout: LAYOUT }))
}
