//! Replacing a file so that there is always either the old one or the new one under its name.

use super::interrupted;
use crate::error::{Error, Result, Status};
use std::path::{Path, PathBuf};

/// The name stands for the new file, though perhaps not yet on the disk.
#[must_use]
pub(super) struct Replaced {
    target: PathBuf,
    durable: bool,
}

impl Replaced {
    /// Waits until the name is on the disk, too, if the data are.
    pub(super) fn finish(self) -> Result<()> {
        if self.durable {
            sync_folder(folder_of(&self.target))?;
        }
        // Not before the old file is gone for good.
        interrupted::forget(&self.target);
        Ok(())
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
    let existing = match std::fs::metadata(target) {
        Ok(metadata) if !metadata.is_file() => {
            let message = "only a regular file can be replaced; other outputs take a descriptor";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        Ok(metadata) => Some(metadata.permissions()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Error::io("looking at the existing file", &error)),
    };
    let folder = folder_of(target).to_path_buf();
    let name = target.file_name().ok_or_else(|| Error::new(Status::InvalidArgument, "the path names no file"))?;
    let mut temporary = create_temporary(&folder, &name.to_string_lossy())?;
    write(temporary.as_file_mut())?;
    if let Some(permissions) = existing {
        let result = temporary.as_file().set_permissions(permissions);
        result.map_err(|error| Error::io("setting the permissions of the new file", &error))?;
    }
    if durable {
        temporary.as_file().sync_all().map_err(|error| Error::io("waiting for the disk", &error))?;
    }
    temporary.persist(target).map_err(|error| Error::io("renaming the new file", &error.error))?;
    Ok(Replaced { target: target.to_path_buf(), durable })
}

/// The folder that a file is in.
pub(super) fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file beside the one of this name, which is removed if it does not get a name of its own.
pub(super) fn create_temporary(folder: &Path, name: &str) -> Result<tempfile::NamedTempFile> {
    // File systems bound the length of a name, which the whole one may use up.
    let start: String = name.chars().take(40).collect();
    let prefix = format!(".{start}.");
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    // As for any new file the umask decides; temporary files are otherwise their owner's alone.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o666);
    let made = tempfile::Builder::new().prefix(&prefix).suffix(".asdf-tmp").make_in(folder, |path| options.open(path));
    made.map_err(|error| Error::io("making a temporary file", &error))
}

/// Waits until names in this folder are on the disk.
pub(super) fn sync_folder(folder: &Path) -> Result<()> {
    if cfg!(unix) {
        let result = std::fs::File::open(folder).and_then(|folder| folder.sync_all());
        result.map_err(|error| Error::io("waiting for the folder's disk", &error))?;
    }
    Ok(())
}
