//! Setting the values of nodes in a file being made.
//!
//! # Setting values
//!
//! These functions change files that were made or opened for update; one opened for reading is ASDF_ERR_READ_ONLY. They
//! replace what stands at the path. Paths follow JSON Pointer and JSON Patch:
//!
//! - In a sequence a number names an item that exists, and "-" appends one. In a mapping both are keys like others.
//! - Collections that are missing on the way are made: a sequence if the next part of the path is "-", else a mapping.
//!   Thus "new/-" makes a sequence with one item, and "new/0" makes a mapping with the key "0".
//!
//! A setter that fails changes nothing. Its file cannot be written until a setter of the same path of the same node
//! succeeds, or until asdf_file_forget_failure(), so that nothing is left out unnoticed. asdf_node_set_storage() and
//! asdf_node_recompress_array() may be refused: they say only how arrays are stored, and the file lacks nothing.
//!
//! ```c
//! asdf_file *file = NULL;
//! asdf_node *root = NULL;
//! const int64_t shape[] = {512, 512};
//! asdf_file_new(NULL, &file);
//! asdf_file_root(file, &root);
//! asdf_node_set_string(root, "meta/telescope", "Roman", 5);
//! asdf_node_set_string(root, "meta/filters/-", "F146", 4);
//! asdf_node_set_array(root, "data", ASDF_FLOAT32, 2, shape, pixels, sizeof pixels, NULL);
//! if (asdf_file_write(file, "image.asdf", NULL) != ASDF_OK) return report();
//! ```

use crate::array::{Datatype, Order, without_blanks};
use crate::error::Result;
use crate::ffi::array::datatype::{rank, scalar_of};
use crate::ffi::array::options::{array_options, storage_of};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::error::with_last;
use crate::ffi::boundary::guard::{guard, guard_silently};
use crate::ffi::boundary::lent::asdf_release_callback;
use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::types::{asdf_datatype, asdf_node, asdf_options};
use crate::ffi::options::keys::ASDF_OPTION_BLANK_PADDED;
use crate::ffi::options::taken::{Taken, take};
use crate::file::{ArrayBytes, ArrayData, ArrayOptions, Node};
use std::cell::Cell;
use std::ffi::{c_char, c_void};

/// Runs a setter. If it fails for whatever reason, the file lacks what stands at the path until a setter of the same
/// path succeeds.
pub(crate) fn set(
    node: *const asdf_node,
    path: *const c_char,
    change: impl FnOnce(&Caller, &Node, &str) -> Result<()>,
) -> asdf_status {
    let is_noted = Cell::new(false);
    let status = call(node, path, |caller, node, path| {
        let result = node.setting(path, || change(caller, node, path));
        is_noted.set(true);
        result
    });
    // The path is no text, or the setter panicked.
    if status != ASDF_OK && !is_noted.get() {
        note_last(node);
    }
    status
}

/// Runs a change that no setter makes good: if it fails for whatever reason, the file lacks it.
pub(super) fn edit(
    node: *const asdf_node,
    path: *const c_char,
    change: impl FnOnce(&Caller, &Node, &str) -> Result<()>,
) -> asdf_status {
    let status = call(node, path, change);
    if status != ASDF_OK {
        note_last(node);
    }
    status
}

/// Lets the file remember the last error.
fn note_last(node: *const asdf_node) {
    guard_silently(|caller| {
        let file = caller.handle(node, "node")?.file();
        with_last(|error| error.map_or((), |error| file.note_failure(error)));
        Ok(())
    });
}

/// Runs a call that leaves nothing out of the file if it fails and changed nothing. What it leaves half done is noted
/// where that happens.
pub(super) fn call(
    node: *const asdf_node,
    path: *const c_char,
    change: impl FnOnce(&Caller, &Node, &str) -> Result<()>,
) -> asdf_status {
    guard(|caller| {
        let node = caller.handle(node, "node")?;
        change(caller, node, caller.text(path, "path")?)
    })
}

/// Sets null.
///
/// @param node where the path begins
/// @param path the path
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_null(node: *mut asdf_node, path: *const c_char) -> asdf_status {
    set(node, path, |_, node, path| node.set_null(path))
}

/// Sets true or false.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value 0 for false, anything else for true
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_bool(node: *mut asdf_node, path: *const c_char, value: i32) -> asdf_status {
    set(node, path, |_, node, path| node.set_bool(path, value != 0))
}

/// Sets an integer.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value the integer
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_i64(node: *mut asdf_node, path: *const c_char, value: i64) -> asdf_status {
    set(node, path, |_, node, path| node.set_i64(path, value))
}

