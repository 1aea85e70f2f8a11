//! Detection of changes: the state of a file when it was read, compared with its current state.
//!
//! Length and modification time reveal most changes. A program can reset the modification time, so the time of the last
//! status change (ctime) is compared too, which no program can set. Renaming, links and permissions change it as well.
//! In that case the bytes that were read are compared with the file.

use super::file::{metadata_of, read_once};
use super::{HEADER_FIELDS, SharedBytes, Witness, try_zeroed};
use crate::error::{Error, Result, Status};
use crate::process::PerProcess;
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, MutexGuard};
use std::time::SystemTime;

/// Number of bytes compared at a time.
const PIECE: usize = 64 << 10;
/// Maximum number of block headers and other parts that are recorded.
const MOST_PARTS: usize = 1 << 14;

/// File metadata that shows whether a file was modified.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct FileStamp {
    pub(super) length: u64,
    // Some file systems keep no modification time; then only the length is compared.
    modified: Option<SystemTime>,
    /// Time of the last change of content, names or permissions, in seconds and nanoseconds.
    status_changed: Option<(i64, i64)>,
}

impl FileStamp {
    pub(super) fn of(metadata: &Metadata) -> FileStamp {
        #[cfg(unix)]
        let status_changed = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.ctime(), metadata.ctime_nsec()))
        };
        #[cfg(not(unix))]
        let status_changed = None;
        FileStamp { length: metadata.len(), modified: metadata.modified().ok(), status_changed }
    }

    pub(super) fn of_file(file: &File) -> Result<FileStamp> {
        metadata_of(file).map(|metadata| FileStamp::of(&metadata))
    }

    fn is_modified(&self, since: &FileStamp) -> bool {
        (self.length, self.modified) != (since.length, since.modified)
    }
}

/// Bytes that were read, or their hash.
#[derive(Clone)]
enum Seen {
    Bytes(SharedBytes),
    Hash { length: u64, hash: u64 },
}

impl Seen {
    /// Returns whether a file has these bytes at an offset.
    fn is_at(&self, file: &File, offset: u64) -> Result<bool> {
        let length = match self {
            Seen::Bytes(bytes) => (**bytes).as_ref().len() as u64,
            Seen::Hash { length, .. } => *length,
        };
        let mut buffer = try_zeroed(usize::try_from(length).unwrap_or(PIECE).min(PIECE))?;
        let mut hasher = DefaultHasher::new();
        let mut done = 0;
        while done < length {
            let size = buffer.len().min(usize::try_from(length - done).unwrap_or(PIECE));
            let piece = &mut buffer[..size];
            let count = match read_once(file, offset.saturating_add(done), piece) {
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::io("cannot read", &error).at_offset(offset.saturating_add(done))),
            };
            let piece = &piece[..count];
            let is_same = match self {
                _ if count == 0 => false,
                Seen::Bytes(bytes) => {
                    let seen = (**bytes).as_ref().get(done as usize..).and_then(|rest| rest.get(..count));
                    seen == Some(piece)
                }
                Seen::Hash { .. } => {
                    hasher.write(piece);
                    true
                }
            };
            if !is_same {
                return Ok(false);
            }
            done += count as u64;
        }
        Ok(match self {
            Seen::Bytes(_) => true,
            Seen::Hash { hash, .. } => hasher.finish() == *hash,
        })
    }
}

/// The state of a file, and bytes that identify its content.
#[derive(Clone)]
struct Known {
    stamp: FileStamp,
    /// True if changes are currently ignored.
    is_changing: bool,
    /// True if the recorded bytes are unavailable, because another thread of the parent process used them during the
    /// fork.
    is_lost: bool,
    /// Header and tree, by offset.
    start: BTreeMap<u64, Seen>,
    /// Fields of block headers, and first bytes of other parts, by offset.
    parts: Arc<BTreeMap<u64, [u8; HEADER_FIELDS]>>,
    /// Records of an array that grows: their offset, the size of one, and the first bytes of each.
    growing: Option<Arc<(u64, u64, Vec<u8>)>>,
}

/// The recorded state of a file, separately for each process.
pub(super) struct KnownFile(PerProcess<Known>);

impl KnownFile {
    pub(super) fn new(stamp: FileStamp) -> KnownFile {
        KnownFile(PerProcess::new(Known::new(stamp)))
    }

