//! Reads of chunked payloads. Only the chunks with elements of the selection are read and decoded.
//!
//! The calling thread reads the stored bytes of some chunks, all threads decode them, and the calling thread copies their
//! elements. Decoded chunks are kept for later reads if a region was read. Elements of a chunk that is not stored have
//! the fill value.

use super::copy::{Stored, copy};
use super::encoded::Decoding;
use super::pieces::{Piece, Pieces};
use crate::array::convert::kernel::Kernel;
use crate::array::convert::masking::Masking;
use crate::array::payload::cache::PayloadCache;
use crate::array::payload::chunks::Chunks;
use crate::array::payload::fetch::Memory;
use crate::array::place::destination::Destination;
use crate::array::place::geometry::Geometry;
use crate::array::place::region::{Region, Selection};
use crate::array::{Array, Payload};
use crate::codec::numcodecs::{Pipeline, check_size};
use crate::codec::{AnyCodec, decode_into, parallel};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::Limit;
use crate::progress::{self, Counted};
use crate::reserve;
use crate::source::{MemorySource, Source, read_exact_at, settle, zeroed_bytes, zeroed_for};
use std::sync::Arc;

/// Decoded bytes up to which chunks are decoded together; more if each thread has one chunk.
const TOGETHER: u64 = if cfg!(test) { 256 } else { 32 << 20 };
/// The most chunks that are copied together.
const PIECES: usize = if cfg!(test) { 5 } else { 1024 };

/// The stored bytes of a chunk that is about to be copied.
enum Content {
    /// The chunk is not stored.
    Missing,
    /// Bytes of the chunk itself.
    Stored {
        source: Arc<dyn Source>,
        offset: u64,
    },
    Decoded(Arc<Vec<u8>>),
    Waiting(Encoded),
}

/// A chunk to decode.
struct Encoded {
    source: Arc<dyn Source>,
    offset: u64,
    length: u64,
    /// Number of bytes before the pipeline, if this codec made the stored bytes.
    codec: Option<(AnyCodec, u64)>,
    cache: PayloadCache,
}

impl Encoded {
    /// Decodes the stored bytes to those of the chunk.
    fn decode(&self, stored: Vec<u8>, pipeline: &Pipeline, size: u64, threads: usize) -> Result<Vec<u8>> {
        let bytes = match &self.codec {
            None => stored,
            Some((codec, decoded_size)) => {
                let used = stored.len() as u64;
                codec.check_sizes(used, *decoded_size)?;
                let mut decoded = zeroed_bytes(*decoded_size)?;
                decode_into(codec, &MemorySource::of_vec(stored), 0, used, &mut decoded, threads)?;
                decoded
            }
        };
        pipeline.decode(bytes, size)
    }
}

/// A read of chunks.
pub(super) struct ChunkReader<'a> {
    chunks: &'a Chunks,
    pipeline: &'a Pipeline,
    decoded_bytes: u64,
    threads: usize,
    /// Keep decoded chunks in the cache.
    keeps: bool,
}

