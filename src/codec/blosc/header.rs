//! Sizes, flags and numbers of the header of a chunk.

/// Bytes of a header in format 1, and of what format 2 has in all.
pub(super) const SHORT_HEADER: usize = 16;
pub(super) const LONG_HEADER: usize = 32;

/// Bits of the header's flags. Both filters together mean a header of format 2.
pub(super) const SHUFFLED: u8 = 0x01;
pub(super) const NOT_COMPRESSED: u8 = 0x02;
pub(super) const BIT_SHUFFLED: u8 = 0x04;
pub(super) const NOT_SPLIT: u8 = 0x10;

/// Filters of format 2.
pub(super) const NO_FILTER: u8 = 0;
pub(super) const SHUFFLE: u8 = 1;
pub(super) const BIT_SHUFFLE: u8 = 2;
pub(super) const DELTA: u8 = 3;
pub(super) const TRUNCATED_PRECISION: u8 = 4;

/// Codecs, in the upper three bits of the flags.
pub(super) const LZ4: u8 = 1;

/// The most bytes that a chunk holds: it counts in 32 bits with a sign.
pub(super) const LARGEST: u64 = i32::MAX as u64;

/// Whether format 1 has a stream for each byte of an element in blocks that are not said to be whole.
pub(super) fn splits(type_size: usize, block_size: usize) -> bool {
    type_size <= 16 && block_size / type_size.max(1) >= 128
}
