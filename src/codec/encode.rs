//! Encoding of payloads, from memory at once or in pieces.
//!
//! Encoding at once never copies the input. Pieces are collected until they fill the unit of the codec. The payload
//! does not depend on the sizes of the pieces.

use super::compression::Compression;
use super::format::PayloadEncoder;
use super::memory::append;
use super::table::Codec;
use crate::error::{Error, Result, Status};
use crate::progress::{self, Counted};

/// Appends the payload for `data` to `out`. `data` may be empty.
///
/// zlib, bzip2, Blosc and LZ4 are encoded on up to `threads` threads, including the calling thread. The result does not
/// depend on the number of threads.
///
/// Fails with [`Status::OutOfMemory`] or with an error of the caller's codec. `out` then has its old content.
pub fn encode(compression: &Compression, data: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
    let before = out.len();
    let result = if progress::piece_size(data.len()) < data.len() && compression.takes_pieces() {
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

/// Encodes the same payload in pieces, so that progress is reported between them.
fn encode_in_pieces(compression: &Compression, data: &[u8], out: &mut Vec<u8>, threads: usize) -> Result<()> {
    let mut encoder = Encoder::new(compression, Some(data.len() as u64), threads)?;
    for piece in data.chunks(progress::piece_size(data.len()).max(1)) {
        encoder.write(piece, out)?;
        progress::advance(Counted::Written, piece.len() as u64)?;
    }
    encoder.finish(out)
}

/// Encodes a payload in pieces. The memory does not grow with the data: it is the state of the codec and a few MiB for
/// each thread.
pub struct Encoder {
    payload: Box<dyn PayloadEncoder>,
    waiting: Vec<u8>,
}

debug_by_name!(Encoder, "Encoder");

impl Encoder {
    /// Begins a payload. If `data_size` is known, `lz4f` and `zstd` payloads store it; exactly that many bytes must
    /// then be written.
    ///
    /// Fails with [`Status::Unsupported`] for Blosc, whose header contains sizes that are known only at the end, and
    /// for codecs of the caller, which take whole payloads.
    pub fn new(compression: &Compression, data_size: Option<u64>, threads: usize) -> Result<Encoder> {
        Encoder::check(compression)?;
        Ok(Encoder { payload: compression.encoder(data_size, threads)?, waiting: Vec::new() })
    }

    /// Fails as [`Encoder::new`] does, without beginning a payload.
    pub(crate) fn check(compression: &Compression) -> Result<()> {
        if !compression.takes_pieces() {
            let streaming = Codec::ALL.iter().filter(|codec| codec.format().takes_pieces());
            let mut names: Vec<&str> = streaming.map(|codec| codec.name()).collect();
            let last = names.pop().unwrap_or_default();
            let (label, others) = (compression.codec().label(), names.join(", "));
            let message =
                format!("{label} cannot compress in pieces: all data must be in memory; {others} and {last} can");
            return Err(Error::new(Status::Unsupported, message));
        }
        Ok(())
    }

    /// Adds bytes to the payload. Appends the encoded part that is complete to `out`.
    pub fn write(&mut self, data: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let mut rest = data;
        let unit = self.payload.unit();
        // Always keep some bytes, because the encoder treats the last bytes of the data specially.
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

    /// Appends the rest of the payload.
    pub fn finish(mut self, out: &mut Vec<u8>) -> Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        self.payload.encode(&waiting, true, out)
    }
}
