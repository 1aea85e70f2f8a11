//! Undo journal: a second file in the same directory, with the bytes that a save in place overwrites.
//!
//! This module writes the journal. The format is in `journal_format`, reading and undoing in `undo`, and the rules for
//! when to undo in `interrupted`.

use super::draft::hidden_beside;
use super::folder::{Folder, folder_of};
use super::journal_format::{CHECKSUM, Kind, Nonce, RECORD, encode_header, encode_record, nonce};
use super::rights::Rights;
use super::undo::restore;
use crate::error::{Error, Result, Status};
use crate::layout::{md5, md5_of_range};
use crate::source::{FileSource, HeldLock, Kept, LockKind, Patches, Source, is_same_file, read_vec_at, write_all_at};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Maximum size of a record, in bytes. It bounds the memory.
const PIECE: u64 = 1 << 20;
const NAME_END: &str = ".asdf-journal";

/// Returns the path of the journal of a file. Links are not resolved.
pub(crate) fn journal_path(target: &Path) -> Option<PathBuf> {
    hidden_beside(target, NAME_END)
}

/// A journal that is being written.
///
/// For each batch: [`watch`](Journal::watch) and keep bytes, then call [`ready`](Journal::ready), then overwrite the
/// kept bytes and append new ones. At the end the file is synced, and the journal is either
/// [committed](Journal::commit) and [finished](Journal::finish), or [rolled back](Journal::roll_back). A journal that
/// is only dropped stays on disk, and the next opening undoes the changes.
pub(crate) struct Journal {
    path: PathBuf,
    file: Arc<File>,
    _held: Option<HeldLock>,
    durable: bool,
    /// Directory, for syncing names; `None` if neither the journal nor its removal is durable.
    folder: Option<Folder>,
    /// Length of the file before the changes, in bytes.
    length: u64,
    nonce: Nonce,
    /// Offset of the next record, and records not written yet.
    end: u64,
    pending: Vec<u8>,
    /// Bytes kept by complete batches, and by the batch in progress.
    kept: Patches,
    fresh: Patches,
    /// Set when bytes of the file may have been overwritten.
    is_ready: bool,
    /// Set when a sync failed. Records may be lost then, and another sync would not report it.
    is_unsure: bool,
    /// Set when the journal was truncated to zero bytes, because it could not be removed.
    is_emptied: bool,
}

impl Journal {
    /// Creates the journal of a file with the current length `length`. With `durable`, [`ready`](Journal::ready) syncs
    /// it to disk.
    ///
    /// The journal excludes other writers of the file. Fails with [`Status::FileChanged`] if there is a journal
    /// already. The caller must check afterwards that the file is unchanged.
    pub(crate) fn begin(target: &Path, length: u64, durable: bool) -> Result<Journal> {
        let path =
            journal_path(target).ok_or_else(|| Error::new(Status::InvalidArgument, "the path has no file name"))?;
        let folder = durable.then(|| Folder::open(folder_of(&path))).transpose()?;
        let (file, held) = create(&path)?;
        let nonce = nonce();
        let journal = Journal {
            path,
            file,
            _held: held,
            durable,
            folder,
            length,
            nonce,
            end: 0,
            pending: encode_header(&nonce, length),
            kept: Patches::default(),
            fresh: Patches::default(),
            is_ready: false,
            is_unsure: false,
            is_emptied: false,
        };
        // The journal contains bytes of the file, so it gets the rights of the file. Rights that it cannot have, it lacks.
        match std::fs::metadata(target) {
            Ok(metadata) => drop(Rights::at(target, &metadata).pass_on(&journal.file)),
            Err(error) => {
                // If it stays, it has no complete batch and is removed by the next opening for update.
                let _ = journal.remove();
                return Err(Error::io("cannot get the rights of the file", &error));
            }
        }
        Ok(journal)
    }

    /// Records bytes that will not be overwritten. They identify the file.
    pub(crate) fn watch(&mut self, file: &dyn Source, range: Range<u64>) -> Result<()> {
        let digest = md5_of_range(file, range.clone())?;
        self.record(Kind::Witness, range.start, range.end - range.start, &[&digest])
    }

