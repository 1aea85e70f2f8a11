//! New chunked arrays, and changes of the shape and compression of chunked arrays.
//!
//! Each chunk is a pending block until the file is written.

use super::like_before::{compression_like, has_checksum, to_compress};
use crate::array::{self, Array, Chunks, Datatype, Grid, InMemory, Order, Payload, packed_size};
use crate::codec::Compression;
use crate::error::{Error, Result, Status};
use crate::file::blocks::number_of;
use crate::file::blocks::pending::{ChunkRole, PendingBlock, PendingBytes};
use crate::file::open::named_blocks::{chunk_map, count_from_start};
use crate::file::open::state::{FileState, Uses};
use crate::file::{ArrayData, ArrayOptions, ChecksumMatch, Node, Storage};
use crate::source::EditableSource;
use crate::tree::edit::Content;
use crate::tree::{Key, NodeId, Style};
use std::sync::Arc;

/// Chunks of a new array.
pub(super) struct NewChunks<'a> {
    grid: Grid,
    datatype: &'a Datatype,
    /// Bytes of each chunk; empty for an array whose chunks are not stored.
    blocks: Vec<PendingBlock>,
}

impl NewChunks<'_> {
    /// Sets an array in chunks of the shape `chunk`.
    pub(super) fn set(node: &Node, path: &str, data: &ArrayData, chunk: &[i64], options: &ArrayOptions) -> Result<()> {
        NewChunks::put(NewChunks::of(data, chunk, options), node, path, options)
    }

    /// Sets a chunked array of zeros, without any chunk.
    pub(super) fn set_zeros(
        node: &Node,
        path: &str,
        (datatype, shape): (&Datatype, &[i64]),
        chunk: &[i64],
        options: &ArrayOptions,
    ) -> Result<()> {
        let new = packed_size(datatype, shape).and_then(|_| NewChunks::none(datatype, shape, chunk, options));
        NewChunks::put(new, node, path, options)
    }

    fn put(new: Result<NewChunks>, node: &Node, path: &str, options: &ArrayOptions) -> Result<()> {
        let file = node.file();
        let new = new.map_err(|error| node.located(path, error)).inspect_err(|error| file.note_failure(error))?;
        node.edit_state(path, Uses::Added, |state| {
            let NewChunks { grid, datatype, blocks } = new;
            let chunks = grid.len();
            state.store().check_more(chunks.saturating_add(1), file.limits())?;
            let place = node.place(state.tree_mut(), path)?;
            let (stored, first) = state.store().counts()?;
            let (tree, store) = state.parts_mut();
            count_from_start(tree, stored, first);
            let map = first + blocks.len() as u64;
            let orders = (&options.stored_order, options.byteorder);
            let scalar = array::describe_chunked(tree, place, map, &grid, datatype, orders);
            let numbers = match blocks.is_empty() {
                true => vec![-1; usize::try_from(chunks).map_err(|_| Error::out_of_memory(chunks))?],
                false => numbers_from(first, blocks.len())?,
            };
            for (number, block) in (first..).zip(blocks) {
                store.put(number, PendingBlock { chunked: Some(ChunkRole::Chunk(scalar)), ..block })?;
            }
            store.put(map, PendingBlock { checksum: options.checksum, ..PendingBlock::of_map(numbers, scalar) })
        })
    }
}

/// Returns consecutive block numbers. Fails with [`Status::Limit`] if a map cannot hold them.
pub(super) fn numbers_from(first: u64, count: usize) -> Result<Vec<i32>> {
    let end = i32::try_from(first.saturating_add(count as u64));
    let end = end.map_err(|_| Error::limit("the number of a block in the map of a chunked array", i32::MAX as u64))?;
    Ok((first as i32..end).collect())
}

