//! Blosc chunks of the formats 1 and 2, labels `blsc` and `bls2`: a header, and blocks that are filtered and compressed
//! each for itself.
//!
//! Written from the description of the chunk format; frames, dictionaries and codecs from plug-ins are not supported.

mod blosclz;
mod chunk;
mod encode;
mod filters;

use super::format::{EncoderOptions, Format, PayloadDecoder, PayloadEncoder};
use super::input::{Input, StoredBytes};
use super::outcome::Outcome;
use crate::error::Result;

/// Bytes of a header in format 1, and of what format 2 has in all.
const SHORT_HEADER: usize = 16;
const LONG_HEADER: usize = 32;

/// Bits of the header's flags. Both filters together mean a header of format 2.
const SHUFFLED: u8 = 0x01;
const NOT_COMPRESSED: u8 = 0x02;
const BIT_SHUFFLED: u8 = 0x04;
const NOT_SPLIT: u8 = 0x10;

/// Filters of format 2.
const NO_FILTER: u8 = 0;
const SHUFFLE: u8 = 1;
const BIT_SHUFFLE: u8 = 2;
const DELTA: u8 = 3;
const TRUNCATED_PRECISION: u8 = 4;

/// Codecs, in the upper three bits of the flags.
const LZ4: u8 = 1;

/// The most bytes that a chunk holds: it counts in 32 bits with a sign.
const LARGEST: u64 = i32::MAX as u64;

/// Blosc chunks, written in this version of the chunk format; both versions are read under both labels.
pub(super) struct Blosc<const VERSION: u8>;

impl<const VERSION: u8> Format for Blosc<VERSION> {
    fn name(&self) -> &str {
        if VERSION == 1 { "blsc" } else { "bls2" }
    }

    fn largest_decoded_size(&self, used_size: u64) -> u64 {
        // A header alone may stand for all that a chunk can hold.
        if used_size < SHORT_HEADER as u64 { 0 } else { LARGEST }
    }

    fn open(&self, input: &mut Input<'_>, data_size: u64, buffer_limit: u64) -> Result<Box<dyn PayloadDecoder>> {
        Ok(Box::new(chunk::Decoder::new(input, data_size, buffer_limit)?))
    }

    fn decode_at_once(&self, stored: StoredBytes<'_>, output: &mut [u8], threads: usize) -> Result<Option<Outcome>> {
        chunk::decode_whole(stored, output, threads).map(Some)
    }

    /// A chunk begins with sizes that are known at its end.
    fn takes_pieces(&self) -> bool {
        false
    }

    fn encoder(&self, options: &EncoderOptions) -> Result<Box<dyn PayloadEncoder>> {
        Ok(Box::new(encode::Encoder { extended: VERSION == 2, item_size: options.item_size }))
    }
}

/// Whether format 1 has a stream for each byte of an element in blocks that are not said to be whole.
fn splits(type_size: usize, block_size: usize) -> bool {
    type_size <= 16 && block_size / type_size.max(1) >= 128
}
