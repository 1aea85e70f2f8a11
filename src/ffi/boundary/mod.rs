//! Parts of every function of the C interface: handles, checked arguments and outputs, errors.

pub(super) mod arguments;
pub(super) mod caller;
pub(super) mod float_environment;
pub(super) mod guard;
pub(super) mod handle;
pub mod lent;
pub(super) mod outputs;
pub mod status;
pub(super) mod texts;
pub(super) mod thread;
pub mod types;
