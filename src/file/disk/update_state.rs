//! The file on disk that is being changed: what it was last, what was written over in it, and who may change it.

use super::folder::{folder_of, sync_folder};
use super::interrupted;
use super::journal::Journal;
use super::overwritten::Overwritten;
use crate::error::{Error, Result, Status};
use crate::progress;
use crate::source::{FileSource, HeldLock, Source};
use std::path::Path;
use std::sync::Arc;

/// State of a file that was opened for update. For other files all is empty.
#[derive(Default)]
pub(crate) struct UpdateState {
    /// The file as it was when it was opened or saved last.
    pub(crate) file: Option<Arc<FileSource>>,
    /// Elements that were written over and are not saved; given back before the lock is.
    pub(crate) overwritten: Option<Overwritten>,
    /// The journal of a save in place that failed and could not be undone yet.
    failed_save: Option<Journal>,
    /// Keeps others from opening the file for update.
    lock: Option<HeldLock>,
    /// Set when the file took its name but waiting for that failed; a later save in place cannot be sure, either.
    pub(crate) name_is_unsure: bool,
}

impl UpdateState {
    /// Goes on with this file, which this lock keeps from others.
    pub(crate) fn set_file(&mut self, file: Option<Arc<FileSource>>, lock: Option<HeldLock>) {
        self.file = file;
        self.lock = lock;
    }

    /// Fails if the file of this name is no longer the one that was opened, or was modified.
    pub(crate) fn check_unchanged(&self, path: &Path) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        file.check_unchanged()?;
        if !file.is_at(path)? {
            return Err(Error::new(Status::FileChanged, "another file took the place of the one that was opened"));
        }
        Ok(())
    }

    /// Fails if a save in place is to be durable, but waiting for the file's name failed before. To wait again would not
    /// tell whether the name is on the disk; a new file makes it anew.
    pub(crate) fn check_name(&self, durable: bool) -> Result<()> {
        if durable && self.name_is_unsure {
            let message = "the file is saved, but it is not sure that its name is on the disk: waiting for that failed when \
                           the file was replaced";
            return Err(Error::new(Status::NotDurable, message));
        }
        Ok(())
    }

    /// Makes the file what it was before a save that failed. If that fails, too, it is tried again by the next save, or
    /// the next opening.
    pub(crate) fn undo(&mut self, mut journal: Journal) -> Result<()> {
        let Some(file) = &self.file else { return Ok(()) };
        let undone = progress::undisturbed(|| journal.roll_back(file.descriptor()));
        let undone = undone.and_then(|()| file.take_back_insertion());
        // The blocks are found where they were in any case.
        let undone = undone.and(file.renew());
        if undone.is_err() {
            self.failed_save = Some(journal);
        }
        undone
    }

    /// Does what is left to do of a save that failed before.
    pub(crate) fn undo_failed_save(&mut self) -> Result<()> {
        self.failed_save.take().map_or(Ok(()), |journal| self.undo(journal))?;
        // Room may have been inserted although there was no journal yet.
        self.file.as_ref().map_or(Ok(()), |file| file.take_back_insertion())
    }

    /// Begins to keep what is written over; `head` bytes stand before the blocks.
    pub(crate) fn begin_overwriting(&mut self, path: &Path, head: u64, durable: bool) -> Result<()> {
        let Some(file) = self.file.clone() else {
            return Err(Error::new(Status::Internal, "a file opened for update has no descriptor"));
        };
        self.undo_failed_save()?;
        let begun = Overwritten::begin(path, file, head, durable, || self.check_unchanged(path))?;
        self.overwritten = Some(begun);
        Ok(())
    }

    /// Ends a journal by which nothing was overwritten yet, after a call that failed.
    pub(crate) fn forget_unwritten(&mut self) {
        if self.overwritten.as_ref().is_some_and(|overwritten| !overwritten.journal.is_ready()) {
            self.overwritten = None;
        }
    }

    /// Sees to it that a new file, which is about to get the name of this one, will not be taken for one whose save was
    /// interrupted. A journal of what was written over that fits the new file gives back what was there, which the new
    /// file has not.
    pub(crate) fn make_way(&mut self, head: u64, target: &Path, new: &std::fs::File) -> Result<bool> {
        let Some(overwritten) = &mut self.overwritten else { return interrupted::make_way(target, new) };
        let new = new.try_clone().map_err(|error| Error::io("cannot read the new file", &error))?;
        overwritten.file.expect_changes();
        if !overwritten.may_fit(head, &FileSource::from_file(new)?)? {
            return Ok(false);
        }
        overwritten.is_given_back = true;
        let file = overwritten.file.file().ok_or_else(|| Error::new(Status::Internal, "the file has no descriptor"))?;
        overwritten.journal.roll_back(&file)?;
        overwritten.file.renew_blocks()?;
        sync_folder(folder_of(target)).map(|()| false)
    }

    /// Forgets what was written over if it was given back for the sake of a new file, and returns whether it was.
    pub(crate) fn forget_given_back(&mut self) -> bool {
        self.overwritten.take_if(|overwritten| overwritten.is_given_back).is_some()
    }

    /// Forgets what was written over: another file, which has it, took the place of this one. The journal stays if it is
    /// not sure that the old file will not come back.
    pub(crate) fn forget_overwritten(&mut self, is_sure: bool) {
        if let Some(mut overwritten) = self.overwritten.take() {
            overwritten.is_kept = true;
            if is_sure {
                // Should it stay, it is seen that it is of another file.
                let _ = overwritten.journal.commit(false);
            }
        }
    }

    /// Fails if elements that were written over may be lost.
    pub(crate) fn check_overwritten(&self) -> Result<()> {
        if self.overwritten.as_ref().is_some_and(|overwritten| overwritten.is_unsure) {
            let message = "elements that were written over may be lost, as waiting for the disk failed; close the file, \
                           which gives back what was there, and write them again";
            return Err(Error::new(Status::Incomplete, message));
        }
        Ok(())
    }

    /// Whether a block was written to since the file was saved, so that it has no checksum any more.
    pub(crate) fn is_overwritten(&self, number: u64) -> bool {
        self.overwritten.as_ref().is_some_and(|overwritten| overwritten.blocks.contains_key(&number))
    }
}
