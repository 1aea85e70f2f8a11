//! The elements of columns in the caller's memory.
//!
//! # Reading columns
//!
//! A column is read like an array that has its rows as the first axis and the axes of its cells behind: into memory of
//! yours, converted to the datatype you ask for by the same rules, in C order unless the options say otherwise. Cells
//! whose last extent differs are read one after the other, and asdf_table_read_cell_lengths() tells which elements
//! belong to which. Text, and what is kept as text, is read as strings of fixed length, or one by one; ASDF_FLOAT128
//! and ASDF_COMPLEX256 also as other numbers, which adds a warning to the table where they had to be rounded.
//!
//! Missing elements are told by a mask, which has a byte for each element in the same order. Without a mask, and
//! without a fill value (asdf_options_set_fill()), a missing element is ASDF_ERR_MASKED; it is never taken for a value.
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
use crate::ffi::array::datatype::{ASDF_ASCII, ASDF_UCS4, scalar_of};
use crate::ffi::array::options::read_options;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_datatype, asdf_options, asdf_table};
use crate::ffi::options::taken::{Taken, take};
use std::ffi::{c_char, c_void};
use std::ops::Range;

/// Where the elements of a column go, and which are missing.
struct Destination {
    elements: *mut c_void,
    capacity: usize,
    mask: *mut u8,
    mask_capacity: usize,
    options: Taken,
}

fn read(
    caller: &Caller,
    table: *const asdf_table,
    name: *const c_char,
    rows: Option<Range<u64>>,
    target: &Datatype,
    to: Destination,
) -> Result<()> {
    let options = read_options(&to.options)?;
    let name = caller.text(name, "name")?;
    let mask = caller.mask_beside((to.mask, to.mask_capacity), (to.elements, to.capacity))?;
    let elements = caller.buffer(to.elements, to.capacity, "elements")?;
    let warnings = open(caller, table)?.read_column(name, rows, target, elements, mask, &options)?;
    if !warnings.is_empty() {
        open_to_change(caller, table)?.warn(warnings);
    }
    Ok(())
}

/// Rows from a first one on; nothing for all.
pub(super) fn rows_or_all(first: i64, count: i64) -> Result<Option<Range<u64>>> {
    match (first, count) {
        (0, -1) => Ok(None),
        (first, -1) if first >= 0 => Ok(Some(first.unsigned_abs()..u64::MAX)),
        _ => rows(first, count).map(Some),
    }
}

/// A number of rows from a first one on.
fn rows(first: i64, count: i64) -> Result<Range<u64>> {
    let rows = || Some(u64::try_from(first).ok()?..u64::try_from(first.checked_add(count)?).ok()?);
    rows().filter(|rows| rows.start <= rows.end).ok_or_else(|| {
        let message = format!("there are no {count} rows from row {first} on");
        Error::new(Status::OutOfRange, message)
    })
}

/// Reads the elements of a column in some rows, or in all.
///
/// @param table         the table
/// @param name          name of the column
/// @param first         the first row, from 0
/// @param count         how many rows, -1 for all that follow; rows that do not exist are ASDF_ERR_OUT_OF_RANGE
/// @param datatype      code of the scalar type to read them as; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param options       how to read, or NULL
/// @param elements      gets the elements of these rows; may be NULL if there are none
/// @param capacity      bytes that may be written; fewer than the elements take are ASDF_ERR_BUFFER_TOO_SMALL
/// @param mask          gets a byte for each element, 1 if it is missing and else 0; NULL for none
/// @param mask_capacity bytes of the mask that may be written; fewer than there are elements are
///                      ASDF_ERR_BUFFER_TOO_SMALL
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
        let target = scalar_of(datatype)?.into();
        let to = Destination { elements, capacity, mask, mask_capacity, options };
        read(caller, table, name, rows_or_all(first, count)?, &target, to)
    })
}

