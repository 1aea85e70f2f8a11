//! Reading arrays into memory of the library.
//!
//! # Arrays in memory of the library
//!
//! These functions read like asdf_array_read(), but into an asdf_buffer that the library allocates. Its memory is
//! aligned for every scalar type. Compressed elements, or elements that strides repeat, take more memory than bytes in
//! the file. They may take at most ASDF_OPTION_LIMIT_DECODED_BYTES of the file's options; more is ASDF_ERR_LIMIT.
//!
//! ```c
//! asdf_buffer *elements = NULL;
//! const void *bytes;
//! size_t size;
//! if (asdf_array_load(image, ASDF_FLOAT64, NULL, &elements, NULL) == ASDF_OK) {
//!     asdf_buffer_bytes(elements, &bytes, &size);
//!     const double *pixels = bytes;
//!     asdf_buffer_free(elements);
//! }
//! ```

use super::options::{memory_type, read_options, read_options_in_unit};
use crate::array::{Loaded, LoadedText};
use crate::ffi::basics::buffer::buffer_of;
use crate::ffi::boundary::guard::guard_handles;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_buffer, asdf_options};
use crate::ffi::options::taken::take;
use crate::source::SharedBytes;
use std::borrow::Cow;
use std::sync::Arc;

/// Reads all elements of an array into memory of the library, also strings of fixed length and records.
///
/// @param array    the array
/// @param datatype code of the scalar type to read them as, or 0 as in asdf_array_read(); ASDF_ERR_INVALID_ARGUMENT for
///                 any other number
/// @param options  options, or NULL for the defaults
/// @param elements gets the elements; NULL on failure
/// @param mask     gets one byte for each element, in the order of the elements: 1 if it is missing, 0 if not. NULL for
///                 no mask; then ASDF_ERR_MASKED if the array has a mask and no fill value is set
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_load(
    array: *const asdf_array,
    datatype: i32,
    options: *const asdf_options,
    elements: *mut *mut asdf_buffer,
    mask: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handles([(elements, "elements", false), (mask, "mask", true)], |caller| {
        let taken = take(caller, options, "asdf_array_load")?;
        let array = caller.handle(array, "array")?;
        let target = memory_type(datatype, &taken, || Ok(Cow::Borrowed(array.datatype())))?;
        let options = read_options_in_unit(&taken, |unit, allowed| array.conversion_to(unit, allowed))?;
        Ok(buffers(array.load(&target, !mask.is_null(), &options)?))
    })
}

/// Reads all strings of an array of strings into memory of the library: as UTF-8, one after the other, without trailing
/// NULs. String i occupies the bytes from offset i to offset i + 1, as in an Arrow large string array. During the call,
/// memory also holds the strings at their fixed length.
///
/// @param array   the array; ASDF_ERR_CONVERSION if its elements are not strings
/// @param options options, or NULL for the defaults
/// @param bytes   gets the texts; NULL on failure. ASDF_ERR_ENCODING if a string is not valid text
/// @param offsets gets the offsets: one int64_t more than strings, from 0 to the size of the bytes; NULL on failure
/// @param mask    gets one byte for each string: 1 if it is missing, 0 if not. NULL for no mask; then ASDF_ERR_MASKED
///                if the array has a mask and no fill value is set. A missing string is empty, or the fill value
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_load_text(
    array: *const asdf_array,
    options: *const asdf_options,
    bytes: *mut *mut asdf_buffer,
    offsets: *mut *mut asdf_buffer,
    mask: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handles([(bytes, "bytes", false), (offsets, "offsets", false), (mask, "mask", true)], |caller| {
        let options = read_options(&take(caller, options, "asdf_array_load_text")?)?;
        Ok(text_buffers(caller.handle(array, "array")?.load_text(!mask.is_null(), &options)?))
    })
}

/// Returns buffers of texts, their offsets and their mask.
pub(crate) fn text_buffers((text, mask): LoadedText) -> [Option<SharedBytes>; 3] {
    let (bytes, offsets) = text.into_parts();
    [Some(buffer_of(bytes.into_bytes())), Some(buffer_of(offsets)), mask.map(buffer_of)]
}

/// Returns buffers of elements and their mask.
pub(crate) fn buffers((elements, mask): Loaded) -> [Option<SharedBytes>; 2] {
    [Some(Arc::new(elements)), mask.map(buffer_of)]
}
