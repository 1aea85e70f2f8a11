//! What a recovered file lacks, or may have wrong.

use std::fmt;

/// What kind of thing was lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
#[non_exhaustive]
pub enum LossKind {
    /// Entries of the tree, from a byte of the damaged file on.
    Tree = 1,
    /// All of a block: one of no bytes has its number.
    Block = 2,
    /// The end of a block.
    BlockEnd = 3,
    /// Nothing of a block, but its bytes are not those that were written.
    BlockDamaged = 4,
    /// All elements of an array.
    Array = 5,
    /// The last rows of an array.
    ArrayEnd = 6,
    /// Nothing of an array, but it is in a block whose bytes are not those that were written.
    ArrayDamaged = 7,
    /// What named a block that is there, or its number.
    BlockName = 8,
    /// Bytes of the damaged file of which nothing is known.
    Bytes = 9,
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
    /// The path of the array that it is about.
    pub path: Option<String>,
    /// A sentence.
    pub message: String,
}

impl Loss {
    pub(super) fn new(kind: LossKind, message: impl Into<String>) -> Loss {
        Loss { kind, block: None, offset: None, bytes: None, path: None, message: message.into() }
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

/// What became of a file that was recovered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// What was lost; empty if nothing was.
    pub losses: Vec<Loss>,
}
