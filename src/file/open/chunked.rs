//! Chunked arrays: their description in the tree, and the blocks of their chunks.
//!
//! A block holds the numbers of the blocks of all chunks. It is read when the first chunk is wanted.

use super::chunk_folder::{ChunkFolder, StoreDescription};
use super::named_blocks::chunk_map;
use crate::array::{Array, ByteOrder, ChunkMetadata, ChunkStore, Datatype, Descriptor, Grid, ScalarType, StoredChunk};
use crate::array::{DeclaredShape, Payload, ReadOptions};
use crate::error::{Error, Result, Status, Warning};
use crate::file::File;
use crate::file::blocks::{BlockStore, number_of};
use crate::limits::Limit;
use crate::source::try_zeroed;
use crate::tree::{Key, NodeId, Tree};
use once_cell::race::OnceBox;
use std::fmt;
use std::sync::Arc;

/// Bytes of a block number in a map.
pub(crate) const NUMBER_SIZE: u64 = 4;

/// A chunked array as its node describes it.
pub(crate) struct ChunkedNode {
    node: NodeId,
    place: ChunkPlace,
}

enum ChunkPlace {
    /// The metadata, and the index of the block with the map.
    Blocks(Box<ChunkMetadata>, i64),
    /// The stores of the metadata and of the chunks.
    Stores { metadata: StoreDescription, chunks: StoreDescription },
}

impl ChunkedNode {
    /// Reads the description at a node with the tag of chunked arrays.
    pub(crate) fn parse(file: &File, tree: &Tree, node: NodeId) -> Result<ChunkedNode> {
        let bad = |message: &str| tree.locate(Error::new(Status::BadArray, message), node);
        let find = |key: &str| tree.find(node, Key::String(key));
        let place = match (find(".zarray"), chunk_map(tree, node), find("store")) {
            (Some(metadata), Some((_, map)), _) => {
                let metadata = ChunkMetadata::parse_form2(tree, metadata, file.limits())?;
                ChunkPlace::Blocks(Box::new(metadata), map)
            }
            (None, None, Some(store)) => {
                let chunks = StoreDescription::parse(tree, store)?;
                let metadata = find("meta_store").map(|store| StoreDescription::parse(tree, store)).transpose()?;
                ChunkPlace::Stores { metadata: metadata.unwrap_or_else(|| chunks.clone()), chunks }
            }
            _ => return Err(bad("a chunked array needs '.zarray' and 'chunk_block_map', or 'store'")),
        };
        Ok(ChunkedNode { node, place })
    }

    /// Returns the array. `store` holds the blocks of the file. Reads the metadata of a store, and no chunk.
    pub(crate) fn open(&self, file: &File, store: &Arc<BlockStore>) -> Result<(Array, Descriptor)> {
        let (metadata, chunks) = match &self.place {
            ChunkPlace::Blocks(metadata, map) => {
                let chunks = BlockChunks::new(file, store, *map, &metadata.grid)?;
                (ChunkMetadata::clone(metadata), Arc::new(chunks) as Arc<dyn ChunkStore>)
            }
            ChunkPlace::Stores { metadata, chunks } => {
                let metadata = metadata.read_metadata(file)?;
                let chunks = ChunkFolder::new(file, chunks, &metadata.keys)?;
                (metadata, Arc::new(chunks) as Arc<dyn ChunkStore>)
            }
        };
        let descriptor = metadata.descriptor(self.node);
        let array = Array::open(&descriptor, metadata.payload(chunks)?, file.limits())?;
        Ok((array, descriptor))
    }
}

/// Chunks in blocks of the file.
struct BlockChunks {
    file: File,
    store: Arc<BlockStore>,
    /// Index of the block with the map.
    map: i64,
    /// Number of blocks of the file.
    count: u64,
    /// Block number of each chunk, or -1; empty until the first chunk is wanted.
    numbers: OnceBox<Vec<i32>>,
}

impl fmt::Debug for BlockChunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlockChunks(map {})", self.map)
    }
}

