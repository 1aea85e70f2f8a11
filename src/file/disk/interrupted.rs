//! Files whose save in place was interrupted, or is in progress. Opening for reading shows the content before the save.
//! Opening for update restores it on disk.

use super::folder::{Folder, folder_of};
use super::journal::journal_path;
use super::undo::{Fit, Undo};
use crate::error::{Error, Result, Status, Warning};
use crate::progress;
use crate::source::{FileSource, HeldLock, LockKind, Source, is_held, is_same_file};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of attempts to read a file that is saved at the same time.
const TRIES: u32 = 20;

/// Reads a file so that it never sees a half-finished save. `open` opens the file. `read` gets its content before an
/// interrupted save, with a warning, or before a save in progress.
///
/// Fails with [`Status::FileChanged`] if the file is saved again during each attempt.
pub(in crate::file) fn read_settled<T>(
    path: &Path,
    open: impl Fn() -> Result<Arc<dyn Source>>,
    read: impl Fn(Arc<dyn Source>, Option<Warning>) -> Result<T>,
) -> Result<T> {
    for _ in 0..TRIES {
        let file = open()?;
        let Some(beside) = journal_of(path)? else { return read(file, None) };
        let journal = Left::find(&beside, false)?;
        let result = match &journal {
            Some(journal) => journal.lay_over(file.clone()).and_then(|(source, warning)| read(source, warning)),
            None => read(file.clone(), None),
        };
        let same_journal = match &journal {
            Some(journal) => journal.is_still_there()?,
            None => !exists(&beside)?,
        };
        if same_journal && file.check_unchanged().is_ok() {
            return result;
        }
    }
    Err(Error::new(Status::FileChanged, "another program changes the file each time it is read"))
}

/// Undoes an interrupted save of a file (a path with links resolved). Returns a warning if it did.
///
/// Does nothing if the save is in progress, or if that cannot be determined.
pub(in crate::file) fn repair(target: &Path) -> Result<Option<Warning>> {
    progress::undisturbed(|| undo_and_remove(target, false))
}

/// Prepares for a new file that is about to get the name `target`: no journal may fit the new file.
///
/// A journal fits if the new file contains the bytes that the interrupted save was writing. That save is then undone
/// while the old file still has the name, and the removal of the journal is synced. Any other journal can stay. Returns
/// true if there is one, to be removed later with [`forget`].
///
/// Fails with [`Status::Locked`] if such a save is in progress. Fails if its journal cannot be removed.
pub(in crate::file) fn exclude_journal(target: &Path, new: &File) -> Result<bool> {
    let Some(beside) = journal_path(target) else { return Ok(false) };
    let Some(journal) = Left::find(&beside, false)? else { return Ok(false) };
    let new = new.try_clone().map_err(|error| Error::io("cannot read the new file", &error))?;
    if journal.undo()?.fit(&FileSource::from_file(new)?)? != Fit::Undo {
        return Ok(true);
    }
    if is_held(&journal.file, LockKind::Update) == Some(true) {
        return Err(Error::new(Status::Locked, "the file is being saved by another program or handle"));
    }
    drop(journal);
    undo_and_remove(target, true)?;
    if !exists(&beside)? {
        return Ok(false);
    }
    let name = beside.display();
    let message =
        format!("the journal '{name}' cannot be removed; it would make the new file look like an interrupted save");
    Err(Error::new(Status::PermissionDenied, message))
}

/// Undoes an interrupted save and removes its journal. With `foreign`, also removes a journal that belongs to another
/// file.
fn undo_and_remove(target: &Path, foreign: bool) -> Result<Option<Warning>> {
    let Some(beside) = journal_path(target) else { return Ok(None) };
    let journal = match Left::find(&beside, true) {
        Ok(Some(journal)) => journal,
        Ok(None) => return Ok(None),
        // The file can still be read, with the journal over it.
        Err(error) if error.status() == Status::PermissionDenied => return Ok(None),
        Err(error) => return Err(error),
    };
    let busy = || Error::new(Status::Locked, "the file is being saved");
    // A save in progress holds the lock, and removes the journal before it releases the lock.
    let Ok(Some(_held)) = HeldLock::exclusive(journal.file.clone(), LockKind::Update, busy) else { return Ok(None) };
    if !is_same_file(&journal.file, &beside)? {
        return Ok(None);
    }
    let folder = Folder::open(folder_of(&beside))?;
    let undo = journal.undo()?;
    let warning = match FileSource::open_writable(target) {
        Err(error) if foreign && error.status() == Status::FileNotFound => None,
        Err(error) => return Err(error),
        Ok(file) => match undo.fit(&file)? {
            Fit::Foreign if foreign => None,
            Fit::Foreign => return Ok(None),
            Fit::Untouched => None,
            Fit::Undo => {
                undo.restore(file.descriptor())?;
                Some(Warning::new("a save of the file was interrupted; the content before that save was restored"))
            }
        },
    };
    std::fs::remove_file(&beside).map_err(|error| Error::io("cannot remove the journal", &error))?;
    folder.sync().map_err(|error| Error::io("cannot sync the directory to disk", &error))?;
    Ok(warning)
}

