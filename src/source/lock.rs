//! Advisory locks between programs that open the same file with this library.
//!
//! Each lock covers one byte far beyond any data and belongs to the open file description. It ends when the last
//! descriptor of that description is closed. It also works between two descriptions in one process. On file systems
//! without such locks there is no protection.

use crate::process::Process;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// Purpose of a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockKind {
    /// Exclusive right to change the file.
    Update,
    /// Exclusive right to write a draft, until the draft is closed.
    Draft,
}

/// Result of a lock request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Locked {
    /// The lock is held.
    Held,
    /// Another holder has a conflicting lock.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no locks"))]
    Refused,
    /// The file system or platform has no such locks.
    Unavailable,
}

/// An exclusive lock. It ends when this value is dropped in the process that requested it, even if maps keep the file
/// open.
pub(crate) struct HeldLock {
    file: Arc<File>,
    kind: LockKind,
    process: Process,
}

impl HeldLock {
    /// Requests an exclusive lock on a file that is open for writing. Does not wait. Returns `None` if locks are not
    /// available, and the error of `refused` if there is a conflicting lock.
    pub(crate) fn exclusive<E>(
        file: Arc<File>,
        kind: LockKind,
        refused: impl FnOnce() -> E,
    ) -> Result<Option<HeldLock>, E> {
        match system::ask(&file, kind) {
            Locked::Held => Ok(Some(HeldLock { file, kind, process: Process::current() })),
            Locked::Refused => Err(refused()),
            Locked::Unavailable => Ok(None),
        }
    }
}

impl Drop for HeldLock {
    fn drop(&mut self) {
        // A child shares the lock with its parent; releasing it here would release the parent's lock.
        if self.process.is_current() {
            system::release(&self.file, self.kind);
        }
    }
}

/// Returns whether the file has an exclusive lock of this kind; `None` if locks are not available.
pub(crate) fn is_held(file: &File, kind: LockKind) -> Option<bool> {
    system::is_held(file, kind)
}

/// Requests an exclusive lock for as long as the file is open. The file must be open for writing. Does not wait.
pub(crate) fn hold(file: &File, kind: LockKind) -> Locked {
    system::ask(file, kind)
}

/// Returns whether a granted lock on a file in this folder proves that no living process holds it.
///
/// That is true if a single kernel manages the locks. Network file systems may manage them separately on each machine,
/// or lose them while the holder lives.
pub(crate) fn locks_are_proof(folder: &Path) -> bool {
    system::locks_are_proof(folder)
}

#[cfg(target_os = "linux")]
mod system {
    use super::{LockKind, Locked};
    use nix::errno::Errno;
    use nix::fcntl::{FcntlArg, fcntl};
    use nix::libc;
    use std::fs::File;
    use std::path::Path;

    pub(super) fn ask(file: &File, kind: LockKind) -> Locked {
        match fcntl(file, FcntlArg::F_OFD_SETLK(&lock(kind, libc::F_WRLCK))) {
            Ok(_) => Locked::Held,
            Err(Errno::EAGAIN | Errno::EACCES) => Locked::Refused,
            Err(_) => Locked::Unavailable,
        }
    }

    pub(super) fn release(file: &File, kind: LockKind) {
        // The lock ends with the file in any case.
        let _ = fcntl(file, FcntlArg::F_OFD_SETLK(&lock(kind, libc::F_UNLCK)));
    }

    pub(super) fn is_held(file: &File, kind: LockKind) -> Option<bool> {
        let mut lock = lock(kind, libc::F_RDLCK);
        fcntl(file, FcntlArg::F_OFD_GETLK(&mut lock)).ok()?;
        Some(lock.l_type != libc::F_UNLCK as libc::c_short)
    }

    /// File systems that only one kernel writes to, by their `statfs` magic numbers.
    const LOCAL: [u64; 12] = [
        0xEF53,      // ext2, ext3, ext4
        0x5846_5342, // XFS
        0x9123_683E, // Btrfs
        0x2FC1_2FC1, // ZFS
        0xF2F5_2010, // F2FS
        0xCA45_1A4E, // bcachefs
        0x0102_1994, // tmpfs
        0x8584_58F6, // ramfs
        0x794C_7630, // overlayfs
        0x5265_4973, // ReiserFS
        0x3153_464A, // JFS
        0x4D44,      // FAT
    ];

    pub(super) fn locks_are_proof(folder: &Path) -> bool {
        rustix::fs::statfs(folder).is_ok_and(|system| LOCAL.contains(&(system.f_type as u64)))
    }

    fn lock(kind: LockKind, wish: libc::c_int) -> libc::flock {
        libc::flock {
            l_type: wish as libc::c_short,
            l_whence: libc::SEEK_SET as libc::c_short,
            l_start: match kind {
                LockKind::Update => libc::off_t::MAX - 2,
                LockKind::Draft => libc::off_t::MAX - 3,
            },
            l_len: 1,
            l_pid: 0,
        }
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use super::{LockKind, Locked};
    use std::fs::File;
    use std::path::Path;

    pub(super) fn ask(_: &File, _: LockKind) -> Locked {
        Locked::Unavailable
    }

    pub(super) fn release(_: &File, _: LockKind) {}

    pub(super) fn is_held(_: &File, _: LockKind) -> Option<bool> {
        None
    }

    pub(super) fn locks_are_proof(_: &Path) -> bool {
        false
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_one_s_own_until_it_is_dropped() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        std::fs::write(&path, b"x").unwrap();
        let open = || Arc::new(File::options().read(true).write(true).open(&path).unwrap());
        let exclusive = |file: &Arc<File>, kind| HeldLock::exclusive(file.clone(), kind, || "refused");
        let (one, other) = (open(), open());
        let held = exclusive(&one, LockKind::Update).unwrap();
        assert!(held.is_some());
        assert_eq!(exclusive(&other, LockKind::Update).err(), Some("refused"));
        assert_eq!([LockKind::Update, LockKind::Draft].map(|kind| is_held(&other, kind)), [Some(true), Some(false)]);
        assert!(exclusive(&other, LockKind::Draft).unwrap().is_some());
        drop(held);
        assert!(exclusive(&other, LockKind::Update).unwrap().is_some());
    }
}
