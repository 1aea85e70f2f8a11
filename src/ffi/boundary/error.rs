//! The last failure of each thread, and the functions that ask for it. None of them changes it.
//!
//! # Errors
//!
//! The details of the last call that failed on this thread. They stay until another call fails on it or
//! asdf_error_clear() is called; a call that succeeds leaves them. These functions do not change them either. Where a
//! text does not fit they write as many characters as do and a final NUL, and answer ASDF_ERR_BUFFER_TOO_SMALL.
//!
//! ```c
//! if (status != ASDF_OK) {
//!     char message[512];
//!     asdf_error_message(message, sizeof message, NULL);
//!     fprintf(stderr, "%s: %s\n", asdf_status_name(status), message);
//! }
//! ```

use super::guard::guard_silently;
use super::status::{ASDF_OK, asdf_status};
use crate::error::Error;
use std::cell::RefCell;
use std::ffi::c_char;

thread_local! {
    static LAST: RefCell<Option<Error>> = const { RefCell::new(None) };
}

/// Keeps an error as the last one of the thread.
pub(super) fn remember(error: Error) -> asdf_status {
    let code = error.status().code();
    // While a thread ends its variables are gone, and nobody can ask for the details any more.
    let _ = LAST.try_with(|last| last.replace(Some(error)));
    code
}

/// Shows the last error of the thread.
pub(crate) fn with_last<T>(show: impl FnOnce(Option<&Error>) -> T) -> T {
    let last = LAST.try_with(|last| last.take()).ok().flatten();
    let shown = show(last.as_ref());
    let _ = LAST.try_with(|kept| kept.replace(last));
    shown
}

/// Writes a text of the last error, or the empty one.
fn put_text(
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    text: impl FnOnce(&Error) -> Option<String>,
) -> asdf_status {
    guard_silently(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put_cut(&with_last(|error| error.and_then(text)).unwrap_or_default())
    })
}

/// The status of the last failure of this thread.
///
/// @return ASDF_OK if there was none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_error_status() -> asdf_status {
    with_last(|error| error.map_or(ASDF_OK, |error| error.status().code()))
}

/// The whole message of the last failure: its place, as far as it is known, and a sentence. For people; its wording may
/// change in any release.
///
/// @param buffer   gets the text; as much of it as fits
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the whole text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_message(buffer: *mut c_char, capacity: usize, needed: *mut usize) -> asdf_status {
    put_text(buffer, capacity, needed, |error| Some(error.to_string()))
}

/// The sentence of the last failure without its place.
///
/// @param buffer   gets the text; as much of it as fits
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the whole text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_text(buffer: *mut c_char, capacity: usize, needed: *mut usize) -> asdf_status {
    put_text(buffer, capacity, needed, |error| Some(error.message().to_owned()))
}

/// The name of the file that the last failure is about; empty if it is about none or the file has no name.
///
/// @param buffer   gets the text; as much of it as fits
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the whole text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_file_name(buffer: *mut c_char, capacity: usize, needed: *mut usize) -> asdf_status {
    put_text(buffer, capacity, needed, |error| error.location().file.as_deref().map(str::to_owned))
}

/// The path, from the root, of the node that the last failure is about; empty if it is about none, or about the root.
///
/// @param buffer   gets the text; as much of it as fits
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the whole text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_path(buffer: *mut c_char, capacity: usize, needed: *mut usize) -> asdf_status {
    put_text(buffer, capacity, needed, |error| error.location().path.clone())
}

/// The name of the column of a table that the last failure is about; empty if it is about none.
///
/// @param buffer   gets the text; as much of it as fits
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the whole text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_table_column(
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_text(buffer, capacity, needed, |error| error.location().table_column.clone())
}

/// Where in its file the last failure is.
///
/// @param offset gets the offset in bytes from the start of the file, -1 if not known; may be NULL
/// @param line   gets the line of the file from 1, -1 if not known; may be NULL
/// @param column gets the column in characters from 1, -1 if not known; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_position(offset: *mut i64, line: *mut i64, column: *mut i64) -> asdf_status {
    guard_silently(|caller| {
        let location = with_last(|error| error.map(|error| error.location().clone())).unwrap_or_default();
        caller.put_position(&location, offset, line, column);
        Ok(())
    })
}

/// The error number of the operating system (errno) behind the last failure.
///
/// @return 0 if the system did not report it
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_error_os_number() -> i32 {
    with_last(|error| error.and_then(Error::os_error).unwrap_or(0))
}

/// Forgets the last failure of this thread.
///
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_error_clear() {
    let _ = LAST.try_with(|last| last.take());
}
