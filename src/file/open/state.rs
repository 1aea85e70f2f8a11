//! The state of an open file: everything that can change, behind one lock. The order of locks is in
//! [`open`](super).

use super::block_uses::BlockUses;
use super::failures::Failures;
use super::named_blocks::{block_source, count_from_start};
use crate::error::{Error, Result, Status};
use crate::file::WriteOptions;
use crate::file::blocks::pending::PendingBlock;
use crate::file::blocks::{BlockStore, number_of};
use crate::file::disk::update_state::UpdateState;
use crate::limits::Limits;
use crate::progress::{self, Suspended};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Style, Tree};
use std::cell::OnceCell;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, RwLockWriteGuard};

/// Everything of a file that can change.
///
/// Tree and blocks are shared. A call that works on them without the lock holds them, and a change then copies them
/// first.
pub(crate) struct FileState {
    tree: Arc<Tree>,
    store: Arc<BlockStore>,
    /// Result of the last count of block uses; `None` after an edit that may add uses.
    uses: Option<BlockUses>,
    /// Comment lines before the tree.
    pub(crate) comments: Vec<String>,
    /// The file on disk, if it was opened for update.
    pub(crate) update: UpdateState,
    /// Failed changes that are missing in the file.
    pub(crate) failures: Failures,
    /// Set by changes that are not saved yet.
    pub(crate) is_changed: bool,
    /// True while a call changes the file in several steps. The file on disk and the state may then not fit each other,
    /// so no other change begins, and a child that is forked then cannot read the file.
    pub(super) is_changing: bool,
}

/// The effect of a change on the uses of blocks.
#[derive(Clone, Copy)]
pub(crate) enum Uses {
    /// It can add uses.
    Added,
    /// It adds none, or counts the uses that it adds.
    Counted,
}

impl FileState {
    /// Creates the state of a file with this content.
    pub(super) fn new(tree: Tree, store: BlockStore, comments: Vec<String>) -> FileState {
        FileState {
            tree: Arc::new(tree),
            store: Arc::new(store),
            uses: None,
            comments,
            update: UpdateState::default(),
            failures: Failures::default(),
            is_changed: false,
            is_changing: false,
        }
    }

    /// Creates the state of a closed file.
    pub(super) fn closed(comments: Vec<String>) -> FileState {
        FileState::new(Tree::new(), BlockStore::closed(), comments)
    }

    /// Returns the tree.
    pub(crate) fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Returns the blocks.
    pub(crate) fn store(&self) -> &Arc<BlockStore> {
        &self.store
    }

    /// Returns tree and blocks, to work on them without the lock.
    pub(crate) fn content(&self) -> (Arc<Tree>, Arc<BlockStore>) {
        (self.tree.clone(), self.store.clone())
    }

    /// Prepares an edit of the tree: makes a copy if a running call uses it, and room for a few nodes.
    pub(crate) fn prepare_edit(&mut self) -> Result<()> {
        if Arc::get_mut(&mut self.tree).is_none() {
            self.tree = Arc::new(self.tree.duplicate()?);
        }
        self.tree_mut().make_room_for_edit()
    }

    /// Returns the tree for changes.
    pub(crate) fn tree_mut(&mut self) -> &mut Tree {
        Arc::make_mut(&mut self.tree)
    }

    /// Returns the blocks for changes.
    pub(crate) fn store_mut(&mut self) -> &mut BlockStore {
        Arc::make_mut(&mut self.store)
    }

    /// Returns tree and blocks for changes.
    pub(crate) fn parts_mut(&mut self) -> (&mut Tree, &mut BlockStore) {
        (Arc::make_mut(&mut self.tree), Arc::make_mut(&mut self.store))
    }

    /// Notes what a change does to the uses of blocks.
    pub(crate) fn begin_change_of(&mut self, change: Uses) {
        match (change, &mut self.uses) {
            (Uses::Added, _) => self.uses = None,
            // It can remove uses.
            (Uses::Counted, Some(uses)) => uses.may_lose(),
            (Uses::Counted, None) => {}
        }
    }

    /// Notes that the uses of blocks must be counted again.
    pub(crate) fn forget_uses(&mut self) {
        self.uses = None;
    }

