//! The interface of a compression format.
//!
//! Each format is implemented in its own file or folder and has an entry in the table of formats. Codecs of the caller
//! are formats too, but not in the table.

use super::blosc_options::BloscOptions;
use super::chunk_index::ChunkIndex;
use super::input::{Input, StoredBytes};
use super::outcome::Outcome;
use crate::error::{Error, Result, Status};
use std::ops::RangeInclusive;

/// A compression format.
pub(super) trait Format: Sync {
    /// Name of the format: its label without the padding.
    fn name(&self) -> &str;

    /// Compression levels; `None` if the format has none.
    fn levels(&self) -> Option<Levels> {
        None
    }

    /// Returns whether the format has the options of Blosc.
    fn takes_blosc_options(&self) -> bool {
        false
    }

    /// Upper bound of the decoded size of `used_size` stored bytes. The bound follows from the format, so that every
    /// valid payload passes.
    fn largest_decoded_size(&self, used_size: u64) -> u64;

    /// Fails with [`Status::DecodedSize`] if no payload of `used_size` stored bytes can decode to `data_size` bytes.
    /// Called before memory for the decoded bytes is allocated.
    fn check_sizes(&self, used_size: u64, data_size: u64) -> Result<()> {
        if data_size > self.largest_decoded_size(used_size) {
            let name = self.name();
            let message = format!("{used_size} bytes of {name} cannot decode to the {data_size} bytes declared");
            return Err(Error::new(Status::DecodedSize, message));
        }
        Ok(())
    }

    /// Opens a decoder at the start of the payload. The decoder uses at most `buffer_limit` bytes of its own memory for
    /// decoded bytes.
    fn open(&self, input: &mut Input<'_>, data_size: u64, buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>>;

    /// Decodes a whole payload on up to `threads` threads, faster than in pieces.
    ///
    /// Returns `None` if the format has no faster way. Formats may also return `None` for damaged payloads; decoding in
    /// pieces then reports the error. The bytes of the output are counted as
    /// [`Counted::Elements`](crate::progress::Counted::Elements).
    fn decode_at_once(&self, _stored: StoredBytes<'_>, _output: &mut [u8], _threads: usize) -> Result<Option<Outcome>> {
        Ok(None)
    }

    /// Returns whether the format can be encoded in pieces.
    fn takes_pieces(&self) -> bool {
        true
    }

    /// Begins a payload. If the format cannot be encoded in pieces, the first call of the encoder must pass all data.
    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>>;

    /// Name of the actual format of the payload if it differs from the label.
    fn actual_name(&self, _stored: StoredBytes<'_>) -> Result<Option<&'static str>> {
        Ok(None)
    }

    /// Returns whether a payload consists of chunks that can be decoded separately.
    fn is_chunked(&self, _stored: StoredBytes<'_>, _data_size: u64) -> Result<bool> {
        Ok(false)
    }

    /// Finds the chunks of a payload, which must decode to `data_size` bytes.
    ///
    /// Returns `None` if there are more than `most` chunks or if the payload is not in chunks.
    fn chunk_index(&self, _stored: StoredBytes<'_>, _data_size: u64, _most: usize) -> Result<Option<ChunkIndex>> {
        Ok(None)
    }
}

/// Compression levels of a format.
pub(super) struct Levels {
    pub(super) range: RangeInclusive<u32>,
    pub(super) default: u32,
}

/// A payload that is decoded in order.
pub(super) trait PayloadDecoder: Send {
    /// Decodes into the start of `output`, which is not empty, and returns the number of bytes written.
    ///
    /// Returns 0 after the end of the data, if the checksums of the format match.
    fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize>;

    /// Returns the outcome after `read` has returned 0. `unread` is the number of input bytes left.
    fn outcome(&self, unread: u64) -> Outcome {
        Outcome::of_trailing(unread)
    }
}

/// Options for the encoding of one payload.
pub(super) struct EncoderOptions {
    /// Compression level; 0 for formats without levels.
    pub(super) level: u32,
    /// Size of one element in bytes.
    #[allow(dead_code, reason = "not every build has a format that uses it")]
    pub(super) item_size: usize,
    /// Options of Blosc.
    #[allow(dead_code, reason = "not every build has Blosc")]
    pub(super) blosc: BloscOptions,
    /// Size of all data in bytes, if known.
    pub(super) data_size: Option<u64>,
    /// Maximum number of threads, at least 1.
    pub(super) threads: usize,
}

/// A payload that is encoded in order.
pub(super) trait PayloadEncoder: Send {
    /// Number of bytes that are encoded together while more data follow.
    fn unit(&self) -> usize;

    /// Appends the encoding of `data`, which consists of whole units except at the end of the data.
    fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()>;
}
