//! Memory that the program lends for longer than a call.

use super::caller::Caller;
use crate::error::{Error, Result, Status};
use std::ffi::c_void;

/// Memory that the program keeps valid and unchanged until all that uses it is freed.
pub(super) struct LentBytes(&'static [u8]);

impl LentBytes {
    /// Remembers bytes beyond the call that they were an argument of.
    ///
    /// # Safety
    /// The program promised by an option that the bytes stay valid and unchanged.
    pub(super) unsafe fn new(bytes: &[u8]) -> LentBytes {
        // SAFETY: as this function asks.
        LentBytes(unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) })
    }
}

impl AsRef<[u8]> for LentBytes {
    fn as_ref(&self) -> &[u8] {
        self.0
    }
}

/// Memory of the program that reads write a mask to, for as long as the options that name it are used.
#[derive(Clone, Copy)]
pub(crate) struct LentMask {
    pub(crate) mask: *mut u8,
    pub(crate) capacity: usize,
}

// SAFETY: the header asks of the program that it does not read with these options on two threads at once.
unsafe impl Send for LentMask {}
// SAFETY: as above; the options are only copied otherwise.
unsafe impl Sync for LentMask {}

impl LentMask {
    /// The memory, which must not be part of the buffer that elements are read into in the same call.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn beside<'a>(
        &self,
        caller: &'a Caller,
        buffer: *const c_void,
        capacity: usize,
    ) -> Result<&'a mut [u8]> {
        let ends_before = |from: usize, size: usize, other: usize| from.saturating_add(size) <= other;
        let (mask, buffer) = (self.mask.addr(), buffer.addr());
        if !ends_before(mask, self.capacity, buffer) && !ends_before(buffer, capacity, mask) {
            return Err(Error::new(Status::InvalidArgument, "the mask and the elements share memory"));
        }
        caller.buffer(self.mask.cast(), self.capacity, "mask")
    }
}
