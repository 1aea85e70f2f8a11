//! Contiguous frames of the format 2, label `bls2`: a header, chunks, the offsets of the chunks as a chunk, a trailer.
//!
//! Written from the description of the frame format. Frames in several files, and frames of n-dimensional arrays, whose
//! chunks hold blocks of the array, are not supported.

use super::chunk;
use super::header::SHORT_HEADER;
use super::parts::{Collector, Part, Parts, first_bytes, sizes};
use crate::codec::input::{Input, StoredBytes};
use crate::codec::memory::try_resize;
use crate::codec::outcome::too_few;
use crate::error::{Error, Result, Status};

/// Length of the header without the names and content of metalayers.
const HEADER: usize = 87;

/// Least number of bytes of a frame.
pub(super) const LEAST: u64 = HEADER as u64;

/// Largest length of a header: metalayers are small.
const LARGEST_HEADER: u64 = 1 << 20;

/// Returns whether a payload begins with a frame.
pub(super) fn begins(stored: StoredBytes<'_>) -> Result<bool> {
    Ok(first_bytes::<10>(stored)?.is_some_and(|first| first.ends_with(b"\xa8b2frame\0")))
}

/// The fields of a header that decoding needs. The header is a list in the format MessagePack.
struct Header {
    /// Length of the header in bytes, and of the whole frame.
    length: u64,
    frame: u64,
    /// Number of bytes of all chunks, decoded and stored.
    decoded: u64,
    stored: u64,
    item_size: u64,
    /// Decoded size of all chunks but the last one; 0 if they differ.
    chunk: u64,
}

impl Header {
    fn read(stored: StoredBytes<'_>) -> Result<Header> {
        let damaged = |what: &str| {
            Error::new(Status::Corrupt, format!("the Blosc frame is damaged: {what}")).at_offset(stored.offset)
        };
        let mut input = stored.input()?;
        let bytes: [u8; HEADER] = input.peek()?.ok_or_else(|| input.ends_early())?;
        let header = (|| {
            // Before each number stands a byte that tells its type.
            Some(Header {
                length: number::<4>(&bytes, 10, 0xd2)?,
                frame: number::<8>(&bytes, 15, 0xcf)?,
                decoded: number::<8>(&bytes, 29, 0xd3)?,
                stored: number::<8>(&bytes, 38, 0xd3)?,
                item_size: number::<4>(&bytes, 47, 0xd2)?,
                // A frame without chunks has -1 here.
                chunk: number::<4>(&bytes, 57, 0xd2).unwrap_or_default(),
            })
        })();
        let header = header.ok_or_else(|| damaged("its header lacks a number"))?;
        let is_inside = header.length.checked_add(header.stored).is_some_and(|end| end <= header.frame);
        if header.length < HEADER as u64 || header.length > LARGEST_HEADER || !is_inside {
            return Err(damaged("the sizes in its header contradict each other"));
        }
        if header.frame > stored.used_size {
            return Err(input.ends_early());
        }
        let unsupported = |what: &str| {
            let message = format!("the Blosc frame {what}, which is not supported");
            Err(Error::new(Status::Unsupported, message).at_offset(stored.offset))
        };
        if bytes[26] & 0xf != 0 {
            return unsupported("keeps its chunks in other files");
        }
        let mut scratch = Vec::new();
        let names = input.take_slice(header.length, &mut scratch)?.get(HEADER..).unwrap_or_default();
        if names.windows(4).any(|name| name == b"b2nd") || names.windows(7).any(|name| name == b"caterva") {
            return unsupported("is an n-dimensional array");
        }
        Ok(header)
    }
}

/// Returns a big-endian number that is not negative, after a byte that tells its type.
fn number<const WIDTH: usize>(bytes: &[u8], at: usize, kind: u8) -> Option<u64> {
    let (&found, rest) = bytes.get(at..)?.split_first()?;
    let mut wide = [0; 8];
    wide.get_mut(8 - WIDTH..)?.copy_from_slice(rest.get(..WIDTH)?);
    let number = u64::from_be_bytes(wide);
    (found == kind && number >> (8 * WIDTH - 1) == 0).then_some(number)
}

