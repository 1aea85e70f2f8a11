//! Tables in ASDF files: reading into memory and storing.
//!
//! # Tables in ASDF files
//!
//! A table is stored in a tree in one of four forms, and can be read from each: columns of the standard, columns of
//! astropy, an array of records, or a mapping of arrays. Numbers keep their type, texts become strings of the length of
//! the longest one, and masks mark missing elements. Information that ASDF has no place for (formats, and the types of
//! texts that are JSON or 128-bit numbers) is stored in the metadata under `__ecsv__`, and read from there.
//!
//! Special columns of astropy are read as plain columns: quantities as columns with units, times as the values of their
//! format, time differences as the columns `name.jd1` and `name.jd2`, and records as one column for each field,
//! `name.field`. Their other properties are in the metadata of the table under `__serialized_columns__`, as in ECSV
//! (see Logical columns). Writing such a table restores the objects of astropy.
//!
//! ```c
//! asdf_table *table = NULL;
//! asdf_node_get_table(root, "catalogue", NULL, &table);
//! asdf_node_set_table(other_root, "copy", table, NULL);
//! asdf_table_free(table);
//! ```

use super::ecsv_read::rows_in;
use super::ecsv_write::BatchWriter;
use super::look::open;
use crate::error::Result;
use crate::ffi::array::options::array_options;
use crate::ffi::boundary::guard::guard_handle;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_node, asdf_options, asdf_table, asdf_table_writer};
use crate::ffi::file::options::temporary_files;
use crate::ffi::node::write::set as set_in;
use crate::ffi::options::choice::{Choice, choice};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Reporting, Taken, take};
use crate::process::{ForkMutex, ForkRwLock};
use crate::standard::{Metadata, NodeTableWriter, TableForm, TableReadOptions, TableWriteOptions};
use std::ffi::c_char;

/// The form of astropy if the table has objects of astropy (see Logical columns), and otherwise that of the standard.
pub const ASDF_TABLE_FORM_AUTOMATIC: i32 = 0;
/// A table of the standard: an array for each column.
pub const ASDF_TABLE_FORM_STANDARD: i32 = 1;
/// The form in which astropy writes its tables. Quantities, times and coordinates become objects of astropy.
pub const ASDF_TABLE_FORM_ASTROPY: i32 = 2;
/// An array of records: only names and values, without missing elements.
pub const ASDF_TABLE_FORM_RECORDS: i32 = 3;
/// A mapping of arrays, or of quantities for columns with a unit.
pub const ASDF_TABLE_FORM_ARRAYS: i32 = 4;

pub(crate) const TABLE_FORMS: Choice<TableForm> = choice![
    ASDF_TABLE_FORM_AUTOMATIC => TableForm::Automatic,
    ASDF_TABLE_FORM_STANDARD => TableForm::Standard,
    ASDF_TABLE_FORM_ASTROPY => TableForm::Astropy,
    ASDF_TABLE_FORM_RECORDS => TableForm::Records,
    ASDF_TABLE_FORM_ARRAYS => TableForm::Arrays,
];

/// Reads a table into memory: one of the standard or of astropy in any version, an array of records, or a mapping of
/// arrays, quantities and columns. Its metadata refer to nodes of the file, unless ASDF_OPTION_PLAIN_METADATA is 1.
/// Units keep their text, except magnitudes: "mag(AB)" for astropy's magunit of "AB". Besides the table, the call needs
/// at most about 40 MiB of memory for a decoded block whose columns are in row order.
///
/// ASDF_OPTION_FIRST_ROW and ASDF_OPTION_ROW_COUNT choose rows. Of uncompressed blocks, only their bytes are read.
///
/// Errors:
///
/// - ASDF_ERR_WRONG_TYPE if the node is not a table
/// - ASDF_ERR_TAG_CONTENT if a required part is missing, two columns have the same name, or columns differ in length
/// - ASDF_ERR_UNSUPPORTED if a column does not consist of arrays, or if it, a unit or another text has an unknown tag
/// - ASDF_ERR_LIMIT if strides make a column much larger than its block, or if the table takes more memory than the sum
///   of its stored bytes and ASDF_OPTION_LIMIT_TABLE_BYTES of the file's options
///
/// @param node    node that the path starts from
/// @param path    the path
/// @param options options, or NULL for the defaults
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

