//! Saving a file in place. The tree is written into the space before the first block. New blocks replace the block
//! index at the end of the file. Nothing else is read or written, so the cost depends on the size of the change, not on
//! that of the file.
//!
//! Overwritten bytes are first copied to a journal, so that an interrupted or failed save can be undone.

use super::change::Change;
use super::patched::{Patch, patches};
use crate::error::{Error, Result, Status};
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::file::blocks::plan::{SMALL_FILE, plan_options};
use crate::file::blocks::{BlockStore, Stored};
use crate::file::disk::interrupted;
use crate::file::disk::journal::{Journal, WITNESS};
use crate::file::write::block::write_streamed;
use crate::file::write::output::{Output, Target};
use crate::file::write::prepared::Prepared;
use crate::file::{SaveMode, WriteOptions};
use crate::layout::{self, BlockHeader, Planner};
use crate::source::{FileSource, HEADER_FIELDS, Source, read_vec_at, write_all_at};
use std::fs::File;
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Reason against saving in place.
const IS_NEW: &str = "the file is new";

/// Plan for saving a file in place.
pub(super) struct InPlacePlan {
    file: Arc<FileSource>,
    /// New content of the file from its start to the end of the space after the tree.
    start: Vec<u8>,
    /// Range of `start` that differs from the file on disk.
    changed: Range<usize>,
    appended: Option<Appended>,
    /// New header of the last block, and the end of the file after it: nothing follows the block any more.
    opened: Option<(BlockHeader, u64)>,
    /// Changes of stored blocks.
    patches: Vec<Patch>,
    first_block: Option<BlockHeader>,
}

/// New blocks at the end, or only a new block index.
struct Appended {
    /// Offset in the file.
    offset: u64,
    planner: Planner,
    /// New header of the last stored block, if that was streamed: it now has sizes.
    sized: Option<BlockHeader>,
    /// False if the file gets no block index, because it goes on to grow.
    has_index: bool,
}

/// A plan, or the reason why the file cannot be saved in place.
enum Attempt {
    Planned(Box<InPlacePlan>),
    Refused(&'static str),
}

impl InPlacePlan {
    /// Returns the number of bytes to write, including the journal, without the new blocks.
    fn cost(&self) -> u64 {
        let tail = self.appended.as_ref().map_or(0, |appended| self.file.len().saturating_sub(appended.offset));
        let patched: usize = self.patches.iter().map(|patch| patch.bytes.len()).sum();
        3 * (self.changed.len() + patched) as u64 + tail
    }

    /// Returns the plan for saving a file in place with this new head. Returns `None` if that is not possible, or if
    /// the options or the costs favour a new file.
    ///
    /// Fails with [`Status::NotInPlace`] if saving in place is not possible, but the options demand it.
    pub(super) fn new(
        prepared: &Prepared,
        path: &Path,
        head: &[u8],
        options: &WriteOptions,
    ) -> Result<Option<InPlacePlan>> {
        if options.save_mode == SaveMode::Whole {
            return Ok(None);
        }
        let only_in_place = options.save_mode == SaveMode::InPlace;
        let (file, is_overwritten) = {
            let state = prepared.file.state()?;
            (state.update.file.clone(), state.update.overwritten.is_some())
        };
        if !only_in_place && file.as_ref().is_none_or(|file| file.len() <= SMALL_FILE) {
            return Ok(None);
        }
        let attempt = match file {
            _ if is_overwritten => {
                Attempt::Refused("elements were overwritten since the last save; save once before other changes")
            }
            Some(file) => attempt(&prepared.store, path, file, head, options)?,
            None => Attempt::Refused(IS_NEW),
        };
        match attempt {
            Attempt::Planned(plan) if only_in_place || plan.cost() < plan.file.len() => Ok(Some(*plan)),
            Attempt::Refused(reason) if only_in_place => {
                let message = format!("the changes cannot be saved in place: {reason}");
                Err(Error::new(Status::NotInPlace, message))
            }
            Attempt::Planned(_) | Attempt::Refused(_) => Ok(None),
        }
    }

