//! Changes of existing files.

pub(super) mod append;
#[cfg(test)]
mod append_test;
mod begin_growth;
#[cfg(test)]
mod cancelled_test;
mod change;
mod chunk_steps;
#[cfg(test)]
mod chunk_steps_test;
mod hdu_sums;
pub(super) mod in_fits;
pub(super) mod in_place;
#[cfg(test)]
mod left_drafts_test;
mod patched;
pub(super) mod regions;
pub(super) mod save;
#[cfg(test)]
mod stale_test;
