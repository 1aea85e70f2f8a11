//! Looking for nodes.
//!
//! # Finding nodes
//!
//! asdf_node_find() looks for a node by its key, its tag, its kind, or by a function of the program.
//!
//! ```c
//! int32_t print(void *user, const asdf_node *node) {
//!     char path[256];
//!     if (asdf_node_path(node, "", path, sizeof path, NULL) == ASDF_OK) puts(path);
//!     return 0;   // go on
//! }
//!
//! asdf_node_find(root, "", "exposure", NULL, -1, NULL, NULL, &found);     // the first value under this key
//! asdf_node_find(root, "", NULL, NULL, ASDF_KIND_ARRAY, print, NULL, &found);   // prints all arrays
//! ```

use super::look::kind_of_number;
use crate::error::{Error, Status};
use crate::ffi::boundary::float_environment::as_caller;
use crate::ffi::boundary::guard::guard_handle;
use crate::ffi::boundary::status::asdf_status;
use crate::ffi::boundary::types::asdf_node;
use crate::standard::NodeSearch;
use std::ffi::{c_char, c_void};

/// Decides about a node that asdf_node_find() has found. It must not throw or longjmp. It can read and change the file
/// of the node; nodes that it removes are not found.
///
/// @param user pointer given with the callback
/// @param node the node, valid until the callback returns: asdf_node_retain() keeps it
/// @return 0 to go on; any other number ends the search with this node
pub type asdf_find_callback = Option<unsafe extern "C" fn(user: *mut c_void, node: *const asdf_node) -> i32>;

/// Finds the first node, in the order of the file, that has a key, a tag and a kind, and that a callback accepts. The
/// node at the path and all nodes below it are tried. Aliases and references are not followed.
///
/// @param node   node that the path starts from
/// @param path   the path
/// @param key    key under which the node stands, as text; NULL for any
/// @param tag    tag: full or short, "!core/ndarray-1.1.0", or without a version, which can then be any; NULL for any
/// @param kind   one of ASDF_KIND_..., or -1 for any; ASDF_ERR_INVALID_ARGUMENT for any other number
/// @param accept called with each such node; NULL to accept the first
/// @param user   pointer passed to the callback; may be NULL
/// @param found  gets the node; NULL on failure, which is ASDF_ERR_NOT_FOUND if there is none
/// @since 0.1.0
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asdf_node_find(
    node: *const asdf_node,
    path: *const c_char,
    key: *const c_char,
    tag: *const c_char,
    kind: i32,
    accept: asdf_find_callback,
    user: *mut c_void,
    found: *mut *mut asdf_node,
) -> asdf_status {
    guard_handle(found, "found", |caller| {
        let node = caller.handle(node, "node")?;
        let search = NodeSearch {
            key: caller.optional_text(key, "key")?,
            tag: caller.optional_text(tag, "tag")?,
            kind: if kind == -1 { None } else { Some(kind_of_number(kind)?) },
        };
        let found = search.first_in(&node.at(caller.text(path, "path")?)?, |node| match accept {
            None => Ok(true),
            // SAFETY: the program gave the callback with this `user`.
            Some(accept) => Ok(caller
                .lend_handle(node.clone(), |node: *const asdf_node| as_caller(|| unsafe { accept(user, node) }))
                != 0),
        })?;
        found.ok_or_else(|| Error::new(Status::NotFound, "no node fits the search"))
    })
}
