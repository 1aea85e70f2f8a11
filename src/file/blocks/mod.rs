//! Blocks of a file: stored blocks, and pending blocks that are not written yet.

pub(super) mod pending;
pub(super) mod plan;
pub(super) mod unnumbered;

use self::pending::{ChunkRole, PendingBlock, PendingBytes};
use self::plan::SMALL_FILE;
use self::plan::plan_options;
use self::unnumbered::{FIRST_TEMPORARY, UnnumberedBlock, UnnumberedBlocks, UnnumberedStorage};
use super::WriteOptions;
use crate::error::{Error, Result, Status, Warning};
use crate::fits::FitsFile;
use crate::layout::{BlockHeader, Layout, PlanOptions, TreeSlack};
use crate::limits::{Limit, Limits};
use crate::process::PerProcess;
use crate::reserve;
use crate::source::{ClosableSource, OwnSource, Source};
use crate::tree::NodeId;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::sync::Arc;

/// Blocks of a file: the stored blocks, and the pending blocks that replace or follow them.
#[derive(Clone)]
pub(crate) struct BlockStore {
    access: StoreAccess,
    stored: Option<Arc<Stored>>,
    /// The FITS file that holds the stored file.
    fits: Option<Arc<FitsFile>>,
    /// Earlier versions of the file, before saves. Arrays may still read from them.
    former: Vec<Arc<ClosableSource>>,
    /// Pending blocks that replace stored blocks, by block number.
    replaced: BTreeMap<u64, PendingBlock>,
    appended: Vec<PendingBlock>,
    unnumbered: UnnumberedBlocks,
    /// Pending copies of stored payloads, by address of the source and offset.
    copies: HashMap<(usize, u64), PendingCopy>,
    /// Pending blocks that a change dropped. Freeing them can run callbacks.
    dropped: Vec<PendingBlock>,
}

/// A pending block that copies a stored payload.
#[derive(Clone)]
struct PendingCopy {
    number: u64,
    /// The copied arrays, as nodes of the tree that they were copied from.
    from: HashSet<NodeId>,
}

#[derive(Clone, Copy, PartialEq)]
enum StoreAccess {
    ReadOnly,
    Changeable,
    Closed,
}

/// The stored file and its blocks.
pub(super) struct Stored {
    pub(super) source: Arc<ClosableSource>,
    pub(super) layout: Layout,
    /// Key for the decoded blocks in the cache. A save that moves blocks changes it.
    pub(super) cache_number: u32,
    /// Numbers of the blocks that were verified successfully.
    pub(super) verified: PerProcess<HashSet<u64>>,
}

impl Stored {
    fn new(source: Arc<ClosableSource>, layout: Layout, cache_number: u32) -> Arc<Stored> {
        Arc::new(Stored { source, layout, cache_number, verified: PerProcess::default() })
    }

    /// Checks all block headers and returns the offset of the first block, if there is one.
    pub(super) fn first_block(&self) -> Result<Option<u64>> {
        let blocks = &self.layout.blocks;
        blocks.check()?;
        if blocks.count()? == 0 { Ok(None) } else { blocks.get(0).map(|header| Some(header.offset)) }
    }
}

impl BlockStore {
    /// Creates a store without blocks.
    pub(super) fn new() -> BlockStore {
        BlockStore {
            access: StoreAccess::Changeable,
            stored: None,
            fits: None,
            former: Vec::new(),
            replaced: BTreeMap::new(),
            appended: Vec::new(),
            unnumbered: UnnumberedBlocks::default(),
            copies: HashMap::new(),
            dropped: Vec::new(),
        }
    }

    /// Returns a store for changes. It is copied first if others use it.
    pub(super) fn unshared(store: &mut Arc<BlockStore>) -> Result<&mut BlockStore> {
        if Arc::get_mut(store).is_none() {
            let mut appended = reserve::list_for(store.appended.len())?;
            appended.extend_from_slice(&store.appended);
            *store = Arc::new(BlockStore {
                appended,
                access: store.access,
                stored: store.stored.clone(),
                fits: store.fits.clone(),
                former: store.former.clone(),
                replaced: store.replaced.clone(),
                unnumbered: store.unnumbered.clone(),
                copies: store.copies.clone(),
                dropped: store.dropped.clone(),
            });
        }
        Ok(Arc::make_mut(store))
    }

