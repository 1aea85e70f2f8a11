//! The parts that the clones of a [`File`](crate::file::File) share: its origin, which never changes, and its state.

use super::state::{FileState, Locked};
use crate::codec::FileCompression;
use crate::error::{Error, Result, Status, Warning, Warnings};
use crate::file::blocks::BlockStore;
use crate::file::options::uri::Uri;
use crate::layout::Standard;
use crate::limits::Limits;
use crate::process::{ForkGuard, ForkMutex, ForkRwLock, PerProcess, Process};
use crate::tags::StandardVersion;
use once_cell::race::OnceBox;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, MutexGuard, RwLockReadGuard};

/// Origin of a file.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) uri: Option<Uri>,
    /// Number of the file in its family; 0 for the first file.
    pub(crate) number: u32,
    /// Path with links resolved, if the file was opened for update.
    pub(crate) update: Option<PathBuf>,
    /// True if the file was opened for update without a name. It can be changed and written, but not saved.
    pub(crate) is_unnamed_update: bool,
    /// True for a new file that readers of the first version of the format are meant to read.
    pub(crate) is_for_old_readers: bool,
    /// Header lines of the original, if this file is a copy.
    pub(crate) header: Option<Vec<u8>>,
    /// The file on disk that was copied, if this file is a copy.
    pub(crate) original: Option<Arc<std::fs::File>>,
    /// Compression of the whole file. Offsets then count decompressed bytes.
    pub(crate) compression: Option<FileCompression>,
}

impl Origin {
    /// Returns whether the file was opened for update.
    pub(crate) fn is_for_update(&self) -> bool {
        self.update.is_some() || self.is_unnamed_update
    }
}

/// Number of turns for changes of chunks.
const CHUNK_TURNS: usize = 32;

/// The parts that the clones of a file share.
pub(crate) struct SharedFile {
    pub(crate) origin: Origin,
    pub(crate) limits: Limits,
    /// Version of the standard that the file declared when it was opened or made.
    standard: Standard,
    /// Later version, in which the file was saved: its position among all versions and 1; 0 for none.
    saved_standard: AtomicU8,
    pub(crate) format_version: String,
    pub(crate) verify_checksums: bool,
    state: ForkRwLock<FileState>,
    /// Held while a region is written: threads write regions one after another.
    regions: ForkMutex<()>,
    /// Held while chunks are changed; see [`SharedFile::chunk_turns`].
    chunks: OnceBox<[ForkMutex<()>; CHUNK_TURNS]>,
    /// Not part of the state: calls that only read add warnings.
    warnings: PerProcess<Warnings>,
    /// Not part of the state: a child can close the file even if a thread of its parent used the state.
    closed: AtomicBool,
    /// The only process that may change the file.
    process: Process,
}

impl SharedFile {
    pub(super) fn new(
        origin: Origin,
        limits: &Limits,
        standard: Standard,
        state: FileState,
        warnings: Warnings,
    ) -> SharedFile {
        SharedFile {
            origin,
            limits: limits.clone(),
            standard,
            saved_standard: AtomicU8::new(0),
            format_version: "1.0.0".to_owned(),
            verify_checksums: false,
            state: ForkRwLock::new(state),
            regions: ForkMutex::default(),
            chunks: OnceBox::new(),
            warnings: PerProcess::new(warnings),
            closed: AtomicBool::new(false),
            process: Process::current(),
        }
    }

    /// Returns the version of the standard that the file declares.
    pub(crate) fn standard(&self) -> Standard {
        match self.saved_standard() {
            Some(saved) => Standard { declared: Some(saved.as_str().to_owned()), effective: saved },
            None => self.standard.clone(),
        }
    }

    /// Returns the known version of the standard by which the file is read and written.
    pub(crate) fn standard_version(&self) -> StandardVersion {
        self.saved_standard().unwrap_or(self.standard.effective)
    }

    fn saved_standard(&self) -> Option<StandardVersion> {
        let position = self.saved_standard.load(Ordering::Acquire).checked_sub(1)?;
        StandardVersion::ALL.get(usize::from(position)).copied()
    }

    /// Notes that the file was saved in another version of the standard.
    pub(crate) fn set_standard(&self, saved: StandardVersion) {
        let position = StandardVersion::ALL.iter().position(|&known| known == saved);
        let number = position.and_then(|position| u8::try_from(position + 1).ok()).unwrap_or(0);
        self.saved_standard.store(number, Ordering::Release);
    }

