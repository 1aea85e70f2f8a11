//! Limits on the memory and work that a file can cause.
//!
//! One value is chosen when a file is opened and passed to all modules. There are no global limits.

use crate::error::Error;

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
    /// Nesting depth that readers accept unless another limit is set. Values and files that nest deeper are not
    /// written.
    pub const USUAL_DEPTH: u32 = 255;
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            tree_bytes: 1 << 30,
            depth: Limits::USUAL_DEPTH,
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

/// One of the limits, under the name by which options set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// [`Limits::tree_bytes`]
    TreeBytes,
    /// [`Limits::depth`]
    Depth,
    /// [`Limits::nodes`]
    Nodes,
    /// [`Limits::anchors`]
    Anchors,
    /// [`Limits::rank`]
    Rank,
    /// [`Limits::blocks`]
    Blocks,
    /// [`Limits::decoded_bytes`]
    DecodedBytes,
    /// [`Limits::temporary_bytes`]
    TemporaryBytes,
    /// [`Limits::record_bytes`]
    RecordBytes,
    /// [`Limits::cell_elements`]
    CellElements,
    /// [`Limits::table_bytes`]
    TableBytes,
    /// [`Limits::external_files`]
    ExternalFiles,
    /// [`Limits::external_depth`]
    ExternalDepth,
}

impl Limit {
    /// All limits.
    pub const ALL: [Limit; 13] = [
        Limit::TreeBytes,
        Limit::Depth,
        Limit::Nodes,
        Limit::Anchors,
        Limit::Rank,
        Limit::Blocks,
        Limit::DecodedBytes,
        Limit::TemporaryBytes,
        Limit::RecordBytes,
        Limit::CellElements,
        Limit::TableBytes,
        Limit::ExternalFiles,
        Limit::ExternalDepth,
    ];

    /// Returns the name of the option, such as `limit_tree_bytes`.
    pub fn option(self) -> &'static str {
        match self {
            Limit::TreeBytes => "limit_tree_bytes",
            Limit::Depth => "limit_depth",
            Limit::Nodes => "limit_nodes",
            Limit::Anchors => "limit_anchors",
            Limit::Rank => "limit_rank",
            Limit::Blocks => "limit_blocks",
            Limit::DecodedBytes => "limit_decoded_bytes",
            Limit::TemporaryBytes => "limit_temporary_bytes",
            Limit::RecordBytes => "limit_record_bytes",
            Limit::CellElements => "limit_cell_elements",
            Limit::TableBytes => "limit_table_bytes",
            Limit::ExternalFiles => "limit_external_files",
            Limit::ExternalDepth => "limit_external_depth",
        }
    }

    /// Returns the largest value that the limit can have.
    pub fn highest(self) -> u64 {
        match self {
            Limit::TreeBytes => Limits::MAX_TREE_BYTES,
            Limit::Rank => Limits::MAX_RANK.into(),
            Limit::Depth | Limit::ExternalFiles | Limit::ExternalDepth => u32::MAX.into(),
            _ => i64::MAX as u64,
        }
    }

    /// Creates the error for exceeding the limit. `what` names in words what is limited. The message names the option,
    /// unless the limit cannot be higher.
    pub fn exceeded(self, what: &str, maximum: u64) -> Error {
        let error = Error::limit(what, maximum);
        if maximum < self.highest() { error.with_option(self.option()) } else { error }
    }
}

impl Limits {
    /// Sets one limit. Values above the [highest](Limit::highest) are treated as that value.
    pub fn set(&mut self, limit: Limit, value: u64) {
        let value = value.min(limit.highest());
        let small = u32::try_from(value).unwrap_or(u32::MAX);
        match limit {
            Limit::TreeBytes => self.tree_bytes = value,
            Limit::Depth => self.depth = small,
            Limit::Nodes => self.nodes = value,
            Limit::Anchors => self.anchors = value,
            Limit::Rank => self.rank = small,
            Limit::Blocks => self.blocks = value,
            Limit::DecodedBytes => self.decoded_bytes = value,
            Limit::TemporaryBytes => self.temporary_bytes = value,
            Limit::RecordBytes => self.record_bytes = value,
            Limit::CellElements => self.cell_elements = value,
            Limit::TableBytes => self.table_bytes = value,
            Limit::ExternalFiles => self.external_files = small,
            Limit::ExternalDepth => self.external_depth = small,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_set_by_its_name() {
        for limit in Limit::ALL {
            let mut limits = Limits::default();
            limits.set(limit, 7);
            let field = limit.option().trim_start_matches("limit_");
            assert!(format!("{limits:?}").contains(&format!("{field}: 7")), "{field}");
            limits.set(limit, u64::MAX);
            assert!(format!("{limits:?}").contains(&format!("{field}: {}", limit.highest())), "{field}");
        }
    }

    #[test]
    fn messages_name_the_option_only_if_it_helps() {
        let error = Limit::ExternalFiles.exceeded("external files", 1000);
        assert_eq!(
            error.message(),
            "the limit of 1000 on external files is exceeded; the option 'limit_external_files' \
             (ASDF_OPTION_LIMIT_EXTERNAL_FILES) raises it"
        );
        assert_eq!(error.option(), Some("limit_external_files"));
        let wrapped = Error::because_of("cannot open 'x'", &error.at_offset(3)).with_more("and more");
        assert_eq!(
            wrapped.with_hint("raise it").message(),
            "cannot open 'x': byte 3: the limit of 1000 on external files is exceeded; raise it; and more"
        );
        let highest = Limit::Rank.exceeded("dimensions", 32);
        assert_eq!((highest.message(), highest.option()), ("the limit of 32 on dimensions is exceeded", None));
    }
}