    /// Creates the store of an opened file.
    pub(super) fn stored(
        source: Arc<ClosableSource>,
        layout: Layout,
        cache_number: u32,
        changeable: bool,
    ) -> BlockStore {
        let access = if changeable { StoreAccess::Changeable } else { StoreAccess::ReadOnly };
        BlockStore { access, stored: Some(Stored::new(source, layout, cache_number)), ..BlockStore::new() }
    }

    /// Returns the store of a file that a FITS file holds.
    pub(super) fn within(self, fits: Option<Arc<FitsFile>>) -> BlockStore {
        BlockStore { fits, ..self }
    }

    /// Returns the FITS file that holds the stored file.
    pub(super) fn fits(&self) -> Option<&Arc<FitsFile>> {
        self.fits.as_ref()
    }

    /// Returns the byte of the file on disk at which the stored file begins. It is 0 unless a FITS file holds it.
    pub(super) fn start(&self) -> u64 {
        self.fits.as_ref().map_or(0, |fits| fits.asdf().start)
    }

    /// Creates the store of a closed file.
    pub(super) fn closed() -> BlockStore {
        BlockStore { access: StoreAccess::Closed, ..BlockStore::new() }
    }

    /// Returns the store of the saved file, in which the pending blocks are now stored. With `cache_number`, blocks were
    /// moved.
    pub(super) fn saved(&self, source: Arc<ClosableSource>, layout: Layout, cache_number: Option<u32>) -> BlockStore {
        let mut former = self.former.clone();
        let known = self.stored.as_ref().map_or(0, |stored| stored.cache_number);
        former.extend(self.stored.as_ref().map(|stored| stored.source.clone()));
        former.extend(self.fits.as_ref().map(|fits| fits.source().clone()));
        // Besides the two lists, something reads from it.
        former.retain(|source| Arc::strong_count(source) > 2);
        let stored = Some(Stored::new(source, layout, cache_number.unwrap_or(known)));
        BlockStore { access: self.access, stored, former, ..BlockStore::new() }
    }

    /// Returns the layout options for a file with these blocks.
    pub(super) fn plan_options(&self, options: &WriteOptions) -> PlanOptions {
        let mut plan = plan_options(options);
        let stored = self.stored.as_ref().map_or(0, |stored| stored.source.len());
        let size = self.appended.iter().fold(stored, |sum, block| sum.saturating_add(block.size()));
        if plan.tree_slack == TreeSlack::Default && size > SMALL_FILE {
            plan.tree_slack = TreeSlack::Growing;
        }
        plan
    }

    pub(super) fn is_changeable(&self) -> bool {
        self.access == StoreAccess::Changeable
    }

    /// Returns the stored file; `None` for a new file.
    pub(super) fn of_file(&self) -> Option<&Arc<Stored>> {
        self.stored.as_ref()
    }

    /// Returns the length of the file on disk, which can be a FITS file; `None` for a new file.
    pub(super) fn file_length(&self) -> Option<u64> {
        match &self.fits {
            Some(fits) => Some(fits.source().len()),
            None => self.stored.as_ref().map(|stored| stored.source.len()),
        }
    }

    /// Fails with [`Status::FileChanged`](crate::Status::FileChanged) if the stored file is known to have changed since
    /// it was opened.
    pub(super) fn check_unchanged(&self) -> Result<()> {
        self.stored.as_ref().map_or(Ok(()), |stored| (stored.source.as_ref() as &dyn Source).check_unchanged())
    }

    /// Returns true if the stored blocks are read from this source.
    pub(super) fn reads_from(&self, source: &Arc<dyn Source>) -> bool {
        self.stored.as_ref().is_some_and(|stored| std::ptr::addr_eq(Arc::as_ptr(&stored.source), Arc::as_ptr(source)))
    }

    /// Accepts the current state of the stored file, after a change that moved no block.
    pub(super) fn read_again(&mut self, layout: Layout) {
        if let Some(stored) = &mut self.stored {
            *stored = Stored::new(stored.source.clone(), layout, stored.cache_number);
        }
    }

    /// Continues with the stored file after its last block has become longer.
    pub(super) fn follow(&mut self, source: Arc<ClosableSource>, layout: Layout) {
        if let Some(stored) = &mut self.stored {
            self.former.push(stored.source.clone());
            // Besides the two lists, something reads from it.
            self.former.retain(|source| Arc::strong_count(source) > 2);
            *stored = Stored::new(source, layout, stored.cache_number);
        }
    }

