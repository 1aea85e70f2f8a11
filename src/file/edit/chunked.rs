//! New chunked arrays, and changes of the shape and compression of chunked arrays.
//!
//! Each chunk is a pending block until the file is written.

use super::decoded_chunk::DecodedChunk;
use super::like_before::{compression_like, has_checksum, to_compress};
use crate::array::{self, Array, Chunks, Datatype, Grid, InMemory, Order, Payload, packed_size};
use crate::codec::numcodecs::Pipeline;
use crate::codec::{Compression, parallel};
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
    pipeline: Pipeline,
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
            let NewChunks { grid, datatype, pipeline, blocks } = new;
            let chunks = grid.len();
            state.store().check_more(chunks.saturating_add(1), file.limits())?;
            let place = node.place(state.tree_mut(), path)?;
            let (stored, first) = state.store().counts()?;
            let (tree, store) = state.parts_mut();
            count_from_start(tree, stored, first)?;
            let map = first + blocks.len() as u64;
            let orders = (&options.stored_order, options.byteorder);
            let scalar = array::describe_chunked(tree, place, map, &grid, datatype, orders, &pipeline)?;
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
        if options.chunk_codecs.compressor.is_some() && options.compression.is_some() {
            return invalid(
                "the chunks have a compressor of zarr (ASDF_OPTION_CHUNK_CODEC) and one of their blocks \
                 (ASDF_OPTION_CODEC); set one of them",
            );
        }
        let item_size = usize::try_from(datatype.item_size()?).unwrap_or(usize::MAX);
        let dtype = array::dtype_text(datatype, options.byteorder);
        let pipeline = options.chunk_codecs.pipeline(&dtype, item_size)?;
        Ok(NewChunks { grid, datatype, pipeline, blocks: Vec::new() })
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
        let NewChunks { grid, pipeline, blocks, .. } = &mut new;
        let compression = options.compression.clone().map(|c| c.of_items(item_size as usize));
        // Threads encode several chunks, or parts of a single one.
        let within = if count == 1 { options.threads } else { 1 };
        let make = |number: usize| {
            let (origin, extents) = grid.box_of(&grid.index(number as u64));
            let chunk = memory.chunk(bytes, options.byteorder, (&origin, &extents), (&strides, size))?;
            pipeline.encode(chunk, within).map_err(|error| in_chunk(grid, number as u64, error))
        };
        let threads = if pipeline.is_empty() { 1 } else { options.threads };
        parallel::in_order(room, threads, make, |chunk| {
            let bytes = PendingBytes::Raw(Arc::new(EditableSource::new(chunk)), compression.clone());
            blocks.push(PendingBlock { slack: options.slack, checksum: options.checksum, ..PendingBlock::new(bytes) });
            Ok(())
        })?;
        Ok(new)
    }
}

/// Names the chunk in an error about its new bytes.
fn in_chunk(grid: &Grid, number: u64, error: Error) -> Error {
    if error.is_of_machine() {
        return error;
    }
    Error::because_of(&format!("chunk {:?} of the array cannot be encoded", grid.index(number)), &error)
}

/// Returns the dimensions of a chunk, slowest first.
fn order_of(rank: usize, order: &Order) -> Vec<usize> {
    if *order == Order::Fortran { (0..rank).rev().collect() } else { (0..rank).collect() }
}

/// Chunks of an array that are about to be written: their numbers and new bytes.
pub(crate) type ChangedChunks = Vec<(u64, Vec<u8>)>;

