//! Tables: properties of a table and of its columns. Reading, building and files of tables are in other files.
//!
//! # Tables
//!
//! A table consists of columns of equal length. Each column has a name, a type and a cell shape, and may have a unit, a
//! description, a format and metadata. Cells, and elements of cells that are arrays, may be missing. A table is in
//! memory and does not depend on the file that it was read from.
//!
//! Functions select a column by its exact name; ASDF_ERR_NOT_FOUND if there is none.
//!
//! ```c
//! int64_t columns = 0;
//! asdf_table_column_count(table, &columns);
//! for (int64_t i = 0; i < columns; i++) {
//!     char name[64], unit[64];
//!     asdf_table_column_name(table, i, name, sizeof name, NULL);
//!     asdf_table_column_unit(table, name, unit, sizeof unit, NULL);
//!     printf("%s (%s)\n", name, unit);
//! }
//! asdf_table_free(table);
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::array::datatype::scalar_code;
use crate::ffi::boundary::arguments::element;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_report, asdf_table};
use crate::process::ForkRwLock;
use crate::table::{CellShape, ColumnHeader, ElementType, Table};
use std::ffi::c_char;
use std::sync::{RwLockReadGuard, RwLockWriteGuard};

impl Class for asdf_table {
    const TAG: u32 = u32::from_be_bytes(*b"TABL");
    const NAME: &'static str = "asdf_table";
    type Value = ForkRwLock<Table>;
}

/// A number with up to 21 digits and a large exponent, stored as text.
pub const ASDF_FLOAT128: i32 = 24;
/// Two such numbers (real and imaginary part), stored as text.
pub const ASDF_COMPLEX256: i32 = 33;
/// Text of any length.
pub const ASDF_STRING: i32 = 53;
/// A JSON value, stored as text.
pub const ASDF_JSON: i32 = 54;

/// Returns the code of the element type of a column.
pub(super) fn code_of(element_type: ElementType) -> i32 {
    match element_type {
        ElementType::Scalar(scalar) => scalar_code(scalar),
        ElementType::Float128 => ASDF_FLOAT128,
        ElementType::Complex256 => ASDF_COMPLEX256,
        ElementType::String => ASDF_STRING,
        ElementType::Json => ASDF_JSON,
    }
}

/// Locks the table of a handle for reading.
pub(in crate::ffi) fn open<'a>(caller: &'a Caller, table: *const asdf_table) -> Result<RwLockReadGuard<'a, Table>> {
    caller.handle(table, "table")?.read()
}

/// Locks the table of a handle for changes.
pub(in crate::ffi) fn open_to_change<'a>(
    caller: &'a Caller,
    table: *const asdf_table,
) -> Result<RwLockWriteGuard<'a, Table>> {
    caller.handle(table, "table")?.write()
}

/// Returns the header of a column.
fn header_of<'a>(caller: &Caller, table: &'a Table, name: *const c_char) -> Result<&'a ColumnHeader> {
    let position = table.position(caller.text(name, "name")?)?;
    let header = table.header().columns.get(position);
    header.ok_or_else(|| Error::new(Status::Internal, "a table lacks the header of a column"))
}

/// Writes a text property of a column; empty if the column does not have it.
fn put_text(
    caller: &Caller,
    (table, name): (*const asdf_table, *const c_char),
    (buffer, capacity, needed): (*mut c_char, usize, *mut usize),
    text: impl FnOnce(&ColumnHeader) -> Option<&str>,
) -> Result<()> {
    let out = caller.text_out(buffer, capacity, needed)?;
    let table = open(caller, table)?;
    out.put(text(header_of(caller, &table, name)?).unwrap_or_default())
}

/// Writes whether a column has a property.
fn put_presence(
    caller: &Caller,
    (table, name): (*const asdf_table, *const c_char),
    has: *mut i32,
    is_there: impl FnOnce(&ColumnHeader) -> bool,
) -> Result<()> {
    let has = caller.out(has, "has")?;
    let table = open(caller, table)?;
    has.put(i32::from(is_there(header_of(caller, &table, name)?)));
    Ok(())
}

