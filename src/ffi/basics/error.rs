//! The last failure of each thread and its getters. Only asdf_error_clear() and failed calls change it.
//!
//! # Errors
//!
//! These functions return the details of the last call that failed on this thread. The details stay until another call
//! fails on the thread, or until asdf_error_clear(). A successful call does not change them, and neither do these
//! functions, even if they fail. Only asdf_error_print() looks at the last call: it prints nothing after a success. A
//! text that does not fit is cut to whole characters with a final NUL, and the function returns
//! ASDF_ERR_BUFFER_TOO_SMALL. A failure has the same fields as an entry of a report (see Reports).
//!
//! ```c
//! if (status != ASDF_OK) {
//!     char message[512];
//!     asdf_error_message(message, sizeof message, NULL);
//!     fprintf(stderr, "%s: %s\n", asdf_status_name(status), message);
//! }
//! ```

use super::report::{int_of, text_of};
use crate::error::{Error, Status};
use crate::ffi::boundary::arguments::unknown_number;
use crate::ffi::boundary::guard::{guard, guard_silently};
use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::thread::{clear_last_error, has_succeeded_since, with_last_error};
use crate::report::Entry;
use std::ffi::{CStr, c_char};
use std::io;

fn last_entry() -> Option<Entry> {
    with_last_error(|error| error.map(Entry::from))
}

/// Returns the status of the last failure of this thread.
///
/// @return ASDF_OK if there was none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_error_status() -> asdf_status {
    with_last_error(|error| error.map_or(ASDF_OK, |error| error.status().code()))
}

/// Gets the whole message of the last failure: the position, if known, and a sentence. It is meant for people; its
/// wording may change in any release.
///
/// @param buffer   gets the text, cut to the size of the buffer
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_message(buffer: *mut c_char, capacity: usize, needed: *mut usize) -> asdf_status {
    put_message(buffer, capacity, needed, Error::to_string)
}

/// Does the same as asdf_error_message() for languages that count from 1. Numbers of elements, rows and times count from
/// 1, and options are named without the constants of C.
///
/// @param buffer   gets the text, cut to the size of the buffer
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_message_from_one(
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    put_message(buffer, capacity, needed, Error::message_from_one)
}

/// Writes what `message` makes of the last failure; nothing if there was none.
fn put_message(
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
    message: impl FnOnce(&Error) -> String,
) -> asdf_status {
    guard_silently(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put_cut(&with_last_error(|error| error.map(message)).unwrap_or_default())
    })
}

/// Prints the message of the last failure to standard error as one line, as perror() does: "PREFIX: MESSAGE". Prints
/// nothing if no call failed, or if a call on this thread has succeeded since then: the failure may have been dealt
/// with. Functions that free or close something do not count, so that a program can clean up first.
///
/// @param prefix text before the message, such as the name of the program; may be NULL for none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_print(prefix: *const c_char) {
    let message = if has_succeeded_since() { None } else { with_last_error(|error| error.map(Error::to_string)) };
    let Some(message) = message else { return };
    let mut line = Vec::new();
    if !prefix.is_null() {
        // SAFETY: the caller passes NULL or a string that ends in NUL.
        line.extend_from_slice(unsafe { CStr::from_ptr(prefix) }.to_bytes());
        line.extend_from_slice(b": ");
    }
    line.extend_from_slice(message.as_bytes());
    line.push(b'\n');
    // Written directly to the descriptor: after a fork, a thread that the child does not have could hold the stream's
    // lock.
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
/// Every failure has ASDF_REPORT_SEVERITY and ASDF_REPORT_KIND. If known, it also has ASDF_REPORT_OFFSET,
/// ASDF_REPORT_LINE, ASDF_REPORT_COLUMN and ASDF_REPORT_OS_NUMBER.
///
/// @param field one of the integer fields ASDF_REPORT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param value gets the value; -1 if the failure does not have the field, or if no call failed
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
/// Every failure has ASDF_REPORT_ENTRY, ASDF_REPORT_MESSAGE and ASDF_REPORT_CODE (the name of its status without
/// "ASDF_ERR_"). If known, it also has ASDF_REPORT_PATH, ASDF_REPORT_FILE and ASDF_REPORT_SUBJECT (the column of a
/// table). A field that the failure does not have is returned as an empty text, so that error handlers do not fail;
/// asdf_report_text() returns ASDF_ERR_NOT_FOUND instead.
///
/// @param field    one of the text fields ASDF_REPORT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param buffer   gets the text, cut to the size of the buffer
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Makes a failure of the program the last one of this thread, so that one place of it reports all failures: the other
/// functions of this group then return its status and message, and no other details.
///
/// @param status  one of ASDF_ERR_...; ASDF_ERR_INVALID_ARGUMENT for ASDF_OK and any other number
/// @param message sentence in UTF-8
/// @param length  its length in bytes
/// @return the status, so that a function of the program can end with this call
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_error_set(status: asdf_status, message: *const c_char, length: usize) -> asdf_status {
    guard(|caller| {
        let message = caller.string(message, length, "message")?;
        let known = Status::from_code(status).ok_or_else(|| unknown_number("ASDF_ERR_", status))?;
        Err(Error::new(known, message))
    })
}

/// Clears the last failure of this thread.
///
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_error_clear() {
    clear_last_error();
}