/// Sets an integer.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value the integer; beyond INT64_MAX, which the standard does not allow literally, it is ASDF_ERR_VALUE_RANGE:
///              asdf_node_set_integer() takes those
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_u64(node: *mut asdf_node, path: *const c_char, value: u64) -> asdf_status {
    set(node, path, |_, node, path| node.set_u64(path, value))
}

/// Sets an integer of any size: literally if it fits 64 signed bits, else with the tag core/integer, which the standard
/// has from version 1.3.0 on.
///
/// @param node   where the path begins
/// @param path   the path
/// @param digits decimal digits with an optional sign; anything else is ASDF_ERR_INVALID_ARGUMENT
/// @param length their number of bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_integer(
    node: *mut asdf_node,
    path: *const c_char,
    digits: *const c_char,
    length: usize,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_integer(path, caller.string(digits, length, "digits")?))
}

/// Sets a number. It is written so that reading it gives the same bits; infinities and NaN, too.
///
/// @param node  where the path begins
/// @param path  the path
/// @param value the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_f64(node: *mut asdf_node, path: *const c_char, value: f64) -> asdf_status {
    set(node, path, |_, node, path| node.set_f64(path, value))
}

/// Sets a complex number (core/complex).
///
/// @param node      where the path begins
/// @param path      the path
/// @param real      the real part
/// @param imaginary the imaginary part
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_complex(
    node: *mut asdf_node,
    path: *const c_char,
    real: f64,
    imaginary: f64,
) -> asdf_status {
    set(node, path, |_, node, path| node.set_complex(path, real, imaginary))
}

/// Sets a string. It is quoted where a reader could take it for something else.
///
/// @param node   where the path begins
/// @param path   the path
/// @param value  the string, UTF-8; may be NULL if it is empty
/// @param length its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_string(
    node: *mut asdf_node,
    path: *const c_char,
    value: *const c_char,
    length: usize,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_string(path, caller.string(value, length, "value")?))
}

/// Sets a date, or a date with time, in the form that YAML has for them: "2027-01-31", "2027-01-31T04:05:06.7Z". Such a
/// text may as well be set as a string, which readers do not take apart.
///
/// @param node   where the path begins
/// @param path   the path
/// @param value  the date; any other text is ASDF_ERR_INVALID_ARGUMENT
/// @param length its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_timestamp(
    node: *mut asdf_node,
    path: *const c_char,
    value: *const c_char,
    length: usize,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_timestamp(path, caller.string(value, length, "value")?))
}

/// Sets bytes, which are written as text in base 64 (!!binary). For more than a few use an array.
///
/// @param node  where the path begins
/// @param path  the path
/// @param bytes the bytes; may be NULL if there are none
/// @param size  their number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_binary(
    node: *mut asdf_node,
    path: *const c_char,
    bytes: *const c_void,
    size: usize,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_binary(path, caller.bytes(bytes, size, "bytes")?))
}

/// Sets an empty sequence, to be filled by "-" in paths.
///
/// @param node where the path begins
/// @param path the path
/// @param flow 1 to write it in brackets, 0 to write it line by line
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_sequence(node: *mut asdf_node, path: *const c_char, flow: i32) -> asdf_status {
    set(node, path, |_, node, path| node.set_sequence(path, flow != 0))
}

/// Sets an empty mapping.
///
/// @param node where the path begins
/// @param path the path
/// @param flow 1 to write it in braces, 0 to write it line by line
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_mapping(node: *mut asdf_node, path: *const c_char, flow: i32) -> asdf_status {
    set(node, path, |_, node, path| node.set_mapping(path, flow != 0))
}

/// Sets the tag of what stands at a path, or takes it away.
///
/// @param node where the path begins
/// @param path the path
/// @param tag  the tag in full, or beginning with "!" for one of the standard: "!unit/unit-1.0.0" is
///             "tag:stsci.edu:asdf/unit/unit-1.0.0"; NULL for none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_tag(
    node: *mut asdf_node,
    path: *const c_char,
    tag: *const c_char,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_tag(path, caller.optional_text(tag, "tag")?))
}

/// Sets a JSON reference.
///
/// @param node where the path begins
/// @param path the path
/// @param uri  the URI, relative to the file, with an escaped path as its fragment: "other.asdf#/data"
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_reference(
    node: *mut asdf_node,
    path: *const c_char,
    uri: *const c_char,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_reference(path, caller.text(uri, "uri")?))
}

/// Sets a JSON reference to a place in the same file.
///
/// @param node   where the path begins
/// @param path   the path
/// @param target path of the place from the root; the escapes of URIs are made here
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_reference_to(
    node: *mut asdf_node,
    path: *const c_char,
    target: *const c_char,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_reference_to(path, caller.text(target, "target")?))
}

