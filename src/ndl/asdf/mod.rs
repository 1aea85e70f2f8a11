//! Descriptions of ASDF files, and ASDF files made from descriptions.
//!
//! A path name is the JSON Pointer of a node: `/images/0` names the first item of the list under the key `images`. In
//! names of groups and arrays `~` and `/` of a key are written `~0` and `~1`; names of attributes are keys as they are.

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

/// The key under which what has no place in the language is told of a group or an array.
const EXTENSION: &str = "x-asdf";

/// What is told under [`EXTENSION`] of a group or an array.
fn fact<'a>(extensions: &'a Extensions, key: &str) -> Option<&'a Content> {
    match extensions.get(EXTENSION)? {
        Content::Mapping(facts) => facts.get(key),
        _ => None,
    }
}

/// The name that a key has as a part of a path name; nothing if there is none, as for the empty key and for dots.
fn name_of_key(key: &str) -> Option<String> {
    let name = escape(key);
    path_name::is_name(&name).then_some(name)
}

/// The JSON Pointer that a path name is, in which a tilde stands for itself unless a 0 or a 1 follows. That of the root
/// is empty: `/` is the key without characters.
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

/// How a description spells path names with tildes that JSON Pointers write in another way, by these pointers.
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

    /// The path name of what is at a pointer.
    fn of(&self, pointer: String) -> String {
        self.0.get(&pointer).cloned().unwrap_or(pointer)
    }
}
