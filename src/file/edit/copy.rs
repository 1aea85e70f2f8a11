//! Copies of a part of a tree into a file, with the blocks of its arrays.

use super::chunked::numbers_from;
use super::copied_tags::CopiedTags;
use super::hdu_arrays::to_block;
use super::schema_keys::SchemaKeys;
use crate::error::{Error, Result, Status};
use crate::file::blocks::pending::{ChunkRole, PendingBlock};
use crate::file::open::by_file::ByFile;
use crate::file::open::held_blocks::check_held_blocks;
use crate::file::open::named_blocks::{block_source, chunk_map, count_from_start, uri_source};
use crate::file::open::state::{FileState, Uses};
use crate::file::{ArrayOptions, File, Node};
use crate::fits::is_hdu_source;
use crate::limits::Limits;
use crate::reserve;
use crate::tags::{NDARRAY, StandardVersion};
use crate::tree::edit::Content;
use crate::tree::{Key, Kind, NodeId, Style, Tree};
use crate::yaml;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// A copy that is not yet part of a file.
struct Copied {
    /// Separate tree with the copy at the path `copy`.
    part: Tree,
    arrays: Vec<NodeId>,
    /// Copied blocks. If the whole copy is one array, its block comes first.
    blocks: Vec<CopiedBlock>,
    is_array: bool,
    /// Copied chunked arrays.
    chunked: Vec<CopiedChunks>,
}

/// The blocks of a chunked array, and the scalars in the copy with the number of its map.
struct CopiedChunks {
    owners: Vec<NodeId>,
    /// Position in `blocks` of each chunk that is stored.
    chunks: Vec<Option<usize>>,
    blocks: Vec<PendingBlock>,
}

impl CopiedChunks {
    fn of(node: &Node) -> Result<CopiedChunks> {
        let mut copied = CopiedChunks { owners: Vec::new(), chunks: Vec::new(), blocks: Vec::new() };
        let mut known = BTreeMap::new();
        let chunks = node.chunk_blocks("")?.map_or_else(Vec::new, |blocks| blocks.chunks);
        for number in chunks {
            let Some(number) = number else {
                copied.chunks.push(None);
                continue;
            };
            let position = match known.get(&number) {
                Some(&position) => position,
                None => {
                    copied.blocks.push(node.file().copy_of_block(i64::try_from(number).unwrap_or(i64::MAX))?);
                    known.insert(number, copied.blocks.len() - 1);
                    copied.blocks.len() - 1
                }
            };
            copied.chunks.push(Some(position));
        }
        Ok(copied)
    }

    /// Puts the blocks into a file, whose tree has these owners.
    fn put(self, state: &mut FileState, owners: Vec<NodeId>, limits: &Limits) -> Result<()> {
        let Some(&scalar) = owners.first() else { return Ok(()) };
        state.store().check_more(self.blocks.len() as u64 + 1, limits)?;
        let (stored, first) = state.store().counts()?;
        let (tree, store) = state.parts_mut();
        count_from_start(tree, stored, first)?;
        let new = numbers_from(first, self.blocks.len())?;
        let numbers = self.chunks.iter().map(|chunk| chunk.and_then(|chunk| new.get(chunk).copied()).unwrap_or(-1));
        let mut map = PendingBlock::of_map(numbers.collect(), scalar);
        let number = first + self.blocks.len() as u64;
        for owner in owners {
            tree.replace(owner, Content::Scalar(&number.to_string(), Style::Plain));
            map.owners.push(owner);
        }
        map.owners.dedup();
        for (number, block) in (first..).zip(self.blocks) {
            store.put(number, PendingBlock { chunked: Some(ChunkRole::Chunk(scalar)), ..block })?;
        }
        store.put(number, map)
    }
}

/// A block and its owners in the copy.
struct CopiedBlock {
    block: PendingBlock,
    /// The copied arrays, as nodes of the tree that they were copied from.
    from: Vec<NodeId>,
}