/// Gets the number of rows of a table.
///
/// @param table the table
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_row_count(table: *const asdf_table, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(open(caller, table)?.row_count() as u64);
        Ok(())
    })
}

/// Gets the number of columns of a table.
///
/// @param table the table
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_count(table: *const asdf_table, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put_number(open(caller, table)?.columns().len() as u64);
        Ok(())
    })
}

/// Gets the name of a column.
///
/// @param table    the table
/// @param index    its number, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_name(
    table: *const asdf_table,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(&element(&open(caller, table)?.header().columns, index, "column")?.name)
    })
}

/// Gets the position of a column, by its name.
///
/// @param table the table
/// @param name  the name
/// @param index gets the position, from 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_index(
    table: *const asdf_table,
    name: *const c_char,
    index: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let index = caller.out(index, "index")?;
        index.put_number(open(caller, table)?.position(caller.text(name, "name")?)? as u64);
        Ok(())
    })
}

/// Gets the code of the datatype of a column.
///
/// @param table    the table
/// @param name     name of the column
/// @param datatype gets the code: a scalar type, ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_datatype(
    table: *const asdf_table,
    name: *const c_char,
    datatype: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let datatype = caller.out(datatype, "datatype")?;
        datatype.put(code_of(header_of(caller, &*open(caller, table)?, name)?.element_type));
        Ok(())
    })
}

/// Gets the shape of the cells of a column, slowest axis first.
///
/// @param table    the table
/// @param name     name of the column
/// @param shape    gets the extents; the last one is -1 if it differs between cells. A buffer of ASDF_MAX_RANK numbers
///                 is always large enough
/// @param capacity size of the buffer in numbers; ASDF_ERR_BUFFER_TOO_SMALL if less than the rank; 0 to get only the
///                 rank
/// @param rank     gets the number of axes, 0 if a cell is one element; also if the capacity is too small. May be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_shape(
    table: *const asdf_table,
    name: *const c_char,
    shape: *mut i64,
    capacity: i32,
    rank: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.list_out(shape, capacity, rank, ["shape", "rank"])?;
        let table = open(caller, table)?;
        let extent = |&extent: &u64| i64::try_from(extent).unwrap_or(i64::MAX);
        let extents: Vec<i64> = match &header_of(caller, &table, name)?.cell_shape {
            CellShape::Scalar => Vec::new(),
            CellShape::Fixed(extents) => extents.iter().map(extent).collect(),
            CellShape::Variable(extents) => extents.iter().map(extent).chain([-1]).collect(),
        };
        out.put(&extents)
    })
}

/// Gets the unit of a column, as it is spelled; empty if it has none, or an empty one (asdf_table_column_has_unit()).
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the unit
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_unit(
    table: *const asdf_table,
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| put_text(caller, (table, name), (buffer, capacity, needed), |column| column.unit.as_deref()))
}

/// Tests whether a column has a unit, which can be empty. In astropy, an empty unit means that
/// the column is a quantity without a dimension.
///
/// @param table the table
/// @param name  name of the column
/// @param has   gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_has_unit(
    table: *const asdf_table,
    name: *const c_char,
    has: *mut i32,
) -> asdf_status {
    guard(|caller| put_presence(caller, (table, name), has, |column| column.unit.is_some()))
}

/// Gets the description of a column; empty if it has none.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the text
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_description(
    table: *const asdf_table,
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| put_text(caller, (table, name), (buffer, capacity, needed), |column| column.description.as_deref()))
}

/// Tests whether a column has a description, which can be empty.
///
/// @param table the table
/// @param name  name of the column
/// @param has   gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_has_description(
    table: *const asdf_table,
    name: *const c_char,
    has: *mut i32,
) -> asdf_status {
    guard(|caller| put_presence(caller, (table, name), has, |column| column.description.is_some()))
}

