//! Directories, and syncing to disk.

use crate::error::{Error, Result};
use std::fs::File;
use std::path::Path;

/// Returns the directory of a file.
pub(crate) fn folder_of(target: &Path) -> &Path {
    target.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Syncs content and metadata of a file to disk.
pub(crate) fn sync_file(file: &File) -> Result<()> {
    file.sync_all().map_err(|error| Error::io("cannot sync the file to disk", &error))
}

/// An open directory, for syncing the names in it.
pub(super) struct Folder(Option<File>);

impl Folder {
    /// Opens a directory. Later only the sync itself can fail.
    pub(super) fn open(folder: &Path) -> Result<Folder> {
        if !cfg!(unix) {
            return Ok(Folder(None));
        }
        let file = File::open(folder).map_err(|error| Error::io("cannot open the directory for syncing", &error))?;
        Ok(Folder(Some(file)))
    }

    /// Syncs the names in the directory to disk, if the file system supports it.
    pub(super) fn sync(&self) -> std::io::Result<()> {
        match self.0.as_ref().map_or(Ok(()), File::sync_all) {
            Err(error) if is_unsupported(&error) => Ok(()),
            result => result,
        }
    }
}

/// Syncs the names in this directory. For use before the new file is in place.
pub(crate) fn sync_folder(folder: &Path) -> Result<()> {
    Folder::open(folder)?.sync().map_err(|error| Error::io("cannot sync the directory to disk", &error))
}

/// Returns true if the error means that the file system cannot sync directories.
#[cfg(unix)]
fn is_unsupported(error: &std::io::Error) -> bool {
    matches!(error.raw_os_error(), Some(libc::EINVAL | libc::ENOTSUP))
}

#[cfg(not(unix))]
fn is_unsupported(_: &std::io::Error) -> bool {
    false
}