/// Sets an array.
///
/// @param node     where the path begins
/// @param path     the path
/// @param datatype code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param elements memory with the elements in native byte order, packed in C order unless the options say how they
///                 lie, which are copied. May be NULL if there are none
/// @param size     bytes of the memory; else than packed elements fill it and others lie within it is
///                 ASDF_ERR_INVALID_ARGUMENT
/// @param options  how to store it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_array(
    node: *mut asdf_node,
    path: *const c_char,
    datatype: i32,
    rank: i32,
    shape: *const i64,
    elements: *const c_void,
    size: usize,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_array")?;
        let memory = Memory { datatype: scalar_of(datatype)?.into(), rank, shape, elements, size, lent: None };
        set_array(caller, node, path, memory, &options)
    })
}

/// Sets an array of anything: strings, filled up with NUL; records, packed, each number in native byte order. Byte
/// orders that the datatype gives to fields are those of the file.
///
/// @param node     where the path begins
/// @param path     the path
/// @param datatype what the elements are; strings that are not ASCII or valid UTF-32, as it says, are ASDF_ERR_ENCODING
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param elements memory with the elements in native byte order, packed in C order unless the options say how they
///                 lie, which are copied. May be NULL if there are none
/// @param size     bytes of the memory; else than packed elements fill it and others lie within it is
///                 ASDF_ERR_INVALID_ARGUMENT
/// @param options  how to store it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_array_typed(
    node: *mut asdf_node,
    path: *const c_char,
    datatype: *const asdf_datatype,
    rank: i32,
    shape: *const i64,
    elements: *const c_void,
    size: usize,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_array_typed")?;
        let datatype = caller.handle(datatype, "datatype")?.clone();
        set_array(caller, node, path, Memory { datatype, rank, shape, elements, size, lent: None }, &options)
    })
}

/// Sets an array whose elements the program lends until they are written. They are packed, and swapped where the byte
/// order of the file is another one, in pieces of 1 MiB as the file is written, or with the whole array in memory while
/// it is compressed.
///
/// @param node     where the path begins
/// @param path     the path
/// @param datatype code of the scalar type of the elements; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param elements memory with the elements in native byte order, packed in C order unless the options say how they
///                 lie. It must stay valid and unchanged until it is released. May be NULL if there are none
/// @param size     bytes of the memory; else than packed elements fill it and others lie within it is
///                 ASDF_ERR_INVALID_ARGUMENT
/// @param release  called with user once, when the file that the array is set in and all that hangs on it are freed, or
///                 nothing needs the elements any more: by the call that frees the last of them, on its thread. NULL
///                 for none. If this call fails, it is not called
/// @param user     given to release; may be NULL
/// @param options  how to store it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_array_borrowed(
    node: *mut asdf_node,
    path: *const c_char,
    datatype: i32,
    rank: i32,
    shape: *const i64,
    elements: *const c_void,
    size: usize,
    release: asdf_release_callback,
    user: *mut c_void,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_array_borrowed")?;
        let lent = Some((release, user));
        let memory = Memory { datatype: scalar_of(datatype)?.into(), rank, shape, elements, size, lent };
        set_array(caller, node, path, memory, &options)
    })
}

/// Sets an array of anything whose elements the program lends; see asdf_node_set_array_typed() and
/// asdf_node_set_array_borrowed().
///
/// @param node     where the path begins
/// @param path     the path
/// @param datatype what the elements are; strings that are not ASCII or valid UTF-32, as it says, are ASDF_ERR_ENCODING
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param elements memory with the elements, which must stay valid and unchanged until it is released. May be NULL if
///                 there are none
/// @param size     bytes of the memory
/// @param release  called with user once, when nothing needs the elements any more. NULL for none. If this call fails,
///                 it is not called
/// @param user     given to release; may be NULL
/// @param options  how to store it, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_array_borrowed_typed(
    node: *mut asdf_node,
    path: *const c_char,
    datatype: *const asdf_datatype,
    rank: i32,
    shape: *const i64,
    elements: *const c_void,
    size: usize,
    release: asdf_release_callback,
    user: *mut c_void,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_array_borrowed_typed")?;
        let datatype = caller.handle(datatype, "datatype")?.clone();
        let memory = Memory { datatype, rank, shape, elements, size, lent: Some((release, user)) };
        set_array(caller, node, path, memory, &options)
    })
}

