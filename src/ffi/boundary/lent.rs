//! Memory that the program lends for longer than a call.
//!
//! # Lent memory
//!
//! Two functions borrow memory for longer than the call: asdf_file_open_borrowed() and asdf_node_set_array_borrowed()
//! (with its variant for any datatype). They call asdf_release_callback when they no longer need the memory.

use crate::process::Process;
use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, Ordering};

/// Returns lent memory to the program. It is called once, inside the call that ends the last use of the memory, on the
/// thread of that call:
///
/// - the _free function of the last file, node, array, table or view that uses the memory
/// - asdf_file_close(), if no view is left
/// - the call that writes or saves the file after its array was replaced or removed
///
/// It must not throw, longjmp or use the file (see Callbacks above). It is never called in a forked child of the
/// process that lent the memory.
///
/// @param user pointer given with the callback
pub type asdf_release_callback = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// Memory that the program keeps valid and unchanged until its last user is freed.
pub(super) struct LentBytes {
    bytes: &'static [u8],
    release: asdf_release_callback,
    user: *mut c_void,
    /// Set once the library is responsible for the release.
    owned: AtomicBool,
    /// Process that may release the memory; a forked child must not.
    process: Process,
}

// SAFETY: the bytes do not change, and the header asks of the callback that it can be called on any thread.
unsafe impl Send for LentBytes {}
// SAFETY: as above.
unsafe impl Sync for LentBytes {}

impl LentBytes {
    /// Keeps bytes beyond the call that passed them.
    ///
    /// # Safety
    /// The caller of the C function guarantees that the bytes stay valid and unchanged until they are released.
    pub(super) unsafe fn new(bytes: &[u8], release: asdf_release_callback, user: *mut c_void) -> LentBytes {
        // SAFETY: as this function asks.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) };
        LentBytes { bytes, release, user, owned: AtomicBool::new(false), process: Process::current() }
    }

    /// Makes the library responsible: the bytes are released after their last use.
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
