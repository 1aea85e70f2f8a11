//! The `lz4` framing of ASDF: independent LZ4 blocks after two size fields.
//!
//! A chunk consists of a big-endian u32 (number of bytes after it), a little-endian u32 (decoded size) and the LZ4
//! block. The format has no checksum: damage that keeps the sizes right is not detected.

use crate::codec::chunk_index::ChunkLayout;
use crate::codec::format::{PayloadDecoder, PayloadEncoder};
use crate::codec::input::Input;
use crate::codec::memory::{append, try_resize};
use crate::codec::parallel::{self, Spare};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;

/// Layout of a chunk: two size fields before the LZ4 block. Common decoders expect the second one before a block.
pub(super) const LAYOUT: ChunkLayout = ChunkLayout { header_size: 8, prefix_size: 4, decode: decode_block };

/// Decoded size of the chunks that are written: the default of other ASDF writers, so readers are well tested with it.
const CHUNK: usize = 4 << 20;

/// A sequence of chunks that is decoded in order.
pub(super) struct Chunks {
    /// Maximum number of bytes that the remaining chunks may decode to.
    undecoded: u64,
    /// Size in bytes of the largest chunk to decode into this struct's own memory.
    buffer_limit: u64,
    scratch: Vec<u8>,
    /// A decoded chunk that did not fit the caller's buffer. `handed_out` counts its bytes that were returned.
    chunk: Vec<u8>,
    handed_out: usize,
}

impl Chunks {
    pub(super) fn new(data_size: u64, buffer_limit: u64) -> Chunks {
        Chunks { undecoded: data_size, buffer_limit, scratch: Vec::new(), chunk: Vec::new(), handed_out: 0 }
    }
}

impl PayloadDecoder for Chunks {
    fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        loop {
            let waiting = &self.chunk[self.handed_out..];
            if !waiting.is_empty() {
                let count = waiting.len().min(output.len());
                output[..count].copy_from_slice(&waiting[..count]);
                self.handed_out += count;
                return Ok(count);
            }
            let position = input.position();
            let Some((stored, decoded)) = next_sizes(input, self.undecoded)? else { return Ok(0) };
            let block = input.take_slice(stored, &mut self.scratch)?;
            let direct = usize::try_from(decoded).ok().and_then(|size| output.get_mut(..size));
            let waits = direct.is_none();
            let target = match direct {
                Some(target) => target,
                None if decoded > self.buffer_limit => {
                    return Err(Limit::DecodedBytes
                        .exceeded("memory for decoded block bytes", self.buffer_limit)
                        .at_offset(position));
                }
                None => try_resize(&mut self.chunk, decoded)?,
            };
            decode_block(block, target).map_err(|error| error.at_offset(position))?;
            self.undecoded -= decoded;
            if waits {
                self.handed_out = 0;
            } else if decoded > 0 {
                return Ok(target.len());
            }
        }
    }
}

/// Reads the sizes of the next LZ4 block, stored and decoded, or `None` after the last chunk. Checks that both sizes
/// are possible if `undecoded` bytes are still to come.
pub(super) fn next_sizes(input: &mut Input<'_>, undecoded: u64) -> Result<Option<(u64, u64)>> {
    if at_end(input, undecoded)? {
        return Ok(None);
    }
    let position = input.position();
    let corrupt = |message: String| Err(Error::new(Status::Corrupt, message).at_offset(position));
    let counted = u64::from(u32::from_be_bytes(input.take()?));
    if counted > input.remaining() {
        let message = format!("an lz4 chunk of {counted} bytes extends past the end of the block");
        return Err(Error::new(Status::Truncated, message).at_offset(position));
    }
    let Some(stored) = counted.checked_sub(4) else {
        return corrupt(format!("an lz4 chunk of {counted} bytes is too short for its own header"));
    };
    let decoded = u64::from(u32::from_le_bytes(input.take()?));
    if decoded > undecoded {
        let message =
            format!("an lz4 chunk has {decoded} decoded bytes, but only {undecoded} of the declared size are left");
        return Err(Error::new(Status::DecodedSize, message).at_offset(position));
    }
    // Best and worst compression of LZ4: refuse sizes outside these bounds before allocating memory.
    if decoded > stored * 255 || stored > decoded + decoded / 255 + 16 {
        return corrupt(format!("an lz4 chunk of {stored} bytes cannot decode to {decoded} bytes"));
    }
    Ok(Some((stored, decoded)))
}

/// Returns whether only filler is left: up to three NULs, which a writer of whole 32-bit words may add. After all data,
/// any bytes that are not a whole chunk are filler.
fn at_end(input: &mut Input<'_>, undecoded: u64) -> Result<bool> {
    if undecoded == 0 {
        let counted = input.peek()?.map(|bytes| u64::from(u32::from_be_bytes(bytes)));
        return Ok(counted.is_none_or(|counted| counted > input.remaining() - 4));
    }
    Ok(match input.remaining() {
        0 => true,
        1 => input.peek()? == Some([0; 1]),
        2 => input.peek()? == Some([0; 2]),
        3 => input.peek()? == Some([0; 3]),
        _ => false,
    })
}

/// Decodes one LZ4 block, which must fill `target`.
fn decode_block(block: &[u8], target: &mut [u8]) -> Result<()> {
    let corrupt = |reason: String| Error::new(Status::Corrupt, format!("an lz4 chunk is damaged: {reason}"));
    let size = lz4_flex::block::decompress_into(block, target).map_err(|error| corrupt(error.to_string()))?;
    if size != target.len() {
        return Err(corrupt(format!("it decodes to {size} bytes instead of {}", target.len())));
    }
    Ok(())
}

/// Encodes chunks.
pub(super) struct ChunkWriter {
    threads: usize,
    spare: Spare<Vec<u8>>,
}

impl ChunkWriter {
    pub(super) fn new(threads: usize) -> ChunkWriter {
        ChunkWriter { threads, spare: Spare::default() }
    }
}

impl PayloadEncoder for ChunkWriter {
    fn unit(&self) -> usize {
        CHUNK * self.threads
    }

    fn encode(&mut self, data: &[u8], _last: bool, out: &mut Vec<u8>) -> Result<()> {
        let encode = |index| {
            let chunk: &[u8] = data.chunks(CHUNK).nth(index).unwrap_or_default();
            let mut block = self.spare.take();
            let room = lz4_flex::block::get_maximum_output_size(chunk.len());
            let size = lz4_flex::block::compress_into(chunk, try_resize(&mut block, room as u64)?)
                .map_err(|error| Error::new(Status::Internal, format!("compressing with lz4: {error}")))?;
            Ok((block, size, chunk.len()))
        };
        parallel::in_order(data.len().div_ceil(CHUNK), self.threads, encode, |(block, size, decoded)| {
            // Chunks are far smaller than 4 GiB, so the casts cannot truncate.
            let sizes = [(size as u32 + 4).to_be_bytes(), (decoded as u32).to_le_bytes()];
            append(out, &[sizes.as_flattened(), block.get(..size).unwrap_or_default()])?;
            self.spare.give_back(block);
            Ok(())
        })
    }
}
