//! Positions of elements: described in the tree, in the payload, and in the caller's memory.

pub(super) mod axes;
pub(super) mod descriptor;
pub(super) mod destination;
pub(super) mod geometry;
pub(super) mod region;
