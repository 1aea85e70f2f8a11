//! Reading ECSV tables.
//!
//! # Reading ECSV
//!
//! A table is read as a whole, or in batches with the memory of one batch. The text may be compressed with gzip or
//! bzip2, and with xz or Zstandard if the library was built with them. Every violation of the format is an error with
//! line and byte offset: nothing is left out, cut or guessed. Irregularities are warnings of the table.
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

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::file_size;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_handle_or_null, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::reserve::GrowingText;
use crate::table::ecsv;
use std::fmt::Write;

use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_buffer, asdf_options, asdf_table, asdf_table_reader};
use crate::ffi::file::callbacks::{CallbackSource, asdf_close_callback, asdf_read_callback};
use crate::ffi::options::choice::{Choice, choice};
use crate::ffi::options::keys::*;
use crate::ffi::options::taken::{Reporting, Taken, both, take};
use crate::process::{ForkMutex, ForkRwLock};
use crate::progress::fail_if_cancelled;
use crate::source::SharedBytes;
use crate::table::Table;
use crate::table::ecsv::{ExternalHeader, Input, NamesPolicy, TableIndex, TableReader};
use std::ffi::{c_char, c_void};
use std::ops::Range;
use std::sync::Arc;

impl Class for asdf_table_reader {
    const TAG: u32 = u32::from_be_bytes(*b"TREA");
    const NAME: &'static str = "asdf_table_reader";
    type Value = ForkMutex<Reporting<TableReader>>;
}

/// Error; with ASDF_OPTION_ECSV_STRICT a warning.
pub const ASDF_COLUMN_NAMES_DEFAULT: i32 = 0;
/// Error.
pub const ASDF_COLUMN_NAMES_REFUSE: i32 = 1;
/// Warning; the names in the header are used.
pub const ASDF_COLUMN_NAMES_WARN: i32 = 2;
/// No warning; the names in the header are used.
pub const ASDF_COLUMN_NAMES_IGNORE: i32 = 3;

pub(crate) const COLUMN_NAMES: Choice<Option<NamesPolicy>> = choice![
    ASDF_COLUMN_NAMES_DEFAULT => None,
    ASDF_COLUMN_NAMES_REFUSE => Some(NamesPolicy::Refuse),
    ASDF_COLUMN_NAMES_WARN => Some(NamesPolicy::Warn),
    ASDF_COLUMN_NAMES_IGNORE => Some(NamesPolicy::Ignore),
];

/// Returns the rows that the options choose.
pub(super) fn rows_in(options: &Taken, usual: Range<u64>) -> Range<u64> {
    let first = options.count(ASDF_OPTION_FIRST_ROW).unwrap_or(usual.start);
    first..options.count(ASDF_OPTION_ROW_COUNT).map_or(usual.end, |count| first.saturating_add(count))
}

fn read_options(options: &Taken) -> Result<ecsv::ReadOptions> {
    let usual = ecsv::ReadOptions::default();
    let header_file = options.file_name(ASDF_OPTION_HEADER_FILE).map(|name| ExternalHeader::Path(name.to_owned()));
    let header_text = options.text(ASDF_OPTION_HEADER_TEXT);
    let header_text = header_text.map(|text| ExternalHeader::Memory(Arc::new(text.as_bytes().to_vec())));
    if header_file.is_some() && header_text.is_some() {
        return Err(both("ASDF_OPTION_HEADER_FILE", "ASDF_OPTION_HEADER_TEXT"));
    }
    let as_text = options.flag(ASDF_OPTION_AS_TEXT, usual.as_text);
    if as_text && header_file.is_some() {
        return Err(both("ASDF_OPTION_AS_TEXT", "ASDF_OPTION_HEADER_FILE"));
    }
    if as_text && header_text.is_some() {
        return Err(both("ASDF_OPTION_AS_TEXT", "ASDF_OPTION_HEADER_TEXT"));
    }
    Ok(ecsv::ReadOptions {
        null_values: options.texts(ASDF_OPTION_NULL_VALUES).unwrap_or_default(),
        columns: options.texts(ASDF_OPTION_COLUMNS),
        rows: rows_in(options, usual.rows),
        index: options.text(ASDF_OPTION_TABLE_INDEX).map(|text| text.parse().map(Arc::new)).transpose()?,
        batch_rows: options.count(ASDF_OPTION_BATCH_ROWS).unwrap_or(usual.batch_rows),
        threads: options.threads(),
        strict: options.flag(ASDF_OPTION_ECSV_STRICT, usual.strict),
        names: COLUMN_NAMES.taken(options, ASDF_OPTION_COLUMN_NAMES).copied().unwrap_or(usual.names),
        trim_quoted: options.flag(ASDF_OPTION_TRIM_QUOTED, usual.trim_quoted),
        external_header: header_file.or(header_text),
        as_text,
        raw_columns: options.flag(ASDF_OPTION_RAW_COLUMNS, usual.raw_columns),
        limits: options.limits(),
    })
}

