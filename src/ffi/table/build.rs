//! Making tables from memory.
//!
//! # Making tables
//!
//! A new table gets its columns one by one, each from memory of yours, which is copied. What is missing is told by a
//! mask with a byte for each element, not 0 where it is missing; what stands in the memory there does not matter.
//!
//! ```c
//! asdf_table *table = NULL;
//! asdf_table_new(rows, &table);
//! asdf_table_add_column(table, "flux", ASDF_FLOAT64, 0, NULL, flux, rows * sizeof *flux, missing, rows, NULL);
//! asdf_table_set_column_unit(table, "flux", "Jy", 2);
//! asdf_table_add_text_column(table, "target", ASDF_STRING, names, names_size, offsets, rows + 1, NULL, 0);
//! asdf_table_write_ecsv(table, "catalogue.ecsv", NULL);
//! ```

use super::look::{ASDF_COMPLEX256, ASDF_FLOAT128, ASDF_JSON, ASDF_STRING, open_to_change};
use crate::array::Datatype;
use crate::error::{Error, Result, Status};
use crate::ffi::array::datatype::{rank, scalar_of};
use crate::ffi::boundary::arguments::count;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_datatype, asdf_node, asdf_options, asdf_table};
use crate::ffi::options::keys::ASDF_OPTION_BLANK_PADDED;
use crate::ffi::options::taken::{Taken, take};
use crate::process::ForkRwLock;
use crate::table::{ColumnData, ColumnHeader, ElementType, Table};
use std::borrow::Cow;
use std::ffi::{c_char, c_void};

/// Makes a table without columns.
///
/// @param row_count number of rows that each column will have; a negative one is ASDF_ERR_INVALID_ARGUMENT
/// @param table     gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_new(row_count: i64, table: *mut *mut asdf_table) -> asdf_status {
    guard_handle(table, "table", |_| {
        let rows = usize::try_from(row_count)
            .map_err(|_| Error::new(Status::InvalidArgument, format!("a table cannot have {row_count} rows")))?;
        Ok(ForkRwLock::new(Table::of_rows(rows)))
    })
}

/// The elements of a new column, as C gives them.
struct Elements {
    elements: *const c_void,
    size: usize,
    mask: *const u8,
    mask_size: usize,
    options: Taken,
}

impl Elements {
    fn data<'a>(&self, caller: &'a Caller, datatype: Datatype) -> Result<ColumnData<'a>> {
        let mask = (!self.mask.is_null()).then(|| caller.numbers(self.mask, self.mask_size, "mask")).transpose()?;
        let bytes = caller.bytes(self.elements, self.size, "elements")?;
        let blank_padded = self.options.flag(ASDF_OPTION_BLANK_PADDED, false);
        Ok(ColumnData { datatype, bytes, order: self.options.order()?, mask, blank_padded })
    }
}

/// Adds a column of numbers behind the others.
///
/// @param table     the table
/// @param name      name of the column; one that another column has is ASDF_ERR_INVALID_ARGUMENT
/// @param datatype  code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param rank      number of axes of a cell, 0 if it is one element
/// @param shape     extent of a cell along each axis, slowest first; may be NULL for rank 0
/// @param elements  the elements in native byte order: in C order, the rows being the first axis, unless the options say
///                  how they lie. May be NULL if there are none
/// @param size      bytes of that memory; other than the elements take is ASDF_ERR_INVALID_ARGUMENT
/// @param mask      a byte for each element in C order, not 0 if it is missing; NULL if none is
/// @param mask_size bytes of the mask; other than there are elements is ASDF_ERR_INVALID_ARGUMENT
/// @param options   order or strides of the elements, or NULL
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
        let elements = Elements { elements, size, mask, mask_size, options };
        add(caller, table, name, scalar_of(datatype)?.into(), (rank, shape), elements)
    })
}

