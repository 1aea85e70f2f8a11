//! An array as zarr describes it, with the bytes of each file that has a part of it.

use std::sync::Arc;

/// An array of the references. Dimensions are in the order in which the bytes have them, slowest first.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// Path of the array in the tree.
    pub(super) path: String,
    /// Names of the groups, and of the array itself at the end.
    pub(super) names: Vec<String>,
    pub(super) dtype: String,
    /// Value of elements without bytes, as JSON; `None` if the array declares none.
    pub(super) fill: Option<String>,
    /// Configurations of codecs, as JSON.
    pub(super) filters: Vec<String>,
    /// The dimensions of the array in the tree, in the order that the shape below has.
    pub(super) order: Vec<usize>,
    pub(super) dimensions: Vec<String>,
    pub(super) unit: Option<String>,
    pub(super) item_size: u64,
    /// One part for each file.
    pub(super) parts: Vec<Part>,
}

/// The part of an array that a file has.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) shape: Vec<i64>,
    pub(super) bytes: PartBytes,
}

/// The location of the bytes of a part.
#[derive(Clone, Debug)]
pub(super) enum PartBytes {
    /// Uncompressed bytes: any box of whole inner rows is a chunk.
    Plain(Plain),
    /// Chunks of one shape.
    Chunked {
        /// Shape of a chunk; it may be larger than the part.
        chunk: Vec<i64>,
        /// URL of the file with the chunks.
        url: Arc<str>,
        /// Offset and length of each chunk, in C order; `None` for chunks that are not stored.
        places: Vec<Option<[u64; 2]>>,
    },
    /// The elements of a single chunk.
    Inline(Arc<Vec<u8>>),
}

/// Uncompressed elements.
#[derive(Clone, Debug)]
pub(super) struct Plain {
    pub(super) url: Arc<str>,
    /// Offset of the first element in the file.
    pub(super) offset: u64,
    /// Bytes from one element to the next along each dimension.
    pub(super) strides: Vec<i64>,
    /// First of the dimensions whose elements are packed.
    pub(super) packed_from: usize,
    /// Size of the file.
    pub(super) file_size: u64,
}

impl Variable {
    /// The name of the array, without its groups.
    pub(super) fn name(&self) -> &str {
        self.names.last().map_or("", String::as_str)
    }

    /// The name of the array in the references: those of the groups and its own, with slashes between them.
    pub(super) fn key(&self) -> String {
        self.names.join("/")
    }
}
