//! The format `bzp2`: one bzip2 stream, decoded and encoded in pieces or with its blocks on several threads.

mod blocks;
mod encode;

use self::encode::BlockEncoder;
use super::format::{EncoderOptions, Format, Levels, PayloadDecoder, PayloadEncoder};
use super::input::{Input, StoredBytes};
use super::memory::{created, no_memory};
use super::outcome::Outcome;
use super::stream::{Step, Stream, StreamLibrary};
use crate::error::{Error, Result, Status};
use crate::reserve::room_for;

/// Most bytes passed to bzip2 in one call. It counts in 32 bits and would take the end of a truncated count for the end
/// of the data.
const PIECE: usize = 1 << 30;

/// Number of bytes that are encoded together.
const UNIT: usize = 256 * 1024;

/// Minimum free space in bytes for compressed output.
const MIN_FREE: usize = 64 * 1024;

/// One bzip2 stream.
pub(super) struct Bzip2;

impl Format for Bzip2 {
    fn name(&self) -> &str {
        "bzp2"
    }

    fn levels(&self) -> Option<Levels> {
        Some(Levels { range: 1..=9, default: 9 })
    }

    fn largest_decoded_size(&self, used_size: u64) -> u64 {
        // A block takes more than 16 bytes. It holds at most 900,000 bytes of runs, and 5 of these decode to at most
        // 259.
        (used_size / 16).saturating_add(1).saturating_mul(900_000 / 5 * 259)
    }

    fn open(&self, _input: &mut Input<'_>, _data_size: u64, _buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        Ok(Box::new(Stream::new(created("bzip2", || bzip2::Decompress::new(false))?)))
    }

    fn decode_at_once(&self, stored: StoredBytes<'_>, output: &mut [u8], threads: usize) -> Result<Option<Outcome>> {
        if threads < 2 || self.check_sizes(stored.used_size, output.len() as u64).is_err() {
            return Ok(None);
        }
        Ok(stored.read_at_once()?.and_then(|bytes| blocks::decode(&bytes, output, threads)))
    }

    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        if options.threads > 1 {
            return Ok(Box::new(BlockEncoder::new(options.level, options.threads)));
        }
        Ok(Box::new(Encoder(compressor(options.level)?)))
    }
}

impl StreamLibrary for bzip2::Decompress {
    fn step(&mut self, stored: &[u8], output: &mut [u8]) -> Result<Step> {
        let (input_before, output_before) = (self.total_in(), self.total_out());
        let status = self.decompress(stored, output).map_err(|error| {
            let reason = match error {
                bzip2::Error::DataMagic => "it does not begin with a bzip2 signature",
                _ => "invalid data or a wrong checksum",
            };
            Error::new(Status::Corrupt, format!("the bzip2 stream is damaged: {reason}"))
        })?;
        if status == bzip2::Status::MemNeeded {
            return Err(no_memory("bzip2"));
        }
        Ok(Step {
            consumed: (self.total_in() - input_before) as usize,
            produced: (self.total_out() - output_before) as usize,
            ended: status == bzip2::Status::StreamEnd,
        })
    }
}

fn compressor(level: u32) -> Result<bzip2::Compress> {
    created("bzip2", || bzip2::Compress::new(bzip2::Compression::new(level), 0))
}

/// A bzip2 stream that is being encoded.
struct Encoder(bzip2::Compress);

impl PayloadEncoder for Encoder {
    fn unit(&self) -> usize {
        UNIT
    }

    fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()> {
        let mut rest = data;
        while last || !rest.is_empty() {
            room_for(out, MIN_FREE)?;
            let (piece, action) = match rest.get(..PIECE) {
                Some(piece) => (piece, bzip2::Action::Run),
                None if last => (rest, bzip2::Action::Finish),
                None => (rest, bzip2::Action::Run),
            };
            let before = self.0.total_in();
            let status = self
                .0
                .compress_vec(piece, out, action)
                .map_err(|error| Error::new(Status::Internal, format!("compressing with bzip2: {error}")))?;
            rest = rest.get((self.0.total_in() - before) as usize..).unwrap_or_default();
            if status == bzip2::Status::StreamEnd {
                break;
            }
        }
        Ok(())
    }
}
