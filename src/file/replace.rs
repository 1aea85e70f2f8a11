//! Replacing a file so that there is always either the old one or the new one under its name.

use super::journal::interrupted;
use super::temporary::Temporary;
use crate::error::{Error, Result, Status};
use std::fs::Permissions;
use std::path::{Path, PathBuf};

const RENAMING: &str = "renaming the new file";

/// The name stands for the new file, though perhaps not yet on the disk.
#[must_use]
pub(crate) struct Replaced {
    target: PathBuf,
    durable: bool,
}

impl Replaced {
    /// Waits until the name is on the disk, too, if the data are, and removes the journal of the file that is gone.
    pub(crate) fn finish(self) -> Result<()> {
        if self.durable {
            sync_folder(folder_of(&self.target))?;
        }
        // Not before the old file is gone for good.
        interrupted::forget(&self.target, self.durable)
    }
}

/// Writes a file beside `target`, and gives it that name once it is whole. If anything fails, what stood under the name
/// before is as it was, and nothing else is left behind. Permissions of an existing file are kept.
///
/// With `durable` the data are on the disk before the file gets its name.
pub(super) fn replace(
    target: &Path,
    durable: bool,
    write: impl FnOnce(&mut std::fs::File) -> Result<()>,
) -> Result<Replaced> {
    let mut replacement = Replacement::begin(target)?;
    write(replacement.file())?;
    replacement.commit(durable)
}

/// A file that is being written beside the one whose name it is to get. Dropped, it is gone, but not by a child of the
/// process that writes it.
pub(crate) struct Replacement {
    target: PathBuf,
    temporary: Temporary,
    /// Of the file that has the name now.
    permissions: Option<Permissions>,
}

impl Replacement {
    /// Makes an empty file beside `target`.
    pub(crate) fn begin(target: &Path) -> Result<Replacement> {
        let permissions = permissions_of(target)?;
        let name = target.file_name().ok_or_else(|| Error::new(Status::InvalidArgument, "the path names no file"))?;
        let temporary = create_temporary(folder_of(target), &name.to_string_lossy())?;
        Ok(Replacement { target: target.to_path_buf(), temporary, permissions })
    }

    /// The file as it is written so far.
    pub(crate) fn file(&mut self) -> &mut std::fs::File {
        self.temporary.file_mut()
    }

    /// Gives the file, which is whole, its name. With `durable` the data are on the disk before.
    pub(crate) fn commit(self, durable: bool) -> Result<Replaced> {
        self.prepare(durable)?;
        let Replacement { target, temporary, .. } = self;
        temporary.rename(&target, RENAMING)?;
        Ok(Replaced { target, durable })
    }

    /// The same, but fails with [`Status::FileExists`] if something else has got the name.
    pub(crate) fn commit_new(self, durable: bool) -> Result<Replaced> {
        self.prepare(durable)?;
        let Replacement { target, mut temporary, .. } = self;
        if !temporary.rename_new(&target, RENAMING)? {
            return Err(Error::new(Status::FileExists, "another file has got the name"));
        }
        Ok(Replaced { target, durable })
    }

    fn prepare(&self, durable: bool) -> Result<()> {
        if let Some(permissions) = &self.permissions {
            let result = self.temporary.file().set_permissions(permissions.clone());
            result.map_err(|error| Error::io("setting the permissions of the new file", &error))?;
        }
        if durable { sync_file(self.temporary.file()) } else { Ok(()) }
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

/// The folder that a file is in.
pub(super) fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file beside the one of this name, which is removed if it does not get a name of its own.
pub(super) fn create_temporary(folder: &Path, name: &str) -> Result<Temporary> {
    // File systems bound the length of a name, which the whole one may use up.
    let start: String = name.chars().take(40).collect();
    let prefix = format!(".{start}.");
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    // As for any new file the umask decides; temporary files are otherwise their owner's alone.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o666);
    let made = tempfile::Builder::new().prefix(&prefix).suffix(".asdf-tmp").make_in(folder, |path| options.open(path));
    made.map(Temporary::new).map_err(|error| Error::io("making a temporary file", &error))
}

/// Waits until a file is on the disk.
pub(super) fn sync_file(file: &std::fs::File) -> Result<()> {
    file.sync_all().map_err(|error| Error::io("waiting for the disk", &error))
}

/// Waits until names in this folder are on the disk.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        let result = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        result.map_err(|error| Error::io("waiting for the folder's disk", &error))?;
    }
    Ok(())
}
