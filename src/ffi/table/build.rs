//! Building tables from memory.
//!
//! # Making tables
//!
//! A new table has no columns; each call adds one from memory of the caller, which is copied. A mask has one byte for
//! each element, which is not 0 if the element is missing; the value of a missing element is ignored. A column with a
//! mask stays a masked column in files, even if nothing is missing.
//!
//! ```c
//! asdf_table *table = NULL;
//! asdf_table_new(rows, &table);
//! asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, rows * sizeof *flux, missing, rows, NULL);
//! asdf_table_set_column_unit(table, "flux", "Jy", 2);
//! asdf_node_new_mapping(&meta);
//! asdf_node_set_string(meta, "TELESCOP", "UT1", 3);
//! asdf_table_set_meta(table, meta);
//! asdf_table_add_text_column(table, "target", ASDF_STRING, names, names_size, offsets, rows + 1, NULL, 0);
//! asdf_table_write_ecsv(table, "catalogue.ecsv", NULL);
//! ```

use super::look::{ASDF_COMPLEX256, ASDF_FLOAT128, ASDF_JSON, ASDF_STRING, open_to_change};
use crate::error::{Error, Result, Status};
use crate::ffi::array::datatype::rank;
use crate::ffi::array::options::{blank_padded, memory_order, new_type};
use crate::ffi::boundary::arguments::count;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_options, asdf_table};
use crate::ffi::options::taken::{Taken, take};
use crate::ffi::unit::{equivalencies, unit_of};
use crate::process::ForkRwLock;
use crate::table::{ColumnData, ColumnHeader, ElementType, Table};
use std::borrow::Cow;
use std::ffi::{c_char, c_void};

/// Creates a table without columns.
///
/// @param row_count number of rows of each column; ASDF_ERR_INVALID_ARGUMENT if negative
/// @param table     gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_new(row_count: i64, table: *mut *mut asdf_table) -> asdf_status {
    guard_handle(table, "table", |_| {
        let rows = usize::try_from(row_count).map_err(|_| {
            Error::new(Status::InvalidArgument, format!("the number of rows is {row_count}, but must be 0 or more"))
        })?;
        Ok(ForkRwLock::new(Table::of_rows(rows)))
    })
}

/// Elements of a new column, as passed by C.
pub(super) struct Elements {
    pub(super) datatype: i32,
    pub(super) elements: *const c_void,
    pub(super) size: usize,
    pub(super) mask: *const u8,
    pub(super) mask_size: usize,
    pub(super) options: Taken,
}

impl Elements {
    pub(super) fn data<'a>(&self, caller: &'a Caller) -> Result<ColumnData<'a>> {
        let datatype = new_type(self.datatype, &self.options)?.into_owned();
        let mask = (!self.mask.is_null()).then(|| caller.numbers(self.mask, self.mask_size, "mask")).transpose()?;
        let bytes = caller.bytes(self.elements, self.size, "elements")?;
        let blank_padded = blank_padded(&self.options);
        Ok(ColumnData { datatype, bytes, order: memory_order(&self.options)?, mask, blank_padded })
    }
}

/// Appends a column of numbers or text.
///
/// @param table     the table
/// @param name      name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
/// @param datatype  code of the scalar type of the elements, or 0 for the datatype in the options;
///                  ASDF_ERR_INVALID_ARGUMENT for any other number, or if the options have none. Strings of fixed
///                  length (ASDF_ASCII, here UTF-8 of that many bytes, and ASDF_UCS4) give a column of ASDF_STRING
///                  without trailing NULs. ASDF_ERR_ENCODING if a string is not valid text; ASDF_ERR_CONVERSION for
///                  records
/// @param rank      number of axes of a cell, 0 for a single element
/// @param shape     extent of a cell along each axis, slowest first; may be NULL for rank 0
/// @param elements  the elements in native byte order; the first axis is the rows. They are in C order unless the
///                  options set an order or strides. May be NULL if there are no elements
/// @param size      size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the elements
/// @param mask      one byte for each element in C order, not 0 if it is missing; NULL if no element is missing
/// @param mask_size size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of elements
/// @param options   datatype, order or strides of the elements, or NULL for C order
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_add_column(
    table: *mut asdf_table,
    name: *const c_char,
    datatype: i32,
    rank: i32,
    shape: *const i64,
    elements: *const c_void,
    size: usize,
    mask: *const u8,
    mask_size: usize,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_table_add_column")?;
        let name = caller.text(name, "name")?;
        let shape = caller.numbers(shape, self::rank(rank)?, "shape")?;
        let data = Elements { datatype, elements, size, mask, mask_size, options }.data(caller)?;
        open_to_change(caller, table)?.add_array(name, shape, &data)
    })
}

