//! Changes of existing files.

#[cfg(test)]
mod cancelled_test;
pub(super) mod in_place;
pub(super) mod regions;
pub(super) mod save;
#[cfg(test)]
mod stale_test;
