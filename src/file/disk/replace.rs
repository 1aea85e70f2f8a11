//! Replacing a file so that there is always either the old one or the new one under its name.

use super::draft;
use super::folder::{Folder, folder_of, sync_file};
use super::interrupted;
use super::temporary::Temporary;
use crate::error::{Error, Result, Status};
use crate::progress;
use std::fs::{File, Permissions};
use std::path::{Path, PathBuf};

const RENAMING: &str = "renaming the new file";

/// A new file that has its name, though perhaps not yet on the disk.
#[must_use]
pub(crate) struct Replaced {
    target: PathBuf,
    /// The folder whose names are to be waited for, if the file is to be durable.
    folder: Option<Folder>,
    /// Whether a journal of the old file is there.
    has_journal: bool,
}

impl Replaced {
    /// Waits until the name is on the disk, too, if the data are, and removes the journal of the file that is gone.
    ///
    /// Fails with nothing but [`Status::NotDurable`].
    pub(crate) fn finish(self) -> Result<()> {
        if let Some(folder) = &self.folder {
            folder.sync().map_err(|error| Error::not_durable(&error))?;
        }
        // Not before the old file is gone for good.
        if self.has_journal {
            interrupted::forget(&self.target);
        }
        Ok(())
    }
}

/// Writes a file beside `target`, and gives it that name once it is whole. If anything fails, what stood under the name
/// before is as it was, and nothing else is left behind. Permissions of an existing file are kept.
///
/// With `durable` the data are on the disk before the file gets its name.
pub(crate) fn replace(target: &Path, durable: bool, write: impl FnOnce(&mut File) -> Result<()>) -> Result<Replaced> {
    let mut replacement = Replacement::begin(target)?;
    write(replacement.file())?;
    replacement.commit(durable)
}

/// A file that is being written beside the one whose name it is to get. Dropped, it is gone, but not by a child of the
/// process that writes it.
pub(crate) struct Replacement {
    target: PathBuf,
    draft: Temporary,
    /// Of the file that has the name now.
    permissions: Option<Permissions>,
}

impl Replacement {
    /// Makes an empty file beside `target`, and removes those of writers that were killed.
    pub(crate) fn begin(target: &Path) -> Result<Replacement> {
        let permissions = permissions_of(target)?;
        draft::remove_dead(target);
        Ok(Replacement { target: target.to_path_buf(), draft: draft::create(target)?, permissions })
    }

    /// The file as it is written so far.
    pub(crate) fn file(&mut self) -> &mut File {
        self.draft.file_mut()
    }

    /// Gives the file, which is whole, its name. With `durable` the data are on the disk before.
    pub(crate) fn commit(self, durable: bool) -> Result<Replaced> {
        self.commit_after(durable, interrupted::make_way)
    }

    /// The same. `make_way` gets the target and the new file just before that has its name, and sees to it as
    /// [`interrupted::make_way`] does that no journal is taken for one of the new file.
    pub(crate) fn commit_after(
        self,
        durable: bool,
        make_way: impl FnOnce(&Path, &File) -> Result<bool>,
    ) -> Result<Replaced> {
        let folder = self.prepare(durable)?;
        progress::commit()?;
        let has_journal = make_way(&self.target, self.draft.file())?;
        let Replacement { target, draft, .. } = self;
        draft.rename(&target, RENAMING)?;
        Ok(Replaced { target, folder, has_journal })
    }

    /// The same as [`commit`](Replacement::commit), but fails with [`Status::FileExists`] if something else has got the name.
    pub(crate) fn commit_new(self, durable: bool) -> Result<Replaced> {
        let folder = self.prepare(durable)?;
        progress::commit()?;
        let has_journal = interrupted::make_way(&self.target, self.draft.file())?;
        let Replacement { target, mut draft, .. } = self;
        if !draft.rename_new(&target, RENAMING)? {
            return Err(Error::new(Status::FileExists, "another file has got the name"));
        }
        Ok(Replaced { target, folder, has_journal })
    }

    /// Does all that can fail before the file has its name; opens the folder that is waited for afterwards.
    fn prepare(&self, durable: bool) -> Result<Option<Folder>> {
        if let Some(permissions) = &self.permissions {
            let result = self.draft.file().set_permissions(permissions.clone());
            result.map_err(|error| Error::io("setting the permissions of the new file", &error))?;
        }
        if !durable {
            return Ok(None);
        }
        sync_file(self.draft.file())?;
        Folder::open(folder_of(&self.target)).map(Some)
    }
}

/// The permissions of the file that is to be replaced, if there is one. Fails for what is no regular file.
fn permissions_of(target: &Path) -> Result<Option<Permissions>> {
    match std::fs::metadata(target) {
        Ok(metadata) if !metadata.is_file() => {
            let message = "only a regular file can be replaced; other outputs take a descriptor";
            Err(Error::new(Status::InvalidArgument, message))
        }
        Ok(metadata) => Ok(Some(metadata.permissions())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("looking at the existing file", &error)),
    }
}
