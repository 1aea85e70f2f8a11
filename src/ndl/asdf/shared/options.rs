//! Options and result of the description of a file.

use crate::ndl::Description;
use crate::report::{Entry, Kind, Severity};
use std::fmt;

/// Arrays whose values a description includes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Values {
    /// No arrays.
    None,
    /// Arrays with elements in the tree. No block is read.
    #[default]
    Inline,
    /// Dimension coordinates.
    Coordinates,
    /// All arrays.
    All,
}

/// Options for describing a file.
#[derive(Clone, Debug, Default)]
pub struct DescribeOptions {
    /// Arrays whose values are included.
    pub values: Values,
    /// Path name of a single group, array or dimension coordinate to describe, with all its members and the dimension
    /// coordinates of its arrays. `None` describes the whole file.
    pub only: Option<String>,
    /// True to describe `asdf_library` and `history` too.
    pub all: bool,
    /// True to keep facts without a form in NDL under `x-asdf` keys.
    pub annotate: bool,
    /// True to describe binary16 numbers as `float32`, which is exact. Otherwise they become opaque bytes with the tag
    /// `IEEE 754 binary16`, because NDL has no 16-bit float; a comment in texts explains the tag.
    pub widen: bool,
}

/// A note on content that the description leaves out or changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// JSON Pointer of the node.
    pub path: String,
    /// Message for the user.
    pub message: String,
}

/// Formats as path, colon and message.
impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl From<&Note> for Entry {
    fn from(note: &Note) -> Entry {
        let entry = Entry::new(Kind::Note, Severity::Note, note.to_string(), note.message.clone());
        Entry { path: Some(note.path.clone()), ..entry }
    }
}

/// A description, with notes on its differences from the file.
#[derive(Clone, Debug, Default)]
pub struct Described {
    /// The description.
    pub description: Description,
    /// Notes on omissions and changes, in the order of the tree.
    pub notes: Vec<Note>,
}
