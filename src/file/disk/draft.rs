//! Drafts: new files in the directory of their target, before they get the name of the target. Each writer removes the
//! drafts of killed writers.
//!
//! A writer holds a lock on its draft. A draft whose lock is free belongs to a dead writer. The name of a draft
//! consists of the name of the target and a small number, so a few look-ups find all drafts of a target, even in a
//! large directory. Where locks prove nothing, names are random and no draft is removed.

use super::folder::folder_of;
use super::rights::Grant;
use super::temporary::Temporary;
use crate::error::{Error, Result, Status};
use crate::layout::md5;
use crate::source::{LockKind, Locked, hold, is_same_file, locks_are_proof};
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Number of draft names with a number per target, and of look-ups per save. Further simultaneous writers get random
/// names.
const SLOTS: u32 = 16;
const END: &str = ".asdf-tmp";
const LONGEST_NAME: usize = 255;

/// Creates an empty file in the directory of `target`, for a file with these rights. It is removed when dropped, unless
/// it got another name.
pub(crate) fn create(target: &Path, grant: &Grant) -> Result<Temporary> {
    let made = make(target, grant.create_mode())?;
    grant.check_created(made.as_file()).map_err(failed)?;
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
    create_as(Builder::new().prefix(&start).suffix(END), folder, mode).map_err(failed)
}

/// Removes the drafts of `target` whose writers are dead. Drafts stay if that cannot be proven, or if removing fails.
pub(crate) fn remove_dead(target: &Path) {
    let Ok(stem) = stem(target) else { return };
    let folder = folder_of(target);
    if locks_are_proof(folder) {
        for slot in 0..SLOTS {
            remove_if_dead(&folder.join(slot_name(&stem, slot)));
        }
    }
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
            if !remove_if_dead(&folder.join(name)) {
                return Ok(Slot::Taken);
            }
            match create() {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(Slot::Taken),
                draft => draft,
            }
        }
        draft => draft,
    };
    let mut draft = draft.map_err(failed)?;
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

/// Removes a draft if its writer is dead. Returns true if it was removed.
fn remove_if_dead(path: &Path) -> bool {
    // Other kinds of files are not opened.
    if !path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
        return false;
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOFOLLOW);
    let Ok(file) = options.open(path) else { return false };
    // While the lock is held, nobody else removes or renames the draft, so the name still means this file.
    hold(&file, LockKind::Draft) == Locked::Held
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

fn failed(error: std::io::Error) -> Error {
    Error::io("cannot make a temporary file", &error)
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
    fn drafts_of_dead_writers_are_removed_and_no_others() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        if !locks_are_proof(folder.path()) {
            return;
        }
        let target = path("a.asdf");
        let living: Vec<_> = (0..3).map(|_| make(&target, MODE).unwrap()).collect();
        let others: Vec<_> = ["a.asdf.0", "a", "b.asdf"].map(|name| leave(&path(name))).into();
        let dead: Vec<_> = (0..4).map(|_| make(&target, MODE).unwrap()).collect();
        let mut dead: Vec<_> = dead
            .into_iter()
            .map(|mut draft| {
                draft.disable_cleanup(true);
                draft.path().to_path_buf()
            })
            .collect();
        let random = path(".a.asdf.AbCdEf.asdf-tmp");
        std::fs::write(&random, b"somebody's").unwrap();
        remove_dead(&target);
        assert!(dead.iter().all(|path| !path.exists()));
        assert!(living.iter().map(|draft| draft.path()).chain(others.iter().map(|path| &**path)).all(Path::exists));
        assert!(random.exists());

        // The next writer uses the number of a dead draft again.
        dead.push(leave(&target));
        let again = make(&target, MODE).unwrap();
        assert_eq!(again.path(), dead.last().unwrap());
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
        remove_dead(&target);
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
        remove_dead(&target);
        assert!(paths.iter().all(|path| path.exists()));
        drop(many);
        assert!(names(folder.path()).is_empty());
    }

    /// Some writers leave drafts behind while others remove drafts.
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
                        remove_dead(target);
                        assert_eq!(std::fs::read(draft.path()).unwrap(), own);
                        draft.disable_cleanup(round % 3 == 0);
                    }
                });
            }
        });
        remove_dead(&target);
        if locks_are_proof(folder.path()) {
            assert!(names(folder.path()).is_empty());
        }
    }

    #[test]
    fn names_that_are_too_long_stay_apart() {
        let folder = Path::new("/x");
        let [one, other] = ["x", "y"].map(|end| stem(&folder.join("é".repeat(120) + end)).unwrap());
        assert!(one != other && one.len() < 130);
        assert_eq!(stem(&folder.join("a.asdf")).unwrap(), ".a.asdf");
    }
}
