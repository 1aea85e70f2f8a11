//! Editing the tree and the arrays of a file.

pub(super) mod array;
pub(super) mod array_data;
pub(super) mod chunked;
pub(super) mod copied_tags;
pub(super) mod copy;
mod decoded_chunk;
pub(super) mod hdu_arrays;
pub(super) mod like_before;
#[cfg(feature = "ndarray")]
pub(super) mod ndarray;
pub(super) mod redescribe;
pub(super) mod restructure;
pub(super) mod schema_defaults;
pub(super) mod schema_keys;
pub(super) mod setting;
pub(super) mod storage;
pub(super) mod translate;
pub(super) mod values;
