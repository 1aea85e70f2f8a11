//! A regular file read by position: no shared cursor, no signal when it shrinks.

use super::lock::{HeldLock, LockKind, Locked, share};
use super::moves::Moves;
use super::{Map, Source};
use crate::error::{Error, Result, Status};
use std::fs::{File, Metadata};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::SystemTime;

/// A file on disk. Its length is taken once, when it is opened.
pub struct FileSource {
    file: Arc<File>,
    length: u64,
    known: Arc<Mutex<Known>>,
    /// Set once maps of the file were given out.
    mapped: Arc<OnceLock<()>>,
    /// What was inserted into the file, and how much of that this source knows of.
    moves: Arc<Moves>,
    known_moves: usize,
}

/// What a file was, and whether that is no longer of importance.
struct Known {
    state: State,
    is_changing: bool,
}

/// What tells whether a file was modified.
#[derive(Clone, Copy, PartialEq)]
struct State {
    length: u64,
    // Some file systems keep no time of modification; the length still tells then.
    modified: Option<SystemTime>,
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
        FileSource::from_file(options.open(path).map_err(|error| Error::io("opening the file", &error))?)
    }

    /// Takes over an open file, which must be a regular one.
    pub fn from_file(file: File) -> Result<FileSource> {
        let metadata = file.metadata().map_err(|error| Error::io("asking for the file's size", &error))?;
        if !metadata.is_file() {
            return Err(Error::new(Status::Io, "not a regular file"));
        }
        Ok(FileSource {
            file: Arc::new(file),
            length: metadata.len(),
            known: Arc::new(Mutex::new(Known { state: State::of(&metadata), is_changing: false })),
            mapped: Arc::new(OnceLock::new()),
            moves: Arc::default(),
            known_moves: 0,
        })
    }

    /// Takes the file for unchanged until it is [renewed](FileSource::renew), since whoever asks is about to change other
    /// bytes than those that are read.
    pub fn expect_changes(&self) {
        lock(&self.known).is_changing = true;
    }

    /// Takes the file for what it is now, since whoever asks changed it and knows that what was there to be read is still
    /// where it was. The length stays that of when it was opened.
    pub fn renew(&self) -> Result<()> {
        let state = self.state()?;
        *lock(&self.known) = Known { state, is_changing: false };
        Ok(())
    }

    /// The same file with the length that it has now, after a change as for [`FileSource::renew`].
    pub fn grown(&self) -> Result<FileSource> {
        self.renew()?;
        let length = lock(&self.known).state.length;
        Ok(FileSource {
            file: self.file.clone(),
            length,
            known: self.known.clone(),
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
        self.mapped.get().is_some()
    }

    /// Keeps others from moving the bytes under maps of the file.
    fn rely_on_places(&self) -> Result<()> {
        if self.is_mapped() {
            return Ok(());
        }
        if share(&self.file, LockKind::Places) == Locked::Refused {
            return Err(Error::new(Status::FileChanged, "the blocks of the file are just being moved"));
        }
        self.mapped.get_or_init(|| ());
        Ok(())
    }

    fn state(&self) -> Result<State> {
        let metadata = self.file.metadata().map_err(|error| Error::io("asking for the file's size", &error))?;
        Ok(State::of(&metadata))
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

impl State {
    fn of(metadata: &Metadata) -> State {
        State { length: metadata.len(), modified: metadata.modified().ok() }
    }
}

fn lock(known: &Mutex<Known>) -> MutexGuard<'_, Known> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
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
            Some(end) if end <= self.length => self.moves.at(self.known_moves, offset, |place, run| {
                self.rely_on_places()?;
                if length <= run { Map::of_file(&self.file, place, length).map(Some) } else { Ok(None) }
            }),
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

    fn check_unchanged(&self) -> Result<()> {
        let state = self.state()?;
        let known = lock(&self.known);
        if state != known.state && !known.is_changing {
            return Err(Error::new(Status::FileChanged, "the file was modified while it was open"));
        }
        Ok(())
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
