//! Options for reading a table.

use super::index::TableIndex;
use crate::limits::Limits;
use crate::source::SharedBytes;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// Reaction to a name in the line of names that differs from the header. A different number of names is always an
/// error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamesPolicy {
    /// Refuses the table.
    Refuse,
    /// Warns, and uses the names of the header.
    Warn,
    /// Uses the names of the header.
    Ignore,
}

/// Header that is stored apart from the records. It is read up to the first line that is not part of a header.
#[derive(Clone)]
pub enum ExternalHeader {
    /// Header in a file.
    Path(PathBuf),
    /// Header in memory.
    Memory(SharedBytes),
}

impl fmt::Debug for ExternalHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExternalHeader::Path(path) => f.debug_tuple("Path").field(path).finish(),
            ExternalHeader::Memory(_) => f.debug_tuple("Memory").finish_non_exhaustive(),
        }
    }
}

/// Options for reading a table.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Texts that mean a missing cell in columns of every type, such as `null` in Gaia files. They are compared with
    /// whole fields, quoted or not. An empty field is missing, too, except in a column of strings whose mask is another
    /// column ([`ColumnHeader::has_empty_texts`](crate::table::ColumnHeader::has_empty_texts)).
    pub null_values: Vec<String>,
    /// Names of the columns to read; `None` for all. The columns keep the order of the file, each is read once.
    pub columns: Option<Vec<String>>,
    /// Rows to read, counted from 0. Rows that the table does not have are ignored.
    pub rows: Range<u64>,
    /// Index of the table, with which reading begins near the first row. The file must be the one that it was made of.
    pub index: Option<Arc<TableIndex>>,
    /// Maximum number of rows in a batch. With 0 the reader chooses batches of a few MiB.
    pub batch_rows: u64,
    /// Maximum number of threads of a call, including the caller's; 0 means 1.
    pub threads: usize,
    /// Reads by the letter of APE 6:
    ///
    /// * Every line of the header begins with `# `, and a blank line ends the header.
    /// * Each delimiter separates two fields, and blanks around fields belong to them.
    /// * Quotes only enclose fields, and truth values are `True` and `False` only.
    /// * A comment begins in the first column of its line.
    pub strict: bool,
    /// Reaction to a different name in the line of names; `None` refuses the table, in strict reading it warns.
    pub names: Option<NamesPolicy>,
    /// Removes blanks at the ends of quoted fields too, as astropy does. A field that is then empty counts as an empty
    /// field.
    pub trim_quoted: bool,
    /// Reads the header from here. Lines before the line of names in the table itself are then comments.
    pub external_header: Option<ExternalHeader>,
    /// Reads every column as text. The header then needs no datatypes, or is missing: of the lines before the line of
    /// names, only a delimiter is read. Excludes an external header.
    pub as_text: bool,
    /// Reads the columns as the file stores them. Otherwise a column of values and the column of its mask, as astropy
    /// writes them for texts, are one column with missing cells or elements.
    pub raw_columns: bool,
    /// Limits on size and memory of the table.
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            null_values: Vec::new(),
            columns: None,
            rows: 0..u64::MAX,
            index: None,
            batch_rows: 0,
            threads: 1,
            strict: false,
            names: None,
            trim_quoted: false,
            external_header: None,
            as_text: false,
            raw_columns: false,
            limits: Limits::default(),
        }
    }
}

impl ReadOptions {
    /// Returns the reaction to a different name.
    pub(super) fn names_policy(&self) -> NamesPolicy {
        let usual = if self.strict { NamesPolicy::Warn } else { NamesPolicy::Refuse };
        self.names.unwrap_or(usual)
    }
}
