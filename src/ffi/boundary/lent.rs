//! Memory that the program lends for longer than a call.
//!
//! # Lent memory
//!
//! Two functions borrow memory for longer than the call: asdf_file_open_borrowed() and asdf_node_set_array_borrowed()
//! with its twin for any datatype. A callback tells when the memory is free again.

use crate::process::Process;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

/// Gives memory back that was lent. It is called once, on the thread of the call after which nothing uses the memory:
/// the _free function of the last file, node, array, table or view that did, asdf_file_close() if no view is left, or
/// the call that writes or saves the file after its array was replaced or removed. It must not throw, longjmp or use the
/// file (see Callbacks above). In a child of the process that lent the memory it is never called.
///
/// @param user what was given with the callback
pub type asdf_release_callback = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// Memory that the program keeps valid and unchanged until all that uses it is freed.
pub(super) struct LentBytes {
    bytes: &'static [u8],
    release: asdf_release_callback,
    user: *mut c_void,
    /// Whether the program gave the memory up to be released.
    owned: AtomicBool,
    /// The only one that releases it.
    process: Process,
}

// SAFETY: the bytes do not change, and the header asks of the callback that it can be called on any thread.
unsafe impl Send for LentBytes {}
// SAFETY: as above.
unsafe impl Sync for LentBytes {}

impl LentBytes {
    /// Remembers bytes beyond the call that they were an argument of.
    ///
    /// # Safety
    /// The program promised by the call that the bytes stay valid and unchanged until they are released.
    pub(super) unsafe fn new(bytes: &[u8], release: asdf_release_callback, user: *mut c_void) -> LentBytes {
        // SAFETY: as this function asks.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) };
        LentBytes { bytes, release, user, owned: AtomicBool::new(false), process: Process::current() }
    }

    /// From now on the bytes are released when nobody uses them any more.
    pub(super) fn own(&self) {
        self.owned.store(true, Ordering::Release);
    }
}

impl AsRef<[u8]> for LentBytes {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

impl Drop for LentBytes {
    fn drop(&mut self) {
        if let (Some(release), true) = (self.release, self.owned.load(Ordering::Acquire) && self.process.is_current()) {
            // SAFETY: the program gave the callback with this `user`, and this is the only time that it is called.
            unsafe { release(self.user) };
        }
    }
}
