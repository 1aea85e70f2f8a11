//! Insertions of space into a file, and the new positions of the bytes after them for sources that were opened before.

use crate::error::{Error, Result, Status};
use crate::process::ForkRwLock;
use std::fs::File;

/// Insertions into a file since it was opened. All sources on the file share them.
#[derive(Default)]
pub(super) struct Moves(ForkRwLock<Insertions>);

#[derive(Default)]
struct Insertions {
    list: Vec<Insertion>,
    /// True if the last insertion may still be removed.
    is_tentative: bool,
}

#[derive(Clone, Copy)]
struct Insertion {
    at: u64,
    length: u64,
}

impl Moves {
    /// Returns the number of insertions. A source created now knows the positions after them. Returns `usize::MAX` in a
    /// child process if its parent was inserting during the fork.
    pub(super) fn count(&self) -> usize {
        self.0.read().map_or(usize::MAX, |insertions| insertions.list.len())
    }

    /// Reads at an offset as it was after the first `known` insertions. `read` gets the current offset and the number
    /// of contiguous bytes from there on. Nothing is moved before `read` returns.
    pub(super) fn at<T>(&self, known: usize, offset: u64, read: impl FnOnce(u64, u64) -> Result<T>) -> Result<T> {
        let insertions = self.0.read()?;
        let later = insertions.list.get(known..).ok_or_else(|| {
            Error::new(Status::FileChanged, "an insertion into the file was undone after the file was opened")
        })?;
        let (mut place, mut run) = (offset, u64::MAX);
        for insertion in later {
            match insertion.at.checked_sub(place) {
                None | Some(0) => place = place.saturating_add(insertion.length),
                Some(before) => run = run.min(before),
            }
        }
        read(place, run)
    }

    /// Inserts zeros into a file if its file system does that in one step: either all bytes after them move, or none.
    /// Returns whether the zeros were inserted. `is_allowed` is called under the lock, so that no read can change its
    /// result before the insertion.
    pub(super) fn insert(&self, file: &File, at: u64, length: u64, is_allowed: impl FnOnce() -> bool) -> Result<bool> {
        let mut insertions = self.0.write()?;
        insertions.list.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<Insertion>() as u64))?;
        let done = !insertions.is_tentative && is_allowed() && system::insert(file, at, length);
        if done {
            insertions.list.push(Insertion { at, length });
            insertions.is_tentative = true;
        }
        Ok(done)
    }

    /// Removes the last insertion if it may still be removed. Returns whether there was one.
    pub(super) fn take_back(&self, file: &File) -> Result<bool> {
        let mut insertions = self.0.write()?;
        match insertions.list.last().copied() {
            Some(last) if insertions.is_tentative => {
                system::remove(file, last.at, last.length)?;
                insertions.list.pop();
                insertions.is_tentative = false;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Makes the last insertion permanent.
    pub(super) fn keep(&self) {
        if let Ok(mut insertions) = self.0.write() {
            insertions.is_tentative = false;
        }
    }
}

#[cfg(target_os = "linux")]
mod system {
    use crate::error::{Error, Result};
    use rustix::fs::{FallocateFlags, fallocate, fstatfs};
    use rustix::io::Errno;
    use std::fs::File;

    /// The only file system that inserts space in a single transaction: after a power cut, either all bytes have moved
    /// or none. Exception: files with more than about a thousand fragments need several transactions.
    const EXT4: u64 = 0xEF53;

    pub(super) fn insert(file: &File, at: u64, length: u64) -> bool {
        let Ok(system) = fstatfs(file) else { return false };
        let block = u64::try_from(system.f_bsize).unwrap_or(0);
        let fits = block > 0 && at.is_multiple_of(block) && length.is_multiple_of(block);
        if system.f_type as u64 != EXT4 || !fits {
            return false;
        }
        loop {
            match fallocate(file, FallocateFlags::INSERT_RANGE, at, length) {
                Ok(()) => return true,
                Err(Errno::INTR) => {}
                // The caller then saves in another way, which reports any other problem.
                Err(_) => return false,
            }
        }
    }

    pub(super) fn remove(file: &File, at: u64, length: u64) -> Result<()> {
        let fail = |error: Errno| Error::io("cannot remove the inserted space from the file", &error.into());
        fallocate(file, FallocateFlags::COLLAPSE_RANGE, at, length).map_err(fail)
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    use crate::error::Result;
    use std::fs::File;

    pub(super) fn insert(_: &File, _: u64, _: u64) -> bool {
        false
    }

    pub(super) fn remove(_: &File, _: u64, _: u64) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_follow_what_was_inserted() {
        let list = vec![Insertion { at: 10, length: 5 }, Insertion { at: 4, length: 100 }];
        let moves = Moves(ForkRwLock::new(Insertions { list, is_tentative: false }));
        let at = |known, offset| moves.at(known, offset, |place, run| Ok((place, run))).unwrap();
        assert_eq!(at(0, 3), (3, 1));
        assert_eq!(at(0, 4), (104, 6));
        assert_eq!(at(0, 9), (109, 1));
        assert_eq!(at(0, 10), (115, u64::MAX));
        assert_eq!(at(1, 10), (110, u64::MAX));
        assert_eq!(at(2, 10), (10, u64::MAX));
        assert_eq!(moves.at(3, 0, |_, _| Ok(())).unwrap_err().status(), Status::FileChanged);
    }
}
