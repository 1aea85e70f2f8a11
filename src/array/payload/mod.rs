//! Payload: location of the decoded bytes of an array.
//!
//! The code that opens a file finds the block and makes the payload. This module does not access blocks.

pub(super) mod cache;
pub(super) mod chunks;
pub(super) mod decoded;
pub(super) mod fetch;
pub(super) mod grid;

use self::cache::PayloadCache;
use self::chunks::Chunks;
use self::decoded::Compressed;
use crate::codec::AnyCodec;
use crate::error::{Error, Result};
use crate::source::{MemorySource, Source};
use std::fmt;
use std::sync::Arc;

/// The bytes that an array's offset and strides refer to.
#[derive(Clone)]
pub(crate) enum Payload {
    /// Uncompressed bytes in a source.
    Stored {
        /// The file.
        source: Arc<dyn Source>,
        /// Offset of the first byte in the source.
        offset: u64,
        /// Number of bytes.
        length: u64,
    },
    /// Compressed bytes in a source.
    Encoded {
        /// The file.
        source: Arc<dyn Source>,
        /// Offset of the first compressed byte in the source.
        offset: u64,
        /// Number of compressed bytes.
        used_size: u64,
        /// Number of decoded bytes.
        data_size: u64,
        /// The codec.
        codec: AnyCodec,
        /// The cache for decoded bytes.
        cache: PayloadCache,
    },
    /// Chunks with stored bytes of their own. They hold the packed array in C order.
    Chunked(Arc<Chunks>),
    /// Unavailable bytes: the array can be described, but reading it fails with this error.
    Absent {
        /// The error, without a place.
        error: Error,
        /// The number of decoded bytes, if known.
        length: Option<u64>,
    },
}

impl Payload {
    /// Makes a payload whose reads fail with this error.
    pub(crate) fn absent(error: &Error, length: Option<u64>) -> Payload {
        Payload::Absent { error: error.clone().unplaced(), length }
    }

    /// Returns the number of decoded bytes, if known.
    pub(crate) fn length(&self) -> Option<u64> {
        match self {
            Payload::Stored { length, .. } => Some(*length),
            Payload::Encoded { data_size, .. } => Some(*data_size),
            Payload::Chunked(chunks) => Some(chunks.length()),
            Payload::Absent { length, .. } => *length,
        }
    }

    /// Returns the source of the stored bytes, and the offset of the first one.
    pub(crate) fn place(&self) -> Option<(&Arc<dyn Source>, u64)> {
        match self {
            Payload::Stored { source, offset, .. } | Payload::Encoded { source, offset, .. } => Some((source, *offset)),
            Payload::Chunked(_) | Payload::Absent { .. } => None,
        }
    }

    /// Returns the payload if it is compressed. `decoded_bytes` limits the memory for decoded bytes.
    pub(super) fn compressed(&self, decoded_bytes: u64) -> Option<Compressed> {
        match self {
            Payload::Encoded { source, offset, used_size, data_size, codec, .. } => Some(Compressed {
                codec: codec.clone(),
                source: source.clone(),
                offset: *offset,
                used_size: *used_size,
                data_size: *data_size,
                decoded_bytes,
            }),
            _ => None,
        }
    }

    /// Fails with the payload's error if the bytes are unavailable.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Payload::Absent { error, .. } => Err(error.clone()),
            Payload::Chunked(chunks) => chunks.check().map(|_| ()),
            Payload::Stored { .. } | Payload::Encoded { .. } => Ok(()),
        }
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Payload::Stored { offset, length, .. } => write!(f, "Stored({length} bytes at {offset})"),
            Payload::Encoded { offset, used_size, data_size, codec, .. } => {
                write!(f, "Encoded({used_size} bytes of {} at {offset} for {data_size})", codec.label())
            }
            Payload::Chunked(chunks) => write!(f, "Chunked({} chunks)", chunks.grid.len()),
            Payload::Absent { error, .. } => write!(f, "Absent({:?}: {error})", error.status()),
        }
    }
}

/// Makes a payload of bytes in memory.
pub(super) fn stored(bytes: Vec<u8>) -> Payload {
    let length = bytes.len() as u64;
    Payload::Stored { source: Arc::new(MemorySource::of_vec(bytes)), offset: 0, length }
}
