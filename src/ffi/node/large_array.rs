//! Arrays larger than memory: elements from a callback, arrays of zeros, writing of regions, and rows that are added.
//!
//! # Arrays larger than memory
//!
//! An array can be set without its elements. Either a callback returns them while the file is written, or they are
//! zeros that asdf_array_write_region() overwrites later. For an unknown number of rows use a stream (see Streams), or
//! add them to an array of a file that others read meanwhile by asdf_array_append().
//!
//! ```c
//! asdf_node_set_array_callback(root, "spectra", ASDF_FLOAT32, 2, shape, read_spectra, NULL, instrument, NULL);
//! asdf_node_set_array_zeros(root, "cube", ASDF_FLOAT32, 3, huge, NULL);
//! asdf_file_write(file, "survey.asdf", NULL);
//! ```

use super::write::set;
use crate::array::packed_size;
use crate::ffi::array::datatype::rank;
use crate::ffi::array::options::{array_options, memory_type, new_type, read_options};
use crate::ffi::array::read::region;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::null_pointer;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_node, asdf_options};
use crate::ffi::file::callbacks::{CallbackSource, asdf_close_callback, asdf_read_callback};
use crate::ffi::options::taken::take;
use std::borrow::Cow;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Sets an array whose elements a callback returns when the file is written. The callback is called for all elements
/// once and in order, for at most 1 MiB at a time (or for one larger element); the library holds no more in memory.
/// Checksum and compressed size are filled in afterwards, without a second pass. zlib, bzp2, lz4, lz4f and zstd
/// compress the elements as they arrive; other codecs are ASDF_ERR_UNSUPPORTED.
///
/// If the file is written to a descriptor, the array has no checksum and cannot be compressed (ASDF_ERR_UNSUPPORTED).
///
/// If the callback fails, the call that writes the file fails with ASDF_ERR_CALLBACK and a message with the returned
/// number; an existing file of that name stays unchanged. The callback is called again for each write of the file. It
/// is also called if the array is read before it is saved, then for any part of it.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param datatype code of the scalar type of the elements, or 0 for the datatype in the options, as in
///                 asdf_node_set_array(). If a string is not valid text, writing the file fails with ASDF_ERR_ENCODING
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param read     returns the elements as bytes in native byte order, packed in C order; its offsets and sizes refer
///                 to these bytes. It may return fewer bytes than requested
/// @param close    releases user. It is called once, after the last use of the elements. NULL for none. It is not
///                 called if this call fails
/// @param user     pointer passed to the callbacks; may be NULL
/// @param options  options, or NULL for the defaults. ASDF_ERR_INVALID_ARGUMENT for storage in the tree or in Fortran
///                 order
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_array_callback(
    node: *mut asdf_node,
    path: *const c_char,
    datatype: i32,
    rank: i32,
    shape: *const i64,
    read: asdf_read_callback,
    close: asdf_close_callback,
    user: *mut c_void,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_array_callback")?;
        let datatype = &*new_type(datatype, &options)?;
        if read.is_none() {
            return Err(null_pointer("read"));
        }
        let shape = caller.numbers(shape, self::rank(rank)?, "shape")?;
        let length = packed_size(datatype, shape)?;
        let source = Arc::new(CallbackSource::new(read, close, user, length));
        node.set_array_source(path, datatype, shape, source.clone(), &array_options(&options)?)?;
        source.own();
        Ok(())
    })
}

/// Sets an array of zeros of any size, to be overwritten later. Where the system supports sparse files, its block takes
/// no disk space until it is written to. The block has no checksum. To a descriptor the zeros are written.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param datatype code of the scalar type of the elements, or 0 for the datatype in the options, as in
///                 asdf_node_set_array(); strings are empty
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param options  options, or NULL for the defaults. ASDF_ERR_INVALID_ARGUMENT for storage in the tree, compression or
///                 a checksum
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_array_zeros(
    node: *mut asdf_node,
    path: *const c_char,
    datatype: i32,
    rank: i32,
    shape: *const i64,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_array_zeros")?;
        let shape = caller.numbers(shape, self::rank(rank)?, "shape")?;
        let datatype = new_type(datatype, &options)?;
        node.set_array_zeros(path, &datatype, shape, &array_options(&options)?)
    })
}

