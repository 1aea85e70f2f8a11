//! Encoding of zlib streams in pieces, which several threads can share.
//!
//! Each piece begins with the end of the one before as its dictionary and ends on a byte, so that all of them together
//! are one stream. Where it is cut does not depend on the number of threads, and neither do the bytes.

use crate::codec::format::PayloadEncoder;
use crate::codec::memory::{append, reserve};
use crate::codec::parallel;
use crate::error::{Error, Result, Status};
use flate2::{Compress, Compression, FlushCompress};
use zlib_rs::adler32::{adler32, adler32_combine};

/// Bytes of a piece. Data of no more are encoded as any encoder does it.
const PIECE: usize = 1 << 20;

/// How far back a match may reach.
const WINDOW: usize = 32 * 1024;

/// Least free space to compress into.
const ROOM: usize = 64 * 1024;

/// A zlib stream being encoded.
pub(super) struct Deflate {
    level: u32,
    threads: usize,
    /// The end of what was encoded.
    window: Vec<u8>,
    /// Of what was encoded, from the stream's first bytes on; nothing before those are written.
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
                return compress(Compress::new(Compression::new(level), true), data, FlushCompress::Finish, out);
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
                let mut stream = Compress::new(Compression::new(level), false);
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

/// What a match in the bytes that follow can reach.
fn tail(data: &[u8]) -> &[u8] {
    data.get(data.len().saturating_sub(WINDOW)..).unwrap_or_default()
}

/// The header that zlib gives to a stream of this level: a window of 32 KiB, and what the level roughly is.
fn header(level: u32) -> [u8; 2] {
    let (method, effort) = (0x78, [0, 0, 1, 1, 1, 1, 2].get(level as usize).map_or(3, |&effort| effort) << 6);
    // Both bytes as one number are a multiple of 31.
    let rest = (u32::from(method) << 8 | effort) % 31;
    [method, (effort + 31 - rest) as u8]
}

/// Appends what `stream` makes of a piece, up to the end of the flush.
fn compress(mut stream: Compress, piece: &[u8], flush: FlushCompress, out: &mut Vec<u8>) -> Result<()> {
    let mut rest = piece;
    loop {
        reserve(out, ROOM)?;
        let before = stream.total_in();
        let status = stream.compress_vec(rest, out, flush).map_err(failure)?;
        rest = rest.get((stream.total_in() - before) as usize..).unwrap_or_default();
        // A flush is complete once it leaves room.
        let flushed = flush == FlushCompress::Sync && rest.is_empty() && out.len() < out.capacity();
        if status == flate2::Status::StreamEnd || flushed {
            return Ok(());
        }
    }
}

fn failure(error: flate2::CompressError) -> Error {
    Error::new(Status::Internal, format!("compressing with zlib: {error}"))
}
