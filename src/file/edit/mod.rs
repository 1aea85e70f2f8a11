//! Nodes of the tree, changed.

pub(super) mod array;
pub(super) mod copied_tags;
pub(super) mod copy;
pub(super) mod restructure;
pub(super) mod setting;
pub(super) mod storage;
pub(super) mod values;