/// Finds the chunks, which must decode to `data_size` bytes.
pub(super) fn parts(stored: StoredBytes<'_>, data_size: u64) -> Result<Parts> {
    let header = Header::read(stored)?;
    if header.decoded != data_size {
        let message = format!("the block decodes to {} bytes, but {data_size} are declared", header.decoded);
        return Err(Error::new(Status::DecodedSize, message).at_offset(stored.offset));
    }
    let mut chunks = Collector::new(data_size);
    let start = stored.offset + header.length;
    for offset in offsets(stored, &header)? {
        let part = match u64::try_from(offset) {
            Ok(offset) => {
                let room = header.stored.saturating_sub(offset);
                stored_part(StoredBytes { offset: start.saturating_add(offset), used_size: room, ..stored })?
            }
            Err(_) => repeated_part(offset, &header, chunks.left(), start)?,
        };
        chunks.add(part)?;
    }
    if chunks.left() > 0 {
        return Err(too_few(data_size - chunks.left(), data_size, &stored.input()?));
    }
    Ok(chunks.finish(stored.used_size - header.frame, 0))
}

/// Returns the offsets of the chunks from the end of the header; a negative one describes a chunk that is not stored.
fn offsets(stored: StoredBytes<'_>, header: &Header) -> Result<Vec<i64>> {
    if header.decoded == 0 {
        return Ok(Vec::new());
    }
    let at = header.length + header.stored;
    let index = stored_part(StoredBytes { offset: stored.offset + at, used_size: header.frame - at, ..stored })?;
    let count = index.decoded / 8;
    // As the collector, which counts the chunks.
    if index.decoded % 8 != 0 || count > header.decoded / 64 + 16_384 {
        let message =
            format!("the Blosc frame is damaged: {} bytes cannot be the offsets of its chunks", index.decoded);
        return Err(Error::new(Status::Corrupt, message).at_offset(index.offset));
    }
    let bytes = StoredBytes { offset: index.offset, used_size: index.stored, ..stored }.input()?.take_rest()?;
    let mut decoded = Vec::new();
    chunk::decode(&bytes, try_resize(&mut decoded, index.decoded)?).map_err(|error| error.at_offset(index.offset))?;
    let mut offsets = Vec::new();
    offsets.try_reserve_exact(decoded.len() / 8).map_err(|_| Error::out_of_memory(index.decoded))?;
    offsets.extend(decoded.as_chunks::<8>().0.iter().map(|bytes| i64::from_le_bytes(*bytes)));
    Ok(offsets)
}

/// Returns the chunk that begins at the start of the bytes.
fn stored_part(room: StoredBytes<'_>) -> Result<Part> {
    let damaged = || {
        let message = "the Blosc frame is damaged: a chunk is not where it should be";
        Error::new(Status::Corrupt, message).at_offset(room.offset)
    };
    if room.used_size < SHORT_HEADER as u64 {
        return Err(damaged());
    }
    let mut input = Input::with_piece(room.source, room.offset, SHORT_HEADER as u64, SHORT_HEADER as u64)?;
    match sizes(&input.take()?) {
        Some((decoded, stored)) if stored <= room.used_size => {
            Ok(Part { offset: room.offset, stored, decoded, value: None })
        }
        _ => Err(damaged()),
    }
}

/// Returns the chunk of one value that a negative offset describes.
fn repeated_part(offset: i64, header: &Header, left: u64, start: u64) -> Result<Part> {
    let value = match (offset >> 56 & 7, header.item_size) {
        (1 | 4, _) => vec![0],
        (2, 4) => f32::NAN.to_le_bytes().to_vec(),
        (2, 8) => f64::NAN.to_le_bytes().to_vec(),
        (kind, size) => {
            let message =
                format!("the Blosc frame uses special values of kind {kind} and {size} bytes, which is not supported");
            return Err(Error::new(Status::Unsupported, message).at_offset(start));
        }
    };
    if header.chunk == 0 {
        let message = "the Blosc frame has special values in chunks of different sizes, which is not supported";
        return Err(Error::new(Status::Unsupported, message).at_offset(start));
    }
    Ok(Part { offset: start, stored: 0, decoded: header.chunk.min(left), value: Some(value) })
}
