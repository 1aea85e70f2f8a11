//! Stored blocks of chunked arrays whose new bytes fit into their place: the map, and chunks that are not compressed.

use super::in_place::difference;
use crate::error::Result;
use crate::file::WriteOptions;
use crate::file::blocks::pending::PendingBytes;
use crate::file::blocks::{BlockStore, Stored};
pub(super) use crate::file::disk::steps::write::Written as Patch;
use crate::layout::{BlockHeader, md5};
use crate::source::{FileSource, Source, SourceKind, read_vec_at};

/// Most bytes of a block that is changed in place.
const MOST: u64 = 64 << 20;

/// Returns the changes of stored blocks; `None` if one of them needs another place.
pub(super) fn patches(
    store: &BlockStore,
    stored: &Stored,
    file: &FileSource,
    options: &WriteOptions,
) -> Result<Option<Vec<Patch>>> {
    let mut patches = Vec::new();
    for (&number, block) in store.replaced() {
        let PendingBytes::Raw(source, None) = &block.bytes else { return Ok(None) };
        let (header, size) = (stored.layout.blocks.get(number)?, source.len());
        let place = header.payload_offset();
        let fits = size <= header.allocated_size.min(MOST) && place.saturating_add(size) <= file.len();
        let is_plain = !header.is_compressed() && !header.is_streamed() && source.kind() == SourceKind::Stored;
        if block.chunked.is_none() || !fits || !is_plain {
            return Ok(None);
        }
        let (old, bytes) = (read_vec_at(file, place, size)?, read_vec_at(&**source, 0, size)?);
        let checksum = if block.checksum.unwrap_or(options.checksums) { md5(&bytes) } else { [0; 16] };
        let changed = difference(&old, &bytes);
        if !changed.is_empty() {
            let offset = place + changed.start as u64;
            patches.push(Patch { offset, bytes: bytes.get(changed).unwrap_or_default().to_vec() });
        }
        let new = BlockHeader { used_size: size, data_size: size, checksum, ..header };
        if new != header {
            patches.push(Patch { offset: header.offset, bytes: new.encode_fields().to_vec() });
        }
    }
    Ok(Some(patches))
}
