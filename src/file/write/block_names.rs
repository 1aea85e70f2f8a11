//! Uses of blocks in a tree: by arrays, by chunked arrays, and by other nodes that may name blocks.

use crate::array::CHUNK_MAP;
use crate::error::{Result, Status};
use crate::file::File;
use crate::file::blocks::number_of;
use crate::file::open::named_blocks::{block_source, chunk_map, for_each_node, integers, may_name_block};
use crate::limits::Limit;
use crate::source::zeroed_bytes;
use crate::tree::{Key, Kind, NodeId, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// Uses of blocks in a tree.
#[derive(Default)]
pub(super) struct BlockNames {
    /// Places with the block numbers of arrays, and these numbers.
    pub(super) certain: BTreeMap<NodeId, i64>,
    /// All blocks that are used, or may be used, by arrays or other nodes.
    pub(super) named: BTreeSet<u64>,
    /// Maps of chunked arrays, by block number.
    pub(super) maps: BTreeMap<u64, ChunkMapUse>,
    /// Blocks that hold chunks.
    pub(super) chunks: BTreeSet<u64>,
    /// Last block that a node other than an array may use. Blocks up to this one keep their numbers.
    pub(super) fixed: Option<u64>,
    /// Set if a node refers to blocks in an unknown way.
    pub(super) keep_all: bool,
}

/// A map of a chunked array.
pub(super) struct ChunkMapUse {
    /// Places with the number of the map, and these numbers.
    pub(super) places: Vec<(NodeId, i64)>,
    /// Numbers of the blocks of the chunks; -1 for a chunk that is not stored.
    pub(super) numbers: Vec<i32>,
}

impl BlockNames {
    /// Looks for uses in a tree of a file, which has `count` blocks.
    pub(super) fn of(file: &File, tree: &Tree, count: u64) -> Result<BlockNames> {
        let mut names = BlockNames::default();
        for_each_node(tree, |id| if tree.kind(id) == Kind::Mapping { names.look_at(tree, id, count) } else { Ok(()) })?;
        names.read_maps(file, count);
        Ok(names)
    }

    /// Reads the maps. If one is not readable, all blocks are kept, for they may be chunks.
    fn read_maps(&mut self, file: &File, count: u64) {
        for (&number, map) in &mut self.maps {
            let is_block = |number: i32| number == -1 || u64::try_from(number).is_ok_and(|number| number < count);
            match numbers_of_map(file, number) {
                Ok(numbers) if numbers.iter().all(|&number| is_block(number)) => map.numbers = numbers,
                _ => self.keep_all = true,
            }
            self.chunks.extend(map.numbers.iter().filter_map(|&number| u64::try_from(number).ok()));
        }
        self.named.extend(self.chunks.iter().chain(self.maps.keys()));
    }

    fn look_at(&mut self, tree: &Tree, mapping: NodeId, count: u64) -> Result<()> {
        let exists = |index: i64| number_of(index, count).filter(|&number| number < count);
        let array = block_source(tree, mapping);
        if let (Some((_, index)), Some(place)) = (array, tree.find_token(mapping, "source")) {
            self.certain.insert(place, index);
            self.named.extend(exists(index));
        }
        let map = chunk_map(tree, mapping);
        match map.map(|(place, index)| (place, index, exists(index))) {
            Some((place, index, Some(number))) => {
                let map = self.maps.entry(number);
                let map = map.or_insert_with(|| ChunkMapUse { places: Vec::new(), numbers: Vec::new() });
                // An alias leads to the same scalar.
                if map.places.iter().all(|(known, _)| *known != place) {
                    map.places.push((place, index));
                }
            }
            Some((.., None)) => self.keep_all = true,
            None => {}
        }
        for pair in tree.pairs(mapping).chunks_exact(2) {
            let Key::String(key) = tree.key(pair[0]) else { continue };
            if key == CHUNK_MAP && map.is_some() {
                continue;
            }
            let is_source = key == "source";
            if !may_name_block(key) || is_source && array.is_some() {
                continue;
            }
            // A reference to a number, even in another file, is unusual but possible.
            let indices = match tree.resolve(pair[1]) {
                Ok(value) => integers(tree, value)?,
                Err(error) => {
                    self.keep_all |= error.status() == Status::ExternalReference;
                    continue;
                }
            };
            if !is_source {
                self.keep_all |= !indices.is_empty();
                continue;
            }
            for index in indices {
                let number = exists(index);
                // A negative index also fixes the number of blocks.
                self.fixed = self.fixed.max(if index < 0 { number.and(count.checked_sub(1)) } else { number });
                self.named.extend(number);
            }
        }
        Ok(())
    }
}

/// Returns the numbers in a map.
fn numbers_of_map(file: &File, number: u64) -> Result<Vec<i32>> {
    let index = i64::try_from(number).unwrap_or(i64::MAX);
    let size = file.block(index)?.decoded_size;
    if size / size_of::<i32>() as u64 > file.limits().blocks {
        return Err(Limit::Blocks.exceeded("chunks of an array", file.limits().blocks));
    }
    let mut bytes = zeroed_bytes(size)?;
    file.read_decoded_block(index, &mut bytes)?;
    Ok(bytes.as_chunks().0.iter().map(|&bytes| i32::from_le_bytes(bytes)).collect())
}
