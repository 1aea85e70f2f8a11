//! Report of the losses and doubtful parts of a recovered file.

use crate::report::{Entry, Kind, Severity};
use std::fmt;

/// Kind of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LossKind {
    /// Entries of the tree, from some byte of the damaged file on.
    Tree,
    /// A whole block. An empty block has its number.
    Block,
    /// The end of a block.
    BlockEnd,
    /// Nothing is missing in a block, but its bytes are damaged.
    BlockDamaged,
    /// All elements of an array.
    Array,
    /// The last rows of an array.
    ArrayEnd,
    /// Nothing is missing in an array, but the bytes of its block are damaged.
    ArrayDamaged,
    /// The reference to a block that is present, or the number of the block.
    BlockName,
    /// Bytes of the damaged file with unknown meaning, or bytes that cannot be decompressed.
    Bytes,
}

/// One loss. Offsets refer to the damaged file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Kind of the loss.
    pub kind: LossKind,
    /// Number of the block.
    pub block: Option<u64>,
    /// Offset of the lost part, or of its block, in the damaged file, in bytes.
    pub offset: Option<u64>,
    /// Number of missing bytes, if known.
    pub bytes: Option<u64>,
    /// Number of missing rows of the array, if known.
    pub rows: Option<u64>,
    /// Path of the array.
    pub path: Option<String>,
    /// Description of the loss, without the place.
    pub message: String,
}

impl LossKind {
    /// Returns the kind as a stable word, such as `L-BLOCK-END`.
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

/// Result of a recovery.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// The losses; empty if nothing was lost.
    pub losses: Vec<Loss>,
}