    /// Locks the recorded state. A child process starts with a copy of its parent's, or only with the state at opening
    /// if that is locked.
    fn lock(&self, opened: FileStamp) -> MutexGuard<'_, Known> {
        self.0.lock(|parent| {
            let lost = || Known { is_lost: true, ..Known::new(opened) };
            // Changes by the parent are changes for the child, so they are not ignored.
            parent.map_or_else(lost, |known| Known { is_changing: false, ..known.clone() })
        })
    }

    /// Returns the length of the file at the last renewal.
    pub(super) fn length(&self, opened: FileStamp) -> u64 {
        self.lock(opened).stamp.length
    }

    /// Ignores changes until the file is renewed.
    pub(super) fn expect_changes(&self, opened: FileStamp) {
        self.lock(opened).is_changing = true;
    }

    /// Records a new stamp and forgets all recorded bytes.
    pub(super) fn renew(&self, opened: FileStamp, stamp: FileStamp) {
        *self.lock(opened) = Known::new(stamp);
    }

    /// Records a new stamp after a change of blocks only. The recorded header and tree are kept.
    pub(super) fn renew_blocks(&self, opened: FileStamp, stamp: FileStamp) {
        let mut known = self.lock(opened);
        let start = std::mem::take(&mut known.start);
        *known = Known { start, is_lost: known.is_lost, ..Known::new(stamp) };
    }

    /// Records bytes that were read.
    pub(super) fn remember(&self, opened: FileStamp, witness: Witness) {
        let mut known = self.lock(opened);
        match witness {
            Witness::Header(bytes) => {
                known.start.clear();
                known.parts = Arc::default();
                known.growing = None;
                known.start.insert(0, Seen::Bytes(bytes));
            }
            Witness::Tree(offset, text) => {
                known.start.insert(offset, Seen::Bytes(text));
            }
            Witness::TreeHash(offset, text) => {
                let mut hasher = DefaultHasher::new();
                // In the same pieces as the file is read, although this hasher gives the same result for other pieces.
                text.chunks(PIECE).for_each(|piece| hasher.write(piece));
                known.start.insert(offset, Seen::Hash { length: text.len() as u64, hash: hasher.finish() });
            }
            Witness::Growing(offset, size, start) => known.growing = Some(Arc::new((offset, size, start))),
            Witness::Part(offset, bytes) => {
                if known.parts.len() < MOST_PARTS {
                    Arc::make_mut(&mut known.parts).entry(offset).or_insert(bytes);
                }
            }
        }
    }

    /// Fails with [`Status::FileChanged`] if the file has changed. Calls `touched` if its stamp is another one.
    pub(super) fn check(&self, opened: FileStamp, file: &File, touched: impl FnOnce()) -> Result<()> {
        let mut stamp = FileStamp::of_file(file)?;
        let (before, start, parts) = {
            let mut known = self.lock(opened);
            if stamp == known.stamp || known.is_changing {
                return Ok(());
            }
            // The stamp can be of a change by another thread that has ended since. None begins while the lock is held.
            stamp = FileStamp::of_file(file)?;
            if stamp == known.stamp {
                return Ok(());
            }
            touched();
            if known.has_only_grown(&stamp, file)? {
                known.stamp = stamp;
                return Ok(());
            }
            if stamp.is_modified(&known.stamp) || known.is_lost {
                return Err(changed());
            }
            (known.stamp, known.start.clone(), known.parts.clone())
        };
        let parts = parts.iter().map(|(&offset, bytes)| (offset, Seen::Bytes(Arc::new(*bytes))));
        for (offset, seen) in start.into_iter().chain(parts) {
            if !seen.is_at(file, offset)? {
                return Err(changed());
            }
        }
        let mut known = self.lock(opened);
        if known.stamp == before {
            known.stamp = stamp;
        }
        Ok(())
    }
}

impl Known {
    fn new(stamp: FileStamp) -> Known {
        Known {
            stamp,
            is_changing: false,
            is_lost: false,
            start: BTreeMap::new(),
            parts: Arc::default(),
            growing: None,
        }
    }
}

impl Known {
    /// Returns true if the file has become longer by an array that grows. The bytes that it had are still there.
    fn has_only_grown(&self, stamp: &FileStamp, file: &File) -> Result<bool> {
        let Some(growing) = self.growing.as_ref().filter(|_| stamp.length >= self.stamp.length) else {
            return Ok(false);
        };
        let (offset, size, start) = &**growing;
        // One of the two records may just be written.
        for place in [*offset, offset.saturating_add(*size)] {
            if (Seen::Bytes(Arc::new(start.clone()))).is_at(file, place)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn changed() -> Error {
    Error::new(Status::FileChanged, "the file was modified while it was open")
}
