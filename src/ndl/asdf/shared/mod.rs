//! Parts that the description of a file and the creation of one share.

pub(super) mod choice;
pub(super) mod datatype;
pub(super) mod filters;
pub(super) mod mask;
pub(super) mod names;
pub(super) mod options;
pub(super) mod reference;
pub(super) mod sidecar;
pub(super) mod tree_value;
