//! Where the decoded bytes of an array are to be had.
//!
//! Who opens the file finds the block and says so here; this room knows no blocks.

pub(super) mod cache;
pub(super) mod decoded;
pub(super) mod fetch;

use self::cache::CachePlace;
use self::decoded::Compressed;
use crate::codec::AnyCodec;
use crate::error::{Error, Result, Status};
use crate::source::{MemorySource, Source};
use std::fmt;
use std::sync::Arc;

/// The bytes that an array's offset and strides refer to.
#[derive(Clone)]
pub enum Payload {
    /// They stand in a source as they are.
    Stored {
        /// The file.
        source: Arc<dyn Source>,
        /// Where the bytes begin in it.
        offset: u64,
        /// How many there are.
        length: u64,
    },
    /// They stand in a source, compressed.
    Encoded {
        /// The file.
        source: Arc<dyn Source>,
        /// Where the compressed bytes begin in it.
        offset: u64,
        /// How many compressed bytes there are.
        used_size: u64,
        /// How many bytes they decode to.
        data_size: u64,
        /// How they are compressed.
        codec: AnyCodec,
        /// Where decoded bytes are kept.
        cache: CachePlace,
    },
    /// They cannot be had: the array can be described, and reading it fails like this.
    Absent {
        /// The status of the failure.
        status: Status,
        /// One sentence that tells the cause.
        message: Arc<str>,
        /// How many decoded bytes there would be, if that is known.
        length: Option<u64>,
    },
}

impl Payload {
    /// A payload whose reading fails with this error.
    pub fn absent(error: &Error, length: Option<u64>) -> Payload {
        Payload::Absent { status: error.status(), message: Arc::from(error.message()), length }
    }

    /// The number of decoded bytes, if it is known.
    pub fn length(&self) -> Option<u64> {
        match self {
            Payload::Stored { length, .. } => Some(*length),
            Payload::Encoded { data_size, .. } => Some(*data_size),
            Payload::Absent { length, .. } => *length,
        }
    }

    /// The payload if it is compressed, to be decoded with so much memory.
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

    /// Fails if the bytes cannot be had at all.
    pub(crate) fn check(&self) -> Result<()> {
        match self {
            Payload::Absent { status, message, .. } => Err(Error::new(*status, &**message)),
            _ => Ok(()),
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
            Payload::Absent { status, message, .. } => write!(f, "Absent({status:?}: {message})"),
        }
    }
}

/// Elements that were put together in memory.
pub(super) fn stored(bytes: Vec<u8>) -> Payload {
    let length = bytes.len() as u64;
    Payload::Stored { source: Arc::new(MemorySource::of_vec(bytes)), offset: 0, length }
}
