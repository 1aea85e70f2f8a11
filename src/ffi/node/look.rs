//! Nodes: inspection of a tree. Reading and setting values are in other files.
//!
//! # Nodes
//!
//! A node is a place in a tree. Scalars have the types of YAML 1.1, as in Python asdf. A path without a node is
//! ASDF_ERR_NOT_FOUND. After an edit has removed a node, calls with its handle fail with ASDF_ERR_STALE.
//!
//! ```c
//! int64_t count = 0;
//! asdf_node_count(node, "", &count);
//! for (int64_t i = 0; i < count; i++) {
//!     char key[64];
//!     asdf_node *child = NULL;
//!     asdf_node_key_string(node, "", i, key, sizeof key, NULL);   // of a mapping
//!     asdf_node_item(node, "", i, &child);
//!     visit(key, child);
//!     asdf_node_free(child);
//! }
//! ```

use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::unknown_number;
use crate::ffi::boundary::guard::{guard, guard_handle, guard_retain, guard_silently};
use crate::ffi::boundary::handle::Class;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::{asdf_array, asdf_file, asdf_node};
use crate::file::{Node, NodeKey, NodeType};
use crate::standard::NodeKind;
use crate::tree::Key;
use std::ffi::{CStr, c_char};

impl Class for asdf_node {
    const TAG: u32 = u32::from_be_bytes(*b"NODE");
    const NAME: &'static str = "asdf_node";
    type Value = Node;

    fn file(node: &Node) -> Option<usize> {
        Some(node.file().family_number())
    }
}

/// Nothing.
pub const ASDF_NODE_NULL: i32 = 0;
/// True or false.
pub const ASDF_NODE_BOOL: i32 = 1;
/// An integer of any size.
pub const ASDF_NODE_INTEGER: i32 = 2;
/// A binary64 number.
pub const ASDF_NODE_FLOAT: i32 = 3;
/// Text.
pub const ASDF_NODE_STRING: i32 = 4;
/// A date, or a date with time; stored as text.
pub const ASDF_NODE_TIMESTAMP: i32 = 5;
/// Bytes.
pub const ASDF_NODE_BINARY: i32 = 6;
/// A list.
pub const ASDF_NODE_SEQUENCE: i32 = 7;
/// Pairs of key and value.
pub const ASDF_NODE_MAPPING: i32 = 8;

/// Null.
pub const ASDF_KIND_NULL: i32 = 0;
/// True or false: asdf_node_get_bool().
pub const ASDF_KIND_BOOL: i32 = 1;
/// An integer of any size, also a core/integer: asdf_node_get_i64() and similar functions.
pub const ASDF_KIND_INTEGER: i32 = 2;
/// A binary64 number: asdf_node_get_f64().
pub const ASDF_KIND_FLOAT: i32 = 3;
/// A complex number (core/complex): asdf_node_get_complex().
pub const ASDF_KIND_COMPLEX: i32 = 4;
/// Text, also with an unknown tag: asdf_node_get_string().
pub const ASDF_KIND_STRING: i32 = 5;
/// A date, or a date with time, of YAML: asdf_node_get_string().
pub const ASDF_KIND_TIMESTAMP: i32 = 6;
/// Bytes (!!binary): asdf_node_get_binary().
pub const ASDF_KIND_BINARY: i32 = 7;
/// An array (core/ndarray), of numbers, strings or records: asdf_node_get_array().
pub const ASDF_KIND_ARRAY: i32 = 8;
/// A sequence of numbers, or of such sequences of equal length, without a tag:
/// asdf_node_get_array().
pub const ASDF_KIND_NUMBER_LIST: i32 = 9;
/// Any other sequence: asdf_node_item().
pub const ASDF_KIND_SEQUENCE: i32 = 10;
/// Any other mapping: asdf_node_item().
pub const ASDF_KIND_MAPPING: i32 = 11;
/// A table (core/table, table/table, astropy's table): asdf_node_get_table().
pub const ASDF_KIND_TABLE: i32 = 12;
/// A column of a table (core/column, table/column): its array is under "data".
pub const ASDF_KIND_COLUMN: i32 = 13;
/// A number or an array with a unit (unit/quantity): asdf_node_get_f64() or asdf_node_get_array(), and
/// asdf_node_get_unit().
pub const ASDF_KIND_QUANTITY: i32 = 14;
/// Points in time (time/time): a string, or a mapping with "value".
pub const ASDF_KIND_TIME: i32 = 15;
/// Spans of time (astropy's time/timedelta).
pub const ASDF_KIND_TIME_DELTA: i32 = 16;
/// A unit: asdf_node_get_unit().
pub const ASDF_KIND_UNIT: i32 = 17;
/// A JSON reference that cannot be followed: asdf_node_reference(). Its target does not exist, it is part of a cycle,
/// or it points into a file that cannot be opened or that the options do not allow.
pub const ASDF_KIND_REFERENCE: i32 = 18;
/// Coordinates of astropy: positions on the sky, a frame, a place on Earth, angles, spectral coordinates:
/// asdf_node_get_coordinates().
pub const ASDF_KIND_COORDINATES: i32 = 19;

