//! The columns as the program had them that wrote the table.
//!
//! # Logical columns
//!
//! astropy stores some columns as several: numbers and a column of truth values that tells which are missing, the two
//! halves of a time, the angles of a coordinate. The metadata tell what belongs together. The columns of the file are
//! columns of the table in any case; here is what they were made from: a name, a class, a unit, members, and whatever
//! else the metadata say. A column of which nothing is said is a logical column of its own, so that all of them together
//! are the table as it was. No class is unknown, as it is only a name, and members that the table does not have are no
//! error before their values are asked for.
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

/// What an `asdf_logical_columns` holds: the columns, and the table that has their values.
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

/// Gives one text of a logical column.
fn put_text(
    caller: &Caller,
    columns: *const asdf_logical_columns,
    (buffer, capacity, needed): (*mut c_char, usize, *mut usize),
    text: impl FnOnce(&LogicalColumns) -> Result<Option<&str>>,
) -> Result<()> {
    let out = caller.text_out(buffer, capacity, needed)?;
    out.put(text(caller.handle(columns, "columns")?)?.unwrap_or_default())
}

/// The logical columns of a table, as it is now. One made of several columns stands where the first of those does.
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

/// The number of logical columns.
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

/// The name of a logical column.
///
/// @param columns  the columns
/// @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the name
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
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

/// The class of a logical column, by its dotted name in Python; empty for a column of which the metadata say nothing.
///
/// @param columns  the columns
/// @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the name of the class
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
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

/// The unit of a logical column as a whole, as it is spelled; empty if none is said.
///
/// @param columns  the columns
/// @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the unit
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the unit; may be NULL
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

/// Whatever the metadata say of a logical column, such as format and scale of a time or frame of a coordinate.
///
/// @param columns    the columns
/// @param index      which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param attributes gets the node, a place in the metadata of the table; NULL on failure. If the metadata say nothing
///                   of the column, that is ASDF_ERR_NOT_FOUND
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_attributes(
    columns: *const asdf_logical_columns,
    index: i64,
    attributes: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(attributes, "attributes", |caller| {
        let column = caller.handle(columns, "columns")?.get(index)?;
        let none = || Error::new(Status::NotFound, format!("the metadata say nothing of the column '{}'", column.name));
        column.attributes.clone().ok_or_else(none)
    })
}

/// The number of columns of the file that a logical column is made of.
///
/// @param columns the columns
/// @param index   which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
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

/// The name of a column of the file that a logical column is made of. They come in the order of the table; such as it
/// does not have come last.
///
/// @param columns  the columns
/// @param index    which logical column, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param member   which column of the file, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the name
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
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

/// What a column of the file is in a logical column, as a path in its attributes: "jd1", "ra/value", "data", "mask".
/// Empty for a column of which the metadata say nothing.
///
/// @param columns  the columns
/// @param index    which logical column, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param member   which column of the file, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the path
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the path; may be NULL
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

/// The values of a logical column: a table of the columns that it is made of, under their names in the file, in which is
/// missing what their masks say; the masks themselves are left out. A member that the table does not have is
/// ASDF_ERR_NOT_FOUND, and a mask that does not fit its values ASDF_ERR_WRONG_TYPE.
///
/// @param columns the columns
/// @param index   which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
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

/// Gives another owner of logical columns.
///
/// @param columns the columns
/// @param another gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_retain(
    columns: *const asdf_logical_columns,
    another: *mut *mut asdf_logical_columns,
) -> asdf_status {
    guard_retain(columns, "columns", another)
}

/// Gives up logical columns.
///
/// @param columns the columns, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_logical_columns_free(columns: *mut asdf_logical_columns) {
    guard_silently(|caller| caller.release(columns));
}
