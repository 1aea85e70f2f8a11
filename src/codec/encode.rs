//! Encoding of payloads: from memory in one go, or piece by piece as the bytes come.
//!
//! In one go the input is never copied. What comes in pieces waits until it is as much as the codec takes at a time; the
//! payload does not depend on how it was cut.

#[cfg(any(feature = "blsc", feature = "bls2"))]
use super::blosc;
use super::lz4::frame as lz4_frame;
use super::zlib::deflate;
use super::zlib::deflate::Deflate;
#[cfg(feature = "zstd")]
use super::zstd;
use super::{AnyCodec, Codec, LabelledCodec, parallel};
use crate::error::{Error, Result, Status};
use crate::source::try_zeroed;

/// Decoded size of an LZ4 chunk; what other ASDF writers use by default, and readers know best. It is also the
/// largest that a block of an LZ4 frame may have.
const LZ4_CHUNK: usize = lz4_frame::LARGEST_BLOCK;

/// The most that is handed to bzip2 in one call: it counts in 32 bits and would otherwise take the end of its part for
/// the end of the data.
const PIECE: usize = 1 << 30;

/// What is encoded together by codecs that take any number of bytes.
const SMALL_UNIT: usize = 256 * 1024;

/// Least free space to compress into.
const ROOM: usize = 64 * 1024;

/// A codec with a level that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compression {
    codec: AnyCodec,
    level: u32,
    item_size: usize,
}

impl Compression {
    /// `level` is 0–9 for zlib (default 6), 1–9 for bzip2 (default 9) and 1–22 for Zstandard (default 3; the
    /// highest take hundreds of megabytes of memory); LZ4 and Blosc, which uses LZ4 here, have no levels
    /// and take only `None`.
    /// Fails with [`Status::InvalidArgument`] for another level.
    pub fn new(codec: Codec, level: Option<u32>) -> Result<Compression> {
        let (levels, default) = match codec {
            Codec::Zlib => (0..=9, 6),
            Codec::Bzp2 => (1..=9, 9),
            #[cfg(feature = "zstd")]
            Codec::Zstd => (1..=22, 3),
            codec if level.is_some() => {
                let message = format!("{} has no compression levels", codec.name());
                return Err(Error::new(Status::InvalidArgument, message));
            }
            _ => (0..=0, 0),
        };
        let level = level.unwrap_or(default);
        if !levels.contains(&level) {
            let (name, lowest, highest) = (codec.name(), levels.start(), levels.end());
            let message = format!("{name} has the compression levels {lowest} to {highest}, not {level}");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(Compression { codec: codec.into(), level, item_size: 1 })
    }

    /// Compression by a codec of the caller's.
    pub fn custom(codec: LabelledCodec) -> Compression {
        Compression { codec: AnyCodec::Custom(codec), level: 0, item_size: 1 }
    }

    /// The same for elements of so many bytes, which Blosc compresses better for knowing it. Without, it is 1.
    pub fn of_items(self, item_size: usize) -> Compression {
        Compression { item_size, ..self }
    }

    /// The codec.
    pub fn codec(&self) -> &AnyCodec {
        &self.codec
    }

    /// Whether an [`Encoder`] can do it; else all bytes have to be in memory.
    pub fn takes_pieces(&self) -> bool {
        match &self.codec {
            AnyCodec::Custom(_) => false,
            #[cfg(feature = "blsc")]
            AnyCodec::BuiltIn(Codec::Blosc) => false,
            #[cfg(feature = "bls2")]
            AnyCodec::BuiltIn(Codec::Blosc2) => false,
            AnyCodec::BuiltIn(_) => true,
        }
    }
}

/// Appends the payload for `data` to `out`. Empty data are allowed. zlib and LZ4 chunks are encoded on up to `threads`
/// threads, that of the caller included; the bytes do not depend on how many.
///
/// Fails with [`Status::OutOfMemory`] and as a codec of the caller's does; `out` then holds what it held before.
pub fn encode(compression: &Compression, data: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
    let before = out.len();
    let result = match &compression.codec {
        #[cfg(feature = "blsc")]
        AnyCodec::BuiltIn(Codec::Blosc) => blosc::encode(false, compression.item_size, data, out),
        #[cfg(feature = "bls2")]
        AnyCodec::BuiltIn(Codec::Blosc2) => blosc::encode(true, compression.item_size, data, out),
        AnyCodec::Custom(codec) => codec.encode(data, out),
        AnyCodec::BuiltIn(_) => Encoder::new(compression, Some(data.len() as u64), threads)
            .and_then(|mut encoder| encoder.step(data, true, out)),
    };
    if result.is_err() {
        out.truncate(before);
    }
    result
}

/// A payload that is encoded as its bytes come, in memory that does not grow with them: besides what the codec itself
/// needs, a few MiB for each thread.
pub struct Encoder {
    way: Way,
    threads: usize,
    /// Bytes that are encoded together, as long as more follow.
    unit: usize,
    waiting: Vec<u8>,
}

enum Way {
    Zlib(Deflate),
    Bzp2(bzip2::Compress),
    Lz4,
    Lz4f(lz4_frame::FrameWriter),
    #[cfg(feature = "zstd")]
    Zstd(zstd::FrameWriter),
}

impl Encoder {
    /// Begins a payload. Where the number of bytes is known, `lz4f` and `zstd` payloads tell it; that many must come then.
    ///
    /// Fails with [`Status::Unsupported`] for Blosc, whose chunks begin with what is known at their end, and for codecs of
    /// the caller's, which take whole payloads.
    pub fn new(compression: &Compression, data_size: Option<u64>, threads: usize) -> Result<Encoder> {
        let (level, threads) = (compression.level, threads.max(1));
        let (way, unit) = match &compression.codec {
            AnyCodec::BuiltIn(Codec::Zlib) => (Way::Zlib(Deflate::new(level, threads)), deflate::PIECE * threads),
            AnyCodec::BuiltIn(Codec::Bzp2) => {
                (Way::Bzp2(bzip2::Compress::new(bzip2::Compression::new(level), 0)), SMALL_UNIT)
            }
            AnyCodec::BuiltIn(Codec::Lz4) => (Way::Lz4, LZ4_CHUNK * threads),
            AnyCodec::BuiltIn(Codec::Lz4f) => {
                (Way::Lz4f(lz4_frame::FrameWriter::new(data_size)), lz4_frame::LARGEST_BLOCK)
            }
            #[cfg(feature = "zstd")]
            AnyCodec::BuiltIn(Codec::Zstd) => (Way::Zstd(zstd::FrameWriter::new(level, data_size)?), SMALL_UNIT),
            #[allow(unreachable_patterns)]
            codec => {
                let message = format!(
                    "{} compresses only what is in memory as a whole; zlib, bzp2, lz4, lz4f and zstd take pieces",
                    codec.label()
                );
                return Err(Error::new(Status::Unsupported, message));
            }
        };
        Ok(Encoder { way, threads, unit, waiting: Vec::new() })
    }

