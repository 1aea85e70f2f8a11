//! Memory to read into: with huge pages if possible, and touched before the measurement.

use std::ops::{Deref, DerefMut};

/// Zeroed bytes in physical memory. They are never freed.
pub struct Buffer(&'static mut [u8]);

impl Buffer {
    /// Allocates `size` bytes. Ends the process if there is not enough memory.
    pub fn new(size: usize) -> Buffer {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a new anonymous mapping of this size, without other users, that is never unmapped.
        let bytes = unsafe {
            let address = libc::mmap(std::ptr::null_mut(), size, access, kind, -1, 0);
            assert_ne!(address, libc::MAP_FAILED, "no memory for {size} bytes");
            libc::madvise(address, size, libc::MADV_HUGEPAGE);
            std::slice::from_raw_parts_mut(address.cast::<u8>(), size)
        };
        bytes.fill(0);
        Buffer(bytes)
    }
}

impl Deref for Buffer {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.0
    }
}

impl DerefMut for Buffer {
    fn deref_mut(&mut self) -> &mut [u8] {
        self.0
    }
}
