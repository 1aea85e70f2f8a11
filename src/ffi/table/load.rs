//! Reading columns into memory of the library.
//!
//! # Columns in memory of the library
//!
//! These functions read like asdf_table_read_column(), but into an asdf_buffer that the library allocates. Its memory
//! is aligned for every scalar type.
//!
//! ```c
//! asdf_buffer *bytes = NULL, *offsets = NULL;
//! if (asdf_table_load_text(table, "target", 0, -1, NULL, &bytes, &offsets, NULL) == ASDF_OK) {
//!     show_names(bytes, offsets);
//!     asdf_buffer_free(bytes);
//!     asdf_buffer_free(offsets);
//! }
//! ```

use super::look::{open, open_to_change};
use super::read::{column_type, rows_or_all};
use crate::ffi::array::load::{buffers, text_buffers};
use crate::ffi::array::options::read_options_in_unit;
use crate::ffi::boundary::guard::guard_handles;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_options, asdf_table};
use crate::ffi::options::taken::take;
use std::ffi::c_char;

/// Reads the elements of a column in a range of rows into memory of the library, also text of fixed length.
///
/// @param table    the table
/// @param name     name of the column
/// @param first    first row, from 0
/// @param count    number of rows, -1 for all following rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
/// @param datatype code of the scalar type to read them as, or 0 as in asdf_table_read_column();
///                 ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param options  options, or NULL for the defaults
/// @param elements gets the elements of these rows; NULL on failure
/// @param mask     gets one byte for each element: 1 if it is missing, 0 if not. NULL for no mask; then ASDF_ERR_MASKED
///                 if an element is missing and no fill value is set
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_load_column(
    table: *const asdf_table,
    name: *const c_char,
    first: i64,
    count: i64,
    datatype: i32,
    options: *const asdf_options,
    elements: *mut *mut asdf_buffer,
    mask: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handles([(elements, "elements", false), (mask, "mask", true)], |caller| {
        let options = take(caller, options, "asdf_table_load_column")?;
        let (name, rows) = (caller.text(name, "name")?, rows_or_all(first, count)?);
        let (loaded, warnings) = {
            let open = open(caller, table)?;
            let target = column_type(&open, name, datatype, &options)?;
            let options = read_options_in_unit(&options, |unit, allowed| open.conversion_to(name, unit, allowed))?;
            open.load_column(name, rows, &target, !mask.is_null(), &options)?
        };
        if !warnings.is_empty() {
            open_to_change(caller, table)?.warn(warnings);
        }
        Ok(buffers(loaded))
    })
}

/// Copies the texts of a column in a range of rows into memory of the library: strings, JSON values, and numbers that
/// are stored as text. They are in UTF-8, one after the other: text i occupies the bytes from offset i to offset i + 1,
/// as in an Arrow large string array.
///
/// @param table   the table
/// @param name    name of the column; ASDF_ERR_WRONG_TYPE for a column of other numbers
/// @param first   first row, from 0
/// @param count   number of rows, -1 for all following rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
/// @param options options, or NULL for the defaults
/// @param bytes   gets the texts of these rows; NULL on failure
/// @param offsets gets the offsets: one int64_t more than texts, from 0 to the size of the bytes; NULL on failure
/// @param mask    gets one byte for each text: 1 if it is missing, 0 if not. NULL for no mask; then ASDF_ERR_MASKED if
///                a text is missing and no fill value is set. A missing text is empty, or the fill value, which must be
///                a string
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_load_text(
    table: *const asdf_table,
    name: *const c_char,
    first: i64,
    count: i64,
    options: *const asdf_options,
    bytes: *mut *mut asdf_buffer,
    offsets: *mut *mut asdf_buffer,
    mask: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handles([(bytes, "bytes", false), (offsets, "offsets", false), (mask, "mask", true)], |caller| {
        let options = take(caller, options, "asdf_table_load_text")?;
        let fill = options.fill().map(|fill| fill.text()).transpose()?;
        let (name, rows) = (caller.text(name, "name")?, rows_or_all(first, count)?);
        Ok(text_buffers(open(caller, table)?.load_text(name, rows, !mask.is_null(), fill.as_deref())?))
    })
}
