//! Logical columns: the columns as the program that wrote the table had them.
//!
//! # Logical columns
//!
//! astropy stores some columns of a table as several columns of a file: the two halves of a time, or the angles of a
//! coordinate. The metadata describe how they belong together. An asdf_table has the columns of the file, but values and
//! their mask are one column, unless ASDF_OPTION_RAW_COLUMNS is 1. These functions return the original (logical)
//! columns: their name, class, unit, members (columns of the file) and other attributes. A column that the metadata do
//! not describe is a logical column itself, so the logical columns together are the whole original table.
//!
//! The class is only a name, so every class is accepted. Members that the table does not have are an error only when
//! their values are read.
//!
//! ```c
//! asdf_logical_columns *columns = NULL;
//! asdf_table *values = NULL;
//! asdf_table_logical_columns(table, &columns);
//! for (int64_t i = 0; i < count; i++) {
//!     asdf_logical_columns_name(columns, i, name, sizeof name, NULL);
//!     asdf_logical_columns_class(columns, i, class, sizeof class, NULL);
//!     if (strcmp(class, "astropy.time.core.Time") == 0) asdf_logical_columns_attributes(columns, i, &attributes);
//!     asdf_logical_columns_values(columns, i, &values);
//! }
//! ```

use super::look::open;
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::element;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_logical_columns, asdf_node, asdf_table};
use crate::process::ForkRwLock;
use crate::table::{LogicalColumn, Member, Table, logical_columns};
use std::ffi::c_char;

impl Class for asdf_logical_columns {
    const TAG: u32 = u32::from_be_bytes(*b"LCOL");
    const NAME: &'static str = "asdf_logical_columns";
    type Value = LogicalColumns;
}

/// Value of an `asdf_logical_columns`: the columns, and the table with their values.
pub struct LogicalColumns {
    columns: Vec<LogicalColumn>,
    table: Table,
}

impl LogicalColumns {
    fn get(&self, index: i64) -> Result<&LogicalColumn> {
        element(&self.columns, index, "logical column")
    }

    fn member(&self, index: i64, member: i64) -> Result<&Member> {
        element(&self.get(index)?.members, member, "member")
    }
}

/// Writes a text property of a logical column.
fn put_text(
    caller: &Caller,
    columns: *const asdf_logical_columns,
    (buffer, capacity, needed): (*mut c_char, usize, *mut usize),
    text: impl FnOnce(&LogicalColumns) -> Result<Option<&str>>,
) -> Result<()> {
    let out = caller.text_out(buffer, capacity, needed)?;
    out.put(text(caller.handle(columns, "columns")?)?.unwrap_or_default())
}

/// Gets the logical columns of a table in its current state. A logical column with several members has the position of
/// the first one.
///
/// @param table   the table
/// @param columns gets the columns; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_logical_columns(
    table: *const asdf_table,
    columns: *mut *mut asdf_logical_columns,
) -> asdf_status {
    guard_handle(columns, "columns", |caller| {
        let table = open(caller, table)?.clone();
        Ok(LogicalColumns { columns: logical_columns(table.header()), table })
    })
}

/// Gets the number of logical columns.
///
/// @param columns the columns
/// @param count   gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_count(
    columns: *const asdf_logical_columns,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(columns, "columns")?.columns.len() as u64);
        Ok(())
    })
}

/// Gets the name of a logical column.
///
/// @param columns  the columns
/// @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_name(
    columns: *const asdf_logical_columns,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        put_text(caller, columns, (buffer, capacity, needed), |columns| Ok(Some(columns.get(index)?.name.as_str())))
    })
}

/// Gets the class of a logical column: a dotted Python name; empty if the metadata do not describe the column.
///
/// @param columns  the columns
/// @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name of the class
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_class(
    columns: *const asdf_logical_columns,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        put_text(caller, columns, (buffer, capacity, needed), |columns| Ok(columns.get(index)?.class.as_deref()))
    })
}

