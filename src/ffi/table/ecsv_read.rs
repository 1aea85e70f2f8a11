//! Reading ECSV tables.
//!
//! # Reading ECSV
//!
//! A table is read as a whole, or batch by batch in the memory of one batch. The text may be compressed: by gzip, by
//! bzip2, and by xz or Zstandard where the library was built with these. Whatever is wrong with it is an error that
//! tells line and byte, and nothing is left out, cut or filled in; what is odd is a warning of the table.
//!
//! ```c
//! asdf_table_reader *reader = NULL;
//! asdf_table *batch = NULL;
//! asdf_table_reader_open("gaia.ecsv.gz", NULL, &reader);
//! while (asdf_table_reader_next(reader, &batch) == ASDF_OK && batch) {
//!     use(batch);
//!     asdf_table_free(batch);
//! }
//! asdf_table_reader_free(reader);
//! ```

use crate::error::Result;
use crate::ffi::boundary::arguments::file_size;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_optional_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::table::ecsv;

use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_table, asdf_table_reader};
use crate::ffi::file::lent::CallbackSource;
use crate::ffi::file::open::{asdf_close_callback, asdf_read_callback};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Reporting, Taken, both, take};
use crate::process::{ForkMutex, ForkRwLock};
use crate::table::Table;
use crate::table::ecsv::{ExternalHeader, Input, NamesPolicy, TableReader};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

impl Class for asdf_table_reader {
    const TAG: u32 = u32::from_be_bytes(*b"TREA");
    const NAME: &'static str = "asdf_table_reader";
    type Value = ForkMutex<Reporting<TableReader>>;
}

/// The table is refused; in strict reading, there is a warning.
pub const ASDF_COLUMN_NAMES_DEFAULT: i32 = 0;
/// The table is refused.
pub const ASDF_COLUMN_NAMES_REFUSE: i32 = 1;
/// There is a warning, and the names of the header count.
pub const ASDF_COLUMN_NAMES_WARN: i32 = 2;
/// The names of the header count.
pub const ASDF_COLUMN_NAMES_IGNORE: i32 = 3;

fn read_options(options: &Taken) -> Result<ecsv::ReadOptions> {
    let usual = ecsv::ReadOptions::default();
    let first = options.count(ASDF_OPTION_FIRST_ROW).unwrap_or(0);
    let end = options.count(ASDF_OPTION_ROW_COUNT).map_or(u64::MAX, |count| first.saturating_add(count));
    let header_file = options.file_name(ASDF_OPTION_HEADER_FILE).map(|name| ExternalHeader::Path(name.to_owned()));
    let header_text = options.text(ASDF_OPTION_HEADER_TEXT);
    let header_text = header_text.map(|text| ExternalHeader::Memory(Arc::new(text.as_bytes().to_vec())));
    if header_file.is_some() && header_text.is_some() {
        return Err(both("ASDF_OPTION_HEADER_FILE", "ASDF_OPTION_HEADER_TEXT"));
    }
    Ok(ecsv::ReadOptions {
        null_values: options.texts(ASDF_OPTION_NULL_VALUES).unwrap_or_default(),
        columns: options.texts(ASDF_OPTION_COLUMNS),
        rows: first..end,
        batch_rows: options.count(ASDF_OPTION_BATCH_ROWS).unwrap_or(usual.batch_rows),
        threads: options.threads(),
        strict: options.flag(ASDF_OPTION_ECSV_STRICT, usual.strict),
        names: match options.constant(ASDF_OPTION_COLUMN_NAMES) {
            Some(ASDF_COLUMN_NAMES_REFUSE) => Some(NamesPolicy::Refuse),
            Some(ASDF_COLUMN_NAMES_WARN) => Some(NamesPolicy::Warn),
            Some(ASDF_COLUMN_NAMES_IGNORE) => Some(NamesPolicy::Ignore),
            _ => None,
        },
        trim_quoted: options.flag(ASDF_OPTION_TRIM_QUOTED, usual.trim_quoted),
        external_header: header_file.or(header_text),
        limits: options.limits(),
    })
}

