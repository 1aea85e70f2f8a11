//! Blocks that wait to be written.

use crate::array::CachePlace;
use crate::codec::{Codecs, Compression};
use crate::error::Result;
use crate::layout::BlockHeader;
use crate::source::{BytesOrigin, Source};
use crate::tree::NodeId;
use std::ops::Range;
use std::sync::Arc;

/// A block that waits to be written.
#[derive(Clone)]
pub(crate) struct MadeBlock {
    pub(crate) bytes: MadeBytes,
    pub(crate) slack: u64,
    pub(crate) checksum: Option<bool>,
    /// The scalars of the tree that name this block.
    pub(crate) owners: Vec<NodeId>,
}

#[derive(Clone)]
pub(crate) enum MadeBytes {
    /// Bytes, and how they are to be compressed.
    Raw(Arc<dyn Source>, Option<Compression>),
    /// The payload of another file's block, to be stored as it is there.
    Copied {
        source: Arc<dyn Source>,
        range: Range<u64>,
        header: BlockHeader,
        decoded_size: u64,
        codecs: Codecs,
        /// Cache of the other file for decoded bytes.
        cache: CachePlace,
    },
}

impl MadeBlock {
    /// Source that the block copies from, by its address, and the first byte there.
    pub(crate) fn copied_from(&self) -> Option<(usize, u64)> {
        match &self.bytes {
            MadeBytes::Copied { source, range, .. } => Some((Arc::as_ptr(source).addr(), range.start)),
            MadeBytes::Raw(..) => None,
        }
    }

    /// About how many bytes the block takes in a file; compressed they may be fewer.
    pub(crate) fn size(&self) -> u64 {
        match &self.bytes {
            MadeBytes::Raw(source, _) => source.len(),
            MadeBytes::Copied { range, .. } => range.end - range.start,
        }
    }

    /// Bytes that are gone through to write the block: twice if a checksum stands before them.
    pub(crate) fn bytes_to_write(&self, checksums: bool) -> u64 {
        match &self.bytes {
            MadeBytes::Raw(source, None) if source.origin() == BytesOrigin::Anywhere => {
                let passes = if self.checksum.unwrap_or(checksums) { 2 } else { 1 };
                source.len().saturating_mul(passes)
            }
            _ => self.size(),
        }
    }

    /// The block for another file: what is written over in one of both, the other does not see.
    pub(crate) fn copied(mut self) -> Result<MadeBlock> {
        if let MadeBytes::Raw(source, _) = &mut self.bytes
            && let Some(editable) = source.editable()
        {
            *source = Arc::new(editable.fork()?);
        }
        Ok(MadeBlock { owners: Vec::new(), ..self })
    }

    /// Whether both copy the same bytes of the same file.
    pub(crate) fn is_same_copy(&self, other: &MadeBlock) -> bool {
        match (&self.bytes, &other.bytes) {
            (MadeBytes::Copied { source, range, .. }, MadeBytes::Copied { source: others, range: other, .. }) => {
                Arc::ptr_eq(source, others) && range == other
            }
            _ => false,
        }
    }
}
