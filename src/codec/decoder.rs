//! Decoding of one payload, whole or piece by piece, held to the sizes its block header declares.
//!
//! The formats themselves are in the files beside this one; here is what they share.

#[cfg(any(feature = "blsc", feature = "bls2"))]
use super::blosc::{self, Blosc};
use super::bzip2::blocks as bzip2_blocks;
use super::input::{Input, Origin};
use super::lz4::chunks::Chunks;
use super::lz4::frame as lz4_frame;
use super::lz4::frame::Frame;
use super::lz4::parallel as lz4_parallel;
use super::outcome::{Outcome, too_few};
use super::stream::Stream;
#[cfg(feature = "libdeflate")]
use super::zlib::inflate::inflate;
#[cfg(feature = "zstd")]
use super::zstd::{self, Zstd};
use super::{AnyCodec, Codec, try_resize};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::source::{Source, try_zeroed};
use std::sync::Arc;

/// The most stored bytes that are read into memory for the sake of speed.
const LARGEST_AT_ONCE: u64 = 1 << 30;

/// Decodes a whole payload, the `used_size` bytes at `offset` of `source`, into `output`, whose length is the
/// declared size.
///
/// Where the format allows it, up to `threads` threads decode, that of the caller included; only that one reads.
///
/// Besides `output` it takes 256 KiB and the codec's own state, for LZ4 also one compressed chunk, for zlib and Blosc all
/// stored bytes (zlib: up to 1 GiB); on several threads, a few chunks or blocks more and for bzip2 all stored bytes, too.
/// To refuse a
/// false size before allocating `output`, call [`Codec::check_sizes`] first. Errors are those of [`Decoder`];
/// after one the content of `output` is unspecified.
pub fn decode_into(
    codec: impl Into<AnyCodec>,
    source: &dyn Source,
    offset: u64,
    used_size: u64,
    output: &mut [u8],
    threads: usize,
) -> Result<Outcome> {
    let codec = match codec.into() {
        AnyCodec::Custom(codec) => {
            codec.decode(&mut Input::new(source, offset, used_size)?, output)?;
            return Ok(Outcome { trailing_bytes: 0, lz4_frame: false });
        }
        #[cfg(feature = "zstd")]
        AnyCodec::BuiltIn(Codec::Zstd) => return decode_zstd(source, offset, used_size, output),
        #[cfg(feature = "blsc")]
        AnyCodec::BuiltIn(Codec::Blosc) => return decode_blosc(source, offset, used_size, output, threads),
        #[cfg(feature = "bls2")]
        AnyCodec::BuiltIn(Codec::Blosc2) => return decode_blosc(source, offset, used_size, output, threads),
        AnyCodec::BuiltIn(codec) => codec,
    };
    if let Some(outcome) = decode_at_once(codec, source, offset, used_size, output, threads)? {
        return Ok(outcome);
    }
    // All of the output is at hand, so nothing is ever decoded into memory that would have to be limited.
    let mut decoder = Decoder::open(codec.into(), source.into(), offset, used_size, output.len() as u64, 0)?;
    let mut done = 0;
    while done < output.len() {
        done += decoder.read(&mut output[done..])?;
    }
    decoder.finish()
}

/// Decodes a payload in a faster way than piece by piece, if there is one; nothing also if anything is wrong with it,
/// for it is the way piece by piece that tells what.
fn decode_at_once(
    codec: Codec,
    source: &dyn Source,
    offset: u64,
    used_size: u64,
    output: &mut [u8],
    threads: usize,
) -> Result<Option<Outcome>> {
    let size = output.len() as u64;
    if codec.check_sizes(used_size, size).is_err() {
        return Ok(None);
    }
    let stored = || Input::new(source, offset, used_size)?.take_rest();
    Ok(match codec {
        #[cfg(feature = "libdeflate")]
        Codec::Zlib if used_size <= LARGEST_AT_ONCE => {
            let trailing = inflate(&stored()?, output).map(|taken| used_size - taken as u64);
            trailing.map(|trailing_bytes| Outcome { trailing_bytes, lz4_frame: false })
        }
        Codec::Bzp2 if threads > 1 && used_size <= LARGEST_AT_ONCE => bzip2_blocks::decode(&stored()?, output, threads),
        Codec::Lz4 if threads > 1 => lz4_parallel::decode(source, offset, used_size, output, threads)?,
        _ => None,
    })
}

/// Zstandard has a way to do without a window, for which it must see the output as a whole.
#[cfg(feature = "zstd")]
fn decode_zstd(source: &dyn Source, offset: u64, used_size: u64, output: &mut [u8]) -> Result<Outcome> {
    let declared = output.len() as u64;
    Codec::Zstd.check_sizes(used_size, declared).map_err(|error| error.at_offset(offset))?;
    let mut input = Input::new(source, offset, used_size)?;
    let produced = zstd::decode_whole(&mut input, output)? as u64;
    if produced < declared {
        return Err(too_few(produced, declared, &input));
    }
    Ok(Outcome { trailing_bytes: input.remaining(), lz4_frame: false })
}

#[cfg(any(feature = "blsc", feature = "bls2"))]
fn decode_blosc(
    source: &dyn Source,
    offset: u64,
    used_size: u64,
    output: &mut [u8],
    threads: usize,
) -> Result<Outcome> {
    blosc::decode_whole(source, offset, used_size, output, threads)
}

