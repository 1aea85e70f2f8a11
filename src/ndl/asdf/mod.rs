//! Describes ASDF files, and creates ASDF files from descriptions.
//!
//! A path name is the JSON Pointer of a node: `/images/0` is the first item of the list under the key `images`. In
//! names of groups and arrays, `~` and `/` of a key are written `~0` and `~1`. Names of attributes are the keys
//! themselves.

mod array;
mod attribute;
mod choice;
mod create;
mod declared;
mod describe;
mod extents;
mod filters;
mod form;
mod group_nodes;
mod mask;
mod only;
mod sequence;
mod sidecar;
mod stored;
#[cfg(test)]
mod tests;
mod tree_value;
mod values;

pub use create::{CreateOptions, create};
pub use describe::{DescribeOptions, Described, Note, Values, describe};

use super::model::path_name;
use super::{Content, Description, Extensions, ROOT};
use crate::tree::path::escape;
use std::collections::HashMap;

/// Key for facts about a group, an array or an attribute that have no form in NDL.
const EXTENSION: &str = "x-asdf";

/// Returns the fact with this key under [`EXTENSION`].
fn fact<'a>(extensions: &'a Extensions, key: &str) -> Option<&'a Content> {
    match extensions.get(EXTENSION)? {
        Content::Mapping(facts) => facts.get(key),
        _ => None,
    }
}

/// Returns the name of a key as part of a path name; `None` if no name is valid, as for the empty key, `.` and `..`.
fn name_of_key(key: &str) -> Option<String> {
    let name = escape(key);
    path_name::is_name(&name).then_some(name)
}

/// Returns the JSON Pointer of a path name. A tilde is escaped unless 0 or 1 follows. The pointer of the root is empty,
/// because `/` would mean the empty key.
fn pointer(path: &str) -> String {
    if path == ROOT {
        return String::new();
    }
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

/// Path names with tildes that differ from their JSON Pointers, by these pointers.
#[derive(Default)]
struct Spellings(HashMap<String, String>);

impl Spellings {
    fn new(description: &Description) -> Spellings {
        let groups = description.groups.iter().map(|(path, _)| path);
        let arrays =
            description.dimcoords.iter().map(|(path, _)| path).chain(description.ndarrays.iter().map(|(path, _)| path));
        let spelled = groups.chain(arrays).filter(|path| path.contains('~'));
        let spelled = spelled.map(|path| (pointer(path), path.to_owned())).filter(|(pointer, path)| pointer != path);
        Spellings(spelled.collect())
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn contains(&self, pointer: &str) -> bool {
        self.0.contains_key(pointer)
    }

    /// Returns the path name of the node at a pointer.
    fn of(&self, pointer: String) -> String {
        self.0.get(&pointer).cloned().unwrap_or(pointer)
    }
}
