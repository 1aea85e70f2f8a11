//! Temporary files in the directory of their target.

use crate::error::{Error, Result, Status};
use crate::process::Process;
use std::fs::File;
use std::io;
use std::path::Path;
use tempfile::{NamedTempFile, TempPath};

/// A temporary file. It is removed when dropped without a final name, but only in the process that created it.
pub(crate) struct Temporary {
    /// Temporary name; `None` after the renaming. This field comes before `file`: the name is removed while the lock on
    /// the open file still protects it.
    path: Option<TempPath>,
    file: File,
    process: Process,
}

impl Temporary {
    pub(super) fn new(made: NamedTempFile) -> Temporary {
        let (file, path) = made.into_parts();
        Temporary { file, path: Some(path), process: Process::current() }
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn file_mut(&mut self) -> &mut File {
        &mut self.file
    }

    /// Returns the temporary name.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Renames the file to `name`, and replaces a file of that name. `failure` is the message of a failure.
    pub(super) fn rename(&mut self, name: &Path, failure: &str) -> Result<()> {
        self.process.check()?;
        let path = self.path.take().ok_or_else(|| Error::new(Status::Internal, "the file has its name already"))?;
        path.persist(name).map_err(|error| Error::io(failure, &error.error))
    }

    /// Renames the file to `name` if that name is free. Otherwise returns false and keeps the temporary name. `failure`
    /// is the message of any other failure.
    ///
    /// A few file systems can neither rename without replacing nor make hard links. There, the name is checked just
    /// before the renaming, and another program can take it in between.
    pub(crate) fn rename_new(&mut self, name: &Path, failure: &str) -> Result<bool> {
        self.process.check()?;
        let path = self.path.take().ok_or_else(|| Error::new(Status::Internal, "the file has its name already"))?;
        match path.persist_noclobber(name) {
            Ok(()) => Ok(true),
            Err(error) => {
                self.path = Some(error.path);
                match error.error.kind() {
                    io::ErrorKind::AlreadyExists => Ok(false),
                    // Errors of file systems without such a renaming. Without permission for the directory, the plain
                    // renaming fails as well.
                    io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput => {
                        if name.symlink_metadata().is_ok() {
                            return Ok(false);
                        }
                        self.rename(name, failure).map(|()| true)
                    }
                    _ => Err(Error::io(failure, &error.error)),
                }
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The parent process still writes the file.
        if !self.process.is_current()
            && let Some(path) = self.path.take()
        {
            let _ = path.keep();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_removes_nothing_and_names_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let make = || Temporary::new(NamedTempFile::new_in(folder.path()).unwrap());
        let name = folder.path().join("name");
        let count = || std::fs::read_dir(folder.path()).unwrap().count();
        drop(make());
        assert_eq!(count(), 0);
        let inherited = || {
            let mut made = make();
            made.process = Process::parent();
            made
        };
        drop(inherited());
        assert_eq!(count(), 1);
        assert_eq!(inherited().rename(&name, "naming").unwrap_err().status(), Status::Forked);
        assert_eq!(inherited().rename_new(&name, "naming").unwrap_err().status(), Status::Forked);
        assert!(count() == 3 && !name.exists());
        make().rename(&name, "naming").unwrap();
        let mut other = make();
        assert!(!other.rename_new(&name, "naming").unwrap());
        assert!(other.path().unwrap().exists());
        assert!(other.rename_new(&folder.path().join("other"), "naming").unwrap());
        assert_eq!(count(), 5);
    }
}
