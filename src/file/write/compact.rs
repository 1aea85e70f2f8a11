//! Compacting a file without encoding anything again: unused blocks and gaps between blocks are removed.
//!
//! No other operation changes block numbers. The maps of chunked arrays get the new numbers of the chunks. An integer
//! outside an array may be a block number, too. The block that an integer under `source` names keeps its number. If a key
//! that contains "block" has an integer, all blocks stay.

use super::block::{write_block, write_streamed};
use super::block_names::{BlockNames, ChunkMapUse};
use super::output::{Output, Target};
use super::prepared::Prepared;
use crate::error::Result;
use crate::file::blocks::number_of;
use crate::file::blocks::pending::{PendingBlock, PendingBytes, map_bytes};
use crate::file::blocks::plan::plan_options;
use crate::file::edit::like_before::{compression_like, has_checksum};
use crate::file::open::writer_name;
use crate::file::{File, WriteOptions};
use crate::layout::{self, BlockRequest, Planner};
use crate::reserve;
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
use std::collections::BTreeMap;
use std::sync::Arc;

impl File {
    /// Saves a file that was opened for update, with its changes, in minimal size. Unused blocks and gaps between
    /// blocks are removed. The free space after the tree and in blocks is reduced to that of the options. Blocks are
    /// copied as stored.
    ///
    /// Block numbers change, and are adapted in the tree; `asdf_library` names this library. Other parts of the text
    /// stay. Other files that refer to blocks of this file by number are not adapted; a reference by URI means the
    /// first block. Chunks that a chunked array no longer has are unused, too. If a mapping that is not an array has an
    /// integer under `source`, the block with that number keeps it, and unused blocks before it are replaced by empty
    /// blocks. If a key that contains "block" has an integer, all blocks stay.
    ///
    /// A file without changes and without unused blocks stays as it is if it would become larger.
    ///
    /// Readers see either the old file or the new one, as with [`File::write`]. Fails as [`File::save`] does.
    pub fn compact(&self, options: &WriteOptions) -> Result<()> {
        let _change = self.begin_change()?;
        self.end_growth()?;
        self.save_compacted(options).map_err(|error| self.name_in(error))
    }

    fn save_compacted(&self, options: &WriteOptions) -> Result<()> {
        let path = self.update_path()?;
        self.check_whole(options)?;
        let _expectation = self.expect_to_write(false, options)?;
        let has_changes = self.state()?.is_changed;
        let mut prepared = Prepared::new(self, Some(path), options)?;
        self.check_blocks()?;
        let plan = Plan::new(self, &prepared.tree)?;
        let is_needed = has_changes || plan.removes_bytes(self)?;
        let maximum = prepared.store.file_length().filter(|_| !is_needed).unwrap_or(u64::MAX);
        let mut tree = prepared.tree.duplicate()?;
        writer_name::name_library(&mut tree, self.standard_version())?;
        plan.renumber(&mut tree);
        prepared.tree = Arc::new(tree);
        let write = |target: Target, prepared: &Prepared| prepared.write_compacted(&plan, target, options);
        match self.replace_stored(path, options, prepared, write, maximum)? {
            None => self.keep_overwritten(path, options),
            Some(replaced) => self.finish_replaced(replaced),
        }
    }
}

impl Prepared {
    fn write_compacted(&self, plan: &Plan, target: Target, options: &WriteOptions) -> Result<()> {
        let mut output = Output::new(target);
        let text = self.head()?;
        output.put(&text)?;
        let streamed = self.store.unnumbered().streamed();
        let has_blocks = !plan.blocks.is_empty() || streamed.is_some();
        let mut planner = Planner::new(0, text.len() as u64, has_blocks, &plan_options(options))?;
        output.put(&layout::slack_bytes(planner.slack())?)?;
        for (position, block) in plan.blocks.iter().enumerate() {
            let Some(number) = block else {
                output.put(&planner.add(&BlockRequest::default())?.encode())?;
                continue;
            };
            let mut block = self.file.copy_of_block(i64::try_from(*number).unwrap_or(i64::MAX))?;
            if let Some(numbers) = plan.maps.get(number) {
                let compression = compression_like(&block, size_of::<i32>())?;
                let checksum = has_checksum(&block);
                block = PendingBlock { checksum, ..PendingBlock::new(map_bytes(numbers.clone(), compression)) };
            }
            let written = match &block.bytes {
                PendingBytes::Copied { header, .. }
                    if header.is_streamed() && position + 1 == plan.blocks.len() && streamed.is_none() =>
                {
                    write_streamed(&block, &mut planner, &mut output)
                }
                _ => write_block(&block, &mut planner, &mut output, options, None),
            };
            written.map_err(|error| self.locate_block(&block, error))?;
        }
        if let Some(block) = streamed {
            write_streamed(block, &mut planner, &mut output).map_err(|error| self.locate_block(block, error))?;
        }
        output.put(&planner.index()?)?;
        output.finish()
    }
}

/// Blocks to keep, and new block numbers for their uses.
struct Plan {
    /// Old block numbers, by new number; `None` for an empty block that preserves later numbers.
    blocks: Vec<Option<u64>>,
    /// Places in the tree whose block number changes, with the new number.
    changes: BTreeMap<NodeId, i64>,
    /// New content of the maps of chunked arrays that change, by old block number.
    maps: BTreeMap<u64, Arc<Vec<i32>>>,
}

impl Plan {
    fn new(file: &File, tree: &Tree) -> Result<Plan> {
        let count = file.block_count()?;
        let names = BlockNames::of(file, tree, count)?;
        let mut blocks = Vec::new();
        let mut numbers = BTreeMap::new();
        for number in 0..count {
            if names.keep_all || names.named.contains(&number) {
                numbers.insert(number, blocks.len() as i64);
                reserve::push(&mut blocks, Some(number))?;
            } else if names.fixed.is_some_and(|fixed| number < fixed) {
                reserve::push(&mut blocks, None)?;
            }
        }
        let new_count = blocks.len() as i64;
        let mut changes = BTreeMap::new();
        let places = names.maps.values().flat_map(|map| &map.places).map(|(place, index)| (place, index));
        for (&place, &index) in names.certain.iter().chain(places) {
            let Some(new) = number_of(index, count).and_then(|number| numbers.get(&number)) else { continue };
            let new = if index < 0 { new - new_count } else { *new };
            if new != index {
                changes.insert(place, new);
            }
        }
        let renumbered = |number: i32| match u64::try_from(number).ok().and_then(|number| numbers.get(&number)) {
            // Numbers only become smaller.
            Some(&new) => i32::try_from(new).unwrap_or(number),
            None => number,
        };
        let maps = names.maps.into_iter().filter_map(|(map, ChunkMapUse { numbers, .. })| {
            let new: Vec<i32> = numbers.iter().map(|&number| renumbered(number)).collect();
            (new != numbers).then(|| (map, Arc::new(new)))
        });
        Ok(Plan { blocks, changes, maps: maps.collect() })
    }

    /// Returns whether a block that is not empty is left out.
    fn removes_bytes(&self, file: &File) -> Result<bool> {
        let mut kept = self.blocks.iter().flatten().copied().peekable();
        for number in 0..file.block_count()? {
            if kept.next_if_eq(&number).is_some() {
                continue;
            }
            if file.block(i64::try_from(number).unwrap_or(i64::MAX))?.stored_size != Some(0) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn renumber(&self, tree: &mut Tree) {
        for (&place, number) in &self.changes {
            tree.replace(place, Content::Scalar(&number.to_string(), Style::Plain));
        }
    }
}
