//! State of a file on disk that is open for update: its last version, overwritten elements, and its lock.

use super::growth::GrowingArray;
use super::interrupted;
use super::journal::Journal;
use super::overwritten::Overwritten;
use super::steps::write::Steps;
use crate::error::{Error, Result, Status};
use crate::progress;
use crate::source::{FileSource, HeldLock, OwnSource};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// State of a file that was opened for update. For other files it is empty.
#[derive(Default)]
pub(crate) struct UpdateState {
    /// The file as opened or last saved.
    pub(crate) file: Option<Arc<FileSource>>,
    /// Elements that were overwritten and are not saved. This field comes before `lock`: the old elements are restored
    /// while the lock is held.
    pub(crate) overwritten: Option<Overwritten>,
    /// The array that grows. This field comes before `lock`, too.
    pub(crate) growth: Option<GrowingArray>,
    /// The chunks that are appended. This field comes before `lock`, too.
    pub(crate) steps: Option<Steps>,
    /// True if chunks were appended.
    pub(crate) is_appending: bool,
    /// True if the last save could have been a step.
    pub(crate) last_was_step: bool,
    /// Journal of a failed save in place that could not be undone yet.
    failed_save: Option<Journal>,
    /// Prevents other handles from opening the file for update.
    lock: Option<HeldLock>,
    /// Set when syncing the name of the file failed. A later save in place cannot be durable then.
    pub(crate) name_is_unsure: bool,
}

impl UpdateState {
    /// Switches to this file and its lock.
    pub(crate) fn set_file(&mut self, file: Option<Arc<FileSource>>, lock: Option<HeldLock>) {
        self.file = file;
        self.lock = lock;
    }

    /// Fails if another file has the name now, or if the file was modified.
    pub(crate) fn check_unchanged(&self, path: &Path) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        file.check_unchanged()?;
        if !file.is_at(path)? {
            return Err(Error::new(Status::FileChanged, "the file was replaced by another one after it was opened"));
        }
        Ok(())
    }

    /// Fails if a save in place must be durable, but syncing the name failed before. Another sync would not report it;
    /// only a new file gets a new name.
    pub(crate) fn check_name(&self, durable: bool) -> Result<()> {
        if durable && self.name_is_unsure {
            let message = "the file is saved, but a power cut may still lose its name: syncing the name failed when \
                           the file was replaced";
            return Err(Error::new(Status::NotDurable, message));
        }
        Ok(())
    }

    /// Undoes a failed save. If this fails as well, the next save or the next opening tries again.
    pub(crate) fn undo(&mut self, mut journal: Journal) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let undone = progress::without_cancelling(|| journal.roll_back(file.descriptor()));
        // In any case the blocks are at their former offsets.
        let undone = undone.and(file.renew());
        if undone.is_err() {
            self.failed_save = Some(journal);
        }
        undone
    }

    /// Completes the undo of an earlier failed save, unless others changed the file since.
    pub(crate) fn undo_failed_save(&mut self) -> Result<()> {
        if self.failed_save.is_some()
            && let Some(file) = &self.file
        {
            file.check_unchanged()?;
        }
        self.failed_save.take().map_or(Ok(()), |journal| self.undo(journal))
    }

    /// Begins to record overwritten bytes. The bytes of `head` are those before the blocks.
    pub(crate) fn begin_overwriting(&mut self, path: &Path, head: Range<u64>, durable: bool) -> Result<()> {
        let Some(file) = self.file.clone() else {
            return Err(Error::new(Status::Internal, "a file opened for update has no descriptor"));
        };
        self.undo_failed_save()?;
        interrupted::make_way(path, &file)?;
        let begun = Overwritten::begin(path, file, head, durable, || self.check_unchanged(path))?;
        self.overwritten = Some(begun);
        Ok(())
    }

    /// Fails if others changed or replaced a file since its elements were overwritten.
    pub(crate) fn check_before_overwriting(&self, path: &Path) -> Result<()> {
        if self.overwritten.is_some() { self.check_unchanged(path) } else { Ok(()) }
    }

    /// Removes a journal after a failed call that overwrote nothing.
    pub(crate) fn forget_unwritten(&mut self) {
        if self.overwritten.as_ref().is_some_and(|overwritten| !overwritten.journal.is_ready()) {
            self.overwritten = None;
        }
    }

    /// Forgets overwritten elements, after a new file with them has replaced this one. The journal stays if a power cut
    /// may restore the old file.
    pub(crate) fn forget_overwritten(&mut self, is_sure: bool) {
        if let Some(mut overwritten) = self.overwritten.take() {
            overwritten.is_kept = true;
            if is_sure {
                // If it stays, readers recognise that it belongs to another file.
                let _ = overwritten.journal.commit(false);
            }
        }
    }

    /// Fails if overwritten elements may be lost.
    pub(crate) fn check_overwritten(&self) -> Result<()> {
        if self.overwritten.as_ref().is_some_and(|overwritten| overwritten.is_unsure) {
            let message = "overwritten elements may be lost, because syncing to disk failed; close the file, \
                           which restores the old elements, and write them again";
            return Err(Error::new(Status::Incomplete, message));
        }
        Ok(())
    }

    /// Returns true if a block was overwritten since the last save and therefore has no checksum.
    pub(crate) fn is_overwritten(&self, number: u64) -> bool {
        self.overwritten.as_ref().is_some_and(|overwritten| overwritten.blocks.contains_key(&number))
    }
}
