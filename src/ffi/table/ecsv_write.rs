//! Writing tables as ECSV.
//!
//! # Writing ECSV
//!
//! A table is written as text that astropy and others read, as a whole or batch by batch. The file gets its name when
//! all is written; until then what had the name before stays as it was. An empty field means a missing cell, so what
//! becomes of empty strings is told by asdf_ecsv_write_options_set_empty_strings().
//!
//! ```c
//! asdf_table_writer *writer = NULL;
//! asdf_table_writer_create("events.ecsv.gz", batch, NULL, &writer);   // the columns of the first batch
//! do asdf_table_writer_append(writer, batch); while (next(batch));
//! asdf_table_writer_finish(writer);
//! asdf_table_writer_free(writer);
//! ```

use super::look::open;
use crate::ffi::boundary::arguments::{chosen, new, set, unknown_number};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ecsv_write_options, asdf_table, asdf_table_writer};
use crate::process::{ForkMutex, ForkRwLock};
use crate::table::Delimiter;
use crate::table::ecsv::{self, EmptyStrings, JsonNumbers, TableWriter, TextCompression};
use std::ffi::c_char;

impl Class for asdf_ecsv_write_options {
    const TAG: u32 = u32::from_be_bytes(*b"OEWR");
    const NAME: &'static str = "asdf_ecsv_write_options";
    type Value = ForkRwLock<ecsv::WriteOptions>;
}

impl Class for asdf_table_writer {
    const TAG: u32 = u32::from_be_bytes(*b"TWRI");
    const NAME: &'static str = "asdf_table_writer";
    type Value = ForkMutex<TableWriter>;
}

/// As in the text that the table was read from, else blanks.
pub const ASDF_DELIMITER_SAME: i32 = 0;
/// Blanks.
pub const ASDF_DELIMITER_SPACE: i32 = 1;
/// Commas.
pub const ASDF_DELIMITER_COMMA: i32 = 2;

/// As the name of the file ends: gzip for .gz, bzip2 for .bz2, else none.
pub const ASDF_TEXT_COMPRESSION_BY_SUFFIX: i32 = 0;
/// None, whatever the name.
pub const ASDF_TEXT_COMPRESSION_NONE: i32 = 1;
/// gzip.
pub const ASDF_TEXT_COMPRESSION_GZIP: i32 = 2;
/// bzip2.
pub const ASDF_TEXT_COMPRESSION_BZIP2: i32 = 3;

/// Mark columns whose first rows have one; others refuse it.
pub const ASDF_EMPTY_STRINGS_MARK: i32 = 0;
/// Mark all columns of strings.
pub const ASDF_EMPTY_STRINGS_MARK_ALL: i32 = 1;
/// They are written as missing ones.
pub const ASDF_EMPTY_STRINGS_MISSING: i32 = 2;
/// They are an error.
pub const ASDF_EMPTY_STRINGS_REFUSE: i32 = 3;

/// As NaN, Infinity and -Infinity.
pub const ASDF_JSON_NUMBERS_NAMES: i32 = 0;
/// As null, which makes them missing elements.
pub const ASDF_JSON_NUMBERS_NULL: i32 = 1;

/// Makes options for writing ECSV.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_write_options_new(options: *mut *mut asdf_ecsv_write_options) -> asdf_status {
    new(options)
}

/// Sets what separates the fields.
///
/// @param options   the options
/// @param delimiter one of ASDF_DELIMITER_...; another number is ASDF_ERR_INVALID_ARGUMENT. The default is
///                  ASDF_DELIMITER_SAME
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_write_options_set_delimiter(
    options: *mut asdf_ecsv_write_options,
    delimiter: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.delimiter = match delimiter {
            ASDF_DELIMITER_SAME => None,
            ASDF_DELIMITER_SPACE => Some(Delimiter::Space),
            ASDF_DELIMITER_COMMA => Some(Delimiter::Comma),
            _ => return Err(unknown_number("ASDF_DELIMITER_", delimiter)),
        };
        Ok(())
    })
}

/// Sets how the whole text is compressed.
///
/// @param options     the options
/// @param compression one of ASDF_TEXT_COMPRESSION_...; another number is ASDF_ERR_INVALID_ARGUMENT. The default is
///                    ASDF_TEXT_COMPRESSION_BY_SUFFIX, with which the suffixes of other compressions are
///                    ASDF_ERR_UNSUPPORTED when a table is written
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_write_options_set_compression(
    options: *mut asdf_ecsv_write_options,
    compression: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.compression = match compression {
            ASDF_TEXT_COMPRESSION_BY_SUFFIX => TextCompression::BySuffix,
            ASDF_TEXT_COMPRESSION_NONE => TextCompression::None,
            ASDF_TEXT_COMPRESSION_GZIP => TextCompression::Gzip,
            ASDF_TEXT_COMPRESSION_BZIP2 => TextCompression::Bzip2,
            _ => return Err(unknown_number("ASDF_TEXT_COMPRESSION_", compression)),
        };
        Ok(())
    })
}