impl BlockChunks {
    /// Fails with [`Status::BlockNotFound`] if the map is no block of the file, and with [`Status::BadArray`] unless its
    /// size is that of the grid.
    fn new(file: &File, store: &Arc<BlockStore>, map: i64, grid: &Grid) -> Result<BlockChunks> {
        let count = store.count()?;
        if number_of(map, count).is_none_or(|number| number >= count) {
            return Err(missing("map", map, count));
        }
        let size = file.payload_in(store, map)?.length();
        let chunks = grid.len();
        if size.is_some_and(|size| chunks.checked_mul(NUMBER_SIZE) != Some(size)) {
            let size = size.unwrap_or_default();
            let message =
                format!("the map of the chunked array has {size} bytes, not {NUMBER_SIZE} for each of {chunks} chunks");
            return Err(Error::new(Status::BadArray, message));
        }
        if chunks > file.limits().blocks {
            return Err(Limit::Blocks.exceeded("chunks of an array", file.limits().blocks));
        }
        Ok(BlockChunks { file: file.clone(), store: store.clone(), map, count, numbers: OnceBox::new() })
    }

    fn numbers(&self) -> Result<&[i32]> {
        self.numbers.get_or_try_init(|| self.read_numbers().map(Box::new)).map(Vec::as_slice)
    }

    fn read_numbers(&self) -> Result<Vec<i32>> {
        let payload = self.file.payload_in(&self.store, self.map)?;
        payload.check()?;
        let numbers = numbers_of(&self.file, payload)?;
        if let Some(number) = numbers.iter().find(|&&number| number < -1) {
            let message = format!("the map of the chunked array has the block number {number}");
            return Err(Error::new(Status::BadArray, message));
        }
        if let Some(&number) = numbers.iter().find(|&&number| i64::from(number) >= self.count as i64) {
            return Err(missing("chunk", number.into(), self.count));
        }
        let mut sorted: Vec<i32> = numbers.iter().copied().filter(|&number| number >= 0).collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            let message = format!("several chunks of an array are in block {}; they have the same elements", pair[0]);
            self.file.warn([Warning::new(message)]);
        }
        Ok(numbers)
    }
}

/// Returns the numbers in the map of a chunked array.
pub(crate) fn numbers_of(file: &File, payload: Payload) -> Result<Vec<i32>> {
    let count = payload.length().unwrap_or(0) / NUMBER_SIZE;
    let descriptor = Descriptor {
        shape: Some(DeclaredShape::Fixed(vec![count as i64])),
        datatype: Some(ScalarType::Int32.into()),
        byteorder: ByteOrder::Little,
        ..Descriptor::of_chunks(NodeId::NONE)
    };
    let array = Array::open(&descriptor, payload, file.limits())?;
    let size = usize::try_from(count * NUMBER_SIZE).map_err(|_| Error::out_of_memory(count * NUMBER_SIZE))?;
    let mut bytes = try_zeroed(size)?;
    array.read(&Datatype::from(ScalarType::Int32), &mut bytes, &ReadOptions::default())?;
    Ok(bytes.as_chunks().0.iter().map(|&bytes| i32::from_ne_bytes(bytes)).collect())
}

fn missing(what: &str, index: i64, count: u64) -> Error {
    let message = format!("the {what} of the chunked array is block {index}, but the file has {count} blocks");
    Error::new(Status::BlockNotFound, message)
}

impl ChunkStore for BlockChunks {
    fn chunk(&self, _: &Grid, number: u64) -> Result<Option<StoredChunk>> {
        self.file.check_open()?;
        let Some(block) = self.block_of(number)? else { return Ok(None) };
        self.file.chunk_in(&self.store, block as i64).map(Some)
    }

    fn stored_bytes(&self, _: &Grid) -> Result<u64> {
        let mut size = 0_u64;
        for &number in self.numbers()?.iter().filter(|&&number| number >= 0) {
            size = size.saturating_add(self.file.chunk_in(&self.store, number.into())?.payload.stored_bytes());
        }
        Ok(size)
    }

    fn block_of(&self, number: u64) -> Result<Option<u64>> {
        let numbers = self.numbers()?;
        let found = usize::try_from(number).ok().and_then(|number| numbers.get(number));
        let found = found.ok_or_else(|| Error::new(Status::Internal, "a chunk lies outside the map"))?;
        Ok(u64::try_from(*found).ok())
    }

    fn is_in_blocks(&self) -> bool {
        true
    }
}