impl Copied {
    /// Copies a node, with tags for the standard of the target file. With `bring`, blocks of arrays in other files are
    /// copied, too.
    fn of(node: &Node, target: &File, bring: bool) -> Result<Copied> {
        let node = node.resolved()?;
        let (mut part, order, fits) = {
            let from = node.file();
            let (tree, store) = from.state()?.content();
            tree.check(node.id())?;
            let mut part = Tree::new();
            let place = part.place(part.root(), "copy")?;
            let order = part.copy_from(place, &tree, node.id())?;
            yaml::copy_comments(&tree, &mut part, &order);
            // Within a file, block numbers keep their meaning.
            if !from.is_same(target) {
                let nodes = order.iter().map(|&(old, _)| old);
                check_held_blocks(&tree, &store, nodes).map_err(|error| from.name_in(error))?;
            }
            if target.standard_version() >= StandardVersion::V1_6_0 {
                order.iter().try_for_each(|&(old, _)| check_keys(&tree, old)).map_err(|error| from.name_in(error))?;
            }
            let new_nodes = || order.iter().map(|&(_, new)| new);
            let standards = [from.standard_version(), target.standard_version()];
            let keys = SchemaKeys::of(&part, new_nodes(), standards);
            if let Some(keys) = &keys {
                keys.check_above(&tree, node.id()).map_err(|error| from.name_in(error))?;
            }
            if let Some(tags) = CopiedTags::between(from, target) {
                for &(old, new) in &order {
                    tags.adapt(&mut part, new).map_err(|error| from.name_in(tree.locate(error, old)))?;
                }
            }
            if let Some(keys) = keys {
                keys.copied(&mut part, new_nodes()).map_err(|(mapping, error)| {
                    let old = order.iter().find_map(|&(old, new)| (new == mapping).then_some(old));
                    from.name_in(old.map_or(error.clone(), |old| tree.locate(error, old)))
                })?;
            }
            (part, order, store.fits().cloned())
        };
        let mut arrays = Vec::new();
        let mut blocks: BTreeMap<i64, CopiedBlock> = BTreeMap::new();
        let mut brought: ByFile<CopiedBlock> = ByFile::new();
        let add = |known: Option<&mut CopiedBlock>, owner: NodeId, from: NodeId| {
            known.map(|known| {
                known.block.owners.push(owner);
                known.from.push(from);
            })
        };
        let new = |mut block: PendingBlock, owner: NodeId, from: NodeId| {
            block.owners.push(owner);
            CopiedBlock { block, from: vec![from] }
        };
        let mut chunked: BTreeMap<i64, CopiedChunks> = BTreeMap::new();
        // Within the file, the names of HDUs keep their meaning.
        let fits = fits.filter(|_| bring || !node.file().is_same(target));
        let mut of_hdus: BTreeMap<String, CopiedBlock> = BTreeMap::new();
        for (from, array) in order {
            if let Some((owner, index)) = chunk_map(&part, array).filter(|_| !node.file().is_same(target)) {
                let known = match chunked.entry(index) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(CopiedChunks::of(&Node::new(node.file().clone(), from))?),
                };
                known.owners.push(owner);
            }
            if part.is_tagged(array, NDARRAY) {
                arrays.push(array);
            }
            if let Some((owner, index)) = block_source(&part, array) {
                if add(blocks.get_mut(&index), owner, from).is_none() {
                    blocks.insert(index, new(node.file().copy_of_block(index)?, owner, from));
                }
            } else if let Some((_, uri)) = uri_source(&part, array)
                && let Some(fits) = fits.as_ref().filter(|_| is_hdu_source(&uri))
            {
                let (owner, block) = to_block(&mut part, array, &uri, fits, node.file().limits())
                    .map_err(|error| Node::new(node.file().clone(), from).locate(error))?;
                if add(of_hdus.get_mut(&uri), owner, from).is_none() {
                    of_hdus.insert(uri, new(block, owner, from));
                }
            } else if let Some((place, uri)) = uri_source(&part, array)
                && bring
            {
                let owner = part.dealias(place);
                let holder = node.file().external(&uri)?;
                if add(brought.get_mut(&holder), owner, from).is_none() {
                    let block = new(holder.copy_of_block(0)?, owner, from);
                    brought.insert(holder, block);
                }
            }
        }
        let mut blocks: Vec<CopiedBlock> = blocks
            .into_values()
            .chain(of_hdus.into_values())
            .chain(brought.into_entries().into_iter().map(|(_, block)| block))
            .collect();
        let top = part.lookup(part.root(), "copy")?;
        let own = part.find_token(top, "source").map(|place| part.dealias(place));
        let is_own = |copied: &CopiedBlock| own.is_some_and(|own| copied.block.owners.contains(&own));
        let own = blocks.iter().position(is_own).filter(|_| arrays.first() == Some(&top));
        if let Some(position) = own {
            blocks.swap(0, position);
        }
        let chunked = chunked.into_values().collect();
        Ok(Copied { part, arrays, blocks, is_array: own.is_some(), chunked })
    }
}

/// Fails with [`Status::Tree`] if a mapping has a key that the standard does not allow since version 1.6.0.
pub(super) fn check_keys(tree: &Tree, mapping: NodeId) -> Result<()> {
    if tree.kind(mapping) != Kind::Mapping {
        return Ok(());
    }
    let other = tree.items(mapping).iter().step_by(2).find(|&&key| matches!(tree.key(key), Key::Other(_)));
    match other {
        None => Ok(()),
        Some(&key) => {
            let message = "since version 1.6.0, the standard allows only strings, integers and booleans as keys";
            Err(tree.locate(Error::new(Status::Tree, message), key))
        }
    }
}