/// Stores a table in the tree. Numbers are not copied: the file shares the current content of the table until it is
/// written; later changes of the table or freeing its handle have no effect on it. Metadata and the arrays in them are
/// copied.
///
/// Errors, with the column in the message:
///
/// - ASDF_ERR_UNSUPPORTED for cells of different length, and for information that the form cannot hold
/// - ASDF_ERR_VALUE_RANGE for a text that ends with NUL, because strings of fixed length cannot represent it
/// - ASDF_ERR_INVALID_ARGUMENT for rows without a column
///
/// @param node    node that the path starts from
/// @param path    the path
/// @param table   the table
/// @param options options, or NULL for the defaults
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

/// Begins to store a table in batches, for a table that does not fit in memory. Append batches with
/// asdf_table_writer_append(). asdf_table_writer_finish() stores the table in the tree, and asdf_file_write() or
/// asdf_file_save() writes it. Until then the rows are in a temporary file without a name.
///
/// Each column becomes an array of its own, as with asdf_node_set_table(), and texts get the length of the longest. Two
/// kinds of objects of astropy stay columns that the metadata describe: times whose column does not have their stored
/// form, such as missing times, and columns of records.
///
/// Memory is needed for a batch and 32 MiB. The temporary file takes about as much space as the table: choose its
/// directory with ASDF_OPTION_TEMPORARY_DIRECTORY if that of the system is small or in memory. The table in the tree
/// keeps it until the file is closed.
///
/// ```c
/// asdf_table_writer *writer = NULL;
/// asdf_node_begin_table(root, "catalogue", batch, NULL, &writer);   // the columns of the first batch
/// do asdf_table_writer_append(writer, batch); while (next(batch));
/// asdf_table_writer_finish(writer);
/// asdf_table_writer_free(writer);
/// asdf_file_write(file, "catalogue.asdf", NULL);
/// ```
///
/// Errors, with the column in the message:
///
/// - ASDF_ERR_UNSUPPORTED for ASDF_TABLE_FORM_RECORDS, for Blosc and codecs of the program, and for information that the
///   form cannot hold
/// - ASDF_ERR_INVALID_ARGUMENT for an empty ASDF_OPTION_TEMPORARY_DIRECTORY
/// - of asdf_table_writer_append(): ASDF_ERR_VALUE_RANGE with the row for a text that ends with NUL, ASDF_ERR_NO_SPACE
///
/// @param node    node that the path starts from
/// @param path    the path; the node there is replaced when the writer finishes
/// @param table   table with the columns, their properties and the metadata; its rows are not stored
/// @param options options, or NULL for the defaults
/// @param writer  gets the writer; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_begin_table(
    node: *mut asdf_node,
    path: *const c_char,
    table: *const asdf_table,
    options: *const asdf_options,
    writer: *mut *mut asdf_table_writer,
) -> asdf_status {
    guard_handle(writer, "writer", |caller| {
        let taken = take(caller, options, "asdf_node_begin_table")?;
        let (node, path) = (caller.handle(node, "node")?, caller.text(path, "path")?);
        let header = open(caller, table)?.header().clone();
        let (options, files) = (write_options(&taken)?, temporary_files(&taken));
        let writer = NodeTableWriter::begin(node, path, &header, &options, &files)?;
        Ok(ForkMutex::new(Reporting::new(BatchWriter::Node(Box::new(writer)), &taken)))
    })
}

fn read_options(options: &Taken) -> TableReadOptions {
    let usual = TableReadOptions::default();
    let is_plain = usual.metadata == Metadata::Plain;
    TableReadOptions {
        leave_out: options.flag(ASDF_OPTION_LEAVE_OUT, usual.leave_out),
        metadata: if options.flag(ASDF_OPTION_PLAIN_METADATA, is_plain) { Metadata::Plain } else { Metadata::Kept },
        rows: rows_in(options, usual.rows),
        threads: options.threads(),
    }
}

fn write_options(options: &Taken) -> Result<TableWriteOptions> {
    let usual = TableWriteOptions::default();
    Ok(TableWriteOptions {
        form: TABLE_FORMS.taken(options, ASDF_OPTION_TABLE_FORM).copied().unwrap_or(usual.form),
        leave_out: options.flag(ASDF_OPTION_LEAVE_OUT, usual.leave_out),
        arrays: array_options(options)?,
    })
}
