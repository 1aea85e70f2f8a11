//! Setting values of nodes in a file that is new or opened for update.
//!
//! # Setting values
//!
//! These functions change files that are new or opened for update; a file opened for reading is ASDF_ERR_READ_ONLY.
//! They replace an existing value at the path. Paths follow JSON Pointer and JSON Patch:
//!
//! - In a sequence, a number is the index of an existing item, and "-" appends an item. In a mapping, both are ordinary
//!   keys.
//! - Missing collections are created: a sequence if the next part of the path is "-", otherwise a mapping. So "new/-"
//!   creates a sequence with one item. A number is never the first key of a new mapping: "new/0" is ASDF_ERR_NOT_FOUND
//!   unless "new" exists.
//! - Two mistakes are ASDF_ERR_INVALID_ARGUMENT: an index in brackets after the key of a sequence or an array
//!   (for "list/0"), and a new key below an array.
//!
//! A failed setter changes nothing. The file can then not be written until a setter with the same node and path
//! succeeds, or until asdf_file_forget_failure(). So a program cannot write an incomplete file by mistake. After a
//! failed append ("-"), insertion, renaming or move only asdf_file_forget_failure() helps. Failures of
//! asdf_node_set_storage() and asdf_node_recompress_array() do not prevent writing, because the file is still complete.
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

use crate::array::{Order, without_blanks};
use crate::error::Result;
use crate::ffi::array::datatype::rank;
use crate::ffi::array::options::{array_options, blank_padded, memory_order, new_type, storage_of};
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_silently};
use crate::ffi::boundary::lent::asdf_release_callback;
use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::thread::with_last_error;
use crate::ffi::boundary::types::{asdf_node, asdf_options};
use crate::ffi::options::taken::{Taken, take};
use crate::file::{ArrayBytes, ArrayData, ArrayOptions, Node};
use std::cell::Cell;
use std::ffi::{c_char, c_void};

/// Runs a setter. If it fails for any reason, the file counts as incomplete until a setter of the same path succeeds.
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
    // The path is not valid text, or the setter panicked.
    if status != ASDF_OK && !is_noted.get() {
        note_last(node);
    }
    status
}

/// Runs an edit. If it fails for any reason, the file counts as incomplete; no later setter can repair that.
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

/// Records the last error with the file.
pub(super) fn note_last(node: *const asdf_node) {
    guard_silently(|caller| {
        let file = caller.handle(node, "node")?.file();
        with_last_error(|error| error.map_or((), |error| file.note_failure(error)));
        Ok(())
    });
}

/// Runs a call whose failure leaves the file complete. A call that can stop halfway must record its failure itself.
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

/// Makes an empty mapping that belongs to no file: metadata of a table, and other values that are copied to where they
/// are needed. Setters change it like a node of a new file.
///
/// @param mapping gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_new_mapping(mapping: *mut *mut asdf_node) -> asdf_status {
    guard_handle(mapping, "mapping", |_| Node::new_mapping())
}

/// Sets null.
///
/// @param node node that the path starts from
/// @param path the path
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_null(node: *mut asdf_node, path: *const c_char) -> asdf_status {
    set(node, path, |_, node, path| node.set_null(path))
}

/// Sets true or false.
///
/// @param node  node that the path starts from
/// @param path  the path
/// @param value 0 for false, anything else for true
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_bool(node: *mut asdf_node, path: *const c_char, value: i32) -> asdf_status {
    set(node, path, |_, node, path| node.set_bool(path, value != 0))
}

/// Sets an integer.
///
/// @param node  node that the path starts from
/// @param path  the path
/// @param value the integer
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_i64(node: *mut asdf_node, path: *const c_char, value: i64) -> asdf_status {
    set(node, path, |_, node, path| node.set_i64(path, value))
}

/// Sets an integer.
///
/// @param node  node that the path starts from
/// @param path  the path
/// @param value the integer; ASDF_ERR_VALUE_RANGE beyond INT64_MAX, because the standard does not allow larger integer
///              literals: use asdf_node_set_integer() for them
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_u64(node: *mut asdf_node, path: *const c_char, value: u64) -> asdf_status {
    set(node, path, |_, node, path| node.set_u64(path, value))
}

/// Sets an integer of any size. It is written as a literal if it fits 64 signed bits, otherwise with the tag
/// core/integer, which the standard has since version 1.3.0.
///
/// @param node   node that the path starts from
/// @param path   the path
/// @param digits decimal digits with an optional sign; ASDF_ERR_INVALID_ARGUMENT for any other text
/// @param length its length in bytes
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