/// An array as the program gives it.
struct Memory {
    datatype: Datatype,
    rank: i32,
    shape: *const i64,
    elements: *const c_void,
    size: usize,
    /// How the memory is released that is lent and not copied.
    lent: Option<(asdf_release_callback, *mut c_void)>,
}

fn set_array(caller: &Caller, node: &Node, path: &str, memory: Memory, options: &Taken) -> Result<()> {
    let shape = caller.numbers(memory.shape, rank(memory.rank)?, "shape")?;
    let Memory { elements, size, .. } = memory;
    let set = |bytes, order| {
        let data = ArrayData { datatype: memory.datatype.clone(), shape, bytes, order };
        node.set_array_data(path, &data, &array_options(options)?)
    };
    match memory.lent {
        Some(release) => {
            caller.lend(elements, size, release, "elements", |bytes| set(ArrayBytes::Shared(bytes), options.order()?))
        }
        None if options.flag(ASDF_OPTION_BLANK_PADDED, false) => {
            let bytes = caller.bytes(elements, size, "elements")?;
            let bytes = without_blanks(&memory.datatype, shape, &options.order()?, bytes)?;
            set(ArrayBytes::Copied(&bytes), Order::C)
        }
        None => set(ArrayBytes::Copied(caller.bytes(elements, size, "elements")?), options.order()?),
    }
}

/// Changes where the elements of an array are stored, without changing their values. What is stored so already stays as
/// it is, and so do datatype, byte order, mask and all else that the array says of itself.
///
/// A block is stored again as it is, compressed or not; only a streamed one is never compressed, and elements that are
/// to be text are read. Two arrays on one block are on one block again, or in one file, if both are moved. The block
/// that an array had stays in a file that was opened, unused, until it is compacted; a file that it was in stays, too.
/// A mask that is an array has a storage of its own: its path is that of the array and "mask". Null among elements in
/// the tree becomes a mask.
///
/// @param node    where the path begins
/// @param path    the path
/// @param storage one of ASDF_STORAGE_...; another number is ASDF_ERR_INVALID_ARGUMENT, and so is a second streamed
///                array. Inline, a single element (rank 0) is ASDF_ERR_INVALID_ARGUMENT, an integer above INT64_MAX
///                ASDF_ERR_VALUE_RANGE, and more elements than a tree can hold ASDF_ERR_LIMIT
/// @param options the name of an external file, room and checksum; for elements that were text also byte order (unless
///                the array says one), order in the file and compression; or NULL. After a failure the array is stored
///                as before, and the file can be written
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_storage(
    node: *mut asdf_node,
    path: *const c_char,
    storage: i32,
    options: *const asdf_options,
) -> asdf_status {
    call(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_set_storage")?;
        let options = ArrayOptions { storage: storage_of(storage)?, ..array_options(&options)? };
        node.set_storage(path, &options)
    })
}

/// Copies a node with all below it, from this or another file: so a new file can be made of parts of others. Arrays
/// take their blocks along as they are stored, and no others; two arrays on one block are on one block again, also if
/// they are copied one after the other. Aliases inside stay aliases. JSON references are copied as they are, so those
/// into the file of `from` lead to the same path of this file.
///
/// A file of another version of the standard gets the tags of its own version: "core/ndarray-1.1.0" of standard 1.6.0
/// is "core/ndarray-1.0.0" in 1.4.0, and "core/table" is "table/table" from 1.6.0 on. So it is for tags of the
/// standard, of transforms and of astropy; other tags are copied as they are. A node with a tag that the version does
/// not have, or with content that it has no place for, such as float16 before 1.6.0, is ASDF_ERR_UNSUPPORTED, and
/// nothing is copied.
///
/// @param node    where the path begins
/// @param path    the path to copy to
/// @param from    what to copy
/// @param options storage of the elements of all arrays, as for asdf_node_set_storage(); NULL, or options in which
///                nothing is set, to leave them where they are. With options the blocks of arrays in other files are
///                brought along, if the options allow it that the file of `from` was opened with; without, the URIs of
///                such arrays are copied as they are. If an array cannot be stored so, what was copied stays
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_copy(
    node: *mut asdf_node,
    path: *const c_char,
    from: *const asdf_node,
    options: *const asdf_options,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_copy")?;
        let options = if options.is_empty() { None } else { Some(array_options(&options)?) };
        node.copy_from(path, caller.handle(from, "from")?, options.as_ref())
    })
}

/// Removes what stands at a path from its mapping or sequence. Nodes there and below answer ASDF_ERR_STALE.
///
/// @param node where the path begins
/// @param path the path
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_remove(node: *mut asdf_node, path: *const c_char) -> asdf_status {
    set(node, path, |_, node, path| node.remove(path))
}
