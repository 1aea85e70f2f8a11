//! Reading columns into memory of the caller.
//!
//! # Reading columns
//!
//! A column is read like an array whose first axis is the rows, followed by the axes of its cells. Elements are
//! converted to the requested datatype by the rules of arrays, and are in C order unless the options set an order or
//! strides.
//!
//! - Cells of different length are read one after the other; asdf_table_read_cell_lengths() returns their numbers of
//!   elements.
//! - Text, and values that are stored as text, are read as strings of fixed length, or one by one.
//! - ASDF_FLOAT128 and ASDF_COMPLEX256 can also be read as other numbers; if values are rounded, the table gets a
//!   warning.
//!
//! The mask marks missing elements; it has one byte for each element, in the same order. Without a mask and without a
//! fill value (asdf_options_set_fill()), a missing element is ASDF_ERR_MASKED.
//!
//! ```c
//! asdf_table *table = NULL;
//! int64_t rows;
//! asdf_table_read_ecsv("catalogue.ecsv", NULL, &table);
//! asdf_table_row_count(table, &rows);
//! double *flux = malloc(rows * sizeof *flux);
//! uint8_t *missing = malloc(rows);
//! asdf_table_read_column(table, "flux", 0, -1, ASDF_FLOAT64, NULL, flux, rows * sizeof *flux, missing, rows);
//! ```

use super::look::{open, open_to_change};
use crate::array::Datatype;
use crate::error::{Error, Result, Status};
use crate::ffi::array::datatype::{ASDF_ASCII, ASDF_UCS4};
use crate::ffi::array::options::{memory_type, read_options_in_unit};
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_table};
use crate::ffi::options::taken::{Taken, take};
use crate::table::{ElementType, Table};
use std::borrow::Cow;
use std::ffi::{c_char, c_void};
use std::ops::Range;

/// The datatype that a code stands for when a column is read.
pub(super) fn column_type<'a>(table: &Table, name: &str, code: i32, options: &'a Taken) -> Result<Cow<'a, Datatype>> {
    memory_type(code, options, || {
        let column = table.position(name)?;
        match table.header().columns.get(column).map(|column| column.element_type) {
            Some(ElementType::Scalar(scalar)) => Ok(Cow::Owned(scalar.into())),
            _ => Err(Error::new(
                Status::InvalidArgument,
                format!(
                    "the column '{name}' holds text of any length; set a datatype of strings with \
                     asdf_options_set_datatype(), or call asdf_table_load_text()"
                ),
            )),
        }
    })
}

/// Converts a range of rows; `None` for all rows.
pub(super) fn rows_or_all(first: i64, count: i64) -> Result<Option<Range<u64>>> {
    match (first, count) {
        (0, -1) => Ok(None),
        (first, -1) if first >= 0 => Ok(Some(first.unsigned_abs()..u64::MAX)),
        _ => rows(first, count).map(Some),
    }
}

/// Converts a range of rows.
fn rows(first: i64, count: i64) -> Result<Range<u64>> {
    let rows = || Some(u64::try_from(first).ok()?..u64::try_from(first.checked_add(count)?).ok()?);
    rows().filter(|rows| rows.start <= rows.end).ok_or_else(|| {
        let message =
            format!("'first' is {first} and 'count' is {count}, but rows are counted from 0 and up to 2^63 - 1");
        Error::new(Status::OutOfRange, message)
    })
}

/// Reads the elements of a column in a range of rows, also text.
///
/// @param table         the table
/// @param name          name of the column
/// @param first         first row, from 0
/// @param count         number of rows, -1 for all following rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
/// @param datatype      code of the scalar type to read them as; 0 for the datatype in the options, and without one for
///                      that of the column, if it has numbers; ASDF_ERR_INVALID_ARGUMENT for any other number. A
///                      string that is too long is ASDF_ERR_OVERFLOW, and cut with ASDF_OPTION_CLAMP;
///                      asdf_table_longest_text() returns the required length
/// @param options       options, or NULL for the defaults
/// @param elements      gets the elements of these rows; may be NULL if there are no elements
/// @param capacity      size of the buffer in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the size of the elements
/// @param mask          gets one byte for each element: 1 if it is missing, 0 if not. NULL for no mask
/// @param mask_capacity size of the mask in bytes; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of elements
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_read_column(
    table: *const asdf_table,
    name: *const c_char,
    first: i64,
    count: i64,
    datatype: i32,
    options: *const asdf_options,
    elements: *mut c_void,
    capacity: usize,
    mask: *mut u8,
    mask_capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_table_read_column")?;
        let (name, rows) = (caller.text(name, "name")?, rows_or_all(first, count)?);
        let mask = caller.mask_beside((mask, mask_capacity), (elements, capacity))?;
        let elements = caller.buffer(elements, capacity, "elements")?;
        let warnings = {
            let open = open(caller, table)?;
            let target = column_type(&open, name, datatype, &options)?;
            let options = read_options_in_unit(&options, |unit, allowed| open.conversion_to(name, unit, allowed))?;
            open.read_column(name, rows, &target, elements, mask, &options)?
        };
        if !warnings.is_empty() {
            open_to_change(caller, table)?.warn(warnings);
        }
        Ok(())
    })
}

