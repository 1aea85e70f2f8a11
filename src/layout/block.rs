//! The header of one block: decoding and encoding.
//!
//! The header is checked on its own; the offsets of blocks in a file are handled elsewhere.

use crate::error::{Error, Result, Status};
use crate::source::HEADER_FIELDS;
use std::ops::Range;

/// The first bytes of a block header; deliberately not valid UTF-8.
pub(super) const MAGIC: [u8; 4] = *b"\xD3BLK";
const STREAMED: u32 = 1;
/// Bytes at the start of a header that its `header_size` does not count: the magic and the size itself.
const UNCOUNTED: u64 = 6;
/// Offset of the checksum in a header.
const CHECKSUM: u64 = 38;
/// Largest possible `header_size`, aligned or not.
pub(super) const MAX_HEADER_SIZE: u64 = u16::MAX as u64;
pub(super) const MIN_HEADER_SIZE: u16 = 48;
/// Largest offset in a file: operating systems use signed 64-bit numbers.
pub(super) const MAX_OFFSET: u64 = i64::MAX as u64;

/// A block header and its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHeader {
    /// Offset of the header's magic in the file.
    pub offset: u64,
    /// Number of header bytes after the magic and this field, at least 48.
    pub header_size: u16,
    /// Bit 0 marks a streamed block. The other bits have no meaning yet.
    pub flags: u32,
    /// The compression label, padded with NULs; all NULs for no compression.
    pub compression: [u8; 4],
    /// Number of bytes reserved for the payload in the file.
    pub allocated_size: u64,
    /// Number of payload bytes stored. Like the other sizes, it has no meaning in a streamed block.
    pub used_size: u64,
    /// Number of payload bytes after decompression. Used only in compressed blocks.
    pub data_size: u64,
    /// MD5 of the payload, or zeros for no checksum.
    pub checksum: [u8; 16],
}

impl BlockHeader {
    /// Length of the shortest header in bytes, including the magic.
    pub const MIN_LENGTH: usize = HEADER_FIELDS;

    /// Returns whether the block is streamed: its payload runs to the end of the file.
    pub fn is_streamed(&self) -> bool {
        self.flags & STREAMED != 0
    }

    /// Returns whether the payload is compressed.
    pub fn is_compressed(&self) -> bool {
        self.compression != [0; 4]
    }

    /// Returns the offset of the payload in the file.
    pub fn payload_offset(&self) -> u64 {
        self.offset + UNCOUNTED + u64::from(self.header_size)
    }

    /// Returns the offset of the checksum in the file.
    pub fn checksum_offset(&self) -> u64 {
        self.offset + CHECKSUM
    }

    /// Returns the offset of the end of the bytes reserved for the payload; `None` for a streamed block.
    pub fn end(&self) -> Option<u64> {
        (!self.is_streamed()).then(|| self.payload_offset().saturating_add(self.allocated_size))
    }

    /// Returns the range of the stored payload in a file of this length. Fails with [`Status::Truncated`] if the file
    /// ends before the payload does.
    pub fn stored_range(&self, file_length: u64) -> Result<Range<u64>> {
        let start = self.payload_offset();
        let end = if self.is_streamed() { file_length } else { start.saturating_add(self.used_size) };
        if end > file_length || start > end {
            let present = file_length.saturating_sub(start);
            return Err(Error::new(
                Status::Truncated,
                format!(
                    "the block at byte {} has {} bytes of payload, but the file ends after {present} of them",
                    self.offset, self.used_size
                ),
            )
            .at_offset(file_length));
        }
        Ok(start..end)
    }

    /// Returns the number of payload bytes after decompression, in a file of this length.
    ///
    /// For an uncompressed block this is the used size (its data size should be the same). For a streamed block it is
    /// the number of bytes up to the end of the file.
    pub fn decoded_size(&self, file_length: u64) -> u64 {
        if self.is_streamed() {
            file_length.saturating_sub(self.payload_offset())
        } else if self.is_compressed() {
            self.data_size
        } else {
            self.used_size
        }
    }

    /// Returns the header of a streamed block as an ordinary block: its sizes are the bytes up to the end of the file,
    /// which has this length.
    pub fn sized(&self, file_length: u64) -> BlockHeader {
        let size = file_length.saturating_sub(self.payload_offset());
        BlockHeader {
            flags: self.flags & !STREAMED,
            allocated_size: size,
            used_size: size,
            data_size: size,
            checksum: [0; 16],
            ..*self
        }
    }

