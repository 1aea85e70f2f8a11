//! Chunked payload: the elements are divided by a grid, and each chunk has stored bytes of its own.
//!
//! To the rest of the room the payload is the packed array in C order. Only the code that reads bytes sees the chunks.

use super::Payload;
use super::cache::PayloadCache;
use super::grid::Grid;
use crate::codec::numcodecs::Pipeline;
use crate::error::{Error, Result};
use std::fmt::Debug;
use std::sync::Arc;

/// The stored bytes of a chunk, before the pipeline is undone. They may be a compressed block.
pub(crate) struct StoredChunk {
    pub(crate) payload: Payload,
    /// Cache for the decoded chunk.
    pub(crate) cache: PayloadCache,
}

/// The place where chunks are stored.
pub(crate) trait ChunkStore: Debug + Send + Sync {
    /// Returns the chunk with this number; `None` if it is not stored.
    fn chunk(&self, grid: &Grid, number: u64) -> Result<Option<StoredChunk>>;

    /// Returns the number of stored bytes of all chunks.
    fn stored_bytes(&self, grid: &Grid) -> Result<u64>;

    /// Returns the numbers of the blocks that hold the chunks, or -1; `None` if files of their own hold them.
    fn blocks(&self) -> Result<Option<Arc<Vec<i32>>>>;
}

/// The chunks of an array.
#[derive(Clone, Debug)]
pub(crate) struct Chunks {
    pub(crate) grid: Grid,
    /// Bytes of an element.
    pub(crate) item_size: i64,
    /// Bytes from one element to the next in a decoded chunk, along each dimension.
    pub(crate) strides: Vec<i64>,
    /// Bytes of a decoded chunk.
    pub(crate) size: u64,
    /// Bytes of an element that is not stored; `None` if the metadata do not say. It then reads as zeros.
    pub(crate) fill: Option<Vec<u8>>,
    /// Codecs of the chunks, or the error about one that is unknown.
    pub(crate) pipeline: Result<Pipeline>,
    pub(crate) store: Arc<dyn ChunkStore>,
}

impl Chunks {
    /// Fails if the chunks cannot be decoded.
    pub(crate) fn check(&self) -> Result<&Pipeline> {
        self.pipeline.as_ref().map_err(Error::clone)
    }

    /// Returns the number of bytes of the packed array.
    pub(crate) fn length(&self) -> u64 {
        let count = crate::array::place::geometry::element_count(self.grid.shape()).unwrap_or(0);
        count.unsigned_abs().saturating_mul(self.item_size.unsigned_abs())
    }

    /// Returns the bytes of an element that is not stored.
    pub(crate) fn fill_bytes(&self) -> Vec<u8> {
        self.fill.clone().unwrap_or_else(|| vec![0; self.item_size as usize])
    }
}
