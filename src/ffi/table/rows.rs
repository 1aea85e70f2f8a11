//! Tables of some rows or columns of another table, and sorting.
//!
//! # Rows of tables
//!
//! These functions make a new table from a part of another one, or from its rows in another order. The new table keeps
//! units, descriptions, formats, metadata and schema, and does not depend on the other one. Values are copied, unless
//! all rows are selected.
//!
//! ```c
//! const char *flux = "flux";
//! const int32_t descending = 1;
//! int64_t rows = 0;
//! asdf_table *sorted = NULL, *brightest = NULL;
//! asdf_table_sort(table, &flux, &descending, 1, NULL, &sorted);
//! asdf_table_row_count(sorted, &rows);
//! asdf_table_slice(sorted, 0, rows < 10 ? rows : 10, 1, NULL, &brightest);
//! ```

use super::look::open;
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::count;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard_handle;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_table};
use crate::ffi::options::taken::take;
use crate::process::ForkRwLock;
use crate::table::{Rows, SortKey};
use std::ffi::c_char;

/// Number of rows or columns that stands for all of them.
const ALL: i64 = -1;

/// Reads a list of column names.
fn names(caller: &Caller, list: *const *const c_char, count: i64) -> Result<Vec<&str>> {
    let list = caller.numbers(list, self::count(count, "column_count")?, "columns")?;
    list.iter().map(|&name| caller.text(name, "columns")).collect()
}

/// Makes a table of some rows and columns of a table, by numbers of rows or by a mask. Without both, all rows are
/// selected, and their values are shared instead of copied.
///
/// @param table        the table
/// @param rows         numbers of rows, from 0, in any order and possibly repeated; ASDF_ERR_OUT_OF_RANGE if a row does
///                     not exist. May be NULL if there are none
/// @param row_count    number of row numbers; -1 to select by the mask, or all rows; ASDF_ERR_INVALID_ARGUMENT for any
///                     other negative number, or if there is a mask, too
/// @param mask         one byte for each row, not 0 if the row is selected; NULL for no mask
/// @param mask_size    size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of rows
/// @param columns      names of columns in the new order; the name of a logical column stands for all its members.
///                     ASDF_ERR_INVALID_ARGUMENT if a column is selected twice. May be NULL if there are none
/// @param column_count number of these names; -1 for all columns; ASDF_ERR_INVALID_ARGUMENT for any other negative
///                     number
/// @param options      options, or NULL for the defaults
/// @param selected     gets the new table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_select(
    table: *const asdf_table,
    rows: *const i64,
    row_count: i64,
    mask: *const u8,
    mask_size: usize,
    columns: *const *const c_char,
    column_count: i64,
    options: *const asdf_options,
    selected: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(selected, "selected", |caller| {
        take(caller, options, "asdf_table_select")?;
        let table = open(caller, table)?;
        let rows = match (row_count, mask.is_null()) {
            (ALL, true) => Rows::All,
            (ALL, false) => Rows::Mask(caller.numbers(mask, mask_size, "mask")?),
            (count, true) => Rows::Numbers(caller.numbers(rows, self::count(count, "row_count")?, "rows")?),
            (_, false) => {
                let message = "rows are selected by numbers or by a mask, but not by both";
                return Err(Error::new(Status::InvalidArgument, message));
            }
        };
        let columns = if column_count == ALL { None } else { Some(names(caller, columns, column_count)?) };
        Ok(ForkRwLock::new(table.select(rows, columns.as_deref())?))
    })
}

/// Makes a table of rows at equal distances.
///
/// @param table   the table
/// @param first   first row, from 0
/// @param count   number of rows; -1 for all rows up to the end of the table, or down to row 0 if the step is negative;
///                ASDF_ERR_OUT_OF_RANGE if a row does not exist
/// @param step    distance from one row to the next, negative to reverse the order; ASDF_ERR_INVALID_ARGUMENT if 0
/// @param options options, or NULL for the defaults
/// @param slice   gets the new table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_slice(
    table: *const asdf_table,
    first: i64,
    count: i64,
    step: i64,
    options: *const asdf_options,
    slice: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(slice, "slice", |caller| {
        take(caller, options, "asdf_table_slice")?;
        let from_0 = |number: i64| {
            u64::try_from(number).map_err(|_| {
                let message = format!("'first' is {first} and 'count' is {count}, but rows are counted from 0");
                Error::new(Status::OutOfRange, message)
            })
        };
        let count = if count == ALL { None } else { Some(from_0(count)?) };
        Ok(ForkRwLock::new(open(caller, table)?.slice(from_0(first)?, count, step)?))
    })
}

/// Makes a table of the same rows, sorted by columns. A later column counts where all before it are equal; rows that
/// are equal in all of them keep their order.
///
/// Numbers have the order of their values, complex ones by their real and then their imaginary parts, and texts the
/// order of their code points. In both directions, NaN comes after the other numbers, and missing cells come last.
///
/// @param table      the table
/// @param columns    names of the columns to sort by, the most important one first; ASDF_ERR_WRONG_TYPE for a column
///                   whose cells are arrays
/// @param descending one number for each of these columns, not 0 to begin with its largest value; NULL to begin with
///                   the smallest value of each
/// @param count      number of these columns; ASDF_ERR_INVALID_ARGUMENT if less than 1
/// @param options    options, or NULL for the defaults
/// @param sorted     gets the new table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_sort(
    table: *const asdf_table,
    columns: *const *const c_char,
    descending: *const i32,
    count: i64,
    options: *const asdf_options,
    sorted: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(sorted, "sorted", |caller| {
        take(caller, options, "asdf_table_sort")?;
        let names = names(caller, columns, count)?;
        let descending =
            if descending.is_null() { &[] } else { caller.numbers(descending, names.len(), "descending")? };
        let is_descending = |index| descending.get(index).is_some_and(|&number| number != 0);
        let keys = names.iter().enumerate();
        let keys: Vec<SortKey> =
            keys.map(|(index, column)| SortKey { column, is_descending: is_descending(index) }).collect();
        Ok(ForkRwLock::new(open(caller, table)?.sorted_by(&keys)?))
    })
}
