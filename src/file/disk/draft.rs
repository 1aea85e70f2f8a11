//! Drafts: new files in the directory of their target, before they get the name of the target.
//!
//! A writer removes only its own draft. The draft of a killed writer may hold data that are nowhere else, so it stays,
//! and the next writer of the target names it in a warning. Only drafts without a byte are removed.
//!
//! A writer holds a lock on its draft. A draft whose lock is free belongs to a dead writer. The name of a draft
//! consists of the name of the target and a small number, so a few look-ups find all drafts of a target, even in a
//! large directory. Where locks prove nothing, names are random and no draft is looked for.

use super::folder::folder_of;
use super::rights::Grant;
use super::temporary::Temporary;
use crate::error::{Error, Result, Status, Warning};
use crate::layout::md5;
use crate::source::{LockKind, Locked, hold, is_held, is_same_file, locks_are_proof};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Number of draft names with a number per target, and of look-ups per save. Further simultaneous writers get random
/// names.
const SLOTS: u32 = 16;
const END: &str = ".asdf-tmp";
/// Maximum length of a file name, in bytes.
pub(crate) const LONGEST_NAME: usize = 255;
/// The first bytes of an ASDF file.
const FIRST: &[u8] = b"#ASDF";

/// Creates an empty file in the directory of `target`, for a file with these rights. It is removed when dropped, unless
/// it got another name.
pub(crate) fn create(target: &Path, grant: &Grant) -> Result<Temporary> {
    let made = make(target, grant.create_mode())?;
    grant.check_created(made.as_file()).map_err(|error| failed(folder_of(target), &error))?;
    Ok(Temporary::new(made))
}

fn make(target: &Path, mode: u32) -> Result<NamedTempFile> {
    let stem = stem(target)?;
    let folder = folder_of(target);
    if locks_are_proof(folder) {
        for slot in 0..SLOTS {
            match create_locked(folder, &slot_name(&stem, slot), mode)? {
                Slot::Made(draft) => return Ok(draft),
                Slot::Taken => {}
                Slot::Unlockable => break,
            }
        }
    }
    let mut start = stem;
    start.push(".");
    create_as(Builder::new().prefix(&start).suffix(END), folder, mode).map_err(|error| failed(folder, &error))
}

/// Returns a warning for each draft of `target` that a killed writer left. Removes drafts without a byte.
pub(crate) fn look_for_left(target: &Path) -> Vec<Warning> {
    left(target, true).iter().map(|path| Warning::new(advice(path))).collect()
}

/// Adds the temporary files that killed writers of `target` left to an error of a file that does not exist or must not
/// be replaced. Other errors stay unchanged.
pub fn name_left(target: &Path, error: Error) -> Error {
    match error.status() {
        Status::FileNotFound | Status::FileExists => {
            left(target, false).iter().fold(error, |error, path| error.with_more(&advice(path)))
        }
        _ => error,
    }
}

/// Says what to do with a draft that is left.
fn advice(path: &Path) -> String {
    let mut start = Vec::new();
    let opened = File::open(path).and_then(|file| file.take(FIRST.len() as u64).read_to_end(&mut start));
    let name = path.display();
    let what = match opened {
        Ok(_) if start == FIRST => "recover it (asdf_file_recover, asdfkit recover) or delete it",
        _ => "keep it under another name or delete it",
    };
    format!("a program was ended while it wrote this file; what it had written is in '{name}': {what}")
}

/// Returns the drafts of `target` that hold bytes and whose writers are dead. With `tidy`, removes drafts without a
/// byte.
fn left(target: &Path, tidy: bool) -> Vec<PathBuf> {
    let Ok(stem) = stem(target) else { return Vec::new() };
    let folder = folder_of(target);
    if !locks_are_proof(folder) {
        return Vec::new();
    }
    let mut left = Vec::new();
    for slot in 0..SLOTS {
        let path = folder.join(slot_name(&stem, slot));
        let Some(metadata) = path.symlink_metadata().ok().filter(std::fs::Metadata::is_file) else { continue };
        if metadata.len() > 0 && is_dead(&path) {
            left.push(path);
        } else if metadata.len() == 0 && tidy {
            remove_if_empty(&path);
        }
    }
    left
}

fn is_dead(path: &Path) -> bool {
    open_left(path, false).is_some_and(|file| is_held(&file, LockKind::Draft) == Some(false))
}

/// Opens a draft. Links and pipes are not opened.
fn open_left(path: &Path, writable: bool) -> Option<File> {
    if !path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return None;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(writable);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOFOLLOW);
    options.open(path).ok()
}

