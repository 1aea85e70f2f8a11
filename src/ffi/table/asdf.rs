//! Tables of ASDF files from and to those in memory.
//!
//! # Tables in ASDF files
//!
//! A table in memory is stored at a place of a tree in one of four forms, and read from any of them: columns as the
//! standard has them, columns as astropy has them, an array of records, a mapping of arrays. Numbers keep their type,
//! texts become strings of the length of the longest, masks tell what is missing. What ASDF has no place for (formats,
//! and that texts are JSON or numbers of 128 bits) is noted in the metadata under `__ecsv__`, and taken from there.
//!
//! Of what astropy stores in its tables, quantities become columns with units, times the values of their format, spans
//! of time the columns `name.jd1` and `name.jd2`, and columns of records a column for each field, `name.field`. What
//! they are besides is in the metadata of the table, under `__serialized_columns__`, as in ECSV.
//!
//! ```c
//! asdf_table *table = NULL;
//! asdf_node_get_table(root, "catalogue", NULL, &table);
//! asdf_node_set_table(other_root, "copy", table, NULL);
//! asdf_table_free(table);
//! ```

use super::look::open;
use crate::error::Result;
use crate::ffi::array::options::array_options;
use crate::ffi::boundary::guard::guard_handle;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_options, asdf_table};
use crate::ffi::node::write::set as set_in;
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Taken, take};
use crate::process::ForkRwLock;
use crate::standard::{Metadata, TableForm, TableReadOptions, TableWriteOptions};
use std::ffi::c_char;

/// A table of the standard: an array for each column.
pub const ASDF_TABLE_FORM_STANDARD: i32 = 0;
/// What astropy writes of its tables: the same columns.
pub const ASDF_TABLE_FORM_ASTROPY: i32 = 1;
/// An array of records: names and values only, none missing.
pub const ASDF_TABLE_FORM_RECORDS: i32 = 2;
/// A mapping of arrays, or of quantities where there is a unit.
pub const ASDF_TABLE_FORM_ARRAYS: i32 = 3;

/// Reads the table at a place into memory: one of the standard or of astropy in whatever version, an array of records,
/// or a mapping of arrays, quantities and columns. Its metadata are places in the tree of the file, unless the options
/// say otherwise. Units are spelled as astropy prints them: "mag(AB)" for astropy's magunit of "AB". A unit or another
/// text with a tag that is not known is ASDF_ERR_UNSUPPORTED.
///
/// Anything else is ASDF_ERR_WRONG_TYPE, a table without what it must have, with two columns of one name or with
/// columns of different length ASDF_ERR_TAG_CONTENT, a column that is no array (sky coordinates, places on Earth)
/// ASDF_ERR_UNSUPPORTED, and strides by which a column is much larger than its block ASDF_ERR_LIMIT. So is a table that
/// takes more memory than its blocks have bytes in the file and the limit ASDF_OPTION_LIMIT_TABLE_BYTES (with which the
/// file was opened) together. Besides the table, memory holds at most some 40 MiB of a decoded block whose columns lie
/// in row order.
///
/// @param node    where the path begins
/// @param path    the path
/// @param options how to read, or NULL
/// @param table   gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_table(
    node: *const asdf_node,
    path: *const c_char,
    options: *const asdf_options,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        let options = take(caller, options, "asdf_node_get_table")?;
        let (node, path) = (caller.handle(node, "node")?, caller.text(path, "path")?);
        Ok(ForkRwLock::new(node.table(path, &read_options(&options))?))
    })
}

/// Stores a table at a place. Numbers are not copied: the file keeps what the table holds now until it is written,
/// whatever becomes of the handle. Metadata are copied with the arrays in them.
///
/// Cells of different length, and what the form has no place for, are ASDF_ERR_UNSUPPORTED; a text that ends with NUL,
/// which does not show in a string of fixed length, is ASDF_ERR_VALUE_RANGE. The message names the column.
///
/// @param node    where the path begins
/// @param path    the path
/// @param table   the table
/// @param options how to store it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_table(
    node: *mut asdf_node,
    path: *const c_char,
    table: *const asdf_table,
    options: *const asdf_options,
) -> asdf_status {
    set_in(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_table")?;
        let table = open(caller, table)?.clone();
        node.set_table(path, &table, &write_options(&options)?)
    })
}

fn read_options(options: &Taken) -> TableReadOptions {
    TableReadOptions {
        leave_out: options.flag(ASDF_OPTION_LEAVE_OUT, false),
        metadata: if options.flag(ASDF_OPTION_PLAIN_METADATA, false) { Metadata::Plain } else { Metadata::Kept },
        threads: options.threads(),
    }
}

fn write_options(options: &Taken) -> Result<TableWriteOptions> {
    Ok(TableWriteOptions {
        form: match options.constant(ASDF_OPTION_TABLE_FORM) {
            Some(ASDF_TABLE_FORM_ASTROPY) => TableForm::Astropy,
            Some(ASDF_TABLE_FORM_RECORDS) => TableForm::Records,
            Some(ASDF_TABLE_FORM_ARRAYS) => TableForm::Arrays,
            _ => TableForm::Standard,
        },
        leave_out: options.flag(ASDF_OPTION_LEAVE_OUT, false),
        arrays: array_options(options)?,
    })
}