    /// Appends what the payload has for these bytes and those that waited, as far as it can be told already.
    pub fn write(&mut self, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let mut rest = data;
        // Never all, for the last bytes are encoded otherwise than those that others follow.
        while self.waiting.len() + rest.len() > self.unit {
            let units;
            if self.waiting.is_empty() {
                (units, rest) = rest.split_at((rest.len() - 1) / self.unit * self.unit);
                self.step(units, false, out)?;
            } else {
                (units, rest) = rest.split_at(self.unit - self.waiting.len());
                self.wait(units)?;
                let mut waiting = std::mem::take(&mut self.waiting);
                self.step(&waiting, false, out)?;
                waiting.clear();
                self.waiting = waiting;
            }
        }
        self.wait(rest)
    }

    /// Appends what is left of the payload.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.step(&waiting, true, out)
    }

    fn wait(&mut self, data: &[u8]) -> Result<()> {
        reserve(&mut self.waiting, data.len())?;
        self.waiting.extend_from_slice(data);
        Ok(())
    }

    /// Encodes whole units, or the last bytes of all.
    fn step(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
        match &mut self.way {
            Way::Zlib(stream) => stream.encode(data, last, out),
            Way::Bzp2(stream) => bzp2(stream, data, last, out),
            Way::Lz4 => lz4(data, out, self.threads),
            Way::Lz4f(frame) => frame.encode(data, last, out),
            #[cfg(feature = "zstd")]
            Way::Zstd(frame) => frame.encode(data, last, out),
        }
    }
}

fn reserve(out: &mut Vec<u8>, count: usize) -> Result<()> {
    out.try_reserve(count).map_err(|_| Error::out_of_memory(out.len().saturating_add(count) as u64))
}

fn bzp2(stream: &mut bzip2::Compress, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
    let mut rest = data;
    while last || !rest.is_empty() {
        reserve(out, ROOM)?;
        let (piece, action) = match rest.get(..PIECE) {
            Some(piece) => (piece, bzip2::Action::Run),
            None if last => (rest, bzip2::Action::Finish),
            None => (rest, bzip2::Action::Run),
        };
        let before = stream.total_in();
        let status = stream
            .compress_vec(piece, out, action)
            .map_err(|error| Error::new(Status::Internal, format!("compressing with bzip2: {error}")))?;
        rest = rest.get((stream.total_in() - before) as usize..).unwrap_or_default();
        if status == bzip2::Status::StreamEnd {
            break;
        }
    }
    Ok(())
}

fn lz4(data: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
    let encode = |index| {
        let chunk: &[u8] = data.chunks(LZ4_CHUNK).nth(index).unwrap_or_default();
        let mut block = try_zeroed(lz4_flex::block::get_maximum_output_size(chunk.len()))?;
        let size = lz4_flex::block::compress_into(chunk, &mut block)
            .map_err(|error| Error::new(Status::Internal, format!("compressing with lz4: {error}")))?;
        Ok((block, size, chunk.len()))
    };
    parallel::in_order(data.len().div_ceil(LZ4_CHUNK), threads, encode, |(block, size, decoded)| {
        reserve(out, 8 + size)?;
        // Chunks are far smaller than 4 GiB, so the casts cannot lose anything.
        out.extend_from_slice(&(size as u32 + 4).to_be_bytes());
        out.extend_from_slice(&(decoded as u32).to_le_bytes());
        out.extend_from_slice(block.get(..size).unwrap_or_default());
        Ok(())
    })
}
