//! Writing of arrays: descriptions, conversion, overwriting and resizing.

pub(super) mod chunks;
pub(super) mod describe;
pub(super) mod in_memory;
pub(super) mod made;
pub(super) mod overwrite;
pub(super) mod resized;
