//! Streams: arrays whose length is not known before their rows come.
//!
//! # Streams
//!
//! A stream writes a file with one array more, whose rows are pushed as they come: converted to the byte order of the
//! file, compressed and added to the checksum on the way, with few of them held in memory. asdf_stream_finish() fills
//! in how many they were and gives the file its name; until then what had the name before stays as it was, and a stream
//! that is freed without it leaves nothing behind.
//!
//! ```c
//! asdf_stream *stream = NULL;
//! const int64_t row[] = {2048};
//! asdf_stream_create(file, "run.asdf", "spectra", ASDF_FLOAT32, 1, row, NULL, NULL, &stream);
//! while (next_spectrum(spectrum)) asdf_stream_push(stream, 1, spectrum, sizeof spectrum);
//! asdf_stream_finish(stream);
//! asdf_stream_free(stream);
//! ```

use crate::array::{Datatype, Order, without_blanks};
use crate::error::Result;
use crate::ffi::array::datatype::{rank, scalar_of};
use crate::ffi::array::options::array_options;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_datatype, asdf_file, asdf_options, asdf_stream};
use crate::ffi::file::options::write_options;
use crate::ffi::options::keys::ASDF_OPTION_BLANK_PADDED;
use crate::ffi::options::taken::{Reporting, Taken, take};
use crate::file::Stream;
use crate::process::ForkMutex;
use std::ffi::{c_char, c_void};

impl Class for asdf_stream {
    const TAG: u32 = u32::from_be_bytes(*b"STRM");
    const NAME: &'static str = "asdf_stream";
    type Value = ForkMutex<Reporting<OpenStream>>;
}

/// What an `asdf_stream` holds: the stream and how rows are in memory.
pub struct OpenStream {
    pub(super) stream: Stream,
    pub(super) order: Order,
    /// Datatype of the elements and shape of a row where blanks fill strings up.
    blank_padded: Option<(Datatype, Vec<i64>)>,
}

/// Begins to write a file under a name, with an array at a path of its tree whose rows are to be pushed. What else the
/// file holds is written as asdf_file_write() would write it now, before the first row; what is set in it later has no
/// part in that. The file itself does not get the array: to read it, open what was written.
///
/// The array is in the last block of the file. With ASDF_STORAGE_STREAMED that block runs to the end of the file, and
/// the tree does not say how many rows it has: so it can neither be compressed nor have a checksum, and the file has no
/// block index. With ASDF_STORAGE_EXTERNAL it is the only block of another file beside, which gets its name just before
/// the one that names it.
///
/// zlib, bzp2, lz4, lz4f and zstd compress rows as they come; other codecs are ASDF_ERR_UNSUPPORTED. Besides the tree
/// and what the codec needs, 1 MiB of rows is held; with zlib 1 MiB and with lz4 4 MiB more for each thread.
///
/// @param file          the file, new or opened for update
/// @param path          name of the file to write. A file that has it, now or when the stream is finished, is
///                      ASDF_ERR_FILE_EXISTS unless ASDF_OPTION_REPLACE is set; a pipe or a device is
///                      ASDF_ERR_INVALID_ARGUMENT
/// @param node_path     path of the array from the root of the tree; what stands there is replaced in what is written
/// @param datatype      code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param row_rank      number of axes of a row, 0 if it is a single element; the array has one more
/// @param row_shape     extent of a row along each axis; rows of no elements are ASDF_ERR_INVALID_ARGUMENT. May be NULL
///                      for rank 0
/// @param options       how to store the array, how rows lie in memory, and how to write the file, or NULL. Storage in
///                      the tree or in Fortran's order is ASDF_ERR_INVALID_ARGUMENT
/// @param stream        gets the stream; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_create(
    file: *const asdf_file,
    path: *const c_char,
    node_path: *const c_char,
    datatype: i32,
    row_rank: i32,
    row_shape: *const i64,
    options: *const asdf_options,
    stream: *mut *mut asdf_stream,
) -> asdf_status {
    guard_handle(stream, "stream", |caller| {
        let options = take(caller, options, "asdf_stream_create")?;
        let array = Rows { path, node_path, row_rank, row_shape, options };
        open(caller, file, &scalar_of(datatype)?.into(), array)
    })
}

