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
use crate::ffi::boundary::arguments::{chosen, chosen_as, new, set, thread_count, unknown_number};
use crate::ffi::boundary::guard::{guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array_options, asdf_node, asdf_table, asdf_table_node_options};
use crate::ffi::node::write::set as set_in;
use crate::process::ForkRwLock;
use crate::standard::{Metadata, TableForm, TableReadOptions, TableWriteOptions};
use std::ffi::c_char;

impl Class for asdf_table_node_options {
    const TAG: u32 = u32::from_be_bytes(*b"OTNO");
    const NAME: &'static str = "asdf_table_node_options";
    type Value = ForkRwLock<TableNodeChoices>;
}

/// What an `asdf_table_node_options` holds.
#[derive(Clone, Default)]
pub struct TableNodeChoices {
    read: TableReadOptions,
    write: TableWriteOptions,
}

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
/// Anything else is ASDF_ERR_WRONG_TYPE, a table without what it must have, with two columns of one name or with columns
/// of different length ASDF_ERR_TAG_CONTENT, a column that is no array (sky coordinates, places on Earth)
/// ASDF_ERR_UNSUPPORTED, and strides by which a column is much larger than its block ASDF_ERR_LIMIT. So is a table that
/// takes more memory than its blocks have bytes in the file and ASDF_LIMIT_TABLE_BYTES (of the file's open options)
/// together. Besides the table, memory holds at most some 40 MiB of a decoded block whose columns lie in row order.
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
    options: *const asdf_table_node_options,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        let (node, path) = (caller.handle(node, "node")?, caller.text(path, "path")?);
        Ok(ForkRwLock::new(node.table(path, &chosen(caller, options)?.read)?))
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
    options: *const asdf_table_node_options,
) -> asdf_status {
    set_in(node, path, |caller, node, path| {
        let table = open(caller, table)?.clone();
        node.set_table(path, &table, &chosen(caller, options)?.write)
    })
}

/// Makes options for tables in ASDF files: the form of the standard, arrays with blocks of their own, metadata left
/// where they are, nothing left out.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_node_options_new(options: *mut *mut asdf_table_node_options) -> asdf_status {
    new(options)
}

/// Sets what a table becomes that is stored.
///
/// @param options the options
/// @param form    ASDF_TABLE_FORM_STANDARD (the default) or another; an unknown one is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_node_options_set_form(
    options: *mut asdf_table_node_options,
    form: i32,
) -> asdf_status {
    set(options, |_, choices| {
        choices.write.form = form_of(form)?;
        Ok(())
    })
}

fn form_of(form: i32) -> Result<TableForm> {
    match form {
        ASDF_TABLE_FORM_STANDARD => Ok(TableForm::Standard),
        ASDF_TABLE_FORM_ASTROPY => Ok(TableForm::Astropy),
        ASDF_TABLE_FORM_RECORDS => Ok(TableForm::Records),
        ASDF_TABLE_FORM_ARRAYS => Ok(TableForm::Arrays),
        _ => Err(unknown_number("ASDF_TABLE_FORM_", form)),
    }
}

/// Sets how each array of a table is stored: where, compressed how, in which byte order. What these options say of
/// memory (order, strides, borrowing) does not matter.
///
/// @param options the options
/// @param arrays  options of arrays, which are copied; NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_node_options_set_arrays(
    options: *mut asdf_table_node_options,
    arrays: *const asdf_array_options,
) -> asdf_status {
    set(options, |caller, choices| {
        choices.write.arrays = chosen_as(caller, arrays, "arrays")?.options;
        Ok(())
    })
}

/// Sets whether something may be left out rather than be an error: units, descriptions, formats and metadata where the
/// form has no place for them, and columns that are no arrays or have units of unknown kinds, of which the table then
/// warns.
///
/// @param options   the options
/// @param leave_out 1 to leave it out, 0 (the default) for an error
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_node_options_set_leave_out(
    options: *mut asdf_table_node_options,
    leave_out: i32,
) -> asdf_status {
    set(options, |_, choices| {
        choices.read.leave_out = leave_out != 0;
        choices.write.leave_out = leave_out != 0;
        Ok(())
    })
}

/// Sets whether the metadata of a table that is read are copied and made plain, as other formats can carry them: lists
/// for arrays, texts for what has a tag of ASDF, and what they lead to for references. Units are spelled as those of
/// columns. The tags of other texts are noted in the metadata under `__asdf__/tags`, by path. An array that lacks
/// elements is then ASDF_ERR_MASKED, a circle ASDF_ERR_REFERENCE_CYCLE, a unit of an unknown kind ASDF_ERR_UNSUPPORTED.
///
/// @param options the options
/// @param plain   1 to make them plain, 0 (the default) to leave them where they are
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_node_options_set_plain_metadata(
    options: *mut asdf_table_node_options,
    plain: i32,
) -> asdf_status {
    set(options, |_, choices| {
        choices.read.metadata = if plain != 0 { Metadata::Plain } else { Metadata::Kept };
        Ok(())
    })
}

/// Sets with how many threads compressed columns may be read.
///
/// @param options the options
/// @param threads the most threads, that of the caller included; 1 is the default, less is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_node_options_set_threads(
    options: *mut asdf_table_node_options,
    threads: i32,
) -> asdf_status {
    set(options, |_, choices| {
        choices.read.threads = thread_count(threads)?;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_node_options_free(options: *mut asdf_table_node_options) {
    guard_silently(|caller| caller.release(options));
}
