//! Memory to read into: asked to come in huge pages, and touched before anything is measured.

use std::ops::{Deref, DerefMut};

/// Zeroed bytes that are there already; they stay until the process ends.
pub struct Buffer(&'static mut [u8]);

impl Buffer {
    /// Bytes of this many; the process ends if there are not so many.
    pub fn new(size: usize) -> Buffer {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS);
        // SAFETY: a fresh anonymous mapping of this size, which nobody else knows and nobody unmaps.
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
