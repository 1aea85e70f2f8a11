//! Decoding of a chunk: its header and its blocks, one by one or several in parallel.

use super::header::{
    BIT_SHUFFLE, BIT_SHUFFLED, DELTA, LONG_HEADER, LZ4, NO_FILTER, NOT_COMPRESSED, NOT_SPLIT, SHORT_HEADER, SHUFFLE,
    SHUFFLED, TRUNCATED_PRECISION, splits,
};
use super::{blosclz, filters};
use crate::codec::format::PayloadDecoder;
use crate::codec::input::{Input, StoredBytes};
use crate::codec::memory::{created, try_resize};
use crate::codec::outcome::Outcome;
use crate::codec::parallel;
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::progress::{self, Counted};

/// A filter to undo after decompression.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Undo {
    Shuffle,
    BitShuffle,
}

/// Storage of the blocks of a chunk.
#[derive(Clone, PartialEq, Eq)]
enum Content {
    Compressed,
    Uncompressed,
    /// One value that fills the chunk; nothing else is stored.
    Repeated(Vec<u8>),
}

/// The header of a chunk, after checks against itself and against the declared size.
struct Chunk {
    /// Offset of the chunk in the file, for error messages.
    offset: u64,
    version: u8,
    codec: u8,
    split: bool,
    type_size: usize,
    block_size: usize,
    decoded_size: usize,
    stored_size: usize,
    header_size: usize,
    undo: Vec<Undo>,
    delta: bool,
    content: Content,
}

/// Two buffers that are reused for each block.
#[derive(Default)]
struct Scratch(Vec<u8>, Vec<u8>);

impl Chunk {
    /// Reads the header at the start of `stored`, which lies at `offset` in the file. `declared` is the decoded size in
    /// bytes that the block header declares.
    fn parse(stored: &[u8], offset: u64, declared: usize) -> Result<Chunk> {
        let error = |status, message: String| Err(Error::new(status, message).at_offset(offset));
        let header: &[u8; SHORT_HEADER] = stored.first_chunk().ok_or_else(|| ends_early(offset))?;
        let [version, _, flags, type_size, sizes @ ..] = *header;
        let mut sizes = sizes.as_chunks::<4>().0.iter().map(|bytes| usize::try_from(i32::from_le_bytes(*bytes)));
        let (Some(Ok(decoded_size)), Some(Ok(block_size)), Some(Ok(stored_size))) =
            (sizes.next(), sizes.next(), sizes.next())
        else {
            return error(Status::Corrupt, "the header of the Blosc chunk contains a negative size".into());
        };
        if !(1..=5).contains(&version) {
            return error(
                Status::Unsupported,
                format!("the Blosc chunk has the unsupported format version {version}; versions 1 to 5 are supported"),
            );
        }
        if decoded_size != declared {
            let message = format!("the block decodes to {decoded_size} bytes, but {declared} are declared");
            return error(Status::DecodedSize, message);
        }
        if stored_size > stored.len() {
            return Err(ends_early(offset));
        }
        let extended = flags & (SHUFFLED | BIT_SHUFFLED) == SHUFFLED | BIT_SHUFFLED;
        let header_size = if extended { LONG_HEADER } else { SHORT_HEADER };
        if stored_size < header_size || type_size == 0 || (block_size == 0 && decoded_size > 0) {
            return error(Status::Corrupt, "the sizes in the header of the Blosc chunk contradict each other".into());
        }
        let type_size = usize::from(type_size);
        let mut chunk = Chunk {
            offset,
            version,
            codec: flags >> 5,
            split: flags & NOT_SPLIT == 0 && (extended || splits(type_size, block_size)),
            type_size,
            block_size: block_size.max(1),
            decoded_size,
            stored_size,
            header_size,
            undo: Vec::new(),
            delta: false,
            content: if flags & NOT_COMPRESSED == 0 { Content::Compressed } else { Content::Uncompressed },
        };
        if extended {
            let header: &[u8; LONG_HEADER] = stored.first_chunk().ok_or_else(|| ends_early(offset))?;
            chunk.extend(header, stored)?;
        } else {
            match flags & (SHUFFLED | BIT_SHUFFLED) {
                SHUFFLED if type_size > 1 => chunk.undo.push(Undo::Shuffle),
                BIT_SHUFFLED => chunk.undo.push(Undo::BitShuffle),
                _ => {}
            }
        }
        match chunk.content {
            Content::Uncompressed if stored_size != header_size + decoded_size => error(
                Status::Corrupt,
                "the size of an uncompressed Blosc chunk differs from the size of its data".into(),
            ),
            // The chunk stores an offset of 4 bytes for each block.
            Content::Compressed if (stored_size - header_size) / 4 < decoded_size.div_ceil(chunk.block_size) => {
                error(Status::Corrupt, "the Blosc chunk is too short for the offsets of its blocks".into())
            }
            _ => Ok(chunk),
        }
    }