/// Removes the journal of a file that was replaced.
///
/// If that fails, the journal does no harm: [`exclude_journal`] has made sure that it does not fit the new file.
pub(in crate::file) fn forget(target: &Path) {
    let Some(beside) = journal_path(target) else { return };
    if let Ok(Some(journal)) = Left::find(&beside, false)
        && is_held(&journal.file, LockKind::Update) != Some(true)
    {
        let _ = std::fs::remove_file(&beside);
    }
}

/// Returns the path of the journal for a file that is opened by this name; `None` if the name does not lead to a named
/// file, such as the name of a descriptor.
fn journal_of(path: &Path) -> Result<Option<PathBuf>> {
    let followed = match std::fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => path.canonicalize(),
        Ok(_) => return Ok(journal_path(path)),
        Err(error) => Err(error),
    };
    match followed {
        Ok(path) => Ok(journal_path(&path)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io("cannot open the file", &error)),
    }
}

fn exists(path: &Path) -> Result<bool> {
    match std::fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("cannot look for a journal", &error)),
    }
}

/// An existing journal.
struct Left {
    path: PathBuf,
    file: Arc<File>,
    source: Arc<FileSource>,
}

impl Left {
    fn find(path: &Path, writable: bool) -> Result<Option<Left>> {
        let mut options = OpenOptions::new();
        options.read(true).write(writable);
        // A link or a pipe of this name can only be an attempt to mislead.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOFOLLOW);
        match options.open(path) {
            Ok(file) => {
                let source = Arc::new(FileSource::from_file(file)?);
                let file = source.file().ok_or_else(|| Error::new(Status::Internal, "a file source without a file"))?;
                Ok(Some(Left { path: path.to_path_buf(), file, source }))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => {
                let action = format!("cannot look for the journal '{}' of an interrupted save", path.display());
                Err(Error::io(&action, &error))
            }
        }
    }

    fn undo(&self) -> Result<Undo> {
        Undo::read(self.source.clone())
    }

    /// Returns the content of the file before the save, and a warning if there is one.
    fn lay_over(&self, file: Arc<dyn Source>) -> Result<(Arc<dyn Source>, Option<Warning>)> {
        let undo = self.undo()?;
        Ok(match undo.fit(&*file)? {
            Fit::Untouched => (file, None),
            Fit::Undo => {
                let warning = "a save of the file was interrupted; the content before that save is read, and opening \
                               the file for update restores it";
                let goes_on = is_held(&self.file, LockKind::Update) == Some(true);
                (Arc::new(undo.overlay(file)?), (!goes_on).then(|| Warning::new(warning)))
            }
            Fit::Foreign => {
                let name = self.path.display();
                let warning = format!(
                    "the journal '{name}' of an interrupted save is damaged or does not fit the file, and is ignored"
                );
                (file, Some(Warning::new(warning)))
            }
        })
    }

    fn is_still_there(&self) -> Result<bool> {
        Ok(self.source.check_unchanged().is_ok() && is_same_file(&self.file, &self.path)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::disk::journal::Journal;
    use crate::file::{Access, File as AsdfFile, NewOptions, OpenOptions as AsdfOptions, WriteOptions};
    use crate::source::write_all_at;

    const OLD: &str = "what it was";
    const NEW: &str = "WHAT IT WAS";

    struct Place {
        path: PathBuf,
        old: Vec<u8>,
        directory: tempfile::TempDir,
    }

    impl Place {
        fn new() -> Place {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("file.asdf");
            let file = AsdfFile::new(&NewOptions::default());
            file.root().unwrap().set_string("text", OLD).unwrap();
            file.write(&path, &WriteOptions::default()).unwrap();
            Place { old: std::fs::read(&path).unwrap(), path, directory }
        }

        fn journal(&self) -> PathBuf {
            journal_path(&self.path).unwrap()
        }

        /// Overwrites the text and extends the file, as an interrupted save does.
        fn interrupt(&self) -> Journal {
            let at = self.old.windows(OLD.len()).position(|window| window == OLD.as_bytes()).unwrap() as u64;
            let length = self.old.len() as u64;
            let mut journal = Journal::begin(&self.path, length, false).unwrap();
            journal.watch(&FileSource::open(&self.path).unwrap(), 0..at).unwrap();
            journal.keep_under(&FileSource::open(&self.path).unwrap(), at, NEW.as_bytes()).unwrap();
            journal.ready().unwrap();
            let file = OpenOptions::new().write(true).open(&self.path).unwrap();
            write_all_at(&file, at, NEW.as_bytes()).unwrap();
            write_all_at(&file, length, b"and more").unwrap();
            journal
        }

        fn open(&self) -> AsdfFile {
            AsdfFile::open(&self.path, &Default::default()).unwrap()
        }

        fn bytes(&self) -> Vec<u8> {
            std::fs::read(&self.path).unwrap()
        }
    }

    fn text(file: &AsdfFile) -> String {
        file.root().unwrap().string("text").unwrap()
    }

    #[test]
    fn reading_shows_what_was_and_update_restores_it() {
        let place = Place::new();
        drop(place.interrupt());
        let mixed = place.bytes();
        let file = place.open();
        assert_eq!((text(&file).as_str(), file.warnings().len()), (OLD, 1));
        assert_eq!(place.bytes(), mixed);
        let strict = AsdfOptions { strict: true, ..Default::default() };
        assert_eq!(AsdfFile::open(&place.path, &strict).err().unwrap().status(), Status::Strict);

        let file = AsdfFile::open_for_update(&place.path, &Default::default()).unwrap();
        assert_eq!((text(&file).as_str(), file.warnings().len()), (OLD, 1));
        assert_eq!(place.bytes(), place.old);
        assert!(!place.journal().exists());
        assert!(place.open().warnings().is_empty());
    }

    #[test]
    fn a_save_in_progress_is_not_undone() {
        let place = Place::new();
        let mut journal = place.interrupt();
        let mixed = place.bytes();
        for open in [AsdfFile::open, AsdfFile::open_for_update] {
            let file = open(&place.path, &Default::default()).unwrap();
            assert_eq!(text(&file), OLD);
            if cfg!(target_os = "linux") {
                assert!(file.warnings().is_empty());
            }
            assert_eq!(place.bytes(), mixed);
        }
        journal.commit(false).unwrap();
        assert_eq!(text(&place.open()), NEW);
    }

    #[test]
    fn links_and_other_files_lead_to_the_journal() {
        let place = Place::new();
        let outer = place.directory.path().join("outer.asdf");
        let file = AsdfFile::new(&NewOptions::default());
        file.root().unwrap().set_reference("there", "file.asdf#/text").unwrap();
        file.write(&outer, &WriteOptions::default()).unwrap();
        drop(place.interrupt());
        let options = AsdfOptions { access: Access::SameDirectory, ..Default::default() };
        let node = AsdfFile::open(&outer, &options).unwrap().root().unwrap().get("there").unwrap();
        assert_eq!(node.string("").unwrap(), OLD);
        #[cfg(unix)]
        {
            let link = place.directory.path().join("link");
            std::os::unix::fs::symlink("file.asdf", &link).unwrap();
            assert_eq!(text(&AsdfFile::open(&link, &Default::default()).unwrap()), OLD);
            assert_eq!(text(&AsdfFile::open_for_update(&link, &Default::default()).unwrap()), OLD);
            assert_eq!(place.bytes(), place.old);
        }
    }

    #[test]
    fn a_journal_that_is_not_whole_is_removed() {
        let place = Place::new();
        for bytes in [&b""[..], b"asdf undo log 1\nand then"] {
            std::fs::write(place.journal(), bytes).unwrap();
            assert!(place.open().warnings().is_empty());
            assert!(AsdfFile::open_for_update(&place.path, &Default::default()).unwrap().warnings().is_empty());
            assert!(!place.journal().exists());
            assert_eq!(place.bytes(), place.old);
        }
    }

    #[test]
    fn a_journal_of_another_file_is_left_alone_until_a_new_file_takes_the_place() {
        let place = Place::new();
        drop(place.interrupt());
        let journal = std::fs::read(place.journal()).unwrap();
        let other = place.old.iter().map(|byte| if *byte == b'w' { b'W' } else { *byte }).collect::<Vec<u8>>();
        std::fs::write(&place.path, &other).unwrap();
        for open in [AsdfFile::open, AsdfFile::open_for_update] {
            let file = open(&place.path, &Default::default()).unwrap();
            assert_eq!((text(&file).as_str(), file.warnings().len()), ("What it Was", 1));
        }
        assert_eq!((place.bytes(), std::fs::read(place.journal()).unwrap()), (other, journal));

        let file = AsdfFile::new(&NewOptions::default());
        assert_eq!(file.write(&place.path, &WriteOptions::default()).unwrap_err().status(), Status::FileExists);
        assert!(place.journal().exists());
        file.write(&place.path, &WriteOptions { replace: true, ..WriteOptions::default() }).unwrap();
        assert!(!place.journal().exists());
        assert!(place.open().warnings().is_empty());
    }

    #[test]
    fn a_reader_meets_only_whole_versions() {
        let place = Place::new();
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..300 {
                    let mut journal = place.interrupt();
                    journal.commit(false).unwrap();
                    let mut journal = Journal::begin(&place.path, place.bytes().len() as u64, false).unwrap();
                    journal.keep(&FileSource::open(&place.path).unwrap(), 0..u64::MAX).unwrap();
                    journal.ready().unwrap();
                    let file = OpenOptions::new().write(true).open(&place.path).unwrap();
                    write_all_at(&file, 0, &place.old).unwrap();
                    file.set_len(place.old.len() as u64).unwrap();
                    crate::file::disk::journal::mark_modified(&file);
                    journal.commit(false).unwrap();
                }
                stop.store(true, std::sync::atomic::Ordering::Release);
            });
            while !stop.load(std::sync::atomic::Ordering::Acquire) {
                match AsdfFile::open(&place.path, &Default::default()) {
                    Ok(file) => assert!([OLD, NEW].contains(&text(&file).as_str())),
                    Err(error) => assert_eq!(error.status(), Status::FileChanged),
                }
            }
        });
    }
}