impl<'a> NewChunks<'a> {
    fn none(datatype: &'a Datatype, shape: &[i64], chunk: &[i64], options: &ArrayOptions) -> Result<NewChunks<'a>> {
        let invalid = |message: &str| Err(Error::new(Status::InvalidArgument, message));
        if options.storage != Storage::Internal {
            return invalid("the chunks of an array must be stored in blocks of its file");
        }
        if options.keep {
            return invalid("the option 'keep' (ASDF_OPTION_KEEP) is not possible for a chunked array");
        }
        if matches!(options.stored_order, Order::Strided(_)) {
            return invalid("a chunk must be packed in C order or Fortran order, not strided");
        }
        let grid = Grid::new(shape, chunk);
        let grid = grid.map_err(|error| Error::new(Status::InvalidArgument, error.message()))?;
        Ok(NewChunks { grid, datatype, blocks: Vec::new() })
    }

    fn of(data: &'a ArrayData, chunk: &[i64], options: &ArrayOptions) -> Result<NewChunks<'a>> {
        let bytes = data.bytes.as_ref();
        let memory = InMemory::new(&data.datatype, data.shape, &data.order, bytes.len())?;
        array::check_text_in(&memory, &data.datatype, bytes)?;
        let mut new = NewChunks::none(&data.datatype, data.shape, chunk, options)?;
        let item_size = data.datatype.item_size()?;
        let (strides, size) =
            new.grid.chunk_strides(&order_of(chunk.len(), &options.stored_order), item_size as i64)?;
        let count = new.grid.len();
        let room = usize::try_from(count).map_err(|_| Error::out_of_memory(count))?;
        new.blocks.try_reserve_exact(room).map_err(|_| Error::out_of_memory(count))?;
        for number in 0..count {
            let (origin, extents) = new.grid.box_of(&new.grid.index(number));
            let chunk = memory.chunk(bytes, options.byteorder, (&origin, &extents), (&strides, size))?;
            let compression = options.compression.clone().map(|c| c.of_items(item_size as usize));
            let bytes = PendingBytes::Raw(Arc::new(EditableSource::new(chunk)), compression);
            let block = PendingBlock { slack: options.slack, checksum: options.checksum, ..PendingBlock::new(bytes) };
            new.blocks.push(block);
        }
        Ok(new)
    }
}

/// Returns the dimensions of a chunk, slowest first.
fn order_of(rank: usize, order: &Order) -> Vec<usize> {
    if *order == Order::Fortran { (0..rank).rev().collect() } else { (0..rank).collect() }
}

/// Chunks of an array that are about to be written: their numbers and new bytes.
pub(crate) type ChangedChunks = Vec<(u64, Vec<u8>)>;

/// A chunked array in blocks of its file, for changes of its chunks.
pub(crate) struct ChunkEditor {
    array: Array,
    node: Node,
    chunks: Arc<Chunks>,
    /// True if a compressed chunk gets a new block when its bytes change, so that the file need not be written anew.
    keeps_blocks: bool,
}

/// Room in the block of a map that was moved, in bytes.
const LEAST_ROOM: u64 = 256;

/// A chunk that is about to be written.
struct NewChunk {
    chunk: usize,
    /// The block to replace; `None` for a new block.
    number: Option<u64>,
    block: PendingBlock,
}

impl ChunkEditor {
    /// Returns the editor of the array at `path`, if it is chunked.
    pub(super) fn at(node: &Node, path: &str) -> Result<Option<ChunkEditor>> {
        // Other failures are those of the change itself.
        let Ok(array) = node.array(path) else { return Ok(None) };
        if !array.node()?.file().is_same(node.file()) || array.chunk_shape().is_none() {
            return Ok(None);
        }
        ChunkEditor::of(&array).map(Some)
    }

    /// Fails with [`Status::Unsupported`] for an array without chunks, for chunks in other files, and for chunks with
    /// codecs of zarr.
    pub(crate) fn of(array: &Array) -> Result<ChunkEditor> {
        let unsupported = |message: &str| Err(Error::new(Status::Unsupported, message));
        let Payload::Chunked(chunks) = array.payload() else { return unsupported("the array is not chunked") };
        if chunks.store.blocks()?.is_none() {
            return unsupported("the chunks are in other files, which are not changed");
        }
        if !chunks.check()?.is_empty() {
            return unsupported("the chunks have codecs of zarr, which this library does not write");
        }
        let (array, node, chunks) = (array.clone(), array.node()?.clone(), chunks.clone());
        Ok(ChunkEditor { array, node, chunks, keeps_blocks: false })
    }

    /// Same as [`ChunkEditor::of`], to add elements at the end. A compressed chunk at the former end gets a new block, and
    /// the former one stays in the file.
    pub(crate) fn appending(array: &Array) -> Result<ChunkEditor> {
        Ok(ChunkEditor { keeps_blocks: true, ..ChunkEditor::of(array)? })
    }

    /// Puts new bytes of chunks into pending blocks. Those that have no block get one.
    pub(crate) fn put(&self, changed: ChangedChunks) -> Result<()> {
        let numbers = self.numbers()?;
        let new = changed.into_iter().map(|(chunk, bytes)| self.new_chunk(&numbers, chunk, bytes));
        let new = new.collect::<Result<Vec<NewChunk>>>()?;
        self.node.edit_state("", Uses::Counted, |state| self.store(state, numbers, new))
    }

    fn new_chunk(&self, numbers: &[i32], chunk: u64, bytes: Vec<u8>) -> Result<NewChunk> {
        let outside = || Error::new(Status::Internal, "a chunk lies outside the map");
        let at = usize::try_from(chunk).map_err(|_| outside())?;
        let known = numbers.get(at).copied().ok_or_else(outside)?;
        // A block of several chunks stays as it is.
        let is_shared = || numbers.iter().filter(|&&number| number == known).count() > 1;
        let number = u64::try_from(known).ok().filter(|_| !is_shared());
        // A new chunk is stored as the others.
        let like = if known >= 0 { Some(known) } else { numbers.iter().copied().find(|&number| number >= 0) };
        let like = like.map(|number| self.node.file().copy_of_block(number.into())).transpose()?;
        let mut block = PendingBlock::new(PendingBytes::Raw(Arc::new(EditableSource::new(bytes)), None));
        let mut number = number;
        if let Some(like) = &like {
            let item_size = self.chunks.item_size as usize;
            (block.slack, block.checksum) = (like.slack, has_checksum(like));
            if let PendingBytes::Raw(_, compression) = &mut block.bytes {
                *compression = compression_like(like, item_size)?;
                let stored = self.node.file().state()?.store().counts()?.0;
                let stays = self.keeps_blocks && compression.is_some();
                number = number.filter(|&number| !stays || number >= stored);
            }
        }
        Ok(NewChunk { chunk: at, number, block })
    }

    fn store(&self, state: &mut FileState, mut numbers: Vec<i32>, new: Vec<NewChunk>) -> Result<()> {
        let (scalar, map) = self.map(state)?;
        let added = new.iter().filter(|chunk| chunk.number.is_none()).count() as u64;
        state.store().check_more(added, self.node.file().limits())?;
        let (stored, count) = state.store().counts()?;
        let (tree, store) = state.parts_mut();
        if added > 0 {
            count_from_start(tree, stored, count);
        }
        let mut next = count;
        for NewChunk { chunk, number, mut block } in new {
            block.chunked = Some(ChunkRole::Chunk(scalar));
            let number = number.unwrap_or(next);
            if number == next {
                numbers_from(number, 1)?.into_iter().zip(numbers.get_mut(chunk)).for_each(|(new, at)| *at = new);
                next += 1;
            }
            store.put(number, block)?;
        }
        if next == count {
            return Ok(());
        }
        let slack = store.pending_block_mut(map).map_or(0, |block| block.slack);
        store.put(map, PendingBlock { slack, ..PendingBlock::of_map(numbers, scalar) })
    }

    /// Puts a map of another size. If it does not fit into the stored block, it gets a new one with room for as many
    /// chunks again, and the former block stays in the file.
    fn put_map(&self, state: &mut FileState, (scalar, map): (NodeId, u64), numbers: Vec<i32>) -> Result<()> {
        let size = numbers.len() as u64 * size_of::<i32>() as u64;
        let block = PendingBlock::of_map(numbers, scalar);
        let (stored, count) = state.store().counts()?;
        let header = match state.store().of_file().filter(|_| self.keeps_blocks && map < stored) {
            Some(stored) => Some(stored.layout.blocks.get(map)?),
            None => None,
        };
        let has_room = header.is_none_or(|header| !header.is_compressed() && header.allocated_size >= size);
        if has_room {
            return state.store_mut().put(map, block);
        }
        state.store().check_more(1, self.node.file().limits())?;
        numbers_from(count, 1)?;
        let (tree, store) = state.parts_mut();
        count_from_start(tree, stored, count);
        tree.replace(scalar, Content::Scalar(&count.to_string(), Style::Plain));
        store.put(count, PendingBlock { slack: size.max(LEAST_ROOM), ..block })
    }

    fn numbers(&self) -> Result<Vec<i32>> {
        let numbers = self.chunks.store.blocks()?;
        numbers.map(|numbers| numbers.to_vec()).ok_or_else(stale)
    }

    /// Returns the scalar with the number of the map, and the number.
    fn map(&self, state: &FileState) -> Result<(NodeId, u64)> {
        let (_, count) = state.store().counts()?;
        let found = chunk_map(state.tree(), self.node.id());
        found.and_then(|(scalar, index)| Some((scalar, number_of(index, count)?))).ok_or_else(stale)
    }

    /// Stores all chunks with another compression.
    pub(super) fn recompress(&self, compression: Option<Compression>) -> Result<()> {
        let (file, numbers) = (self.node.file(), self.numbers()?);
        let mut changed = Vec::new();
        let mut known: Vec<i32> = numbers.iter().copied().filter(|&number| number >= 0).collect();
        known.sort_unstable();
        known.dedup();
        for number in known {
            if file.verify_block(number.into())? == ChecksumMatch::Mismatch {
                let message = format!("the bytes of block {number} do not match its checksum");
                return Err(Error::new(Status::Checksum, message));
            }
            let former = file.copy_of_block(number.into())?;
            let compression = compression.clone().map(|c| c.of_items(self.chunks.item_size as usize));
            let bytes = to_compress(former.decoded(file.limits())?, compression);
            let block =
                PendingBlock { slack: former.slack, checksum: has_checksum(&former), ..PendingBlock::new(bytes) };
            changed.push((number as u64, block));
        }
        self.node.try_edit("", Uses::Counted, |state| {
            let (scalar, _) = self.map(state)?;
            for (number, mut block) in changed {
                block.chunked = Some(ChunkRole::Chunk(scalar));
                state.store_mut().put(number, block)?;
            }
            Ok(())
        })
    }

    /// Changes the shape of the array. Elements keep their indices, and new ones have the fill value.
    pub(crate) fn resize(&self, shape: &[i64], fill: Option<&[u8]>) -> Result<()> {
        let chunks = &self.chunks;
        let invalid = |message: String| Err(Error::new(Status::InvalidArgument, message));
        let rank = chunks.grid.shape().len();
        if shape.len() != rank || shape.iter().any(|&extent| extent < 0) {
            return invalid(format!("the new shape must have {rank} dimensions, none of them negative"));
        }
        let native = self.array.native_element(chunks.fill_bytes())?;
        if fill.is_some_and(|fill| fill != native) {
            return invalid("the new elements of a chunked array have its fill value, not another one".to_owned());
        }
        packed_size(self.array.datatype(), shape)?;
        let grid = Grid::new(shape, chunks.grid.chunk())?;
        let old = self.numbers()?;
        let count = usize::try_from(grid.len()).map_err(|_| Error::out_of_memory(grid.len()))?;
        if grid.len() > self.node.file().limits().blocks {
            return Err(crate::limits::Limit::Blocks.exceeded("chunks of an array", self.node.file().limits().blocks));
        }
        let mut numbers = Vec::new();
        numbers.try_reserve_exact(count).map_err(|_| Error::out_of_memory(grid.len()))?;
        let mut changed = Vec::new();
        for number in 0..grid.len() {
            let index = grid.index(number);
            let former = chunks.grid.number_within(&index);
            let block = former.and_then(|former| old.get(usize::try_from(former).ok()?).copied()).unwrap_or(-1);
            if let Some(former) = former.filter(|_| block >= 0)
                && let (before, after) = (chunks.grid.box_of(&index).1, grid.box_of(&index).1)
                && before.iter().zip(&after).any(|(before, after)| before < after)
            {
                let bytes = self.array.chunk_with_fill(chunks, former, &before)?;
                changed.push(self.new_chunk(&old, former, bytes).map(|new| NewChunk { chunk: numbers.len(), ..new })?);
            }
            numbers.push(block);
        }
        self.node.edit_state("", Uses::Counted, |state| {
            let (scalar, map) = self.map(state)?;
            let tree = state.tree_mut();
            let metadata = tree.find(self.node.id(), Key::String(".zarray")).ok_or_else(stale)?;
            let place = tree.find(tree.resolve(metadata)?, Key::String("shape")).ok_or_else(stale)?;
            tree.replace(place, Content::Sequence(Style::Flow));
            for extent in shape {
                tree.append_item(place, Content::Scalar(&extent.to_string(), Style::Plain));
            }
            self.put_map(state, (scalar, map), numbers.clone())?;
            self.store(state, numbers, changed)
        })
    }
}

fn stale() -> Error {
    Error::new(Status::Stale, "the chunked array was changed; look it up again")
}
