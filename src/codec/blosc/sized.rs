//! The framing of AbacusSummit, label `blsc`: each chunk follows its stored size, a big-endian u32.

use super::header::SHORT_HEADER;
use super::parts::{Collector, Part, Parts, first_bytes, sizes};
use crate::codec::input::{Input, StoredBytes};
use crate::codec::outcome::too_few;
use crate::error::{Error, Result, Status};

/// Length of the size before a chunk.
const SIZE: u64 = 4;

/// Bytes read at a time: few, because most bytes are skipped.
const PIECE: u64 = 4096;

/// Returns whether a payload begins with the size of a chunk, and not with a chunk.
pub(super) fn begins(stored: StoredBytes<'_>) -> Result<bool> {
    let Some(first) = first_bytes::<{ SHORT_HEADER + SIZE as usize }>(stored)? else { return Ok(false) };
    let is_alone = first.first_chunk().and_then(sizes).is_some_and(|(_, size)| size == stored.used_size);
    Ok(!is_alone && chunk_after_size(&first).is_some())
}

/// Returns decoded and stored size of a chunk after its size, if both agree on the stored size.
fn chunk_after_size(bytes: &[u8; SHORT_HEADER + SIZE as usize]) -> Option<(u64, u64)> {
    let (size, header) = bytes.split_first_chunk()?;
    let (decoded, stored) = sizes(header.first_chunk()?)?;
    (u64::from(u32::from_be_bytes(*size)) == stored).then_some((decoded, stored))
}

/// Finds the chunks, which must decode to `data_size` bytes.
pub(super) fn parts(stored: StoredBytes<'_>, data_size: u64) -> Result<Parts> {
    let mut input = Input::with_piece(stored.source, stored.offset, stored.used_size, PIECE)?;
    let mut chunks = Collector::new(data_size);
    while let Some((decoded, stored)) = input.peek()?.as_ref().and_then(chunk_after_size) {
        input.skip(SIZE)?;
        let offset = input.position();
        if stored > input.remaining() {
            let message = format!("a Blosc chunk of {stored} bytes extends past the end of the block");
            return Err(Error::new(Status::Truncated, message).at_offset(offset));
        }
        chunks.add(Part { offset, stored, decoded, value: None })?;
        input.skip(stored)?;
    }
    if chunks.left() > 0 {
        return Err(match input.remaining() {
            0 => too_few(data_size - chunks.left(), data_size, &input),
            _ => Error::new(Status::Corrupt, "there is no Blosc chunk after the size of a chunk")
                .at_offset(input.position()),
        });
    }
    Ok(chunks.finish(input.remaining(), SIZE))
}
