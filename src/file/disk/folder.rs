//! Folders, and the waiting for the disk.

use crate::error::{Error, Result};
use std::fs::File;
use std::path::Path;

/// The folder that a file is in.
pub(crate) fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Waits until a file is on the disk.
pub(crate) fn sync_file(file: &File) -> Result<()> {
    file.sync_all().map_err(|error| Error::io("cannot wait for the disk", &error))
}

/// An open folder, whose names can be waited for.
pub(super) struct Folder(Option<File>);

impl Folder {
    /// Opens a folder, so that nothing but the waiting itself can fail later.
    pub(super) fn open(folder: &Path) -> Result<Folder> {
        if !cfg!(unix) {
            return Ok(Folder(None));
        }
        let file =
            File::open(folder).map_err(|error| Error::io("cannot open the folder to wait for its disk", &error))?;
        Ok(Folder(Some(file)))
    }

    /// Waits until the names in it are on the disk, where the file system can be asked for that.
    pub(super) fn sync(&self) -> std::io::Result<()> {
        match self.0.as_ref().map_or(Ok(()), File::sync_all) {
            Err(error) if is_unsupported(&error) => Ok(()),
            result => result,
        }
    }
}

/// Waits until names in this folder are on the disk, as long as no new file has its name.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    Folder::open(folder)?.sync().map_err(|error| Error::io("cannot wait for the folder's disk", &error))
}

/// Whether the error means that the file system does not support waiting for folders.
#[cfg(unix)]
fn is_unsupported(error: &std::io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EINVAL | libc::ENOTSUP))
}

#[cfg(not(unix))]
fn is_unsupported(_: &std::io::Error) -> bool {
    false
}
