//! A regular file that is read at given positions: no shared cursor, and no signal if the file shrinks.

use super::ahead::ReadAhead;
use super::known::{KnownFile, State};
use super::lock::{HeldLock, LockKind, Locked, share};
use super::moves::Moves;
use super::{Map, Source, Witness};
use crate::error::{Error, Result, Status};
use crate::process::Process;
use std::fs::{File, Metadata};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A file on disk. Its length is the length at the time of opening.
pub struct FileSource {
    file: Arc<File>,
    length: u64,
    /// State of the file when it was opened.
    opened: State,
    known: Arc<KnownFile>,
    process: Process,
    /// True if the process that opened the file may insert space into it.
    is_writable: bool,
    /// Set after the first map of the file was created.
    mapped: Arc<AtomicBool>,
    /// Insertions into the file, and the number of them that this source knows.
    moves: Arc<Moves>,
    known_moves: usize,
    ahead: ReadAhead,
}

impl FileSource {
    /// Opens a regular file for reading.
    pub fn open(path: &Path) -> Result<FileSource> {
        FileSource::open_as(path, false)
    }

    /// Opens a regular file for reading and writing. Fails if writing is not permitted.
    pub fn open_writable(path: &Path) -> Result<FileSource> {
        FileSource::open_as(path, true)
    }

    fn open_as(path: &Path, writable: bool) -> Result<FileSource> {
        if path.as_os_str().is_empty() {
            return Err(Error::new(Status::FileNotFound, "the file name is empty"));
        }
        // Opening a pipe or a device can have effects: the writer of a pipe loses its reader, a tape is rewound.
        if let Ok(metadata) = std::fs::metadata(path) {
            check_regular(&metadata)?;
        }
        let mut options = std::fs::OpenOptions::new();
        options.read(true).write(writable);
        // If a pipe has taken the name meanwhile, O_NONBLOCK keeps the call from waiting for a writer.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
        let file = options.open(path).map_err(|error| Error::io("cannot open the file", &error))?;
        Ok(FileSource { is_writable: writable, ..FileSource::from_file(file)? })
    }

    /// Creates a source from an open file. It must be a regular file.
    pub fn from_file(file: File) -> Result<FileSource> {
        let metadata = file.metadata().map_err(|error| Error::io("cannot get the size of the file", &error))?;
        check_regular(&metadata)?;
        let opened = State::of(&metadata);
        Ok(FileSource {
            file: Arc::new(file),
            length: metadata.len(),
            opened,
            known: Arc::new(KnownFile::new(opened)),
            process: Process::current(),
            is_writable: true,
            mapped: Arc::default(),
            moves: Arc::default(),
            known_moves: 0,
            ahead: ReadAhead::default(),
        })
    }

    /// Stops the detection of changes until the file is [renewed](FileSource::renew). For callers that are about to
    /// change bytes which are not read.
    pub fn expect_changes(&self) {
        self.known.expect_changes(self.opened);
    }

    /// Accepts the current state of the file as unchanged. For callers that changed the file and know that all bytes to
    /// read are still in place. The length does not change.
    pub fn renew(&self) -> Result<()> {
        self.known.renew(self.opened, State::of_file(&self.file)?);
        Ok(())
    }

    /// Same as [`FileSource::renew`] after a change of blocks only: header and tree are still those that were read.
    pub fn renew_blocks(&self) -> Result<()> {
        self.known.renew_blocks(self.opened, State::of_file(&self.file)?);
        Ok(())
    }

    /// Returns the same file with its current length, after a change as described at [`FileSource::renew`].
    pub fn grown(&self) -> Result<FileSource> {
        self.renew()?;
        Ok(FileSource {
            file: self.file.clone(),
            length: self.known.length(self.opened),
            opened: self.opened,
            known: self.known.clone(),
            process: self.process,
            is_writable: self.is_writable,
            mapped: self.mapped.clone(),
            moves: self.moves.clone(),
            known_moves: self.moves.count(),
            ahead: ReadAhead::default(),
        })
    }

