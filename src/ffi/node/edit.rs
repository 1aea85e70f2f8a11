//! Changing existing content: order and place of nodes, keys, shape and compression of arrays.
//!
//! # Changing existing content
//!
//! These functions work on new files and on files opened for update, with the same errors as the setters. Node handles
//! stay valid. The text around a change keeps its comments and styles.
//!
//! - A key that comes from a merged mapping ("<<") belongs to that other mapping. Renaming, moving or removing it here
//!   is ASDF_ERR_INVALID_ARGUMENT, and the message names its position. Setters add a pair to the mapping itself.
//! - JSON references to a renamed or moved place are not updated, as the library cannot update those in other files.
//!   They then refer to whatever is at the old path, or to nothing.
//!
//! ```c
//! asdf_file_open_for_update("image.asdf", NULL, &file);
//! asdf_file_root(file, &root);
//! asdf_node_rename_key(root, "meta/exp", "exposure");
//! asdf_node_insert_key(root, "meta", "observer", ASDF_INSERT_AFTER, "exposure");
//! asdf_node_set_string(root, "meta/observer", "N. Roman", 8);
//! asdf_node_move(root, "draft/list/3", "list/0");
//! asdf_options_set_text(options, ASDF_OPTION_CODEC, "zstd", 4);
//! asdf_node_recompress_array(root, "data", options);
//! asdf_file_save(file, NULL);
//! ```

use super::write::{call, edit, note_last};
use crate::error::{Error, Result, Status};
use crate::ffi::array::options::compression;
use crate::ffi::boundary::caller::Caller;
use crate::ffi::boundary::guard::guard_handle;
use crate::ffi::boundary::status::{ASDF_OK, asdf_status};
use crate::ffi::boundary::types::asdf_node;
use crate::ffi::boundary::types::asdf_options;
use crate::ffi::options::taken::take;
use crate::file::{Key, KeyPosition};
use std::ffi::{c_char, c_void};

/// Before the neighbour, or before all keys.
pub const ASDF_INSERT_BEFORE: i32 = 0;
/// After the neighbour, or after all keys.
pub const ASDF_INSERT_AFTER: i32 = 1;

/// Makes the node at a path, with missing collections on the way as setters do. A new node holds null until it is set.
/// An existing node stays as it is, but "-" always appends an item to a sequence.
///
/// The node serves to set several values of one new item: their paths start from it, so they do not append again.
///
/// @param node node that the path starts from
/// @param path the path; ASDF_ERR_NOT_FOUND for an index beyond the items of a sequence, ASDF_ERR_WRONG_TYPE for a path
///             through a scalar
/// @param made gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_make(
    node: *mut asdf_node,
    path: *const c_char,
    made: *mut *mut asdf_node,
) -> asdf_status {
    let status = guard_handle(made, "made", |caller| caller.handle(node, "node")?.make(caller.text(path, "path")?));
    if status != ASDF_OK {
        note_last(node);
    }
    status
}

/// Makes the node under a string key. The key has no escapes and may contain NUL bytes, and is not a path: "a/b" is one
/// key. A missing key is appended to the mapping, with the value null until the node is set; an existing value stays as
/// it is.
///
/// A program that copies the pairs of a mapping one by one makes each key with this function, asdf_node_make_by_i64()
/// or asdf_node_make_by_bool(), by the type of the key (asdf_node_key_type()).
///
/// @param node   node that the path starts from
/// @param path   path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param key    the key, UTF-8
/// @param length its length in bytes
/// @param made   gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_make_by_string(
    node: *mut asdf_node,
    path: *const c_char,
    key: *const c_char,
    length: usize,
    made: *mut *mut asdf_node,
) -> asdf_status {
    made_by(node, path, made, |caller| Ok(Key::String(caller.string(key, length, "key")?)))
}

/// Makes the node under an integer key, as asdf_node_make_by_string() does under a string key.
///
/// @param node node that the path starts from
/// @param path path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param key  the key
/// @param made gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_make_by_i64(
    node: *mut asdf_node,
    path: *const c_char,
    key: i64,
    made: *mut *mut asdf_node,
) -> asdf_status {
    made_by(node, path, made, |_| Ok(Key::Integer(key)))
}

/// Makes the node under the key true or false, as asdf_node_make_by_string() does under a string key.
///
/// @param node node that the path starts from
/// @param path path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param key  0 for false, anything else for true
/// @param made gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_make_by_bool(
    node: *mut asdf_node,
    path: *const c_char,
    key: i32,
    made: *mut *mut asdf_node,
) -> asdf_status {
    made_by(node, path, made, |_| Ok(Key::Bool(key != 0)))
}

/// Makes the node under a key. A failure is recorded with the file.
fn made_by(
    node: *const asdf_node,
    path: *const c_char,
    made: *mut *mut asdf_node,
    key: impl FnOnce(&Caller) -> Result<Key>,
) -> asdf_status {
    let status = guard_handle(made, "made", |caller| {
        caller.handle(node, "node")?.make_key(caller.text(path, "path")?, key(caller)?)
    });
    if status != ASDF_OK {
        note_last(node);
    }
    status
}

/// Inserts an item with the value null into a sequence; set its value with a setter. The index of each following item
/// grows by one.
///
/// @param node  node that the path starts from
/// @param path  path of the sequence; ASDF_ERR_WRONG_TYPE if it is something else
/// @param index index of the new item, from 0; the number of items, or -1, appends it. ASDF_ERR_OUT_OF_RANGE for any
///              other number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_insert_item(node: *mut asdf_node, path: *const c_char, index: i64) -> asdf_status {
    edit(node, path, |_, node, path| {
        let index = match index {
            -1 => None,
            _ => Some(usize::try_from(index).map_err(|_| {
                Error::new(Status::OutOfRange, format!("the index {index} is negative; use 0 or more, or -1 to append"))
            })?),
        };
        node.insert_item(path, index)
    })
}

