//! Decoding of one payload, whole or in pieces, with checks of the sizes that its block header declares.
//!
//! The parts common to all formats are here; the other files of this folder contain the formats.

use super::any_codec::AnyCodec;
use super::format::PayloadDecoder;
use super::input::{Input, Origin, StoredBytes};
use super::outcome::{Outcome, too_few};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::progress::{self, Counted};
use crate::source::{Source, try_zeroed};
use std::sync::Arc;

/// Decodes a whole payload, the `used_size` bytes at `offset` of `source`, into `output`. The length of `output` is the
/// declared size.
///
/// Up to `threads` threads decode, including the calling thread, if the format allows it. Only the calling thread reads
/// the source.
///
/// Memory besides `output`:
///
/// * always 256 KiB and the state of the codec;
/// * for LZ4 also one compressed chunk;
/// * for zlib and Blosc also all stored bytes (zlib: up to 1 GiB);
/// * on several threads also a few chunks or blocks, and for bzip2 all stored bytes.
///
/// Call [`AnyCodec::check_sizes`] before allocating `output` to detect impossible sizes. Errors are those of
/// [`Decoder`]. After an error the content of `output` is unspecified.
pub fn decode_into(
    codec: impl Into<AnyCodec>,
    source: &dyn Source,
    offset: u64,
    used_size: u64,
    output: &mut [u8],
    threads: usize,
) -> Result<Outcome> {
    let codec = codec.into();
    let stored = StoredBytes { source, offset, used_size };
    if let Some(outcome) = codec.format().decode_at_once(stored, output, threads)? {
        return Ok(outcome);
    }
    // A cancelled attempt on several threads is not a damaged payload.
    progress::fail_if_cancelled()?;
    // The whole output is available, so no format needs memory of its own for decoded bytes: the limit is 0.
    let mut decoder = Decoder::open(&codec, source.into(), offset, used_size, output.len() as u64, 0)?;
    let mut done = 0;
    while done < output.len() {
        let end = done + progress::piece_size(output.len() - done);
        let count = decoder.read(&mut output[done..end])?;
        done += count;
        progress::advance(Counted::Elements, count as u64)?;
    }
    decoder.finish()
}

/// Decodes a payload in order, in bounded memory.
///
/// Memory in total:
///
/// * always 256 KiB and the state of the codec;
/// * for LZ4 also one chunk, compressed and decoded; the decoded part counts against [`Limits::decoded_bytes`];
/// * for Zstandard also the window of the frame, within the same limit;
/// * for Blosc also all stored bytes, and one decoded block within the same limit;
/// * for a codec of the caller also all decoded bytes, within the same limit.
///
/// Errors of every call: [`Status::Corrupt`] for damaged data or a wrong checksum, [`Status::DecodedSize`] for data
/// that decode to more or fewer bytes than declared, [`Status::Truncated`] for data that end early, [`Status::Limit`],
/// [`Status::OutOfMemory`], and errors of the source or of a codec of the caller. After an error the decoder cannot be
/// used again.
pub struct Decoder<'a> {
    input: Input<'a>,
    payload: Box<dyn PayloadDecoder>,
    data_size: u64,
    produced: u64,
}

debug_by_name!(Decoder<'_>, "Decoder");

impl<'a> Decoder<'a> {
    /// Creates a decoder of the `used_size` bytes at `offset` of `source`, which must decode to `data_size` bytes.
    pub fn new(
        codec: impl Into<AnyCodec>,
        source: &'a dyn Source,
        offset: u64,
        used_size: u64,
        data_size: u64,
        limits: &Limits,
    ) -> Result<Decoder<'a>> {
        Decoder::open(&codec.into(), source.into(), offset, used_size, data_size, limits.decoded_bytes)
    }

    /// Same as [`Decoder::new`] with a shared source, which the decoder keeps alive.
    pub(crate) fn of_shared(
        codec: &AnyCodec,
        source: Arc<dyn Source>,
        offset: u64,
        used_size: u64,
        data_size: u64,
        limits: &Limits,
    ) -> Result<Decoder<'static>> {
        let source = Origin::Shared(source);
        Decoder::open(codec, source, offset, used_size, data_size, limits.decoded_bytes)
    }

    fn open(
        codec: &AnyCodec,
        source: Origin<'a>,
        offset: u64,
        used_size: u64,
        data_size: u64,
        buffer_limit: u64,
    ) -> Result<Decoder<'a>> {
        let format = codec.format();
        format.check_sizes(used_size, data_size).map_err(|error| error.at_offset(offset))?;
        let mut input = Input::new(source, offset, used_size)?;
        let payload = format.open(&mut input, data_size, buffer_limit)?;
        Ok(Decoder { input, payload, data_size, produced: 0 })
    }

    /// Decodes into the start of `buffer` and returns the number of bytes written. Returns 0 only for an empty buffer
    /// or after all declared bytes. [`Decoder::finish`] checks the end of the data.
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let wanted = usize::try_from(self.data_size - self.produced).unwrap_or(usize::MAX).min(buffer.len());
        if wanted == 0 {
            return Ok(0);
        }
        let count = self.payload.read(&mut self.input, &mut buffer[..wanted])?;
        if count == 0 {
            return Err(too_few(self.produced, self.data_size, &self.input));
        }
        self.produced += count as u64;
        Ok(count)
    }

    /// Skips the next `count` decoded bytes. Fails with [`Status::OutOfRange`] if fewer are left.
    pub fn skip(&mut self, count: u64) -> Result<()> {
        if count > self.data_size - self.produced {
            return Err(Error::new(Status::OutOfRange, "cannot skip past the end of the decoded block"));
        }
        let target = self.produced + count;
        let mut scratch = try_zeroed(count.min(64 * 1024) as usize)?;
        while self.produced < target {
            let size = (target - self.produced).min(scratch.len() as u64) as usize;
            self.read(&mut scratch[..size])?;
        }
        Ok(())
    }

    /// Decodes and drops the remaining bytes. Checks that the data end at the declared size and match the checksum of
    /// their format, if it has one.
    pub fn finish(mut self) -> Result<Outcome> {
        self.skip(self.data_size - self.produced)?;
        if self.payload.read(&mut self.input, &mut [0])? != 0 {
            let message = format!("the block decodes to more than the {} bytes declared", self.data_size);
            return Err(Error::new(Status::DecodedSize, message).at_offset(self.input.position()));
        }
        Ok(self.payload.outcome(self.input.remaining()))
    }
}
