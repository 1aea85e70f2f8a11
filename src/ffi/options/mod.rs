//! Options of calls: keys, the table of calls that know them, values, and access by calls.

pub(crate) mod choice;
pub mod handle;
pub mod keys;
pub mod table;
pub(crate) mod taken;
pub(crate) mod values;