/// The key is text.
pub const ASDF_KEY_STRING: i32 = 0;
/// The key is an integer within 64 bits.
pub const ASDF_KEY_INTEGER: i32 = 1;
/// The key is true or false.
pub const ASDF_KEY_BOOL: i32 = 2;
/// The file has a key of another type, which ASDF does not allow.
pub const ASDF_KEY_OTHER: i32 = 3;

/// Gets the node at a path.
///
/// @param node  node that the path starts from
/// @param path  the path
/// @param found gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get(
    node: *const asdf_node,
    path: *const c_char,
    found: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(found, "found", |caller| {
        let node = caller.handle(node, "node")?;
        node.at(caller.text(path, "path")?)
    })
}

/// Adds an owner to a node.
///
/// @param node    the node
/// @param another gets another handle of the same object, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_retain(node: *const asdf_node, another: *mut *mut asdf_node) -> asdf_status {
    guard_retain(node, "node", another)
}

/// Gives up one owner of a node. The last owner frees it.
///
/// @param node the node, or NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_free(node: *mut asdf_node) {
    guard_silently(|caller| caller.release(node));
}

/// Gets the file of a node. If the path to the node passed a reference into another file, this is the other file.
/// Closing it closes the first file and all files that the first one refers to.
///
/// @param node the node
/// @param file gets the file, to be freed as well; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_file(node: *const asdf_node, file: *mut *mut asdf_file) -> asdf_status {
    guard_handle(file, "file", |caller| Ok(caller.handle(node, "node")?.file().clone()))
}

/// Tests whether a node exists at a path.
///
/// @param node   node that the path starts from
/// @param path   the path
/// @param exists gets 1 or 0; also 0 if the path passes through a scalar
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_exists(
    node: *const asdf_node,
    path: *const c_char,
    exists: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let exists = caller.out(exists, "exists")?;
        let node = caller.handle(node, "node")?;
        exists.put(node.exists(caller.text(path, "path")?)?.into());
        Ok(())
    })
}

/// Gets the YAML type of a node: the type of a scalar, sequence or mapping. A scalar with a tag that is not one of
/// YAML's own is a string. See asdf_node_kind() for the meaning of a node.
///
/// @param node node that the path starts from
/// @param path the path
/// @param type gets one of ASDF_NODE_...
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_type(node: *const asdf_node, path: *const c_char, r#type: *mut i32) -> asdf_status {
    guard(|caller| {
        let out = caller.out(r#type, "type")?;
        let node = caller.handle(node, "node")?;
        out.put(type_number(node.node_type(caller.text(path, "path")?)?));
        Ok(())
    })
}

/// Gets the meaning of a node, which determines the function that reads it. A tag of the standard or of astropy, of any
/// version, determines the kind; the content can still be malformed. Other tags are ignored: a mapping with such a tag
/// is a mapping. References are followed if possible.
///
/// The call takes constant time, except for a sequence whose tag does not determine the kind: it checks each element at
/// most once, up to the first that is not a number.
///
/// @param node node that the path starts from
/// @param path the path
/// @param kind gets one of ASDF_KIND_...; later versions can add more kinds
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_kind(node: *const asdf_node, path: *const c_char, kind: *mut i32) -> asdf_status {
    guard(|caller| {
        let out = caller.out(kind, "kind")?;
        let node = caller.handle(node, "node")?;
        out.put(kind_number(node.kind(caller.text(path, "path")?)?));
        Ok(())
    })
}

/// Gets the full tag of a node: "tag:stsci.edu:asdf/core/ndarray-1.1.0"; empty if it has none. The non-specific tag of
/// YAML, as in `! 12`, counts as no tag: that node is an integer.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param buffer   gets the tag
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_tag(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        out.put(&node.tag(caller.text(path, "path")?)?.unwrap_or_default())
    })
}

