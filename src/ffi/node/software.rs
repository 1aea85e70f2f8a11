//! Programs that a tree names: the library that wrote a file, those of history entries and extensions, and others.
//!
//! # Programs
//!
//! A `core/software` tells name, version, author and homepage of a program. A file has the library that wrote it under
//! `asdf_library`; entries of the history have one program or a list of them under `software`.
//!
//! ```c
//! char version[40];
//! asdf_node_get_software(root, "asdf_library", 0, ASDF_SOFTWARE_VERSION, version, sizeof version, NULL);
//! asdf_node_set_software(root, "pipeline", "reduce", "2.1", NULL, "https://example.org");
//! ```

use super::write::set;
use crate::ffi::boundary::arguments::{element, unknown_number};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_node;
use crate::file::Software;
use crate::standard::SoftwareEntry;
use std::ffi::c_char;

/// Name of a program.
pub const ASDF_SOFTWARE_NAME: i32 = 0;
/// Version of a program.
pub const ASDF_SOFTWARE_VERSION: i32 = 1;
/// Author of a program.
pub const ASDF_SOFTWARE_AUTHOR: i32 = 2;
/// Homepage of a program, as a URI.
pub const ASDF_SOFTWARE_HOMEPAGE: i32 = 3;

/// Gets the number of programs at a path: 1 for a core/software, more for a list of them.
///
/// @param node  node that the path starts from
/// @param path  the path; ASDF_ERR_WRONG_TYPE if the node does not name programs
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_software_count(
    node: *const asdf_node,
    path: *const c_char,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        let entries = SoftwareEntry::read(caller.handle(node, "node")?, caller.text(path, "path")?)?;
        count.put_number(entries.len() as u64);
        Ok(())
    })
}

/// Gets a part of the description of a program: a core/software, also without its tag, or one of a list of them.
///
/// @param node     node that the path starts from
/// @param path     the path; ASDF_ERR_WRONG_TYPE if the node does not name programs
/// @param index    number of the program, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param part     an ASDF_SOFTWARE_ constant
/// @param buffer   gets the text; empty if the file does not tell
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_software(
    node: *const asdf_node,
    path: *const c_char,
    index: i64,
    part: i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let entries = SoftwareEntry::read(caller.handle(node, "node")?, caller.text(path, "path")?)?;
        let entry = element(&entries, index, "program")?;
        out.put(match part {
            ASDF_SOFTWARE_NAME => &entry.name,
            ASDF_SOFTWARE_VERSION => &entry.version,
            ASDF_SOFTWARE_AUTHOR => &entry.author,
            ASDF_SOFTWARE_HOMEPAGE => &entry.homepage,
            _ => return Err(unknown_number("ASDF_SOFTWARE_", part)),
        })
    })
}

/// Sets the description of a program, a core/software.
///
/// @param node              node that the path starts from
/// @param path              the path
/// @param software_name     name of the program
/// @param software_version  version of the program
/// @param software_author   author of the program, or NULL
/// @param software_homepage URI of the program's homepage, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_software(
    node: *mut asdf_node,
    path: *const c_char,
    software_name: *const c_char,
    software_version: *const c_char,
    software_author: *const c_char,
    software_homepage: *const c_char,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let software = Software {
            name: caller.text(software_name, "software_name")?,
            version: caller.text(software_version, "software_version")?,
            author: caller.optional_text(software_author, "software_author")?,
            homepage: caller.optional_text(software_homepage, "software_homepage")?,
        };
        SoftwareEntry::set(node, path, &software)
    })
}