/// Begins to write a file with an array of anything whose rows are to be pushed; see asdf_stream_create().
///
/// @param file          the file, new or opened for update
/// @param path          name of the file to write
/// @param node_path     path of the array from the root of the tree
/// @param datatype      what the elements are: strings, records, anything. Elements without bytes are
///                      ASDF_ERR_INVALID_ARGUMENT
/// @param row_rank      number of axes of a row, 0 if it is a single element
/// @param row_shape     extent of a row along each axis; may be NULL for rank 0
/// @param options       how to store the array, how rows lie in memory, and how to write the file, or NULL
/// @param stream        gets the stream; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_create_typed(
    file: *const asdf_file,
    path: *const c_char,
    node_path: *const c_char,
    datatype: *const asdf_datatype,
    row_rank: i32,
    row_shape: *const i64,
    options: *const asdf_options,
    stream: *mut *mut asdf_stream,
) -> asdf_status {
    guard_handle(stream, "stream", |caller| {
        let options = take(caller, options, "asdf_stream_create_typed")?;
        let array = Rows { path, node_path, row_rank, row_shape, options };
        open(caller, file, caller.handle(datatype, "datatype")?, array)
    })
}

struct Rows {
    path: *const c_char,
    node_path: *const c_char,
    row_rank: i32,
    row_shape: *const i64,
    options: Taken,
}

fn open(
    caller: &Caller,
    file: *const asdf_file,
    datatype: &Datatype,
    rows: Rows,
) -> Result<ForkMutex<Reporting<OpenStream>>> {
    let file = caller.handle(file, "file")?;
    let path = caller.file_name(rows.path, "path")?;
    let node_path = caller.text(rows.node_path, "node_path")?;
    let row_shape = caller.numbers(rows.row_shape, rank(rows.row_rank)?, "row_shape")?;
    let (array, write) = (array_options(&rows.options)?, write_options(&rows.options)?);
    let stream = file.stream(path, node_path, datatype.clone(), row_shape, &array, &write)?;
    let blank_padded = rows.options.flag(ASDF_OPTION_BLANK_PADDED, false);
    let blank_padded = blank_padded.then(|| (datatype.clone(), row_shape.to_vec()));
    let order = rows.options.order()?;
    Ok(ForkMutex::new(Reporting::new(OpenStream { stream, order, blank_padded }, &rows.options)))
}

/// Adds rows to a stream.
///
/// @param stream the stream; one that was finished is ASDF_ERR_CLOSED
/// @param count  how many rows, 0 or more
/// @param rows   the elements in native byte order, one row after the other in C order, unless the options say
///               how they lie: then as an array whose first axis counts the rows. May be NULL if there are none
/// @param size   bytes of that memory; else than packed elements fill it and others lie within it is
///               ASDF_ERR_INVALID_ARGUMENT, strings that are not ASCII or valid UTF-32 are ASDF_ERR_ENCODING: nothing is
///               added then. After any other failure the stream can only be freed
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_push(
    stream: *mut asdf_stream,
    count: i64,
    rows: *const c_void,
    size: usize,
) -> asdf_status {
    guard(|caller| {
        let mut open = caller.handle(stream, "stream")?.lock()?;
        let bytes = caller.bytes(rows, size, "rows")?;
        let OpenStream { stream, order, blank_padded } = open.begin("asdf_stream_push");
        match blank_padded {
            Some((datatype, row_shape)) => {
                let shape = [&[count], &row_shape[..]].concat();
                stream.push(count, &without_blanks(datatype, &shape, order, bytes)?, &Order::C)
            }
            None => stream.push(count, bytes, order),
        }
    })
}

/// The number of rows that were pushed.
///
/// @param stream the stream
/// @param count  gets the number, also after it was finished
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_row_count(stream: *const asdf_stream, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put(caller.handle(stream, "stream")?.lock()?.stream.rows());
        Ok(())
    })
}

/// Writes what is left, fills in how many rows there are, and gives the file its name, waiting for the disk if the
/// options for writing ask for that. The stream is of no further use then, whether or not that succeeded, and is to be
/// freed. After ASDF_ERR_NOT_DURABLE the file has its name; only waiting for the name failed.
///
/// @param stream the stream. After a failed push it is ASDF_ERR_INCOMPLETE, if it was finished ASDF_ERR_CLOSED
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_finish(stream: *mut asdf_stream) -> asdf_status {
    guard(|caller| caller.handle(stream, "stream")?.lock()?.begin("asdf_stream_finish").stream.finish())
}

/// Frees a stream. One that was not finished leaves nothing behind, and what had the name of its file stays.
///
/// @param stream the stream, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_free(stream: *mut asdf_stream) {
    guard_silently(|caller| caller.release(stream));
}