enum Format {
    Stream(Stream),
    Chunks(Chunks),
    Frame(Frame),
    #[cfg(feature = "zstd")]
    Zstd(Zstd),
    #[cfg(any(feature = "blsc", feature = "bls2"))]
    Blosc(Blosc),
    /// The whole payload, decoded, and how much of it was handed out.
    Whole(Vec<u8>, usize),
}

/// Gives the decoded bytes of a payload in order, in bounded memory.
///
/// Memory is 256 KiB and the codec's own state; for LZ4 also one chunk, compressed and decoded, the latter within
/// [`Limits::decoded_bytes`], as is the window that a Zstandard frame asks for; for Blosc all stored bytes and one block,
/// the latter within that limit. A codec of the caller's decodes all at
/// once, also within that limit. After an error a decoder is of no further use.
///
/// Errors of every call: [`Status::Corrupt`] for damaged data or a wrong checksum, [`Status::DecodedSize`] for
/// data that decode to more or fewer bytes than declared, [`Status::Truncated`] for data that end early,
/// [`Status::Limit`], [`Status::OutOfMemory`], and what the source and a codec of the caller's report.
pub struct Decoder<'a> {
    codec: AnyCodec,
    input: Input<'a>,
    format: Format,
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
        Decoder::open(codec.into(), source.into(), offset, used_size, data_size, limits.decoded_bytes)
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
        Decoder::open(codec.clone(), source, offset, used_size, data_size, limits.decoded_bytes)
    }

    fn open(
        codec: AnyCodec,
        source: Origin<'a>,
        offset: u64,
        used_size: u64,
        data_size: u64,
        buffer_limit: u64,
    ) -> Result<Decoder<'a>> {
        codec.check_sizes(used_size, data_size).map_err(|error| error.at_offset(offset))?;
        let mut input = Input::new(source, offset, used_size)?;
        let built_in = match &codec {
            AnyCodec::BuiltIn(codec) => codec,
            AnyCodec::Custom(custom) => {
                if data_size > buffer_limit {
                    return Err(Error::limit("memory for decoded block bytes", buffer_limit).at_offset(offset));
                }
                let mut decoded = Vec::new();
                custom.decode(&mut input, try_resize(&mut decoded, data_size)?)?;
                return Ok(Decoder { codec, input, format: Format::Whole(decoded, 0), data_size, produced: 0 });
            }
        };
        let format = match built_in {
            Codec::Zlib => Format::Stream(Stream::zlib()),
            Codec::Bzp2 => Format::Stream(Stream::bzp2()),
            // Read as a chunk's size, the magic would mean 69,356,824 bytes: nobody cuts chunks like that.
            Codec::Lz4 if input.peek()? == Some(lz4_frame::MAGIC) => Format::Frame(Frame::new(&mut input)?),
            Codec::Lz4 => Format::Chunks(Chunks::new(data_size, buffer_limit)),
            Codec::Lz4f => Format::Frame(Frame::new(&mut input)?),
            #[cfg(feature = "zstd")]
            Codec::Zstd => Format::Zstd(Zstd::new(&mut input, data_size, buffer_limit)?),
            #[cfg(feature = "blsc")]
            Codec::Blosc => Format::Blosc(Blosc::new(&mut input, data_size, buffer_limit)?),
            #[cfg(feature = "bls2")]
            Codec::Blosc2 => Format::Blosc(Blosc::new(&mut input, data_size, buffer_limit)?),
        };
        Ok(Decoder { codec, input, format, data_size, produced: 0 })
    }

    /// Decodes into the start of `buffer` and tells how many bytes it gave; 0 only for an empty buffer or
    /// once all declared bytes are out. The end of the data is not checked before [`Decoder::finish`].
    pub fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let wanted = usize::try_from(self.data_size - self.produced).unwrap_or(usize::MAX).min(buffer.len());
        if wanted == 0 {
            return Ok(0);
        }
        let count = self.decode(&mut buffer[..wanted])?;
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
        if self.decode(&mut [0])? != 0 {
            let message = format!("the block decodes to more than the {} bytes declared", self.data_size);
            return Err(Error::new(Status::DecodedSize, message).at_offset(self.input.position()));
        }
        let lz4_frame = self.codec == Codec::Lz4.into() && matches!(self.format, Format::Frame(_));
        Ok(Outcome { trailing_bytes: self.input.remaining(), lz4_frame })
    }

    fn decode(&mut self, output: &mut [u8]) -> Result<usize> {
        match &mut self.format {
            Format::Stream(stream) => stream.read(&mut self.input, output),
            Format::Chunks(chunks) => chunks.read(&mut self.input, output),
            Format::Frame(frame) => frame.read(&mut self.input, output),
            #[cfg(feature = "zstd")]
            Format::Zstd(zstd) => zstd.read(&mut self.input, output),
            #[cfg(any(feature = "blsc", feature = "bls2"))]
            Format::Blosc(blosc) => blosc.read(output),
            Format::Whole(decoded, handed_out) => {
                let waiting = decoded.get(*handed_out..).unwrap_or_default();
                let count = waiting.len().min(output.len());
                output[..count].copy_from_slice(&waiting[..count]);
                *handed_out += count;
                Ok(count)
            }
        }
    }
}