/// Copies nodes to places in a separate tree. Nodes that share a node of one file share it in the copy, too. References
/// are copied unchanged, and no blocks are copied.
pub(crate) fn copy_to_tree(nodes: &[(&Node, NodeId)], tree: &mut Tree) -> Result<()> {
    let mut left = nodes.to_vec();
    while let Some(&(first, _)) = left.first() {
        let file = first.file();
        let (here, elsewhere) = left.into_iter().partition(|(node, _)| node.file().is_same(file));
        left = elsewhere;
        let from = file.tree()?;
        let here: Vec<(&Node, NodeId)> = here;
        for (node, _) in &here {
            from.check(node.id())?;
        }
        let places: Vec<(NodeId, NodeId)> = here.iter().map(|(node, place)| (node.id(), *place)).collect();
        tree.copy_all_from(&from, &places)?;
    }
    Ok(())
}

impl Node {
    /// Copies `node` and its descendants to `path`. Blocks of arrays are copied as stored. Arrays that share a block
    /// still share it, even if they are copied one after the other.
    ///
    /// With `options`, all copied arrays are then stored according to them, as by [`Node::set_storage`]. Blocks of
    /// arrays in other files are copied as well, if the open options of the source file allow access to these files.
    /// Without `options`, the URIs of such arrays are copied unchanged, and are then relative to the file that is
    /// written.
    ///
    /// If the files have different versions of the standard, tags of the standard and of astropy get the version for
    /// this file. Fails with [`Status::Unsupported`](crate::Status::Unsupported) if that standard has no such tag, or
    /// no form for the content (float16 before 1.6.0, for example). Nothing is copied then.
    ///
    /// Readers of standards up to 1.5.0 add missing keys that have a default in the schema of a tag; readers of 1.6.0
    /// do not. A copy into such a standard gets the missing keys whose default is empty: null, false, an empty text or
    /// mapping. Fails with [`Status::Unsupported`](crate::Status::Unsupported) if another such key is missing.
    ///
    /// Fails with [`Status::Unsupported`](crate::Status::Unsupported) if a node has data in blocks that no array names:
    /// the copy would lose the blocks. Chunked arrays of asdf-zarr are copied with their chunks.
    ///
    /// Aliases within the copy stay aliases. JSON references are copied unchanged. A reference into the source file
    /// then leads to the same path in this file. If an array cannot be stored according to `options`, the copied nodes
    /// stay.
    pub fn copy_from(&self, path: &str, node: &Node, options: Option<&ArrayOptions>) -> Result<()> {
        let copy = Copied::of(node, self.file(), options.is_some()).map_err(|error| self.located(path, error));
        let copy = copy.inspect_err(|error| self.file().note_failure(error))?;
        let arrays = self.put_copy(path, copy)?;
        if let Some(options) = options {
            for array in arrays {
                let stored = Node::new(self.file().clone(), array).set_storage("", options);
                // A copied array can refer to a file or a block that does not exist.
                stored.inspect_err(|error| self.file().note_failure(error))?;
            }
        }
        Ok(())
    }

    /// Fails for the same reasons as a copy of the node into this file without options. Copies nothing.
    pub(crate) fn check_copy(&self, node: &Node) -> Result<()> {
        Copied::of(node, self.file(), false).map(drop)
    }

    /// Puts a copy at `path` and returns its arrays.
    fn put_copy(&self, path: &str, copy: Copied) -> Result<Vec<NodeId>> {
        let Copied { part, arrays, blocks, is_array, chunked } = copy;
        let limits = self.file().limits();
        self.edit_state(path, Uses::Added, |state| {
            let top = part.lookup(part.root(), "copy")?;
            let own = if is_array { Some(self.block_number(state, path)?) } else { None };
            let place = self.place(state.tree_mut(), path)?;
            let counterparts = state.tree_mut().copy_from(place, &part, top)?;
            let counterparts = reserve::table_of(counterparts)?;
            for (position, CopiedBlock { mut block, from }) in blocks.into_iter().enumerate() {
                let (_, count) = state.store().counts()?;
                let shared = state.store_mut().number_to_share(&block, &from);
                let number = shared.or(own.filter(|_| position == 0)).unwrap_or(count);
                state.count_block(number)?;
                let (tree, store) = state.parts_mut();
                block.owners = block.owners.iter().filter_map(|owner| counterparts.get(owner).copied()).collect();
                for &owner in &block.owners {
                    tree.replace(owner, Content::Scalar(&number.to_string(), Style::Plain));
                }
                store.put_copy(number, block, from)?;
            }
            for copied in chunked {
                let owners = copied.owners.iter().filter_map(|owner| counterparts.get(owner).copied()).collect();
                copied.put(state, owners, limits)?;
            }
            // Shared blocks get more uses than were counted.
            state.forget_uses();
            Ok(arrays.iter().filter_map(|array| counterparts.get(array).copied()).collect())
        })
    }
}