/// Returns the path of a hidden file with this name ending in the directory of `target`; `None` if `target` has no file
/// name.
pub(super) fn hidden_beside(target: &Path, end: &str) -> Option<PathBuf> {
    let mut name = hidden_start(target.file_name()?, end.len());
    name.push(end);
    Some(folder_of(target).join(name))
}

/// Returns the start of a hidden name, which is unique for `name` and leaves space for an ending of `end` bytes.
fn hidden_start(name: &OsStr, end: usize) -> OsString {
    let mut start = OsString::from(".");
    if name.len() + 1 + end > LONGEST_NAME {
        let short: String = name.to_string_lossy().chars().take(40).collect();
        let digest = u128::from_be_bytes(md5(name.as_encoded_bytes()));
        start.push(format!("{short}.{digest:032x}"));
    } else {
        start.push(name);
    }
    start
}

/// Returns the start of the draft names of a target.
fn stem(target: &Path) -> Result<OsString> {
    let name = target.file_name().ok_or_else(|| {
        Error::new(
            Status::InvalidArgument,
            if target.as_os_str().is_empty() { "the file name is empty" } else { "the path has no file name" },
        )
    })?;
    // For a point and six characters in random names.
    Ok(hidden_start(name, END.len() + 7))
}

fn slot_name(stem: &OsStr, slot: u32) -> OsString {
    let mut name = stem.to_owned();
    name.push(format!(".{slot}{END}"));
    name
}

enum Slot {
    Made(NamedTempFile),
    /// The name belongs to a living writer, or to something that is not a draft.
    Taken,
    /// The file system has no locks.
    Unlockable,
}

fn create_locked(folder: &Path, name: &OsStr, mode: u32) -> Result<Slot> {
    let create = || create_as(Builder::new().prefix(name).rand_bytes(0), folder, mode);
    let draft = match create() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            if !remove_if_empty(&folder.join(name)) {
                return Ok(Slot::Taken);
            }
            match create() {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(Slot::Taken),
                draft => draft,
            }
        }
        draft => draft,
    };
    let mut draft = draft.map_err(|error| failed(folder, &error))?;
    match hold(draft.as_file(), LockKind::Draft) {
        // Between creation and lock, another process may have removed the draft, and a third may have taken the name.
        Locked::Held => match is_same_file(draft.as_file(), draft.path()) {
            Ok(true) => Ok(Slot::Made(draft)),
            Ok(false) => {
                draft.disable_cleanup(true);
                Ok(Slot::Taken)
            }
            Err(error) => {
                // While the lock is held, nobody can give the name to another file.
                let is_own = matches!(is_same_file(draft.as_file(), draft.path()), Ok(true));
                draft.disable_cleanup(!is_own);
                Err(error)
            }
        },
        // Another writer has the lock, because it takes the draft for a dead one and removes it. Removing it here as
        // well could remove the draft of a third writer.
        Locked::Refused => {
            draft.disable_cleanup(true);
            Ok(Slot::Taken)
        }
        Locked::Unavailable => Ok(Slot::Unlockable),
    }
}

/// Removes a draft if its writer is dead and it has no bytes. Returns true if it was removed.
fn remove_if_empty(path: &Path) -> bool {
    let Some(file) = open_left(path, true) else { return false };
    // While the lock is held, nobody else removes or renames the draft, so the name still means this file.
    hold(&file, LockKind::Draft) == Locked::Held
        && file.metadata().is_ok_and(|metadata| metadata.len() == 0)
        && matches!(is_same_file(&file, path), Ok(true))
        && std::fs::remove_file(path).is_ok()
}

#[cfg_attr(not(unix), allow(unused_variables))]
fn create_as(builder: &mut Builder, folder: &Path, mode: u32) -> std::io::Result<NamedTempFile> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
    builder.make_in(folder, |path| options.open(path))
}