/// Tells whether bytes are the beginning of an ECSV file, by its first line. Neither header nor rows have to be right.
///
/// @param bytes    the text, or the compressed text: all of it, or a few KiB
/// @param size     how many bytes these are
/// @param buffer   gets the version that the first line declares; empty if this is something else
/// @param capacity bytes of the buffer
/// @param needed   gets the length of the version; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_probe(
    bytes: *const c_void,
    size: usize,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let bytes = caller.copied_bytes(bytes, size, "bytes")?;
        out.put(&crate::table::ecsv::probe(&mut Input::of_memory(bytes)?)?.unwrap_or_default())
    })
}

/// Reads the table in a file.
///
/// @param path    name of the file
/// @param options how to read, or NULL
/// @param table   gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_read_ecsv(
    path: *const c_char,
    options: *const asdf_options,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        let options = take(caller, options, "asdf_table_read_ecsv")?;
        let options = read_options(&options)?;
        Ok(ForkRwLock::new(crate::table::ecsv::read(caller.file_name(path, "path")?, &options)?))
    })
}

/// Reads a table in memory.
///
/// @param bytes   the text, or the compressed text
/// @param size    its length in bytes
/// @param options how to read, or NULL
/// @param table   gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_read_ecsv_memory(
    bytes: *const c_void,
    size: usize,
    options: *const asdf_options,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        let options = take(caller, options, "asdf_table_read_ecsv_memory")?;
        let options = read_options(&options)?;
        let bytes = caller.copied_bytes(bytes, size, "bytes")?;
        Ok(ForkRwLock::new(TableReader::of_memory(bytes, &options)?.read_all()?))
    })
}

/// Opens the table in a file, to be read batch by batch. Only its header is read.
///
/// @param path    name of the file
/// @param options how to read, or NULL
/// @param reader  gets the reader; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_open(
    path: *const c_char,
    options: *const asdf_options,
    reader: *mut *mut asdf_table_reader,
) -> asdf_status {
    guard_handle(reader, "reader", |caller| {
        let taken = take(caller, options, "asdf_table_reader_open")?;
        let options = read_options(&taken)?;
        let reader = TableReader::open(caller.file_name(path, "path")?, &options)?;
        Ok(ForkMutex::new(Reporting::new(reader, &taken)))
    })
}

/// Opens a table whose bytes a callback gives, to be read batch by batch. Only its header is read.
///
/// @param read    gives bytes; called on the thread that uses the reader
/// @param close   releases what read reads from, when the reader is freed; NULL for nothing. If opening fails, it is
///                not called
/// @param user    given to both; may be NULL
/// @param length  bytes of the source; a negative number is ASDF_ERR_INVALID_ARGUMENT
/// @param options how to read, or NULL
/// @param reader  gets the reader; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_open_source(
    read: asdf_read_callback,
    close: asdf_close_callback,
    user: *mut c_void,
    length: i64,
    options: *const asdf_options,
    reader: *mut *mut asdf_table_reader,
) -> asdf_status {
    guard_handle(reader, "reader", |caller| {
        let taken = take(caller, options, "asdf_table_reader_open_source")?;
        let options = read_options(&taken)?;
        if read.is_none() {
            return Err(null_pointer("read"));
        }
        let source = Arc::new(CallbackSource::new(read, close, user, file_size(length, "length")?));
        let opened = TableReader::of_source(source.clone(), &options)?;
        source.own();
        Ok(ForkMutex::new(Reporting::new(opened, &taken)))
    })
}

/// Gives a table without rows: the columns that are read, with their units, descriptions and metadata.
///
/// @param reader the reader
/// @param table  gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_header(
    reader: *const asdf_table_reader,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        let reader = caller.handle(reader, "reader")?.lock()?;
        let header = Table::without_rows(reader.header().clone())?;
        Ok(ForkRwLock::new(header.with_warnings(reader.warnings().to_vec())))
    })
}

/// Reads the next rows.
///
/// @param reader the reader
/// @param table  gets a table of these rows; NULL without an error behind the last one. What failed once fails again
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_next(
    reader: *mut asdf_table_reader,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_optional_handle(table, "table", |caller| {
        let mut reader = caller.handle(reader, "reader")?.lock()?;
        Ok(reader.begin("asdf_table_reader_next").next_batch()?.map(ForkRwLock::new))
    })
}

/// Gives up a reader. Tables that it gave stay.
///
/// @param reader the reader, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_free(reader: *mut asdf_table_reader) {
    guard_silently(|caller| caller.release(reader));
}
