//! Descriptions of ASDF files, and ASDF files made from descriptions.
//!
//! A path name is the JSON Pointer of a node: `/images/0` names the first item of the list under the key `images`. In
//! names of groups and arrays `~` and `/` of a key are written `~0` and `~1`; names of attributes are keys as they are.

mod array;
mod attribute;
mod create;
mod declared;
mod describe;
mod sidecar;
mod stored;
mod tree_value;
mod values;

pub use create::{CreateOptions, create};
pub use describe::{DescribeOptions, Described, Note, Values, describe};

use crate::tree::path::escape;

/// The key under which what has no place in the language is told of a group or an array.
const EXTENSION: &str = "x-asdf";

/// The name that a key has as a part of a path name; nothing if there is none, as for the empty key and for dots.
fn name_of_key(key: &str) -> Option<String> {
    let name = escape(key);
    super::path_name::is_name(&name).then_some(name)
}

/// The JSON Pointer that a path name is, in which a tilde stands for itself unless a 0 or a 1 follows.
fn pointer(path: &str) -> String {
    let mut out = String::new();
    let mut characters = path.chars().peekable();
    while let Some(character) = characters.next() {
        out.push(character);
        if character == '~' && !matches!(characters.peek(), Some('0' | '1')) {
            out.push('0');
        }
    }
    out
}
