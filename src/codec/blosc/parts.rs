//! Payloads of several chunks: where the chunks are, and what each decodes to.
//!
//! Two framings exist: chunks after their stored sizes (see [`sized`](super::sized)), and the contiguous frame of the
//! format 2 (see [`frame`](super::frame)). Any other payload is a single chunk.

use super::chunk;
use super::header::SHORT_HEADER;
use crate::codec::chunk_index::{ChunkIndex, ChunkLayout, CodedChunk};
use crate::codec::format::PayloadDecoder;
use crate::codec::input::{Input, StoredBytes};
use crate::codec::outcome::Outcome;
use crate::codec::parallel;
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::progress::{self, Counted};

/// One chunk of a payload.
pub(super) struct Part {
    /// Place of the stored chunk in the file.
    pub(super) offset: u64,
    pub(super) stored: u64,
    pub(super) decoded: u64,
    /// The value that the chunk repeats, if no chunk is stored.
    pub(super) value: Option<Vec<u8>>,
}

/// The chunks of a payload in order. Together they decode to the declared size.
pub(super) struct Parts {
    pub(super) parts: Vec<Part>,
    /// Number of payload bytes after the last chunk.
    pub(super) trailing: u64,
    /// Number of bytes before each chunk.
    pub(super) prefix: u64,
}

/// Collects chunks up to the declared size.
pub(super) struct Collector {
    parts: Vec<Part>,
    most: usize,
    left: u64,
}

impl Collector {
    pub(super) fn new(data_size: u64) -> Collector {
        // Writers make chunks of 64 bytes at the very least. The limit keeps the list smaller than the data.
        let most = usize::try_from(data_size / 64).unwrap_or(usize::MAX).saturating_add(16_384);
        Collector { parts: Vec::new(), most, left: data_size }
    }

    /// Number of bytes that the remaining chunks decode to.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// Adds a chunk, unless it decodes to no bytes. Fails with [`Status::DecodedSize`] if it decodes to too many.
    pub(super) fn add(&mut self, part: Part) -> Result<()> {
        let (decoded, offset) = (part.decoded, part.offset);
        self.left = self.left.checked_sub(decoded).ok_or_else(|| {
            let message = format!("a Blosc chunk has {decoded} decoded bytes, but only {} are left", self.left);
            Error::new(Status::DecodedSize, message).at_offset(offset)
        })?;
        if decoded == 0 {
            return Ok(());
        }
        if self.parts.len() == self.most {
            return Err(Error::limit("the number of Blosc chunks", self.most as u64).at_offset(offset));
        }
        self.parts.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Part>() as u64))?;
        self.parts.push(part);
        Ok(())
    }

    pub(super) fn finish(self, trailing: u64, prefix: u64) -> Parts {
        Parts { parts: self.parts, trailing, prefix }
    }
}

/// Decoded and stored size of the chunk that begins with these bytes; `None` for negative sizes.
pub(super) fn sizes(header: &[u8; SHORT_HEADER]) -> Option<(u64, u64)> {
    let [_, _, _, _, a, b, c, d, _, _, _, _, e, f, g, h] = *header;
    let size = |bytes| u64::try_from(i32::from_le_bytes(bytes)).ok();
    Some((size([a, b, c, d])?, size([e, f, g, h])?))
}

/// Returns the bytes at the beginning of a payload, as many as there are.
pub(super) fn first_bytes<const COUNT: usize>(stored: StoredBytes<'_>) -> Result<Option<[u8; COUNT]>> {
    Input::with_piece(stored.source, stored.offset, stored.used_size, COUNT as u64)?.peek()
}

impl Parts {
    /// Returns the index of the chunks; `None` if there are more than `most`, or one is not stored.
    pub(super) fn index(&self, most: usize) -> Result<Option<ChunkIndex>> {
        if self.parts.len() > most || !self.are_stored() {
            return Ok(None);
        }
        let mut chunks = Vec::new();
        let bytes = self.parts.len().saturating_mul(size_of::<CodedChunk>());
        chunks.try_reserve_exact(self.parts.len()).map_err(|_| Error::out_of_memory(bytes as u64))?;
        let mut decoded_offset = 0;
        for part in &self.parts {
            let Part { offset: stored_offset, stored: stored_length, decoded: decoded_length, .. } = *part;
            chunks.push(CodedChunk { stored_offset, stored_length, decoded_offset, decoded_length });
            decoded_offset += decoded_length;
        }
        let layout = ChunkLayout { header_size: self.prefix, prefix_size: 0, decode: chunk::decode };
        Ok(Some(ChunkIndex { chunks, trailing_bytes: self.trailing, layout }))
    }

