//! Undo journal: a second file in the same directory, with the bytes that a save in place overwrites.
//!
//! This module writes the journal. The format is in `journal_format`, reading and undoing in `undo`, and the rules for
//! when to undo in `interrupted`.

use super::draft::hidden_beside;
use super::folder::{Folder, folder_of};
use super::identity::{Identity, current_boot};
use super::journal_format::{CHECKSUM, Header, Kind, Nonce, Purpose, RECORD, WRITING, encode_record, nonce};
use super::rights::Rights;
use super::undo::restore;
use crate::error::{Error, Result, Status};
use crate::layout::{Checksum, md5, md5_of_range};
use crate::source::{FileSource, HeldLock, Kept, LockKind, Patches, Source, is_same_file, read_vec_at, write_all_at};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Maximum size of a record, in bytes. It bounds the memory.
const PIECE: u64 = 1 << 20;
/// Bytes that [`Journal::announce`] always records. It records more only as long as more bytes are kept, so a loop that
/// overwrites the same elements does not make the journal grow.
const MOST_ANNOUNCED: u64 = 64 << 20;
/// Maximum size of a part of the file that identifies it, in bytes: its start, or the unchanged bytes beside a change.
pub(crate) const WITNESS: u64 = 64 << 10;
const NAME_END: &str = ".asdf-journal";
/// Number of names for journals that were [set aside](aside_path).
const ASIDE: u32 = 99;

/// Returns the path of the journal of a file. Links are not resolved.
pub(crate) fn journal_path(target: &Path) -> Option<PathBuf> {
    hidden_beside(target, NAME_END)
}

/// Returns a free name for the journal of a file that it does not belong to.
pub(super) fn aside_path(target: &Path) -> Option<PathBuf> {
    let mut names = (1..=ASIDE).filter_map(|number| hidden_beside(target, &format!("{NAME_END}-{number}")));
    names.find(|name| name.symlink_metadata().is_err())
}

/// A journal that is being written.
///
/// For each batch: [`watch`](Journal::watch) and keep bytes, call [`ready`](Journal::ready), then
/// [`begin_writes`](Journal::begin_writes), overwrite the kept bytes and append new ones, and call
/// [`end_writes`](Journal::end_writes). At the end the file is synced, and the journal is either
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
    /// Number of kept bytes that are stored, and of announced ones.
    stored: u64,
    announced: u64,
    /// Set when no more bytes are announced.
    is_loose: bool,
    /// Set when the modification time of the journal cannot be set.
    is_untimed: bool,
    /// Set when bytes of the file may have been overwritten.
    is_ready: bool,
    /// Set when a sync failed. Records may be lost then, and another sync would not report it.
    is_unsure: bool,
    /// Set when the journal was truncated to zero bytes, because it could not be removed.
    is_emptied: bool,
}

