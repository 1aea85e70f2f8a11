//! What a caller can choose when a table is read.

use crate::limits::Limits;
use crate::source::SharedBytes;
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

/// What happens if the line of names differs from the names of the header. If it has more or fewer, that is always an
/// error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamesPolicy {
    /// The table is refused.
    Refuse,
    /// There is a warning, and the names of the header count.
    Warn,
    /// The names of the header count.
    Ignore,
}

/// A header that stands apart from the records. It is read up to the first line that is not part of a header.
#[derive(Clone)]
pub enum ExternalHeader {
    /// In a file.
    Path(PathBuf),
    /// In memory.
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

/// How to read a table.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// Texts of whole fields, quoted or not, that mean a missing cell in columns of every type, as `null` does in files
    /// of Gaia. An empty field always does.
    pub null_values: Vec<String>,
    /// The names of the columns to read; without it all. They come in the order of the file, each once.
    pub columns: Option<Vec<String>>,
    /// The rows to read, counted from 0; those that the table does not have are left out.
    pub rows: Range<u64>,
    /// The most rows of a batch; 0 lets the reader choose so that a batch takes a few MiB.
    pub batch_rows: u64,
    /// The most threads that a call may use, that of the caller included; 0 counts as 1.
    pub threads: usize,
    /// Read as APE 6 says it, to the letter: every line of the header begins with `# `, a blank line ends it, single
    /// delimiters, no blanks around fields, no bare quotes, `True` and `False` only, and a comment begins in the first
    /// column of its line.
    pub strict: bool,
    /// What happens if the line of names differs; without it names are refused, in strict reading warned of.
    pub names: Option<NamesPolicy>,
    /// Take blanks off the ends of quoted fields as well, as astropy does. What is then empty is missing.
    pub trim_quoted: bool,
    /// Take the header from here. What then comes before the line of names in the table itself are comments.
    pub external_header: Option<ExternalHeader>,
    /// What the table may cost.
    pub limits: Limits,
}

impl Default for ReadOptions {
    fn default() -> ReadOptions {
        ReadOptions {
            null_values: Vec::new(),
            columns: None,
            rows: 0..u64::MAX,
            batch_rows: 0,
            threads: 1,
            strict: false,
            names: None,
            trim_quoted: false,
            external_header: None,
            limits: Limits::default(),
        }
    }
}

impl ReadOptions {
    /// What happens if names differ.
    pub(super) fn names_policy(&self) -> NamesPolicy {
        let usual = if self.strict { NamesPolicy::Warn } else { NamesPolicy::Refuse };
        self.names.unwrap_or(usual)
    }
}
