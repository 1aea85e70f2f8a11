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

use super::caller::Caller;
use super::datatype::{rank, scalar_of};
use super::file::{asdf_close_callback, asdf_read_callback};
use super::handle::null_pointer;
use super::lent::CallbackSource;
use super::node_write::set;
use super::options::chosen;
use super::status::asdf_status;
use super::types::{asdf_array_options, asdf_datatype, asdf_node};
use crate::array::{Datatype, packed_size};
use crate::error::Result;
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
/// If the callback fails, so does the call that writes, with ASDF_ERR_CALLBACK and a message with what it answered; what
/// stood under the file's name before stays. Each time that the file is written the callback is asked anew; and also if
/// the array is read while it is not saved, then for any part of it.
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
/// @param options  how to store it, or NULL. Storage in the tree and in Fortran's order is ASDF_ERR_INVALID_ARGUMENT;
///                 how elements are in memory and whether they are borrowed does not matter
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
    options: *const asdf_array_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
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
    options: *const asdf_array_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
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
    options: *const asdf_array_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
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
    options: *const asdf_array_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let array = Described { datatype: caller.handle(datatype, "datatype")?, rank, shape, options };
        set_zeros(caller, node, path, array)
    })
}

/// An array without its elements.
struct Described<'a> {
    datatype: &'a Datatype,
    rank: i32,
    shape: *const i64,
    options: *const asdf_array_options,
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
    node.set_array_source(path, datatype, shape, source.clone(), &chosen(caller, options)?.options)?;
    source.own();
    Ok(())
}

fn set_zeros(caller: &Caller, node: &Node, path: &str, array: Described) -> Result<()> {
    let Described { datatype, shape, options, .. } = array;
    let shape = caller.numbers(shape, rank(array.rank)?, "shape")?;
    node.set_array_zeros(path, datatype, shape, &chosen(caller, options)?.options)
}
