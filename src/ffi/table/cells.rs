//! Changing cells of tables.
//!
//! # Changing cells
//!
//! These functions change cells of a column. The column keeps its type, unit, description, format and metadata, and
//! stays a part of its logical column, so that a table which is read, changed and written is otherwise the same.
//! Numbers change in place. A change in a column of text, or of cells of different lengths, copies the column.
//!
//! ```c
//! const double flux = 3.5;
//! asdf_node_get_table(root, "catalogue", NULL, &table);
//! asdf_table_set_cells(table, "flux", 7, 1, ASDF_FLOAT64, &flux, sizeof flux, NULL, 0, NULL);
//! asdf_table_set_text(table, "name", 7, 0, "Vega", 4);
//! asdf_table_set_missing(table, "note", 7, 1);
//! asdf_node_set_table(root, "catalogue", table, NULL);
//! ```

use super::build::Elements;
use super::look::open_to_change;
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_table};
use crate::ffi::options::keys::ASDF_OPTION_CLAMP;
use crate::ffi::options::taken::take;
use std::ffi::{c_char, c_void};

/// Converts a number that counts from 0.
fn from_0(number: i64, what: &str) -> Result<u64> {
    u64::try_from(number).map_err(|_| {
        Error::new(Status::OutOfRange, format!("'{what}' is {number}, but rows and elements are counted from 0"))
    })
}

/// Replaces cells of a column. The elements are converted to the type of the column by the rules of arrays. On failure
/// the table does not change.
///
/// @param table     the table
/// @param name      name of the column
/// @param first     first row, from 0
/// @param count     number of rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist. 1 for a column whose cells have
///                  different lengths: the new cell has as many elements as there are in memory
/// @param datatype  code of the scalar type of the elements, or 0 for the datatype in the options, as in
///                  asdf_table_add_column(). ASDF_ERR_CONVERSION for numbers in a column of text, or strings in a column
///                  of numbers. ASDF_ERR_VALUE_RANGE for a string in a column of times that is not a time of its format
/// @param elements  the elements of these cells in native byte order, in C order unless the options set an order or
///                  strides. May be NULL if there are no elements
/// @param size      size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the elements
/// @param mask      one byte for each element in C order, not 0 if it is missing; NULL if no element is missing
/// @param mask_size size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of elements
/// @param options   datatype, order or strides of the elements; ASDF_OPTION_CLAMP for numbers that do not fit; or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_cells(
    table: *mut asdf_table,
    name: *const c_char,
    first: i64,
    count: i64,
    datatype: i32,
    elements: *const c_void,
    size: usize,
    mask: *const u8,
    mask_size: usize,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_table_set_cells")?;
        let name = caller.text(name, "name")?;
        let (first, count) = (from_0(first, "first")?, from_0(count, "count")?);
        let clamp = options.flag(ASDF_OPTION_CLAMP, false);
        let data = Elements { datatype, elements, size, mask, mask_size, options };
        open_to_change(caller, table)?.set_cells(name, first, count, &data.data(caller)?, clamp)
    })
}

/// Makes cells of a column missing. A cell of a column whose cells have different lengths loses its elements.
///
/// @param table the table
/// @param name  name of the column
/// @param first first row, from 0
/// @param count number of rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_missing(
    table: *mut asdf_table,
    name: *const c_char,
    first: i64,
    count: i64,
) -> asdf_status {
    guard(|caller| {
        let name = caller.text(name, "name")?;
        let mut table = open_to_change(caller, table)?;
        table.set_missing(name, from_0(first, "first")?, from_0(count, "count")?)
    })
}

/// Replaces a text in a column of ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256.
///
/// @param table   the table
/// @param name    name of the column; ASDF_ERR_WRONG_TYPE for a column of numbers
/// @param row     the row, from 0
/// @param element number of the element in its cell, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param text    the text in UTF-8; NULL to make the element missing. ASDF_ERR_VALUE_RANGE if it is not a value of the
///                type of the column, or not a time of the format of a column of times; the text is stored as it is
/// @param length  its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_text(
    table: *mut asdf_table,
    name: *const c_char,
    row: i64,
    element: i64,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    guard(|caller| {
        let name = caller.text(name, "name")?;
        let text = caller.optional_string(text, length, "text")?;
        let mut table = open_to_change(caller, table)?;
        table.set_text(name, from_0(row, "row")?, from_0(element, "element")?, text)
    })
}
