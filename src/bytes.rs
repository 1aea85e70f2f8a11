//! Vectors of sixteen bytes, compared all at once by the instructions of SSE2.

#![allow(unsafe_code)]

use std::arch::x86_64::*;

/// Sixteen bytes, or marks of some of them.
#[derive(Clone, Copy)]
pub(crate) struct Bytes(__m128i);

// SAFETY of all functions: every x86-64 processor has the instructions of SSE2.
impl Bytes {
    #[inline(always)]
    pub(crate) fn load(bytes: &[u8; 16]) -> Bytes {
        // SAFETY: as above; the load needs no alignment and stays within the array.
        Bytes(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    }

    #[inline(always)]
    fn all(byte: u8) -> __m128i {
        // SAFETY: as above.
        unsafe { _mm_set1_epi8(byte as i8) }
    }

    /// Returns a bit for each byte that is marked.
    #[inline(always)]
    pub(crate) fn bits(self) -> u32 {
        // SAFETY: as above.
        (unsafe { _mm_movemask_epi8(self.0) }) as u32
    }

    /// Marks the bytes that are equal to `byte`.
    #[inline(always)]
    pub(crate) fn are(self, byte: u8) -> Bytes {
        // SAFETY: as above.
        Bytes(unsafe { _mm_cmpeq_epi8(self.0, Bytes::all(byte)) })
    }

    /// Marks the bytes from `first` to `last`.
    #[inline(always)]
    pub(crate) fn are_in(self, first: u8, last: u8) -> Bytes {
        // SAFETY: as above.
        Bytes(unsafe {
            let above = _mm_sub_epi8(self.0, Bytes::all(first));
            _mm_cmpeq_epi8(_mm_min_epu8(above, Bytes::all(last - first)), above)
        })
    }

    /// Sets these bits in all bytes.
    #[inline(always)]
    pub(crate) fn with_bits(self, bits: u8) -> Bytes {
        // SAFETY: as above.
        Bytes(unsafe { _mm_or_si128(self.0, Bytes::all(bits)) })
    }

    /// Marks the bytes that are marked in either vector.
    #[inline(always)]
    pub(crate) fn or(self, other: Bytes) -> Bytes {
        // SAFETY: as above.
        Bytes(unsafe { _mm_or_si128(self.0, other.0) })
    }
}
