//! Decoding of one payload, whole or piece by piece, held to the sizes its block header declares.
//!
//! The formats themselves are in the files beside this one; here is what they share.

use super::any_codec::AnyCodec;
use super::format::PayloadDecoder;
use super::input::{Input, Origin, StoredBytes};
use super::outcome::{Outcome, too_few};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::progress::{self, Counted};
use crate::source::{Source, try_zeroed};
use std::sync::Arc;

/// Decodes a whole payload, the `used_size` bytes at `offset` of `source`, into `output`, whose length is the
/// declared size.
///
/// Where the format allows it, up to `threads` threads decode, that of the caller included; only that one reads.
///
/// Besides `output` it takes 256 KiB and the codec's own state, for LZ4 also one compressed chunk, for zlib and Blosc all
/// stored bytes (zlib: up to 1 GiB); on several threads, a few chunks or blocks more and for bzip2 all stored bytes, too.
///
/// To refuse a false size before allocating `output`, call [`AnyCodec::check_sizes`] first. Errors are those of
/// [`Decoder`]; after one the content of `output` is unspecified.
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
    // Not the end of a try on several threads that failed.
    progress::settle()?;
    // All of the output is at hand, so nothing is ever decoded into memory that would have to be limited.
    let mut decoder = Decoder::open(&codec, source.into(), offset, used_size, output.len() as u64, 0)?;
    let mut done = 0;
    while done < output.len() {
        let end = done + progress::piece(output.len() - done);
        let count = decoder.read(&mut output[done..end])?;
        done += count;
        progress::advance(Counted::Elements, count as u64)?;
    }
    decoder.finish()
}

/// Gives the decoded bytes of a payload in order, in bounded memory.
///
/// Memory is 256 KiB and the codec's own state; for LZ4 also one chunk, compressed and decoded, the latter within
/// [`Limits::decoded_bytes`], as is the window that a Zstandard frame asks for; for Blosc all stored bytes and one block,
/// the latter within that limit. A codec of the caller's decodes all at once, also within
/// that limit. After an error a decoder is of no further use.
///
/// Errors of every call: [`Status::Corrupt`] for damaged data or a wrong checksum, [`Status::DecodedSize`] for
/// data that decode to more or fewer bytes than declared, [`Status::Truncated`] for data that end early,
/// [`Status::Limit`], [`Status::OutOfMemory`], and what the source and a codec of the caller's report.
pub struct Decoder<'a> {
    input: Input<'a>,
    payload: Box<dyn PayloadDecoder>,
    data_size: u64,
    produced: u64,
}

impl<'a> Decoder<'a> {
    /// A decoder of the `used_size` bytes at `offset` of `source`, which are to give `data_size` bytes.
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

    /// The same, of a source that the decoder keeps alive.
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

    /// Decodes into the start of `buffer` and tells how many bytes it gave; 0 only for an empty buffer or
    /// once all declared bytes are out. The end of the data is not checked before [`Decoder::finish`].
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

    /// Passes over the next `count` decoded bytes; more than are left is [`Status::OutOfRange`].
    pub fn skip(&mut self, count: u64) -> Result<()> {
        if count > self.data_size - self.produced {
            return Err(Error::new(Status::OutOfRange, "the block has fewer decoded bytes than are to be skipped"));
        }
        let target = self.produced + count;
        let mut scratch = try_zeroed(count.min(64 * 1024) as usize)?;
        while self.produced < target {
            let size = (target - self.produced).min(scratch.len() as u64) as usize;
            self.read(&mut scratch[..size])?;
        }
        Ok(())
    }

    /// Decodes what is left without giving it out and checks that the data end where the declared size does,
    /// with the checksum their format has.
    pub fn finish(mut self) -> Result<Outcome> {
        self.skip(self.data_size - self.produced)?;
        if self.payload.read(&mut self.input, &mut [0])? != 0 {
            let message = format!("the block decodes to more than the {} bytes declared", self.data_size);
            return Err(Error::new(Status::DecodedSize, message).at_offset(self.input.position()));
        }
        Ok(self.payload.outcome(self.input.remaining()))
    }
}