/// Appends a column whose cells are arrays of different lengths.
///
/// @param table     the table
/// @param name      name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
/// @param datatype  code of the scalar type of the elements, or 0 for the datatype in the options, as in
///                  asdf_table_add_column()
/// @param rank      number of axes of a cell before the last one; 0 if cells are lists
/// @param shape     extent along each of these axes, slowest first; may be NULL for rank 0
/// @param lengths   one number for each row: the number of elements of its cell over all axes, or -1 if the cell is
///                  missing. May be NULL if there are no rows
/// @param count     number of lengths; ASDF_ERR_INVALID_ARGUMENT if it is not the number of rows
/// @param elements  the elements of all cells, one after the other in C order; may be NULL if there are no elements
/// @param size      size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the elements
/// @param mask      one byte for each element, not 0 if it is missing; NULL if no element is missing
/// @param mask_size size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of elements
/// @param options   datatype or strides of the elements, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_add_variable_column(
    table: *mut asdf_table,
    name: *const c_char,
    datatype: i32,
    rank: i32,
    shape: *const i64,
    lengths: *const i64,
    count: i64,
    elements: *const c_void,
    size: usize,
    mask: *const u8,
    mask_size: usize,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_table_add_variable_column")?;
        let name = caller.text(name, "name")?;
        let shape = caller.numbers(shape, self::rank(rank)?, "shape")?;
        let lengths = caller.numbers(lengths, self::count(count, "count")?, "lengths")?;
        let data = Elements { datatype, elements, size, mask, mask_size, options }.data(caller)?;
        open_to_change(caller, table)?.add_variable(name, shape, lengths, &data)
    })
}

/// Appends a column of text of any length, one text in each cell. The texts follow one another: the text of row i
/// occupies the bytes from offset i to offset i + 1, as in the output of asdf_table_load_text().
///
/// @param table     the table
/// @param name      name of the column; ASDF_ERR_INVALID_ARGUMENT if another column has it
/// @param code      type of the column: ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256;
///                  ASDF_ERR_INVALID_ARGUMENT for any other number. ASDF_ERR_VALUE_RANGE if a text is not a value of
///                  this type
/// @param bytes     the texts in UTF-8; they may contain NULs. ASDF_ERR_ENCODING if they are not UTF-8. May be NULL if
///                  all texts are empty
/// @param size      number of these bytes
/// @param offsets   ascending offsets in the bytes; ASDF_ERR_INVALID_ARGUMENT if they descend or lie outside the bytes.
///                  May be NULL if there are no rows
/// @param count     number of offsets; ASDF_ERR_INVALID_ARGUMENT if it is not the number of rows + 1
/// @param mask      one byte for each row, not 0 if its text is missing; NULL if no text is missing
/// @param mask_size size of the mask in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the number of rows
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_add_text_column(
    table: *mut asdf_table,
    name: *const c_char,
    code: i32,
    bytes: *const c_char,
    size: usize,
    offsets: *const i64,
    count: i64,
    mask: *const u8,
    mask_size: usize,
) -> asdf_status {
    guard(|caller| {
        let mut table = open_to_change(caller, table)?;
        let name = caller.text(name, "name")?;
        let element_type = match code {
            ASDF_STRING => ElementType::String,
            ASDF_JSON => ElementType::Json,
            ASDF_FLOAT128 => ElementType::Float128,
            ASDF_COMPLEX256 => ElementType::Complex256,
            _ => {
                return Err(Error::new(
                    Status::InvalidArgument,
                    format!("{code} is not the code of a text type, such as ASDF_STRING or ASDF_JSON"),
                ));
            }
        };
        let texts = caller.texts((bytes, size), (offsets, count))?;
        let missing = if mask.is_null() { &[] } else { caller.numbers(mask, mask_size, "mask")? };
        if !mask.is_null() && missing.len() != texts.len() {
            let message =
                format!("the argument 'mask' has {mask_size} bytes, but the column has {} texts", texts.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let text = |row| match missing.get(row) {
            Some(&missing) if missing != 0 => Ok(None),
            _ => texts.get(row).map(Some),
        };
        let texts: Vec<Option<&str>> = (0..texts.len()).map(text).collect::<Result<_>>()?;
        let texts = texts.into_iter().map(|text| text.map(Cow::Borrowed));
        table.add_texts(name, element_type, !mask.is_null(), texts)
    })
}

/// Sets a text property of a column.
fn describe(
    caller: &Caller,
    (table, name): (*mut asdf_table, *const c_char),
    (text, length, argument): (*const c_char, usize, &str),
    set: impl FnOnce(&mut ColumnHeader, Option<String>),
) -> Result<()> {
    let name = caller.text(name, "name")?;
    let text = caller.optional_string(text, length, argument)?.map(str::to_owned);
    open_to_change(caller, table)?.describe_column(name, |column| set(column, text))
}

/// Sets the unit of a column.
///
/// @param table  the table
/// @param name   name of the column
/// @param unit   the unit in UTF-8, stored as it is spelled; NULL for none. An empty unit is stored, too: astropy reads
///               such a column as a quantity without a dimension
/// @param length its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_column_unit(
    table: *mut asdf_table,
    name: *const c_char,
    unit: *const c_char,
    length: usize,
) -> asdf_status {
    guard(|caller| describe(caller, (table, name), (unit, length, "unit"), |column, text| column.unit = text))
}

/// Converts the numbers of a column to another unit, which becomes that of the column, in the generic spelling.
/// Floats and complex numbers keep their datatype; integers, ASDF_FLOAT128 and ASDF_COMPLEX256 become ASDF_FLOAT64 or
/// ASDF_COMPLEX128. Missing elements stay missing. What is written or exported afterwards is in the new unit.
///
/// Fails with ASDF_ERR_UNITS if the column has no unit or the units are not commensurable, with ASDF_ERR_CONVERSION for
/// texts and truth values, and with ASDF_ERR_OVERFLOW if a number becomes too large. The table is then unchanged.
///
/// @param table    the table
/// @param name     name of the column
/// @param unit     text of the new unit
/// @param spelling its spelling: an ASDF_SPELLING_ constant
/// @param options  options; may be NULL. ASDF_OPTION_EQUIVALENCIES allows more conversions
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_convert_column(
    table: *mut asdf_table,
    name: *const c_char,
    unit: *const c_char,
    spelling: i32,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let mut table = open_to_change(caller, table)?;
        let options = take(caller, options, "asdf_table_convert_column")?;
        let unit = unit_of(caller, unit, spelling, "unit")?;
        table.convert_column(caller.text(name, "name")?, &unit, &equivalencies(&options)?)
    })
}

