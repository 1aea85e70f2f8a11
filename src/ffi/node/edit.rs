//! Changing what is there: places of nodes, keys, the shape and the compression of arrays.
//!
//! # Changing what is there
//!
//! These functions work on new files and on those opened for update, and fail as the setters do. Nodes stay valid, and
//! the text around them stays as it is, with comments and styles.
//!
//! A key that a mapping has only because another one is merged into it ("<<") belongs to that one: to rename, move or
//! remove it here is ASDF_ERR_INVALID_ARGUMENT, and the message tells where it stands; setters give the mapping a pair
//! of its own. JSON references that lead to a place that is renamed or moved are left as they are, as those of other
//! files have to be: they then lead to what stands under the old path, or nowhere.
//!
//! ```c
//! asdf_file_open_for_update("image.asdf", NULL, &file);
//! asdf_file_root(file, &root);
//! asdf_node_rename_key(root, "meta/exp", "exposure");
//! asdf_node_insert_key(root, "meta", "observer", ASDF_INSERT_AFTER, "exposure");
//! asdf_node_set_string(root, "meta/observer", "N. Roman", 8);
//! asdf_node_move(root, "draft/list/3", "list/0");
//! asdf_node_recompress_array(root, "data", "zstd", -1);
//! asdf_file_save(file, NULL);
//! ```

use super::write::{call, edit};
use crate::error::{Error, Status};
use crate::ffi::array::options::compression;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_node;
use crate::ffi::boundary::types::asdf_options;
use crate::ffi::options::taken::take;
use crate::file::KeyPosition;
use std::ffi::{c_char, c_void};

/// Before the neighbour, or before all.
pub const ASDF_INSERT_BEFORE: i32 = 0;
/// Behind the neighbour, or behind all.
pub const ASDF_INSERT_AFTER: i32 = 1;

/// Inserts null into a sequence, to be set as any item that exists. Items behind it move up by one.
///
/// @param node  where the path begins
/// @param path  the path of the sequence; something else there is ASDF_ERR_WRONG_TYPE
/// @param index the item before which it goes, from 0; as many as there are items, or -1, for the end. Another is
///              ASDF_ERR_OUT_OF_RANGE
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_insert_item(node: *mut asdf_node, path: *const c_char, index: i64) -> asdf_status {
    edit(node, path, |_, node, path| {
        let index = match index {
            -1 => None,
            _ => Some(
                usize::try_from(index)
                    .map_err(|_| Error::new(Status::OutOfRange, format!("a sequence has no position {index}")))?,
            ),
        };
        node.insert_item(path, index)
    })
}

/// Inserts a key with null into a mapping, to be set as any value that exists. Without this a key that is set goes to
/// the end.
///
/// @param node      where the path begins
/// @param path      the path of the mapping; something else there is ASDF_ERR_WRONG_TYPE
/// @param key       the key; one that the mapping has is ASDF_ERR_INVALID_ARGUMENT
/// @param position  ASDF_INSERT_BEFORE or ASDF_INSERT_AFTER; another number is ASDF_ERR_INVALID_ARGUMENT
/// @param neighbour the key that it goes before or after, ASDF_ERR_NOT_FOUND if there is none; NULL for before or after
///                  all
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
                let message = format!("{position} is neither ASDF_INSERT_BEFORE nor ASDF_INSERT_AFTER");
                return Err(Error::new(Status::InvalidArgument, message));
            }
        };
        node.insert_key(path, caller.text(key, "key")?, position)
    })
}

/// Gives a value of a mapping another key. Its place, its text and its comments stay.
///
/// @param node where the path begins
/// @param path the path of the value; an item of a sequence, or the root, is ASDF_ERR_WRONG_TYPE
/// @param key  the new key; one that the mapping has is ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_rename_key(
    node: *mut asdf_node,
    path: *const c_char,
    key: *const c_char,
) -> asdf_status {
    edit(node, path, |caller, node, path| node.rename_key(path, caller.text(key, "key")?))
}

/// Moves what stands at a path, with all below it and its comments, as JSON Patch (RFC 6902) does: it is taken out, and
/// then put in at the other path. Arrays keep their blocks. An alias never comes to stand before what it means: the
/// first place gets the content, and the others become aliases of it.
///
/// @param node where both paths begin
/// @param path the path of what to move; the root is ASDF_ERR_INVALID_ARGUMENT
/// @param to   where to. The last part is the index that it gets in a sequence ("-" for the end; beyond the end is
///             ASDF_ERR_OUT_OF_RANGE), or its key in a mapping, where it takes the place of what has that key.
///             Collections that are missing on the way are made as setters make them. A place within what is moved is
///             ASDF_ERR_INVALID_ARGUMENT
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_move(node: *mut asdf_node, path: *const c_char, to: *const c_char) -> asdf_status {
    edit(node, path, |caller, node, path| node.move_to(path, caller.text(to, "to")?))
}

/// Gives an array another shape. Elements keep their indices: along each axis the end is cut off or filled up.
/// Datatype, byte order, compression (at the usual level), the number of the block, unless something else names that,
/// and other keys of the node stay; it is then packed in C order, and no longer streamed. A mask that is an array of
/// the same shape gets the new one as well, with no new element missing.
///
/// The block is compared with its checksum now (ASDF_ERR_CHECKSUM); the elements are read in pieces when the file is
/// written. Elements that are not in a block of the file are ASDF_ERR_UNSUPPORTED.
///
/// @param node  where the path begins
/// @param path  the path of the array
/// @param rank  number of axes, which is that of the array
/// @param shape new extent along each axis, slowest first; may be NULL for rank 0. One that the mask does not suit is
///              ASDF_ERR_INVALID_ARGUMENT
/// @param fill  one element in native byte order for the new ones, or NULL for zeros
/// @param size  its bytes; else than an element takes is ASDF_ERR_INVALID_ARGUMENT
/// @param options NULL, or options; none of them changes how the array is resized
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

/// Stores an array with another compression. The number of its block, the values, and whether there is a checksum stay;
/// arrays that share the block find the same in it. Fails as asdf_node_resize_array() does, but the array is stored as
/// before then, and the file can be written. The block is decoded when the file is written.
///
/// @param node  where the path begins
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