/// Sets what becomes of empty strings that are not missing. A column that is marked, as astropy marks masked columns,
/// has a column of truth values beside it that tells what is missing.
///
/// @param options       the options
/// @param empty_strings one of ASDF_EMPTY_STRINGS_...; another number is ASDF_ERR_INVALID_ARGUMENT. The default is
///                      ASDF_EMPTY_STRINGS_MARK
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_write_options_set_empty_strings(
    options: *mut asdf_ecsv_write_options,
    empty_strings: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.empty_strings = match empty_strings {
            ASDF_EMPTY_STRINGS_MARK => EmptyStrings::MarkColumns,
            ASDF_EMPTY_STRINGS_MARK_ALL => EmptyStrings::MarkAllColumns,
            ASDF_EMPTY_STRINGS_MISSING => EmptyStrings::Missing,
            ASDF_EMPTY_STRINGS_REFUSE => EmptyStrings::Refuse,
            _ => return Err(unknown_number("ASDF_EMPTY_STRINGS_", empty_strings)),
        };
        Ok(())
    })
}

/// Sets how infinite numbers and NaN are written where they are elements of arrays.
///
/// @param options      the options
/// @param json_numbers one of ASDF_JSON_NUMBERS_...; another number is ASDF_ERR_INVALID_ARGUMENT. The default is
///                     ASDF_JSON_NUMBERS_NAMES
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_write_options_set_json_numbers(
    options: *mut asdf_ecsv_write_options,
    json_numbers: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.json_numbers = match json_numbers {
            ASDF_JSON_NUMBERS_NAMES => JsonNumbers::Names,
            ASDF_JSON_NUMBERS_NULL => JsonNumbers::Null,
            _ => return Err(unknown_number("ASDF_JSON_NUMBERS_", json_numbers)),
        };
        Ok(())
    })
}

/// Sets whether to wait until the file and its name are on the disk.
///
/// @param options the options
/// @param durable 1 (the default) to wait, 0 not to
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_write_options_set_durable(
    options: *mut asdf_ecsv_write_options,
    durable: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.durable = durable != 0;
        Ok(())
    })
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_write_options_free(options: *mut asdf_ecsv_write_options) {
    guard_silently(|caller| caller.release(options));
}

/// Writes a table to a file, which gets its name when all is written. If anything fails, what had the name before keeps
/// it; after ASDF_ERR_NOT_DURABLE the file has it, and only waiting for the name failed. Permissions of an existing
/// file are kept, and a symbolic link is followed.
///
/// @param table   the table; arrays of complex numbers are ASDF_ERR_UNSUPPORTED, metadata with tags that are neither
///                local nor YAML's own ASDF_ERR_TREE, and text that is not the JSON or the number that it should be
///                ASDF_ERR_VALUE_RANGE
/// @param path    name of the file
/// @param options how to write, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_write_ecsv(
    table: *const asdf_table,
    path: *const c_char,
    options: *const asdf_ecsv_write_options,
) -> asdf_status {
    guard(|caller| {
        let options = chosen(caller, options)?;
        let path = caller.file_name(path, "path")?;
        let table = open(caller, table)?;
        crate::table::ecsv::write(path, &table, &options)
    })
}

/// Begins to write a table batch by batch.
///
/// @param path    name that the file gets when it is finished
/// @param table   tells the columns, and what is said of them and of the table; its rows are not written
/// @param options how to write, or NULL
/// @param writer  gets the writer; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_writer_create(
    path: *const c_char,
    table: *const asdf_table,
    options: *const asdf_ecsv_write_options,
    writer: *mut *mut asdf_table_writer,
) -> asdf_status {
    guard_handle(writer, "writer", |caller| {
        let options = chosen(caller, options)?;
        let path = caller.file_name(path, "path")?;
        let table = open(caller, table)?;
        Ok(ForkMutex::new(TableWriter::create(path, table.header(), &options)?))
    })
}

/// Appends the rows of a table.
///
/// @param writer the writer; one that was finished is ASDF_ERR_CLOSED
/// @param table  the rows, in columns of the same names and types in the same order as those of the table that the
///               writer was made with; others are ASDF_ERR_INVALID_ARGUMENT, and nothing is written. After any other
///               failure the writer can only be freed
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_writer_append(
    writer: *mut asdf_table_writer,
    table: *const asdf_table,
) -> asdf_status {
    guard(|caller| {
        let writer = caller.handle(writer, "writer")?;
        let table = open(caller, table)?;
        writer.lock()?.append(&table)
    })
}

/// Writes what is left and gives the file its name.
///
/// @param writer the writer; one that was finished is ASDF_ERR_CLOSED
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_writer_finish(writer: *mut asdf_table_writer) -> asdf_status {
    guard(|caller| {
        let writer = caller.handle(writer, "writer")?;
        writer.lock()?.finish()
    })
}

/// Gives up a writer. If it was not finished, it leaves no file behind.
///
/// @param writer the writer, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_writer_free(writer: *mut asdf_table_writer) {
    guard_silently(|caller| caller.release(writer));
}