    /// Returns the header of an uncompressed block as that of a streamed one.
    pub(crate) fn opened(&self) -> BlockHeader {
        let (allocated_size, used_size, data_size) = (0, 0, 0);
        let flags = self.flags | STREAMED;
        BlockHeader { flags, allocated_size, used_size, data_size, checksum: [0; 16], ..*self }
    }

    /// Decodes the header that starts with these bytes and checks that its fields agree with each other.
    pub(super) fn decode(bytes: &[u8; Self::MIN_LENGTH], offset: u64) -> Result<BlockHeader> {
        let fail = |status, message: String| Err(Error::new(status, message).at_offset(offset));
        let (magic, rest) = take(bytes);
        if magic != MAGIC {
            return fail(Status::Layout, "no block begins here".into());
        }
        let (header_size, rest) = take(rest);
        let (flags, rest) = take(rest);
        let (compression, rest) = take(rest);
        let (allocated_size, rest) = take(rest);
        let (used_size, rest) = take(rest);
        let (data_size, rest) = take(rest);
        let (checksum, _) = take(rest);
        let header = BlockHeader {
            offset,
            header_size: u16::from_be_bytes(header_size),
            flags: u32::from_be_bytes(flags),
            compression,
            allocated_size: u64::from_be_bytes(allocated_size),
            used_size: u64::from_be_bytes(used_size),
            data_size: u64::from_be_bytes(data_size),
            checksum,
        };
        if header.header_size < MIN_HEADER_SIZE {
            let size = header.header_size;
            return fail(
                Status::BlockHeader,
                format!("the header_size of the block is {size}, but it must be at least 48"),
            );
        }
        if header.is_streamed() {
            if header.is_compressed() {
                return fail(
                    Status::BlockHeader,
                    "the block is streamed and compressed, which the standard does not allow".into(),
                );
            }
            return Ok(header);
        }
        let (allocated, used) = (header.allocated_size, header.used_size);
        if allocated < used {
            return fail(
                Status::BlockHeader,
                format!("the block uses {used} bytes, but only {allocated} bytes are allocated"),
            );
        }
        if header.payload_offset().checked_add(allocated).is_none_or(|end| end > MAX_OFFSET) {
            return fail(
                Status::BlockHeader,
                format!("the {allocated} allocated bytes of the block exceed the largest possible file"),
            );
        }
        Ok(header)
    }

    /// Returns the header of a block of unknown size while its payload is written. An uncompressed block is a streamed
    /// one. A streamed block cannot be compressed, so a compressed one has sizes that no finished block can have.
    pub(super) fn unfinished(offset: u64, header_size: u16, compression: [u8; 4]) -> BlockHeader {
        let is_streamed = compression == [0; 4];
        let mut header = BlockHeader {
            offset,
            header_size,
            flags: BlockHeader::flags_for(is_streamed),
            compression,
            allocated_size: 0,
            used_size: 0,
            data_size: 0,
            checksum: [0; 16],
        };
        if !is_streamed {
            header.allocated_size = MAX_OFFSET.saturating_sub(header.payload_offset());
            header.used_size = header.allocated_size;
            header.data_size = u64::MAX;
        }
        header
    }

    /// Returns whether the block is compressed, and its writer was ended before the size of the payload was known.
    pub(crate) fn is_unfinished(&self) -> bool {
        self.is_compressed() && !self.is_streamed() && self.data_size == u64::MAX
    }

    /// Returns the header's bytes: `6 + header_size` of them. Bytes after the defined fields are zero.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = self.encode_fields().to_vec();
        out.resize((UNCOUNTED as usize + usize::from(self.header_size)).max(Self::MIN_LENGTH), 0);
        out
    }

    /// Returns the bytes of the defined fields.
    pub fn encode_fields(&self) -> [u8; Self::MIN_LENGTH] {
        let mut out = [0; Self::MIN_LENGTH];
        let mut rest = &mut out[..];
        let mut put = |field: &[u8]| {
            if let Some(place) = rest.split_off_mut(..field.len()) {
                place.copy_from_slice(field);
            }
        };
        put(&MAGIC);
        put(&self.header_size.to_be_bytes());
        put(&self.flags.to_be_bytes());
        put(&self.compression);
        put(&self.allocated_size.to_be_bytes());
        put(&self.used_size.to_be_bytes());
        put(&self.data_size.to_be_bytes());
        put(&self.checksum);
        out
    }

    /// Returns the flags of a new block.
    pub(super) fn flags_for(streamed: bool) -> u32 {
        if streamed { STREAMED } else { 0 }
    }
}

