//! History of a file: getting its entries and appending one.
//!
//! # History
//!
//! The history of a file lists its processing steps. Entries are ordinary nodes; the path of their list depends on the
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

/// Gets the list of history entries, in the order in which they were appended.
///
/// @param file    the file
/// @param entries gets the sequence; NULL on failure. ASDF_ERR_NOT_FOUND if the file has no history
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_history(file: *const asdf_file, entries: *mut *mut asdf_node) -> asdf_status {
    guard_handle(entries, "entries", |caller| caller.handle(file, "file")?.history())
}

/// Appends an entry (core/history_entry) to the history of a file that is new or opened for update. From version 1.2.0
/// of the standard on, the list is `history/entries`; before, it is `history`. A list at the other path is moved,
/// unless that would lose `history/extensions`.
///
/// @param file              the file
/// @param description       text that describes the processing step
/// @param length            its length in bytes
/// @param time              date and time with offset, "2027-01-31T04:05:06Z"; ASDF_ERR_INVALID_ARGUMENT for any other
///                          form. NULL for the current time
/// @param software_name     name of the program, or NULL for none; then the three parameters below must be NULL, too
/// @param software_version  version of the program, which the standard requires: ASDF_ERR_INVALID_ARGUMENT if it is
///                          NULL and software_name is not
/// @param software_author   author of the program, or NULL
/// @param software_homepage URI of the program's homepage, or NULL
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
                    let message = "software needs both 'software_name' and 'software_version'; pass both or neither";
                    return Err(Error::new(Status::InvalidArgument, message));
                }
            };
            let time = caller.optional_text(time, "time")?;
            file.add_history(caller.string(description, length, "description")?, software, time)
        };
        // A failed entry is recorded with the file: a later write must not silently lack it.
        add().inspect_err(|error| file.note_failure(error))
    })
}
