//! The undo journal: what a file held before it is changed where it lies, in a second file beside it.
//!
//! This is the side that writes it. Its bytes are described in `journal_format`; how it is read and undone is a
//! matter of `undo`, when that has to happen of `interrupted`.

use super::draft::hidden_beside;
use super::folder::{Folder, folder_of};
use super::journal_format::{CHECKSUM, Kind, Nonce, RECORD, encode_header, encode_record, nonce};
use super::undo::restore;
use crate::error::{Error, Result, Status};
use crate::layout::{md5, md5_of_range};
use crate::source::{FileSource, HeldLock, Kept, LockKind, Patches, Source, is_same_file, read_vec_at, write_all_at};
use std::fs::File;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Records keep no more than this, so that as little is held in memory.
const PIECE: u64 = 1 << 20;
const NAME_END: &str = ".asdf-journal";

/// The name of a file's journal; links are not followed.
pub(crate) fn journal_path(target: &Path) -> Option<PathBuf> {
    hidden_beside(target, NAME_END)
}

/// A journal that is being written.
///
/// For each batch: [`watch`](Journal::watch) and keep, then [`ready`](Journal::ready), then overwrite what was kept, append
/// what there is to append. In the end the file is synced and [`commit`](Journal::commit)ted, which is
/// [finished](Journal::finish) then, or [rolled back](Journal::roll_back). A journal that is only dropped stays on the
/// disk, and the next opening undoes.
pub(crate) struct Journal {
    path: PathBuf,
    file: Arc<File>,
    _held: Option<HeldLock>,
    durable: bool,
    /// The folder, whose names are waited for if the journal or its end is durable.
    folder: Option<Folder>,
    /// The length of the file before.
    length: u64,
    nonce: Nonce,
    /// Where the next record goes, and those records that wait to be written there.
    end: u64,
    pending: Vec<u8>,
    /// What batches keep that are ready, and what the one does that is not.
    kept: Patches,
    fresh: Patches,
    /// Whether anything may have been overwritten.
    is_ready: bool,
    /// Set when waiting for records failed: they may be lost, and waiting again would not tell.
    is_unsure: bool,
    /// Whether the journal was ended by taking its content, as its name could not be removed.
    is_emptied: bool,
}

impl Journal {
    /// Makes the journal of a file that now has this length. With `durable` it is on the disk when it is ready.
    ///
    /// Whoever makes it has the file for himself until the end: should there be a journal already, this is
    /// [`Status::FileChanged`]. What was known of the file is to be checked afterwards.
    pub(crate) fn begin(target: &Path, length: u64, durable: bool) -> Result<Journal> {
        let path = journal_path(target).ok_or_else(|| Error::new(Status::InvalidArgument, "the path names no file"))?;
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
        // Who may read the file must be able to read what it held, and nobody else.
        let permissions = std::fs::metadata(target).and_then(|metadata| {
            give_to_owner(&journal.file, &metadata);
            journal.file.set_permissions(metadata.permissions())
        });
        match permissions {
            Ok(()) => Ok(journal),
            Err(error) => {
                // Should it stay, it is found not to be needed.
                let _ = journal.remove();
                Err(Error::io("cannot set the permissions of the journal", &error))
            }
        }
    }

    /// Notes bytes that will not be overwritten, by which the file is known again.
    pub(crate) fn watch(&mut self, file: &dyn Source, range: Range<u64>) -> Result<()> {
        let digest = md5_of_range(file, range.clone())?;
        self.record(Kind::Witness, range.start, range.end - range.start, &[&digest])
    }

    /// Keeps bytes that will be overwritten. Those beyond the length that the file had need not be kept.
    pub(crate) fn keep(&mut self, file: &dyn Source, range: Range<u64>) -> Result<()> {
        for piece in self.unkept(range) {
            let old = read_vec_at(file, piece.start, piece.end - piece.start)?;
            let at = self.payload_place();
            self.record(Kind::Old, piece.start, old.len() as u64, &[&old])?;
            self.fresh.add(piece, Kept::At(at));
        }
        Ok(())
    }

    /// Keeps bytes that will be overwritten by these. Thus a file is told from another for which the journal is not.
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

    /// Keeps bytes that are known to be zeros, at no cost.
    pub(crate) fn keep_zeros(&mut self, range: Range<u64>) -> Result<()> {
        for piece in self.gaps(range) {
            self.record(Kind::Zeros, piece.start, piece.end - piece.start, &[])?;
            self.fresh.add(piece, Kept::Zeros);
        }
        Ok(())
    }

    /// Whether something is kept that is not sure yet.
    pub(crate) fn is_waiting(&self) -> bool {
        self.fresh.iter().next().is_some()
    }