/// Gets the path of a node from the root of its own file; empty for the root. If the node itself is a reference, its
/// own path is returned, not that of its target.
///
/// @param node     node that the path starts from
/// @param path     the path; "" for the node itself
/// @param buffer   gets the path
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_path(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        out.put(&node.at(caller.text(path, "path")?)?.path()?)
    })
}

/// Gets the position of a node in its own file. All three outputs get -1 if the node was not read from a file. If the
/// node itself is a reference, its own position is returned, not that of its target.
///
/// @param node   node that the path starts from
/// @param path   the path; "" for the node itself
/// @param offset gets the offset in bytes from the start of the file; may be NULL
/// @param line   gets the line of the file from 1; may be NULL
/// @param column gets the column in characters from 1; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_position(
    node: *const asdf_node,
    path: *const c_char,
    offset: *mut i64,
    line: *mut i64,
    column: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let node = caller.handle(node, "node")?;
        let location = node.at(caller.text(path, "path")?)?.location()?;
        caller.put_position(&location, offset, line, column);
        Ok(())
    })
}

/// Gets the note of a mapping: the text under its key "//"; see asdf_node_set_note().
///
/// @param node     node that the path starts from
/// @param path     the path; ASDF_ERR_NOT_FOUND if the mapping has no note, or if the node is no mapping
/// @param buffer   gets the note
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_note(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        let note = node.note(caller.text(path, "path")?)?;
        out.put(&note.ok_or_else(|| Error::new(Status::NotFound, "the node has no note (a text under the key '//')"))?)
    })
}

/// Gets a number that identifies the content of a node. Two nodes of a file, or of files that it refers to, have the
/// same number exactly if one is an alias of or a reference to the other, or if both refer to the same third node.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param identity gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_identity(
    node: *const asdf_node,
    path: *const c_char,
    identity: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let identity = caller.out(identity, "identity")?;
        let node = caller.handle(node, "node")?;
        identity.put_number(node.identity(caller.text(path, "path")?)?);
        Ok(())
    })
}

/// Gets the URI of a JSON reference; empty if the node is not a reference.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param buffer   gets the URI
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_reference(
    node: *const asdf_node,
    path: *const c_char,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        out.put(&node.reference(caller.text(path, "path")?)?.unwrap_or_default())
    })
}

/// Gets the number of items of a sequence or pairs of a mapping.
///
/// @param node  node that the path starts from
/// @param path  path of the sequence or mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param count gets the number
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_count(node: *const asdf_node, path: *const c_char, count: *mut i64) -> asdf_status {
    guard(|caller| {
        let count = caller.out(count, "count")?;
        let node = caller.handle(node, "node")?;
        count.put_number(node.count(caller.text(path, "path")?)? as u64);
        Ok(())
    })
}

/// Gets an item of a sequence, or the value of a pair of a mapping.
///
/// @param node  node that the path starts from
/// @param path  path of the sequence or mapping
/// @param index position from 0 in the order of the file; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param item  gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_item(
    node: *const asdf_node,
    path: *const c_char,
    index: i64,
    item: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(item, "item", |caller| {
        let node = caller.handle(node, "node")?;
        node.item(caller.text(path, "path")?, position(index)?)
    })
}

/// Gets the type of the key of a pair.
///
/// @param node  node that the path starts from
/// @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param index position of the pair, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param type  gets one of ASDF_KEY_...
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_key_type(
    node: *const asdf_node,
    path: *const c_char,
    index: i64,
    r#type: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let out = caller.out(r#type, "type")?;
        let node = caller.handle(node, "node")?;
        out.put(match node.key(caller.text(path, "path")?, position(index)?)? {
            NodeKey::String(_) => ASDF_KEY_STRING,
            NodeKey::Integer(_) => ASDF_KEY_INTEGER,
            NodeKey::Bool(_) => ASDF_KEY_BOOL,
            NodeKey::Other(_) => ASDF_KEY_OTHER,
        });
        Ok(())
    })
}