impl<'a> ChunkReader<'a> {
    fn new(chunks: &'a Chunks, decoded_bytes: u64, decoding: Decoding) -> Result<ChunkReader<'a>> {
        let pipeline = chunks.check()?;
        Ok(ChunkReader { chunks, pipeline, decoded_bytes, threads: decoding.threads.max(1), keeps: !decoding.verify })
    }

    /// Returns the bytes of a chunk that need not be decoded, or what must be decoded.
    fn content(&self, number: u64) -> Result<Content> {
        let Some(stored) = self.chunks.store.chunk(&self.chunks.grid, number)? else { return Ok(Content::Missing) };
        let (source, offset, length, codec) = match stored.payload {
            Payload::Stored { source, offset, length } => (source, offset, length, None),
            Payload::Encoded { source, offset, used_size, data_size, codec, .. } => {
                (source, offset, used_size, Some((codec, data_size)))
            }
            other => {
                other.check()?;
                return Err(Error::new(Status::Internal, "a chunk consists of chunks"));
            }
        };
        let before_pipeline = codec.as_ref().map_or(length, |(_, size)| *size);
        if self.pipeline.is_empty() {
            check_size(before_pipeline, self.chunks.size)?;
            if codec.is_none() {
                return Ok(Content::Stored { source, offset });
            }
        }
        if let Some(bytes) = stored.cache.kept_whole() {
            return Ok(Content::Decoded(bytes));
        }
        if before_pipeline.max(self.chunks.size) > self.decoded_bytes {
            return Err(Limit::DecodedBytes.exceeded("memory for a decoded chunk", self.decoded_bytes));
        }
        Ok(Content::Waiting(Encoded { source, offset, length, codec, cache: stored.cache }))
    }

    /// Decodes the waiting chunks among these.
    fn decode(&self, contents: &mut [(u64, Content)]) -> Result<()> {
        let mut jobs = Vec::new();
        let mut is_of_caller = false;
        for (number, content) in contents.iter_mut() {
            if let Content::Waiting(encoded) = content {
                is_of_caller |= matches!(encoded.codec, Some((AnyCodec::Custom(_), _)));
                let stored = zeroed_for(&*encoded.source, encoded.offset, encoded.length);
                let stored = stored.map_err(|error| self.named(*number, error))?;
                jobs.push((*number, encoded, stored, Vec::new()));
            }
        }
        let Some((_, first, ..)) = jobs.first() else { return Ok(()) };
        let source = first.source.clone();
        progress::expect_more(Counted::Elements, self.chunks.size.saturating_mul(jobs.len() as u64));
        if source.is_of_caller() && jobs.iter().all(|(_, encoded, ..)| Arc::ptr_eq(&encoded.source, &source)) {
            let ranges = jobs.iter_mut().map(|(_, encoded, stored, _)| (encoded.offset, &mut stored[..]));
            source.read_ranges(&mut Vec::from_iter(ranges))?;
        } else {
            for (number, encoded, stored, _) in &mut jobs {
                let read = read_exact_at(&*encoded.source, encoded.offset, stored);
                settle(&*encoded.source, read).map_err(|error| self.named(*number, error))?;
            }
        }
        // Codecs of the caller run on the calling thread.
        let threads = if is_of_caller { 1 } else { self.threads };
        let within = if jobs.len() == 1 { threads } else { 1 };
        parallel::for_each(jobs.iter_mut(), threads, |_: &mut (), (number, encoded, stored, decoded)| {
            let made = encoded.decode(std::mem::take(stored), self.pipeline, self.chunks.size, within);
            // Offsets in the error are those of the bytes in memory.
            *decoded = made.map_err(|error| self.named(*number, error.unplaced()).at_offset(encoded.offset))?;
            progress::advance(Counted::Elements, self.chunks.size)
        })?;
        let mut made = Vec::with_capacity(jobs.len());
        for (number, encoded, _, decoded) in jobs {
            let decoded = Arc::new(decoded);
            if self.keeps {
                encoded.cache.keep_whole(&decoded);
            }
            made.push((number, decoded));
        }
        let mut made = made.into_iter();
        for (_, content) in contents.iter_mut().filter(|(_, content)| matches!(content, Content::Waiting(_))) {
            if let Some((_, decoded)) = made.next() {
                *content = Content::Decoded(decoded);
            }
        }
        Ok(())
    }

    /// Names the chunk in an error about its bytes.
    fn named(&self, number: u64, error: Error) -> Error {
        if error.is_of_machine() {
            return error;
        }
        let index = self.chunks.grid.index(number);
        Error::because_of(&format!("chunk {index:?} of the array cannot be read"), &error)
    }

    /// Returns the decoded bytes of a chunk; `None` for a chunk that is not stored.
    fn bytes(&self, number: u64) -> Result<Option<Arc<Vec<u8>>>> {
        let mut contents = [(number, self.content(number).map_err(|error| self.named(number, error))?)];
        self.decode(&mut contents)?;
        let [(_, content)] = contents;
        match content {
            Content::Missing => Ok(None),
            Content::Decoded(bytes) => Ok(Some(bytes)),
            Content::Stored { source, offset } => {
                let mut bytes = zeroed_for(&*source, offset, self.chunks.size)?;
                settle(&*source, read_exact_at(&*source, offset, &mut bytes))?;
                Ok(Some(Arc::new(bytes)))
            }
            Content::Waiting(_) => Err(Error::new(Status::Internal, "a chunk was not decoded")),
        }
    }
}

impl Array {
    /// Reads a region, or the whole array, from a chunked payload. The dimensions of the array are those of the grid,
    /// followed by those of the elements.
    pub(super) fn copy_from_chunks(
        &self,
        chunks: &Chunks,
        region: Option<&Region>,
        (kernel, destination): (&Kernel, &Destination),
        out: &mut [u8],
        mut masking: Option<&mut Masking>,
        decoding: Decoding,
    ) -> Result<Vec<Warning>> {
        let reader = ChunkReader::new(chunks, self.decoded_bytes, decoding)?;
        let fill = chunks.fill_bytes();
        let mut pieces = Pieces::new(&chunks.grid, region, destination);
        let mut misses_fill = false;
        loop {
            let (mut waiting, mut contents) = (Vec::new(), Vec::new());
            let mut size = 0_u64;
            while waiting.len() < PIECES
                && (size < TOGETHER || waiting.len() < reader.threads)
                && let Some(piece) = pieces.next()
            {
                let number = piece.number;
                let content = reader.content(number).map_err(|error| reader.named(number, error))?;
                match &content {
                    // One thread has no use for a second chunk.
                    Content::Waiting(encoded) if reader.threads < 2 && !encoded.source.is_of_caller() => {
                        size = u64::MAX;
                    }
                    Content::Waiting(_) | Content::Decoded(_) => size = size.saturating_add(chunks.size),
                    Content::Missing | Content::Stored { .. } => {}
                }
                reserve::push(&mut waiting, piece)?;
                reserve::push(&mut contents, (number, content))?;
                if size.saturating_add(chunks.size) > self.decoded_bytes {
                    break;
                }
            }
            if waiting.is_empty() {
                break;
            }
            reader.decode(&mut contents)?;
            for (piece, (number, content)) in waiting.iter().zip(contents) {
                misses_fill |= matches!(content, Content::Missing) && chunks.fill.is_none();
                let selection = self.selection_of(chunks, piece, destination, matches!(content, Content::Missing));
                match content {
                    Content::Missing => {
                        copy(&selection, &mut Memory(&fill), kernel, destination, out, masking.as_deref_mut())?;
                    }
                    Content::Decoded(bytes) => {
                        copy(&selection, &mut Memory(&bytes), kernel, destination, out, masking.as_deref_mut())?;
                    }
                    Content::Stored { source, offset } => {
                        let mut stored = Stored::new(&*source, offset, chunks.size);
                        let copied = copy(&selection, &mut stored, kernel, destination, out, masking.as_deref_mut());
                        settle(&*source, copied).map_err(|error| reader.named(number, error))?;
                    }
                    Content::Waiting(_) => return Err(Error::new(Status::Internal, "a chunk was not decoded")),
                }
            }
        }
        Ok(if misses_fill { vec![Warning::new(NO_FILL)] } else { Vec::new() })
    }