    /// Makes what was kept sure: from now on it may be overwritten, and bytes may be appended.
    ///
    /// Syncs the journal if it is durable, and the folder the first time. If that fails, nothing more can be made sure.
    pub(crate) fn ready(&mut self) -> Result<()> {
        if self.is_unsure {
            let message =
                "waiting for the journal failed before; save the file, or close it, before changing more of it";
            return Err(Error::new(Status::Io, message));
        }
        self.record(Kind::Ready, 0, 0, &[])?;
        self.flush()?;
        if self.durable
            && let Err(error) = self.sync()
        {
            self.is_unsure = true;
            return Err(Error::io("cannot wait for the journal's disk", &error));
        }
        self.is_ready = true;
        for (range, kept) in std::mem::take(&mut self.fresh).iter() {
            self.kept.add(range, kept);
        }
        Ok(())
    }

    /// Waits for what is written, and for the name unless that was done before.
    fn sync(&self) -> std::io::Result<()> {
        self.file.sync_data()?;
        match &self.folder {
            Some(folder) if !self.is_ready => folder.sync(),
            _ => Ok(()),
        }
    }

    /// Whether something may have been overwritten, so that the file is no longer what it was.
    pub(crate) fn is_ready(&self) -> bool {
        self.is_ready
    }

    /// Gives up the old state of the file, whose new one is on the disk if it is to be. After a failure it still can be
    /// rolled back.
    pub(crate) fn commit(&mut self, durable: bool) -> Result<()> {
        if durable && self.folder.is_none() {
            self.folder = Some(Folder::open(folder_of(&self.path))?);
        }
        if let Err(error) = self.remove() {
            // Without content it is as good as removed.
            self.file.set_len(0).map_err(|_| error)?;
            self.is_emptied = true;
        }
        Ok(())
    }

    /// Waits until the end of a journal that was committed is on the disk, if that or the journal is durable.
    ///
    /// Fails with nothing but [`Status::NotDurable`]: after a power cut the file may be the old one again.
    pub(crate) fn finish(&self) -> Result<()> {
        let waited = match &self.folder {
            Some(_) if self.is_emptied => self.file.sync_all(),
            Some(folder) => folder.sync(),
            None => Ok(()),
        };
        waited.map_err(|error| Error::not_durable(&error))
    }

    /// Gives the file back all that it held, and removes the journal. `file` is open for writing.
    ///
    /// If that fails, it can be tried again, or the journal be left for the next opening.
    pub(crate) fn roll_back(&mut self, file: &File) -> Result<()> {
        if self.is_ready {
            let own = self.file.try_clone().map_err(|error| Error::io("cannot read the journal", &error));
            let restored = own
                .and_then(FileSource::from_file)
                .and_then(|own| restore(file, &own, &self.kept, self.length, self.durable));
            restored.map_err(|error| {
                let journal = self.path.display();
                let what = format!("what was written could not be undone, which the journal '{journal}' is left for");
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

    /// The parts of a range that the file had and that are not kept yet, in pieces.
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

    /// The same as a whole.
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

/// Makes an empty journal and locks it, by which others know that its maker lives.
fn create(path: &Path) -> Result<(Arc<File>, Option<HeldLock>)> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let busy =
        || Error::new(Status::FileChanged, "a save of the file is going on, or was interrupted and is to be undone");
    let file = match options.open(path) {
        Ok(file) => Arc::new(file),
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => return Err(busy()),
        Err(error) => return Err(Error::io("cannot make the journal", &error)),
    };
    let held = HeldLock::exclusive(file.clone(), LockKind::Update, busy)?;
    // Before it was locked another may have taken it for one that was left, and removed it.
    if is_same_file(&file, path)? { Ok((file, held)) } else { Err(busy()) }
}

/// Makes the owner of a file that of its journal, if the system allows it.
#[cfg(unix)]
fn give_to_owner(journal: &File, of: &std::fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let differs = journal.metadata().is_ok_and(|own| (own.uid(), own.gid()) != (of.uid(), of.gid()));
    if differs && fchown(journal, Some(of.uid()), Some(of.gid())).is_err() {
        // The group alone may be possible.
        let _ = fchown(journal, None, Some(of.gid()));
    }
}

#[cfg(not(unix))]
fn give_to_owner(_: &File, _: &std::fs::Metadata) {}

/// Gives a file that was changed where it lies a time of modification that it never had before.
pub(crate) fn mark_modified(file: &File) {
    let modified = || file.metadata().and_then(|metadata| metadata.modified()).ok();
    let Some(before) = modified() else { return };
    // Some file systems count in seconds, or in two.
    for step in [Duration::from_nanos(1), Duration::from_secs(1), Duration::from_secs(2)] {
        let Some(after) = before.checked_add(step) else { return };
        // Who may write a file may not always set its times; the system's own clock has to do then.
        if file.set_modified(after.max(SystemTime::now())).is_err() || modified().is_none_or(|now| now > before) {
            return;
        }
    }
}