    /// Returns the pending blocks that follow the stored blocks.
    pub(super) fn appended(&self) -> &[PendingBlock] {
        &self.appended
    }

    /// Returns the pending blocks that replace stored blocks, by block number.
    pub(super) fn replaced(&self) -> &BTreeMap<u64, PendingBlock> {
        &self.replaced
    }

    /// Returns the number of stored blocks and the number of all blocks. Fails if the file cannot be changed.
    pub(super) fn counts(&self) -> Result<(u64, u64)> {
        if self.access != StoreAccess::Changeable {
            return Err(Error::new(Status::ReadOnly, "the file was opened for reading"));
        }
        Ok((self.stored_count()?, self.count()?))
    }

    /// Fails with [`Status::Limit`] if the file cannot get `more` blocks.
    pub(super) fn check_more(&self, more: u64, limits: &Limits) -> Result<()> {
        let streamed = u64::from(self.unnumbered().streamed().is_some());
        if self.counts()?.1.saturating_add(streamed).saturating_add(more) > limits.blocks {
            return Err(Limit::Blocks.exceeded("blocks", limits.blocks));
        }
        Ok(())
    }

    /// Replaces the block with this number, or appends the block if the number is not in use.
    pub(super) fn put(&mut self, number: u64, block: PendingBlock) -> Result<()> {
        match number.checked_sub(self.stored_count()?) {
            None => self.dropped.extend(self.replaced.insert(number, block)),
            Some(position) => match usize::try_from(position).ok().and_then(|position| self.appended.get_mut(position))
            {
                Some(made) => self.dropped.push(std::mem::replace(made, block)),
                None => reserve::push(&mut self.appended, block)?,
            },
        }
        Ok(())
    }

    /// Drops pending blocks whose arrays were replaced or removed. Stored blocks stay, even if their replacement is
    /// dropped, because their numbers are their positions in the file. Returns true if blocks behind them get other
    /// numbers.
    ///
    /// `is_node` tells whether the owner of a block still exists, `is_named` whether a node may name a stored block.
    pub(super) fn drop_unused(
        &mut self,
        is_node: impl Fn(NodeId) -> bool,
        is_named: impl Fn(u64) -> bool,
    ) -> Result<bool> {
        let count = self.appended.len();
        self.unnumbered.drop_unused(&is_node, &mut self.dropped);
        for block in self.replaced.values_mut().chain(self.appended.iter_mut()) {
            block.owners.retain(|&owner| is_node(owner));
        }
        let is_chunk = |block: &PendingBlock| matches!(block.chunked, Some(ChunkRole::Chunk(map)) if is_node(map));
        let is_unused = |block: &PendingBlock| block.owners.is_empty() && !is_chunk(block);
        let unused = self.replaced.iter().filter(|&(&number, block)| is_unused(block) && !is_named(number));
        let unused = reserve::collected(unused.map(|(&number, _)| Ok(number)))?;
        reserve::room_for(&mut self.dropped, unused.len())?;
        self.dropped.extend(unused.iter().filter_map(|number| self.replaced.remove(number)));
        self.drop_appended()?;
        Ok(self.appended.len() < count)
    }

    /// Drops appended blocks that neither an array nor a map of chunks names, and renumbers chunks in the maps.
    fn drop_appended(&mut self) -> Result<()> {
        let first = self.stored_count().unwrap_or(0);
        let maps = self.replaced.values().chain(&self.appended).filter(|block| !block.owners.is_empty());
        let mut chunks = HashSet::new();
        for numbers in maps.filter_map(PendingBlock::map) {
            reserve::room_in_set(&mut chunks, numbers.len())?;
            chunks.extend(numbers.iter().copied());
        }
        let number_of = |position: usize| i32::try_from(first + position as u64).unwrap_or(i32::MAX);
        let mut next = first;
        let mut numbers = reserve::list_for(self.appended.len())?;
        for (position, block) in self.appended.iter().enumerate() {
            let stays = !block.owners.is_empty() || block.chunked.is_some() && chunks.contains(&number_of(position));
            numbers.push(stays.then_some(next));
            next += u64::from(stays);
        }
        let gone = numbers.iter().filter(|number| number.is_none()).count();
        if gone == 0 {
            return Ok(());
        }
        reserve::room_for(&mut self.dropped, gone)?;
        let mut kept = numbers.iter();
        self.dropped.extend(self.appended.extract_if(.., |_| kept.next().is_some_and(Option::is_none)));
        let renumbered = |number: i32| match usize::try_from(i64::from(number) - first as i64) {
            Ok(position) => {
                let new = numbers.get(position).copied().flatten();
                new.and_then(|new| i32::try_from(new).ok()).unwrap_or(-1)
            }
            Err(_) => number,
        };
        for block in self.replaced.values_mut().chain(&mut self.appended) {
            if block.map().is_some_and(|numbers| numbers.iter().any(|&number| renumbered(number) != number)) {
                block.change_map(|numbers| numbers.iter_mut().for_each(|number| *number = renumbered(*number)));
            }
        }
        Ok(())
    }

