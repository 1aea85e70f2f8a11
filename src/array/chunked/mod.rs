//! Metadata of chunked arrays, in the forms of zarr: their shape, datatype, chunks, codecs and fill value.
//!
//! Read from a tree: the form 2 stands in ASDF files and in stores, the form 3 in stores only. No chunk is read here.

mod dtype;
mod fill;
pub(super) mod form2;
pub(super) mod form3;
pub(super) mod metadata;
pub(super) mod write;

/// Key of a chunked array for the block of its map.
pub(crate) const CHUNK_MAP: &str = "chunk_block_map";
