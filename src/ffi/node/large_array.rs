//! Arrays that need never be in memory as a whole: pulled from a callback, allocated, written region by region.
//!
//! # Arrays larger than memory
//!
//! An array can be set without its elements: a callback gives them while the file is written, or they are zeros that
//! are written over later. For rows whose number is not known before there are streams.
//!
//! ```c
//! asdf_node_set_array_callback(root, "spectra", ASDF_FLOAT32, 2, shape, read_spectra, NULL, instrument, NULL);
//! asdf_node_set_array_zeros(root, "cube", ASDF_FLOAT32, 3, huge, NULL);
//! asdf_file_write(file, "survey.asdf", NULL);
//! ```

use super::write::set;
use crate::array::{Datatype, Region, packed_size};
use crate::error::Result;
use crate::ffi::array::datatype::{rank, scalar_of};
use crate::ffi::array::read::region;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::handle::null_pointer;

use crate::ffi::array::options::{array_options, read_options};
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_datatype, asdf_node, asdf_options};
use crate::ffi::file::lent::CallbackSource;
use crate::ffi::file::open::{asdf_close_callback, asdf_read_callback};
use crate::ffi::options::taken::{Taken, take};
use crate::file::Node;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

/// Sets an array whose elements a callback gives when the file is written. It is asked for them in order and for each
/// once, for at most 1 MiB at a time, or one element that is larger; no more is held. The checksum and the sizes of
/// compressed bytes are filled in afterwards, so the callback is not called twice for them. zlib, bzp2, lz4, lz4f and
/// zstd compress the elements as they come; other codecs are ASDF_ERR_UNSUPPORTED then.
///
/// A file with such an array that is written to a descriptor has no checksum for it, and cannot have it compressed
/// (ASDF_ERR_UNSUPPORTED).
///
/// If the callback fails, so does the call that writes, with ASDF_ERR_CALLBACK and a message with what it answered;
/// what stood under the file's name before stays. Each time that the file is written the callback is asked anew; and
/// also if the array is read while it is not saved, then for any part of it.
///
/// @param node     where the path begins
/// @param path     the path
/// @param datatype code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param read     gives the elements in native byte order, packed in C order: its offsets and sizes are those of these
///                 bytes. It may give fewer than it is asked for
/// @param close    releases what user stands for: called once, when nothing needs the elements any more. NULL for none.
///                 If this call fails, it is not called
/// @param user     given to the callbacks; may be NULL
/// @param options  how to store it, or NULL. Storage in the tree and in Fortran's order is ASDF_ERR_INVALID_ARGUMENT
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
        let array = Described { datatype: &scalar_of(datatype)?.into(), rank, shape, options };
        set_callback(caller, node, path, array, Callback { read, close, user })
    })
}

/// Sets an array of anything whose elements a callback gives when the file is written; see
/// asdf_node_set_array_callback().
///
/// @param node     where the path begins
/// @param path     the path
/// @param datatype what the elements are: strings are filled up with NUL, records packed. Strings that are not ASCII or
///                 valid UTF-32, as it says, are ASDF_ERR_ENCODING when the file is written
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param read     gives the elements in native byte order, packed in C order
/// @param close    releases what user stands for; NULL for none. If this call fails, it is not called
/// @param user     given to the callbacks; may be NULL
/// @param options  how to store it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_array_callback_typed(
    node: *mut asdf_node,
    path: *const c_char,
    datatype: *const asdf_datatype,
    rank: i32,
    shape: *const i64,
    read: asdf_read_callback,
    close: asdf_close_callback,
    user: *mut c_void,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_array_callback_typed")?;
        let array = Described { datatype: caller.handle(datatype, "datatype")?, rank, shape, options };
        set_callback(caller, node, path, array, Callback { read, close, user })
    })
}

/// Sets an array of zeros, however large, to be written over later. Its block is left out of the file where the system
/// can do that, so that it takes no room on the disk until it is written to, and has no checksum. To a descriptor the
/// zeros are written.
///
/// @param node     where the path begins
/// @param path     the path
/// @param datatype code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param options  how to store it, or NULL. Storage in the tree, compression and a checksum are
///                 ASDF_ERR_INVALID_ARGUMENT
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
        let array = Described { datatype: &scalar_of(datatype)?.into(), rank, shape, options };
        set_zeros(caller, node, path, array)
    })
}

/// Sets an array of anything whose bytes are all zero; see asdf_node_set_array_zeros().
///
/// @param node     where the path begins
/// @param path     the path
/// @param datatype what the elements are; strings are empty
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param options  how to store it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_array_zeros_typed(
    node: *mut asdf_node,
    path: *const c_char,
    datatype: *const asdf_datatype,
    rank: i32,
    shape: *const i64,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_array_zeros_typed")?;
        let array = Described { datatype: caller.handle(datatype, "datatype")?, rank, shape, options };
        set_zeros(caller, node, path, array)
    })
}

