//! How much a hostile file may cost.
//!
//! One value is chosen when a file is opened and passed down to every room; nothing here is global.

/// Upper bounds on what one file may make the library do.
///
/// Exceeding one gives [`Status::Limit`](crate::Status::Limit) with a message that names the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of the YAML tree. Values above [`Limits::MAX_TREE_BYTES`] act as that value.
    pub tree_bytes: u64,
    /// Nesting depth of YAML collections, for block and for flow style each.
    pub depth: u32,
    /// Nodes of the tree: scalars, collections, keys and aliases.
    pub nodes: u64,
    /// Anchors in a tree; aliases have the same bound.
    pub anchors: u64,
    /// Axes of an array, at most [`Limits::MAX_RANK`].
    pub rank: u32,
    /// Binary blocks in a file.
    pub blocks: u64,
    /// Memory that the library itself may hold for decoded block bytes.
    pub decoded_bytes: u64,
    /// Bytes of temporary files with what memory has no room for.
    pub temporary_bytes: u64,
    /// Bytes of one record of a table in text.
    pub record_bytes: u64,
    /// Elements of an array in one cell of a table, as its declared shape says.
    pub cell_elements: u64,
    /// Memory for the values of one table that is read, a whole one or a batch, beyond the bytes that are stored of it.
    /// Compressed text, compressed blocks, elements that a stride of 0 repeats and columns of nothing but missing values
    /// need more memory than their files have bytes.
    pub table_bytes: u64,
    /// Other files that one file may open, those they open included.
    pub external_files: u32,
    /// Files that one look-up may pass through after the one it begins in.
    pub external_depth: u32,
}

impl Limits {
    /// Positions in a tree are kept in 32 bits.
    pub const MAX_TREE_BYTES: u64 = u32::MAX as u64 - 1;
    /// The largest rank any array may have.
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
