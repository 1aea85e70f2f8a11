//! A regular file read by position: no shared cursor, no signal when it shrinks.

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

/// A file on disk. Its length is taken once, when it is opened.
pub struct FileSource {
    file: Arc<File>,
    length: u64,
    /// The state of the file when this source was made.
    opened: State,
    known: Arc<KnownFile>,
    process: Process,
    /// Whether the process that opened the file may insert room into it.
    is_writable: bool,
    /// Set once maps of the file were given out.
    mapped: Arc<AtomicBool>,
    /// What was inserted into the file, and how much of that this source knows of.
    moves: Arc<Moves>,
    known_moves: usize,
}

impl FileSource {
    /// Opens a regular file for reading.
    pub fn open(path: &Path) -> Result<FileSource> {
        FileSource::open_as(path, false)
    }

    /// Opens a regular file that may also be written; fails if it may not.
    pub fn open_writable(path: &Path) -> Result<FileSource> {
        FileSource::open_as(path, true)
    }

    fn open_as(path: &Path, writable: bool) -> Result<FileSource> {
        let mut options = std::fs::OpenOptions::new();
        options.read(true).write(writable);
        // To open a pipe would otherwise wait until somebody writes into it.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK);
        let file = options.open(path).map_err(|error| Error::io("opening the file", &error))?;
        Ok(FileSource { is_writable: writable, ..FileSource::from_file(file)? })
    }

    /// Takes over an open file, which must be a regular one.
    pub fn from_file(file: File) -> Result<FileSource> {
        let metadata = file.metadata().map_err(|error| Error::io("asking for the file's size", &error))?;
        if !metadata.is_file() {
            return Err(Error::new(Status::Io, "not a regular file"));
        }
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
        })
    }

    /// Takes the file for unchanged until it is [renewed](FileSource::renew), since whoever asks is about to change other
    /// bytes than those that are read.
    pub fn expect_changes(&self) {
        self.known.expect_changes(self.opened);
    }

    /// Takes the file for what it is now, since whoever asks changed it and knows that what was there to be read is still
    /// where it was. The length stays that of when it was opened.
    pub fn renew(&self) -> Result<()> {
        self.known.renew(self.opened, State::of_file(&self.file)?);
        Ok(())
    }

    /// The same where only blocks were changed, so that header and tree are still those that were read.
    pub fn renew_blocks(&self) -> Result<()> {
        self.known.renew_blocks(self.opened, State::of_file(&self.file)?);
        Ok(())
    }

    /// The same file with the length that it has now, after a change as for [`FileSource::renew`].
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
        })
    }

    /// Inserts zeros into the file, if its file system does that in one step and nobody relies on the places of the bytes
    /// behind; tells whether it was done. All who have opened the file through this source or [grown](FileSource::grown) ones
    /// go on to read what they read before; for others the file has changed.
    pub fn insert(&self, at: u64, length: u64) -> Result<bool> {
        // Where there are no locks it cannot be known who has maps.
        match HeldLock::exclusive(self.file.clone(), LockKind::Places, || ()) {
            Ok(Some(_held)) if self.moves.insert(&self.file, at, length, || !self.is_mapped())? => {
                self.renew().inspect_err(|_| drop(self.take_back_insertion()))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Takes zeros out again that were inserted, unless they were to be [kept](FileSource::keep_insertion), and takes the file
    /// for what it is then.
    pub fn take_back_insertion(&self) -> Result<()> {
        if self.moves.take_back(&self.file)? { self.renew() } else { Ok(()) }
    }

    /// Lets the zeros stay that were inserted.
    pub fn keep_insertion(&self) {
        self.moves.keep();
    }

    /// The file itself, for who knows the places of its bytes.
    pub fn descriptor(&self) -> &Arc<File> {
        &self.file
    }

    /// Whether maps of the file were given out.
    pub fn is_mapped(&self) -> bool {
        self.mapped.load(Ordering::Acquire)
    }

    /// Keeps others from moving the bytes under maps of the file.
    fn rely_on_places(&self) -> Result<()> {
        if self.is_mapped() {
            return Ok(());
        }
        if share(&self.file, LockKind::Places) == Locked::Refused {
            return Err(Error::new(Status::FileChanged, "the blocks of the file are just being moved"));
        }
        self.mapped.store(true, Ordering::Release);
        Ok(())
    }

    /// Whether the parent process, which does not know of maps that a child makes, can move the bytes under them. Locks
    /// do not keep it from that: parent and child hold them together.
    fn may_move_unnoticed(&self) -> bool {
        self.is_writable && !self.process.is_current() && !self.is_mapped()
    }
}

/// Whether this very file, and no other, has the name now.
pub(crate) fn is_same_file(file: &File, path: &Path) -> Result<bool> {
    let own = file.metadata().map_err(|error| Error::io("asking for the file's identity", &error))?;
    match std::fs::metadata(path) {
        Ok(there) => Ok(is_same(&own, &there)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("asking for the file's identity", &error)),
    }
}

#[cfg(unix)]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (left.dev(), left.ino()) == (right.dev(), right.ino())
}

#[cfg(not(unix))]
fn is_same(left: &Metadata, right: &Metadata) -> bool {
    // What can be told everywhere: a file made later is another one.
    State::of(left) == State::of(right) && left.created().ok() == right.created().ok()
}

impl Source for FileSource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(available);
        let mut done = 0;
        while done < wanted {
            let rest = &mut buffer[done..wanted];
            let read = self.moves.at(self.known_moves, offset + done as u64, |place, run| {
                let size = rest.len().min(usize::try_from(run).unwrap_or(usize::MAX));
                Ok(read_once(&self.file, place, &mut rest[..size]))
            });
            match read? {
                Ok(0) => {
                    return Err(Error::new(Status::FileChanged, "the file became shorter while it was open")
                        .at_offset(offset + done as u64));
                }
                Ok(count) => done += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io("reading", &error).at_offset(offset + done as u64)),
            }
        }
        Ok(done)
    }

    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        match offset.checked_add(length) {
            Some(end) if end <= self.length && !self.may_move_unnoticed() => {
                self.moves.at(self.known_moves, offset, |place, run| {
                    self.rely_on_places()?;
                    if length <= run { Map::of_file(&self.file, place, length).map(Some) } else { Ok(None) }
                })
            }
            _ => Ok(None),
        }
    }

    fn file(&self) -> Option<Arc<File>> {
        (self.moves.count() == self.known_moves).then(|| self.file.clone())
    }

    #[cfg(target_os = "linux")]
    fn will_need(&self, offset: u64, length: u64) {
        use rustix::fs::{Advice, fadvise};
        // No more than a hint, so it does not matter whether it is taken.
        let _ = fadvise(&self.file, offset, std::num::NonZeroU64::new(length), Advice::WillNeed);
    }

    fn remember(&self, witness: Witness) {
        // Other offsets are not those that the bytes have now.
        if self.moves.count() == self.known_moves {
            self.known.remember(self.opened, witness);
        }
    }

    fn check_unchanged(&self) -> Result<()> {
        self.known.check(self.opened, &self.file)
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        is_same_file(&self.file, path)
    }
}

#[cfg(unix)]
pub(super) fn read_once(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
pub(super) fn read_once(file: &File, offset: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}

/// Writes all of the bytes at a place of a file.
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
