//! Encoding of payloads: from memory in one go, or piece by piece as the bytes come.
//!
//! In one go the input is never copied. What comes in pieces waits until it is as much as the codec takes at a time; the
//! payload does not depend on how it was cut.

use super::compression::Compression;
use super::format::PayloadEncoder;
use super::memory::append;
use super::table::Codec;
use crate::error::{Error, Result, Status};
use crate::progress::{self, Counted};

/// Appends the payload for `data` to `out`. Empty data are allowed. zlib and LZ4 chunks are encoded on up to `threads`
/// threads, that of the caller included; the bytes do not depend on how many.
///
/// Fails with [`Status::OutOfMemory`] and as a codec of the caller's does; `out` then holds what it held before.
pub fn encode(compression: &Compression, data: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
    let before = out.len();
    let result = if progress::piece(data.len()) < data.len() && compression.takes_pieces() {
        encode_in_pieces(compression, data, out, threads)
    } else {
        let encoder = compression.encoder(Some(data.len() as u64), threads);
        encoder
            .and_then(|mut payload| payload.encode(data, true, out))
            .and_then(|()| progress::advance(Counted::Written, data.len() as u64))
    };
    if result.is_err() {
        out.truncate(before);
    }
    result
}

/// The same payload, for a program that is told how far it is.
fn encode_in_pieces(compression: &Compression, data: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
    let mut encoder = Encoder::new(compression, Some(data.len() as u64), threads)?;
    for piece in data.chunks(progress::piece(data.len()).max(1)) {
        encoder.write(piece, out)?;
        progress::advance(Counted::Written, piece.len() as u64)?;
    }
    encoder.finish(out)
}

/// A payload that is encoded as its bytes come, in memory that does not grow with them: besides what the codec itself
/// needs, a few MiB for each thread.
pub struct Encoder {
    payload: Box<dyn PayloadEncoder>,
    waiting: Vec<u8>,
}

impl Encoder {
    /// Begins a payload. Where the number of bytes is known, `lz4f` and `zstd` payloads tell it; that many must come then.
    ///
    /// Fails with [`Status::Unsupported`] for Blosc, whose chunks begin with what is known at their end, and for codecs of
    /// the caller's, which take whole payloads.
    pub fn new(compression: &Compression, data_size: Option<u64>, threads: usize) -> Result<Encoder> {
        if !compression.takes_pieces() {
            let streaming = Codec::ALL.iter().filter(|codec| codec.format().takes_pieces());
            let mut names: Vec<&str> = streaming.map(|codec| codec.name()).collect();
            let last = names.pop().unwrap_or_default();
            let (label, others) = (compression.codec().label(), names.join(", "));
            let message =
                format!("{label} compresses only what is in memory as a whole; {others} and {last} take pieces");
            return Err(Error::new(Status::Unsupported, message));
        }
        Ok(Encoder { payload: compression.encoder(data_size, threads)?, waiting: Vec::new() })
    }

    /// Appends what the payload has for these bytes and those that waited, as far as it can be told already.
    pub fn write(&mut self, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let mut rest = data;
        let unit = self.payload.unit();
        // Never all, for the last bytes are encoded otherwise than those that others follow.
        while self.waiting.len() + rest.len() > unit {
            let units;
            if self.waiting.is_empty() {
                (units, rest) = rest.split_at((rest.len() - 1) / unit * unit);
                self.payload.encode(units, false, out)?;
            } else {
                (units, rest) = rest.split_at(unit - self.waiting.len());
                append(&mut self.waiting, &[units])?;
                let mut waiting = std::mem::take(&mut self.waiting);
                self.payload.encode(&waiting, false, out)?;
                waiting.clear();
                self.waiting = waiting;
            }
        }
        append(&mut self.waiting, &[rest])
    }

    /// Appends what is left of the payload.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.payload.encode(&waiting, true, out)
    }
}