/// Sets a floating-point number, also an infinity or NaN. Reading it returns the same bits.
///
/// @param node  node that the path starts from
/// @param path  the path
/// @param value the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_f64(node: *mut asdf_node, path: *const c_char, value: f64) -> asdf_status {
    set(node, path, |_, node, path| node.set_f64(path, value))
}

/// Sets a floating-point number of single precision, with the shortest text that gives it: 0.1f is written 0.1. Its
/// value in double precision, which asdf_node_set_f64() would write, is 0.10000000149011612.
///
/// @param node  node that the path starts from
/// @param path  the path
/// @param value the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_f32(node: *mut asdf_node, path: *const c_char, value: f32) -> asdf_status {
    set(node, path, |_, node, path| node.set_f32(path, value))
}

/// Sets a complex number (core/complex).
///
/// @param node      node that the path starts from
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

/// Sets a string. It is quoted if a reader could take it for another type.
///
/// @param node   node that the path starts from
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

/// Sets a date, or a date with time, as a YAML timestamp: "2027-01-31", "2027-01-31T04:05:06.7Z". To store it as plain
/// text instead, use asdf_node_set_string().
///
/// @param node   node that the path starts from
/// @param path   the path
/// @param value  the timestamp; ASDF_ERR_INVALID_ARGUMENT for any other text
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

/// Makes a quantity (unit/quantity) of the mapping at a path, or of a new mapping, with the tags of the file's version
/// of the standard. Its number or array is set like any other node, before or after, under "value":
/// asdf_node_set_f64(node, "step/value", 0.5).
///
/// A unit in VOUnit spelling is stored as it is (unit/unit). One in another spelling is stored as asdf-astropy does: in
/// VOUnit spelling, or under a tag of astropy if VOUnit does not have it. A text that is no unit is stored as it is,
/// under that tag.
///
/// Fails with ASDF_ERR_WRONG_TYPE if another node is at the path, so that no value is lost, and with
/// ASDF_ERR_UNSUPPORTED in files of standard 1.0.0, which has no quantities.
///
/// @param node   node that the path starts from
/// @param path   the path
/// @param unit   the unit, such as "km.s**-1" or "mag(AB)", empty if it is dimensionless; NULL to keep the unit that is
///               there
/// @param length its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_quantity(
    node: *mut asdf_node,
    path: *const c_char,
    unit: *const c_char,
    length: usize,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_quantity(path, caller.optional_string(unit, length, "unit")?))
}

/// Sets a time of the standard (time/time): a date with time in UTC as in "2027-01-31T04:05:06.7", the day of a year
/// with time in UTC as in "2027:031:04:05:06.7", or a Besselian or Julian epoch as in "B1950.0" and "J2000.0". A date
/// or time of YAML is set by asdf_node_set_timestamp().
///
/// @param node   node that the path starts from
/// @param path   the path
/// @param value  the time; ASDF_ERR_INVALID_ARGUMENT for any other text
/// @param length its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_time(
    node: *mut asdf_node,
    path: *const c_char,
    value: *const c_char,
    length: usize,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_time(path, caller.string(value, length, "value")?))
}

/// Sets binary data, which is written as base64 text (!!binary). For large data use an array.
///
/// @param node  node that the path starts from
/// @param path  the path
/// @param bytes the bytes; may be NULL if there are none
/// @param size  number of bytes
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

/// Sets an empty sequence. Append items by paths that end in "-".
///
/// @param node node that the path starts from
/// @param path the path
/// @param flow 1 to write it in brackets, 0 to write it line by line
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_sequence(node: *mut asdf_node, path: *const c_char, flow: i32) -> asdf_status {
    set(node, path, |_, node, path| node.set_sequence(path, flow != 0))
}

/// Sets an empty mapping.
///
/// @param node node that the path starts from
/// @param path the path
/// @param flow 1 to write it in braces, 0 to write it line by line
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_mapping(node: *mut asdf_node, path: *const c_char, flow: i32) -> asdf_status {
    set(node, path, |_, node, path| node.set_mapping(path, flow != 0))
}

