//! MD5 checksums of block payloads: computation and comparison.
//!
//! This file does not decode compressed payloads; callers that can decode pass the digest.

#[cfg(target_arch = "x86_64")]
mod lanes;
mod md5;
#[cfg(target_arch = "x86_64")]
mod steps;

use super::block::BlockHeader;
use crate::error::Result;
use crate::progress::{self, Counted};
use crate::source::{Source, read_exact_at, try_zeroed};
use std::ops::Range;

pub(crate) use self::md5::Hasher;

/// An MD5 digest as stored in a block header; all zeros for no checksum.
pub(crate) type Checksum = [u8; 16];

const PIECE: u64 = 1 << 20;

/// Result of the comparison of a payload with the checksum in its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChecksumMatch {
    /// There is no checksum, or the block is streamed and the checksum is ignored.
    Absent,
    /// The checksum matches the bytes as stored, as the standard requires.
    Stored,
    /// The checksum matches the decoded bytes, as some writers compute it for compressed blocks.
    Decoded,
    /// The checksum matches neither.
    Mismatch,
}

/// Returns the digest of bytes in memory.
pub fn md5(bytes: &[u8]) -> Checksum {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher.finish()
}

/// Returns the digest of part of a source, read in pieces of 1 MiB.
pub(crate) fn md5_of_range(source: &dyn Source, range: Range<u64>) -> Result<Checksum> {
    md5_counted(source, range, Counted::Stored)
}

/// The same, with progress in bytes of this kind.
pub(crate) fn md5_counted(source: &dyn Source, range: Range<u64>, counted: Counted) -> Result<Checksum> {
    let mut hasher = Hasher::new();
    update_by(&mut hasher, source, range, counted)?;
    Ok(hasher.finish())
}

/// Adds part of a source, read in pieces of 1 MiB, with progress in bytes of this kind.
fn update_by(hasher: &mut Hasher, source: &dyn Source, range: Range<u64>, counted: Counted) -> Result<()> {
    let mut buffer = try_zeroed(PIECE.min(range.end.saturating_sub(range.start)) as usize)?;
    let mut at = range.start;
    while at < range.end {
        let count = (buffer.len() as u64).min(range.end - at) as usize;
        read_exact_at(source, at, &mut buffer[..count])?;
        hasher.update(&buffer[..count]);
        at += count as u64;
        progress::advance(counted, count as u64)?;
    }
    Ok(())
}

/// Returns the digests of parts of a source, which lie inside it. Several are computed at once if the machine can.
pub(crate) fn md5_of_ranges(source: &dyn Source, ranges: &[Range<u64>]) -> Result<Vec<Checksum>> {
    #[cfg(target_arch = "x86_64")]
    if let Some(digests) = lanes::md5_of_ranges(source, ranges)? {
        return Ok(digests);
    }
    ranges.iter().map(|range| md5_of_range(source, range.clone())).collect()
}

/// Returns true if a block has a checksum that is compared with its bytes.
pub(crate) fn has_checksum(header: &BlockHeader) -> bool {
    !header.is_streamed() && header.checksum != [0; 16]
}

/// Compares the payload of a block with its checksum.
///
/// `stored` is the digest of the stored bytes, if it is known. `decoded` computes the digest of the decoded payload. It
/// is called only for a compressed block whose stored bytes do not match. Fails with
/// [`Truncated`](crate::Status::Truncated) if part of the payload is missing.
pub(crate) fn verify_checksum(
    source: &dyn Source,
    header: &BlockHeader,
    stored: Option<Checksum>,
    decoded: impl FnOnce() -> Result<Checksum>,
) -> Result<ChecksumMatch> {
    if !has_checksum(header) {
        return Ok(ChecksumMatch::Absent);
    }
    let stored = match stored {
        Some(digest) => digest,
        None => md5_of_range(source, header.stored_range(source.len())?)?,
    };
    if stored == header.checksum {
        return Ok(ChecksumMatch::Stored);
    }
    if header.is_compressed() && decoded()? == header.checksum {
        return Ok(ChecksumMatch::Decoded);
    }
    Ok(ChecksumMatch::Mismatch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemorySource;

    fn hex(digest: Checksum) -> String {
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn known_digests() {
        assert_eq!(hex(md5(b"")), "d41d8cd98f00b204e9800998ecf8427e");
        assert_eq!(hex(md5(b"abc")), "900150983cd24fb0d6963f7d28e17f72");
        let long: Vec<u8> = (0..(5 << 19)).map(|n| n as u8).collect();
        let whole = md5(&long[7..]);
        assert_eq!(md5_of_range(&MemorySource::of_vec(long.clone()), 7..long.len() as u64).unwrap(), whole);
        assert!(md5_of_range(&MemorySource::of_vec(long.clone()), 7..long.len() as u64 + 1).is_err());
    }

    #[test]
    fn digests_of_ranges_of_any_sizes_are_those_of_single_ranges() {
        let bytes: Vec<u8> = (0..3_000_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 11) as u8).collect();
        let source = MemorySource::of_vec(bytes);
        let sizes =
            [0, 1, 63, 64, 65, 4096, 262_143, 262_144, 262_145, 600_001, 7, 128, 1000, 55, 56, 300_000, 0, 64, 9];
        for count in 0..=sizes.len() {
            let mut start = 5;
            let ranges: Vec<Range<u64>> = sizes[..count]
                .iter()
                .map(|size| {
                    start += 3;
                    start..start + size
                })
                .collect();
            let expected: Vec<Checksum> =
                ranges.iter().map(|range| md5_of_range(&source, range.clone()).unwrap()).collect();
            assert_eq!(md5_of_ranges(&source, &ranges).unwrap(), expected, "{count} ranges");
        }
        let outside = [0..9, 2_999_999..3_000_001, 5..7, 8..300];
        assert!(md5_of_ranges(&source, &outside).is_err());
    }

    #[test]
    fn verdicts() {
        let header = |compression, checksum, flags| BlockHeader {
            offset: 0,
            header_size: 48,
            flags,
            compression,
            allocated_size: 3,
            used_size: 3,
            data_size: 3,
            checksum,
        };
        let mut bytes = vec![0; 54];
        bytes.extend(b"abc");
        let source = MemorySource::of_vec(bytes);
        let verify = |compression, checksum, flags| {
            verify_checksum(&source, &header(compression, checksum, flags), None, || Ok(md5(b"decoded"))).unwrap()
        };
        assert_eq!(verify([0; 4], [0; 16], 0), ChecksumMatch::Absent);
        assert_eq!(verify([0; 4], [7; 16], 1), ChecksumMatch::Absent);
        assert_eq!(verify([0; 4], md5(b"abc"), 0), ChecksumMatch::Stored);
        assert_eq!(verify(*b"zlib", md5(b"abc"), 0), ChecksumMatch::Stored);
        assert_eq!(verify(*b"zlib", md5(b"decoded"), 0), ChecksumMatch::Decoded);
        assert_eq!(verify([0; 4], md5(b"decoded"), 0), ChecksumMatch::Mismatch);
    }
}
