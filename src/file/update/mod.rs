//! Changes of existing files.

pub(super) mod in_place;
pub(super) mod regions;
pub(super) mod save;