    /// Returns the decoded bytes of a chunk; `None` if it is not stored.
    pub(in crate::array) fn chunk_bytes(&self, chunks: &Chunks, number: u64) -> Result<Option<Arc<Vec<u8>>>> {
        let decoding = Decoding { threads: 1, verify: true };
        ChunkReader::new(chunks, self.decoded_bytes, decoding)?.bytes(number)
    }

    /// Returns the loops that copy the elements of a piece from the bytes of its chunk, or from one fill value.
    fn selection_of(&self, chunks: &Chunks, piece: &Piece, destination: &Destination, is_fill: bool) -> Selection {
        let mut source = i128::from(self.geometry.offset());
        let mut target = destination.first() as isize;
        let mut loops = Vec::with_capacity(self.shape().len());
        for (axis, part) in piece.parts.iter().enumerate() {
            let stride = match (chunks.strides.get(axis), self.geometry.strides().get(axis)) {
                (Some(_), _) if is_fill => 0,
                (Some(&stride), _) => stride,
                // A dimension of the elements.
                (None, stride) => stride.copied().unwrap_or(0),
            };
            source += i128::from(stride) * i128::from(part.first);
            let to = destination.strides().get(axis).copied().unwrap_or(0) as isize;
            target += to.wrapping_mul(part.done as isize);
            loops.push((part.count as usize, i128::from(stride) * i128::from(part.step), to));
        }
        Selection::of_loops(source, target, loops)
    }

