//! Blocks of chunked arrays of asdf-zarr, and blocks that no node uses.
//!
//! The map of a chunked array is a block of little-endian int32: the number of the block of each chunk, or -1 for a chunk
//! that is not stored.

use crate::error::{Error, Result, Status};
use crate::file::blocks::number_of;
use crate::file::open::named_blocks::{chunk_map, for_each_node, integers, may_name_block, uri_source};
use crate::file::{File, Node};
use crate::limits::Limit;
use crate::reserve;
use crate::source::zeroed_bytes;
use crate::tree::{Kind, NodeId, Tree};
use std::collections::BTreeSet;

/// Bytes of a block number in a map.
const NUMBER_SIZE: u64 = 4;

/// Blocks of a chunked array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChunkBlocks {
    /// Number of the block with the map.
    pub map: u64,
    /// Number of the block of each chunk, in C order of the grid of chunks; `None` for a chunk that is not stored.
    pub chunks: Vec<Option<u64>>,
}

impl File {
    /// Returns the numbers of the blocks that no node of the tree uses, in ascending order.
    ///
    /// Every integer under a key `source`, or under a key that contains "block", counts as a use.
    pub fn unused_blocks(&self) -> Result<Vec<u64>> {
        let count = self.block_count()?;
        let mut used = BTreeSet::new();
        let mut maps = Vec::new();
        let tree = self.tree()?;
        for_each_node(&tree, |id| {
            if tree.kind(id) != Kind::Mapping {
                return Ok(());
            }
            if chunk_map(&tree, id).is_some() {
                reserve::push(&mut maps, id)?;
            }
            // An empty URI means the first block of the same file.
            used.extend(uri_source(&tree, id).filter(|(_, uri)| uri.is_empty() || uri == "#").map(|_| 0));
            for pair in tree.pairs(id).chunks_exact(2) {
                if may_name_block(tree.text(tree.dealias(pair[0]))) {
                    used.extend(integers(&tree, pair[1])?.into_iter().filter_map(|index| number_of(index, count)));
                }
            }
            Ok(())
        })?;
        for id in maps {
            // Blocks under a map that cannot be read are reported with the map.
            if let Ok(Some(blocks)) = self.node(id).chunk_blocks("") {
                used.extend(blocks.chunks.into_iter().flatten());
            }
        }
        reserve::collected((0..count).filter(|number| !used.contains(number)).map(Ok))
    }
}

impl Node {
    /// Returns the blocks of the chunked array at `path`, in the form of asdf-zarr. Returns `None` for other nodes, and
    /// for a chunked array whose chunks are in other files.
    ///
    /// Fails with [`Status::BlockNotFound`] if the file has not all of these blocks, with [`Status::BadArray`] if the
    /// size of the map does not follow from the shapes of array and chunks, and with the errors of reading the map.
    pub fn chunk_blocks(&self, path: &str) -> Result<Option<ChunkBlocks>> {
        let node = self.at(path)?.resolved()?;
        node.read_chunk_map().map_err(|error| node.locate(error))
    }

    fn read_chunk_map(&self) -> Result<Option<ChunkBlocks>> {
        let file = self.file();
        let (index, expected) = {
            let tree = file.tree()?;
            tree.check(self.id())?;
            let Some((_, index)) = chunk_map(&tree, self.id()) else { return Ok(None) };
            (index, grid_size(&tree, self.id()))
        };
        let count = file.block_count()?;
        let exists = |index: i64| number_of(index, count).filter(|&number| number < count);
        let missing = |what: &str, index: i64| {
            let message = format!("the {what} of the chunked array is block {index}, but the file has {count} blocks");
            Error::new(Status::BlockNotFound, message)
        };
        let map = exists(index).ok_or_else(|| missing("map", index))?;
        let size = file.block(index)?.decoded_size;
        if size % NUMBER_SIZE != 0 || expected.is_some_and(|expected| expected.checked_mul(NUMBER_SIZE) != Some(size)) {
            let needed =
                expected.map_or("a multiple of 4".to_owned(), |chunks| format!("4 for each of {chunks} chunks"));
            let message = format!("the map of the chunked array has {size} bytes, not {needed}");
            return Err(Error::new(Status::BadArray, message));
        }
        if size / NUMBER_SIZE > file.limits().blocks {
            return Err(Limit::Blocks.exceeded("chunks of an array", file.limits().blocks));
        }
        let mut bytes = zeroed_bytes(size)?;
        file.read_decoded_block(index, &mut bytes)?;
        let numbers = bytes.as_chunks::<{ NUMBER_SIZE as usize }>().0.iter().map(|bytes| i32::from_le_bytes(*bytes));
        let chunks = reserve::collected(numbers.map(|number| match number {
            -1 => Ok(None),
            0.. => exists(number.into()).map(Some).ok_or_else(|| missing("chunk", number.into())),
            _ => {
                let message = format!("the map of the chunked array has the block number {number}");
                Err(Error::new(Status::BadArray, message))
            }
        }))?;
        Ok(Some(ChunkBlocks { map, chunks }))
    }
}

/// Returns the number of chunks of a chunked array, if the shapes of array and chunks are readable.
fn grid_size(tree: &Tree, id: NodeId) -> Option<u64> {
    let described = tree.resolve(tree.find_token(id, ".zarray")?).ok()?;
    let extents = |key: &str| {
        let list = tree.resolve(tree.find_token(described, key)?).ok()?;
        let extents = integers(tree, list).ok()?;
        (tree.kind(list) == Kind::Sequence && tree.item_count(list) == extents.len()).then_some(extents)
    };
    let (shape, chunks) = (extents("shape")?, extents("chunks")?);
    if shape.len() != chunks.len() {
        return None;
    }
    shape.iter().zip(&chunks).try_fold(1_u64, |product, (&extent, &chunk)| {
        let (extent, chunk) = (u64::try_from(extent).ok()?, u64::try_from(chunk).ok().filter(|&chunk| chunk > 0)?);
        product.checked_mul(extent.div_ceil(chunk))
    })
}