impl Journal {
    /// Creates the journal of a file that is open under the name `target`. With `durable`, [`ready`](Journal::ready)
    /// syncs it to disk.
    ///
    /// The journal excludes other writers of the file. Fails with [`Status::FileChanged`] if there is a journal
    /// already. The caller must check afterwards that the file is unchanged.
    pub(crate) fn begin(target: &Path, of: &FileSource, purpose: Purpose, durable: bool) -> Result<Journal> {
        let path =
            journal_path(target).ok_or_else(|| Error::new(Status::InvalidArgument, "the path has no file name"))?;
        let folder = durable.then(|| Folder::open(folder_of(&path))).transpose()?;
        let metadata = of.descriptor().metadata();
        let metadata = metadata.map_err(|error| Error::io("cannot get the properties of the file", &error))?;
        let (file, held) = create(&path)?;
        let (nonce, length) = (nonce(), of.len());
        let header = Header { nonce, length, identity: Identity::of(&metadata), purpose, boot: current_boot() };
        let journal = Journal {
            path,
            file,
            _held: held,
            durable,
            folder,
            length,
            nonce,
            end: 0,
            pending: header.encode(),
            kept: Patches::default(),
            fresh: Patches::default(),
            stored: 0,
            announced: 0,
            is_loose: false,
            is_untimed: false,
            is_ready: false,
            is_unsure: false,
            is_emptied: false,
        };
        // The journal contains bytes of the file, so it gets the rights of the file. Rights that it cannot have, it lacks.
        drop(Rights::at(target, &metadata).pass_on(&journal.file));
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
            self.stored += old.len() as u64;
            self.fresh.add(piece, Kept::At(at));
        }
        Ok(())
    }

    /// Keeps the checksum at `place` in a block header, before the bytes in the range `summed`, to which it belongs, are
    /// overwritten.
    pub(crate) fn keep_checksum(&mut self, place: u64, checksum: &Checksum, summed: Range<u64>) -> Result<()> {
        let range = place..place.saturating_add(checksum.len() as u64);
        if self.gaps(range.clone()) != [range.clone()] {
            return Ok(());
        }
        let at = self.payload_place();
        let bounds = [summed.start, summed.end.saturating_sub(summed.start)].map(u64::to_be_bytes);
        self.record(Kind::Sum, place, checksum.len() as u64, &[checksum, bounds.as_flattened()])?;
        self.fresh.add(range, Kept::At(at));
        Ok(())
    }

    /// Notes that a block without a checksum is overwritten.
    pub(crate) fn note_bare(&mut self, place: u64) -> Result<()> {
        self.record(Kind::Bare, place, 0, &[])
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

    /// Call this after [`ready`](Journal::ready) and before each sequence of writes to the file.
    ///
    /// Until [`end_writes`](Journal::end_writes), the modification time of the journal says that its writer changes the
    /// file. It is not synced: file systems keep the order of such changes.
    pub(crate) fn begin_writes(&mut self) -> Result<()> {
        if !self.is_untimed && self.file.set_modified(WRITING).is_err() {
            self.record(Kind::Untimed, 0, 0, &[])?;
            self.flush()?;
            self.is_untimed = true;
        }
        Ok(())
    }

    /// Records bytes that are about to be written over kept ones, so that those which others write can be told from
    /// them. Call this after [`begin_writes`](Journal::begin_writes).
    ///
    /// The record is not synced: after a power cut, any byte in place of a kept one counts as written by this process.
    pub(crate) fn announce(&mut self, offset: u64, new: &[u8]) -> Result<()> {
        if self.is_loose {
            return Ok(());
        }
        self.announced = self.announced.saturating_add(new.len() as u64);
        if self.announced > self.stored.max(MOST_ANNOUNCED) {
            self.record(Kind::Loose, 0, 0, &[])?;
            self.is_loose = true;
        } else {
            let mut at = offset;
            for piece in new.chunks(PIECE as usize) {
                self.record(Kind::New, at, piece.len() as u64, &[piece])?;
                at = at.saturating_add(piece.len() as u64);
            }
        }
        self.flush()?;
        self.begin_writes()
    }

    /// Notes that the file is as the writer left it. Only the writer changes the file from now on; who else does makes
    /// the file newer than the journal.
    pub(crate) fn end_writes(&self, file: &File) {
        if !self.is_untimed && self.is_ready {
            let modified = file.metadata().and_then(|metadata| metadata.modified());
            // After a failure, the journal still says that its writer changes the file. That is safe.
            let _ = modified.and_then(|modified| self.file.set_modified(modified));
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
            self.begin_writes()?;
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

    /// Removes the journal, unless another file has its name by now.
    fn remove(&self) -> Result<()> {
        if matches!(is_same_file(&self.file, &self.path), Ok(false)) {
            return Ok(());
        }
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
            if kind.is_checked() {
                self.pending.extend(md5(self.pending.get(start..).unwrap_or_default()));
            }
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