    /// Returns the plan for a file that begins to grow. `start` is its new content before the first block, `header` the new
    /// header of the last block, and `end` the end of the file after that block.
    ///
    /// Fails with [`Status::NotInPlace`] if others would not find the journal.
    pub(super) fn to_grow(
        store: &BlockStore,
        path: &Path,
        file: Arc<FileSource>,
        start: Vec<u8>,
        (header, end): (BlockHeader, u64),
    ) -> Result<InPlacePlan> {
        if let Some(reason) = obstacle(path, store, &file)? {
            return Err(Error::new(Status::NotInPlace, format!("the array cannot grow in place: {reason}")));
        }
        let old = read_vec_at(&*file, 0, start.len() as u64)?;
        let changed = difference(&old, &start);
        let first_block = store.of_file().and_then(|stored| stored.layout.blocks.first());
        Ok(InPlacePlan {
            file,
            start,
            changed,
            appended: None,
            opened: Some((header, end)),
            patches: Vec::new(),
            first_block,
        })
    }
}

impl Change for InPlacePlan {
    const IS_IN_FITS: bool = false;

    fn file(&self) -> &Arc<FileSource> {
        &self.file
    }

    fn keep(&self, journal: &mut Journal) -> Result<()> {
        let file = &*self.file;
        let (start, end) = (self.changed.start as u64, self.changed.end as u64);
        let rest = self.start.len() as u64;
        journal.watch(file, start.saturating_sub(WITNESS)..start)?;
        journal.watch(file, end.min(file.len())..rest.min(file.len()).min(end.saturating_add(WITNESS)))?;
        journal.keep_under(file, start, self.new_bytes())?;
        for Patch { offset, bytes } in &self.patches {
            journal.keep_under(file, *offset, bytes)?;
        }
        if let Some(Appended { offset, sized, .. }) = &self.appended {
            journal.keep(file, *offset..file.len())?;
            if let Some(header) = sized {
                journal.keep_under(file, header.offset, &shortest(header))?;
                return Ok(());
            }
        }
        if let Some((header, end)) = &self.opened {
            journal.keep(file, *end..file.len())?;
            return journal.keep_under(file, header.offset, &shortest(header));
        }
        match &self.first_block {
            // The journal may keep its header.
            Some(_) if !self.patches.is_empty() => Ok(()),
            Some(first) => journal.watch(file, first.offset..first.offset + BlockHeader::MIN_LENGTH as u64),
            None => Ok(()),
        }
    }

    fn write(&self, prepared: &Prepared, options: &WriteOptions) -> Result<()> {
        let fail = |error: std::io::Error| Error::io("cannot write the file", &error);
        let file = self.file.descriptor();
        if let Some(Appended { offset, planner, sized, has_index }) = &self.appended {
            let mut cursor = self.cursor(*offset)?;
            let mut output = Output::new(Target::File(&mut cursor));
            let planner = write_appended(planner, prepared, &mut output, options)?;
            let index = if *has_index { planner.index()? } else { Vec::new() };
            cursor.write_all(&index).map_err(fail)?;
            let end = planner.end() + index.len() as u64;
            if end < self.file.len() {
                file.set_len(end).map_err(fail)?;
            }
            if let Some(header) = sized {
                write_all_at(file, header.offset, &shortest(header)).map_err(fail)?;
            }
        }
        for Patch { offset, bytes } in &self.patches {
            write_all_at(file, *offset, bytes).map_err(fail)?;
        }
        if let Some((header, end)) = &self.opened {
            file.set_len(*end).map_err(fail)?;
            write_all_at(file, header.offset, &shortest(header)).map_err(fail)?;
        }
        write_all_at(file, self.changed.start as u64, self.new_bytes()).map_err(fail)
    }

    fn changes_blocks(&self) -> bool {
        !self.patches.is_empty()
    }
}

impl InPlacePlan {
    fn new_bytes(&self) -> &[u8] {
        self.start.get(self.changed.clone()).unwrap_or_default()
    }

    /// Returns the file at an offset.
    fn cursor(&self, offset: u64) -> Result<File> {
        let fail = |error: std::io::Error| Error::io("cannot write the file", &error);
        let mut cursor = self.file.descriptor().try_clone().map_err(fail)?;
        cursor.seek(SeekFrom::Start(offset)).map_err(fail)?;
        Ok(cursor)
    }

    /// Writes only the new blocks, for a step. Returns the end of the file after them, their hash unless they must be read
    /// again for it, and the offsets of all blocks.
    pub(super) fn write_blocks(
        &self,
        prepared: &Prepared,
        options: &WriteOptions,
    ) -> Result<(u64, Option<u64>, Vec<u64>)> {
        let missing = || Error::new(Status::Internal, "a step has no new blocks");
        let Appended { offset, planner, .. } = self.appended.as_ref().ok_or_else(missing)?;
        let mut cursor = self.cursor(*offset)?;
        let mut output = Output::hashing(Target::File(&mut cursor));
        let planner = write_appended(planner, prepared, &mut output, options)?;
        let offsets = planner.offsets().ok_or_else(missing)?;
        Ok((planner.end(), output.hash(), offsets.to_vec()))
    }