/// Adds a column, also of text, behind the others; see asdf_table_add_column().
///
/// @param table     the table
/// @param name      name of the column
/// @param datatype  what the elements are in memory: ASDF_ASCII, which is UTF-8 of so many bytes, and ASDF_UCS4 make a
///                  column of ASDF_STRING, without the NULs at the end; what is no text is ASDF_ERR_ENCODING.
///                  Records are ASDF_ERR_CONVERSION
/// @param rank      number of axes of a cell, 0 if it is one element
/// @param shape     extent of a cell along each axis; may be NULL for rank 0
/// @param elements  the elements; may be NULL if there are none
/// @param size      bytes of that memory
/// @param mask      a byte for each element in C order, not 0 if it is missing; NULL if none is
/// @param mask_size bytes of the mask
/// @param options   order or strides of the elements, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_add_column_typed(
    table: *mut asdf_table,
    name: *const c_char,
    datatype: *const asdf_datatype,
    rank: i32,
    shape: *const i64,
    elements: *const c_void,
    size: usize,
    mask: *const u8,
    mask_size: usize,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_table_add_column_typed")?;
        let elements = Elements { elements, size, mask, mask_size, options };
        add(caller, table, name, caller.handle(datatype, "datatype")?.clone(), (rank, shape), elements)
    })
}

fn add(
    caller: &Caller,
    table: *mut asdf_table,
    name: *const c_char,
    datatype: Datatype,
    (axes, shape): (i32, *const i64),
    elements: Elements,
) -> Result<()> {
    let name = caller.text(name, "name")?;
    let shape = caller.numbers(shape, rank(axes)?, "shape")?;
    let data = elements.data(caller, datatype)?;
    open_to_change(caller, table)?.add_array(name, shape, &data)
}

/// Adds a column whose cells are arrays of different lengths, behind the others.
///
/// @param table     the table
/// @param name      name of the column; one that another column has is ASDF_ERR_INVALID_ARGUMENT
/// @param datatype  code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param rank      number of axes of a cell before the last one; 0 if its cells are lists
/// @param shape     extent along each of these axes, slowest first; may be NULL for rank 0
/// @param lengths   a number for each row: of the elements of its cell, all axes together, or -1 if the cell is missing.
///                  May be NULL if there are no rows
/// @param count     how many numbers these are; other than rows is ASDF_ERR_INVALID_ARGUMENT
/// @param elements  the elements of all cells, one after the other in C order; may be NULL if there are none
/// @param size      bytes of that memory; other than the elements take is ASDF_ERR_INVALID_ARGUMENT
/// @param mask      a byte for each element, not 0 if it is missing; NULL if none is
/// @param mask_size bytes of the mask; other than there are elements is ASDF_ERR_INVALID_ARGUMENT
/// @param options   strides of the elements, or NULL
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
        let elements = Elements { elements, size, mask, mask_size, options };
        let datatype = scalar_of(datatype)?.into();
        add_variable(caller, table, name, datatype, (rank, shape), (lengths, count), elements)
    })
}

/// Adds a column whose cells are arrays of different lengths, also of text; see asdf_table_add_variable_column().
///
/// @param table     the table
/// @param name      name of the column
/// @param datatype  what the elements are in memory; strings make a column of ASDF_STRING
/// @param rank      number of axes of a cell before the last one; 0 if its cells are lists
/// @param shape     extent along each of these axes; may be NULL for rank 0
/// @param lengths   a number for each row: of the elements of its cell, or -1 if the cell is missing. May be NULL if
///                  there are no rows
/// @param count     how many numbers these are
/// @param elements  the elements of all cells, one after the other; may be NULL if there are none
/// @param size      bytes of that memory
/// @param mask      a byte for each element, not 0 if it is missing; NULL if none is
/// @param mask_size bytes of the mask
/// @param options   strides of the elements, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_add_variable_column_typed(
    table: *mut asdf_table,
    name: *const c_char,
    datatype: *const asdf_datatype,
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
        let options = take(caller, options, "asdf_table_add_variable_column_typed")?;
        let elements = Elements { elements, size, mask, mask_size, options };
        let datatype = caller.handle(datatype, "datatype")?.clone();
        add_variable(caller, table, name, datatype, (rank, shape), (lengths, count), elements)
    })
}