    fn ends_early(&self) -> Error {
        ends_early(self.offset)
    }

    /// Reads the fields that only format 2 has: the filters and the chunks of one repeated value.
    fn extend(&mut self, header: &[u8; LONG_HEADER], stored: &[u8]) -> Result<()> {
        let unsupported = |what: String| {
            let message = format!("the Blosc chunk uses {what}, which is not supported");
            Err(Error::new(Status::Unsupported, message).at_offset(self.offset))
        };
        let [_, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, filters @ .., flags] = header;
        let &flags = flags;
        let value_size = self.type_size;
        self.content = match flags >> 4 & 7 {
            0 if self.content == Content::Uncompressed => return Ok(()),
            0 => Content::Compressed,
            1 | 4 => Content::Repeated(vec![0]),
            2 if value_size == 4 => Content::Repeated(f32::NAN.to_le_bytes().to_vec()),
            2 if value_size == 8 => Content::Repeated(f64::NAN.to_le_bytes().to_vec()),
            3 => match stored.get(LONG_HEADER..self.stored_size).and_then(|rest| rest.get(..value_size)) {
                Some(value) => Content::Repeated(value.to_vec()),
                None => return Err(self.ends_early()),
            },
            kind => return unsupported(format!("special values of kind {kind}")),
        };
        if self.content != Content::Compressed {
            return Ok(());
        }
        match flags {
            _ if flags & 0x01 != 0 => return unsupported("a dictionary".into()),
            _ if flags & 0x08 != 0 => return unsupported("bytes that are stored elsewhere".into()),
            _ if flags & 0x84 != 0 => return unsupported(format!("the flags 0x{flags:02x}")),
            _ => {}
        }
        // The filters were applied in this order, so the last one is undone first.
        for &filter in filters.iter().take(6).rev() {
            // The delta filter is undone in place, after all other filters, so no other filter may be undone later.
            if self.delta && filter != NO_FILTER && filter != TRUNCATED_PRECISION {
                return unsupported("a filter before the delta filter".into());
            }
            match filter {
                NO_FILTER | TRUNCATED_PRECISION => {}
                SHUFFLE => self.undo.push(Undo::Shuffle),
                BIT_SHUFFLE => self.undo.push(Undo::BitShuffle),
                DELTA => self.delta = true,
                _ => return unsupported(filter_name(filter)),
            }
        }
        if let 6 | 7 = self.codec {
            return unsupported(codec_name(self.codec, header[22]));
        }
        Ok(())
    }

    /// Decodes a block into `out`, whose length is the size of the block. `first` is the decoded first block; it is
    /// `None` while that block itself is decoded.
    fn decode_block(
        &self,
        stored: &[u8],
        index: usize,
        first: Option<&[u8]>,
        scratch: &mut Scratch,
        out: &mut [u8],
    ) -> Result<()> {
        let stored = stored.get(..self.stored_size).unwrap_or_default();
        match &self.content {
            Content::Compressed => {}
            Content::Uncompressed => {
                let bytes = stored.get(self.header_size + index * self.block_size..).unwrap_or_default();
                match bytes.get(..out.len()) {
                    Some(bytes) => out.copy_from_slice(bytes),
                    None => return Err(self.ends_early()),
                }
                return Ok(());
            }
            Content::Repeated(value) => {
                repeat(value, (index * self.block_size) as u64, out);
                return Ok(());
            }
        }
        let Scratch(one, other) = scratch;
        match self.undo.split_last() {
            None => self.decompress(stored, index, out)?,
            Some((last, others)) => {
                self.decompress(stored, index, try_resize(one, out.len() as u64)?)?;
                for undo in others {
                    self.undo(*undo, one, try_resize(other, out.len() as u64)?);
                    std::mem::swap(one, other);
                }
                self.undo(*last, one, out);
            }
        }
        if self.delta {
            filters::undo_delta(self.type_size, first, out);
        }
        Ok(())
    }

    /// Decodes all blocks into `output`. Calls `count` with the size of each.
    fn decode_blocks(
        &self,
        stored: &[u8],
        output: &mut [u8],
        threads: usize,
        count: impl Fn(u64) -> Result<()> + Sync,
    ) -> Result<()> {
        let blocks = output.chunks_mut(self.block_size).enumerate();
        if !self.delta {
            return parallel::for_each(blocks, threads, |scratch: &mut Scratch, (index, block)| {
                self.decode_block(stored, index, None, scratch, block)?;
                count(block.len() as u64)
            });
        }
        let mut scratch = Scratch::default();
        let mut first: Option<&mut [u8]> = None;
        for (index, block) in blocks {
            count(block.len() as u64)?;
            self.decode_block(stored, index, first.as_deref(), &mut scratch, block)?;
            first.get_or_insert(block);
        }
        Ok(())
    }

