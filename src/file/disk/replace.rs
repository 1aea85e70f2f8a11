//! Files that get their name when they are whole, so that there is always either the old file or the new one under it.

use super::draft;
use super::folder::{Folder, folder_of, sync_file};
use super::interrupted;
use super::temporary::Temporary;
use crate::error::{Error, Result, Status};
use crate::progress;
use std::fs::{File, Permissions};
use std::path::{Path, PathBuf};

const RENAMING: &str = "renaming the new file";

/// The error for a name that a writer must not take.
fn exists() -> Error {
    let message = "the file exists; set the option 'replace' (ASDF_OPTION_REPLACE) to replace it";
    Error::new(Status::FileExists, message)
}

/// What a writer that is given a name writes to.
pub(crate) enum Destination {
    /// A file that gets this name, links followed.
    File(PathBuf),
    /// A pipe or a character device, which is written to as it is.
    Stream(File),
}

impl Destination {
    /// The destination of this name.
    ///
    /// Fails with [`Status::FileExists`] if a file or a link has the name and must not be replaced. Fails with
    /// [`Status::InvalidArgument`] for a directory, and for what else can neither be replaced nor written to.
    pub(crate) fn of(path: &Path, replace: bool) -> Result<Destination> {
        if is_stream(path) {
            let opened = std::fs::OpenOptions::new().write(true).open(path);
            return opened.map(Destination::Stream).map_err(|error| Error::io("cannot open the output", &error));
        }
        Destination::file(path, replace).map(Destination::File)
    }

    /// The same for writers that must read what they wrote: a pipe or a device is [`Status::InvalidArgument`] as well.
    pub(crate) fn file(path: &Path, replace: bool) -> Result<PathBuf> {
        permissions_of(path)?;
        // Also a link that leads nowhere has the name.
        if !replace && path.symlink_metadata().is_ok() {
            return Err(exists());
        }
        // A link is to lead to the new content, not to be replaced by it.
        Ok(std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()))
    }

    /// Checks the name, for writers that open it later.
    pub(crate) fn check(path: &Path, replace: bool) -> Result<()> {
        if is_stream(path) { Ok(()) } else { Destination::file(path, replace).map(drop) }
    }
}

/// Whether the name leads to a pipe or a character device.
#[cfg(unix)]
fn is_stream(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = std::fs::metadata(path).map(|metadata| metadata.file_type());
    kind.is_ok_and(|kind| kind.is_fifo() || kind.is_char_device())
}

#[cfg(not(unix))]
fn is_stream(_: &Path) -> bool {
    false
}

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
pub(crate) fn write_file(
    target: &Path,
    replace: bool,
    durable: bool,
    write: impl FnOnce(&mut File) -> Result<()>,
) -> Result<Replaced> {
    let mut replacement = Replacement::begin(target, replace)?;
    write(replacement.file())?;
    replacement.commit(durable)
}

/// A file that is being written beside the one whose name it is to get. Dropped, it is gone, but not by a child of the
/// process that writes it.
pub(crate) struct Replacement {
    target: PathBuf,
    draft: Temporary,
    /// Whether a file that has the name at the end is replaced.
    replace: bool,
    /// Permissions of the file that has the name now.
    permissions: Option<Permissions>,
}

impl Replacement {
    /// Makes an empty file beside `target`, and removes those of writers that were killed.
    pub(crate) fn begin(target: &Path, replace: bool) -> Result<Replacement> {
        let permissions = permissions_of(target)?;
        draft::remove_dead(target);
        Ok(Replacement { target: target.to_path_buf(), draft: draft::create(target)?, replace, permissions })
    }

    /// The file as it is written so far.
    pub(crate) fn file(&mut self) -> &mut File {
        self.draft.file_mut()
    }

    /// Gives the file, which is whole, its name. With `durable` the data are on the disk before.
    ///
    /// Fails with [`Status::FileExists`] if another file has got the name and must not be replaced.
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
        // Before anything is done to the other file's journal.
        if !self.replace && self.target.symlink_metadata().is_ok() {
            return Err(exists());
        }
        let folder = self.prepare(durable)?;
        progress::commit()?;
        let has_journal = make_way(&self.target, self.draft.file())?;
        let Replacement { target, mut draft, replace, .. } = self;
        if replace {
            draft.rename(&target, RENAMING)?;
        } else if !draft.rename_new(&target, RENAMING)? {
            return Err(exists());
        }
        Ok(Replaced { target, folder, has_journal })
    }

    /// Does all that can fail before the file has its name; opens the folder that is waited for afterwards.
    fn prepare(&self, durable: bool) -> Result<Option<Folder>> {
        if let Some(permissions) = &self.permissions {
            let result = self.draft.file().set_permissions(permissions.clone());
            result.map_err(|error| Error::io("cannot set the permissions of the new file", &error))?;
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
            let what = if metadata.is_dir() { "a directory has this name" } else { "no regular file has this name" };
            Err(Error::new(Status::InvalidArgument, format!("{what}; only a regular file can be replaced")))
        }
        Ok(metadata) => Ok(Some(metadata.permissions())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("cannot look at the existing file", &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn names(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[test]
    fn a_name_taken_meanwhile_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        for durable in [false, true] {
            let mut replacement = Replacement::begin(&path, false).unwrap();
            replacement.file().write_all(b"new").unwrap();
            std::fs::write(&path, "mine").unwrap();
            assert_eq!(replacement.commit(durable).err().unwrap().status(), Status::FileExists);
            assert_eq!((std::fs::read(&path).unwrap(), names(folder.path())), (b"mine".to_vec(), 1));
            std::fs::remove_file(&path).unwrap();
        }
    }

    #[test]
    fn a_name_taken_at_the_last_moment_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let replacement = Replacement::begin(&path, false).unwrap();
        let take = |path: &Path, _: &File| {
            std::fs::write(path, "mine").unwrap();
            Ok(false)
        };
        assert_eq!(replacement.commit_after(false, take).err().unwrap().status(), Status::FileExists);
        assert_eq!((std::fs::read(&path).unwrap(), names(folder.path())), (b"mine".to_vec(), 1));
    }

    #[test]
    fn of_writers_at_once_one_gets_the_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let written = std::thread::scope(|scope| {
            let write = |number: u8| {
                let path = &path;
                let put =
                    move |file: &mut File| file.write_all(&[number]).map_err(|error| Error::io("cannot write", &error));
                move || write_file(path, false, false, put).is_ok()
            };
            let threads: Vec<_> = (0..8).map(|number| scope.spawn(write(number))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<bool>>()
        });
        assert_eq!(written.iter().filter(|&&is_written| is_written).count(), 1);
        let winner = std::fs::read(&path).unwrap();
        assert!(winner.len() == 1 && written[usize::from(winner[0])]);
        assert_eq!(names(folder.path()), 1);
    }

    #[test]
    fn directories_and_links_are_no_free_names() {
        let folder = tempfile::tempdir().unwrap();
        let status =
            |name: &str, replace| Destination::of(&folder.path().join(name), replace).err().map(|e| e.status());
        assert_eq!(status("new", false), None);
        for replace in [false, true] {
            assert_eq!(status("", replace), Some(Status::InvalidArgument));
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
            assert_eq!(status("link", false), Some(Status::FileExists));
            assert_eq!(status("link", true), None);
            let null = Path::new("/dev/null");
            assert!(matches!(Destination::of(null, false).unwrap(), Destination::Stream(_)));
            assert_eq!(Destination::file(null, true).err().unwrap().status(), Status::InvalidArgument);
        }
    }
}
