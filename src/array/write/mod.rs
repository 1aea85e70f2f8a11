//! Arrays that are written: described, converted, written over, resized.

pub(super) mod describe;
pub(super) mod in_memory;
pub(super) mod made;
pub(super) mod overwrite;
pub(super) mod resized;