    /// Inserts zeros into the file in one step. Returns false if the file system cannot do that, or if the file may be
    /// mapped.
    ///
    /// Sources of this file that were made from this source or by [`grown`](FileSource::grown) still read the same
    /// bytes at the same offsets. For all others the file has changed.
    pub fn insert(&self, at: u64, length: u64) -> Result<bool> {
        // Without locks, other processes with maps cannot be detected.
        match HeldLock::exclusive(self.file.clone(), LockKind::Places, || ()) {
            Ok(Some(_held)) if self.moves.insert(&self.file, at, length, || !self.is_mapped())? => {
                self.renew().inspect_err(|_| drop(self.take_back_insertion()))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Removes the zeros inserted last, unless [`keep_insertion`](FileSource::keep_insertion) was called, and renews
    /// the state.
    pub fn take_back_insertion(&self) -> Result<()> {
        if self.moves.take_back(&self.file)? { self.renew() } else { Ok(()) }
    }

    /// Makes the last insertion permanent.
    pub fn keep_insertion(&self) {
        self.moves.keep();
    }

    /// Returns the file, for callers that know the positions of its bytes.
    pub fn descriptor(&self) -> &Arc<File> {
        &self.file
    }

    /// Returns whether maps of the file were created.
    pub fn is_mapped(&self) -> bool {
        self.mapped.load(Ordering::Acquire)
    }

    /// Takes a lock that prevents others from moving the bytes under maps of the file.
    fn lock_places(&self) -> Result<()> {
        if self.is_mapped() {
            return Ok(());
        }
        if share(&self.file, LockKind::Places) == Locked::Refused {
            return Err(Error::new(Status::FileChanged, "another program is moving the blocks of the file"));
        }
        self.mapped.store(true, Ordering::Release);
        Ok(())
    }

    /// Returns whether the parent process can move bytes under a map of this child. The parent does not know about maps
    /// of its children, and locks do not help, since parent and child share them.
    fn may_move_unnoticed(&self) -> bool {
        self.is_writable && !self.process.is_current() && !self.is_mapped()
    }
}

/// Returns whether `path` currently names this very file.
pub(crate) fn is_same_file(file: &File, path: &Path) -> Result<bool> {
    let own = file.metadata().map_err(|error| Error::io("cannot identify the file", &error))?;
    match std::fs::metadata(path) {
        Ok(there) => Ok(is_same(&own, &there)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("cannot identify the file", &error)),
    }
}

#[cfg(unix)]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (left.dev(), left.ino()) == (right.dev(), right.ino())
}

#[cfg(not(unix))]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    // Portable comparison: a file created later is a different file.
    State::of(left) == State::of(right) && left.created().ok() == right.created().ok()
}

impl Source for FileSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(available);
        // A file that this process may change is read anew each time.
        let ahead = |start, window: &mut [u8]| read_once(&self.file, start, window).unwrap_or(0);
        if !self.is_writable && self.ahead.read(offset, &mut buffer[..wanted], self.length, ahead) {
            return Ok(wanted);
        }
        let mut done = 0;
        while done < wanted {
            let rest = &mut buffer[done..wanted];
            let read = match self.is_writable {
                true => self.moves.at(self.known_moves, offset + done as u64, |place, run| {
                    let size = rest.len().min(usize::try_from(run).unwrap_or(usize::MAX));
                    Ok(read_once(&self.file, place, &mut rest[..size]))
                })?,
                // Only sources that may write insert bytes.
                false => read_once(&self.file, offset + done as u64, rest),
            };
            match read {
                Ok(0) => {
                    return Err(Error::new(Status::FileChanged, "the file became shorter while it was open")
                        .at_offset(offset + done as u64));
                }
                Ok(count) => done += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io("cannot read", &error).at_offset(offset + done as u64)),
            }
        }
        Ok(done)
    }

    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        match offset.checked_add(length) {
            Some(end) if end <= self.length && !self.may_move_unnoticed() => {
                self.moves.at(self.known_moves, offset, |place, run| {
                    self.lock_places()?;
                    if length <= run { Map::of_file(&self.file, place, length).map(Some) } else { Ok(None) }
                })
            }
            _ => Ok(None),
        }
    }

    fn file(&self) -> Option<Arc<File>> {
        (self.moves.count() == self.known_moves).then(|| self.file.clone())
    }

    fn opened_file(&self) -> Option<Arc<File>> {
        Some(self.file.clone())
    }

    #[cfg(target_os = "linux")]
    fn will_need(&self, offset: u64, length: u64) {
        use rustix::fs::{Advice, fadvise};
        // Only a hint, so the result is ignored.
        let _ = fadvise(&self.file, offset, std::num::NonZeroU64::new(length), Advice::WillNeed);
    }

    fn remember(&self, witness: Witness) {
        // After an insertion unknown to this source, its offsets differ from those in the file.
        if self.moves.count() == self.known_moves {
            self.known.remember(self.opened, witness);
        }
    }

    fn check_unchanged(&self) -> Result<()> {
        self.known.check(self.opened, &self.file, || self.ahead.forget())
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        is_same_file(&self.file, path)
    }
}

/// Fails with [`Status::Io`] for anything but a regular file.
pub(super) fn check_regular(metadata: &Metadata) -> Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let message = match metadata.is_dir() {
        true => "this is a directory, not a file".to_owned(),
        false => {
            let kind = special_kind(metadata);
            format!("this is {kind}, not a file; read it into memory, or give a source of bytes by a callback")
        }
    };
    Err(Error::new(Status::Io, message))
}

/// Returns the kind of something that is neither a file nor a directory.
#[cfg(unix)]
fn special_kind(metadata: &Metadata) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    match () {
        () if kind.is_fifo() => "a pipe",
        () if kind.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn special_kind(_: &Metadata) -> &'static str {
    "a pipe or a device"
}

#[cfg(unix)]
pub(super) fn read_once(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
pub(super) fn read_once(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Writes all bytes at an offset of a file.
pub(crate) fn write_all_at(file: &File, offset: u64, bytes: &[u8]) -> std::io::Result<()> {
    let mut done = 0;
    while let Some(rest) = bytes.get(done..).filter(|rest| !rest.is_empty()) {
        match write_once(file, offset + done as u64, rest) {
            Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
            Ok(count) => done += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(unix)]
fn write_once(file: &File, offset: u64, bytes: &[u8]) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::write_at(file, bytes, offset)
}

#[cfg(windows)]
fn write_once(file: &File, offset: u64, bytes: &[u8]) -> std::io::Result<usize> {
    std::os::windows::fs::FileExt::seek_write(file, bytes, offset)
}
