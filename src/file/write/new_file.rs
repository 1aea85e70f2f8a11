//! New files of any format, for programs that write other files beside those of this library.

use crate::error::{Error, Result, Warning};
use crate::file::disk::replace::{Destination, Replacement};
use crate::file::disk::rights;
use std::fs::File;
use std::path::Path;

/// A file of any format that appears under its name only when it is complete. Dropping it removes it.
pub struct NewFile(Replacement);

debug_by_name!(NewFile, "NewFile");

impl NewFile {
    /// Begins a file that gets the name `path`. If it replaces a file, it gets the rights of that file: owner, group,
    /// permissions, access control list and extended attributes.
    ///
    /// Fails with [`Status::FileExists`](crate::Status::FileExists) if the name is taken and `replace` is false, and
    /// with [`Status::InvalidArgument`](crate::Status::InvalidArgument) for a directory, a pipe or a device.
    pub fn create(path: impl AsRef<Path>, replace: bool) -> Result<NewFile> {
        let path = path.as_ref();
        let begin = || Replacement::begin(&Destination::file(path, replace)?, replace, &[]);
        begin().map(NewFile).map_err(|error| error.in_file(&path.to_string_lossy().into()))
    }

    /// Same as [`NewFile::create`] for a copy of `original`, such as a backup. The copy gets the owner, group,
    /// permissions and access control list of the original, not those of a file that it replaces.
    pub fn create_like(original: impl AsRef<Path>, path: impl AsRef<Path>, replace: bool) -> Result<NewFile> {
        let (original, path) = (original.as_ref(), path.as_ref());
        let begin = || Replacement::begin_like(original, &Destination::file(path, replace)?, replace);
        begin().map(NewFile).map_err(|error| error.in_file(&path.to_string_lossy().into()))
    }

    /// Returns the file for writing. Only its owner can open it as long as it may still get fewer rights.
    pub fn file(&mut self) -> &mut File {
        self.0.file()
    }

    /// Gives the complete file its name, and returns what it lacks of the rights. With `durable`, waits for the disk.
    pub fn commit(self, durable: bool) -> Result<Vec<Warning>> {
        let mut replaced = self.0.commit(durable)?;
        let warnings = replaced.take_warnings();
        replaced.finish().map(|()| warnings)
    }

    /// Returns the mode bits that a new file with content of this file may have at most: none for group and others that
    /// they do not have for this file. Returns `None` where files have no mode bits.
    pub fn mode_of_copies(path: impl AsRef<Path>) -> Result<Option<u32>> {
        let path = path.as_ref();
        rights::mode_of_copies(path).map_err(|error| Error::io("cannot get the rights of the file", &error))
    }
}
