//! History of a file: its entries, the programs and the extensions that took part.
//!
//! # History
//!
//! The history of a file lists its processing steps and the extensions that it was written with. Entries are ordinary
//! nodes; the path of their list depends on the version of the standard. asdf_node_get_time() reads the time of an
//! entry, and asdf_node_get_software() its programs.
//!
//! ```c
//! asdf_node *entries = NULL;
//! int64_t count = 0;
//! char text[200];
//! asdf_file_add_history(file, "flat field divided", 18, NULL, "pipeline", "2.1", NULL, NULL);
//! if (asdf_file_history(file, &entries) == ASDF_OK) {
//!     asdf_node_count(entries, "", &count);
//!     asdf_node_get_string(entries, "0/description", text, sizeof text, NULL);
//!     asdf_node_get_software(entries, "0/software", 0, ASDF_SOFTWARE_VERSION, text, sizeof text, NULL);
//!     asdf_node_free(entries);
//! }
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_node};
use crate::file::Software;
use crate::standard::Extension;
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
            let texts = [software_name, software_version, software_author, software_homepage];
            let software = optional_software(caller, texts)?;
            let time = caller.optional_text(time, "time")?;
            file.add_history(caller.string(description, length, "description")?, software, time)
        };
        // A failed entry is recorded with the file: a later write must not silently lack it.
        add().inspect_err(|error| file.note_failure(error))
    })
}

/// Gets the list of the extensions that a file was written with. Each is a core/extension_metadata with the keys
/// `extension_class`, and possibly `extension_uri`, `software`, `manifest_software` and others.
///
/// @param file       the file
/// @param extensions gets the sequence; NULL on failure. ASDF_ERR_NOT_FOUND if the file lists none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_extensions(file: *const asdf_file, extensions: *mut *mut asdf_node) -> asdf_status {
    guard_handle(extensions, "extensions", |caller| caller.handle(file, "file")?.extensions())
}

/// Records an extension in the history of a file that is new or opened for update, as a core/extension_metadata. An
/// entry with the same URI, or without one with the same class, is replaced. ASDF_ERR_UNSUPPORTED in files of the
/// standards 1.0.0 and 1.1.0, which have no extensions.
///
/// @param file             the file
/// @param class_name       name of the class or of the code that implements the extension
/// @param uri              URI of the extension, or NULL
/// @param software_name    name of the package that implements it, or NULL for none
/// @param software_version version of the package; ASDF_ERR_INVALID_ARGUMENT unless both or none are NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_file_add_extension(
    file: *mut asdf_file,
    class_name: *const c_char,
    uri: *const c_char,
    software_name: *const c_char,
    software_version: *const c_char,
) -> asdf_status {
    guard(|caller| {
        let file = caller.handle(file, "file")?;
        let add = || {
            let class = caller.text(class_name, "class_name")?;
            let uri = caller.optional_text(uri, "uri")?;
            let null = std::ptr::null();
            let software = optional_software(caller, [software_name, software_version, null, null])?;
            Extension { class, uri, software }.add_to(file)
        };
        add().inspect_err(|error| file.note_failure(error))
    })
}

/// Returns a program from its name, version, author and homepage. Name and version are given together or not at all.
fn optional_software<'a>(caller: &'a Caller, texts: [*const c_char; 4]) -> Result<Option<Software<'a>>> {
    let [name, version, author, homepage] = texts;
    let name = caller.optional_text(name, "software_name")?;
    let version = caller.optional_text(version, "software_version")?;
    let author = caller.optional_text(author, "software_author")?;
    let homepage = caller.optional_text(homepage, "software_homepage")?;
    match (name, version) {
        (Some(name), Some(version)) => Ok(Some(Software { name, version, author, homepage })),
        (None, None) if author.is_none() && homepage.is_none() => Ok(None),
        _ => {
            let message = "software needs both 'software_name' and 'software_version'; pass both or neither";
            Err(Error::new(Status::InvalidArgument, message))
        }
    }
}
