//! Sizes, flags and numbers in the header of a chunk.

/// Length of a header in bytes: 16 in format 1, 32 in format 2.
pub(super) const SHORT_HEADER: usize = 16;
pub(super) const LONG_HEADER: usize = 32;

/// Flags of the header. Both shuffle flags together mark a header of format 2.
pub(super) const SHUFFLED: u8 = 0x01;
pub(super) const NOT_COMPRESSED: u8 = 0x02;
pub(super) const BIT_SHUFFLED: u8 = 0x04;
pub(super) const NOT_SPLIT: u8 = 0x10;

/// Filter numbers of format 2.
pub(super) const NO_FILTER: u8 = 0;
pub(super) const SHUFFLE: u8 = 1;
pub(super) const BIT_SHUFFLE: u8 = 2;
pub(super) const DELTA: u8 = 3;
pub(super) const TRUNCATED_PRECISION: u8 = 4;

/// Codec numbers, stored in the upper three bits of the flags.
pub(super) const LZ4: u8 = 1;
pub(super) const ZLIB: u8 = 3;
pub(super) const ZSTD: u8 = 4;

/// Largest size of a chunk in bytes: its sizes are signed 32-bit numbers.
pub(super) const LARGEST: u64 = i32::MAX as u64;

/// Returns whether blocks of format 1 have one stream per byte of an element, unless the flag `NOT_SPLIT` is set.
pub(super) fn splits(type_size: usize, block_size: usize) -> bool {
    type_size <= 16 && block_size / type_size.max(1) >= 128
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_blocks_of_small_elements_are_split() {
        assert!(splits(1, 128) && splits(4, 512) && splits(16, 2048));
        assert!(!splits(4, 511) && !splits(16, 2047) && !splits(17, 1 << 20));
    }
}
