//! Descriptions of ASDF files.
//!
//! A path name is the JSON Pointer of a node: `/images/0` names the first item of the list under the key `images`. In
//! names of groups and arrays `~` and `/` of a key are written `~0` and `~1`; names of attributes are keys as they are.

mod array;
mod attribute;
mod describe;
mod values;

pub use describe::{DescribeOptions, Described, Note, Values, describe};

/// The key under which what has no place in the language is told of a group or an array.
const EXTENSION: &str = "x-asdf";

/// The name that a key has as a part of a path name; nothing if there is none, as for the empty key and for dots.
fn name_of_key(key: &str) -> Option<String> {
    let name = key.replace('~', "~0").replace('/', "~1");
    super::path_name::is_name(&name).then_some(name)
}
