//! Writing tables as ECSV.
//!
//! # Writing ECSV
//!
//! A table is written as text that astropy and other programs read, as a whole or in batches. The file gets its name
//! when it is complete; until then an existing file of that name stays unchanged. An empty field means a missing cell;
//! ASDF_OPTION_EMPTY_STRINGS selects how empty strings are written.
//!
//! ```c
//! asdf_table_writer *writer = NULL;
//! asdf_table_writer_create("events.ecsv.gz", batch, NULL, &writer);   // the columns of the first batch
//! do asdf_table_writer_append(writer, batch); while (next(batch));
//! asdf_table_writer_finish(writer);
//! asdf_table_writer_free(writer);
//! ```

use super::look::open;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_table, asdf_table_writer};
use crate::ffi::options::choice::{Choice, choice};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Reporting, Taken, take};
use crate::process::ForkMutex;
use crate::standard::NodeTableWriter;
use crate::table::Delimiter;
use crate::table::ecsv::{self, EmptyStrings, JsonNumbers, TableWriter, TextCompression};
use std::ffi::c_char;

/// A writer of a table in batches.
pub(crate) enum BatchWriter {
    Ecsv(TableWriter),
    Node(Box<NodeTableWriter>),
}

impl Class for asdf_table_writer {
    const TAG: u32 = u32::from_be_bytes(*b"TWRI");
    const NAME: &'static str = "asdf_table_writer";
    type Value = ForkMutex<Reporting<BatchWriter>>;
}

/// As in the text that the table was read from, otherwise blanks.
pub const ASDF_DELIMITER_SAME: i32 = 0;
/// Blanks.
pub const ASDF_DELIMITER_SPACE: i32 = 1;
/// Commas.
pub const ASDF_DELIMITER_COMMA: i32 = 2;

/// By the end of the file name: gzip for .gz, bzip2 for .bz2, otherwise none.
pub const ASDF_TEXT_COMPRESSION_BY_SUFFIX: i32 = 0;
/// None, for any file name.
pub const ASDF_TEXT_COMPRESSION_NONE: i32 = 1;
/// gzip.
pub const ASDF_TEXT_COMPRESSION_GZIP: i32 = 2;
/// bzip2.
pub const ASDF_TEXT_COMPRESSION_BZIP2: i32 = 3;

/// Mark columns whose first rows have an empty string; in other columns it is an error.
pub const ASDF_EMPTY_STRINGS_MARK: i32 = 0;
/// Mark all columns of strings.
pub const ASDF_EMPTY_STRINGS_MARK_ALL: i32 = 1;
/// Write empty strings as missing cells.
pub const ASDF_EMPTY_STRINGS_MISSING: i32 = 2;
/// Empty strings are an error.
pub const ASDF_EMPTY_STRINGS_REFUSE: i32 = 3;

/// As NaN, Infinity and -Infinity.
pub const ASDF_JSON_NUMBERS_NAMES: i32 = 0;
/// As null, which readers take as missing elements.
pub const ASDF_JSON_NUMBERS_NULL: i32 = 1;

pub(crate) const DELIMITERS: Choice<Option<Delimiter>> = choice![
    ASDF_DELIMITER_SAME => None,
    ASDF_DELIMITER_SPACE => Some(Delimiter::Space),
    ASDF_DELIMITER_COMMA => Some(Delimiter::Comma),
];

pub(crate) const TEXT_COMPRESSIONS: Choice<TextCompression> = choice![
    ASDF_TEXT_COMPRESSION_BY_SUFFIX => TextCompression::BySuffix,
    ASDF_TEXT_COMPRESSION_NONE => TextCompression::None,
    ASDF_TEXT_COMPRESSION_GZIP => TextCompression::Gzip,
    ASDF_TEXT_COMPRESSION_BZIP2 => TextCompression::Bzip2,
];

pub(crate) const EMPTY_STRINGS: Choice<EmptyStrings> = choice![
    ASDF_EMPTY_STRINGS_MARK => EmptyStrings::MarkColumns,
    ASDF_EMPTY_STRINGS_MARK_ALL => EmptyStrings::MarkAllColumns,
    ASDF_EMPTY_STRINGS_MISSING => EmptyStrings::Missing,
    ASDF_EMPTY_STRINGS_REFUSE => EmptyStrings::Refuse,
];

pub(crate) const JSON_NUMBERS: Choice<JsonNumbers> = choice![
    ASDF_JSON_NUMBERS_NAMES => JsonNumbers::Names,
    ASDF_JSON_NUMBERS_NULL => JsonNumbers::Null,
];

