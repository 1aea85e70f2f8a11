//! Chunked arrays: their description in the tree, and the blocks of their chunks.
//!
//! A block holds the numbers of the blocks of all chunks. It is read when the first chunk is wanted.

use super::chunk_folder::{ChunkFolder, StoreDescription};
use super::named_blocks::chunk_map;
use crate::array::{Array, ByteOrder, ChunkMetadata, ChunkStore, Datatype, Descriptor, Grid, ScalarType, StoredChunk};
use crate::array::{DeclaredShape, Payload, ReadOptions};
use crate::error::{Error, Result, Status, Warning};
use crate::file::File;
use crate::file::blocks::{BlockStore, Stored, number_of};
use crate::limits::Limit;
use crate::process::PerProcess;
use crate::source::try_zeroed;
use crate::tree::{Key, NodeId, Tree};
use std::fmt;
use std::sync::{Arc, Weak};

/// Bytes of a block number in a map.
pub(crate) const NUMBER_SIZE: u64 = 4;

/// A chunked array as its node describes it.
pub(crate) struct ChunkedNode {
    node: NodeId,
    place: ChunkPlace,
}

enum ChunkPlace {
    /// The metadata, and the scalar with the index of the block with the map.
    Blocks(Box<ChunkMetadata>, (NodeId, i64)),
    /// The stores of the metadata and of the chunks.
    Stores { metadata: StoreDescription, chunks: StoreDescription },
}

impl ChunkedNode {
    /// Reads the description at a node with the tag of chunked arrays.
    pub(crate) fn parse(file: &File, tree: &Tree, node: NodeId) -> Result<ChunkedNode> {
        let bad = |message: &str| tree.locate(Error::new(Status::BadArray, message), node);
        let find = |key: &str| tree.find(node, Key::String(key));
        let place = match (find(".zarray"), chunk_map(tree, node), find("store")) {
            (Some(metadata), Some(map), _) => {
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
                let chunks = BlockChunks::new(file, store, self.node, *map, &metadata.grid)?;
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

/// Chunks in blocks of the file, as they are now: a change of a chunk is visible at once.
struct BlockChunks {
    file: File,
    node: NodeId,
    /// Scalar with the number of the block with the map.
    scalar: NodeId,
    /// Number of chunks.
    count: u64,
    /// The map that was read last.
    known: PerProcess<Option<KnownMap>>,
}

/// A map that was read from a stored block.
struct KnownMap {
    stored: Weak<Stored>,
    block: u64,
    numbers: Arc<Vec<i32>>,
}

impl fmt::Debug for BlockChunks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlockChunks({} chunks)", self.count)
    }
}

impl BlockChunks {
    /// Fails with [`Status::BlockNotFound`] if the map is no block of the file, and with [`Status::BadArray`] unless its
    /// size is that of the grid.
    fn new(
        file: &File,
        store: &BlockStore,
        node: NodeId,
        (scalar, map): (NodeId, i64),
        grid: &Grid,
    ) -> Result<BlockChunks> {
        let count = store.count()?;
        if number_of(map, count).is_none_or(|number| number >= count) {
            return Err(missing("map", map, count));
        }
        let size = file.payload_in(store, map)?.length();
        let chunks = grid.len();
        if size.is_some_and(|size| chunks.checked_mul(NUMBER_SIZE) != Some(size)) {
            // Another process can append chunks while the file is read.
            store.check_unchanged()?;
            let size = size.unwrap_or_default();
            let message =
                format!("the map of the chunked array has {size} bytes, not {NUMBER_SIZE} for each of {chunks} chunks");
            return Err(Error::new(Status::BadArray, message));
        }
        if chunks > file.limits().blocks {
            return Err(Limit::Blocks.exceeded("chunks of an array", file.limits().blocks));
        }
        Ok(BlockChunks { file: file.clone(), node, scalar, count: chunks, known: PerProcess::default() })
    }

    /// Returns the blocks of the file as they are now, and the numbers of those of the chunks.
    fn current(&self) -> Result<(Arc<BlockStore>, Arc<Vec<i32>>)> {
        let (tree, store) = self.file.state()?.content();
        let stale = || Error::new(Status::Stale, "the chunked array was replaced; look it up again");
        tree.check(self.node).map_err(|_| stale())?;
        let (scalar, index) = chunk_map(&tree, self.node).ok_or_else(stale)?;
        let count = store.count()?;
        let block = number_of(index, count).filter(|&number| number < count).ok_or_else(stale)?;
        if scalar != self.scalar {
            return Err(stale());
        }
        if let Some(numbers) = store.pending_map(block) {
            return Ok((store, numbers));
        }
        let stored = store.of_file().ok_or_else(stale)?.clone();
        if let Some(known) = &*self.known.lock_or_default()
            && known.block == block
            && std::ptr::eq(known.stored.as_ptr(), Arc::as_ptr(&stored))
        {
            return Ok((store, known.numbers.clone()));
        }
        let numbers = Arc::new(self.read_numbers(&store, index, count)?);
        let known = KnownMap { stored: Arc::downgrade(&stored), block, numbers: numbers.clone() };
        *self.known.lock_or_default() = Some(known);
        Ok((store, numbers))
    }

    fn read_numbers(&self, store: &BlockStore, map: i64, count: u64) -> Result<Vec<i32>> {
        let payload = self.file.payload_in(store, map)?;
        payload.check()?;
        let numbers = numbers_of(&self.file, payload)?;
        if let Some(number) = numbers.iter().find(|&&number| number < -1) {
            let message = format!("the map of the chunked array has the block number {number}");
            return Err(Error::new(Status::BadArray, message));
        }
        if let Some(&number) = numbers.iter().find(|&&number| i64::from(number) >= count as i64) {
            return Err(missing("chunk", number.into(), count));
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
        let (store, numbers) = self.current()?;
        let block = usize::try_from(number).ok().and_then(|number| numbers.get(number));
        let block = block.ok_or_else(|| Error::new(Status::Stale, "the chunked array was cut; look it up again"))?;
        if *block < 0 { Ok(None) } else { self.file.chunk_in(&store, (*block).into()).map(Some) }
    }

    fn stored_bytes(&self, _: &Grid) -> Result<u64> {
        let (store, numbers) = self.current()?;
        let mut size = 0_u64;
        for &number in numbers.iter().filter(|&&number| number >= 0) {
            size = size.saturating_add(self.file.chunk_in(&store, number.into())?.payload.stored_bytes());
        }
        Ok(size)
    }

    fn blocks(&self) -> Result<Option<Arc<Vec<i32>>>> {
        self.current().map(|(_, numbers)| Some(numbers))
    }
}