    /// Returns the offset of the new blocks.
    pub(super) fn appended_at(&self) -> Option<u64> {
        self.appended.as_ref().map(|appended| appended.offset)
    }

    pub(super) fn first_block(&self) -> Option<&BlockHeader> {
        self.first_block.as_ref()
    }

    /// Leaves out the block index, because further blocks follow soon.
    pub(super) fn leave_out_index(&mut self) {
        self.appended.iter_mut().for_each(|appended| appended.has_index = false);
    }

    /// Returns true for the change of a header of a block.
    pub(super) fn is_header(&self, change: &Patch) -> bool {
        change.bytes.len() == HEADER_FIELDS && change.bytes.starts_with(b"\xd3BLK")
    }

    /// Returns the new headers of stored blocks.
    pub(super) fn headers(&self) -> Vec<Patch> {
        self.patches.iter().filter(|patch| self.is_header(patch)).cloned().collect()
    }

    /// Returns the new bytes of the file up to an offset before the first block.
    pub(super) fn start_until(&self, end: u64) -> &[u8] {
        self.start.get(..end as usize).unwrap_or_default()
    }

    /// Returns the changes of a step: those of the tree, of headers of blocks, and bytes after the end of a block. Returns
    /// `None` if the save does not only append blocks. `slots` is the offset of the records, `text_end` the end of the tree.
    pub(super) fn changes_of_step(&self, store: &BlockStore, slots: u64, text_end: u64) -> Result<Option<Vec<Patch>>> {
        let (Some(appended), Some(stored)) = (&self.appended, store.of_file()) else { return Ok(None) };
        let is_plain = appended.sized.is_none() && appended.planner.offsets().is_some() && self.opened.is_none();
        if !is_plain || store.unnumbered().streamed().is_some() || text_end > slots {
            return Ok(None);
        }
        let mut headers = Vec::new();
        for &number in store.replaced().keys() {
            headers.push(stored.layout.blocks.get(number)?);
        }
        let is_free = |patch: &Patch| {
            headers.iter().any(|header| {
                let room = header.payload_offset()..header.end().unwrap_or(0);
                patch.offset == header.offset
                    || room.contains(&patch.offset) && patch.offset >= room.start + header.used_size
            })
        };
        let old = read_vec_at(&*self.file, 0, slots)?;
        let new = self.start_until(slots);
        let changed = difference(&old, new);
        if changed.is_empty() || !self.patches.iter().all(is_free) {
            return Ok(None);
        }
        // The tree comes last, for readers that do not know records.
        let tree = Patch { offset: changed.start as u64, bytes: new.get(changed).unwrap_or_default().to_vec() };
        Ok(Some(self.patches.iter().cloned().chain([tree]).collect()))
    }
}

/// Writes the new blocks. Returns the planner after them.
fn write_appended(
    planner: &Planner,
    prepared: &Prepared,
    output: &mut Output,
    options: &WriteOptions,
) -> Result<Planner> {
    let mut planner = planner.clone();
    prepared.write_made_blocks(&mut planner, output, options)?;
    if let Some(block) = prepared.store.unnumbered().streamed() {
        write_streamed(block, &mut planner, output).map_err(|error| prepared.locate_block(block, error))?;
    }
    output.finish()?;
    Ok(planner)
}

/// Returns an obstacle to saving in place that is visible without a plan.
pub(super) fn obstacle(path: &Path, store: &BlockStore, file: &FileSource) -> Result<Option<&'static str>> {
    if !store.replaced().is_empty() {
        return Ok(Some("a stored block is replaced"));
    }
    obstacle_to_changes(path, store, file)
}

