//! zlib streams decoded at once, from memory into memory: twice as fast as piece by piece.
//!
//! The C library libdeflate does it. It takes no input on trust, but says of bad ones only that they are; what is wrong
//! with them is for the decoder that goes piece by piece to tell.

#![allow(unsafe_code)]

use libdeflate_sys as library;
use std::ptr::{NonNull, null_mut};

struct Decompressor(NonNull<library::libdeflate_decompressor>);

impl Decompressor {
    fn new() -> Option<Decompressor> {
        // SAFETY: needs nothing.
        NonNull::new(unsafe { library::libdeflate_alloc_decompressor() }).map(Decompressor)
    }
}

impl Drop for Decompressor {
    fn drop(&mut self) {
        // SAFETY: it was allocated by `new`, and this is the only time that it is freed.
        unsafe { library::libdeflate_free_decompressor(self.0.as_ptr()) };
    }
}

/// Decodes the zlib stream at the start of `stored` into `output`, which it must fill, and tells how many bytes it took;
/// nothing if there is anything wrong with it, or no memory for a decoder.
pub(super) fn inflate(stored: &[u8], output: &mut [u8]) -> Option<usize> {
    let decompressor = Decompressor::new()?;
    let mut taken = 0;
    // SAFETY: both slices are given with their lengths, beyond which the library neither reads nor writes. Without a
    // place for the number of bytes it gave, it succeeds only if it gave as many as there is room for.
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
