//! Tables: what is said of them and of their columns. Reading, making and files of tables stand elsewhere.
//!
//! # Tables
//!
//! A table is columns of one length. Each column has a name, a type, a shape of its cells and, where they are known, a
//! unit, a description, a format and metadata; cells, and elements of cells that are arrays, may be missing. A table is
//! in memory, and does not depend on the file that it was read from.
//!
//! Columns are asked for by name. Names are compared exactly; one that no column has is ASDF_ERR_NOT_FOUND.
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

/// A number with up to 21 digits and a large exponent, which a column keeps as its text.
pub const ASDF_FLOAT128: i32 = 24;
/// Two of those, kept as their text.
pub const ASDF_COMPLEX256: i32 = 33;
/// Text of any length, of which a column has as many as elements.
pub const ASDF_STRING: i32 = 53;
/// A JSON value, which a column keeps as its text.
pub const ASDF_JSON: i32 = 54;

/// The code of what the elements of a column are.
pub(super) fn code_of(element_type: ElementType) -> i32 {
    match element_type {
        ElementType::Scalar(scalar) => scalar.code(),
        ElementType::Float128 => ASDF_FLOAT128,
        ElementType::Complex256 => ASDF_COMPLEX256,
        ElementType::String => ASDF_STRING,
        ElementType::Json => ASDF_JSON,
    }
}

/// The table behind a handle, for as long as nobody changes it.
pub(super) fn open<'a>(caller: &'a Caller, table: *const asdf_table) -> Result<RwLockReadGuard<'a, Table>> {
    caller.handle(table, "table")?.read()
}

/// The table behind a handle, to be changed.
pub(super) fn open_to_change<'a>(caller: &'a Caller, table: *const asdf_table) -> Result<RwLockWriteGuard<'a, Table>> {
    caller.handle(table, "table")?.write()
}

/// What is said of a column.
fn header_of<'a>(caller: &Caller, table: &'a Table, name: *const c_char) -> Result<&'a ColumnHeader> {
    let position = table.position(caller.text(name, "name")?)?;
    let header = table.header().columns.get(position);
    header.ok_or_else(|| Error::new(Status::Internal, "a table lacks the header of a column"))
}

/// Gives one text of a column, which is empty if nothing is said.
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

/// The number of rows of a table.
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

/// The number of columns of a table.
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

/// The name of a column.
///
/// @param table    the table
/// @param index    which one, from 0; outside is ASDF_ERR_OUT_OF_RANGE
/// @param buffer   gets the name
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
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

/// The place of the column with a name among the columns.
///
/// @param table the table
/// @param name  the name
/// @param index gets the place, from 0
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

/// What the elements of a column are.
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

/// The extents of each cell of a column, slowest axis first.
///
/// @param table    the table
/// @param name     name of the column
/// @param shape    gets the extents; the last one is -1 if it differs from cell to cell. ASDF_MAX_RANK of them always
///                 have room
/// @param capacity extents that may be written; too few are ASDF_ERR_BUFFER_TOO_SMALL, 0 asks for the rank alone
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

/// The unit of a column, as it is spelled; empty if none is said.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the unit
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the unit; may be NULL
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

/// What a column holds, in words; empty if nothing is said.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the text
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the text; may be NULL
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

/// How a value of a column is to be shown to people, in the notation of printf or Python; empty if nothing is said. The
/// values themselves do not depend on it.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the format
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the format; may be NULL
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

/// The datatype of a column as the file spells it that the table was read from; empty for other tables.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the datatype
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the datatype; may be NULL
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

/// The subtype of a column as the file spells it that the table was read from; empty if there is none.
///
/// @param table    the table
/// @param name     name of the column
/// @param buffer   gets the subtype
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the subtype; may be NULL
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

/// The metadata of a column. Tables that share what is said of the column share them, as the batches of a file do.
///
/// @param table the table
/// @param name  name of the column
/// @param meta  gets the node; NULL on failure. A column without metadata is ASDF_ERR_NOT_FOUND
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

/// The metadata of a table as a whole.
///
/// @param table the table
/// @param meta  gets the node; NULL on failure. A table without metadata is ASDF_ERR_NOT_FOUND
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_meta(table: *const asdf_table, meta: *mut *mut asdf_node) -> asdf_status {
    guard_handle(meta, "meta", |caller| {
        let node = open(caller, table)?.header().meta.clone();
        node.ok_or_else(|| Error::new(Status::NotFound, "the table has no metadata"))
    })
}

/// The name of a convention that the metadata follow, such as astropy-2.0; empty if none is said.
///
/// @param table    the table
/// @param buffer   gets the name
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the name; may be NULL
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

/// Reports the warnings of a table so far: things that a reader should know, although the table could be read. Reading
/// columns can add more. Offsets count bytes of the decompressed text.
///
/// @param table  the table
/// @param report gets the warnings, none if nothing was noticed; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_report(table: *const asdf_table, report: *mut *mut asdf_report) -> asdf_status {
    guard_handle(report, "report", |caller| Ok(open(caller, table)?.warnings().iter().collect()))
}

/// Gives another owner of a table.
///
/// @param table   the table
/// @param another gets the owner, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_retain(table: *const asdf_table, another: *mut *mut asdf_table) -> asdf_status {
    guard_retain(table, "table", another)
}

/// Gives up a table.
///
/// @param table the table, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_free(table: *mut asdf_table) {
    guard_silently(|caller| caller.release(table));
}
