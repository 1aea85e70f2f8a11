//! In what two descriptions differ, whatever their notation.

use super::descriptions as compare;
use crate::error::Result;
use crate::ndl::Description;
use crate::ndl::model::path_name::one_line;
use crate::ndl::write::flow::{Dialect, Flow};
use crate::report::{Entry, Kind, Operation, Severity};
use std::fmt::{self, Display, Formatter};

/// Characters of old and new content in a line of text.
const SHOWN: usize = 60;

/// One difference. As text it is one line: `+`, `-` or `~`, the place, what, and old and new content, which is cut where
/// it is long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What happened.
    pub operation: Operation,
    /// Where: the path name, with `@` and the name for an attribute; empty for the description itself.
    pub at: String,
    /// To what: `group`, `dimcoord`, `ndarray` or `attribute` as a whole, or `size`, `shape`, `dims`, `type`, `value`,
    /// `storage.` with the name of a directive, or `extensions`, with `storage.` before it if they stand there.
    pub what: String,
    /// What was there, as JSON like that of [`Description::to_json`].
    pub old: Option<String>,
    /// What is there now, as JSON.
    pub new: Option<String>,
}

/// What does not matter when descriptions are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DifferenceOptions {
    /// Attributes.
    pub ignore_attributes: bool,
    /// Storage directives.
    pub ignore_storage: bool,
    /// Values of arrays and dimension coordinates.
    pub ignore_values: bool,
    /// What stands under `x-` keys.
    pub ignore_extensions: bool,
}

/// What a file may have besides what a description promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConformanceOptions {
    /// It may have further groups, arrays, attributes and coordinates of dimensions.
    pub subset: bool,
}

impl Description {
    /// The differences from this description to a newer one, of which there are none if both mean the same. In order:
    /// extensions, groups, dimension coordinates, arrays, of each kind what this one has before what is added.
    ///
    /// Notation does not matter: groups or none, short or long attributes, inferred datatypes, spellings of references
    /// and numbers, the order of keys, and whether a group is listed in which nothing is.
    ///
    /// Fails with [`Status::InvalidArgument`](crate::Status::InvalidArgument) if a value is not of the datatype beside
    /// it.
    pub fn differences(&self, newer: &Description, options: &DifferenceOptions) -> Result<Vec<Difference>> {
        compare::differences(self, newer, options)
    }

    /// Whether both mean the same; see [`Description::differences`], which also tells why not.
    pub fn means_the_same(&self, other: &Description) -> Result<bool> {
        Ok(self.differences(other, &DifferenceOptions::default())?.is_empty())
    }

    /// In what a file, whose description is given, is not as this description promises: what is missing is removed, what
    /// is too much added, what is different changed. There is nothing if it conforms.
    ///
    /// An unlimited dimension promises any extent, and what this description leaves out (datatypes, storage directives,
    /// values, coordinates of dimensions), or the file's does not tell, is no promise. Stored extents and extensions do
    /// not matter.
    ///
    /// Fails as [`Description::differences`].
    pub fn violations(&self, file: &Description, options: &ConformanceOptions) -> Result<Vec<Difference>> {
        compare::violations(self, file, options)
    }
}

impl Difference {
    /// Subject of the difference with old and new content; long content is cut.
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

    /// Differences as JSON: a list of objects of `op`, `at`, `what`, `old` and `new`.
    pub fn list_to_json(differences: &[Difference]) -> String {
        let mut json = Flow::new(Dialect::Json);
        json.begin_list();
        for difference in differences {
            json.begin_mapping();
            for (key, text) in [("op", difference.operation.name()), ("at", &difference.at), ("what", &difference.what)]
            {
                json.key(key);
                json.quoted(text);
            }
            for (key, content) in [("old", &difference.old), ("new", &difference.new)] {
                if let Some(content) = content {
                    json.key(key);
                    json.word(content);
                }
            }
            json.end_mapping();
        }
        json.end_list();
        json.into_text()
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

impl From<&Difference> for Entry {
    fn from(difference: &Difference) -> Entry {
        let entry = Entry::new(Kind::Difference, Severity::Note, difference.to_string(), difference.message());
        Entry {
            operation: Some(difference.operation),
            path: Some(difference.at.clone()),
            subject: Some(difference.what.clone()),
            old: difference.old.clone(),
            new: difference.new.clone(),
            ..entry
        }
    }
}