fn write_options(options: &Taken) -> ecsv::WriteOptions {
    let usual = ecsv::WriteOptions::default();
    ecsv::WriteOptions {
        delimiter: DELIMITERS.taken(options, ASDF_OPTION_DELIMITER).copied().unwrap_or(usual.delimiter),
        compression: TEXT_COMPRESSIONS
            .taken(options, ASDF_OPTION_TEXT_COMPRESSION)
            .copied()
            .unwrap_or(usual.compression),
        empty_strings: EMPTY_STRINGS.taken(options, ASDF_OPTION_EMPTY_STRINGS).copied().unwrap_or(usual.empty_strings),
        json_numbers: JSON_NUMBERS.taken(options, ASDF_OPTION_JSON_NUMBERS).copied().unwrap_or(usual.json_numbers),
        replace: options.flag(ASDF_OPTION_REPLACE, usual.replace),
        durable: options.flag(ASDF_OPTION_DURABLE, usual.durable),
        threads: options.threads(),
    }
}

/// Writes a table to a file, which gets its name when it is complete. After a failure an existing file stays unchanged;
/// after ASDF_ERR_NOT_DURABLE the new file has the name, and only waiting until the name is on disk failed. The
/// permissions of an existing file are kept, and a symbolic link is followed. Pipes and character devices are written
/// to.
///
/// Metadata that are nodes of an ASDF file become plain, as with ASDF_OPTION_PLAIN_METADATA. Objects of astropy in them
/// stay objects.
///
/// @param table   the table; ASDF_ERR_UNSUPPORTED for arrays of complex numbers; ASDF_ERR_VALUE_RANGE for text that is
///                not the JSON value or number of its column type
/// @param path    name of the file; ASDF_ERR_FILE_EXISTS if it exists, unless ASDF_OPTION_REPLACE is 1
/// @param options options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_write_ecsv(
    table: *const asdf_table,
    path: *const c_char,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_table_write_ecsv")?;
        let options = write_options(&options);
        let path = caller.file_name(path, "path")?;
        let table = open(caller, table)?;
        crate::table::ecsv::write(path, &table.with_plain_metadata()?, &options)
    })
}

/// Starts writing a table in batches.
///
/// @param path    name of the file; it gets this name when it is finished. ASDF_ERR_FILE_EXISTS if a file of this name
///                exists now or then, unless ASDF_OPTION_REPLACE is 1
/// @param table   table with the columns, their properties and the metadata; its rows are not written
/// @param options options, or NULL for the defaults
/// @param writer  gets the writer; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_writer_create(
    path: *const c_char,
    table: *const asdf_table,
    options: *const asdf_options,
    writer: *mut *mut asdf_table_writer,
) -> asdf_status {
    guard_handle(writer, "writer", |caller| {
        let taken = take(caller, options, "asdf_table_writer_create")?;
        let options = write_options(&taken);
        let path = caller.file_name(path, "path")?;
        let table = open(caller, table)?;
        let writer = TableWriter::create(path, table.with_plain_metadata()?.header(), &options)?;
        Ok(ForkMutex::new(Reporting::new(BatchWriter::Ecsv(writer), &taken)))
    })
}

/// Appends the rows of a table. For writers of asdf_table_writer_create() and asdf_node_begin_table().
///
/// @param writer the writer; ASDF_ERR_CLOSED if it is finished
/// @param table  the rows. The columns must have the names, types and order of the table that the writer was created
///               with; otherwise the call fails with ASDF_ERR_INVALID_ARGUMENT and writes nothing. After
///               ASDF_ERR_CANCELLED some rows are written; appending the same table again writes the others. After any
///               other failure the writer can only be freed
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_writer_append(
    writer: *mut asdf_table_writer,
    table: *const asdf_table,
) -> asdf_status {
    guard(|caller| {
        let writer = caller.handle(writer, "writer")?;
        let table = open(caller, table)?;
        match writer.lock()?.begin("asdf_table_writer_append") {
            BatchWriter::Ecsv(writer) => writer.append(&table),
            BatchWriter::Node(writer) => writer.append(&table),
        }
    })
}

/// Writes the remaining data and gives the file its name. A writer of asdf_node_begin_table() stores the table in the
/// tree.
///
/// @param writer the writer; ASDF_ERR_CLOSED if it is finished
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_writer_finish(writer: *mut asdf_table_writer) -> asdf_status {
    guard(|caller| {
        let writer = caller.handle(writer, "writer")?;
        match writer.lock()?.begin("asdf_table_writer_finish") {
            BatchWriter::Ecsv(writer) => writer.finish(),
            BatchWriter::Node(writer) => writer.finish(),
        }
    })
}

/// Frees a writer. If it is not finished, no new file remains, and nothing is stored in a tree.
///
/// @param writer the writer, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_writer_free(writer: *mut asdf_table_writer) {
    guard_silently(|caller| caller.release(writer));
}