/// Gets the display format of a column, in the notation of printf or Python; empty if it has none. It does not affect
/// the values.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the format
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_format(
    table: *const asdf_table,
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| put_text(caller, (table, name), (buffer, capacity, needed), |column| column.format.as_deref()))
}

/// Tests whether a column has a display format, which can be empty.
///
/// @param table the table
/// @param name  name of the column
/// @param has   gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_has_format(
    table: *const asdf_table,
    name: *const c_char,
    has: *mut i32,
) -> asdf_status {
    guard(|caller| put_presence(caller, (table, name), has, |column| column.format.is_some()))
}

/// Tests whether a column has a mask, even if nothing is missing.
///
/// @param table the table
/// @param name  name of the column
/// @param has   gets 1 or 0
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_has_mask(
    table: *const asdf_table,
    name: *const c_char,
    has: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let has = caller.out(has, "has")?;
        let table = open(caller, table)?;
        has.put(i32::from(table.column(caller.text(name, "name")?)?.is_masked()));
        Ok(())
    })
}

/// Gets the datatype of a column as it is spelled in the file of the table; empty if the table was not read from a
/// file.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the datatype
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_declared_datatype(
    table: *const asdf_table,
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        put_text(caller, (table, name), (buffer, capacity, needed), |column| Some(&column.declared_datatype))
    })
}

/// Gets the subtype of a column as it is spelled in the file of the table; empty if it has none.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the subtype
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_declared_subtype(
    table: *const asdf_table,
    name: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        put_text(caller, (table, name), (buffer, capacity, needed), |column| column.declared_subtype.as_deref())
    })
}

/// Gets the metadata of a column. Tables with the same column header share them, for example the batches of a file.
///
/// @param table the table
/// @param name  name of the column
/// @param meta  gets the node; NULL on failure. ASDF_ERR_NOT_FOUND if the column has no metadata
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_column_meta(
    table: *const asdf_table,
    name: *const c_char,
    meta: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(meta, "meta", |caller| {
        let table = open(caller, table)?;
        let column = header_of(caller, &table, name)?;
        let node = column.meta.clone();
        node.ok_or_else(|| Error::new(Status::NotFound, format!("the column '{}' has no metadata", column.name)))
    })
}

/// Gets the metadata of a table as a whole.
///
/// @param table the table
/// @param meta  gets the node; NULL on failure. ASDF_ERR_NOT_FOUND if the table has no metadata
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_meta(table: *const asdf_table, meta: *mut *mut asdf_node) -> asdf_status {
    guard_handle(meta, "meta", |caller| {
        let node = open(caller, table)?.header().meta.clone();
        node.ok_or_else(|| Error::new(Status::NotFound, "the table has no metadata"))
    })
}

/// Gets the schema of the table: the name of the convention of its metadata, such as astropy-2.0; empty if it has none.
///
/// @param table    the table
/// @param buffer   gets the name
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_schema(
    table: *const asdf_table,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        out.put(open(caller, table)?.header().schema.as_deref().unwrap_or_default())
    })
}

/// Gets the warnings of a table so far: irregularities that do not prevent reading. Reading columns can add warnings.
/// Offsets are bytes in the decompressed text.
///
/// @param table  the table
/// @param report gets the warnings, possibly none; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_report(table: *const asdf_table, report: *mut *mut asdf_report) -> asdf_status {
    guard_handle(report, "report", |caller| Ok(open(caller, table)?.warnings().iter().collect()))
}

/// Adds an owner to a table.
///
/// @param table   the table
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_retain(table: *const asdf_table, another: *mut *mut asdf_table) -> asdf_status {
    guard_retain(table, "table", another)
}

/// Gives up one owner of a table. The last owner frees it.
///
/// @param table the table, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_free(table: *mut asdf_table) {
    guard_silently(|caller| caller.release(table));
}