    /// Fails if the file cannot be changed, or if another call is changing it.
    pub(super) fn check_changeable(&self) -> Result<()> {
        if !self.store.is_changeable() {
            let message = "the file was opened for reading; open it for update, or copy its nodes to a new file";
            return Err(Error::new(Status::ReadOnly, message));
        }
        if self.is_changing {
            let message = "another call is changing the file, and no other change can begin before it ends";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(())
    }

    /// Fails if changes are missing in the file, or if the options are invalid.
    pub(crate) fn check_complete(&self, options: &WriteOptions) -> Result<()> {
        if let Some(failure) = self.failures.first() {
            return Err(Error::incomplete(failure));
        }
        self.update.check_overwritten()?;
        if !options.alignment.is_power_of_two() || options.alignment > 4096 {
            let message = "the alignment of payloads must be a power of two, at most 4096";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(())
    }

    /// Returns the block number for new bytes of the array at a node. This is the number of its block if no other node
    /// names it, otherwise the next number.
    pub(crate) fn block_number_of(&mut self, node: NodeId, limits: &Limits) -> Result<u64> {
        self.own_block(node)?.map_or_else(|| self.next_block_number(limits), Ok)
    }

    /// Returns the number of the block of the array at a node; `None` without one, and if another node names it as well.
    pub(crate) fn own_block(&mut self, node: NodeId) -> Result<Option<u64>> {
        let (stored, count) = self.store.counts()?;
        let Some(number) = self.named_block(node, count).filter(|&number| number < count) else { return Ok(None) };
        let single = match self.uses.as_ref().and_then(|uses| uses.is_single(number)) {
            None => self.uses.insert(BlockUses::of(&self.tree, stored, count)?).is_single(number),
            known => known,
        };
        Ok((single == Some(true)).then_some(number))
    }

    /// Returns the number that the array at a node names, of `count` blocks.
    fn named_block(&self, node: NodeId, count: u64) -> Option<u64> {
        block_source(&self.tree, node).and_then(|(_, index)| number_of(index, count))
    }

    /// Returns the stored block of the mask of the array at `place`, which no other node names.
    pub(crate) fn mask_block(&mut self, place: NodeId) -> Result<Option<u64>> {
        let mask = match self.tree.kind(place) {
            Kind::Mapping => self.tree.find_token(place, "mask"),
            _ => None,
        };
        let own = mask.map_or(Ok(None), |mask| self.own_block(mask))?;
        let (stored, count) = self.store.counts()?;
        let array = self.named_block(place, count);
        let earlier = array.and_then(|array| self.store.replaced().get(&array)?.former_mask);
        Ok(own.or(earlier).filter(|&number| number < stored))
    }

    /// Records that the mask in the block `number` is gone, and that the next mask of the array in the block `array` can
    /// have its number.
    pub(crate) fn leave_mask_block(&mut self, number: u64, array: u64) {
        if let Some(uses) = &mut self.uses {
            uses.remove(number);
        }
        if let Some(block) = self.store_mut().pending_block_mut(array) {
            block.former_mask = Some(number);
        }
    }

    /// Returns the number of the block of the mask that the array at `place` had before it was replaced, if no node
    /// names it now.
    pub(crate) fn take_mask_block(&mut self, place: NodeId) -> Result<Option<u64>> {
        let (stored, count) = self.store.counts()?;
        let array = self.named_block(place, count);
        let waiting = array.and_then(|array| self.store_mut().pending_block_mut(array)?.former_mask.take());
        let Some(number) = waiting else { return Ok(None) };
        let uses = match &mut self.uses {
            Some(uses) => uses,
            none => none.insert(BlockUses::of(&self.tree, stored, count)?),
        };
        if uses.is_named(number) {
            return Ok(None);
        }
        uses.add(number);
        Ok(Some(number))
    }

    /// Returns the number of the next block.
    pub(crate) fn next_block_number(&self, limits: &Limits) -> Result<u64> {
        self.store.check_more(1, limits)?;
        self.store.counts().map(|(_, count)| count)
    }

    /// Prepares the tree for one more array with this block number, which is that of a replaced block or the next one.
    pub(crate) fn count_block(&mut self, number: u64) -> Result<()> {
        let (stored, count) = self.store.counts()?;
        if number == count {
            count_from_start(self.tree_mut(), stored, count)?;
            if let Some(uses) = &mut self.uses {
                uses.add(number);
            }
        }
        Ok(())
    }

    /// Drops pending blocks whose arrays were replaced or removed, and renumbers the others.
    pub(crate) fn drop_unused_blocks(&mut self) -> Result<()> {
        let (first, count) = self.store.counts()?;
        let (tree, uses) = (&*self.tree, OnceCell::new());
        let counted = || BlockUses::of(tree, first, count).ok();
        // Without a count the block stays.
        let is_named = |number| uses.get_or_init(counted).as_ref().is_none_or(|uses| uses.is_named(number));
        let moved = BlockStore::unshared(&mut self.store)?.drop_unused(|owner| tree.check(owner).is_ok(), is_named)?;
        self.uses = None;
        if moved {
            let tree = Arc::make_mut(&mut self.tree);
            for (number, block) in (first..).zip(self.store.appended()) {
                for &owner in &block.owners {
                    tree.replace(owner, Content::Scalar(&number.to_string(), Style::Plain));
                }
            }
        }
        Ok(())
    }

    /// Switches to the saved file with this tree and these blocks, and returns the old blocks.
    pub(crate) fn saved(&mut self, tree: Arc<Tree>, store: BlockStore) -> Arc<BlockStore> {
        self.tree = tree;
        self.uses = None;
        self.is_changed = false;
        std::mem::replace(&mut self.store, Arc::new(store))
    }
}

/// The locked state, for a change. Reports of progress wait until it is unlocked, and blocks that the change drops are
/// freed only then, because both can run callbacks.
pub(crate) struct Locked<'a> {
    // The order of the fields is that in which they are dropped.
    state: RwLockWriteGuard<'a, FileState>,
    dropped: Vec<PendingBlock>,
    _suspended: Suspended,
}

impl<'a> Locked<'a> {
    pub(super) fn new(state: RwLockWriteGuard<'a, FileState>) -> Locked<'a> {
        Locked { state, dropped: Vec::new(), _suspended: progress::suspend() }
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.dropped = BlockStore::take_dropped(&mut self.state.store);
    }
}

impl Deref for Locked<'_> {
    type Target = FileState;

    fn deref(&self) -> &FileState {
        &self.state
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut FileState {
        &mut self.state
    }
}
