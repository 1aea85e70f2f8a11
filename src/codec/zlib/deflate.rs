//! Encoding of zlib streams in pieces, on several threads.
//!
//! Each piece uses the end of the previous piece as its dictionary and ends on a byte boundary, so that the pieces form
//! one stream. Neither the pieces nor the encoded bytes depend on the number of threads.

use crate::codec::format::PayloadEncoder;
use crate::codec::memory::{append, created};
use crate::codec::parallel;
use crate::error::{Error, Result, Status};
use crate::reserve::room_for;
use flate2::{Compress, Compression, FlushCompress};
use zlib_rs::adler32::{adler32, adler32_combine};

/// Size of a piece in bytes. Data of at most this size are encoded without pieces.
const PIECE: usize = 1 << 20;

/// Maximum distance of a match in bytes.
const WINDOW: usize = 32 * 1024;

/// Minimum free space in bytes for compressed output.
const MIN_FREE: usize = 64 * 1024;

/// A zlib stream that is being encoded.
pub(super) struct Deflate {
    level: u32,
    threads: usize,
    /// The last bytes of the encoded data.
    window: Vec<u8>,
    /// Adler-32 checksum of the encoded data; `None` before the header is written.
    checksum: Option<u32>,
}

impl Deflate {
    pub(super) fn new(level: u32, threads: usize) -> Deflate {
        Deflate { level, threads, window: Vec::new(), checksum: None }
    }
}

impl PayloadEncoder for Deflate {
    fn unit(&self) -> usize {
        PIECE * self.threads
    }

    fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
        let level = self.level;
        let count = data.len().div_ceil(PIECE).max(1);
        let mut checksum = match self.checksum {
            Some(checksum) => checksum,
            None if last && count == 1 => {
                return compress(compressor(level, true)?, data, FlushCompress::Finish, out);
            }
            None => {
                append(out, &[&header(level)])?;
                1
            }
        };
        let window = &self.window[..];
        parallel::in_order(
            count,
            self.threads,
            |index| {
                let start = index * PIECE;
                let piece = data.get(start..data.len().min(start + PIECE)).unwrap_or_default();
                let before = if index == 0 { window } else { tail(data.get(..start).unwrap_or_default()) };
                let mut stream = compressor(level, false)?;
                if !before.is_empty() {
                    stream.set_dictionary(before).map_err(failure)?;
                }
                let flush = if last && index + 1 == count { FlushCompress::Finish } else { FlushCompress::Sync };
                let mut compressed = Vec::new();
                compress(stream, piece, flush, &mut compressed)?;
                Ok((compressed, adler32(1, piece), piece.len() as u64))
            },
            |(compressed, piece_checksum, length)| {
                checksum = adler32_combine(checksum, piece_checksum, length);
                append(out, &[&compressed])
            },
        )?;
        self.checksum = Some(checksum);
        if last {
            return append(out, &[&checksum.to_be_bytes()]);
        }
        self.window.clear();
        append(&mut self.window, &[tail(data)])
    }
}

/// Creates an encoder, with or without the header of a zlib stream.
fn compressor(level: u32, header: bool) -> Result<Compress> {
    created("zlib", || Compress::new(Compression::new(level), header))
}

/// Returns the bytes that a match in later data can reach.
fn tail(data: &[u8]) -> &[u8] {
    data.get(data.len().saturating_sub(WINDOW)..).unwrap_or_default()
}

/// Returns the header that zlib writes for this level: a window of 32 KiB and a two-bit class of the level.
fn header(level: u32) -> [u8; 2] {
    let (method, effort) = (0x78, [0, 0, 1, 1, 1, 1, 2].get(level as usize).map_or(3, |&effort| effort) << 6);
    // The header as a big-endian number must be a multiple of 31.
    let rest = (u32::from(method) << 8 | effort) % 31;
    [method, (effort + 31 - rest) as u8]
}

/// Appends the compressed bytes of a piece, up to the end of the flush.
fn compress(mut stream: Compress, piece: &[u8], flush: FlushCompress, out: &mut Vec<u8>) -> Result<()> {
    let mut rest = piece;
    loop {
        room_for(out, MIN_FREE)?;
        let before = stream.total_in();
        let status = stream.compress_vec(rest, out, flush).map_err(failure)?;
        rest = rest.get((stream.total_in() - before) as usize..).unwrap_or_default();
        // A flush is complete when it leaves free space in the output.
        let flushed = flush == FlushCompress::Sync && rest.is_empty() && out.len() < out.capacity();
        if status == flate2::Status::StreamEnd || flushed {
            return Ok(());
        }
    }
}

fn failure(error: flate2::CompressError) -> Error {
    Error::new(Status::Internal, format!("compressing with zlib: {error}"))
}