    /// Returns the blocks that changes dropped since the last call.
    pub(super) fn take_dropped(store: &mut Arc<BlockStore>) -> Vec<PendingBlock> {
        if store.dropped.is_empty() { Vec::new() } else { std::mem::take(&mut Arc::make_mut(store).dropped) }
    }

    /// Returns the number of a pending block with the same bytes, which a copy with arrays `from` can share. There is
    /// none if one of these arrays was copied before: an array that is copied twice gets two blocks, so that each can
    /// be changed.
    pub(super) fn number_to_share(&mut self, block: &PendingBlock, from: &[NodeId]) -> Option<u64> {
        let copies = self.copies.get(&block.copied_from()?)?;
        let number = copies.number;
        let is_other = from.iter().all(|array| !copies.from.contains(array));
        let waiting = self.pending_block_mut(number).filter(|_| is_other)?;
        waiting.is_same_copy(block).then_some(number)
    }

    /// Puts a copied block, as [`BlockStore::put`] does. If the pending block of this number is the same copy, adds the
    /// owners to it. `from` are the copied arrays.
    pub(super) fn put_copy(&mut self, number: u64, block: PendingBlock, from: Vec<NodeId>) -> Result<()> {
        if let Some(place) = block.copied_from() {
            let copies = self.copies.entry(place).or_insert_with(|| PendingCopy { number, from: HashSet::new() });
            if copies.number != number {
                *copies = PendingCopy { number, from: HashSet::new() };
            }
            copies.from.extend(from);
        }
        match self.pending_block_mut(number).filter(|waiting| waiting.is_same_copy(&block)) {
            Some(waiting) => {
                waiting.owners.extend(block.owners);
                Ok(())
            }
            None => self.put(number, block),
        }
    }

    /// Returns the numbers of a pending map of a chunked array.
    pub(super) fn pending_map(&self, number: u64) -> Option<Arc<Vec<i32>>> {
        let appended = || self.appended.get(usize::try_from(number.checked_sub(self.stored_count().ok()?)?).ok()?);
        self.replaced.get(&number).or_else(appended)?.map().cloned()
    }

    /// Returns the pending block with this number for changes.
    pub(super) fn pending_block_mut(&mut self, number: u64) -> Option<&mut PendingBlock> {
        if number >= FIRST_TEMPORARY {
            return self.unnumbered.get_mut(number).map(|unnumbered| &mut unnumbered.block);
        }
        if self.replaced.contains_key(&number) {
            return self.replaced.get_mut(&number);
        }
        let position = number.checked_sub(self.stored_count().ok()?)?;
        self.appended.get_mut(usize::try_from(position).ok()?)
    }

    /// Returns the number of a pending block with the same destination that copies the same bytes of the same file.
    pub(super) fn number_of_same(&self, block: &PendingBlock, storage: Option<&UnnumberedStorage>) -> Option<u64> {
        match storage {
            Some(storage) => {
                let same = |(_, unnumbered): &(u64, &UnnumberedBlock)| {
                    unnumbered.storage == *storage && unnumbered.block.is_same_copy(block)
                };
                self.unnumbered.iter().find(same).map(|(number, _)| number)
            }
            None => {
                let position = self.appended.iter().position(|made| made.is_same_copy(block))?;
                Some(self.stored_count().ok()? + position as u64)
            }
        }
    }

    /// Returns the pending blocks without a number.
    pub(super) fn unnumbered(&self) -> &UnnumberedBlocks {
        &self.unnumbered
    }

    /// Returns the pending blocks without a number for changes.
    pub(super) fn unnumbered_mut(&mut self) -> &mut UnnumberedBlocks {
        &mut self.unnumbered
    }

