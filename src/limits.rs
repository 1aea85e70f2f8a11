//! Limits on the memory and work that a file can cause.
//!
//! One value is chosen when a file is opened and passed to all modules. There are no global limits.

/// Upper bounds on the memory and work that one file can cause.
///
/// Exceeding a limit fails with [`Status::Limit`](crate::Status::Limit); the message names the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Size of the YAML tree in bytes. Values above [`Limits::MAX_TREE_BYTES`] are treated as that value.
    pub tree_bytes: u64,
    /// Nesting depth of YAML collections, separately for block and flow style.
    pub depth: u32,
    /// Number of nodes in the tree: scalars, collections, keys and aliases.
    pub nodes: u64,
    /// Number of anchors in a tree. The same limit applies to aliases.
    pub anchors: u64,
    /// Number of axes of an array, at most [`Limits::MAX_RANK`].
    pub rank: u32,
    /// Number of binary blocks in a file.
    pub blocks: u64,
    /// Bytes of memory that the library itself may use for decoded block bytes.
    pub decoded_bytes: u64,
    /// Size of the temporary files for data that do not fit in memory, in bytes.
    pub temporary_bytes: u64,
    /// Size of one record of a text table in bytes.
    pub record_bytes: u64,
    /// Number of elements of an array in one cell of a table, according to its declared shape.
    pub cell_elements: u64,
    /// Bytes of memory for the values of one table (read whole or in one batch) beyond the bytes stored in the file.
    ///
    /// These need more memory than bytes in the file: compressed text, compressed blocks, elements repeated by a stride
    /// of 0, and columns that contain only missing values.
    pub table_bytes: u64,
    /// Number of other files that one file may open, including files that those open.
    pub external_files: u32,
    /// Number of files that one lookup may pass through after the first.
    pub external_depth: u32,
}

impl Limits {
    /// Positions in a tree are stored in 32 bits.
    pub const MAX_TREE_BYTES: u64 = u32::MAX as u64 - 1;
    /// Largest rank of an array.
    pub const MAX_RANK: u32 = 32;
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            tree_bytes: 1 << 30,
            depth: 255,
            nodes: 100_000_000,
            anchors: 1_000_000,
            rank: Limits::MAX_RANK,
            blocks: 1 << 24,
            decoded_bytes: 1 << 30,
            temporary_bytes: 16 << 30,
            record_bytes: 256 << 20,
            cell_elements: 1 << 24,
            table_bytes: 4 << 30,
            external_files: 1000,
            external_depth: 4,
        }
    }
}
