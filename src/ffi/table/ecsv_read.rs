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

use crate::error::{Error, Status};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_optional_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::handle::null_pointer;
use crate::table::ecsv;

use crate::ffi::boundary::arguments::{chosen, new, set, unknown_number};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_ecsv_read_options, asdf_table, asdf_table_reader};
use crate::ffi::file::lent::CallbackSource;
use crate::ffi::file::open::{asdf_close_callback, asdf_read_callback};
use crate::ffi::file::open_options::set_limit;
use crate::process::{ForkMutex, ForkRwLock};
use crate::table::Table;
use crate::table::ecsv::{ExternalHeader, Input, NamesPolicy, TableReader};
use std::ffi::{c_char, c_void};
use std::sync::Arc;

impl Class for asdf_ecsv_read_options {
    const TAG: u32 = u32::from_be_bytes(*b"OERE");
    const NAME: &'static str = "asdf_ecsv_read_options";
    type Value = ForkRwLock<ecsv::ReadOptions>;
}

impl Class for asdf_table_reader {
    const TAG: u32 = u32::from_be_bytes(*b"TREA");
    const NAME: &'static str = "asdf_table_reader";
    type Value = ForkMutex<TableReader>;
}

/// The table is refused; in strict reading, there is a warning.
pub const ASDF_NAMES_USUAL: i32 = 0;
/// The table is refused.
pub const ASDF_NAMES_REFUSE: i32 = 1;
/// There is a warning, and the names of the header count.
pub const ASDF_NAMES_WARN: i32 = 2;
/// The names of the header count.
pub const ASDF_NAMES_IGNORE: i32 = 3;

/// Makes options for reading ECSV.
///
/// @param options gets the options; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_new(options: *mut *mut asdf_ecsv_read_options) -> asdf_status {
    new(options)
}

/// Adds a text that means a missing cell where it is a whole field, quoted or not, in columns of every type: "null" in
/// files of Gaia. An empty field always means that.
///
/// @param options the options
/// @param text    the text
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_add_null_value(
    options: *mut asdf_ecsv_read_options,
    text: *const c_char,
) -> asdf_status {
    set(options, |caller, options| {
        options.null_values.push(caller.text(text, "text")?.to_owned());
        Ok(())
    })
}

/// Adds a column to those that are read. If none is added, all are. They come in the order of the file.
///
/// @param options the options
/// @param name    name of the column; reading a table without it is ASDF_ERR_NOT_FOUND
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_add_column(
    options: *mut asdf_ecsv_read_options,
    name: *const c_char,
) -> asdf_status {
    set(options, |caller, options| {
        let name = caller.text(name, "name")?.to_owned();
        options.columns.get_or_insert_default().push(name);
        Ok(())
    })
}

/// Sets which rows are read. Those that the table does not have are left out.
///
/// @param options the options
/// @param first   the first row, from 0
/// @param count   how many rows, -1 for all that follow. Another negative number, here or before, is
///                ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_rows(
    options: *mut asdf_ecsv_read_options,
    first: i64,
    count: i64,
) -> asdf_status {
    set(options, |_, options| {
        let start = u64::try_from(first).ok();
        let end = if count == -1 {
            Some(u64::MAX)
        } else {
            start.zip(u64::try_from(count).ok()).map(|(start, count)| start.saturating_add(count))
        };
        options.rows = start.zip(end).map(|(start, end)| start..end).ok_or_else(|| {
            Error::new(Status::InvalidArgument, format!("there are no {count} rows from row {first} on"))
        })?;
        Ok(())
    })
}

/// Sets how many rows a batch has at most.
///
/// @param options the options
/// @param rows    the number of rows; 0 (the default) for as many as take a few MiB
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_batch_rows(
    options: *mut asdf_ecsv_read_options,
    rows: u64,
) -> asdf_status {
    set(options, |_, options| {
        options.batch_rows = rows;
        Ok(())
    })
}

/// Sets how many threads a call may use, that of the program included. They have ended when the call returns.
///
/// @param options the options
/// @param threads the number of threads, 1 by default; a negative one is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_threads(
    options: *mut asdf_ecsv_read_options,
    threads: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.threads = usize::try_from(threads)
            .map_err(|_| Error::new(Status::InvalidArgument, format!("{threads} threads cannot be used")))?;
        Ok(())
    })
}

/// Sets whether to read as APE 6 says it, to the letter: each line of the header begins with "# " and a blank line ends
/// it, fields are separated by single delimiters without blanks around, quotes stand around whole fields only, truth
/// values are True and False, and comments begin in the first column of a line.
///
/// @param options the options
/// @param strict  1 for the letter, 0 (the default) to read what means one thing only
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_strict(
    options: *mut asdf_ecsv_read_options,
    strict: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.strict = strict != 0;
        Ok(())
    })
}