/// Writes elements over those of a region of an array: along each axis `count` elements from `start` on, `step` apart.
/// It takes the arguments of asdf_array_read_region(), and what it costs follows the region, too.
///
/// In a file opened for update the elements are written where they are stored, at once, and all arrays of this handle
/// of the file show them. asdf_file_save() makes them last; closing or freeing the file without it gives back what was
/// there, and so does the next opening if the program did not get that far: what is overwritten is kept in a journal
/// beside the file, by the MiB and once for each, where nothing was written yet as a mark. Until the file is saved,
/// others that use this library read it as it was. A block that had a checksum gets a new one when the file is saved,
/// for which it is read once, or none if the options for writing say so.
///
/// An array that was set and not saved yet is changed in memory. Elements that are compressed, in the tree, in another
/// file, lent, or given by a callback are ASDF_ERR_UNSUPPORTED, an array with a mask is ASDF_ERR_MASKED (see
/// asdf_array_without_mask()), a file opened for reading is ASDF_ERR_READ_ONLY.
///
/// Elements that do not fit are seen before anything is written. If writing itself fails, the file is not saved any
/// more without asdf_file_forget_failure().
///
/// @param array    the array
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
/// @param count    number of elements along each axis
/// @param step     distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
/// @param datatype code of the scalar type of the elements in memory, which are converted as reading does it; another
///                 number is ASDF_ERR_INVALID_ARGUMENT
/// @param elements the elements, native, in C order unless the options say otherwise: by strides they may overlap, so
///                 that strides of 0 fill the region with one element. May be NULL if there are none
/// @param size     bytes of that memory; too few are ASDF_ERR_BUFFER_TOO_SMALL
/// @param options  how the elements lie in memory, and whether those that do not fit are clamped, or NULL
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
        write_region(caller, array, &region, &scalar_of(datatype)?.into(), elements, size, &options)
    })
}

/// Writes elements over those of a region of an array, also strings and records; see asdf_array_write_region().
///
/// @param array    the array
/// @param rank     number of axes, which is that of the array; else ASDF_ERR_INVALID_ARGUMENT
/// @param start    first index along each axis; a region that reaches outside is ASDF_ERR_OUT_OF_RANGE
/// @param count    number of elements along each axis
/// @param step     distance of the indices along each axis, negative to go backwards from start, never 0; NULL for 1
/// @param datatype what the elements in memory are. ASDF_ASCII stands for UTF-8 of so many bytes where strings are
///                 converted; what is no text, or not ASCII where it must be, is ASDF_ERR_ENCODING
/// @param elements the elements; may be NULL if there are none
/// @param size     bytes of that memory; too few are ASDF_ERR_BUFFER_TOO_SMALL
/// @param options  how the elements lie in memory, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_array_write_region_typed(
    array: *mut asdf_array,
    rank: i32,
    start: *const i64,
    count: *const i64,
    step: *const i64,
    datatype: *const asdf_datatype,
    elements: *const c_void,
    size: usize,
    options: *const asdf_options,
) -> asdf_status {
    guard(|caller| {
        let options = take(caller, options, "asdf_array_write_region_typed")?;
        let region = region(caller, rank, start, count, step)?;
        write_region(caller, array, &region, caller.handle(datatype, "datatype")?, elements, size, &options)
    })
}

fn write_region(
    caller: &Caller,
    array: *const asdf_array,
    region: &Region,
    memory: &Datatype,
    elements: *const c_void,
    size: usize,
    options: &Taken,
) -> Result<()> {
    let options = read_options(options)?;
    let array = caller.handle(array, "array")?;
    array.write_region(Some(region), memory, caller.bytes(elements, size, "elements")?, &options)
}

/// An array without its elements.
struct Described<'a> {
    datatype: &'a Datatype,
    rank: i32,
    shape: *const i64,
    options: Taken,
}

struct Callback {
    read: asdf_read_callback,
    close: asdf_close_callback,
    user: *mut c_void,
}

fn set_callback(caller: &Caller, node: &Node, path: &str, array: Described, callback: Callback) -> Result<()> {
    let Described { datatype, shape, options, .. } = array;
    if callback.read.is_none() {
        return Err(null_pointer("read"));
    }
    let shape = caller.numbers(shape, rank(array.rank)?, "shape")?;
    let length = packed_size(datatype, shape)?;
    let source = Arc::new(CallbackSource::new(callback.read, callback.close, callback.user, length));
    node.set_array_source(path, datatype, shape, source.clone(), &array_options(&options)?)?;
    source.own();
    Ok(())
}

fn set_zeros(caller: &Caller, node: &Node, path: &str, array: Described) -> Result<()> {
    let Described { datatype, shape, options, .. } = array;
    let shape = caller.numbers(shape, rank(array.rank)?, "shape")?;
    node.set_array_zeros(path, datatype, shape, &array_options(&options)?)
}