/// Gets the unit of a logical column as a whole, as it is spelled; empty if it has none, or an empty one
/// (asdf_logical_columns_has_unit()).
///
/// @param columns  the columns
/// @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the unit
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_unit(
    columns: *const asdf_logical_columns,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        put_text(caller, columns, (buffer, capacity, needed), |columns| Ok(columns.get(index)?.unit.as_deref()))
    })
}

/// Tests whether a logical column has a unit, which can be empty.
///
/// @param columns the columns
/// @param index   its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param has     gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_has_unit(
    columns: *const asdf_logical_columns,
    index: i64,
    has: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let has = caller.out(has, "has")?;
        has.put(i32::from(caller.handle(columns, "columns")?.get(index)?.unit.is_some()));
        Ok(())
    })
}

/// Gets the attributes of a logical column in the metadata, such as format and scale of a time, or frame of a
/// coordinate.
///
/// @param columns    the columns
/// @param index      its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param attributes gets the node in the metadata of the table; NULL on failure. ASDF_ERR_NOT_FOUND if the metadata do
///                   not describe the column
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_attributes(
    columns: *const asdf_logical_columns,
    index: i64,
    attributes: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(attributes, "attributes", |caller| {
        let column = caller.handle(columns, "columns")?.get(index)?;
        let none =
            || Error::new(Status::NotFound, format!("the metadata do not describe the column '{}'", column.name));
        column.attributes.clone().ok_or_else(none)
    })
}

/// Gets the number of members of a logical column: columns of the file that it consists of.
///
/// @param columns the columns
/// @param index   its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param count   gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_member_count(
    columns: *const asdf_logical_columns,
    index: i64,
    count: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(caller.handle(columns, "columns")?.get(index)?.members.len() as u64);
        Ok(())
    })
}

/// Gets the name of a member of a logical column. Members are in the order of the table; members that the table does
/// not have come last.
///
/// @param columns  the columns
/// @param index    number of the logical column, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param member   number of the member, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_member_name(
    columns: *const asdf_logical_columns,
    index: i64,
    member: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        put_text(caller, columns, (buffer, capacity, needed), |columns| {
            Ok(Some(columns.member(index, member)?.name.as_str()))
        })
    })
}

/// Gets the role of a member in its logical column, as a path in the attributes: "jd1", "ra/value", "data", "mask".
/// Empty if the metadata do not describe the column.
///
/// @param columns  the columns
/// @param index    number of the logical column, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param member   number of the member, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the path
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_member_attribute(
    columns: *const asdf_logical_columns,
    index: i64,
    member: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        put_text(caller, columns, (buffer, capacity, needed), |columns| {
            Ok(Some(columns.member(index, member)?.attribute.as_str()))
        })
    })
}

/// Gets the values of a logical column: a table of its members, under their names in the file. Masks are applied, so
/// that the elements they mark are missing, and are left out as columns. Fails with ASDF_ERR_NOT_FOUND if the table
/// does not have a member, and with ASDF_ERR_WRONG_TYPE if a mask does not fit its values.
///
/// @param columns the columns
/// @param index   its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param values  gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_values(
    columns: *const asdf_logical_columns,
    index: i64,
    values: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(values, "values", |caller| {
        let columns = caller.handle(columns, "columns")?;
        Ok(ForkRwLock::new(columns.get(index)?.parts(&columns.table)?))
    })
}

/// Adds an owner to logical columns.
///
/// @param columns the columns
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_retain(
    columns: *const asdf_logical_columns,
    another: *mut *mut asdf_logical_columns,
) -> asdf_status {
    guard_retain(columns, "columns", another)
}

/// Gives up one owner of logical columns. The last owner frees them.
///
/// @param columns the columns, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_free(columns: *mut asdf_logical_columns) {
    guard_silently(|caller| caller.release(columns));
}