/// Sets what happens if the line of names has other names than the header. If it has more or fewer, that is an error.
///
/// @param options the options
/// @param names   one of ASDF_NAMES_...; another number is ASDF_ERR_INVALID_ARGUMENT. The default is ASDF_NAMES_USUAL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_names(
    options: *mut asdf_ecsv_read_options,
    names: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.names = match names {
            ASDF_NAMES_USUAL => None,
            ASDF_NAMES_REFUSE => Some(NamesPolicy::Refuse),
            ASDF_NAMES_WARN => Some(NamesPolicy::Warn),
            ASDF_NAMES_IGNORE => Some(NamesPolicy::Ignore),
            _ => return Err(unknown_number("ASDF_NAMES_", names)),
        };
        Ok(())
    })
}

/// Sets whether blanks are taken off the ends of quoted fields as well, as astropy does it. What is then empty is
/// missing.
///
/// @param options the options
/// @param trim    1 to take them off, 0 (the default) to keep them
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_trim_quoted(
    options: *mut asdf_ecsv_read_options,
    trim: i32,
) -> asdf_status {
    set(options, |_, options| {
        options.trim_quoted = trim != 0;
        Ok(())
    })
}

/// Takes the header from another file than the rows, in which lines that begin with # before the line of names are
/// comments then.
///
/// @param options the options
/// @param path    name of that file; NULL (the default) for a header before the rows
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_header(
    options: *mut asdf_ecsv_read_options,
    path: *const c_char,
) -> asdf_status {
    set(options, |caller, options| {
        options.external_header = match path.is_null() {
            true => None,
            false => Some(ExternalHeader::Path(caller.file_name(path, "path")?.to_path_buf())),
        };
        Ok(())
    })
}

/// Takes the header from memory; see asdf_ecsv_read_options_set_header().
///
/// @param options the options
/// @param bytes   the text of the header, which is copied
/// @param size    its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_header_memory(
    options: *mut asdf_ecsv_read_options,
    bytes: *const c_void,
    size: usize,
) -> asdf_status {
    set(options, |caller, options| {
        let header = caller.shared_bytes(bytes, size, false, "bytes")?;
        options.external_header = Some(ExternalHeader::Memory(header));
        Ok(())
    })
}

/// Sets how much a table may cost. More than that is ASDF_ERR_LIMIT.
///
/// @param options the options
/// @param limit   one of ASDF_LIMIT_...; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param value   the limit; 0 for the default
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_set_limit(
    options: *mut asdf_ecsv_read_options,
    limit: i32,
    value: u64,
) -> asdf_status {
    set(options, |_, options| set_limit(&mut options.limits, limit, value))
}

/// Frees options.
///
/// @param options the options, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_ecsv_read_options_free(options: *mut asdf_ecsv_read_options) {
    guard_silently(|caller| caller.release(options));
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
        let bytes = caller.shared_bytes(bytes, size, false, "bytes")?;
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
    options: *const asdf_ecsv_read_options,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        let options = chosen(caller, options)?;
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
    options: *const asdf_ecsv_read_options,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        let options = chosen(caller, options)?;
        let bytes = caller.shared_bytes(bytes, size, false, "bytes")?;
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
    options: *const asdf_ecsv_read_options,
    reader: *mut *mut asdf_table_reader,
) -> asdf_status {
    guard_handle(reader, "reader", |caller| {
        let options = chosen(caller, options)?;
        Ok(ForkMutex::new(TableReader::open(caller.file_name(path, "path")?, &options)?))
    })
}

/// Opens a table whose bytes a callback gives, to be read batch by batch. Only its header is read.
///
/// @param read    gives bytes; called on the thread that uses the reader
/// @param close   releases what read reads from, when the reader is freed; NULL for nothing. If opening fails, it is
///                not called
/// @param user    given to both; may be NULL
/// @param length  number of bytes of the source
/// @param options how to read, or NULL
/// @param reader  gets the reader; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_open_source(
    read: asdf_read_callback,
    close: asdf_close_callback,
    user: *mut c_void,
    length: u64,
    options: *const asdf_ecsv_read_options,
    reader: *mut *mut asdf_table_reader,
) -> asdf_status {
    guard_handle(reader, "reader", |caller| {
        let options = chosen(caller, options)?;
        if read.is_none() {
            return Err(null_pointer("read"));
        }
        let source = Arc::new(CallbackSource::new(read, close, user, length));
        let opened = TableReader::of_source(source.clone(), &options)?;
        source.own();
        Ok(ForkMutex::new(opened))
    })
}

/// What is said of the columns that are read, and of the table as a whole: a table with these columns and no rows.
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
        Ok(reader.next_batch()?.map(ForkRwLock::new))
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