/// Sets or removes the tag of a node.
///
/// @param node node that the path starts from
/// @param path the path
/// @param tag  full tag, or "!" and the short form of a tag of the standard: "!unit/unit-1.0.0" is
///             "tag:stsci.edu:asdf/unit/unit-1.0.0", and "!!set" is "tag:yaml.org,2002:set"; NULL to remove the tag.
///             ASDF_ERR_INVALID_ARGUMENT for a text that is neither, and for a tag of the standard or of YAML that does
///             not exist: the message names the one that was probably meant. Tags of other prefixes can be any
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_tag(
    node: *mut asdf_node,
    path: *const c_char,
    tag: *const c_char,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_tag(path, caller.optional_text(tag, "tag")?))
}

/// Sets the note of a mapping: the text under its key "//", for people who read the file. It is part of the data, so
/// all readers find it and copies keep it. A new note comes before all other keys.
///
/// @param node   node that the path starts from
/// @param path   path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else, ASDF_ERR_NOT_FOUND if it does not
///               exist
/// @param note   the note, UTF-8; may be NULL if it is empty
/// @param length its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_note(
    node: *mut asdf_node,
    path: *const c_char,
    note: *const c_char,
    length: usize,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_note(path, caller.string(note, length, "note")?))
}

/// Sets a JSON reference.
///
/// @param node node that the path starts from
/// @param path the path
/// @param uri  URI, relative to the file, with the escaped path as its fragment: "other.asdf#/data"
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
/// @param node   node that the path starts from
/// @param path   the path
/// @param target path of the target from the root; the function adds the escapes of the URI
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_reference_to(
    node: *mut asdf_node,
    path: *const c_char,
    target: *const c_char,
) -> asdf_status {
    set(node, path, |caller, node, path| node.set_reference_to(path, caller.text(target, "target")?))
}

/// Sets an array, also of strings (padded with NULs) or records (packed).
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param datatype code of the scalar type of the elements, or 0 for the datatype in the options;
///                 ASDF_ERR_INVALID_ARGUMENT for any other number, or if the options have none. ASDF_ERR_ENCODING if a
///                 string is not ASCII (ASDF_ASCII) or not valid UTF-32 (ASDF_UCS4)
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param elements elements in native byte order, packed in C order unless the options set an order or strides. They
///                 are copied. May be NULL if there are no elements
/// @param size     size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT unless packed elements fill it exactly, or
///                 strided elements lie within it
/// @param options  options, or NULL for the defaults
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
        set_array(caller, node, path, Memory { datatype, rank, shape, elements, size, lent: None }, &options)
    })
}

/// Sets an array whose elements the program lends until they are written. Writing the file packs them, and swaps bytes
/// if the file has another byte order, in pieces of 1 MiB; to compress the array, it holds the whole array in memory.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param datatype code of the scalar type of the elements, or 0 for the datatype in the options, as in
///                 asdf_node_set_array()
/// @param rank     number of axes, 0 for a single element
/// @param shape    extent along each axis, slowest first; may be NULL for rank 0
/// @param elements elements in native byte order, packed in C order unless the options set an order or strides. The
///                 memory must stay valid and unchanged until release is called. May be NULL if there are no elements
/// @param size     size of that memory in bytes; ASDF_ERR_INVALID_ARGUMENT unless packed elements fill it exactly, or
///                 strided elements lie within it
/// @param release  called once with user, after the last use of the elements: at the latest when the file of the array
///                 and all handles that depend on it are freed. It runs inside the call that ends the last use, on the
///                 thread of that call. NULL for none. It is not called if this call fails
/// @param user     pointer passed to release; may be NULL
/// @param options  options, or NULL for the defaults
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
        set_array(caller, node, path, Memory { datatype, rank, shape, elements, size, lent }, &options)
    })
}

/// Arguments of a function that sets an array.
struct Memory {
    datatype: i32,
    rank: i32,
    shape: *const i64,
    elements: *const c_void,
    size: usize,
    /// Release callback of lent memory; `None` if the memory is copied.
    lent: Option<(asdf_release_callback, *mut c_void)>,
}

