//! Storage directives of descriptions.
//!
//! # Storage in descriptions
//!
//! Storage directives describe how values are stored in a file. They are returned in NDL notation.
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

/// Gets a storage directive, in NDL notation: "[512, 3]", "[shuffle, {deflate: {level: 5}}]", "little", "-9999.0".
///
/// @param ndl       the description
/// @param path      path name; ASDF_ERR_NOT_FOUND if it does not exist
/// @param attribute name of the attribute, or NULL for the object itself
/// @param directive "shape" or "size" (stored extents), "chunk", "filter", "endian", "charset" or "fillvalue";
///                  ASDF_ERR_INVALID_ARGUMENT for any other word; ASDF_ERR_NOT_FOUND if the description does not have
///                  the directive
/// @param buffer    gets the text
/// @param capacity  size of the buffer in bytes
/// @param needed    gets its length in bytes, without the final NUL; may be NULL
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
        out.put(&text.ok_or_else(|| not_found("storage directive of this kind here"))?)
    })
}
