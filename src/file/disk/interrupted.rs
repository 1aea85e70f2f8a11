//! Files whose save in place was interrupted, or is in progress. Opening for reading shows the content before the save.
//! Opening for update restores it on disk.

use super::fit::Fit;
use super::folder::{Folder, folder_of};
use super::journal::{aside_path, journal_path};
use super::undo::Undo;
use crate::error::{Error, Result, Status, Warning};
use crate::progress;
use crate::source::{FileSource, HeldLock, LockKind, OwnSource, Source, is_held, is_same_file};
use std::fs::{File, OpenOptions};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum number of attempts to read a file that is saved at the same time.
const TRIES: u32 = 20;

/// Consequence of a journal beside a file for the reader of the file.
#[derive(Clone)]
pub(crate) enum Found {
    /// A save was interrupted. The content before that save is read, or was restored.
    Interrupted(Warning),
    /// The journal does not belong to the file, which is read as it is and has no defect.
    Stale(Warning),
}

impl Found {
    /// Returns the warning, and whether it is about a defect of the file.
    pub(crate) fn into_warning(self) -> (Warning, bool) {
        match self {
            Found::Interrupted(warning) => (warning, true),
            Found::Stale(warning) => (warning, false),
        }
    }
}

/// Reads a file so that it never sees a half-finished save. `open` opens the file. `read` gets its content before an
/// interrupted save, with a warning, or before a save in progress.
///
/// Fails with [`Status::FileChanged`] if the file is saved again during each attempt.
pub(in crate::file) fn read_settled<T>(
    path: &Path,
    open: impl Fn() -> Result<Arc<dyn Source>>,
    read: impl Fn(Arc<dyn Source>, Option<Found>) -> Result<T>,
) -> Result<T> {
    for _ in 0..TRIES {
        let file = open()?;
        let is_named = file.abilities().is_some_and(OwnSource::is_named);
        let beside = if is_named { journal_path(path) } else { journal_of(path)? };
        let Some(beside) = beside else { return read(file, None) };
        let journal = Left::find(&beside, false)?;
        let result = match &journal {
            Some(journal) => journal.lay_over(file.clone()).and_then(|(source, warning)| read(source, warning)),
            None => read(file.clone(), None),
        };
        let same_journal = match &journal {
            // The journal may belong to a file that has replaced this one since it was opened.
            Some(journal) => journal.is_still_there()? && file.is_at(path)?,
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
    progress::without_cancelling(|| undo_and_remove(target))
}

/// Makes the name of the journal free for a save of this file, which has the name `target`: a journal that does not
/// belong to the file gets another name.
///
/// A journal of a save in progress stays, and one that is needed to undo a save.
pub(in crate::file) fn make_way(target: &Path, file: &FileSource) -> Result<()> {
    let Some(beside) = journal_path(target) else { return Ok(()) };
    let Some(journal) = Left::find(&beside, true)? else { return Ok(()) };
    let Some(_held) = journal.lock()? else { return Ok(()) };
    match journal.undo()?.fit(file)? {
        Fit::Undo => Ok(()),
        Fit::Untouched | Fit::Whole => {
            std::fs::remove_file(&beside).map_err(|error| Error::io("cannot remove the journal", &error))
        }
        Fit::Foreign | Fit::Damaged => match aside_path(target) {
            Some(aside) => std::fs::rename(&beside, aside)
                .map_err(|error| Error::io("cannot rename the journal of an interrupted save", &error)),
            None => Ok(()),
        },
    }
}

/// Undoes an interrupted save and removes its journal.
fn undo_and_remove(target: &Path) -> Result<Option<Warning>> {
    let Some(beside) = journal_path(target) else { return Ok(None) };
    let journal = match Left::find(&beside, true) {
        Ok(Some(journal)) => journal,
        Ok(None) => return Ok(None),
        // The file can still be read, with the journal over it.
        Err(error) if error.status() == Status::PermissionDenied => return Ok(None),
        Err(error) => return Err(error),
    };
    // A save in progress holds the lock, and removes the journal before it releases the lock.
    let Some(_held) = journal.lock()? else { return Ok(None) };
    let folder = Folder::open(folder_of(&beside))?;
    let undo = journal.undo()?;
    let file = FileSource::open_writable(target)?;
    let warning = match undo.fit(&file)? {
        Fit::Foreign | Fit::Damaged => return Ok(None),
        Fit::Untouched | Fit::Whole => None,
        Fit::Undo => {
            undo.restore(file.descriptor())?;
            Some(Warning::new("a save of the file was interrupted; the content before that save was restored"))
        }
    };
    std::fs::remove_file(&beside).map_err(|error| Error::io("cannot remove the journal", &error))?;
    folder.sync().map_err(|error| Error::io("cannot sync the directory to disk", &error))?;
    Ok(warning)
}

/// Returns true if a file has a journal.
pub(in crate::file) fn has_journal(target: &Path) -> Result<bool> {
    journal_path(target).map_or(Ok(false), |beside| exists(&beside))
}

/// Removes the journal of a file that was replaced.
///
/// If that fails, the journal does no harm: the new file is another one than that of the journal.
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

    /// Locks the journal; `None` if its writer lives, or if the name belongs to another file by now.
    fn lock(&self) -> Result<Option<HeldLock>> {
        // Without locks, nobody can tell whether the writer lives.
        let Ok(Some(held)) = HeldLock::exclusive(self.file.clone(), LockKind::Update, || ()) else { return Ok(None) };
        Ok(if is_same_file(&self.file, &self.path)? { Some(held) } else { None })
    }

    fn undo(&self) -> Result<Undo> {
        Undo::read(self.source.clone())
    }

    /// Returns the content of the file before the save, and what to tell the reader.
    fn lay_over(&self, file: Arc<dyn Source>) -> Result<(Arc<dyn Source>, Option<Found>)> {
        let undo = self.undo()?;
        let fit = undo.fit(&*file)?;
        let goes_on = || is_held(&self.file, LockKind::Update) == Some(true);
        Ok(match fit {
            Fit::Untouched | Fit::Whole => (file, None),
            Fit::Undo => {
                let warning = "a save of the file was interrupted; the content before that save is read, and opening \
                               the file for update restores it";
                let found = (!goes_on()).then(|| Found::Interrupted(Warning::new(warning)));
                (Arc::new(undo.overlay(file)?), found)
            }
            // A writer that replaces the file removes its journal afterwards.
            Fit::Foreign | Fit::Damaged if goes_on() => (file, None),
            Fit::Foreign | Fit::Damaged => (file, Some(Found::Stale(self.stale_warning(fit)))),
        })
    }

    fn stale_warning(&self, fit: Fit) -> Warning {
        let name = self.path.display();
        let why = match fit {
            Fit::Damaged => "is damaged, or was written by another version of this library",
            _ => {
                "belongs to another file or to an earlier state of this one, since another program replaced or changed \
                  the file"
            }
        };
        Warning::new(format!(
            "the file is read as it is, because the journal '{name}' of an interrupted save {why}; if the file is as \
             it should be, delete the journal; to keep the bytes before that save, rename the journal, as the next \
             save in place does"
        ))
    }

    fn is_still_there(&self) -> Result<bool> {
        Ok(self.source.check_unchanged().is_ok() && is_same_file(&self.file, &self.path)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::disk::journal::Journal;
    use crate::file::disk::journal_format::Purpose;
    use crate::file::{Access, File as AsdfFile, NewOptions, OpenOptions as AsdfOptions, WriteOptions};
    use crate::source::write_all_at;

    const OLD: &str = "what it was";
    const NEW: &str = "WHAT IT WAS";

    struct TestFile {
        path: PathBuf,
        old: Vec<u8>,
        directory: tempfile::TempDir,
    }

    impl TestFile {
        fn new() -> TestFile {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("file.asdf");
            let file = AsdfFile::new(&NewOptions::default());
            file.root().unwrap().set_string("text", OLD).unwrap();
            file.write(&path, &WriteOptions::default()).unwrap();
            TestFile { old: std::fs::read(&path).unwrap(), path, directory }
        }

        fn journal(&self) -> PathBuf {
            journal_path(&self.path).unwrap()
        }

        /// Overwrites the text and extends the file, as an interrupted save does.
        fn interrupt(&self) -> Journal {
            let at = self.old.windows(OLD.len()).position(|window| window == OLD.as_bytes()).unwrap() as u64;
            let length = self.old.len() as u64;
            let source = FileSource::open(&self.path).unwrap();
            let mut journal = Journal::begin(&self.path, &source, Purpose::Save, false).unwrap();
            journal.watch(&source, 0..at).unwrap();
            journal.keep_under(&FileSource::open(&self.path).unwrap(), at, NEW.as_bytes()).unwrap();
            journal.ready().unwrap();
            journal.begin_writes().unwrap();
            let file = OpenOptions::new().write(true).open(&self.path).unwrap();
            write_all_at(&file, at, NEW.as_bytes()).unwrap();
            write_all_at(&file, length, b"and more").unwrap();
            journal
        }

        fn open(&self) -> AsdfFile {
            AsdfFile::open(&self.path).unwrap()
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
        let test_file = TestFile::new();
        drop(test_file.interrupt());
        let mixed = test_file.bytes();
        let file = test_file.open();
        assert_eq!((text(&file).as_str(), file.warnings().len()), (OLD, 1));
        assert_eq!(test_file.bytes(), mixed);
        let strict = AsdfOptions { strict: true, ..Default::default() };
        assert_eq!(AsdfFile::open_with(&test_file.path, &strict).err().unwrap().status(), Status::Strict);

        let file = AsdfFile::open_for_update(&test_file.path, &Default::default()).unwrap();
        assert_eq!((text(&file).as_str(), file.warnings().len()), (OLD, 1));
        assert_eq!(test_file.bytes(), test_file.old);
        assert!(!test_file.journal().exists());
        assert!(test_file.open().warnings().is_empty());
    }

    #[test]
    fn a_save_in_progress_is_not_undone() {
        let test_file = TestFile::new();
        let mut journal = test_file.interrupt();
        let mixed = test_file.bytes();
        for open in [AsdfFile::open_with::<&Path>, AsdfFile::open_for_update] {
            let file = open(&test_file.path, &Default::default()).unwrap();
            assert_eq!(text(&file), OLD);
            if cfg!(target_os = "linux") {
                assert!(file.warnings().is_empty());
            }
            assert_eq!(test_file.bytes(), mixed);
        }
        journal.commit(false).unwrap();
        assert_eq!(text(&test_file.open()), NEW);
    }

    #[test]
    fn links_and_other_files_lead_to_the_journal() {
        let test_file = TestFile::new();
        let outer = test_file.directory.path().join("outer.asdf");
        let file = AsdfFile::new(&NewOptions::default());
        file.root().unwrap().set_reference("there", "file.asdf#/text").unwrap();
        file.write(&outer, &WriteOptions::default()).unwrap();
        drop(test_file.interrupt());
        let options = AsdfOptions { access: Access::SameDirectory, ..Default::default() };
        let node = AsdfFile::open_with(&outer, &options).unwrap().root().unwrap().at("there").unwrap();
        assert_eq!(node.string("").unwrap(), OLD);
        #[cfg(unix)]
        {
            let link = test_file.directory.path().join("link");
            std::os::unix::fs::symlink("file.asdf", &link).unwrap();
            assert_eq!(text(&AsdfFile::open(&link).unwrap()), OLD);
            assert_eq!(text(&AsdfFile::open_for_update(&link, &Default::default()).unwrap()), OLD);
            assert_eq!(test_file.bytes(), test_file.old);
        }
    }

    #[test]
    fn a_journal_that_is_not_whole_is_removed() {
        let test_file = TestFile::new();
        for bytes in [&b""[..], b"asdf undo log 1\nand then"] {
            std::fs::write(test_file.journal(), bytes).unwrap();
            assert!(test_file.open().warnings().is_empty());
            assert!(AsdfFile::open_for_update(&test_file.path, &Default::default()).unwrap().warnings().is_empty());
            assert!(!test_file.journal().exists());
            assert_eq!(test_file.bytes(), test_file.old);
        }
    }

    #[test]
    fn a_journal_of_another_file_is_left_alone_until_a_new_file_takes_the_place() {
        let test_file = TestFile::new();
        drop(test_file.interrupt());
        let journal = std::fs::read(test_file.journal()).unwrap();
        let other = test_file.old.iter().map(|byte| if *byte == b'w' { b'W' } else { *byte }).collect::<Vec<u8>>();
        std::fs::write(&test_file.path, &other).unwrap();
        for open in [AsdfFile::open_with::<&Path>, AsdfFile::open_for_update] {
            let file = open(&test_file.path, &Default::default()).unwrap();
            assert_eq!((text(&file).as_str(), file.warnings().len()), ("What it Was", 1));
        }
        assert_eq!((test_file.bytes(), std::fs::read(test_file.journal()).unwrap()), (other, journal));

        let file = AsdfFile::new(&NewOptions::default());
        assert_eq!(file.write(&test_file.path, &WriteOptions::default()).unwrap_err().status(), Status::FileExists);
        assert!(test_file.journal().exists());
        file.write(&test_file.path, &WriteOptions { replace: true, ..WriteOptions::default() }).unwrap();
        assert!(!test_file.journal().exists());
        assert!(test_file.open().warnings().is_empty());
    }

    #[test]
    fn a_reader_meets_only_whole_versions() {
        let test_file = TestFile::new();
        let stop = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for _ in 0..300 {
                    let mut journal = test_file.interrupt();
                    journal.commit(false).unwrap();
                    let source = FileSource::open(&test_file.path).unwrap();
                    let mut journal = Journal::begin(&test_file.path, &source, Purpose::Save, false).unwrap();
                    journal.keep(&source, 0..u64::MAX).unwrap();
                    journal.ready().unwrap();
                    journal.begin_writes().unwrap();
                    let file = OpenOptions::new().write(true).open(&test_file.path).unwrap();
                    write_all_at(&file, 0, &test_file.old).unwrap();
                    file.set_len(test_file.old.len() as u64).unwrap();
                    crate::file::disk::journal::mark_modified(&file);
                    journal.commit(false).unwrap();
                }
                stop.store(true, std::sync::atomic::Ordering::Release);
            });
            while !stop.load(std::sync::atomic::Ordering::Acquire) {
                match AsdfFile::open(&test_file.path) {
                    Ok(file) => assert!([OLD, NEW].contains(&text(&file).as_str())),
                    Err(error) => assert_eq!(error.status(), Status::FileChanged),
                }
            }
        });
    }
}