fn failed(folder: &Path, error: &std::io::Error) -> Error {
    Error::io(&format!("cannot make a file in the directory '{}'", folder.display()), error)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    const MODE: u32 = 0o600;

    fn names(folder: &Path) -> BTreeSet<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect()
    }

    /// Leaves a draft behind, as a killed writer does.
    fn leave(target: &Path) -> PathBuf {
        let mut draft = make(target, MODE).unwrap();
        draft.disable_cleanup(true);
        draft.path().to_path_buf()
    }

    #[test]
    fn a_draft_that_is_not_named_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.asdf");
        let draft = make(&target, MODE).unwrap();
        let name = draft.path().file_name().unwrap().to_string_lossy().into_owned();
        assert!(name.starts_with(".a.asdf.") && name.ends_with(".asdf-tmp"), "{name}");
        drop(draft);
        assert!(names(folder.path()).is_empty());
        make(&target, MODE).unwrap().persist(&target).unwrap();
        assert_eq!(names(folder.path()), BTreeSet::from(["a.asdf".to_owned()]));
        assert_eq!(make(Path::new("/"), MODE).unwrap_err().status(), Status::InvalidArgument);
    }

    #[test]
    fn drafts_of_dead_writers_are_named_and_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        if !locks_are_proof(folder.path()) {
            return;
        }
        let target = path("a.asdf");
        assert!(look_for_left(&target).is_empty());
        let living = make(&target, MODE).unwrap();
        std::fs::write(living.path(), b"mine").unwrap();
        let others: Vec<_> = ["a.asdf.0", "a", "b.asdf"].map(|name| leave(&path(name))).into();
        let dead = ["#ASDF 1.0.0\n", "# %ECSV 1.0\n"].map(|content| {
            let dead = leave(&target);
            std::fs::write(&dead, content).unwrap();
            dead
        });
        let empty = leave(&target);
        let warnings = look_for_left(&target);
        let message = |index: usize| warnings.get(index).map_or("", |warning| &warning.message);
        assert_eq!(warnings.len(), 2);
        assert!(message(0).contains(&*dead[0].to_string_lossy()) && message(0).contains("asdfkit recover"));
        assert!(message(1).contains(&*dead[1].to_string_lossy()) && !message(1).contains("recover"));
        assert!(!empty.exists() && living.path().exists());
        assert!(others.iter().chain(&dead).all(|path| path.exists()));

        let error = name_left(&target, Error::new(Status::FileNotFound, "no file"));
        assert!(error.message().contains(&*dead[0].to_string_lossy()) && error.message().starts_with("no file; "));
        assert_eq!(name_left(&target, Error::new(Status::Io, "failed")).message(), "failed");
        // The next writer takes another number.
        assert!(!dead.iter().any(|path| path == make(&target, MODE).unwrap().path()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn other_kinds_of_files_are_not_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let target = path("a.asdf");
        std::fs::write(path("precious"), b"data").unwrap();
        std::os::unix::fs::symlink("precious", path(".a.asdf.0.asdf-tmp")).unwrap();
        std::fs::create_dir(path(".a.asdf.1.asdf-tmp")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path(".a.asdf.2.asdf-tmp"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        std::os::unix::fs::symlink("nowhere", path(".a.asdf.3.asdf-tmp")).unwrap();
        let before = names(folder.path());
        look_for_left(&target);
        make(&target, MODE).unwrap().persist(&target).unwrap();
        let mut after = names(folder.path());
        assert!(after.remove("a.asdf"));
        assert_eq!(after, before);
        assert_eq!(std::fs::read(path("precious")).unwrap(), b"data");
    }

    #[test]
    fn every_writer_has_a_draft_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.asdf");
        let many: Vec<_> = (0..SLOTS + 5).map(|_| make(&target, MODE).unwrap()).collect();
        let paths: BTreeSet<_> = many.iter().map(|draft| draft.path().to_path_buf()).collect();
        assert_eq!(paths.len(), many.len());
        look_for_left(&target);
        assert!(paths.iter().all(|path| path.exists()));
        drop(many);
        assert!(names(folder.path()).is_empty());
    }

    /// Some writers leave drafts behind while others look for them.
    #[test]
    fn no_living_writer_loses_its_draft() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("a.asdf");
        std::thread::scope(|scope| {
            for thread in 0..4_u8 {
                let target = &target;
                scope.spawn(move || {
                    for round in 0..500_u32 {
                        let mut draft = make(target, MODE).unwrap();
                        let own = [&[thread][..], &round.to_le_bytes()].concat();
                        std::io::Write::write_all(draft.as_file_mut(), &own).unwrap();
                        look_for_left(target);
                        assert_eq!(std::fs::read(draft.path()).unwrap(), own);
                        draft.disable_cleanup(round % 3 == 0);
                    }
                });
            }
        });
        let left = names(folder.path()).len();
        assert!(
            left >= 4 * 500 / 3 && (!locks_are_proof(folder.path()) || look_for_left(&target).len() == SLOTS as usize)
        );
    }

    #[test]
    fn names_that_are_too_long_stay_apart() {
        let folder = Path::new("/x");
        let [one, other] = ["x", "y"].map(|end| stem(&folder.join("é".repeat(120) + end)).unwrap());
        assert!(one != other && one.len() < 130);
        assert_eq!(stem(&folder.join("a.asdf")).unwrap(), ".a.asdf");
    }
}
