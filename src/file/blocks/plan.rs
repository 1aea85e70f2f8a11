//! Layout of the blocks of a file, by the options of writing it.

use crate::file::WriteOptions;
use crate::layout::{PlanOptions, TreeSlack};

/// Size up to which a file is written anew rather than changed in place: that waits less often for the disk, and other
/// readers meet no mixed state.
pub(crate) const SMALL_FILE: u64 = 256 << 10;

/// Layout of blocks by the options of writing.
pub(crate) fn plan_options(options: &WriteOptions) -> PlanOptions {
    PlanOptions {
        alignment: u64::from(options.alignment),
        tree_slack: options.tree_slack.map_or(TreeSlack::Default, TreeSlack::Bytes),
        index: options.block_index,
    }
}