    /// Keeps bytes that will be overwritten. Bytes beyond the old length of the file are not needed.
    pub(crate) fn keep(&mut self, file: &dyn Source, range: Range<u64>) -> Result<()> {
        for piece in self.unkept(range) {
            let old = read_vec_at(file, piece.start, piece.end - piece.start)?;
            let at = self.payload_place();
            self.record(Kind::Old, piece.start, old.len() as u64, &[&old])?;
            self.fresh.add(piece, Kept::At(at));
        }
        Ok(())
    }

    /// Keeps bytes that will be overwritten by `new`. Knowing the new bytes as well, a reader can tell this file from
    /// others.
    pub(crate) fn keep_under(&mut self, file: &dyn Source, offset: u64, new: &[u8]) -> Result<()> {
        for piece in self.unkept(offset..offset.saturating_add(new.len() as u64)) {
            let old = read_vec_at(file, piece.start, piece.end - piece.start)?;
            let start = usize::try_from(piece.start - offset).unwrap_or(usize::MAX);
            let new = new.get(start..).and_then(|new| new.get(..old.len())).unwrap_or_default();
            let at = self.payload_place();
            self.record(Kind::Changed, piece.start, old.len() as u64, &[&old, new])?;
            self.fresh.add(piece, Kept::At(at));
        }
        Ok(())
    }

    /// Keeps bytes that are known to be zeros, without storing them.
    pub(crate) fn keep_zeros(&mut self, range: Range<u64>) -> Result<()> {
        for piece in self.gaps(range) {
            self.record(Kind::Zeros, piece.start, piece.end - piece.start, &[])?;
            self.fresh.add(piece, Kept::Zeros);
        }
        Ok(())
    }

    /// Returns true if bytes of the batch in progress are kept.
    pub(crate) fn is_waiting(&self) -> bool {
        self.fresh.iter().next().is_some()
    }

    /// Completes a batch: from now on the kept bytes may be overwritten, and bytes may be appended.
    ///
    /// Syncs the journal if it is durable, and the directory the first time. After a failed sync, no more batches can
    /// be completed.
    pub(crate) fn ready(&mut self) -> Result<()> {
        if self.is_unsure {
            let message = "syncing the journal failed before; save or close the file before further changes";
            return Err(Error::new(Status::Io, message));
        }
        self.record(Kind::Ready, 0, 0, &[])?;
        self.flush()?;
        if self.durable
            && let Err(error) = self.sync()
        {
            self.is_unsure = true;
            return Err(Error::io("cannot sync the journal to disk", &error));
        }
        self.is_ready = true;
        for (range, kept) in std::mem::take(&mut self.fresh).iter() {
            self.kept.add(range, kept);
        }
        Ok(())
    }

    /// Syncs the records, and the name unless that was done before.
    fn sync(&self) -> std::io::Result<()> {
        self.file.sync_data()?;
        match &self.folder {
            Some(folder) if !self.is_ready => folder.sync(),
            _ => Ok(()),
        }
    }

    /// Returns true if bytes of the file may have been overwritten.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Makes the changes permanent. The file must be synced before if it is durable. After a failure, the journal can
    /// still be rolled back.
    pub(crate) fn commit(&mut self, durable: bool) -> Result<()> {
        if durable && self.folder.is_none() {
            self.folder = Some(Folder::open(folder_of(&self.path))?);
        }
        if let Err(error) = self.remove() {
            // An empty journal has the same effect as none.
            self.file.set_len(0).map_err(|_| error)?;
            self.is_emptied = true;
        }
        Ok(())
    }

    /// Syncs the removal of a committed journal, if that or the journal is durable.
    ///
    /// The only error is [`Status::NotDurable`]: a power cut may restore the old content.
    pub(crate) fn finish(&self) -> Result<()> {
        let waited = match &self.folder {
            Some(_) if self.is_emptied => self.file.sync_all(),
            Some(folder) => folder.sync(),
            None => Ok(()),
        };
        waited.map_err(|error| Error::not_durable(&error))
    }