/// Reads the key of a pair as text, whatever its type: "flux", "17", "true".
///
/// A key can contain NUL bytes; `needed` gets its whole length. A path ends at its first NUL, so it cannot contain such
/// a key. Use asdf_node_item() with the position of the pair, or asdf_node_get_by_string(), to get its value.
///
/// @param node     node that the path starts from
/// @param path     path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param index    position of the pair, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param buffer   gets the key
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_key_string(
    node: *const asdf_node,
    path: *const c_char,
    index: i64,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        let key = node.key(caller.text(path, "path")?, position(index)?)?;
        out.put(&match key {
            NodeKey::String(text) | NodeKey::Other(text) => text,
            NodeKey::Integer(value) => value.to_string(),
            NodeKey::Bool(value) => value.to_string(),
        })
    })
}

/// Reads a key that is an integer.
///
/// @param node  node that the path starts from
/// @param path  path of the mapping
/// @param index position of the pair, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param value gets the key; ASDF_ERR_WRONG_TYPE if it is not an integer
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_key_i64(
    node: *const asdf_node,
    path: *const c_char,
    index: i64,
    value: *mut i64,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let node = caller.handle(node, "node")?;
        match node.key(caller.text(path, "path")?, position(index)?)? {
            NodeKey::Integer(key) => value.put(key),
            key => return Err(wrong_key("an integer", &key)),
        }
        Ok(())
    })
}

/// Reads a key that is true or false.
///
/// @param node  node that the path starts from
/// @param path  path of the mapping
/// @param index position of the pair, from 0; ASDF_ERR_OUT_OF_RANGE if there is none
/// @param value gets 1 or 0; ASDF_ERR_WRONG_TYPE if the key is not a bool
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_key_bool(
    node: *const asdf_node,
    path: *const c_char,
    index: i64,
    value: *mut i32,
) -> asdf_status {
    guard(|caller| {
        let value = caller.out(value, "value")?;
        let node = caller.handle(node, "node")?;
        match node.key(caller.text(path, "path")?, position(index)?)? {
            NodeKey::Bool(key) => value.put(key.into()),
            key => return Err(wrong_key("a bool", &key)),
        }
        Ok(())
    })
}

/// Gets the value under a string key. The key has no escapes and may contain NUL bytes. It never matches an integer key
/// of the same spelling.
///
/// @param node   node that the path starts from
/// @param path   path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param key    the key, UTF-8
/// @param length its length in bytes
/// @param found  gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_by_string(
    node: *const asdf_node,
    path: *const c_char,
    key: *const c_char,
    length: usize,
    found: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(found, "found", |caller| {
        let node = caller.handle(node, "node")?;
        node.at_key(caller.text(path, "path")?, Key::String(caller.string(key, length, "key")?))
    })
}

/// Gets the value under an integer key.
///
/// @param node  node that the path starts from
/// @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param key   the key
/// @param found gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_by_i64(
    node: *const asdf_node,
    path: *const c_char,
    key: i64,
    found: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(found, "found", |caller| {
        let node = caller.handle(node, "node")?;
        node.at_key(caller.text(path, "path")?, Key::Integer(key))
    })
}

/// Gets the value under the key true or false.
///
/// @param node  node that the path starts from
/// @param path  path of the mapping; ASDF_ERR_WRONG_TYPE if it is something else
/// @param key   0 for false, anything else for true
/// @param found gets the node; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_by_bool(
    node: *const asdf_node,
    path: *const c_char,
    key: i32,
    found: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(found, "found", |caller| {
        let node = caller.handle(node, "node")?;
        node.at_key(caller.text(path, "path")?, Key::Bool(key != 0))
    })
}

/// Gets the array at a path: a core/ndarray, a sequence of numbers without a tag, or one of these as the value of a
/// quantity. The call reads only the header of the array's block. If the open options verify checksums, it also reads
/// and verifies that block.
///
/// @param node  node that the path starts from
/// @param path  path of the array; ASDF_ERR_WRONG_TYPE if it is something else
/// @param array gets the array; NULL on failure
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_get_array(
    node: *const asdf_node,
    path: *const c_char,
    array: *mut *mut asdf_array,
) -> asdf_status {
    guard_handle(array, "array", |caller| {
        let node = caller.handle(node, "node")?;
        node.array(caller.text(path, "path")?)
    })
}

fn position(index: i64) -> Result<usize> {
    usize::try_from(index)
        .map_err(|_| Error::new(Status::OutOfRange, format!("the index {index} is negative; indices start at 0")))
}

