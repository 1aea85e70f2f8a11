//! Differences between two descriptions, independent of their notation.

use super::descriptions as compare;
use crate::error::Result;
use crate::ndl::Description;
use crate::ndl::model::path_name::one_line;
use crate::report::{Entry, Kind, Operation, Severity};
use std::fmt::{self, Display, Formatter};

/// Maximum number of characters of old and new content in a line of text.
const SHOWN: usize = 60;

/// One difference.
///
/// Its text is one line: `+`, `-` or `~`, the place, the subject, and the old and new content. Long content is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Kind of difference.
    pub operation: Operation,
    /// Path name of the object, followed by `@` and the name of an attribute. Empty for the description itself.
    pub at: String,
    /// Subject of the difference: `group`, `dimcoord`, `ndarray` or `attribute` as a whole; `size`, `shape`, `dims`,
    /// `type` or `value`; `storage.` with the name of a directive; `extensions` or `storage.extensions`.
    pub what: String,
    /// Old content as JSON, in the form of [`Description::to_json`].
    pub old: Option<String>,
    /// New content as JSON.
    pub new: Option<String>,
}

/// Parts that a comparison ignores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DifferenceOptions {
    /// Ignores attributes.
    pub ignore_attributes: bool,
    /// Ignores storage directives.
    pub ignore_storage: bool,
    /// Ignores values of arrays and dimension coordinates.
    pub ignore_values: bool,
    /// Ignores values of `x-` keys.
    pub ignore_extensions: bool,
}

/// Additional content that a conforming file may have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConformanceOptions {
    /// Allows further groups, arrays, attributes and coordinates of dimensions.
    pub subset: bool,
}

impl Description {
    /// Returns the differences from this description to a newer one; none if both have the same meaning. The order is
    /// extensions, groups, dimension coordinates, arrays. Within each kind, objects of this description come before
    /// added ones.
    ///
    /// These differences of notation are ignored: flat or grouped form, short or long attributes, inferred datatypes,
    /// spelling of references and numbers, the order of keys, and empty listed groups.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if a value does not fit its datatype.
    pub fn differences(&self, newer: &Description, options: &DifferenceOptions) -> Result<Vec<Difference>> {
        compare::differences(self, newer, options)
    }

    /// Returns true if both have the same meaning, which means that [`Description::differences`] finds none.
    pub fn means_the_same(&self, other: &Description) -> Result<bool> {
        Ok(self.differences(other, &DifferenceOptions::default())?.is_empty())
    }

    /// Checks a file, given by its description, against this description as a promise. Missing content is reported as
    /// removed, additional content as added, different content as changed. The result is empty if the file conforms.
    ///
    /// An unlimited dimension allows any extent. A datatype that this description leaves out is not checked. Storage
    /// directives and values are compared only if both descriptions give them. A coordinate of a dimension that only
    /// the file has is allowed with [`ConformanceOptions::subset`]. Stored extents and extensions are ignored.
    ///
    /// Fails as [`Description::differences`] does.
    pub fn violations(&self, file: &Description, options: &ConformanceOptions) -> Result<Vec<Difference>> {
        compare::violations(self, file, options)
    }
}

impl Difference {
    /// Returns the subject with old and new content; long content is cut.
    fn message(&self) -> String {
        let mut message = one_line(&self.what);
        for (before, content) in [(" ", &self.old), (if self.old.is_some() { " -> " } else { " " }, &self.new)] {
            let Some(content) = content else { continue };
            message.push_str(before);
            match content.char_indices().nth(SHOWN) {
                Some((end, _)) => {
                    message.push_str(content.get(..end).unwrap_or_default());
                    message.push('…');
                }
                None => message.push_str(content),
            }
        }
        message
    }
}

impl Display for Difference {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        let sign = match self.operation {
            Operation::Add => '+',
            Operation::Remove => '-',
            Operation::Change => '~',
        };
        write!(formatter, "{sign} {}: {}", one_line(&self.at), self.message())
    }
}

impl From<Difference> for Entry {
    fn from(difference: Difference) -> Entry {
        let entry = Entry::new(Kind::Difference, Severity::Note, difference.to_string(), difference.message());
        let Difference { operation, at, what, old, new } = difference;
        Entry { operation: Some(operation), path: Some(at), subject: Some(what), old, new, ..entry }
    }
}

impl From<&Difference> for Entry {
    fn from(difference: &Difference) -> Entry {
        Entry::from(difference.clone())
    }
}
