//! MD5 checksums of block payloads: computation and comparison.
//!
//! This file does not decode compressed payloads; callers that can decode pass the digest.

use super::block::BlockHeader;
use crate::error::Result;
use crate::progress::{self, Counted};
use crate::source::{Source, read_exact_at, try_zeroed};
use md5::{Digest, Md5};
use std::ops::Range;

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

/// Computes an MD5 digest piece by piece.
#[derive(Clone, Default)]
pub(crate) struct Hasher(Md5);

impl Hasher {
    /// Creates a hasher without any bytes.
    pub(crate) fn new() -> Hasher {
        Hasher::default()
    }

    /// Adds bytes.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Returns the digest of all bytes added.
    pub(crate) fn finish(self) -> Checksum {
        self.0.finalize().into()
    }
}

/// Returns the digest of bytes in memory.
pub fn md5(bytes: &[u8]) -> Checksum {
    Md5::digest(bytes).into()
}

/// Returns the digest of part of a source, read in pieces of 1 MiB.
pub(crate) fn md5_of_range(source: &dyn Source, range: Range<u64>) -> Result<Checksum> {
    md5_counted(source, range, Counted::Stored)
}

/// The same, with progress in bytes of this kind.
pub(crate) fn md5_counted(source: &dyn Source, range: Range<u64>, counted: Counted) -> Result<Checksum> {
    let mut buffer = try_zeroed(PIECE.min(range.end.saturating_sub(range.start)) as usize)?;
    let mut hasher = Hasher::new();
    let mut at = range.start;
    while at < range.end {
        let count = (buffer.len() as u64).min(range.end - at) as usize;
        read_exact_at(source, at, &mut buffer[..count])?;
        hasher.update(&buffer[..count]);
        at += count as u64;
        progress::advance(counted, count as u64)?;
    }
    Ok(hasher.finish())
}

/// Compares the payload of a block with its checksum.
///
/// `decoded` computes the digest of the decoded payload. It is called only for a compressed block whose stored bytes do
/// not match. Fails with [`Truncated`](crate::Status::Truncated) if part of the payload is missing.
pub(crate) fn verify_checksum(
    source: &dyn Source,
    header: &BlockHeader,
    decoded: impl FnOnce() -> Result<Checksum>,
) -> Result<ChecksumMatch> {
    if header.is_streamed() || header.checksum == [0; 16] {
        return Ok(ChecksumMatch::Absent);
    }
    if md5_of_range(source, header.stored_range(source.len())?)? == header.checksum {
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
            verify_checksum(&source, &header(compression, checksum, flags), || Ok(md5(b"decoded"))).unwrap()
        };
        assert_eq!(verify([0; 4], [0; 16], 0), ChecksumMatch::Absent);
        assert_eq!(verify([0; 4], [7; 16], 1), ChecksumMatch::Absent);
        assert_eq!(verify([0; 4], md5(b"abc"), 0), ChecksumMatch::Stored);
        assert_eq!(verify(*b"zlib", md5(b"abc"), 0), ChecksumMatch::Stored);
        assert_eq!(verify(*b"zlib", md5(b"decoded"), 0), ChecksumMatch::Decoded);
        assert_eq!(verify([0; 4], md5(b"decoded"), 0), ChecksumMatch::Mismatch);
    }
}
