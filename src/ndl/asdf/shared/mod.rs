//! What describing a file and creating one share.

pub(super) mod choice;
pub(super) mod datatype;
pub(super) mod filters;
pub(super) mod mask;
pub(super) mod names;
pub(super) mod options;
pub(super) mod reference;
pub(super) mod sidecar;
pub(super) mod tree_value;
