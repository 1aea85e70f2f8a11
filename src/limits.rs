//! Limits on the memory and work that a file can cause.
//!
//! One value is chosen when a file is opened and passed to all modules. There are no global limits.

use crate::error::Error;

macro_rules! limits {
    ($($(#[$doc:meta])* $limit:ident $field:ident: $type:ident = $usual:expr, at most $highest:expr;)*) => {
        /// Upper bounds on the memory and work that one file can cause.
        ///
        /// Exceeding a limit fails with [`Status::Limit`](crate::Status::Limit); the message names the limit.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits {
            $($(#[$doc])* pub $field: $type,)*
        }

        impl Default for Limits {
            fn default() -> Self {
                Limits { $($field: $usual,)* }
            }
        }

        impl Limits {
            /// Sets one limit. Values above the [highest](Limit::highest) are treated as that value.
            pub fn set(&mut self, limit: Limit, value: u64) {
                let value = value.min(limit.highest());
                match limit {
                    $(Limit::$limit => self.$field = value as $type,)*
                }
            }
        }

        /// One of the limits, under the name by which options set it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Limit {
            $(#[doc = concat!("[`Limits::", stringify!($field), "`]")] $limit,)*
        }

        impl Limit {
            /// All limits.
            pub const ALL: [Limit; [$($highest),*].len()] = [$(Limit::$limit),*];

            /// Returns the name of the option, such as `limit_tree_bytes`.
            pub fn option(self) -> &'static str {
                match self {
                    $(Limit::$limit => concat!("limit_", stringify!($field)),)*
                }
            }

            /// Returns the largest value that the limit can have.
            pub const fn highest(self) -> u64 {
                match self {
                    $(Limit::$limit => $highest,)*
                }
            }
        }
    };
}

limits! {
    /// Size of the YAML tree in bytes. Values above [`Limits::MAX_TREE_BYTES`] are treated as that value.
    TreeBytes tree_bytes: u64 = 1 << 30, at most Limits::MAX_TREE_BYTES;
    /// Nesting depth of YAML collections, separately for block and flow style.
    Depth depth: u32 = Limits::USUAL_DEPTH, at most SMALL;
    /// Number of nodes in the tree: scalars, collections, keys and aliases.
    Nodes nodes: u64 = 100_000_000, at most LARGE;
    /// Number of anchors in a tree. The same limit applies to aliases.
    Anchors anchors: u64 = 1_000_000, at most LARGE;
    /// Number of axes of an array, at most [`Limits::MAX_RANK`].
    Rank rank: u32 = Limits::MAX_RANK, at most Limits::MAX_RANK as u64;
    /// Number of binary blocks in a file.
    Blocks blocks: u64 = 1 << 24, at most LARGE;
    /// Bytes of memory that the library itself may use for decoded block bytes.
    DecodedBytes decoded_bytes: u64 = 1 << 30, at most LARGE;
    /// Size of the temporary files for data that do not fit in memory, in bytes.
    TemporaryBytes temporary_bytes: u64 = 16 << 30, at most LARGE;
    /// Size of one record of a text table in bytes.
    RecordBytes record_bytes: u64 = 256 << 20, at most LARGE;
    /// Number of elements of an array in one cell of a table, according to its declared shape.
    CellElements cell_elements: u64 = 1 << 24, at most LARGE;
    /// Bytes of memory for the values of one table (read whole or in one batch) beyond the bytes stored in the file.
    ///
    /// These need more memory than bytes in the file: compressed text, compressed blocks, elements repeated by a stride
    /// of 0, and columns that contain only missing values.
    TableBytes table_bytes: u64 = 4 << 30, at most LARGE;
    /// Number of other files that one file may open, including files that those open.
    ExternalFiles external_files: u32 = 1000, at most SMALL;
    /// Number of files that one lookup may pass through after the first.
    ExternalDepth external_depth: u32 = 4, at most SMALL;
}

/// Highest value of limits that options can set to any positive number.
const LARGE: u64 = i64::MAX as u64;
/// Highest value of limits that are stored in 32 bits.
const SMALL: u64 = u32::MAX as u64;

impl Limits {
    /// Positions in a tree are stored in 32 bits.
    pub const MAX_TREE_BYTES: u64 = u32::MAX as u64 - 1;
    /// Largest rank of an array.
    pub const MAX_RANK: u32 = 32;
    /// Nesting depth that readers accept unless another limit is set. Values and files that nest deeper are not
    /// written.
    pub const USUAL_DEPTH: u32 = 255;
}

impl Limit {
    /// Creates the error for exceeding the limit. `what` names in words what is limited. The message names the option,
    /// unless the limit cannot be higher.
    pub fn exceeded(self, what: &str, maximum: u64) -> Error {
        let error = Error::limit(what, maximum);
        if maximum < self.highest() { error.with_option(self.option()) } else { error }
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
