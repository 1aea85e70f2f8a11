//! The formats `lz4` (chunks as in ASDF files) and `lz4f` (one LZ4 frame, which some writers label `lz4`).

mod chunks;
mod frame;
mod index;
mod parallel;

use self::chunks::{ChunkWriter, Chunks};
use self::frame::{Frame, FrameWriter};
use super::chunk_index::ChunkIndex;
use super::format::{EncoderOptions, Format, PayloadDecoder, PayloadEncoder};
use super::input::{Input, StoredBytes};
use super::outcome::Outcome;
use crate::error::Result;

/// After the first few bytes of a match length, each byte stands for at most 255 decoded bytes.
fn largest_decoded_size(used_size: u64) -> u64 {
    used_size.saturating_mul(255)
}

/// LZ4 chunks as in ASDF files.
pub(super) struct Lz4;

impl Format for Lz4 {
    fn name(&self) -> &str {
        "lz4"
    }

    fn largest_decoded_size(&self, used_size: u64) -> u64 {
        largest_decoded_size(used_size)
    }

    fn open(&self, input: &mut Input<'_>, data_size: u64, buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        Ok(match frame::is_next(input)? {
            true => Box::new(Mislabelled(Frame::new(input)?)),
            false => Box::new(Chunks::new(data_size, buffer_limit)),
        })
    }

    fn decode_at_once(&self, stored: StoredBytes<'_>, output: &mut [u8], threads: usize) -> Result<Option<Outcome>> {
        if threads < 2 {
            return Ok(None);
        }
        match self.chunk_index(stored, output.len() as u64, parallel::MOST_CHUNKS) {
            Ok(Some(index)) if index.chunks.len() > 1 => {
                parallel::decode(stored.source, &index, output, threads).map(Some)
            }
            // Sequential decoding reports the error if the sizes of the chunks are impossible.
            _ => Ok(None),
        }
    }

    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        Ok(Box::new(ChunkWriter::new(options.threads)))
    }

    fn actual_name(&self, stored: StoredBytes<'_>) -> Result<Option<&'static str>> {
        Ok(frame::is_next(&mut index::input(stored)?)?.then_some("lz4f"))
    }

    fn is_chunked(&self, _stored: StoredBytes<'_>, _data_size: u64) -> Result<bool> {
        Ok(true)
    }

    fn chunk_index(&self, stored: StoredBytes<'_>, data_size: u64, most: usize) -> Result<Option<ChunkIndex>> {
        self.check_sizes(stored.used_size, data_size).map_err(|error| error.at_offset(stored.offset))?;
        index::read(stored, data_size, most)
    }
}

/// An LZ4 frame under the label `lz4`.
struct Mislabelled(Frame);

impl PayloadDecoder for Mislabelled {
    fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize> {
        self.0.read(input, output)
    }

    fn outcome(&self, unread: u64) -> Outcome {
        Outcome { trailing_bytes: unread, lz4_frame: true }
    }
}

/// One LZ4 frame.
pub(super) struct Lz4f;

impl Format for Lz4f {
    fn name(&self) -> &str {
        "lz4f"
    }

    fn largest_decoded_size(&self, used_size: u64) -> u64 {
        largest_decoded_size(used_size)
    }

    fn open(&self, input: &mut Input<'_>, _data_size: u64, _buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        Ok(Box::new(Frame::new(input)?))
    }

    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        Ok(Box::new(FrameWriter::new(options.data_size)))
    }
}