/// Tests whether bytes are the beginning of an ECSV file, by their first line. Header and rows are not checked.
///
/// @param bytes    the text, possibly compressed: the whole file, or its first few KiB
/// @param size     number of bytes
/// @param buffer   gets the version in the first line; empty if it is not an ECSV file
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
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

/// Reads a table from a file.
///
/// @param path    name of the file
/// @param options options, or NULL for the defaults
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

/// Reads a table from memory.
///
/// @param bytes   the text, possibly compressed
/// @param size    its length in bytes
/// @param options options, or NULL for the defaults
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

/// Makes the index of a table in a file: offsets of records, from which a reader can begin. Several processes then read
/// disjoint ranges of rows of the file, each with the options ASDF_OPTION_TABLE_INDEX, ASDF_OPTION_FIRST_ROW and
/// ASDF_OPTION_ROW_COUNT.
///
/// The text is passed over once, from the first byte to the last, because only so a line feed inside quotes is known.
/// Quotes and line ends alone are looked at: faults of cells are errors when they are read. The index is text, which can
/// be stored and sent to other processes. A reader refuses it with ASDF_ERR_FILE_CHANGED if the file has another size or
/// another beginning.
///
/// Fails with ASDF_ERR_UNSUPPORTED for compressed text, with ASDF_ERR_TRUNCATED if the file ends inside quotes, and like
/// asdf_table_reader_open().
///
/// @param path    name of the file
/// @param step    rows from one offset to the next; 0 for about a thousand offsets; ASDF_ERR_INVALID_ARGUMENT if
///                negative
/// @param options options for reading the table, or NULL for the defaults
/// @param rows    gets the number of rows; may be NULL
/// @param index   gets the index, UTF-8 without a final NUL; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_index(
    path: *const c_char,
    step: i64,
    options: *const asdf_options,
    rows: *mut i64,
    index: *mut *mut asdf_buffer,
) -> asdf_status {
    guard_handle(index, "index", |caller| {
        let path = caller.file_name(path, "path")?;
        let step = u64::try_from(step).map_err(|_| {
            Error::new(
                Status::InvalidArgument,
                format!("the number of rows between offsets is {step}, but must be 0 or more"),
            )
        })?;
        let options = read_options(&take(caller, options, "asdf_table_index")?)?;
        let made = TableIndex::open(path, step, &options)?;
        fail_if_cancelled()?;
        caller.optional_out(rows).put_number(made.row_count());
        let mut text = GrowingText::default();
        // The text remembers a failure.
        let _ = write!(text, "{made}");
        Ok(Arc::new(text.finish()?.into_bytes()) as SharedBytes)
    })
}

/// Opens a file to read its table in batches. Only the header is read.
///
/// @param path    name of the file
/// @param options options, or NULL for the defaults
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

/// Opens a source that the program implements, to read its table in batches. Only the header is read.
///
/// @param read    reads bytes; it is called on the thread that uses the reader
/// @param close   closes the source when the reader is freed; NULL for none. It is not called if this call fails
/// @param user    pointer passed to both callbacks; may be NULL
/// @param length  size of the source in bytes; ASDF_ERR_INVALID_ARGUMENT if negative
/// @param options options, or NULL for the defaults
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

/// Gets a table without rows: the columns to read, with their units, descriptions and metadata.
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

/// Reads the next batch of rows. After a failure other than ASDF_ERR_CANCELLED, every further call fails with the same
/// error.
///
/// Fails with ASDF_ERR_FILE_CHANGED if another program changed the file after it was opened. The batches before are
/// rows of the old file. If that program restored the modification time, only parts of the text are compared.
///
/// @param reader the reader
/// @param table  gets a table of these rows; NULL after the last row (without an error), and on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_next(
    reader: *mut asdf_table_reader,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle_or_null(table, "table", |caller| {
        let mut reader = caller.handle(reader, "reader")?.lock()?;
        Ok(reader.begin("asdf_table_reader_next").next_batch()?.map(ForkRwLock::new))
    })
}

/// Frees a reader. Tables that it returned stay valid.
///
/// @param reader the reader, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_free(reader: *mut asdf_table_reader) {
    guard_silently(|caller| caller.release(reader));
}