/// The same after the codecs of zarr.
pub(crate) struct EncodedChunks(ChangedChunks);

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

    /// Fails with [`Status::Unsupported`] for an array without chunks and for chunks in other files, and with
    /// [`Status::UnknownCodec`] for chunks with an unknown codec of zarr.
    pub(crate) fn of(array: &Array) -> Result<ChunkEditor> {
        let unsupported = |message: &str| Err(Error::new(Status::Unsupported, message));
        let Payload::Chunked(chunks) = array.payload() else { return unsupported("the array is not chunked") };
        if chunks.store.blocks()?.is_none() {
            return unsupported("the chunks are in other files, which are not changed");
        }
        chunks.check()?;
        let (array, node, chunks) = (array.clone(), array.node()?.clone(), chunks.clone());
        Ok(ChunkEditor { array, node, chunks, keeps_blocks: false })
    }

    /// Same as [`ChunkEditor::of`], to add elements at the end. A compressed chunk at the former end gets a new block, and
    /// the former one stays in the file.
    pub(crate) fn appending(array: &Array) -> Result<ChunkEditor> {
        Ok(ChunkEditor { keeps_blocks: true, ..ChunkEditor::of(array)? })
    }

    /// Encodes new bytes of chunks with the codecs of zarr, on up to `threads` threads.
    pub(crate) fn encoded(&self, changed: ChangedChunks, threads: usize) -> Result<EncodedChunks> {
        let pipeline = self.chunks.check()?;
        if pipeline.is_empty() {
            return Ok(EncodedChunks(changed));
        }
        let (threads, within) = if changed.len() == 1 { (1, threads) } else { (threads, 1) };
        let mut encoded = changed;
        parallel::for_each(encoded.iter_mut(), threads, |_: &mut (), (number, bytes)| {
            let made = pipeline.encode(std::mem::take(bytes), within);
            *bytes = made.map_err(|error| in_chunk(&self.chunks.grid, *number, error))?;
            Ok(())
        })?;
        Ok(EncodedChunks(encoded))
    }

    /// Puts new bytes of chunks into pending blocks. Those that have no block get one.
    pub(crate) fn put(&self, changed: EncodedChunks) -> Result<()> {
        let numbers = self.numbers()?;
        let new = self.new_chunks(&numbers, changed)?;
        self.node.edit_state("", Uses::Counted, |state| self.store(state, numbers, new))
    }

    fn new_chunks(&self, numbers: &[i32], EncodedChunks(changed): EncodedChunks) -> Result<Vec<NewChunk>> {
        let outside = || Error::new(Status::Internal, "a chunk lies outside the map");
        let mut new = Vec::with_capacity(changed.len());
        for (chunk, bytes) in changed {
            let chunk = usize::try_from(chunk).map_err(|_| outside())?;
            new.push((chunk, numbers.get(chunk).copied().ok_or_else(outside)?, bytes));
        }
        // A block of several chunks stays as it is.
        let mut known: Vec<(i32, u32)> = new.iter().map(|(_, number, _)| (*number, 0)).collect();
        known.sort_unstable();
        known.dedup();
        for number in numbers {
            if let Ok(at) = known.binary_search_by_key(number, |(known, _)| *known) {
                known[at].1 += 1;
            }
        }
        let is_shared = |number: i32| {
            let at = known.binary_search_by_key(&number, |(known, _)| *known);
            at.is_ok_and(|at| known[at].1 > 1)
        };
        let stored = self.node.file().state()?.store().counts()?.0;
        let any = numbers.iter().copied().find(|&number| number >= 0);
        let new = new.into_iter().map(|(chunk, number, bytes)| {
            // A new chunk is stored as the others.
            let like = if number >= 0 { Some(number) } else { any };
            let number = u64::try_from(number).ok().filter(|_| !is_shared(number));
            let (block, is_compressed) = self.block_like(like, bytes)?;
            let stays = self.keeps_blocks && is_compressed;
            Ok(NewChunk { chunk, number: number.filter(|&number| !stays || number >= stored), block })
        });
        new.collect()
    }

    /// Returns a block with new bytes that is stored as another one, and whether it is compressed.
    fn block_like(&self, like: Option<i32>, bytes: Vec<u8>) -> Result<(PendingBlock, bool)> {
        let mut block = PendingBlock::new(PendingBytes::Raw(Arc::new(EditableSource::new(bytes)), None));
        let mut is_compressed = self.chunks.check()?.is_compressed();
        if let Some(like) = like {
            let like = self.node.file().own_block(like.into())?;
            let item_size = self.chunks.item_size as usize;
            (block.slack, block.checksum) = (like.slack, has_checksum(&like));
            if let PendingBytes::Raw(_, compression) = &mut block.bytes {
                *compression = compression_like(&like, item_size)?;
                is_compressed |= compression.is_some();
            }
        }
        Ok((block, is_compressed))
    }

    /// Puts new chunks. `numbers` are those of a map that is not pending.
    fn store(&self, state: &mut FileState, numbers: Arc<Vec<i32>>, new: Vec<NewChunk>) -> Result<()> {
        let (scalar, map) = self.map(state)?;
        let added = new.iter().filter(|chunk| chunk.number.is_none()).count() as u64;
        state.store().check_more(added, self.node.file().limits())?;
        let (stored, count) = state.store().counts()?;
        // The map holds every number.
        numbers_from(count, usize::try_from(added).map_err(|_| stale())?)?;
        let is_pending = state.store().pending_map(map).is_some();
        // A pending map is changed without a copy, unless its numbers are in use here.
        let known = if is_pending { None } else { Some(numbers) };
        let (tree, store) = state.parts_mut();
        if added > 0 {
            count_from_start(tree, stored, count)?;
        }
        let (mut next, mut entries) = (count, Vec::new());
        for NewChunk { chunk, number, mut block } in new {
            block.chunked = Some(ChunkRole::Chunk(scalar));
            if number.is_none() {
                entries.push((chunk, next as i32));
                next += 1;
            }
            store.put(number.unwrap_or(next - 1), block)?;
        }
        if entries.is_empty() {
            return Ok(());
        }
        let change = |numbers: &mut Vec<i32>| {
            for (chunk, new) in &entries {
                numbers.get_mut(*chunk).into_iter().for_each(|number| *number = *new);
            }
        };
        if let Some(numbers) = known {
            let mut numbers = Arc::unwrap_or_clone(numbers);
            change(&mut numbers);
            return store.put(map, PendingBlock::of_map(numbers, scalar));
        }
        if let Some(block) = store.pending_block_mut(map) {
            block.change_map(change);
        }
        Ok(())
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
        count_from_start(tree, stored, count)?;
        tree.replace(scalar, Content::Scalar(&count.to_string(), Style::Plain));
        store.put(count, PendingBlock { slack: size.max(LEAST_ROOM), ..block })
    }

    fn numbers(&self) -> Result<Arc<Vec<i32>>> {
        self.chunks.store.blocks()?.ok_or_else(stale)
    }

    /// Returns the scalar with the number of the map, and the number.
    fn map(&self, state: &FileState) -> Result<(NodeId, u64)> {
        let (_, count) = state.store().counts()?;
        let found = chunk_map(state.tree(), self.node.id());
        found.and_then(|(scalar, index)| Some((scalar, number_of(index, count)?))).ok_or_else(stale)
    }

    /// Stores all chunks with another compression of their blocks, and without codecs of zarr.
    pub(super) fn recompress(&self, compression: Option<Compression>) -> Result<()> {
        let (file, numbers, pipeline) = (self.node.file(), self.numbers()?, self.chunks.check()?);
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
            let mut decoded = former.decoded(file.limits())?;
            if !pipeline.is_empty() {
                decoded = Arc::new(DecodedChunk::new(decoded, pipeline, self.chunks.size));
            }
            let bytes = to_compress(decoded, compression);
            let block =
                PendingBlock { slack: former.slack, checksum: has_checksum(&former), ..PendingBlock::new(bytes) };
            changed.push((number as u64, block));
        }
        self.node.try_edit("", Uses::Counted, |state| {
            let (scalar, _) = self.map(state)?;
            if !pipeline.is_empty() {
                let tree = state.tree_mut();
                let metadata = tree.find(self.node.id(), Key::String(".zarray")).ok_or_else(stale)?;
                array::redescribe_codecs(tree, tree.resolve(metadata)?, &Pipeline::default())?;
            }
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
        let mut enlarged = Vec::new();
        for number in 0..grid.len() {
            let index = grid.index(number);
            let former = chunks.grid.number_within(&index);
            let block = former.and_then(|former| old.get(usize::try_from(former).ok()?).copied()).unwrap_or(-1);
            if let Some(former) = former.filter(|_| block >= 0)
                && let (before, after) = (chunks.grid.box_of(&index).1, grid.box_of(&index).1)
                && before.iter().zip(&after).any(|(before, after)| before < after)
            {
                let bytes = self.array.chunk_with_fill(chunks, former, &before)?;
                enlarged.push((numbers.len(), (former, bytes)));
            }
            numbers.push(block);
        }
        let (places, enlarged): (Vec<usize>, ChangedChunks) = enlarged.into_iter().unzip();
        let mut changed = self.new_chunks(&old, self.encoded(enlarged, 1)?)?;
        changed.iter_mut().zip(places).for_each(|(new, place)| new.chunk = place);
        self.node.edit_state("", Uses::Counted, |state| {
            let (scalar, map) = self.map(state)?;
            let tree = state.tree_mut();
            let metadata = tree.find(self.node.id(), Key::String(".zarray")).ok_or_else(stale)?;
            let place = tree.find(tree.resolve(metadata)?, Key::String("shape")).ok_or_else(stale)?;
            tree.replace(place, Content::Sequence(Style::Flow));
            for extent in shape {
                tree.append_item(place, Content::Scalar(&extent.to_string(), Style::Plain));
            }
            self.put_map(state, (scalar, map), numbers)?;
            self.store(state, Arc::default(), changed)
        })
    }
}

fn stale() -> Error {
    Error::new(Status::Stale, "the chunked array was changed; look it up again")
}