/// Overwrites the elements of a region of an array: along each axis `count` elements from `start` on, `step` apart. The
/// arguments are those of asdf_array_read_region(). The cost depends on the size of the region, not of the array.
///
/// In a file opened for update, the elements are written to the file immediately, and all arrays of this file handle
/// return them. asdf_file_save() makes the change permanent:
///
/// - Closing or freeing the file without saving restores the old elements. After a crash, the next opening does.
/// - A journal beside the file holds the old bytes: each piece of 1 MiB once, before its first change. For a piece of
///   a hole in the file it holds only a mark. It also holds the new bytes.
/// - Until the file is saved, other programs that use this library read the old elements.
/// - If the block has a checksum, saving reads the block once and updates the checksum. With
///   ASDF_OPTION_CHECKSUMS set to 0, saving removes the checksum.
///
/// The elements of an array that was set and is not saved yet are changed in memory. So are those of a chunked array:
/// the chunks that the region touches stay in memory until the file is saved.
///
/// In a FITS file, the data of images are overwritten, also those of unsigned integers, and those of tables without
/// conversions. Saving renews the checksums of their HDUs, if these have any.
///
/// Several threads may write regions without a common element. The library writes them one after another.
///
/// Errors:
///
/// - ASDF_ERR_UNSUPPORTED if the elements are compressed in one block or by codecs of zarr, in the tree, in another
///   file, in a file in memory, lent, or returned by a callback; if they are scaled or converted data of an HDU; if they
///   are zeros in one block that are not saved yet; or if the array was looked up before a save that wrote a new file
/// - ASDF_ERR_MASKED if the array has a mask (see asdf_array_without_mask())
/// - ASDF_ERR_READ_ONLY if the file was opened for reading
/// - ASDF_ERR_FILE_CHANGED if another program changed or replaced the file
/// - ASDF_ERR_NOT_IN_PLACE if the file has several names (hard links)
/// - ASDF_ERR_OVERFLOW if an element does not fit; this is checked before anything is written
///
/// One save makes overwritten elements and changes of the tree permanent together; closing the file undoes both. If
/// writing itself fails, the file cannot be saved until asdf_file_forget_failure().
///
/// @param array    the array
/// @param rank     number of axes; ASDF_ERR_INVALID_ARGUMENT if it is not that of the array
/// @param start    first index along each axis; ASDF_ERR_OUT_OF_RANGE if the region reaches outside the array
/// @param count    number of elements along each axis
/// @param step     distance between indices along each axis: not 0, negative to go backwards from start; NULL for 1
///                 along each axis
/// @param datatype code of the scalar type of the elements in memory, or 0 as in asdf_array_read();
///                 ASDF_ERR_INVALID_ARGUMENT for any other number. The elements are converted by the rules of reading.
///                 ASDF_ERR_ENCODING if a string is not valid text, or not ASCII where the array requires it
/// @param elements the elements in native byte order, in C order unless the options say otherwise. Strided elements may
///                 overlap: strides of 0 fill the region with one element. May be NULL if there are no elements
/// @param size     size of that memory in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small, ASDF_ERR_INVALID_ARGUMENT if it
///                 is larger than packed elements
/// @param options  options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_write_region(
    array: *mut asdf_array,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
    datatype: i32,
    elements: *const c_void,
    size: usize,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_write_region")?;
        let region = region(caller, rank, start, count, step)?;
        let array = caller.handle(array, "array")?;
        let memory = memory_type(datatype, &options, || Ok(Cow::Borrowed(array.datatype())))?;
        let elements = caller.bytes(elements, size, "elements")?;
        array.write_region(Some(&region), &memory, elements, &read_options(&options)?)
    })
}

/// Adds rows to an array: elements after the last ones along its first axis. asdf_file_save() makes them part of the
/// array.
///
/// - The rows are written to the file immediately, after the end of the array, and never again. Saving writes a record
///   of them and waits for the disk once (ASDF_OPTION_DURABLE). So a save after each step costs as much as writing the
///   rows and waiting for them.
/// - After a crash or a power cut, the file has the rows of all saves that returned ASDF_OK, whole, and no others; those
///   of the save that was interrupted are there whole or not at all.
/// - Other handles and programs see the rows after the save, when they open the file again. Handles of this library that
///   have it open keep reading the rows that they know. Closing the file without saving drops the new rows.
/// - This handle keeps its shape, and can be used for all steps. To read new rows, look the array up again.
///
/// The file must be open for update, and the array must be
///
/// - in the last block of the file, not compressed, in C order, and all that the block holds. The first call prepares
///   the file: it has no block index and no checksum of this block from then on. If there is no room before the first
///   block, this call writes the file anew, once. Only one array of a file can grow in this way;
/// - or chunked (ASDF_OPTION_CHUNKS). Any number of arrays can grow. New rows stay in memory until the file is saved,
///   in place. From the third save in a row on that only adds whole chunks, a save waits for the disk once, and the
///   file has no block index until it is closed. Other saves have a journal, and wait four times. A compressed chunk
///   that a later step goes on to fill gets a new block; asdf_file_compact() drops the earlier one.
///
/// Errors:
///
/// - ASDF_ERR_UNSUPPORTED if the array cannot grow, for one of these reasons
/// - ASDF_ERR_MASKED if the array has a mask
/// - ASDF_ERR_READ_ONLY if the file was opened for reading
/// - ASDF_ERR_FILE_CHANGED if another program changed or replaced the file
/// - ASDF_ERR_NOT_IN_PLACE if the file has several names (hard links)
/// - ASDF_ERR_NO_SPACE if the disk is full; ASDF_ERR_OVERFLOW if an element does not fit. The rows before are intact,
///   and the call can be repeated
///
/// Example: a step of 64 by 64 elements, on the disk when the loop goes on
///
/// ```c
/// asdf_array_append(temperature, 1, ASDF_FLOAT32, field, sizeof field, NULL);
/// asdf_file_save(file, NULL);
/// ```
///
/// @param array    the array; ASDF_ERR_INVALID_ARGUMENT if it has no axes, if another array of the file grows, or if the
///                 file has other unsaved changes when it begins to grow
/// @param rows     number of new elements along the first axis, not negative
/// @param datatype code of the scalar type of the elements in memory, or 0 as in asdf_array_read();
///                 ASDF_ERR_INVALID_ARGUMENT for any other number. The elements are converted by the rules of reading
/// @param elements the elements in native byte order, in C order unless the options say otherwise. May be NULL if there
///                 are none
/// @param size     size of that memory in bytes; ASDF_ERR_BUFFER_TOO_SMALL if too small, ASDF_ERR_INVALID_ARGUMENT if it
///                 is larger than packed elements
/// @param options  options, or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_append(
    array: *mut asdf_array,
    rows: i64,
    datatype: i32,
    elements: *const c_void,
    size: usize,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_append")?;
        let array = caller.handle(array, "array")?;
        let memory = memory_type(datatype, &options, || Ok(Cow::Borrowed(array.datatype())))?;
        let elements = caller.bytes(elements, size, "elements")?;
        array.append(rows, &memory, elements, &read_options(&options)?)
    })
}