fn set_array(caller: &Caller, node: &Node, path: &str, memory: Memory, options: &Taken) -> Result<()> {
    let shape = caller.numbers(memory.shape, rank(memory.rank)?, "shape")?;
    let Memory { elements, size, .. } = memory;
    let datatype = new_type(memory.datatype, options)?;
    let set = |bytes, order| {
        let data = ArrayData { datatype: datatype.clone().into_owned(), shape, bytes, order };
        node.set_array_data(path, &data, &array_options(options)?)
    };
    match memory.lent {
        Some(release) => caller
            .lend(elements, size, release, "elements", |bytes| set(ArrayBytes::Shared(bytes), memory_order(options)?)),
        None if blank_padded(options) => {
            let bytes = caller.bytes(elements, size, "elements")?;
            let bytes = without_blanks(&datatype, shape, &memory_order(options)?, bytes)?;
            set(ArrayBytes::Copied(&bytes), Order::C)
        }
        None => set(ArrayBytes::Copied(caller.bytes(elements, size, "elements")?), memory_order(options)?),
    }
}

/// Changes the storage of an array: the place of its elements, but not their values. Datatype, byte order, mask and all
/// other properties stay unchanged. An array that already has this storage stays as it is.
///
/// - Stored bytes are copied without decoding, compressed or not. Exceptions: a streamed block is never compressed, and
///   elements that become text are decoded.
/// - Two arrays that share a block share a block or a file again, if both are moved.
/// - The old block stays unused in a file opened for update until asdf_file_compact(). An old external file stays, too.
/// - A mask array has its own storage; its path is the path of the array and "mask".
/// - Null among elements in the tree becomes a mask.
///
/// @param node    node that the path starts from
/// @param path    the path
/// @param storage one of ASDF_STORAGE_...; ASDF_ERR_INVALID_ARGUMENT for any other number, and for a second streamed
///                array. For ASDF_STORAGE_INLINE: ASDF_ERR_INVALID_ARGUMENT for a single element (rank 0),
///                ASDF_ERR_VALUE_RANGE for an integer above INT64_MAX, and ASDF_ERR_LIMIT for more elements than a tree
///                can hold
/// @param options options, or NULL for the defaults. They can set the name of an external file, slack and checksum; for
///                elements that were text also byte order (unless the array has one), order in the file and
///                compression. After a failure the array stays as it was, and the file can be written
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

/// Copies a node with all its children from this or another file, for example to build a new file from parts of others.
///
/// - Blocks of arrays are copied as they are stored. Two arrays that share a block also share the copy, even if they
///   are copied one after the other.
/// - Aliases inside the node stay aliases.
/// - JSON references are copied unchanged. A reference within the file of `from` then refers to the same path in this
///   file.
/// - If the two files have different versions of the standard, tags of the standard, of transforms and of astropy are
///   converted: "core/ndarray-1.1.0" of standard 1.6.0 becomes "core/ndarray-1.0.0" in 1.4.0, and "core/table" becomes
///   "table/table" from 1.6.0 on. Other tags are copied unchanged.
/// - If the standard of this file lacks a tag or does not allow the content (such as float16 before 1.6.0), the call
///   fails with ASDF_ERR_UNSUPPORTED and copies nothing.
/// - Readers of standards up to 1.5.0 add missing keys that have a default in the schema of a tag; readers of later
///   standards do not. A copy into a later standard gets the missing keys whose default is empty. If another such key is
///   missing, the call fails with ASDF_ERR_UNSUPPORTED and copies nothing.
/// - Chunked arrays are copied with their chunks. If a node has data in other blocks that no array names, the copy
///   would lose the blocks. The call fails with ASDF_ERR_UNSUPPORTED and copies nothing, unless both nodes are in the
///   same file.
///
/// The options set the storage of all copied arrays, as those of asdf_node_set_storage(). If an array cannot be stored
/// as requested, the call fails, but the copied nodes remain. Arrays whose blocks are in other files:
///
/// - without options, the copy has the same URI
/// - with options, the block is copied, if the options of the file of `from` allow access to its file
///
/// @param node    node that the path starts from
/// @param path    the path to copy to
/// @param from    node to copy
/// @param options storage of the copied arrays; NULL, or options that set only what every call knows (threads,
///                progress, limits), keeps their storage
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
        let options = if options.is_usual() { None } else { Some(array_options(&options)?) };
        node.copy_from(path, caller.handle(from, "from")?, options.as_ref())
    })
}

/// Removes a node from its mapping or sequence. Calls with handles of it and of its children then fail with
/// ASDF_ERR_STALE.
///
/// @param node node that the path starts from
/// @param path the path. ASDF_ERR_NOT_FOUND if there is no such node; the file can then be saved nevertheless
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_remove(node: *mut asdf_node, path: *const c_char) -> asdf_status {
    call(node, path, |_, node, path| {
        node.remove(path)?;
        node.setting(path, || Ok(()))
    })
}
