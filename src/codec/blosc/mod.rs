//! Blosc chunks of the formats 1 and 2, labels `blsc` and `bls2`: a header, then blocks that are filtered and
//! compressed separately. A payload is one chunk, or several in a framing.
//!
//! Written from the description of the chunk format. Dictionaries and codecs from plug-ins are not supported.

mod blosclz;
mod chunk;
mod encode;
mod filters;
mod frame;
mod header;
mod inner;
mod parts;
mod sized;

use self::header::{LARGEST, SHORT_HEADER};
use self::parts::Parts;
use super::blosc_options::{BloscCodec, BloscOptions, Shuffle};
use super::chunk_index::ChunkIndex;
use super::format::{EncoderOptions, Format, Levels, PayloadDecoder, PayloadEncoder};
use super::input::{Input, StoredBytes};
use super::outcome::Outcome;
use crate::error::Result;

/// Blosc chunks in this version of the chunk format. Both versions are read under both labels.
pub(super) struct Blosc<const VERSION: u8>;

impl<const VERSION: u8> Format for Blosc<VERSION> {
    fn name(&self) -> &str {
        if VERSION == 1 { "blsc" } else { "bls2" }
    }

    fn levels(&self) -> Option<Levels> {
        Some(Levels { range: 1..=9, default: 5 })
    }

    fn takes_blosc_options(&self) -> bool {
        true
    }

    fn largest_decoded_size(&self, used_size: u64) -> u64 {
        // A header alone can represent a chunk of the largest size. A frame has chunks that are not stored at all.
        if VERSION == 2 && used_size >= frame::LEAST {
            LARGEST.saturating_mul(LARGEST)
        } else {
            (used_size / SHORT_HEADER as u64).saturating_mul(LARGEST)
        }
    }

    fn open(&self, input: &mut Input<'_>, data_size: u64, buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        if let Some(parts) = find(input.rest(), data_size)? {
            return Ok(Box::new(parts.decoder(buffer_limit)?));
        }
        let offset = input.position();
        Ok(Box::new(chunk::Decoder::new(input.take_rest()?, offset, data_size, buffer_limit)?))
    }

    fn decode_at_once(&self, stored: StoredBytes<'_>, output: &mut [u8], threads: usize) -> Result<Option<Outcome>> {
        match find(stored, output.len() as u64)? {
            Some(parts) => parts.decode(stored, output, threads).map(Some),
            None => chunk::decode_whole(stored, output, threads).map(Some),
        }
    }

    fn is_chunked(&self, stored: StoredBytes<'_>, data_size: u64) -> Result<bool> {
        Ok(find(stored, data_size)?.is_some_and(|parts| parts.are_stored()))
    }

    fn chunk_index(&self, stored: StoredBytes<'_>, data_size: u64, most: usize) -> Result<Option<ChunkIndex>> {
        match find(stored, data_size)? {
            Some(parts) => parts.index(most),
            None => Ok(None),
        }
    }

    /// Returns false: the header of a chunk contains sizes that are known only at its end.
    fn takes_pieces(&self) -> bool {
        false
    }

    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        let BloscOptions { codec, shuffle, type_size } = options.blosc;
        Ok(Box::new(encode::Encoder {
            extended: VERSION == 2,
            codec: codec.unwrap_or(BloscCodec::Lz4),
            level: options.level,
            shuffle: shuffle.unwrap_or(Shuffle::Byte),
            type_size: type_size.map_or(options.item_size, usize::from),
            threads: options.threads,
        }))
    }
}

/// Finds the chunks of a payload. Returns `None` for a single chunk.
fn find(stored: StoredBytes<'_>, data_size: u64) -> Result<Option<Parts>> {
    if sized::begins(stored)? {
        sized::parts(stored, data_size).map(Some)
    } else if frame::begins(stored)? {
        frame::parts(stored, data_size).map(Some)
    } else {
        Ok(None)
    }
}
