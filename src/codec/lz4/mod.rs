//! LZ4: chunks as in ASDF files, frames, and the index of chunks.

pub(super) mod chunks;
pub(super) mod frame;
pub(super) mod index;
pub(super) mod parallel;
