//! Reading the nodes of a tree.

pub(super) mod array;
pub(super) mod chunks;
pub(super) mod descendants;
pub(super) mod described;
pub(super) mod history;
pub(super) mod integer;
pub(super) mod node;
