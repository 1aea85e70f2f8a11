//! Names: of nodes as path names, and of the facts that have no form in NDL.

use crate::error::Result;
use crate::ndl::model::path_name;
use crate::ndl::{Content, Description, Extensions, ROOT};
use crate::reserve::table_of;
use crate::tree::path::escape;
use std::collections::HashMap;

/// Key for facts about a group, an array or an attribute that have no form in NDL.
pub(in crate::ndl::asdf) const EXTENSION: &str = "x-asdf";

/// Value of `kind` under `x-asdf` for an array whose elements are in the tree.
pub(in crate::ndl::asdf) const INLINE: &str = "inline";

/// Facts without a form in NDL, by their keys under `x-asdf`.
pub(in crate::ndl::asdf) type Facts = Vec<(&'static str, Content)>;

/// Returns the fact with this key under [`EXTENSION`].
pub(in crate::ndl::asdf) fn fact<'a>(extensions: &'a Extensions, key: &str) -> Option<&'a Content> {
    match extensions.get(EXTENSION)? {
        Content::Mapping(facts) => facts.get(key),
        _ => None,
    }
}

/// Returns the name of a key as part of a path name; `None` if no name is valid, as for the empty key, `.` and `..`.
pub(in crate::ndl::asdf) fn name_of_key(key: &str) -> Option<String> {
    let name = escape(key);
    path_name::is_name(&name).then_some(name)
}

/// Returns the JSON Pointer of a path name. A tilde is escaped unless 0 or 1 follows. The pointer of the root is empty,
/// because `/` would mean the empty key.
pub(in crate::ndl::asdf) fn pointer(path: &str) -> String {
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
pub(in crate::ndl::asdf) struct Spellings(HashMap<String, String>);

impl Spellings {
    pub(in crate::ndl::asdf) fn new(description: &Description) -> Result<Spellings> {
        let groups = description.groups.iter().map(|(path, _)| path);
        let arrays =
            description.dimcoords.iter().map(|(path, _)| path).chain(description.ndarrays.iter().map(|(path, _)| path));
        let spelled = groups.chain(arrays).filter(|path| path.contains('~'));
        let spelled = spelled.map(|path| (pointer(path), path.to_owned())).filter(|(pointer, path)| pointer != path);
        table_of(spelled).map(Spellings)
    }

    pub(in crate::ndl::asdf) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::ndl::asdf) fn contains(&self, pointer: &str) -> bool {
        self.0.contains_key(pointer)
    }

    /// Returns the path name of the node at a pointer.
    pub(in crate::ndl::asdf) fn of(&self, pointer: String) -> String {
        self.0.get(&pointer).cloned().unwrap_or(pointer)
    }
}
