//! Encoding of payloads from memory into memory.
//!
//! The output grows as the compressed bytes come; the input is never copied.

#[cfg(any(feature = "blsc", feature = "bls2"))]
use super::blosc;
#[cfg(feature = "zstd")]
use super::zstd;
use super::{AnyCodec, Codec, LabelledCodec, deflate, lz4_frame, parallel};
use crate::error::{Error, Result, Status};
use crate::source::try_zeroed;

/// Decoded size of an LZ4 chunk; what other ASDF writers use by default, and readers know best. It is also the
/// largest that a block of an LZ4 frame may have.
const LZ4_CHUNK: usize = lz4_frame::LARGEST_BLOCK;

/// The most that is handed to bzip2 in one call: it counts in 32 bits and would otherwise take the end of its part for
/// the end of the data.
const PIECE: usize = 1 << 30;

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
}

/// Appends the payload for `data` to `out`. Empty data are allowed. zlib and LZ4 chunks are encoded on up to `threads`
/// threads, that of the caller included; the bytes do not depend on how many.
///
/// Fails with [`Status::OutOfMemory`] and as a codec of the caller's does; `out` then holds what it held before.
pub fn encode(compression: &Compression, data: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
    let before = out.len();
    let level = compression.level;
    let result = match &compression.codec {
        AnyCodec::BuiltIn(Codec::Zlib) => deflate::encode(level, data, out, threads),
        AnyCodec::BuiltIn(Codec::Bzp2) => bzp2(level, data, out),
        AnyCodec::BuiltIn(Codec::Lz4) => lz4(data, out, threads),
        AnyCodec::BuiltIn(Codec::Lz4f) => lz4_frame::encode(data, out),
        #[cfg(feature = "zstd")]
        AnyCodec::BuiltIn(Codec::Zstd) => zstd::encode(level, data, out),
        #[cfg(feature = "blsc")]
        AnyCodec::BuiltIn(Codec::Blosc) => blosc::encode(false, compression.item_size, data, out),
        #[cfg(feature = "bls2")]
        AnyCodec::BuiltIn(Codec::Blosc2) => blosc::encode(true, compression.item_size, data, out),
        AnyCodec::Custom(codec) => codec.encode(data, out),
    };
    if result.is_err() {
        out.truncate(before);
    }
    result
}

fn reserve(out: &mut Vec<u8>, count: usize) -> Result<()> {
    out.try_reserve(count).map_err(|_| Error::out_of_memory(out.len().saturating_add(count) as u64))
}

fn bzp2(level: u32, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
    let mut stream = bzip2::Compress::new(bzip2::Compression::new(level), 0);
    let mut rest = data;
    loop {
        reserve(out, ROOM)?;
        let (piece, action) = match rest.get(..PIECE) {
            Some(piece) => (piece, bzip2::Action::Run),
            None => (rest, bzip2::Action::Finish),
        };
        let before = stream.total_in();
        let status = stream
            .compress_vec(piece, out, action)
            .map_err(|error| Error::new(Status::Internal, format!("compressing with bzip2: {error}")))?;
        rest = &rest[(stream.total_in() - before) as usize..];
        if status == bzip2::Status::StreamEnd {
            return Ok(());
        }
    }
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