/// Inserts a key with the value null into a mapping; set its value with a setter. Setters themselves append new keys at
/// the end.
///
/// @param node      node that the path starts from
/// @param path      path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param key       the key; ASDF_ERR_INVALID_ARGUMENT if the mapping has it
/// @param position  ASDF_INSERT_BEFORE or ASDF_INSERT_AFTER; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param neighbour existing key before or after which the new key is inserted; ASDF_ERR_NOT_FOUND if there is none.
///                  NULL for before or after all keys
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_insert_key(
    node: *mut asdf_node,
    path: *const c_char,
    key: *const c_char,
    position: i32,
    neighbour: *const c_char,
) -> asdf_status {
    edit(node, path, |caller, node, path| {
        let position = match (position, caller.optional_text(neighbour, "neighbour")?) {
            (ASDF_INSERT_BEFORE, None) => KeyPosition::First,
            (ASDF_INSERT_BEFORE, Some(neighbour)) => KeyPosition::Before(neighbour),
            (ASDF_INSERT_AFTER, None) => KeyPosition::Last,
            (ASDF_INSERT_AFTER, Some(neighbour)) => KeyPosition::After(neighbour),
            _ => {
                let message =
                    format!("the argument 'position' is {position}; use ASDF_INSERT_BEFORE or ASDF_INSERT_AFTER");
                return Err(Error::new(Status::InvalidArgument, message));
            }
        };
        node.insert_key(path, caller.text(key, "key")?, position)
    })
}

/// Renames a key of a mapping. The position, the text and the comments of its value stay unchanged.
///
/// @param node node that the path starts from
/// @param path path of the value; ASDF_ERR_WRONG_TYPE if it is an item of a sequence, or the root
/// @param key  the new key; ASDF_ERR_INVALID_ARGUMENT if the mapping has it
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_rename_key(
    node: *mut asdf_node,
    path: *const c_char,
    key: *const c_char,
) -> asdf_status {
    edit(node, path, |caller, node, path| node.rename_key(path, caller.text(key, "key")?))
}

/// Moves a node with all its children and comments, as "move" of JSON Patch (RFC 6902) does: removes it, and then adds
/// it at the new path. Arrays keep their blocks. If an alias would precede its anchor after the move, the content moves
/// to the first place, and the other places become aliases of it.
///
/// @param node node that the path starts from
/// @param path path of the node to move; ASDF_ERR_INVALID_ARGUMENT for the root
/// @param to   new path. Its last part is the index in a sequence ("-" for the end; ASDF_ERR_OUT_OF_RANGE beyond the
///             end), or the key in a mapping, where it replaces an existing value. Missing collections are created as
///             by setters. ASDF_ERR_INVALID_ARGUMENT if it lies within the moved node
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_move(node: *mut asdf_node, path: *const c_char, to: *const c_char) -> asdf_status {
    edit(node, path, |caller, node, path| node.move_to(path, caller.text(to, "to")?))
}

/// Changes the shape of an array. Elements keep their indices: along each axis, elements at the end are removed or
/// added.
///
/// - The datatype, the byte order, the compression (at its default level) and other keys of the node stay. So does the
///   number of the block, unless something else refers to the block.
/// - The array is then packed in C order and no longer streamed.
/// - A mask array of the same shape is resized, too; no new element is missing.
///
/// The call compares the block with its checksum (ASDF_ERR_CHECKSUM); the elements are read in pieces when the file is
/// written. Fails with ASDF_ERR_UNSUPPORTED if the elements are not in a block of the file.
///
/// @param node  node that the path starts from
/// @param path  the path of the array
/// @param rank  number of axes; must be that of the array
/// @param shape new extent along each axis, slowest first; may be NULL for rank 0. ASDF_ERR_INVALID_ARGUMENT if the
///              mask does not fit the new shape
/// @param fill  value of new elements: one element in native byte order, or NULL for zeros
/// @param size  size of fill in bytes; ASDF_ERR_INVALID_ARGUMENT if it is not the size of an element
/// @param options options of every call (threads, progress, limits), or NULL for the defaults
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_resize_array(
    node: *mut asdf_node,
    path: *const c_char,
    rank: i32,
    shape: *const i64,
    fill: *const c_void,
    size: usize,
    options: *const asdf_options,
) -> asdf_status {
    edit(node, path, |caller, node, path| {
        take(caller, options, "asdf_node_resize_array")?;
        let shape = caller.numbers(shape, crate::ffi::array::datatype::rank(rank)?, "shape")?;
        let fill = if fill.is_null() { None } else { Some(caller.bytes(fill, size, "fill")?) };
        node.resize_array(path, shape, fill)
    })
}

/// Changes the compression of an array. Its values and the number of its block stay unchanged; the block has a checksum
/// afterwards if it had one before. Arrays that share the block keep their values. The block is decoded when the file
/// is written. The errors are those of asdf_node_resize_array(), but after a failure the array stays as it was, and the
/// file can be written.
///
/// @param node  node that the path starts from
/// @param path  the path of the array
/// @param options codec and level, or NULL for no compression
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_recompress_array(
    node: *mut asdf_node,
    path: *const c_char,
    options: *const asdf_options,
) -> asdf_status {
    call(node, path, |caller, node, path| {
        let options = take(caller, options, "asdf_node_recompress_array")?;
        node.recompress_array(path, compression(&options)?)
    })
}
