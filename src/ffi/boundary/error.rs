//! The last failure of each thread, and the functions that ask for it. None of them changes it but asdf_error_clear().
//!
//! # Errors
//!
//! The details of the last call that failed on this thread. They stay until another call fails on it or
//! asdf_error_clear() is called; a call that succeeds leaves them. These functions do not change them either, even if
//! they fail. Where a text does not fit they write as many characters as do and a final NUL, and return
//! ASDF_ERR_BUFFER_TOO_SMALL. The fields of a failure are those of a report (see Reports).
//!
//! ```c
//! if (status != ASDF_OK) {
//!     char message[512];
//!     asdf_error_message(message, sizeof message, NULL);
//!     fprintf(stderr, "%s: %s\n", asdf_status_name(status), message);
//! }
//! ```

use super::guard::guard_silently;
use super::report::{int_of, text_of};
use super::status::{ASDF_OK, asdf_status};
use crate::error::Error;
use crate::report::Entry;
use std::cell::RefCell;
use std::ffi::{CStr, c_char};
use std::io;

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

/// The last error of the thread as an entry.
fn last_entry() -> Option<Entry> {
    with_last(|error| error.map(Entry::from))
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
    guard_silently(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put_cut(&with_last(|error| error.map(Error::to_string)).unwrap_or_default())
    })
}

/// Prints the message of the last failure on a line of standard error, as perror() does: "PREFIX: MESSAGE". It prints
/// nothing where no call failed.
///
/// @param prefix what stands before the message, such as the name of the program; may be NULL for none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_print(prefix: *const c_char) {
    let Some(message) = with_last(|error| error.map(Error::to_string)) else { return };
    let mut line = Vec::new();
    if !prefix.is_null() {
        // SAFETY: the caller passes NULL or a string that ends in NUL.
        line.extend_from_slice(unsafe { CStr::from_ptr(prefix) }.to_bytes());
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(message.as_bytes());
    line.push(b'\n');
    // Straight to the descriptor: a lock of the stream could be held by a thread that the child of a fork does not have.
    let mut rest = line.as_slice();
    while !rest.is_empty() {
        // SAFETY: the bytes are those of the slice.
        let written = unsafe { libc::write(libc::STDERR_FILENO, rest.as_ptr().cast(), rest.len() as _) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => rest = &rest[written..],
            Err(_) if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            _ => return,
        }
    }
}

/// Gets an integer field of the last failure.
///
/// A failure has ASDF_REPORT_SEVERITY, ASDF_REPORT_KIND and, as far as they are known, ASDF_REPORT_OFFSET,
/// ASDF_REPORT_LINE, ASDF_REPORT_COLUMN and ASDF_REPORT_OS_NUMBER.
///
/// @param field one of the integer fields ASDF_REPORT_...; other numbers are ASDF_ERR_INVALID_ARGUMENT
/// @param value gets the value, -1 if the failure does not have it, or if there was none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_int(field: i32, value: *mut i64) -> asdf_status {
    guard_silently(|caller| {
        let value = caller.out(value, "value")?;
        value.put(int_of(last_entry().as_ref(), field)?);
        Ok(())
    })
}

/// Gets a text field of the last failure.
///
/// A failure has ASDF_REPORT_TEXT, ASDF_REPORT_MESSAGE, ASDF_REPORT_CODE (the name of its status without "ASDF_ERR_")
/// and, as far as they are known, ASDF_REPORT_PATH, ASDF_REPORT_FILE and ASDF_REPORT_SUBJECT (the column of a table). A
/// text that it does not have is empty, because an error handler must not fail; asdf_report_text() fails there.
///
/// @param field    one of the text fields ASDF_REPORT_...; other numbers are ASDF_ERR_INVALID_ARGUMENT
/// @param buffer   gets the text; as much of it as fits
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the whole text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_text(
    field: i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard_silently(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put_cut(text_of(last_entry().as_ref(), field)?.1.unwrap_or_default())
    })
}

/// Forgets the last failure of this thread.
///
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_error_clear() {
    let _ = LAST.try_with(|last| last.take());
}