    /// Copies a selection of the packed array, for reads that are no region of the grid, such as masks that repeat.
    pub(super) fn copy_packed_chunks(
        &self,
        chunks: &Chunks,
        selection: &Selection,
        (kernel, destination): (&Kernel, &Destination),
        out: &mut [u8],
        masking: Option<&mut Masking>,
        decoding: Decoding,
    ) -> Result<Vec<Warning>> {
        let mut packed = Packed::new(chunks, self.decoded_bytes, decoding)?;
        copy(selection, &mut packed, kernel, destination, out, masking)?;
        Ok(if packed.misses_fill { vec![Warning::new(NO_FILL)] } else { Vec::new() })
    }
}

const NO_FILL: &str = "chunks that are not stored have no fill value; their elements are read as zeros";

/// The bytes of the packed array, by position.
pub(super) struct Packed<'a> {
    reader: ChunkReader<'a>,
    geometry: Geometry,
    /// The chunk used last, with its number.
    current: Option<(u64, Option<Arc<Vec<u8>>>)>,
    fill: Vec<u8>,
    misses_fill: bool,
}

impl<'a> Packed<'a> {
    pub(super) fn new(chunks: &'a Chunks, decoded_bytes: u64, decoding: Decoding) -> Result<Packed<'a>> {
        let declared = crate::array::DeclaredShape::Fixed(chunks.grid.shape().to_vec());
        let geometry = Geometry::new(&declared, None, 0, chunks.item_size.unsigned_abs(), None)?;
        let reader = ChunkReader { keeps: true, ..ChunkReader::new(chunks, decoded_bytes, decoding)? };
        Ok(Packed { reader, geometry, current: None, fill: chunks.fill_bytes(), misses_fill: false })
    }

    /// Copies bytes of one element, and returns how many.
    fn element(&mut self, position: u64, buffer: &mut [u8]) -> Result<usize> {
        let chunks = self.reader.chunks;
        let (item, outside) = (chunks.item_size.unsigned_abs().max(1), || {
            Error::new(Status::Internal, "an array lies outside its bytes")
        });
        let (mut rest, within) = (position / item, (position % item) as usize);
        let (mut index, mut start) = (Vec::new(), 0_i64);
        let mut local = Vec::new();
        for (&stride, &chunk) in self.geometry.strides().iter().zip(chunks.grid.chunk()) {
            let step = (stride.unsigned_abs() / item).max(1);
            let at = (rest / step) as i64;
            rest %= step;
            index.push(at / chunk);
            local.push(at % chunk);
        }
        for (local, stride) in local.iter().zip(&chunks.strides) {
            start += local * stride;
        }
        let number = chunks.grid.number(&index);
        if self.current.as_ref().is_none_or(|(current, _)| *current != number) {
            self.current = None;
            self.current = Some((number, self.reader.bytes(number)?));
        }
        let Some((_, bytes)) = &self.current else { return Err(outside()) };
        self.misses_fill |= bytes.is_none() && chunks.fill.is_none();
        let (bytes, start) = bytes.as_ref().map_or((&self.fill[..], 0), |bytes| (&bytes[..], start as usize));
        let element = bytes.get(start..).and_then(|bytes| bytes.get(within..item as usize)).ok_or_else(outside)?;
        let count = element.len().min(buffer.len());
        buffer[..count].copy_from_slice(&element[..count]);
        Ok(count)
    }
}

impl crate::array::payload::fetch::Fetch for Packed<'_> {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        let mut done = 0;
        while done < buffer.len() {
            done += self.element(position + done as u64, &mut buffer[done..])?;
        }
        Ok(())
    }
}
