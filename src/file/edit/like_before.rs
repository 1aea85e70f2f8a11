//! New bytes of blocks that are stored as the old ones: their compression and their checksum.

use crate::codec::{AnyCodec, Compression};
use crate::error::Result;
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::source::{OwnSource, Source};
use std::sync::Arc;

/// Returns the compression for new bytes of a block, at the default level, of elements with this size.
pub(crate) fn compression_like(block: &PendingBlock, item_size: usize) -> Result<Option<Compression>> {
    let compression = match &block.bytes {
        PendingBytes::Raw(_, compression) => compression.clone(),
        PendingBytes::Copied { .. } => match block.codec()? {
            None => None,
            Some(AnyCodec::BuiltIn(codec)) => Some(Compression::new(codec, None)?),
            Some(AnyCodec::Custom(codec)) => Some(Compression::custom(codec)),
        },
    };
    Ok(compression.map(|compression| compression.of_items(item_size)))
}

/// Returns whether a block has, or will have, a checksum; `None` if the write options decide.
pub(crate) fn has_checksum(block: &PendingBlock) -> Option<bool> {
    match &block.bytes {
        PendingBytes::Copied { header, .. } if !header.is_streamed() => Some(header.checksum != [0; 16]),
        _ => block.checksum,
    }
}

/// Bytes to compress. They are read in pieces, or as a whole if the codec requires that.
pub(crate) fn to_compress(bytes: Arc<dyn Source>, compression: Option<Compression>) -> PendingBytes {
    let in_pieces = compression.as_ref().is_none_or(Compression::takes_pieces);
    PendingBytes::Raw(if in_pieces { bytes } else { Arc::new(AtOnce(bytes)) }, compression)
}

/// A source that hides the origin of its bytes, so that all bytes are read at once.
struct AtOnce(Arc<dyn Source>);

impl Source for AtOnce {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.0.read_at(offset, buffer)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for AtOnce {
    fn opened_file(&self) -> Option<Arc<std::fs::File>> {
        self.0.opened_file()
    }
}
