//! The format `zlib`: one zlib stream (RFC 1950), decoded in pieces or at once, encoded on several threads.

mod deflate;
#[cfg(feature = "libdeflate")]
mod inflate;

use self::deflate::Deflate;
use super::format::{EncoderOptions, Format, Levels, PayloadDecoder, PayloadEncoder};
use super::input::Input;
use super::memory::created;
use super::stream::{Step, Stream, StreamLibrary};
use crate::error::{Error, Result, Status};
#[cfg(feature = "libdeflate")]
use crate::progress;

/// One zlib stream.
pub(super) struct Zlib;

impl Format for Zlib {
    fn name(&self) -> &str {
        "zlib"
    }

    fn levels(&self) -> Option<Levels> {
        Some(Levels { range: 0..=9, default: 6 })
    }

    fn largest_decoded_size(&self, used_size: u64) -> u64 {
        // At best, two bits stand for a match of 258 bytes.
        used_size.saturating_mul(258 * 4)
    }

    /// Requires a zlib header. Raw deflate data and gzip files are refused.
    fn open(&self, _input: &mut Input<'_>, _data_size: u64, _buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        Ok(Box::new(Stream::new(created("zlib", || flate2::Decompress::new(true))?)))
    }

    #[cfg(feature = "libdeflate")]
    fn decode_at_once(
        &self,
        stored: super::input::StoredBytes<'_>,
        output: &mut [u8],
        _threads: usize,
    ) -> Result<Option<super::outcome::Outcome>> {
        // All at once could not be cancelled.
        let is_long = progress::piece_size(output.len()) < output.len();
        if is_long || self.check_sizes(stored.used_size, output.len() as u64).is_err() {
            return Ok(None);
        }
        let taken = stored.read_at_once()?.and_then(|bytes| inflate::inflate(&bytes, output));
        if taken.is_some() {
            progress::advance(progress::Counted::Elements, output.len() as u64)?;
        }
        Ok(taken.map(|taken| super::outcome::Outcome::of_trailing(stored.used_size - taken as u64)))
    }

    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        Ok(Box::new(Deflate::new(options.level, options.threads)))
    }
}

impl StreamLibrary for flate2::Decompress {
    fn step(&mut self, stored: &[u8], output: &mut [u8]) -> Result<Step> {
        let (input_before, output_before) = (self.total_in(), self.total_out());
        let status = self.decompress(stored, output, flate2::FlushDecompress::None).map_err(|error| {
            let reason = match error.needs_dictionary() {
                Some(_) => "it needs a preset dictionary",
                None => error.message().unwrap_or("invalid data"),
            };
            Error::new(Status::Corrupt, format!("the zlib stream is damaged: {reason}"))
        })?;
        Ok(Step {
            consumed: (self.total_in() - input_before) as usize,
            produced: (self.total_out() - output_before) as usize,
            ended: status == flate2::Status::StreamEnd,
        })
    }
}
