//! The history of a file: finding its entries, and appending one.
//!
//! # History
//!
//! A file may tell what was done to it. Entries are nodes like any other; only the place of their list depends on the
//! version of the standard.
//!
//! ```c
//! asdf_node *entries = NULL;
//! int64_t count = 0;
//! char text[200];
//! asdf_file_add_history(file, "flat field divided", 18, NULL, "pipeline", "2.1", NULL, NULL);
//! if (asdf_file_history(file, &entries) == ASDF_OK) {
//!     asdf_node_count(entries, "", &count);
//!     asdf_node_get_string(entries, "0/description", text, sizeof text, NULL);
//!     asdf_node_free(entries);
//! }
//! ```

use crate::error::{Error, Status};
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_node};
use crate::file::Software;
use std::ffi::c_char;

/// Gives the list of the history's entries, in the order in which they were appended.
///
/// @param file    the file
/// @param entries gets the sequence; NULL on failure. A file that tells nothing is ASDF_ERR_NOT_FOUND
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_history(file: *const asdf_file, entries: *mut *mut asdf_node) -> asdf_status {
    guard_handle(entries, "entries", |caller| caller.handle(file, "file")?.history())
}

/// Appends an entry to the history of a file that is new or was opened for update (core/history_entry), where the
/// version of the standard wants it: from 1.2.0 on in the list `history/entries`, before in the list `history`. A list
/// at the other place moves, unless it would have to leave `history/extensions` behind.
///
/// @param file              the file
/// @param description       what was done
/// @param length            its length in bytes
/// @param time              when it was done: a date with time and offset, "2027-01-31T04:05:06Z"; anything else is
///                          ASDF_ERR_INVALID_ARGUMENT. NULL for now
/// @param software_name     which program did it, or NULL to leave that open; then the three below are NULL, too
/// @param software_version  its version, which the standard wants with the name: NULL is ASDF_ERR_INVALID_ARGUMENT
/// @param software_author   who made it, or NULL
/// @param software_homepage a URI where it is found, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_add_history(
    file: *mut asdf_file,
    description: *const c_char,
    length: usize,
    time: *const c_char,
    software_name: *const c_char,
    software_version: *const c_char,
    software_author: *const c_char,
    software_homepage: *const c_char,
) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        let add = || {
            let name = caller.optional_text(software_name, "software_name")?;
            let version = caller.optional_text(software_version, "software_version")?;
            let author = caller.optional_text(software_author, "software_author")?;
            let homepage = caller.optional_text(software_homepage, "software_homepage")?;
            let software = match (name, version) {
                (Some(name), Some(version)) => Some(Software { name, version, author, homepage }),
                (None, None) if author.is_none() && homepage.is_none() => None,
                _ => {
                    let message = "software has a name and a version";
                    return Err(Error::new(Status::InvalidArgument, message));
                }
            };
            let time = caller.optional_text(time, "time")?;
            file.add_history(caller.string(description, length, "description")?, software, time)
        };
        // What was to be told must not be missing without anybody noticing.
        add().inspect_err(|error| file.note_failure(error))
    })
}
