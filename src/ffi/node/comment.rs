//! Comments of the YAML text beside nodes.
//!
//! # Comments in the tree
//!
//! A comment stands before a node on lines of its own, at the end of its line, or at the end of the document. Comments
//! are for people who read the file in an editor: other libraries do not keep them. What programs must find belongs
//! under the key "//" (see asdf_node_set_note()) or another key.
//!
//! ```c
//! asdf_node_set_comment(root, "meta/exposure", ASDF_COMMENT_BEFORE, "Set by the scheduler.", ASDF_NUL_TERMINATED);
//! asdf_node_set_comment(root, "meta/exposure/time", ASDF_COMMENT_LINE_END, "seconds", ASDF_NUL_TERMINATED);
//! ```

use super::write::set;
use crate::error::{Error, Result, Status};
use crate::ffi::boundary::arguments::unknown_number;
use crate::ffi::boundary::guard::guard;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_node;
use crate::file::CommentPosition;
use std::ffi::c_char;

/// On lines of its own, before the key or the dash of the node.
pub const ASDF_COMMENT_BEFORE: i32 = 0;
/// At the end of the line of the node: after a scalar or brackets, or after the key of a block.
pub const ASDF_COMMENT_LINE_END: i32 = 1;
/// On lines of its own at the end of the document. The node is the root.
pub const ASDF_COMMENT_DOCUMENT_END: i32 = 2;

fn position_of(number: i32) -> Result<CommentPosition> {
    match number {
        ASDF_COMMENT_BEFORE => Ok(CommentPosition::Before),
        ASDF_COMMENT_LINE_END => Ok(CommentPosition::LineEnd),
        ASDF_COMMENT_DOCUMENT_END => Ok(CommentPosition::DocumentEnd),
        _ => Err(unknown_number("ASDF_COMMENT_", number)),
    }
}

/// Sets the comment of a node. It replaces the comment that is there. asdf_node_copy() copies it with the node.
///
/// @param node     node that the path starts from
/// @param path     the path; ASDF_ERR_UNSUPPORTED for a node in brackets or braces, which has no line of its own, and
///                 for the root, which has a comment at the end of the document only
/// @param position one of ASDF_COMMENT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param text     the comment without "#", UTF-8; ASDF_ERR_INVALID_ARGUMENT for control characters, and for line
///                 feeds in a comment at the end of a line. May be NULL if it is empty, which removes the comment
/// @param length   its length in bytes
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_set_comment(
    node: *mut asdf_node,
    path: *const c_char,
    position: i32,
    text: *const c_char,
    length: usize,
) -> asdf_status {
    set(node, path, |caller, node, path| {
        node.set_comment(path, position_of(position)?, caller.string(text, length, "text")?)
    })
}

/// Gets the comment of a node, without "#" and with line feeds between its lines.
///
/// @param node     node that the path starts from
/// @param path     the path
/// @param position one of ASDF_COMMENT_...; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param buffer   gets the comment; ASDF_ERR_NOT_FOUND if there is none
/// @param capacity size of the buffer in bytes
/// @param needed   gets its length in bytes, without the final NUL; may be NULL
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_comment(
    node: *const asdf_node,
    path: *const c_char,
    position: i32,
    buffer: *mut c_char,
    capacity: usize,
    needed: *mut usize,
) -> asdf_status {
    guard(|caller| {
        let out = caller.text_out(buffer, capacity, needed)?;
        let node = caller.handle(node, "node")?;
        let comment = node.comment(caller.text(path, "path")?, position_of(position)?)?;
        out.put(&comment.ok_or_else(|| Error::new(Status::NotFound, "the node has no such comment"))?)
    })
}
