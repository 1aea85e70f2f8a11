//! Options for the layout of blocks, from the options for writing a file.

use crate::file::WriteOptions;
use crate::layout::{PlanOptions, TreeSlack};

/// Files up to this size are saved as a new file rather than in place: this needs fewer syncs, and other readers never
/// see a mixed state.
pub(crate) const SMALL_FILE: u64 = 256 << 10;

/// Converts the options for writing into options for the layout.
pub(crate) fn plan_options(options: &WriteOptions) -> PlanOptions {
    PlanOptions {
        alignment: u64::from(options.alignment),
        tree_slack: options.tree_slack.map_or(TreeSlack::Default, TreeSlack::Bytes),
        index: options.block_index,
    }
}