    /// Returns whether all chunks are stored.
    pub(super) fn are_stored(&self) -> bool {
        self.parts.iter().all(|part| part.value.is_none())
    }

    /// Decodes all chunks into `output` on up to `threads` threads.
    pub(super) fn decode(&self, payload: StoredBytes<'_>, output: &mut [u8], threads: usize) -> Result<Outcome> {
        let stored = payload.input()?.take_rest()?;
        let bytes_of = |part: &Part| {
            let start = usize::try_from(part.offset - payload.offset).unwrap_or(usize::MAX);
            let rest = stored.get(start..).unwrap_or_default();
            rest.get(..usize::try_from(part.stored).unwrap_or(usize::MAX)).unwrap_or_default()
        };
        let mut rest = output;
        let outputs = self.parts.iter().map(|part| {
            let (out, after) = std::mem::take(&mut rest).split_at_mut(part.decoded as usize);
            rest = after;
            (part, out)
        });
        // The blocks of a large chunk are decoded on several threads, small chunks beside one another.
        let alone = self.parts.len() < threads;
        let decode = |threads: usize, part: &Part, out: &mut [u8]| match &part.value {
            Some(value) => {
                chunk::repeat(value, 0, out);
                progress::advance(Counted::Elements, out.len() as u64)
            }
            None => chunk::decode_counted(bytes_of(part), part.offset, out, threads).map(drop),
        };
        if alone {
            for (part, out) in outputs {
                decode(threads, part, out)?;
            }
        } else {
            parallel::for_each(outputs, threads, |_: &mut (), (part, out)| decode(1, part, out))?;
        }
        Ok(Outcome::of_trailing(self.trailing))
    }

    /// Begins to decode the chunks one after the other. Each decoded block may take up to `buffer_limit` bytes.
    pub(super) fn decoder(self, buffer_limit: u64) -> Result<PartsDecoder> {
        if (self.parts.len() as u64).saturating_mul(size_of::<Part>() as u64) > buffer_limit {
            return Err(Limit::DecodedBytes.exceeded("memory for decoded block bytes", buffer_limit));
        }
        let Parts { parts, trailing, .. } = self;
        Ok(PartsDecoder { parts: parts.into_iter(), current: Current::None, trailing, buffer_limit })
    }
}

/// A payload of several chunks that is decoded in order.
pub(super) struct PartsDecoder {
    parts: std::vec::IntoIter<Part>,
    current: Current,
    trailing: u64,
    buffer_limit: u64,
}

/// The chunk that is being decoded.
enum Current {
    None,
    Stored(Box<chunk::Decoder>),
    Repeated { value: Vec<u8>, at: u64, end: u64 },
}

impl PayloadDecoder for PartsDecoder {
    fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        loop {
            let count = match &mut self.current {
                Current::None => 0,
                Current::Stored(decoder) => decoder.read(input, output)?,
                Current::Repeated { value, at, end } => {
                    let count = usize::try_from(*end - *at).unwrap_or(usize::MAX).min(output.len());
                    chunk::repeat(value, *at, output.get_mut(..count).unwrap_or_default());
                    *at += count as u64;
                    count
                }
            };
            if count > 0 {
                return Ok(count);
            }
            let Some(Part { offset, stored, decoded, value }) = self.parts.next() else { return Ok(0) };
            self.current = match value {
                Some(value) => Current::Repeated { value, at: 0, end: decoded },
                None => {
                    let stored = input.bytes_at(offset, stored)?;
                    Current::Stored(Box::new(chunk::Decoder::new(stored, offset, decoded, self.buffer_limit)?))
                }
            };
        }
    }

    fn outcome(&self, _unread: u64) -> Outcome {
        Outcome::of_trailing(self.trailing)
    }
}