/// Gets the number of elements of a column in a range of rows, which is the required size of memory and mask in
/// elements.
///
/// @param table    the table
/// @param name     name of the column
/// @param first    first row, from 0
/// @param count    number of rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
/// @param elements gets the number of elements
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_element_count(
    table: *const asdf_table,
    name: *const c_char,
    first: i64,
    count: i64,
    elements: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let elements = caller.out(elements, "elements")?;
        let rows = rows(first, count)?;
        elements.put_number(open(caller, table)?.element_count(caller.text(name, "name")?, Some(rows))?);
        Ok(())
    })
}

/// Reads the number of elements of each cell of a column in a range of rows, and which cells are missing.
///
/// @param table    the table
/// @param name     name of the column
/// @param first    first row, from 0
/// @param count    number of rows; ASDF_ERR_OUT_OF_RANGE if a row does not exist
/// @param lengths  gets one number for each row: the number of elements of the cell over all axes, or -1 if the cell is
///                 missing. (A missing cell of fixed shape has elements, which are all missing; other missing cells
///                 have no elements.) May be NULL if there are no rows
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the number of rows
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_read_cell_lengths(
    table: *const asdf_table,
    name: *const c_char,
    first: i64,
    count: i64,
    lengths: *mut i64,
    capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let lengths = caller.numbers_out(lengths, capacity, "lengths")?;
        let rows = rows(first, count)?;
        open(caller, table)?.read_cell_lengths(caller.text(name, "name")?, Some(rows), lengths)
    })
}

/// Gets the length of the longest text in a column of text. A string type of this length can hold all texts.
///
/// @param table  the table
/// @param name   name of the column; ASDF_ERR_WRONG_TYPE for a column of numbers
/// @param code   ASDF_ASCII to count bytes of UTF-8, ASDF_UCS4 to count characters; ASDF_ERR_INVALID_ARGUMENT for any
///               other number
/// @param length gets the length, without a final NUL; 0 if there is no text
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_longest_text(
    table: *const asdf_table,
    name: *const c_char,
    code: i32,
    length: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let length = caller.out(length, "length")?;
        let count_bytes = match code {
            ASDF_ASCII => true,
            ASDF_UCS4 => false,
            _ => {
                return Err(Error::new(
                    Status::InvalidArgument,
                    format!("{code} is not the code of a string type; use ASDF_ASCII or ASDF_UCS4"),
                ));
            }
        };
        length.put_number(open(caller, table)?.longest_text(caller.text(name, "name")?, count_bytes)?);
        Ok(())
    })
}

/// Reads one text: a string, a JSON value, or a number that is stored as text.
///
/// @param table    the table
/// @param name     name of the column; ASDF_ERR_WRONG_TYPE for a column of other numbers
/// @param row      number of the row, from 0
/// @param element  number of the element in the cell, from 0; ASDF_ERR_OUT_OF_RANGE if the row or the element does not
///                 exist
/// @param missing  gets 1 if the element is missing, 0 if not. If it is NULL, a missing element is ASDF_ERR_MASKED
/// @param buffer   gets the text; empty if it is missing
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; the text may contain NULs; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_read_text(
    table: *const asdf_table,
    name: *const c_char,
    row: i64,
    element: i64,
    missing: *mut i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let name = caller.text(name, "name")?;
        let place = |number: i64| u64::try_from(number).unwrap_or(u64::MAX);
        let table = open(caller, table)?;
        let text = table.text_of(name, place(row), place(element))?;
        if text.is_none() && missing.is_null() {
            let message = format!(
                "element {element} in row {row} of the column '{name}' is missing; pass 'missing' to detect this"
            );
            return Err(Error::new(Status::Masked, message));
        }
        out.put(text.unwrap_or_default())?;
        caller.optional_out(missing).put(text.is_none().into());
        Ok(())
    })
}
