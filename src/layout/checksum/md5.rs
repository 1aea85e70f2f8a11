//! MD5 (RFC 1321) of one stream of bytes.

use super::Checksum;

/// Size of the blocks that are taken at a time.
pub(super) const BLOCK: usize = 64;
/// Words before the first block.
pub(super) const INITIAL: [u32; 4] = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];

/// Computes the digest of one stream piece by piece.
#[derive(Clone)]
pub(crate) struct Hasher {
    state: [u32; 4],
    length: u64,
    /// The bytes after the last whole block.
    rest: [u8; BLOCK],
}

impl Hasher {
    /// Creates a hasher without any bytes.
    pub(crate) fn new() -> Hasher {
        Hasher { state: INITIAL, length: 0, rest: [0; BLOCK] }
    }

    /// Goes on after whole blocks of `length` bytes.
    #[cfg(target_arch = "x86_64")]
    pub(super) fn after(state: [u32; 4], length: u64) -> Hasher {
        Hasher { state, length, ..Hasher::new() }
    }

    /// Adds bytes.
    pub(crate) fn update(&mut self, mut bytes: &[u8]) {
        let held = (self.length % BLOCK as u64) as usize;
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if held > 0 {
            let (taken, others) = bytes.split_at(bytes.len().min(BLOCK - held));
            self.rest[held..held + taken.len()].copy_from_slice(taken);
            if held + taken.len() < BLOCK {
                return;
            }
            let block = self.rest;
            self.take(&[block]);
            bytes = others;
        }
        let (blocks, others) = bytes.as_chunks();
        self.take(blocks);
        self.rest[..others.len()].copy_from_slice(others);
    }

    fn take(&mut self, blocks: &[[u8; BLOCK]]) {
        #[cfg(all(target_arch = "x86_64", not(debug_assertions)))]
        super::steps::take_blocks(&mut self.state, blocks);
        // Builds for debugging optimize this crate, but not the steps.
        #[cfg(not(all(target_arch = "x86_64", not(debug_assertions))))]
        md5::block_api::compress(&mut self.state, blocks);
    }

    /// Returns the digest of all bytes added.
    pub(crate) fn finish(mut self) -> Checksum {
        let bits = self.length.wrapping_mul(8).to_le_bytes();
        let held = self.length % BLOCK as u64;
        let padding = if held < 56 { 56 - held } else { 120 - held };
        let mut end = [0; BLOCK];
        end[0] = 0x80;
        self.update(&end[..padding as usize]);
        self.update(&bits);
        let mut digest = Checksum::default();
        for (bytes, word) in digest.chunks_exact_mut(4).zip(self.state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use md5::{Digest, Md5};

    #[test]
    fn digests_of_every_short_length_and_of_any_pieces_are_those_of_another_implementation() {
        let bytes: Vec<u8> = (0..1000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        for length in (0..200).chain([511, 512, 513, 1000]) {
            let expected: Checksum = Md5::digest(&bytes[..length]).into();
            for piece in [1, 3, 63, 64, 65, 130, 1000] {
                let mut hasher = Hasher::new();
                bytes[..length].chunks(piece).for_each(|piece| hasher.update(piece));
                assert_eq!(hasher.finish(), expected, "{length} bytes in pieces of {piece}");
            }
        }
    }
}
