//! Import and export of tables through the C Data and C Stream interfaces of Arrow.
//!
//! # Arrow
//!
//! pyarrow, polars, pandas, DuckDB, nanoarrow for R, Arrow for Julia and many other programs accept a table as a struct
//! array of columns, or as a stream of such arrays. No Arrow library is needed: the structs below never change.
//! Exported numbers, texts and validity share memory with the table, which stays alive until they are released; only
//! truth values are copied, eight into a byte. The consumer of a struct releases it by calling its release callback, in
//! any order and on any thread.
//!
//! Types without an Arrow equivalent are exported as follows:
//!
//! - Arrays in cells: fixed-size lists for each axis with the same extent in all cells, and variable-size lists for a
//!   last axis whose extent differs.
//! - Complex numbers: fixed-size lists of two numbers.
//! - JSON: text with the extension type "arrow.json".
//!
//! Columns of times (asdf_table_time()) are exported as timestamps in nanoseconds: in UTC if their scale is UTC, TAI or
//! TT, and without a time zone for any other scale. Dates are exported as 32-bit days, spans of time as durations.
//! Format, scale and place stay in "ecsv:meta" of the schema. A column with a time in a leap second, between two
//! nanoseconds or beyond the years 1677 to 2262 is exported as it is stored, with a warning of the table
//! (asdf_table_report()). With ASDF_OPTION_RAW_COLUMNS all columns are exported as they are stored, as readers of
//! batches do. Timestamps, dates and durations are imported as columns of times and of spans of time: in UTC, or with
//! the format and the scale that the metadata have for the column. A time zone other than UTC is not kept, with a
//! warning.
//!
//! The metadata of a field have the other properties of its column: "ecsv:datatype" and "ecsv:subtype" (with the names
//! of ECSV), "ecsv:unit", "ecsv:description", "ecsv:format", and "ecsv:meta" (as JSON). The metadata of the schema have
//! "ecsv:meta" and "ecsv:schema" of the table. Values that JSON cannot express are written as {"__tag__": YAML tag,
//! "__value__": ...}.
//!
//! ```c
//! struct ArrowArrayStream stream;
//! asdf_table_export_arrow_stream(table, NULL, &stream);
//! give_to_somebody(&stream);
//! ```

use super::arrow_abi::{ArrowArray, ArrowArrayStream, ArrowSchema, taken};
use super::arrow_export::{array_of, schema_of, stream_of};
use super::arrow_import::{StreamReader, table_of};
use super::look::{open, open_to_change};
use crate::error::Result;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_table, asdf_table_reader};
use crate::ffi::options::keys::{ASDF_OPTION_BATCH_ROWS, ASDF_OPTION_RAW_COLUMNS};
use crate::ffi::options::taken::{Taken, take};
use crate::process::ForkRwLock;
use crate::progress::{self, Counted};
use crate::table::Table;
use crate::table::arrow::{Array, Field};
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of exported streams of readers.
static STREAMS: AtomicU64 = AtomicU64::new(0);

/// Returns the table that is exported and its field, and adds the warnings about times to the table.
fn for_arrow(caller: &Caller, table: *const asdf_table, options: &Taken) -> Result<(Table, Field)> {
    if options.flag(ASDF_OPTION_RAW_COLUMNS, false) {
        let table = open(caller, table)?.clone();
        let field = Field::of_header(table.header())?;
        return Ok((table, field));
    }
    let (exported, field) = open(caller, table)?.for_arrow()?;
    if !exported.warnings().is_empty() {
        open_to_change(caller, table)?.warn(exported.warnings().to_vec());
    }
    Ok((exported, field))
}

/// Exports a table as one struct array, whose children are the columns.
///
/// @param table   the table
/// @param options options, or NULL for the defaults
/// @param schema  gets the types and metadata of the columns, to be released; its previous content is ignored.
///                ASDF_ERR_ENCODING if a name contains a NUL; ASDF_ERR_UNSUPPORTED for cells of more than 32 axes;
///                ASDF_ERR_VALUE_RANGE for extents beyond INT32_MAX; ASDF_ERR_LIMIT if aliases make metadata too large
/// @param array   gets the values, to be released; its previous content is ignored
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_export_arrow(
    table: *const asdf_table,
    options: *const asdf_options,
    schema: *mut ArrowSchema,
    array: *mut ArrowArray,
) -> asdf_status {
    guard(|caller| {
        let (schema, array) = (caller.out(schema, "schema")?, caller.out(array, "array")?);
        let options = take(caller, options, "asdf_table_export_arrow")?;
        let (exported, field) = for_arrow(caller, table, &options)?;
        let described = schema_of(&field)?;
        array.put(array_of(Array::of_table(&exported)?));
        schema.put(described);
        Ok(())
    })
}

/// Exports a table as a stream of struct arrays, whose children are the columns.
///
/// @param table   the table; later changes do not affect the stream
/// @param options options, or NULL for the defaults. ASDF_OPTION_BATCH_ROWS is the largest number of rows of an array;
///                the default is one array with all rows. Splitting copies no values
/// @param stream  gets the stream, to be released; its previous content is ignored. Errors are those of
///                asdf_table_export_arrow()
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_export_arrow_stream(
    table: *const asdf_table,
    options: *const asdf_options,
    stream: *mut ArrowArrayStream,
) -> asdf_status {
    guard(|caller| {
        let stream = caller.out(stream, "stream")?;
        let options = take(caller, options, "asdf_table_export_arrow_stream")?;
        let batch_rows = options.count(ASDF_OPTION_BATCH_ROWS).filter(|&rows| rows > 0);
        let batch_rows = batch_rows.map_or(usize::MAX, |rows| usize::try_from(rows).unwrap_or(usize::MAX));
        let (exported, field) = for_arrow(caller, table, &options)?;
        // Convert the header now, so that an error is reported by this call and not by the stream.
        drop(schema_of(&field)?);
        let array = Array::of_table(&exported)?;
        let mut next: usize = 0;
        stream.put(stream_of(
            field,
            Box::new(move || {
                let start = next;
                next = start.saturating_add(batch_rows).min(array.length);
                Ok((start < next).then(|| array.rows(start..next)))
            }),
        ));
        Ok(())
    })
}