/// Splits off the first `N` bytes. Missing bytes read as zero.
fn take<const N: usize>(bytes: &[u8]) -> ([u8; N], &[u8]) {
    match bytes.split_first_chunk() {
        Some((first, rest)) => (*first, rest),
        None => ([0; N], &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only block of the smallest file with an array: the bytes 1, 2, 3, 4 and their MD5.
    const EXAMPLE: [u8; 54] = [
        0xD3, 0x42, 0x4C, 0x4B, 0, 0x30, 0, 0, 0, 0, 0, 0, 0, 0, //
        0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, //
        0x08, 0xD6, 0xC0, 0x5A, 0x21, 0x51, 0x2A, 0x79, 0xA1, 0xDF, 0xEB, 0x9D, 0x2A, 0x8F, 0x26, 0x2F,
    ];

    fn altered(changes: &[(usize, u8)]) -> Result<BlockHeader> {
        let mut bytes = EXAMPLE;
        for &(at, value) in changes {
            bytes[at] = value;
        }
        BlockHeader::decode(&bytes, 175)
    }

    #[test]
    fn the_example_there_and_back() {
        let header = altered(&[]).unwrap();
        assert_eq!((header.payload_offset(), header.end(), header.decoded_size(1000)), (229, Some(233), 4));
        assert_eq!(header.stored_range(233).unwrap(), 229..233);
        assert_eq!(header.stored_range(232).unwrap_err().status(), Status::Truncated);
        assert_eq!(header.encode(), EXAMPLE);
        assert_eq!(EXAMPLE[(header.checksum_offset() - 175) as usize..], header.checksum);
        assert_eq!(BlockHeader { header_size: 64, ..header }.encode().len(), 70);
    }

    #[test]
    fn streamed_blocks_and_ordinary_ones_change_into_each_other() {
        let header = altered(&[]).unwrap();
        let opened = header.opened();
        assert!(opened.is_streamed() && !header.is_streamed());
        assert_eq!((opened.allocated_size, opened.used_size, opened.data_size), (0, 0, 0));
        assert_eq!((opened.checksum, opened.offset, opened.header_size), ([0; 16], 175, 48));
        assert_eq!((opened.end(), opened.decoded_size(300)), (None, 300 - 229));
        let sized = opened.sized(300);
        assert!(!sized.is_streamed());
        assert_eq!((sized.allocated_size, sized.used_size, sized.data_size), (71, 71, 71));
        let checked = BlockHeader { checksum: [7; 16], ..opened };
        assert_eq!(checked.sized(300), sized);
    }

    #[test]
    fn headers_that_contradict_themselves() {
        for (changes, status) in [
            (&[(0, 0)][..], Status::Layout),
            (&[(5, 47)], Status::BlockHeader),
            (&[(21, 3)], Status::BlockHeader),
            (&[(14, 0x80)], Status::BlockHeader),
            (
                &[(14, 0x7F), (15, 0xFF), (16, 0xFF), (17, 0xFF), (18, 0xFF), (19, 0xFF), (20, 0xFF), (21, 0xFF)],
                Status::BlockHeader,
            ),
            (&[(9, 1), (10, b'z')], Status::BlockHeader),
        ] {
            let error = altered(changes).unwrap_err();
            assert_eq!((error.status(), error.location().offset), (status, Some(175)), "{changes:?}");
        }
    }

    #[test]
    fn headers_that_are_allowed() {
        assert_eq!(altered(&[(4, 0xFF), (5, 0xFF)]).unwrap().payload_offset(), 175 + 6 + 65535);
        assert!(!altered(&[(6, 0x80), (9, 2)]).unwrap().is_streamed());
        // The sizes of a streamed block have no meaning.
        let streamed = altered(&[(9, 1), (14, 0xFF), (21, 0)]).unwrap();
        assert_eq!((streamed.end(), streamed.stored_range(300).unwrap()), (None, 229..300));
        assert_eq!(streamed.decoded_size(300), 71);
        assert_eq!(altered(&[(10, b'z'), (37, 9)]).unwrap().decoded_size(300), 9);
    }

    #[test]
    fn only_compressed_blocks_without_a_size_are_unfinished() {
        let header = altered(&[]).unwrap();
        let unfinished = BlockHeader { compression: *b"zlib", data_size: u64::MAX, ..header };
        assert!(unfinished.is_unfinished());
        assert!(!BlockHeader { data_size: 4, ..unfinished }.is_unfinished());
        assert!(!BlockHeader { compression: [0; 4], ..unfinished }.is_unfinished());
        assert!(!BlockHeader { flags: 1, ..unfinished }.is_unfinished());
    }
}
