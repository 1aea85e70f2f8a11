//! Sub-commands that check files and compare them.

pub(crate) mod diff;
mod diff_arrays;
mod diff_stored;
mod diff_tables;
mod difference;
pub(crate) mod ndl;
pub(crate) mod validate;
pub(crate) mod verify;