/// Returns an obstacle other than that a stored block is replaced.
fn obstacle_to_changes(path: &Path, store: &BlockStore, file: &FileSource) -> Result<Option<&'static str>> {
    let copied = |block: &PendingBlock| match &block.bytes {
        PendingBytes::Copied { source, .. } => !store.reads_from(source) && source.is_at(path).unwrap_or(true),
        PendingBytes::Raw(..) => false,
    };
    if store.appended().iter().any(copied) {
        return Ok(Some("a block is copied from another handle of the same file"));
    }
    // A journal that does not belong to the file gets another name.
    if interrupted::has_journal(path)?
        && (interrupted::make_way(path, file).is_err() || interrupted::has_journal(path)?)
    {
        return Ok(Some("the journal of an interrupted save exists"));
    }
    Ok(has_other_names(file)?
        .then_some("the file has several names (hard links), and its journal would be found under one of them only"))
}

/// Returns the plan for a file with this new head, or the reason why there is none.
fn attempt(
    store: &BlockStore,
    path: &Path,
    file: Arc<FileSource>,
    head: &[u8],
    options: &WriteOptions,
) -> Result<Attempt> {
    let Some(stored) = store.of_file() else { return Ok(Attempt::Refused(IS_NEW)) };
    if let Some(obstacle) = obstacle_to_changes(path, store, &file)? {
        return Ok(Attempt::Refused(obstacle));
    }
    let Some(patches) = patches(store, stored, &file, options)? else {
        return Ok(Attempt::Refused("a stored block is replaced"));
    };
    let text_end = head.len() as u64;
    let first_block = stored.layout.blocks.first();
    let wanted = text_end.saturating_add(options.tree_slack.unwrap_or(0));
    if first_block.as_ref().is_some_and(|first| wanted > first.offset) {
        return Ok(Attempt::Refused("the tree is too large for the space before the first block"));
    }
    let more_blocks = !store.appended().is_empty() || store.unnumbered().streamed().is_some();
    let start_end = match &first_block {
        Some(first) => first.offset,
        None if !more_blocks => wanted.max(file.len()),
        None => text_end + Planner::new(0, text_end, true, &store.plan_options(options))?.slack(),
    };
    let start = [head, &layout::slack_bytes(start_end - text_end)?].concat();
    let appended = if more_blocks { append(stored, start_end, options)? } else { None };
    if more_blocks && appended.is_none() {
        return Ok(Attempt::Refused("the last block is incomplete"));
    }
    let old = read_vec_at(&*file, 0, start_end.min(file.len()))?;
    let changed = difference(&old, &start);
    Ok(Attempt::Planned(Box::new(InPlacePlan { file, start, changed, appended, opened: None, patches, first_block })))
}

/// Returns where blocks are added to a file. `start_end` is the end of the part before the blocks. Returns `None` if the
/// file ends within its last block.
fn append(stored: &Stored, start_end: u64, options: &WriteOptions) -> Result<Option<Appended>> {
    let (blocks, plan) = (&stored.layout.blocks, plan_options(options));
    let length = blocks.file_length();
    let (Some(first), offsets) = (blocks.first(), blocks.offsets()?) else {
        return Ok(Some(Appended {
            offset: start_end,
            planner: Planner::after(start_end, &plan)?,
            sized: None,
            has_index: true,
        }));
    };
    let last = blocks.get((offsets.len() as u64).saturating_sub(1))?;
    let (end, sized) = match last.end() {
        Some(end) if end > length => return Ok(None),
        Some(end) => (end, None),
        None => (length, Some(last.sized(length))),
    };
    let mut planner = Planner::after(first.offset, &plan)?;
    planner.pass(first.offset..end, &offsets)?;
    Ok(Some(Appended { offset: end, planner, sized, has_index: true }))
}

/// Returns a header of minimal length. It contains all fields.
fn shortest(header: &BlockHeader) -> Vec<u8> {
    let mut bytes = header.encode();
    bytes.truncate(BlockHeader::MIN_LENGTH);
    bytes
}

/// Returns the range of `new` that differs from `old`. `new` must not be shorter than `old`.
pub(super) fn difference(old: &[u8], new: &[u8]) -> Range<usize> {
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    if new.len() > old.len() {
        return start..new.len();
    }
    let same = old.iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    start..new.len().saturating_sub(same).max(start)
}

/// Returns true if the file has several names.
#[cfg(unix)]
pub(super) fn has_other_names(file: &FileSource) -> Result<bool> {
    let metadata = file.descriptor().metadata();
    let metadata = metadata.map_err(|error| Error::io("cannot get the number of hard links of the file", &error))?;
    Ok(std::os::unix::fs::MetadataExt::nlink(&metadata) > 1)
}

#[cfg(not(unix))]
pub(super) fn has_other_names(_: &FileSource) -> Result<bool> {
    Ok(false)
}
