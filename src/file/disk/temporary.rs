//! A file beside the one whose name it may get, and what becomes of its temporary name.

use crate::error::{Error, Result, Status};
use crate::process::Process;
use std::fs::File;
use std::io;
use std::path::Path;
use tempfile::{NamedTempFile, TempPath};

/// A file that is removed when it is dropped without a name of its own, in the process that made it alone.
pub(crate) struct Temporary {
    /// Nothing once it has a name of its own. Stands before the file, so that the name is removed while the lock on the
    /// open file still keeps others from it.
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

    /// The temporary name.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Gives the file a name, in the place of what has that name. `action` is told if that fails.
    pub(super) fn rename(&mut self, name: &Path, action: &str) -> Result<()> {
        self.process.check()?;
        let path = self.path.take().ok_or_else(|| Error::new(Status::Internal, "a file was named twice"))?;
        path.persist(name).map_err(|error| Error::io(action, &error.error))
    }

    /// Gives the file a name that nothing has. If something has it, that stays, and the temporary name as well: then this
    /// is false. `action` is told if anything else fails.
    ///
    /// A few file systems can neither rename without replacing nor make hard links. There the name is looked up just before
    /// the renaming, and another program can take it in between.
    pub(crate) fn rename_new(&mut self, name: &Path, action: &str) -> Result<bool> {
        self.process.check()?;
        let path = self.path.take().ok_or_else(|| Error::new(Status::Internal, "a file was named twice"))?;
        match path.persist_noclobber(name) {
            Ok(()) => Ok(true),
            Err(error) => {
                self.path = Some(error.path);
                match error.error.kind() {
                    io::ErrorKind::AlreadyExists => Ok(false),
                    // What systems answer that cannot do it; without rights to the folder the renaming fails as well.
                    io::ErrorKind::Unsupported | io::ErrorKind::PermissionDenied | io::ErrorKind::InvalidInput => {
                        if name.symlink_metadata().is_ok() {
                            return Ok(false);
                        }
                        self.rename(name, action).map(|()| true)
                    }
                    _ => Err(Error::io(action, &error.error)),
                }
            }
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // The parent still writes it.
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