    fn undo(&self, undo: Undo, from: &[u8], to: &mut [u8]) {
        match undo {
            Undo::Shuffle => filters::unshuffle(self.type_size, from, to),
            Undo::BitShuffle => filters::unshuffle_bits(self.type_size, self.version <= 2, from, to),
        }
    }

    /// Decompresses the streams of a block into `out`, whose length is the size of the block.
    fn decompress(&self, stored: &[u8], index: usize, out: &mut [u8]) -> Result<()> {
        let entry = stored.get(self.header_size + 4 * index..).and_then(|rest| rest.first_chunk::<4>());
        let start = entry.and_then(|bytes| usize::try_from(i32::from_le_bytes(*bytes)).ok());
        let Some(mut rest) = start.and_then(|start| stored.get(start..)) else {
            let message = format!("the offset of block {index} lies outside the Blosc chunk");
            return Err(Error::new(Status::Corrupt, message).at_offset(self.offset));
        };
        let whole = out.len() == self.block_size;
        let streams = if self.split && whole { self.type_size } else { 1 };
        let size = out.len() / streams;
        if size * streams != out.len() || size == 0 {
            let message = format!("block {index} of the Blosc chunk cannot be split into {streams} streams");
            return Err(Error::new(Status::Corrupt, message).at_offset(self.offset));
        }
        for stream in out.chunks_exact_mut(size) {
            let place = self.offset + (stored.len() - rest.len()) as u64;
            self.decompress_stream(&mut rest, stream).map_err(|error| error.at_offset(place))?;
        }
        Ok(())
    }

    /// Decompresses the stream at the start of `rest` into `out` and advances `rest` past it.
    fn decompress_stream(&self, rest: &mut &[u8], out: &mut [u8]) -> Result<()> {
        let corrupt = |message: &str| Error::new(Status::Corrupt, message);
        let truncated =
            || Error::new(Status::Truncated, "a stream of the Blosc chunk extends past the end of the chunk");
        let (size, after) = rest.split_first_chunk::<4>().ok_or_else(truncated)?;
        let size = i32::from_le_bytes(*size);
        *rest = after;
        if self.header_size == LONG_HEADER && size <= 0 {
            let mut value = 0;
            if size < 0 {
                let (&token, after) = rest.split_first().ok_or_else(truncated)?;
                *rest = after;
                value = match u8::try_from(-i64::from(size)) {
                    Ok(value) if token & 1 != 0 => value,
                    _ => return Err(corrupt("a stream of the Blosc chunk has an invalid size")),
                };
            }
            out.fill(value);
            return Ok(());
        }
        let size = usize::try_from(size).map_err(|_| corrupt("a stream of the Blosc chunk has an invalid size"))?;
        let (stream, after) = rest.split_at_checked(size).ok_or_else(truncated)?;
        *rest = after;
        if size == out.len() {
            out.copy_from_slice(stream);
            return Ok(());
        }
        let decoded = match self.codec {
            0 => blosclz::decode(stream, out),
            LZ4 => lz4_flex::block::decompress_into(stream, out).ok(),
            3 => inflate(stream, out)?,
            #[cfg(feature = "zstd")]
            4 => crate::codec::zstd::decode_frame(stream, out)?,
            codec => {
                let message = format!("the Blosc chunk uses {}, which is not supported", codec_name(codec, 0));
                return Err(Error::new(Status::Unsupported, message));
            }
        };
        if decoded != Some(out.len()) {
            let (name, size) = (codec_name(self.codec, 0), out.len());
            let message =
                format!("a stream of the Blosc chunk is damaged: it does not decode as {name} to {size} bytes");
            return Err(corrupt(&message));
        }
        Ok(())
    }
}

fn ends_early(offset: u64) -> Error {
    Error::new(Status::Truncated, "the Blosc chunk ends early").at_offset(offset)
}

/// Decodes one zlib stream and returns the number of bytes written. Returns `None` if the stream is damaged or decodes
/// to more bytes than `out` holds.
fn inflate(stream: &[u8], out: &mut [u8]) -> Result<Option<usize>> {
    let mut library = created("zlib", || flate2::Decompress::new(true))?;
    Ok(match library.decompress(stream, out, flate2::FlushDecompress::Finish) {
        Ok(flate2::Status::StreamEnd) => usize::try_from(library.total_out()).ok(),
        _ => None,
    })
}

fn codec_name(codec: u8, plug_in: u8) -> String {
    match codec {
        0 => "BloscLZ".into(),
        1 => "LZ4".into(),
        2 => "the codec Snappy".into(),
        3 => "zlib".into(),
        4 if cfg!(feature = "zstd") => "Zstandard".into(),
        4 => "the codec Zstandard (cargo feature 'zstd')".into(),
        6 => format!("the codec number {plug_in} from a plug-in"),
        _ => format!("the codec number {codec}"),
    }
}

