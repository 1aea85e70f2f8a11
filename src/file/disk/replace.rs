//! New files that get their name only when they are complete. The name always leads to either the old file or the new
//! one.

use super::draft;
use super::folder::{Folder, folder_of, sync_file};
use super::interrupted;
use super::rights::Grant;
use super::temporary::Temporary;
use crate::error::{Error, Result, Status, Warning};
use crate::progress;
use std::fs::{File, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;

const RENAMING: &str = "cannot rename the new file";

/// Returns the error for a name that exists and must not be replaced.
fn exists() -> Error {
    let message = "the file exists; set the option 'replace' (ASDF_OPTION_REPLACE) to replace it";
    Error::new(Status::FileExists, message)
}

/// Destination of a writer that is given a path.
pub(crate) enum Destination {
    /// A file at this path, with links resolved.
    File(PathBuf),
    /// A pipe or a character device, which is written directly.
    Stream(File),
}

impl Destination {
    /// Returns the destination for a path.
    ///
    /// Fails with [`Status::FileExists`] if a file or a link has the name and must not be replaced. Fails with
    /// [`Status::InvalidArgument`] for a directory, and for other outputs that can neither be replaced nor written.
    pub(crate) fn of(path: &Path, replace: bool) -> Result<Destination> {
        if is_stream(path) {
            let opened = std::fs::OpenOptions::new().write(true).open(path);
            return opened.map(Destination::Stream).map_err(|error| Error::io("cannot open the output", &error));
        }
        Destination::file(path, replace).map(Destination::File)
    }

    /// Returns the destination for writers that read their output. A pipe or a device is [`Status::InvalidArgument`]
    /// here.
    pub(crate) fn file(path: &Path, replace: bool) -> Result<PathBuf> {
        properties_of(path)?;
        // A link that leads nowhere also occupies the name.
        if !replace && path.symlink_metadata().is_ok() {
            return Err(draft::name_left(path, exists()));
        }
        // The target of a link is replaced, not the link.
        Ok(std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf()))
    }

    /// Checks a path, for writers that open it later.
    pub(crate) fn check(path: &Path, replace: bool) -> Result<()> {
        if is_stream(path) { Ok(()) } else { Destination::file(path, replace).map(drop) }
    }
}

/// Returns true if the path leads to a pipe or a character device.
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

/// A new file that has its name, which may not be synced yet.
#[must_use]
pub(crate) struct Replaced {
    target: PathBuf,
    /// Directory for syncing the name; `None` if the file is not durable.
    folder: Option<Folder>,
    /// True if a journal of the old file exists.
    has_journal: bool,
    warnings: Vec<Warning>,
}

impl Replaced {
    /// Returns the warnings about the rights of the new file, and about files that killed writers left.
    pub(crate) fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Syncs the name if the file is durable, and removes the journal of the replaced file.
    ///
    /// The only error is [`Status::NotDurable`].
    pub(crate) fn finish(self) -> Result<()> {
        if let Some(folder) = &self.folder {
            folder.sync().map_err(|error| Error::not_durable(&error))?;
        }
        // The journal may be needed as long as a power cut can restore the old file.
        if self.has_journal {
            interrupted::forget(&self.target);
        }
        Ok(())
    }
}

/// Writes a file in the directory of `target`, and renames it to `target` when it is complete. After a failure, an
/// existing file is unchanged, and no other file is left behind. The rights are those of [`Replacement::begin`].
///
/// With `durable`, the data are synced before the file gets its name.
pub(crate) fn write_file(
    target: &Path,
    replace: bool,
    originals: &[Arc<File>],
    durable: bool,
    write: impl FnOnce(&mut File) -> Result<()>,
) -> Result<Replaced> {
    let mut replacement = Replacement::begin(target, replace, originals)?;
    write(replacement.file())?;
    replacement.commit(durable)
}

/// A new file that is being written in the directory of its target. Dropping it removes it, except in a child of the
/// writing process.
pub(crate) struct Replacement {
    target: PathBuf,
    draft: Temporary,
    /// Allows replacing a file that has the name at the end.
    replace: bool,
    grant: Grant,
    warnings: Vec<Warning>,
}