fn add_variable(
    caller: &Caller,
    table: *mut asdf_table,
    name: *const c_char,
    datatype: Datatype,
    (axes, shape): (i32, *const i64),
    (lengths, length_count): (*const i64, i64),
    elements: Elements,
) -> Result<()> {
    let name = caller.text(name, "name")?;
    let shape = caller.numbers(shape, rank(axes)?, "shape")?;
    let lengths = caller.numbers(lengths, count(length_count, "count")?, "lengths")?;
    let data = elements.data(caller, datatype)?;
    open_to_change(caller, table)?.add_variable(name, shape, lengths, &data)
}

/// Adds a column of text of any length, one in each cell, behind the others. The texts stand one after the other: that
/// of row i is in the bytes from offset i to offset i + 1, as asdf_table_load_text() gives them.
///
/// @param table     the table
/// @param name      name of the column; one that another column has is ASDF_ERR_INVALID_ARGUMENT
/// @param code      what the text is: ASDF_STRING, ASDF_JSON, ASDF_FLOAT128 or ASDF_COMPLEX256; another number is
///                  ASDF_ERR_INVALID_ARGUMENT. A text that is no such number, or no JSON, is ASDF_ERR_VALUE_RANGE
/// @param bytes     the texts, UTF-8 (other bytes are ASDF_ERR_ENCODING), which may hold NULs; may be NULL if all are
///                  empty
/// @param size      number of these bytes
/// @param offsets   offsets in the bytes. One below the one before, or outside the bytes, is ASDF_ERR_INVALID_ARGUMENT.
///                  May be NULL if there are no rows
/// @param count     number of offsets, one more than rows; another is ASDF_ERR_INVALID_ARGUMENT
/// @param mask      a byte for each row, not 0 if its text is missing; NULL if none is
/// @param mask_size bytes of the mask; other than there are rows is ASDF_ERR_INVALID_ARGUMENT
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
            _ => return Err(Error::new(Status::InvalidArgument, format!("{code} is not the code of a type of text"))),
        };
        let texts = caller.texts((bytes, size), (offsets, count))?;
        let missing = if mask.is_null() { &[] } else { caller.numbers(mask, mask_size, "mask")? };
        if !mask.is_null() && missing.len() != texts.len() {
            let message = format!("the mask has {mask_size} bytes for {} texts", texts.len());
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let text = |row| match missing.get(row) {
            Some(&missing) if missing != 0 => Ok(None),
            _ => texts.get(row).map(Some),
        };
        let texts: Vec<Option<&str>> = (0..texts.len()).map(text).collect::<Result<_>>()?;
        let texts = texts.into_iter().map(|text| text.map(Cow::Borrowed));
        table.add_texts(name, element_type, texts)
    })
}

/// Says something of a column that is a text.
fn describe(
    caller: &Caller,
    (table, name): (*mut asdf_table, *const c_char),
    (text, length, argument): (*const c_char, usize, &str),
    set: impl FnOnce(&mut ColumnHeader, Option<String>),
) -> Result<()> {
    let name = caller.text(name, "name")?;
    let text = caller.string(text, length, argument)?;
    let text = (!text.is_empty()).then(|| text.to_owned());
    open_to_change(caller, table)?.describe_column(name, |column| set(column, text))
}

/// Sets the unit of a column.
///
/// @param table  the table
/// @param name   name of the column
/// @param unit   the unit in UTF-8, as it is to be spelled; empty for none, and may be NULL then
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

/// Sets what a column holds, in words.
///
/// @param table       the table
/// @param name        name of the column
/// @param description the text in UTF-8; empty for none, and may be NULL then
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

/// Sets how a value of a column is to be shown to people, in the notation of printf or Python.
///
/// @param table  the table
/// @param name   name of the column
/// @param format the format in UTF-8; empty for none, and may be NULL then
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
/// @param meta  what is copied: a node of any tree, with all below it; NULL for none
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

/// Sets the metadata of a table as a whole.
///
/// @param table the table
/// @param meta  what is copied: a node of any tree, with all below it; NULL for none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_set_meta(table: *mut asdf_table, meta: *const asdf_node) -> asdf_status {
    guard(|caller| {
        let meta = caller.options(meta, "meta")?;
        open_to_change(caller, table)?.set_meta(meta)
    })
}

/// Sets the name of a convention that the metadata follow, such as astropy-2.0.
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