/// Sets the description of a column.
///
/// @param table       the table
/// @param name        name of the column
/// @param description the text in UTF-8, possibly empty; NULL for none
/// @param length      its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_column_description(
    table: *mut asdf_table,
    name: *const c_char,
    description: *const c_char,
    length: usize,
) -> asdf_status {
    guard(|caller| {
        let text = (description, length, "description");
        describe(caller, (table, name), text, |column, text| column.description = text)
    })
}

/// Sets the display format of a column, in the notation of printf or Python.
///
/// @param table  the table
/// @param name   name of the column
/// @param format the format in UTF-8, possibly empty; NULL for none
/// @param length its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_column_format(
    table: *mut asdf_table,
    name: *const c_char,
    format: *const c_char,
    length: usize,
) -> asdf_status {
    guard(|caller| describe(caller, (table, name), (format, length, "format"), |column, text| column.format = text))
}

/// Sets the metadata of a column.
///
/// @param table the table
/// @param name  name of the column
/// @param meta  node of any tree, which is copied with its children; NULL for none. ASDF_ERR_TREE as in
///              asdf_table_set_meta()
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_column_meta(
    table: *mut asdf_table,
    name: *const c_char,
    meta: *const asdf_node,
) -> asdf_status {
    guard(|caller| {
        let name = caller.text(name, "name")?;
        let meta = caller.options(meta, "meta")?;
        open_to_change(caller, table)?.set_column_meta(name, meta)
    })
}

/// Sets the metadata of a table as a whole. The entries of the table under the key __serialized_columns__ stay: they
/// describe columns of times and other objects. They replace entries of the same names in `meta`.
///
/// @param table the table
/// @param meta  node of any tree, which is copied with its children, such as one of asdf_node_new_mapping(); NULL for
///              none. ASDF_ERR_TREE, with the path of the node, for what the header of an ECSV table cannot hold:
///              arrays, other tags of ASDF and of programs, and cycles. ASDF_ERR_INVALID_ARGUMENT for a node
///              that is no mapping if the table has such entries. asdf_node_copy() can copy metadata that ECSV cannot
///              hold to the node "meta" of a table that asdf_node_set_table() has stored
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_meta(table: *mut asdf_table, meta: *const asdf_node) -> asdf_status {
    guard(|caller| {
        let meta = caller.options(meta, "meta")?;
        open_to_change(caller, table)?.set_meta(meta)
    })
}

/// Sets the schema of the table: the name of the convention of its metadata, such as astropy-2.0.
///
/// @param table  the table
/// @param schema the name; NULL for none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_schema(table: *mut asdf_table, schema: *const c_char) -> asdf_status {
    guard(|caller| {
        let schema = caller.optional_text(schema, "schema")?.filter(|schema| !schema.is_empty());
        open_to_change(caller, table)?.set_schema(schema);
        Ok(())
    })
}
