//! The interface of a compression format: what each line of the table of formats offers.
//!
//! A format is implemented in its own file or folder. Codecs of the caller are formats as well, outside the table.

use super::chunk_index::ChunkIndex;
use super::input::{Input, StoredBytes};
use super::outcome::Outcome;
use crate::error::{Error, Result, Status};
use std::ops::RangeInclusive;

/// A compression format.
pub(super) trait Format: Sync {
    /// Name of the format, which is its label without the padding.
    fn name(&self) -> &str;

    /// Compression levels; `None` if the format has none.
    fn levels(&self) -> Option<Levels> {
        None
    }

    /// Upper bound on the decoded size of `used_size` stored bytes. It follows from the format, so that every honest
    /// payload stays within it.
    fn largest_decoded_size(&self, used_size: u64) -> u64;

    /// Fails with [`Status::DecodedSize`] if no `used_size` stored bytes can decode to `data_size` bytes.
    fn check_sizes(&self, used_size: u64, data_size: u64) -> Result<()> {
        if data_size > self.largest_decoded_size(used_size) {
            let name = self.name();
            let message = format!("{used_size} bytes of {name} cannot decode to the {data_size} bytes declared");
            return Err(Error::new(Status::DecodedSize, message));
        }
        Ok(())
    }

    /// Opens a decoder at the start of the payload. It decodes at most `buffer_limit` bytes into memory of its own.
    fn open(&self, input: &mut Input<'_>, data_size: u64, buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>>;

    /// Decodes a whole payload in a faster way than piece by piece, on up to `threads` threads.
    ///
    /// Returns `None` if there is no such way. Formats may also return `None` for damaged payloads; decoding piece by
    /// piece then reports the error.
    ///
    /// It counts the bytes of the output as [`Counted::Elements`](crate::progress::Counted::Elements).
    fn decode_at_once(&self, _stored: StoredBytes<'_>, _output: &mut [u8], _threads: usize) -> Result<Option<Outcome>> {
        Ok(None)
    }

    /// Whether the format can be encoded piece by piece.
    fn takes_pieces(&self) -> bool {
        true
    }

    /// Begins a payload. If the format does not take pieces, the first call of the encoder must pass all data.
    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>>;

    /// Name of the format that the payload has in truth, if it is not the one of its label.
    fn actual_name(&self, _stored: StoredBytes<'_>) -> Result<Option<&'static str>> {
        Ok(None)
    }

    /// Whether payloads consist of chunks that can be decoded separately.
    fn is_chunked(&self) -> bool {
        false
    }

    /// Finds the chunks of a payload that is to decode to `data_size` bytes.
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

/// A payload being decoded in order.
pub(super) trait PayloadDecoder: Send {
    /// Decodes into the start of `output`, which is not empty, and returns how many bytes it wrote.
    ///
    /// Returns 0 once the data have ended and their checksums, if any, were right.
    fn read(&mut self, input: &mut Input<'_>, output: &mut [u8]) -> Result<usize>;

    /// Outcome of the decoding once `read` has returned 0; `unread` bytes of the input are left.
    fn outcome(&self, unread: u64) -> Outcome {
        Outcome::of_trailing(unread)
    }
}

/// Choices for the encoding of one payload.
pub(super) struct EncoderOptions {
    /// Compression level; 0 for formats without levels.
    pub(super) level: u32,
    /// Bytes of one element.
    #[allow(dead_code, reason = "not every build has a format that uses it")]
    pub(super) item_size: usize,
    /// Bytes of all data, if known.
    pub(super) data_size: Option<u64>,
    /// Most threads to encode on, at least 1.
    pub(super) threads: usize,
}

/// A payload being encoded in order.
pub(super) trait PayloadEncoder: Send {
    /// Number of bytes to encode together while more follow.
    fn unit(&self) -> usize;

    /// Appends the encoding of `data`: whole units, unless they are the last data.
    fn encode(&mut self, data: &[u8], last: bool, out: &mut Vec<u8>) -> Result<()>;
}