    /// Closes the stored file and its earlier versions.
    pub(super) fn close(&self) {
        let stored = self.stored.iter().map(|stored| &stored.source);
        let of_fits = self.fits.iter().map(|fits| fits.source());
        self.former.iter().chain(stored).chain(of_fits).for_each(|source| source.close());
    }

    pub(super) fn layout_warnings(&self) -> Vec<Warning> {
        self.stored.as_ref().map(|stored| stored.layout.warnings()).unwrap_or_default()
    }

    /// Returns the file on disk that was opened.
    pub(super) fn opened_file(&self) -> Option<Arc<File>> {
        self.stored.as_ref().and_then(|stored| stored.source.opened_file())
    }

    /// Adds the file on disk that was opened, and those from which pending blocks are copied.
    pub(super) fn add_opened_files(&self, files: &mut Vec<Arc<File>>) {
        let pending = self
            .appended
            .iter()
            .chain(self.replaced.values())
            .chain(self.unnumbered.iter().map(|(_, unnumbered)| &unnumbered.block));
        let sources = pending.map(|block| match &block.bytes {
            PendingBytes::Raw(source, _) | PendingBytes::Copied { source, .. } => source.opened_file(),
        });
        for file in std::iter::once(self.opened_file()).chain(sources).flatten() {
            if !files.iter().any(|known| Arc::ptr_eq(known, &file)) {
                files.push(file);
            }
        }
    }

    /// Returns the number of warnings of the layout that were found but not kept.
    pub(super) fn dropped_layout_warnings(&self) -> u64 {
        self.stored.as_ref().map_or(0, |stored| stored.layout.dropped_warning_count())
    }

    fn stored_count(&self) -> Result<u64> {
        self.stored.as_ref().map_or(Ok(0), |stored| stored.layout.blocks.count())
    }

    pub(super) fn count(&self) -> Result<u64> {
        Ok(self.stored_count()? + self.appended.len() as u64)
    }

    /// Returns the block of this index. A stored block comes with the source of its payload.
    pub(super) fn find(&self, index: i64) -> Result<Found> {
        if self.access == StoreAccess::Closed {
            return Err(Error::new(Status::Closed, "the file was closed"));
        }
        if let Some(unnumbered) = self.unnumbered.get(index) {
            return Ok(Found::Pending(unnumbered.block.clone()));
        }
        if let (Some(stored), true) = (&self.stored, self.appended.is_empty()) {
            let blocks = &stored.layout.blocks;
            // An index from the start needs no block count, which can require reading all headers.
            let (number, header) = match u64::try_from(index) {
                Ok(number) => (number, blocks.get(number)?),
                Err(_) => {
                    let header = blocks.get_from_end(index.unsigned_abs())?;
                    (blocks.count()? - index.unsigned_abs(), header)
                }
            };
            return Ok(match self.replaced.get(&number) {
                Some(block) => Found::Pending(block.clone()),
                None => Found::Stored { number, header, stored: stored.clone() },
            });
        }
        let (stored_count, count) = (self.stored_count()?, self.count()?);
        let number = number_of(index, count);
        let missing = || {
            let message = format!("there is no block {index}: the file has {count} blocks");
            Error::new(Status::BlockNotFound, message)
        };
        let number = number.filter(|&number| number < count).ok_or_else(missing)?;
        if let Some(block) = self.replaced.get(&number) {
            return Ok(Found::Pending(block.clone()));
        }
        match (&self.stored, number.checked_sub(stored_count)) {
            (Some(stored), None) => {
                Ok(Found::Stored { number, header: stored.layout.blocks.get(number)?, stored: stored.clone() })
            }
            (_, made) => {
                let block = made.and_then(|position| self.appended.get(usize::try_from(position).ok()?));
                block.map(|block| Found::Pending(block.clone())).ok_or_else(missing)
            }
        }
    }
}

/// A block, stored or pending.
pub(super) enum Found {
    Stored { number: u64, header: BlockHeader, stored: Arc<Stored> },
    Pending(PendingBlock),
}

/// Converts a block index into a number, for `count` blocks. A negative index counts from the end.
pub(crate) fn number_of(index: i64, count: u64) -> Option<u64> {
    u64::try_from(index).ok().or_else(|| count.checked_sub(index.unsigned_abs()))
}
