//! The options of calls: keys, what each call knows, values, and how a call takes them.

pub mod handle;
pub mod keys;
pub mod table;
pub(crate) mod taken;
pub(crate) mod values;