impl Replacement {
    /// Creates an empty file in the directory of `target`. Warns of files that killed writers of `target` left.
    ///
    /// The new file gets the rights of the file that has the name at the end. If there is none, it has at most the
    /// rights of each of `originals`, the files whose content it gets.
    pub(crate) fn begin(target: &Path, replace: bool, originals: &[Arc<File>]) -> Result<Replacement> {
        let grant = Grant::for_target(target, properties_of(target)?.as_ref(), originals)?;
        Replacement::with_grant(target, replace, grant)
    }

    /// Same as [`begin`](Replacement::begin) for a file that gets the rights of `original` in any case.
    pub(crate) fn begin_like(original: &Path, target: &Path, replace: bool) -> Result<Replacement> {
        properties_of(target)?;
        let grant = Grant::beside(original, &[])?;
        Replacement::with_grant(target, replace, grant)
    }

    fn with_grant(target: &Path, replace: bool, grant: Grant) -> Result<Replacement> {
        let warnings = draft::look_for_left(target);
        let draft = draft::create(target, &grant)?;
        Ok(Replacement { target: target.to_path_buf(), draft, replace, grant, warnings })
    }

    /// Returns the warnings so far: what killed writers of the same file left.
    pub(crate) fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }

    /// Returns the file for writing.
    pub(crate) fn file(&mut self) -> &mut File {
        self.draft.file_mut()
    }

    /// Gives the complete file its name. With `durable`, the data are synced before.
    ///
    /// Fails with [`Status::FileExists`] if a file has the name by now and must not be replaced.
    pub(crate) fn commit(self, durable: bool) -> Result<Replaced> {
        self.commit_after(durable, interrupted::has_journal)
    }

    /// Same as [`commit`](Replacement::commit). `has_journal` is called just before the renaming.
    fn commit_after(self, durable: bool, has_journal: impl FnOnce(&Path) -> Result<bool>) -> Result<Replaced> {
        // This check comes before any change of the journal of the other file.
        if !self.replace && self.target.symlink_metadata().is_ok() {
            return Err(exists());
        }
        let lost_rights = self.complete_rights()?;
        let folder = self.prepare(durable)?;
        progress::commit()?;
        let has_journal = has_journal(&self.target)?;
        let Replacement { target, mut draft, replace, mut warnings, .. } = self;
        warnings.extend(lost_rights);
        if replace {
            draft.rename(&target, RENAMING)?;
        } else if !draft.rename_new(&target, RENAMING)? {
            return Err(exists());
        }
        Ok(Replaced { target, folder, has_journal, warnings })
    }

    /// Gives the file the rights of the file that has the name now, unless they are those of another file.
    fn complete_rights(&self) -> Result<Option<Warning>> {
        let file = self.draft.file();
        match properties_of(&self.target)? {
            Some(metadata) if !matches!(self.grant, Grant::OfMain(_)) => {
                Grant::for_target(&self.target, Some(&metadata), &[])?.complete(file)
            }
            _ => self.grant.complete(file),
        }
    }

    /// Does everything else that can fail before the file has its name. Returns the directory to sync afterwards.
    fn prepare(&self, durable: bool) -> Result<Option<Folder>> {
        if !durable {
            return Ok(None);
        }
        sync_file(self.draft.file())?;
        Folder::open(folder_of(&self.target)).map(Some)
    }
}

/// Returns the properties of the file to replace, if there is one. Fails unless it is a regular file.
fn properties_of(target: &Path) -> Result<Option<Metadata>> {
    match std::fs::metadata(target) {
        Ok(metadata) if !metadata.is_file() => {
            let what = if metadata.is_dir() { "this is a directory, not a file" } else { "this is not a regular file" };
            Err(Error::new(Status::InvalidArgument, format!("{what}; only a regular file can be replaced")))
        }
        Ok(metadata) => Ok(Some(metadata)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("cannot get the properties of the existing file", &error)),
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
            let mut replacement = Replacement::begin(&path, false, &[]).unwrap();
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
        let replacement = Replacement::begin(&path, false, &[]).unwrap();
        let take = |path: &Path| {
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
                move || write_file(path, false, &[], false, put).is_ok()
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