/// Exports the remaining rows of a reader as a stream of struct arrays, whose children are the columns. Each batch is
/// read when the consumer requests it, and has the size of the reader's batches, so memory does not grow with the file.
///
/// The stream keeps the reader alive. Each row is returned once, either by the stream or by the reader. The options of
/// the reader determine how rows are read. Several streams can be exported, but only the first one that is read gets
/// rows: a program may export one for the schema alone.
///
/// @param reader  the reader
/// @param options options, or NULL for the defaults
/// @param stream  gets the stream, to be released; its previous content is ignored. Errors are those of
///                asdf_table_export_arrow(), and ASDF_ERR_CLOSED if another stream has read rows; errors of reading are
///                returned by the stream
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_reader_export_arrow_stream(
    reader: *mut asdf_table_reader,
    options: *const asdf_options,
    stream: *mut ArrowArrayStream,
) -> asdf_status {
    guard(|caller| {
        let stream = caller.out(stream, "stream")?;
        take(caller, options, "asdf_table_reader_export_arrow_stream")?;
        let field = {
            let mut reader = caller.handle(reader, "reader")?.lock()?;
            reader.begin("asdf_table_reader_export_arrow_stream").give_to(None)?;
            Field::of_header(reader.header())?
        };
        // Convert the header now, so that an error is reported by this call and not by the stream.
        drop(schema_of(&field)?);
        let owner = caller.owner(reader, "reader")?;
        let number = STREAMS.fetch_add(1, Ordering::Relaxed);
        stream.put(stream_of(
            field,
            Box::new(move || {
                let mut reader = owner.value().lock()?;
                let reader = reader.begin("the stream of arrays");
                reader.give_to(Some(number))?;
                let batch = reader.next_batch()?;
                batch.as_ref().map(Array::of_table).transpose()
            }),
        ));
        Ok(())
    })
}

/// Creates a table from one struct array. The values are copied.
///
/// Supported column types are truth values, integers, floats, text (also string views), timestamps, dates, durations,
/// lists as in the export or with 32-bit offsets, dictionaries of all these, and the null type, which becomes a column
/// of missing strings. Errors:
///
/// - ASDF_ERR_UNSUPPORTED for other types, nested variable-size lists, and rows that are null as a whole
/// - ASDF_ERR_INVALID_ARGUMENT for two columns of the same name, and for inconsistent structs
/// - ASDF_ERR_ENCODING for text that is not UTF-8
/// - ASDF_ERR_VALUE_RANGE for text that is not the JSON value or 128-bit number that its metadata declare
/// - ASDF_ERR_WRONG_TYPE for "ecsv:meta" that is not JSON
///
/// @param schema  the schema, of struct type; the call releases it, also if it fails, unless schema, array or table is
///                NULL
/// @param array   the values; the call releases them under the same condition
/// @param options options, or NULL for the defaults. ASDF_OPTION_LIMIT_TABLE_BYTES limits the memory for values that no
///                buffer holds
/// @param table   gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_import_arrow(
    schema: *mut ArrowSchema,
    array: *mut ArrowArray,
    options: *const asdf_options,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        let (schema_given, array_given) = (caller.out(schema, "schema"), caller.out(array, "array"));
        let (_, _) = (schema_given?, array_given?);
        // Both are taken before anything fails, so that they are released also if the options are wrong.
        let (schema, array) = (taken(caller, schema, "schema"), taken(caller, array, "array"));
        let options = take(caller, options, "asdf_table_import_arrow")?;
        let (schema, array) = (schema?, array?);
        Ok(ForkRwLock::new(table_of(&schema, &array, &options.limits())?))
    })
}

/// Creates a table from all arrays of a stream. The values are copied, one array after the other.
///
/// @param stream  the stream; the call releases it, also if it fails, unless stream or table is NULL. ASDF_ERR_CALLBACK
///                if the stream reports an error. Supported types and other errors are those of
///                asdf_table_import_arrow()
/// @param options options, or NULL for the defaults. ASDF_OPTION_LIMIT_TABLE_BYTES limits the memory for values that no
///                buffer holds, and for each 4 KiB there may be one array whose buffers hold nothing
/// @param table   gets the table; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_table_import_arrow_stream(
    stream: *mut ArrowArrayStream,
    options: *const asdf_options,
    table: *mut *mut asdf_table,
) -> asdf_status {
    guard_handle(table, "table", |caller| {
        // Taken before anything fails, as above.
        let stream = taken(caller, stream, "stream");
        let options = take(caller, options, "asdf_table_import_arrow_stream")?;
        let mut reader = StreamReader::new(stream?, &options.limits())?;
        let _expectation = progress::expect(Counted::Elements, None)?;
        while reader.append_next()? {}
        Ok(ForkRwLock::new(reader.take()?))
    })
}
