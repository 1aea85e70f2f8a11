//! What a file was when it was read, and whether it still is that.
//!
//! Length and time of modification tell of most changes. A program can set the time back, so the time of the last change
//! of status counts too, which no program sets. Renaming, links and permissions change it as well, so the bytes that were
//! read are compared then.

use super::file::read_once;
use super::{SharedBytes, Witness};
use crate::error::{Error, Result, Status};
use crate::process::PerProcess;
use std::collections::BTreeMap;
use std::fs::{File, Metadata};
use std::hash::{DefaultHasher, Hasher};
use std::sync::{Arc, MutexGuard};
use std::time::SystemTime;

/// Bytes that are compared at a time.
const PIECE: usize = 64 << 10;
/// Block headers that are remembered at most.
const MOST_BLOCKS: usize = 1 << 14;

/// What tells whether a file was modified.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct State {
    pub(super) length: u64,
    // Some file systems keep no time of modification; the length still tells then.
    modified: Option<SystemTime>,
    /// Seconds and nanoseconds of the last change of content, names or permissions.
    status_changed: Option<(i64, i64)>,
}

impl State {
    pub(super) fn of(metadata: &Metadata) -> State {
        #[cfg(unix)]
        let status_changed = {
            use std::os::unix::fs::MetadataExt;
            Some((metadata.ctime(), metadata.ctime_nsec()))
        };
        #[cfg(not(unix))]
        let status_changed = None;
        State { length: metadata.len(), modified: metadata.modified().ok(), status_changed }
    }

    pub(super) fn of_file(file: &File) -> Result<State> {
        let metadata = file.metadata().map_err(|error| Error::io("asking for the file's size", &error))?;
        Ok(State::of(&metadata))
    }

    fn is_modified(&self, since: &State) -> bool {
        (self.length, self.modified) != (since.length, since.modified)
    }
}

/// Bytes that were read, or a number that stands for them.
#[derive(Clone)]
enum Seen {
    Bytes(SharedBytes),
    Hash { length: u64, hash: u64 },
}

impl Seen {
    /// Whether a file has these bytes at an offset.
    fn is_at(&self, file: &File, offset: u64) -> Result<bool> {
        let length = match self {
            Seen::Bytes(bytes) => (**bytes).as_ref().len() as u64,
            Seen::Hash { length, .. } => *length,
        };
        let mut buffer = vec![0; usize::try_from(length).unwrap_or(PIECE).min(PIECE)];
        let mut hasher = DefaultHasher::new();
        let mut done = 0;
        while done < length {
            let size = buffer.len().min(usize::try_from(length - done).unwrap_or(PIECE));
            let piece = &mut buffer[..size];
            let count = match read_once(file, offset.saturating_add(done), piece) {
                Ok(count) => count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(Error::io("reading", &error).at_offset(offset.saturating_add(done))),
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

/// The state of a file, and bytes by which it is known again.
#[derive(Clone)]
struct Known {
    state: State,
    /// Whether the state is of no importance.
    is_changing: bool,
    /// Whether the bytes are not known, since another thread of the parent process was busy with them at the fork.
    is_lost: bool,
    /// Header and tree.
    start: BTreeMap<u64, Seen>,
    blocks: Arc<BTreeMap<u64, Seen>>,
}

/// What is known of a file in each process that reads it.
pub(super) struct KnownFile(PerProcess<Known>);

impl KnownFile {
    pub(super) fn new(state: State) -> KnownFile {
        KnownFile(PerProcess::new(Known::new(state)))
    }

    /// What is known; a child begins with what its parent knew, or at least with the state when the file was opened.
    fn lock(&self, opened: State) -> MutexGuard<'_, Known> {
        self.0.lock(|parent| {
            let lost = || Known { is_lost: true, ..Known::new(opened) };
            // What the parent changes itself is a change for the child.
            parent.map_or_else(lost, |known| Known { is_changing: false, ..known.clone() })
        })
    }

    /// The length that the file had when it was renewed last.
    pub(super) fn length(&self, opened: State) -> u64 {
        self.lock(opened).state.length
    }

    /// Takes the file for unchanged until it is renewed.
    pub(super) fn expect_changes(&self, opened: State) {
        self.lock(opened).is_changing = true;
    }

    /// Takes the file for what it is now; its bytes are not known any more.
    pub(super) fn renew(&self, opened: State, state: State) {
        *self.lock(opened) = Known::new(state);
    }

    /// Takes the file for what it is now, where only blocks were changed.
    pub(super) fn renew_blocks(&self, opened: State, state: State) {
        let mut known = self.lock(opened);
        let start = std::mem::take(&mut known.start);
        *known = Known { start, is_lost: known.is_lost, ..Known::new(state) };
    }

    /// Remembers bytes that were read.
    pub(super) fn remember(&self, opened: State, witness: Witness) {
        let mut known = self.lock(opened);
        match witness {
            Witness::Header(bytes) => {
                known.start.clear();
                known.blocks = Arc::default();
                known.start.insert(0, Seen::Bytes(bytes));
            }
            Witness::Tree(offset, text) => {
                known.start.insert(offset, Seen::Bytes(text));
            }
            Witness::TreeHash(offset, text) => {
                let mut hasher = DefaultHasher::new();
                // In the same pieces as the file is read in, although it does not matter to this hasher.
                text.chunks(PIECE).for_each(|piece| hasher.write(piece));
                known.start.insert(offset, Seen::Hash { length: text.len() as u64, hash: hasher.finish() });
            }
            Witness::Block(offset, header) => {
                if known.blocks.len() < MOST_BLOCKS && !known.blocks.contains_key(&offset) {
                    let header: SharedBytes = Arc::new(header.to_vec());
                    Arc::make_mut(&mut known.blocks).insert(offset, Seen::Bytes(header));
                }
            }
        }
    }

    /// Fails with [`Status::FileChanged`] if the file is not what it was.
    pub(super) fn check(&self, opened: State, file: &File) -> Result<()> {
        let state = State::of_file(file)?;
        let (before, start, blocks) = {
            let known = self.lock(opened);
            if state == known.state || known.is_changing {
                return Ok(());
            }
            if state.is_modified(&known.state) || known.is_lost {
                return Err(changed());
            }
            (known.state, known.start.clone(), known.blocks.clone())
        };
        for (&offset, seen) in start.iter().chain(blocks.iter()) {
            if !seen.is_at(file, offset)? {
                return Err(changed());
            }
        }
        let mut known = self.lock(opened);
        if known.state == before {
            known.state = state;
        }
        Ok(())
    }
}

impl Known {
    fn new(state: State) -> Known {
        Known { state, is_changing: false, is_lost: false, start: BTreeMap::new(), blocks: Arc::default() }
    }
}

fn changed() -> Error {
    Error::new(Status::FileChanged, "the file was modified while it was open")
}
