//! Memory and callbacks that the program lends for longer than a call.
//!
//! # Lent memory
//!
//! Two functions borrow memory for longer than the call: asdf_file_open_borrowed() and asdf_node_set_array_borrowed().
//! They call asdf_release_callback when they no longer need the memory.

use super::float_environment::as_caller;
use super::status::{ASDF_OK, asdf_status};
use super::thread::keep_unreturned_error;
use crate::error::{Error, Status};
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

/// Callback that returns lent data to the program.
pub(crate) enum Release {
    /// A callback without a result.
    Silent(asdf_release_callback),
    /// A callback whose result is ignored.
    Ignored(Option<unsafe extern "C" fn(user: *mut c_void) -> asdf_status>),
    /// A callback whose failure is stored for the call that frees the last user.
    Reported(Option<unsafe extern "C" fn(user: *mut c_void) -> asdf_status>),
}

/// The `user` of callbacks that the program lends. Its last owner releases it once, in the process that got it.
///
/// A call that fails must release nothing. So nothing is released before the call that borrows calls
/// [`own`](Lent::own).
pub(crate) struct Lent {
    user: *mut c_void,
    release: Release,
    /// Set once the library is responsible for the release.
    owned: AtomicBool,
    /// Process that may release the data; a forked child must not.
    process: Process,
}

// SAFETY: the header asks of callbacks that they can be called on any thread that uses what holds them, and of the
// program that it does not use that on two threads at once if the callbacks cannot stand it.
unsafe impl Send for Lent {}
// SAFETY: as above.
unsafe impl Sync for Lent {}

impl Lent {
    pub(crate) fn new(user: *mut c_void, release: Release) -> Lent {
        Lent { user, release, owned: AtomicBool::new(false), process: Process::current() }
    }

    /// The argument of the callbacks.
    pub(crate) fn user(&self) -> *mut c_void {
        self.user
    }

    /// Makes the library responsible: the data is released after its last use.
    pub(crate) fn own(&self) {
        self.owned.store(true, Ordering::Release);
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        if !self.owned.load(Ordering::Acquire) || !self.process.is_current() {
            return;
        }
        // SAFETY: the program gave the callback with this `user`, and nothing else calls it.
        let status = as_caller(|| unsafe {
            match self.release {
                Release::Silent(Some(release)) => {
                    release(self.user);
                    ASDF_OK
                }
                Release::Ignored(Some(close)) | Release::Reported(Some(close)) => close(self.user),
                Release::Silent(None) | Release::Ignored(None) | Release::Reported(None) => ASDF_OK,
            }
        });
        if status != ASDF_OK && matches!(self.release, Release::Reported(_)) {
            let message = format!("the close callback returned {status}");
            keep_unreturned_error(Error::new(Status::Callback, message));
        }
    }
}

/// Memory that the program keeps valid and unchanged until its last user is freed.
pub(super) struct LentBytes {
    bytes: &'static [u8],
    lent: Lent,
}

impl LentBytes {
    /// Keeps bytes beyond the call that passed them.
    ///
    /// # Safety
    /// The caller of the C function guarantees that the bytes stay valid and unchanged until they are released.
    pub(super) unsafe fn new(bytes: &[u8], release: asdf_release_callback, user: *mut c_void) -> LentBytes {
        // SAFETY: as this function asks.
        let bytes = unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) };
        LentBytes { bytes, lent: Lent::new(user, Release::Silent(release)) }
    }

    /// Makes the library responsible: the bytes are released after their last use.
    pub(super) fn own(&self) {
        self.lent.own();
    }
}

impl AsRef<[u8]> for LentBytes {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}