    /// Restores the old content of the file and removes the journal. `file` must be open for writing.
    ///
    /// After a failure this can be repeated, or the journal can be left for the next opening.
    pub(crate) fn roll_back(&mut self, file: &File) -> Result<()> {
        if self.is_ready {
            let own = self.file.try_clone().map_err(|error| Error::io("cannot read the journal", &error));
            let restored = own
                .and_then(FileSource::from_file)
                .and_then(|own| restore(file, &own, &self.kept, self.length, self.durable));
            restored.map_err(|error| {
                let journal = self.path.display();
                let what =
                    format!("the changes could not be undone; the journal '{journal}' remains for the next opening");
                Error::because_of(&what, &error)
            })?;
            self.is_ready = false;
        }
        self.remove()
    }

    fn remove(&self) -> Result<()> {
        match std::fs::remove_file(&self.path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Error::io("cannot remove the journal", &error))
            }
            _ => Ok(()),
        }
    }

    /// Returns the parts of a range within the old length that are not kept yet, in pieces of at most `PIECE` bytes.
    fn unkept(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut pieces = Vec::new();
        for mut gap in self.gaps(range) {
            while gap.start < gap.end {
                let end = gap.end.min(gap.start + PIECE);
                pieces.push(gap.start..end);
                gap.start = end;
            }
        }
        pieces
    }

    /// Returns the parts of a range within the old length that are not kept yet.
    fn gaps(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let gaps = self.kept.gaps(range.start..range.end.min(self.length));
        gaps.into_iter().flat_map(|gap| self.fresh.gaps(gap)).collect()
    }

    fn payload_place(&self) -> u64 {
        self.end + self.pending.len() as u64 + RECORD as u64
    }

    fn record(&mut self, kind: Kind, offset: u64, length: u64, payload: &[&[u8]]) -> Result<()> {
        let place = self.end + self.pending.len() as u64;
        let size = RECORD + payload.iter().map(|part| part.len()).sum::<usize>() + CHECKSUM;
        self.pending.try_reserve(size).map_err(|_| Error::out_of_memory(size as u64))?;
        encode_record(kind, offset, length, &self.nonce, place, &mut self.pending);
        if !payload.is_empty() {
            let start = self.pending.len();
            payload.iter().for_each(|part| self.pending.extend_from_slice(part));
            self.pending.extend(md5(self.pending.get(start..).unwrap_or_default()));
        }
        if self.pending.len() as u64 > PIECE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        write_all_at(&self.file, self.end, &self.pending)
            .map_err(|error| Error::io("cannot write the journal", &error))?;
        self.end += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }
}

/// Creates an empty journal and locks it. The lock shows others that the writer lives.
fn create(path: &Path) -> Result<(Arc<File>, Option<HeldLock>)> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let busy = || {
        Error::new(
            Status::FileChanged,
            "a save of the file is in progress, or was interrupted; open the file for update to undo it",
        )
    };
    let file = match options.open(path) {
        Ok(file) => Arc::new(file),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Err(busy()),
        Err(error) => return Err(Error::io("cannot create the journal", &error)),
    };
    let held = HeldLock::exclusive(file.clone(), LockKind::Update, busy)?;
    // Between creation and lock, another process may have taken the journal for an abandoned one and removed it.
    if is_same_file(&file, path)? { Ok((file, held)) } else { Err(busy()) }
}

/// Sets a new modification time on a file changed in place, later than all times before.
pub(crate) fn mark_modified(file: &File) {
    let modified = || file.metadata().and_then(|metadata| metadata.modified()).ok();
    let Some(before) = modified() else { return };
    // Some file systems have a resolution of one or two seconds.
    for step in [Duration::from_nanos(1), Duration::from_secs(1), Duration::from_secs(2)] {
        let Some(after) = before.checked_add(step) else { return };
        // Write permission does not always include setting the times. Then the current time must do.
        if file.set_modified(after.max(SystemTime::now())).is_err() || modified().is_none_or(|now| now > before) {
            return;
        }
    }
}
