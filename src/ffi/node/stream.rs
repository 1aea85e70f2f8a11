//! Streams: arrays with an unknown number of rows.
//!
//! # Streams
//!
//! A stream writes a file with an additional array whose rows are pushed one after another. Each row is converted to
//! the byte order of the file, compressed and added to the checksum immediately; only a few rows are held in memory.
//! asdf_stream_finish() writes the number of rows and gives the file its name. Until then an existing file of that name
//! stays unchanged. A stream that is freed without being finished leaves no file.
//!
//! ```c
//! asdf_stream *stream = NULL;
//! const int64_t row[] = {2048};
//! asdf_stream_create(file, "run.asdf", "spectra", ASDF_FLOAT32, 1, row, NULL, &stream);
//! while (next_spectrum(spectrum)) asdf_stream_push(stream, 1, spectrum, sizeof spectrum);
//! asdf_stream_finish(stream);
//! asdf_stream_free(stream);
//! ```

use crate::array::{Datatype, Order, without_blanks};
use crate::ffi::array::datatype::rank;
use crate::ffi::array::options::{array_options, blank_padded, memory_order, new_type};
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_file, asdf_options, asdf_stream};
use crate::ffi::file::options::write_options;
use crate::ffi::options::taken::{Reporting, take};
use crate::file::Stream;
use crate::process::ForkMutex;
use std::ffi::{c_char, c_void};

impl Class for asdf_stream {
    const TAG: u32 = u32::from_be_bytes(*b"STRM");
    const NAME: &'static str = "asdf_stream";
    type Value = ForkMutex<Reporting<OpenStream>>;
}

/// Value of an `asdf_stream`: the stream and the layout of rows in memory.
pub struct OpenStream {
    pub(super) stream: Stream,
    pub(super) order: Order,
    /// Datatype of the elements and shape of a row, if strings are padded with blanks.
    blank_padded: Option<(Datatype, Vec<i64>)>,
}

/// Starts writing a file with an array whose rows will be pushed. The rest of the file is written immediately, as
/// asdf_file_write() would write it; later changes of `file` have no effect on it. `file` itself does not get the
/// array: to read it, open the written file.
///
/// The array is in the last block of the file. ASDF_OPTION_STORAGE can change this:
///
/// - ASDF_STORAGE_STREAMED: the block extends to the end of the file, and the tree does not contain the number of rows.
///   The block cannot be compressed and has no checksum, and the file has no block index.
/// - ASDF_STORAGE_EXTERNAL: the block is the only one of a second file beside the first. That file gets its name just
///   before the first one.
///
/// zlib, bzp2, lz4, lz4f and zstd compress rows as they arrive; other codecs are ASDF_ERR_UNSUPPORTED. Besides the tree
/// and the memory of the codec, the stream holds 1 MiB of rows, and for each thread 1 MiB more with zlib or 4 MiB more
/// with lz4.
///
/// @param file          the file, new or opened for update
/// @param path          name of the file to write; ASDF_ERR_FILE_EXISTS if it exists now or when the stream is
///                      finished, unless ASDF_OPTION_REPLACE is 1; ASDF_ERR_INVALID_ARGUMENT for a pipe or a device
/// @param node_path     path of the array from the root of the tree; an existing node is replaced in the written file
/// @param datatype      code of the scalar type of the elements, or 0 for the datatype in the options, as in
///                      asdf_node_set_array(); ASDF_ERR_INVALID_ARGUMENT if elements have no bytes
/// @param row_rank      number of axes of a row, 0 if it is a single element; the array has one more
/// @param row_shape     extent of a row along each axis; ASDF_ERR_INVALID_ARGUMENT if a row has no elements. May be
///                      NULL for rank 0
/// @param options       options, or NULL for the defaults. ASDF_ERR_INVALID_ARGUMENT for storage in the tree or in
///                      Fortran order, and for a streamed block with a codec or ASDF_OPTION_BLOCK_SLACK
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
        let file = caller.handle(file, "file")?;
        let path = caller.file_name(path, "path")?;
        let node_path = caller.text(node_path, "node_path")?;
        let row_shape = caller.numbers(row_shape, rank(row_rank)?, "row_shape")?;
        let datatype = new_type(datatype, &options)?.into_owned();
        let (array, write) = (array_options(&options)?, write_options(&options)?);
        let stream = file.stream(path, node_path, datatype.clone(), row_shape, &array, &write)?;
        let blank_padded = blank_padded(&options).then(|| (datatype, row_shape.to_vec()));
        let order = memory_order(&options)?;
        Ok(ForkMutex::new(Reporting::new(OpenStream { stream, order, blank_padded }, &options)))
    })
}

/// Adds rows to a stream.
///
/// @param stream the stream; ASDF_ERR_CLOSED if it is finished
/// @param count  number of rows, 0 or more
/// @param rows   the elements in native byte order, one row after the other in C order. If the options set an order or
///               strides, they apply to an array whose first axis is the rows. May be NULL if there are no rows
/// @param size   size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT unless packed elements fill it exactly, or
///               strided elements lie within it; ASDF_ERR_ENCODING if a string is not ASCII or not valid UTF-32. In
///               both cases nothing is added. After ASDF_ERR_CANCELLED asdf_stream_row_count() returns the number of
///               rows added so far, and the next row can be pushed. After any other failure the stream can only be
///               freed
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

/// Gets the number of pushed rows, also after the stream is finished.
///
/// @param stream the stream
/// @param count  gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_row_count(stream: *const asdf_stream, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        count.put(caller.handle(stream, "stream")?.lock()?.stream.rows());
        Ok(())
    })
}

/// Finishes the file: writes the remaining data and the number of rows, and gives the file its name. With
/// ASDF_OPTION_DURABLE it waits until both are on disk. Afterwards, even after a failure, the stream can only be freed.
/// After ASDF_ERR_NOT_DURABLE the file has its name; only waiting until the name is on disk failed.
///
/// @param stream the stream; ASDF_ERR_INCOMPLETE after a failed push; ASDF_ERR_CLOSED if it is finished
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_finish(stream: *mut asdf_stream) -> asdf_status {
    guard(|caller| caller.handle(stream, "stream")?.lock()?.begin("asdf_stream_finish").stream.finish())
}

/// Frees a stream. If it is not finished, no new file remains, and an existing file of that name stays unchanged.
///
/// @param stream the stream, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_stream_free(stream: *mut asdf_stream) {
    guard_silently(|caller| caller.release(stream));
}