fn filter_name(filter: u8) -> String {
    match filter {
        32 => "the filter ndcell".into(),
        33 => "the filter ndmean".into(),
        35 => "the filter bytedelta".into(),
        36 => "the filter int_trunc".into(),
        _ => format!("the filter number {filter}"),
    }
}

/// Fills `out` with a value that repeats from the start of a chunk. `at` is the position of `out` in the chunk.
pub(super) fn repeat(value: &[u8], at: u64, out: &mut [u8]) {
    if let [value] = *value {
        return out.fill(value);
    }
    // The remainder is smaller than the value, so the cast cannot truncate.
    let start = (at % value.len().max(1) as u64) as usize;
    out.iter_mut().zip(value.iter().cycle().skip(start)).for_each(|(to, from)| *to = *from);
}

/// Decodes a whole payload that is one chunk into `output` on up to `threads` threads.
pub(super) fn decode_whole(payload: StoredBytes<'_>, output: &mut [u8], threads: usize) -> Result<Outcome> {
    let stored = payload.input()?.take_rest()?;
    let stored_size = decode_counted(&stored, payload.offset, output, threads)?;
    Ok(Outcome::of_trailing(payload.used_size - stored_size as u64))
}

/// Decodes a chunk, which may lie anywhere in a payload, into `output`.
pub(super) fn decode(stored: &[u8], output: &mut [u8]) -> Result<()> {
    let chunk = Chunk::parse(stored, 0, output.len())?;
    chunk.decode_blocks(stored, output, 1, |_| progress::check())
}

/// Decodes a chunk at the start of `stored`, which lies at `offset` in the file, into `output` on up to `threads`
/// threads. Counts the bytes as progress, and returns the stored size of the chunk.
pub(super) fn decode_counted(stored: &[u8], offset: u64, output: &mut [u8], threads: usize) -> Result<usize> {
    let chunk = Chunk::parse(stored, offset, output.len())?;
    chunk.decode_blocks(stored, output, threads, |bytes| progress::advance(Counted::Elements, bytes))?;
    Ok(chunk.stored_size)
}

/// A chunk that is decoded block by block.
pub(super) struct Decoder {
    stored: Vec<u8>,
    chunk: Chunk,
    buffer_limit: u64,
    next: usize,
    scratch: Scratch,
    /// The decoded first block, which the delta filter combines with the others.
    first: Vec<u8>,
    /// The block decoded last. `handed_out` counts its bytes that were returned.
    block: Vec<u8>,
    handed_out: usize,
}

impl Decoder {
    /// Decodes the chunk at the start of `stored`, which lies at `offset` in the file. Each decoded block may take up to
    /// `buffer_limit` bytes.
    pub(super) fn new(stored: Vec<u8>, offset: u64, data_size: u64, buffer_limit: u64) -> Result<Decoder> {
        let declared = usize::try_from(data_size).map_err(|_| Error::out_of_memory(data_size))?;
        let chunk = Chunk::parse(&stored, offset, declared)?;
        Ok(Decoder {
            stored,
            chunk,
            buffer_limit,
            next: 0,
            scratch: Scratch::default(),
            first: Vec::new(),
            block: Vec::new(),
            handed_out: 0,
        })
    }
}

impl PayloadDecoder for Decoder {
    fn read(&mut self, _input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        if self.handed_out == self.block.len() {
            let chunk = &self.chunk;
            let start = self.next * chunk.block_size;
            let size = chunk.decoded_size.saturating_sub(start).min(chunk.block_size);
            if size == 0 {
                return Ok(0);
            }
            if size as u64 > self.buffer_limit {
                let error = Limit::DecodedBytes.exceeded("memory for decoded block bytes", self.buffer_limit);
                return Err(error.at_offset(chunk.offset));
            }
            let first = (self.next > 0).then_some(&*self.first);
            let block = try_resize(&mut self.block, size as u64)?;
            chunk.decode_block(&self.stored, self.next, first, &mut self.scratch, block)?;
            if chunk.delta && self.next == 0 {
                try_resize(&mut self.first, size as u64)?.copy_from_slice(block);
            }
            (self.next, self.handed_out) = (self.next + 1, 0);
        }
        let waiting = self.block.get(self.handed_out..).unwrap_or_default();
        let count = waiting.len().min(output.len());
        output[..count].copy_from_slice(&waiting[..count]);
        self.handed_out += count;
        Ok(count)
    }

    fn outcome(&self, _unread: u64) -> Outcome {
        Outcome::of_trailing((self.stored.len() - self.chunk.stored_size) as u64)
    }
}
