//! Tables from and to Arrow, by its C Data and C Stream interfaces.
//!
//! # Arrow
//!
//! pyarrow, polars, pandas, DuckDB, R's nanoarrow, Julia's Arrow and many others take a table as a struct of columns, or
//! as a stream of such. No library of Arrow's is needed: the structs below never change. Numbers, text and what is
//! missing are shared with the table, which stays alive as long as they are in use; only truth values are copied, eight
//! into a byte. Whoever is given a struct releases it by its callback, in any order and on any thread.
//!
//! Arrays in cells are lists: of fixed length for each axis whose extent is that of every cell, of variable length for a
//! last axis whose extent is not. A complex number is a list of two, and JSON is text with the extension "arrow.json".
//! The metadata of a field tell what else is known of its column: "ecsv:datatype" and "ecsv:subtype" as ECSV names them,
//! "ecsv:unit", "ecsv:description", "ecsv:format", and "ecsv:meta" as JSON; those of the schema tell "ecsv:meta" and
//! "ecsv:schema" of the table. In JSON, what it has no words for is {"__tag__": a tag of YAML, "__value__": ...}.
//!
//! ```c
//! struct ArrowArrayStream stream;
//! asdf_table_export_arrow_stream(table, NULL, &stream);
//! give_to_somebody(&stream);
//! ```

use super::arrow_abi::{ArrowArray, ArrowArrayStream, ArrowSchema, taken};
use super::arrow_export::{array_of, schema_of, stream_of};
use super::arrow_import::{StreamReader, table_of};
use super::look::open;
use crate::ffi::boundary::guard::{guard, guard_handle};
use crate::ffi::boundary::handle::Owner;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_options, asdf_table, asdf_table_reader};
use crate::ffi::options::keys::ASDF_OPTION_BATCH_ROWS;
use crate::ffi::options::taken::take;
use crate::process::ForkRwLock;
use crate::table::arrow::{Array, Field};

/// Gives a table as one array: a struct whose children are the columns.
///
/// @param table   the table
/// @param options how to export it, or NULL
/// @param schema  gets the types and what else is known of the columns, to be released; what it holds before is not
///                read. A name with a NUL is ASDF_ERR_ENCODING; cells of more than 32 axes are ASDF_ERR_UNSUPPORTED,
///                extents beyond INT32_MAX ASDF_ERR_VALUE_RANGE, metadata whose aliases make them huge ASDF_ERR_LIMIT
/// @param array   gets the values, to be released; what it holds before is not read
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
        take(caller, options, "asdf_table_export_arrow")?;
        let table = open(caller, table)?;
        let described = schema_of(&Field::of_header(table.header())?)?;
        array.put(array_of(Array::of_table(&table)?));
        schema.put(described);
        Ok(())
    })
}

/// Gives a table as a stream of arrays, each a struct whose children are the columns.
///
/// @param table   the table; what is changed in it later has no part in the stream
/// @param options how to export it, or NULL: ASDF_OPTION_BATCH_ROWS is the number of rows of an array, of which no value
///                is copied for that. Default: all rows in one array
/// @param stream  gets the stream, to be released; what it holds before is not read. Errors are those of
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
        let table = open(caller, table)?;
        let field = Field::of_header(table.header())?;
        // What could fail later fails now.
        drop(schema_of(&field)?);
        let array = Array::of_table(&table)?;
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

/// Gives the rows that a reader has left as a stream of arrays, each a struct whose children are the columns. Each batch
/// is read when it is asked for, and holds as many rows as one of the reader's own, so that memory does not grow with
/// the file.
///
/// The stream keeps the reader alive. Rows that one of the two has given the other does not give again. The options that
/// the reader was opened with decide how the rows are read.
///
/// @param reader  the reader
/// @param options how to export the rows, or NULL
/// @param stream  gets the stream, to be released; what it holds before is not read. Errors are those of
///                asdf_table_export_arrow(); errors of reading are those of the stream
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
            let reader = caller.handle(reader, "reader")?.lock()?;
            Field::of_header(reader.header())?
        };
        // What could fail later fails now.
        drop(schema_of(&field)?);
        let owner = Owner::new(caller, reader, "reader")?;
        stream.put(stream_of(
            field,
            Box::new(move || {
                let mut reader = owner.value().lock()?;
                let batch = reader.begin("the stream of arrays").next_batch()?;
                batch.as_ref().map(Array::of_table).transpose()
            }),
        ));
        Ok(())
    })
}

/// Makes a table of one array. The values are copied.
///
/// Columns may be of truth values, integers, floats, text (also in the form of views), lists as the export makes them or
/// with offsets of 32 bits, dictionaries of all these, and of nothing but missing values, which become missing strings.
/// Other types are ASDF_ERR_UNSUPPORTED, as are lists in lists of variable length and rows that are missing as a whole;
/// two columns of one name, and structs that contradict themselves, are ASDF_ERR_INVALID_ARGUMENT, text that is not
/// UTF-8 is ASDF_ERR_ENCODING, text that is to be JSON or a number of 128 bits and is not is ASDF_ERR_VALUE_RANGE, and
/// metadata of ours that are not JSON are ASDF_ERR_WRONG_TYPE.
///
/// @param schema  the type, a struct; released by the call, also when it fails, unless schema, array or table is NULL
/// @param array   the values; released by the call as well
/// @param options how to import them, or NULL: ASDF_OPTION_LIMIT_TABLE_BYTES limits the memory for values that no
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

/// Makes a table of all arrays of a stream. The values are copied, one array after the other.
///
/// @param stream  the stream, whose errors are ASDF_ERR_CALLBACK; released by the call, also when it fails, unless
///                stream or table is NULL. What it may give, and other errors, are those of asdf_table_import_arrow()
/// @param options how to import it, or NULL
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
        while reader.append_next()? {}
        Ok(ForkRwLock::new(reader.take()?))
    })
}
