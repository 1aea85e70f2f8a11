//! Decoding of a whole zlib stream in memory: twice as fast as in pieces.
//!
//! The C library libdeflate decodes the stream. It checks its input but reports no reason for a failure. The decoder
//! that works in pieces then finds the error.

#![allow(unsafe_code)]

use libdeflate_sys as library;
use std::ptr::{NonNull, null_mut};

struct Decompressor(NonNull<library::libdeflate_decompressor>);

impl Decompressor {
    fn new() -> Option<Decompressor> {
        // SAFETY: the function has no preconditions.
        NonNull::new(unsafe { library::libdeflate_alloc_decompressor() }).map(Decompressor)
    }
}

impl Drop for Decompressor {
    fn drop(&mut self) {
        // SAFETY: the decompressor was allocated by `new` and is freed only here.
        unsafe { library::libdeflate_free_decompressor(self.0.as_ptr()) };
    }
}

/// Decodes the zlib stream at the start of `stored` into `output`, which it must fill. Returns the number of stored
/// bytes used, or `None` if the stream is invalid or there is no memory for a decompressor.
pub(super) fn inflate(stored: &[u8], output: &mut [u8]) -> Option<usize> {
    let decompressor = Decompressor::new()?;
    let mut taken = 0;
    // SAFETY: both slices are passed with their lengths, and the library does not access bytes beyond these. Without a
    // pointer for the number of bytes written, it succeeds only if it fills `output`.
    let result = unsafe {
        library::libdeflate_zlib_decompress_ex(
            decompressor.0.as_ptr(),
            stored.as_ptr().cast(),
            stored.len(),
            output.as_mut_ptr().cast(),
            output.len(),
            &mut taken,
            null_mut(),
        )
    };
    (result == library::libdeflate_result_LIBDEFLATE_SUCCESS).then_some(taken)
}
