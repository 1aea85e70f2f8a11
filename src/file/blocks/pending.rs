//! Pending blocks: blocks that are not written yet.

use crate::array::PayloadCache;
use crate::codec::{AnyCodec, Codecs, Compression, DecodedSource, Label};
use crate::error::Result;
use crate::layout::BlockHeader;
use crate::limits::Limits;
use crate::source::{Source, SourceKind};
use crate::tree::NodeId;
use std::ops::Range;
use std::sync::Arc;

/// A pending block.
#[derive(Clone)]
pub(crate) struct PendingBlock {
    pub(crate) bytes: PendingBytes,
    pub(crate) slack: u64,
    pub(crate) checksum: Option<bool>,
    /// The scalars in the tree that hold the number of this block.
    pub(crate) owners: Vec<NodeId>,
    /// The part of the block in a chunked array.
    pub(crate) chunked: Option<ChunkRole>,
    /// The stored block of the mask of the array that this block replaces. A new mask takes over its number.
    pub(crate) former_mask: Option<u64>,
}

/// The part of a block in a chunked array.
#[derive(Clone)]
pub(crate) enum ChunkRole {
    /// A chunk. The scalar holds the number of the block with the map.
    Chunk(NodeId),
    /// The map: the number of the block of each chunk, or -1.
    Map(Arc<Vec<i32>>),
}

#[derive(Clone)]
pub(crate) enum PendingBytes {
    /// Uncompressed bytes, and the compression to apply.
    Raw(Arc<dyn Source>, Option<Compression>),
    /// The payload of a stored block, copied without decoding.
    Copied {
        source: Arc<dyn Source>,
        range: Range<u64>,
        header: BlockHeader,
        decoded_size: u64,
        codecs: Codecs,
        /// Cache for decoded bytes of the file that holds the payload.
        cache: PayloadCache,
    },
}

impl PendingBlock {
    /// Creates a block that is not part of a chunked array and has no owner yet.
    pub(crate) fn new(bytes: PendingBytes) -> PendingBlock {
        PendingBlock { bytes, slack: 0, checksum: None, owners: Vec::new(), chunked: None, former_mask: None }
    }

    /// Creates the map of a chunked array, whose number this scalar holds.
    pub(crate) fn of_map(numbers: Vec<i32>, owner: NodeId) -> PendingBlock {
        let numbers = Arc::new(numbers);
        let mut block = PendingBlock::new(map_bytes(numbers.clone(), None));
        block.owners.push(owner);
        block.chunked = Some(ChunkRole::Map(numbers));
        block
    }

    /// Returns the numbers of a map; `None` for other blocks.
    pub(crate) fn map(&self) -> Option<&Arc<Vec<i32>>> {
        match &self.chunked {
            Some(ChunkRole::Map(numbers)) => Some(numbers),
            _ => None,
        }
    }

    /// Changes the numbers of a map.
    pub(crate) fn change_map(&mut self, change: impl FnOnce(&mut Vec<i32>)) {
        let Some(ChunkRole::Map(numbers)) = &mut self.chunked else { return };
        // Without the bytes, which share the numbers, these need not be copied.
        self.bytes = map_bytes(Arc::default(), None);
        change(Arc::make_mut(numbers));
        self.bytes = map_bytes(numbers.clone(), None);
    }

    /// Returns the address of the source that the block copies from, and the offset of the payload in it.
    pub(crate) fn copied_from(&self) -> Option<(usize, u64)> {
        match &self.bytes {
            PendingBytes::Copied { source, range, .. } => Some((Arc::as_ptr(source).addr(), range.start)),
            PendingBytes::Raw(..) => None,
        }
    }

    /// Returns the codec of a block that is copied from a file; `None` without compression, and for bytes that are
    /// compressed when they are written.
    pub(crate) fn codec(&self) -> Result<Option<AnyCodec>> {
        match &self.bytes {
            PendingBytes::Raw(..) => Ok(None),
            PendingBytes::Copied { header, codecs, .. } => codecs.find(Label(header.compression)),
        }
    }

    /// Returns the decoded bytes.
    pub(crate) fn decoded(&self, limits: &Limits) -> Result<Arc<dyn Source>> {
        Ok(match &self.bytes {
            PendingBytes::Raw(bytes, _) => bytes.clone(),
            PendingBytes::Copied { source, range, decoded_size, .. } => {
                let (source, size) = (source.clone(), range.end - range.start);
                Arc::new(DecodedSource::new(self.codec()?, source, range.start, size, *decoded_size, limits))
            }
        })
    }

    /// Returns the size of the block in a file, in bytes. Compression can make it smaller.
    pub(crate) fn size(&self) -> u64 {
        match &self.bytes {
            PendingBytes::Raw(source, _) => source.len(),
            PendingBytes::Copied { range, .. } => range.end - range.start,
        }
    }

    /// Number of bytes that are read to write the block: twice its size if the checksum must be known first.
    pub(crate) fn bytes_to_write(&self, checksums: bool) -> u64 {
        match &self.bytes {
            PendingBytes::Raw(source, None) if source.kind() == SourceKind::Stored => {
                let passes = if self.checksum.unwrap_or(checksums) { 2 } else { 1 };
                source.len().saturating_mul(passes)
            }
            _ => self.size(),
        }
    }

    /// Returns the block for another file. Overwriting elements in one file does not change the other.
    pub(crate) fn copied(mut self) -> Result<PendingBlock> {
        if let PendingBytes::Raw(source, _) = &mut self.bytes
            && let Some(editable) = source.editable()
        {
            *source = Arc::new(editable.fork()?);
        }
        Ok(PendingBlock { owners: Vec::new(), chunked: None, former_mask: None, ..self })
    }

    /// Returns true if both blocks copy the same bytes of the same file.
    pub(crate) fn is_same_copy(&self, other: &PendingBlock) -> bool {
        match (&self.bytes, &other.bytes) {
            (PendingBytes::Copied { source, range, .. }, PendingBytes::Copied { source: others, range: other, .. }) => {
                Arc::ptr_eq(source, others) && range == other
            }
            _ => false,
        }
    }
}

/// Returns the bytes of a map.
pub(crate) fn map_bytes(numbers: Arc<Vec<i32>>, compression: Option<Compression>) -> PendingBytes {
    PendingBytes::Raw(Arc::new(MapBytes(numbers)), compression)
}

/// The numbers of a map as little-endian bytes.
struct MapBytes(Arc<Vec<i32>>);

impl Source for MapBytes {
    fn len(&self) -> u64 {
        size_of_val(&self.0[..]) as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        const SIZE: usize = size_of::<i32>();
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let bytes = self.0.get(offset / SIZE..).unwrap_or_default().iter().flat_map(|number| number.to_le_bytes());
        let mut count = 0;
        for (to, from) in buffer.iter_mut().zip(bytes.skip(offset % SIZE)) {
            *to = from;
            count += 1;
        }
        Ok(count)
    }
}
