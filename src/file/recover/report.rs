//! What a recovered file lacks, or may have wrong.

use crate::report::{Entry, Kind, Severity};
use std::fmt;

/// What kind of thing was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossKind {
    /// Entries of the tree, from a byte of the damaged file on.
    Tree,
    /// All of a block: one of no bytes has its number.
    Block,
    /// The end of a block.
    BlockEnd,
    /// Nothing of a block, but its bytes are not those that were written.
    BlockDamaged,
    /// All elements of an array.
    Array,
    /// The last rows of an array.
    ArrayEnd,
    /// Nothing of an array, but it is in a block whose bytes are not those that were written.
    ArrayDamaged,
    /// What named a block that is there, or its number.
    BlockName,
    /// Bytes of the damaged file of which nothing is known.
    Bytes,
}

/// One thing that was lost. Places are those in the damaged file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// What kind of thing.
    pub kind: LossKind,
    /// The number of the block that it is about.
    pub block: Option<u64>,
    /// The byte of the damaged file at which it was, or the block that held it.
    pub offset: Option<u64>,
    /// How many bytes are missing, if that is known.
    pub bytes: Option<u64>,
    /// How many rows of the array are missing, if that is known.
    pub rows: Option<u64>,
    /// The path of the array that it is about.
    pub path: Option<String>,
    /// A sentence.
    pub message: String,
}

impl LossKind {
    /// The kind as a stable word, such as `L-BLOCK-END`.
    pub fn name(self) -> &'static str {
        match self {
            LossKind::Tree => "L-TREE",
            LossKind::Block => "L-BLOCK",
            LossKind::BlockEnd => "L-BLOCK-END",
            LossKind::BlockDamaged => "L-BLOCK-DAMAGED",
            LossKind::Array => "L-ARRAY",
            LossKind::ArrayEnd => "L-ARRAY-END",
            LossKind::ArrayDamaged => "L-ARRAY-DAMAGED",
            LossKind::BlockName => "L-BLOCK-NAME",
            LossKind::Bytes => "L-BYTES",
        }
    }
}

impl Loss {
    pub(super) fn new(kind: LossKind, message: impl Into<String>) -> Loss {
        Loss { kind, block: None, offset: None, bytes: None, rows: None, path: None, message: message.into() }
    }

    pub(super) fn of_block(self, number: u64) -> Loss {
        Loss { block: Some(number), ..self }
    }

    pub(super) fn at(self, offset: impl Into<Option<u64>>, bytes: impl Into<Option<u64>>) -> Loss {
        Loss { offset: offset.into(), bytes: bytes.into(), ..self }
    }

    pub(super) fn of_array(self, path: String) -> Loss {
        Loss { path: Some(path), ..self }
    }

    pub(super) fn of_rows(self, rows: i64) -> Loss {
        Loss { rows: u64::try_from(rows).ok(), ..self }
    }
}

impl fmt::Display for Loss {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut separator = "";
        if let Some(path) = &self.path {
            write!(formatter, "array {path}")?;
            separator = ", ";
        }
        if let Some(block) = self.block {
            write!(formatter, "{separator}block {block}")?;
            separator = ", ";
        }
        if let Some(offset) = self.offset {
            write!(formatter, "{separator}byte {offset}")?;
            separator = ", ";
        }
        write!(formatter, "{}{}", if separator.is_empty() { "" } else { ": " }, self.message)
    }
}

impl From<&Loss> for Entry {
    fn from(loss: &Loss) -> Entry {
        Entry {
            code: Some(loss.kind.name()),
            path: loss.path.clone(),
            offset: loss.offset,
            block: loss.block,
            bytes: loss.bytes,
            rows: loss.rows,
            ..Entry::new(Kind::Loss, Severity::Error, loss.to_string(), loss.message.clone())
        }
    }
}

/// What became of a file that was recovered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// What was lost; empty if nothing was.
    pub losses: Vec<Loss>,
}
