//! Storage directives of descriptions.
//!
//! # Storage in descriptions
//!
//! How values are kept in a file, in the words of the description.
//!
//! ```c
//! char chunk[256];
//! asdf_ndl_storage(description, "/site/wind", NULL, "chunk", chunk, sizeof chunk, NULL);   // [512, 3]
//! ```

use super::walk::{Subject, not_found};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_ndl;
use std::ffi::c_char;

/// A storage directive, in the notation of the language: "[512, 3]", "[shuffle, {deflate: {level: 5}}]", "little",
/// "-9999.0".
///
/// @param ndl       the description
/// @param path      the path name; one that nothing suitable has is ASDF_ERR_NOT_FOUND
/// @param attribute the name of an attribute, or NULL
/// @param directive "shape" or "size" (of what is stored), "chunk", "filter", "endian", "charset" or "fillvalue";
///                  another word is ASDF_ERR_INVALID_ARGUMENT, one that is not given ASDF_ERR_NOT_FOUND
/// @param buffer    gets the text
/// @param capacity  bytes of the buffer
/// @param needed    gets the length of the text; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ndl_storage(
    ndl: *const asdf_ndl,
    path: *const c_char,
    attribute: *const c_char,
    directive: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let directive = caller.text(directive, "directive")?;
        let subject = Subject::find(caller, ndl, path, attribute)?;
        let text = subject.storage.directive(directive, subject.datatype)?;
        out.put(&text.ok_or_else(|| not_found("this storage directive"))?)
    })
}