/// Reads the elements of a column in some rows, or in all, also text; see asdf_table_read_column().
///
/// @param table         the table
/// @param name          name of the column
/// @param first         the first row, from 0
/// @param count         how many rows, -1 for all that follow; rows that do not exist are ASDF_ERR_OUT_OF_RANGE
/// @param datatype      what to read them as. Text can be read as ASDF_ASCII, which then is UTF-8 of so many bytes, and
///                      as ASDF_UCS4; one that is too long is ASDF_ERR_OVERFLOW, or cut where ASDF_OPTION_CLAMP is 1.
///                      asdf_table_longest_text() tells what is enough
/// @param options       how to read, or NULL
/// @param elements      gets the elements of these rows; may be NULL if there are none
/// @param capacity      bytes that may be written; fewer than the elements take are ASDF_ERR_BUFFER_TOO_SMALL
/// @param mask          gets a byte for each element, 1 if it is missing and else 0; NULL for none
/// @param mask_capacity bytes of the mask that may be written; fewer than there are elements are
///                      ASDF_ERR_BUFFER_TOO_SMALL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_read_column_typed(
    table: *const asdf_table,
    name: *const c_char,
    first: i64,
    count: i64,
    datatype: *const asdf_datatype,
    options: *const asdf_options,
    elements: *mut c_void,
    capacity: usize,
    mask: *mut u8,
    mask_capacity: usize,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_table_read_column_typed")?;
        let target = caller.handle(datatype, "datatype")?;
        let to = Destination { elements, capacity, mask, mask_capacity, options };
        read(caller, table, name, rows_or_all(first, count)?, target, to)
    })
}

/// The number of elements of a column in some rows: what the memory and the mask to read them need room for.
///
/// @param table    the table
/// @param name     name of the column
/// @param first    the first row, from 0
/// @param count    how many rows; such as do not exist are ASDF_ERR_OUT_OF_RANGE
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

/// Tells how many elements each cell of a column has in some rows, and which cells are missing.
///
/// @param table    the table
/// @param name     name of the column
/// @param first    the first row, from 0
/// @param count    how many rows; such as do not exist are ASDF_ERR_OUT_OF_RANGE
/// @param lengths  gets a number for each row: of the elements of the cell, all axes together, or -1 if the cell is
///                 missing. (The elements of a missing cell of fixed shape are read, and missing; others have none.)
///                 May be NULL if there are no rows
/// @param capacity numbers that may be written; fewer than rows are ASDF_ERR_BUFFER_TOO_SMALL
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

/// The length of the longest text in a column of text, which a string type needs to hold them all.
///
/// @param table  the table
/// @param name   name of the column; one of numbers is ASDF_ERR_WRONG_TYPE
/// @param code   ASDF_ASCII to count bytes of UTF-8, ASDF_UCS4 to count characters; another number is
///               ASDF_ERR_INVALID_ARGUMENT
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
            _ => return Err(Error::new(Status::InvalidArgument, format!("{code} is not the code of a string type"))),
        };
        length.put_number(open(caller, table)?.longest_text(caller.text(name, "name")?, count_bytes)?);
        Ok(())
    })
}

/// Reads one text: that of a string, of a JSON value, or of a number that is kept as text.
///
/// @param table    the table
/// @param name     name of the column; one of other numbers is ASDF_ERR_WRONG_TYPE
/// @param row      the row, from 0
/// @param element  which element of the cell, from 0; it or a row that does not exist is ASDF_ERR_OUT_OF_RANGE
/// @param missing  gets 1 if the element is missing and else 0; NULL for a missing element to be ASDF_ERR_MASKED
/// @param buffer   gets the text, an empty one if it is missing
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the text, in which NULs may be; may be NULL
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
            let message = format!("the element {element} in row {row} of the column '{name}' is missing");
            return Err(Error::new(Status::Masked, message));
        }
        out.put(text.unwrap_or_default())?;
        caller.optional_out(missing).put(text.is_none().into());
        Ok(())
    })
}