fn wrong_key(wanted: &str, found: &NodeKey) -> Error {
    let found = match found {
        NodeKey::String(_) => "a string",
        NodeKey::Integer(_) => "an integer",
        NodeKey::Bool(_) => "a bool",
        NodeKey::Other(_) => "of a type that ASDF does not allow",
    };
    Error::new(Status::WrongType, format!("the key is {found}, not {wanted}"))
}

/// Types with their constants and names.
const TYPES: [(NodeType, i32, &CStr); 9] = [
    (NodeType::Null, ASDF_NODE_NULL, c"null"),
    (NodeType::Bool, ASDF_NODE_BOOL, c"bool"),
    (NodeType::Integer, ASDF_NODE_INTEGER, c"integer"),
    (NodeType::Float, ASDF_NODE_FLOAT, c"float"),
    (NodeType::String, ASDF_NODE_STRING, c"string"),
    (NodeType::Timestamp, ASDF_NODE_TIMESTAMP, c"timestamp"),
    (NodeType::Binary, ASDF_NODE_BINARY, c"binary"),
    (NodeType::Sequence, ASDF_NODE_SEQUENCE, c"sequence"),
    (NodeType::Mapping, ASDF_NODE_MAPPING, c"mapping"),
];

/// Kinds with their constants.
const KINDS: [(NodeKind, i32); 20] = [
    (NodeKind::Null, ASDF_KIND_NULL),
    (NodeKind::Bool, ASDF_KIND_BOOL),
    (NodeKind::Integer, ASDF_KIND_INTEGER),
    (NodeKind::Float, ASDF_KIND_FLOAT),
    (NodeKind::Complex, ASDF_KIND_COMPLEX),
    (NodeKind::String, ASDF_KIND_STRING),
    (NodeKind::Timestamp, ASDF_KIND_TIMESTAMP),
    (NodeKind::Binary, ASDF_KIND_BINARY),
    (NodeKind::Array, ASDF_KIND_ARRAY),
    (NodeKind::NumberList, ASDF_KIND_NUMBER_LIST),
    (NodeKind::Sequence, ASDF_KIND_SEQUENCE),
    (NodeKind::Mapping, ASDF_KIND_MAPPING),
    (NodeKind::Table, ASDF_KIND_TABLE),
    (NodeKind::Column, ASDF_KIND_COLUMN),
    (NodeKind::Quantity, ASDF_KIND_QUANTITY),
    (NodeKind::Time, ASDF_KIND_TIME),
    (NodeKind::TimeDelta, ASDF_KIND_TIME_DELTA),
    (NodeKind::Unit, ASDF_KIND_UNIT),
    (NodeKind::Reference, ASDF_KIND_REFERENCE),
    (NodeKind::Coordinates, ASDF_KIND_COORDINATES),
];

/// Returns the name of a kind, such as "number list".
///
/// @param kind any number
/// @return static string; "unknown kind" for a number that is no constant ASDF_KIND_...
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_kind_name(kind: i32) -> *const c_char {
    KINDS.iter().find(|(_, number)| *number == kind).map_or(c"unknown kind", |(kind, _)| kind.c_name()).as_ptr()
}

/// Returns the name of a type of YAML, such as "sequence".
///
/// @param type any number
/// @return static string; "unknown type" for a number that is no constant ASDF_NODE_...
/// @since 0.1.0
#[unsafe(no_mangle)]
pub extern "C" fn asdf_node_type_name(r#type: i32) -> *const c_char {
    TYPES.iter().find(|(_, number, _)| *number == r#type).map_or(c"unknown type", |(_, _, name)| name).as_ptr()
}

/// Returns the constant of a type.
fn type_number(node_type: NodeType) -> i32 {
    TYPES.iter().find(|(other, ..)| *other == node_type).map_or(-1, |(_, number, _)| *number)
}

/// Returns the constant of a kind.
pub(crate) fn kind_number(kind: NodeKind) -> i32 {
    KINDS.iter().find(|(other, _)| *other == kind).map_or(-1, |(_, number)| *number)
}

/// Returns the kind of a constant.
pub(super) fn kind_of_number(number: i32) -> Result<NodeKind> {
    let found = KINDS.iter().find(|(_, other)| *other == number);
    found.map(|(kind, _)| *kind).ok_or_else(|| unknown_number("ASDF_KIND_", number))
}
