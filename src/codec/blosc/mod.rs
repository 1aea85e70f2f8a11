//! Blosc chunks of the formats 1 and 2, labels `blsc` and `bls2`: a header, and blocks that are filtered and compressed
//! each for itself.
//!
//! Written from the description of the chunk format; frames, dictionaries and codecs from plug-ins are not supported.

mod blosclz;
mod chunk;
mod encode;
mod filters;

pub(super) use chunk::{Blosc, decode_whole};
pub(super) use encode::encode;

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

/// The most bytes that a chunk of so many stored bytes decodes to: a header alone may stand for a chunk of zeros.
pub(super) fn largest(used_size: u64) -> u64 {
    if used_size < SHORT_HEADER as u64 { 0 } else { LARGEST }
}

/// Whether format 1 has a stream for each byte of an element in blocks that are not said to be whole.
fn splits(type_size: usize, block_size: usize) -> bool {
    type_size <= 16 && block_size / type_size.max(1) >= 128
}