    /// Waits for the other threads that write regions. In a callback it fails instead.
    pub(crate) fn region_turn(&self) -> Result<ForkGuard<'_, ()>> {
        self.process.check()?;
        self.regions.lock()
    }

    /// Waits for the other threads that change one of these chunks: they read, decode, change and encode it one after
    /// another, and other chunks at the same time. Chunks of different arrays can share a turn. Held before
    /// [`SharedFile::region_turn`], never the other way round.
    pub(crate) fn chunk_turns(&self, chunks: impl Iterator<Item = u64>) -> Result<Vec<ForkGuard<'_, ()>>> {
        self.process.check()?;
        let mut turns = [false; CHUNK_TURNS];
        for chunk in chunks {
            if let Some(turn) = turns.get_mut((chunk % CHUNK_TURNS as u64) as usize) {
                *turn = true;
            }
        }
        // All threads wait in the same order.
        let chunks = self.chunks.get_or_init(Box::default);
        chunks.iter().zip(turns).filter(|(_, is_wanted)| *is_wanted).map(|(turn, _)| turn.lock()).collect()
    }

    /// Waits for all threads that change chunks.
    pub(crate) fn all_chunk_turns(&self) -> Result<Vec<ForkGuard<'_, ()>>> {
        self.chunk_turns(0..CHUNK_TURNS as u64)
    }

    /// Adds the name of the file to an error.
    pub(crate) fn name_in(&self, error: Error) -> Error {
        match &self.origin.name {
            Some(name) => error.in_file(name),
            None => error,
        }
    }

    /// Locks the state for reading, also of a closed file. Never waits in a child of the process that opened the file:
    /// fails with [`Status::Forked`] if another thread of the parent was changing the file at the fork.
    pub(super) fn read(&self) -> Result<RwLockReadGuard<'_, FileState>> {
        let state = self.state.read()?;
        if state.is_changing && !self.process.is_current() {
            let message = "another thread of the parent process was changing the file when the process was forked";
            return Err(Error::new(Status::Forked, message));
        }
        Ok(state)
    }

    /// Locks the state of an open file for reading.
    pub(super) fn read_open(&self) -> Result<RwLockReadGuard<'_, FileState>> {
        if self.closed.load(Ordering::Acquire) { Err(closed()) } else { self.read() }
    }

    /// Locks the state of an open file for a change, without a check whether another call is changing the file.
    pub(super) fn write(&self) -> Result<Locked<'_>> {
        self.process.check()?;
        if self.closed.load(Ordering::Acquire) {
            return Err(closed());
        }
        self.state.write().map(Locked::new)
    }

    /// Fails with [`Status::Closed`] if the file was closed, and in a child as [`SharedFile::read`] does.
    pub(super) fn check_open(&self) -> Result<()> {
        if self.closed.load(Ordering::Acquire) {
            return Err(closed());
        }
        if self.process.is_current() { Ok(()) } else { self.read().map(drop) }
    }

    /// Returns all warnings found so far. New warnings of the layout are added first, so the order never changes. A
    /// child of a fork starts with the warnings of its parent.
    pub(super) fn known_warnings(&self, store: &BlockStore) -> MutexGuard<'_, Warnings> {
        let unknown =
            || std::iter::once(Warning::new("warnings from before the fork of the process are not known")).collect();
        let of_layout = store.layout_warnings();
        let mut known = self.warnings.lock(|parent| parent.cloned().unwrap_or_else(unknown));
        of_layout.into_iter().for_each(|warning| known.add(warning));
        known
    }

    /// Closes the file. Warnings stay.
    ///
    /// In a child, the state is released unless another thread of the parent process used it at the fork. Its values
    /// check for their own process, so dropping them in a child has no effect on the parent or on the disk.
    pub(super) fn close(&self) {
        if self.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        let Ok(mut locked) = self.state.write() else { return };
        let comments = std::mem::take(&mut locked.comments);
        let state = std::mem::replace(&mut *locked, FileState::closed(comments));
        drop(locked);
        self.known_warnings(state.store()).count_dropped(state.store().dropped_layout_warnings());
        state.store().close();
    }
}

fn closed() -> Error {
    Error::new(Status::Closed, "the file was closed")
}
