//! The functions of the core that this library calls, as `asdf.h` declares them.

use std::ffi::{c_char, c_void};

/// Status number of the core.
pub(crate) type Status = i32;

/// Reads ranges of a source: `asdf_read_ranges_callback`.
pub(crate) type ReadRanges =
    unsafe extern "C" fn(*mut c_void, usize, *const i64, *const usize, *const *mut c_void) -> Status;

/// Releases what a callback uses: `asdf_close_callback`.
pub(crate) type Close = unsafe extern "C" fn(*mut c_void) -> Status;

/// A handle of the core, whose content only the core knows.
pub(crate) type Handle = *mut c_void;

asdfkit_loader::core_functions! {
    asdf_error_set(Status, *const c_char, usize) -> Status;
    asdf_options_get_text(Handle, i32, i64, *mut c_char, usize, *mut usize) -> Status;
    asdf_file_open_ranges(
        ReadRanges, Option<Close>, *mut c_void, i64, i64, *const c_char, Handle, *mut Handle
    ) -> Status;
}
