//! Encoding of chunks: bytes or bits are shuffled by element size and compressed with the inner codec.

use super::filters;
use super::header::{
    BIT_SHUFFLE, BIT_SHUFFLED, LARGEST, LONG_HEADER, NO_FILTER, NOT_COMPRESSED, NOT_SPLIT, SHORT_HEADER, SHUFFLE,
    SHUFFLED, splits,
};
use super::inner::Inner;
use crate::codec::blosc_options::{BloscCodec, Shuffle};
use crate::codec::format::PayloadEncoder;
use crate::codec::memory::{append, try_resize};
use crate::codec::parallel::{self, Spare};
use crate::error::{Error, Result, Status};
use crate::reserve::room_for;

/// Approximate size of a block in bytes.
const BLOCK: usize = 256 * 1024;
/// The same for Zstandard, which finds more in larger blocks.
const ZSTD_BLOCK: usize = 1 << 20;

/// Encodes all data at once as one chunk: in format 2 if `extended`, otherwise in format 1.
pub(super) struct Encoder {
    pub(super) extended: bool,
    pub(super) codec: BloscCodec,
    pub(super) level: u32,
    pub(super) shuffle: Shuffle,
    pub(super) type_size: usize,
    pub(super) threads: usize,
}

/// Memory of a thread.
#[derive(Default)]
struct Buffers {
    shuffled: Vec<u8>,
    compressed: Vec<u8>,
    /// The streams of a block with their sizes.
    streams: Vec<u8>,
}

impl PayloadEncoder for Encoder {
    fn unit(&self) -> usize {
        usize::MAX
    }

    fn encode(&mut self, data: &[u8], _last: bool, out: &mut Vec<u8>) -> Result<()> {
        let Encoder { extended, codec, level, shuffle, type_size, threads } = *self;
        let inner = Inner { codec, level };
        let start = out.len();
        let header_size = if extended { LONG_HEADER } else { SHORT_HEADER };
        if (data.len() + header_size) as u64 > LARGEST {
            let message = format!("{} bytes do not fit in a Blosc chunk, which is limited to 2 GiB", data.len());
            return Err(Error::new(Status::Unsupported, message));
        }
        let type_size = if (1..=255).contains(&type_size) { type_size } else { 1 };
        let shuffle = if shuffle == Shuffle::Byte && type_size == 1 { Shuffle::None } else { shuffle };
        let block = if codec == BloscCodec::Zstd { ZSTD_BLOCK } else { BLOCK };
        // Whole groups of eight elements, so that their bits can be shuffled.
        let block_size = (block - block % (8 * type_size)).min(data.len().max(1));
        // The slower codecs find more in a whole block, as in Blosc itself.
        let split = codec == BloscCodec::Lz4
            && shuffle != Shuffle::None
            && type_size > 1
            && splits(type_size, block_size)
            && block_size.is_multiple_of(type_size);

        room_for(out, header_size + 4 * data.len().div_ceil(block_size))?;
        out.resize(start + header_size + 4 * data.len().div_ceil(block_size), 0);
        let spare = Spare::<Buffers>::default();
        let encode = |index: usize| {
            let block = data.chunks(block_size).nth(index).unwrap_or_default();
            let mut buffers = spare.take();
            let shuffled = try_resize(&mut buffers.shuffled, block.len() as u64)?;
            match shuffle {
                Shuffle::None => shuffled.copy_from_slice(block),
                Shuffle::Byte => filters::shuffle(type_size, block, shuffled),
                Shuffle::Bit => filters::shuffle_bits(type_size, !extended, block, shuffled),
            }
            let streams = if split && block.len() == block_size { type_size } else { 1 };
            let compressed = try_resize(&mut buffers.compressed, inner.room(block_size))?;
            buffers.streams.clear();
            for stream in shuffled.chunks_exact(block.len() / streams) {
                let size = inner.compress(stream, compressed)?;
                let stored = compressed.get(..size).filter(|smaller| smaller.len() < stream.len()).unwrap_or(stream);
                // Chunks are smaller than 2 GiB, so the casts cannot truncate.
                append(&mut buffers.streams, &[&(stored.len() as u32).to_le_bytes(), stored])?;
            }
            Ok(buffers)
        };
        let mut index = 0;
        parallel::in_order(data.len().div_ceil(block_size), threads, encode, |buffers| {
            let place = out.len() - start;
            put(out, start + header_size + 4 * index, place);
            index += 1;
            append(out, &[&buffers.streams])?;
            spare.give_back(buffers);
            Ok(())
        })?;
        let mut flags = inner.number() << 5 | if split { 0 } else { NOT_SPLIT };
        if out.len() - start >= header_size + data.len() {
            out.truncate(start + header_size);
            room_for(out, data.len())?;
            out.extend_from_slice(data);
            flags = NOT_COMPRESSED;
        }
        let (flag, filter) = match shuffle {
            Shuffle::None => (0, NO_FILTER),
            Shuffle::Byte => (SHUFFLED, SHUFFLE),
            Shuffle::Bit => (BIT_SHUFFLED, BIT_SHUFFLE),
        };
        flags |= if extended { SHUFFLED | BIT_SHUFFLED } else { flag };
        let version = if extended { 5 } else { 2 };
        let sizes = [data.len(), block_size, out.len() - start];
        let header = &mut out[start..start + header_size];
        header[..4].copy_from_slice(&[version, 1, flags, type_size as u8]);
        for (place, size) in header[4..SHORT_HEADER].chunks_exact_mut(4).zip(sizes) {
            place.copy_from_slice(&(size as u32).to_le_bytes());
        }
        if let Some([filters @ .., number]) = header.get_mut(SHORT_HEADER..23) {
            // The list of 6 filters is filled from its end.
            filters[5] = filter;
            *number = inner.number();
        }
        Ok(())
    }
}

/// Writes the offset of a block at `place`, as a little-endian u32.
fn put(out: &mut [u8], place: usize, offset: usize) {
    if let Some(entry) = out.get_mut(place..).and_then(|rest| rest.first_chunk_mut::<4>()) {
        *entry = (offset as u32).to_le_bytes();
    }
}
