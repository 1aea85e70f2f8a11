//! Saving ASDF in a FITS file in place: the HDU with the ASDF file is written again, and grows if it is the last one.
//!
//! Other HDUs are not touched. Stored blocks stay in place, so open arrays stay valid.

use super::in_place::{difference, obstacle};
use crate::error::{Error, Result, Status};
use crate::file::blocks::plan::SMALL_FILE;
use crate::file::disk::draft;
use crate::file::disk::folder::sync_file;
use crate::file::disk::journal::{Journal, WITNESS, mark_modified};
use crate::file::disk::journal_format::Purpose;
use crate::file::write::output::{MemorySink, Target};
use crate::file::write::prepared::Prepared;
use crate::file::{SaveMode, WriteOptions};
use crate::fits::{FitsFile, padding};
use crate::layout::Layout;
use crate::progress;
use crate::source::{FileSource, MemorySource, Source, read_vec_at, write_all_at};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Largest ASDF file that is written again in place, in bytes. It is made in memory.
const MOST: u64 = 16 << 20;

/// Plan for saving ASDF in a FITS file in place.
pub(super) struct FitsPlan {
    file: Arc<FileSource>,
    /// Byte of the file at which the header of the HDU begins.
    start: u64,
    /// New header, ASDF file and padding.
    bytes: Vec<u8>,
    /// Range of `bytes` that differs from the file on disk.
    changed: Range<usize>,
    /// New length of the file.
    length: u64,
}

impl FitsPlan {
    /// Returns the plan for saving a file with this new head. Returns `None` if that is not possible, or if the options
    /// or the costs favour a new file.
    ///
    /// Fails with [`Status::NotInPlace`] if saving in place is not possible, but the options demand it.
    pub(super) fn new(
        prepared: &Prepared,
        fits: &FitsFile,
        path: &Path,
        head: &[u8],
        options: &WriteOptions,
    ) -> Result<Option<FitsPlan>> {
        if options.save_mode == SaveMode::Whole {
            return Ok(None);
        }
        let only_in_place = options.save_mode == SaveMode::InPlace;
        let (file, is_overwritten) = {
            let state = prepared.file.state()?;
            (state.update.file.clone(), state.update.overwritten.is_some())
        };
        let Some(file) = file.filter(|file| only_in_place || file.len() > SMALL_FILE) else { return Ok(None) };
        let attempt = if is_overwritten {
            Err("elements were overwritten since the last save; save once before other changes")
        } else {
            attempt(prepared, fits, path, file, head, options)?
        };
        match attempt {
            Ok(plan) if only_in_place || 3 * plan.changed.len() as u64 <= plan.length => Ok(Some(plan)),
            Err(reason) if only_in_place => {
                let message = format!("the changes cannot be saved in place: {reason}");
                Err(Error::new(Status::NotInPlace, message))
            }
            Ok(_) | Err(_) => Ok(None),
        }
    }

    /// Saves the file. After a failure the file is unchanged, or is restored at the next opening. After
    /// [`Status::NotDurable`] the file is saved.
    pub(super) fn save(&self, prepared: Prepared, path: &Path, options: &WriteOptions) -> Result<()> {
        let file = prepared.file.clone();
        file.warn(draft::look_for_left(path));
        let mut journal = Journal::begin(path, &self.file, Purpose::Save, options.durable)?;
        match self.overwrite(prepared, path, &mut journal, options) {
            Ok(()) => journal.finish().and_then(|()| file.state()?.update.check_name(options.durable)),
            Err(error) => match file.own_state().and_then(|mut state| state.update.undo(journal)) {
                Ok(()) => Err(error),
                Err(more) => Err(error.with_more(more.message())),
            },
        }
    }

    /// Fills the journal, changes the file, and continues with the new state of the file.
    fn overwrite(&self, prepared: Prepared, path: &Path, journal: &mut Journal, options: &WriteOptions) -> Result<()> {
        let saved = prepared.file.clone();
        // The journal excludes other writers from here on.
        saved.state()?.update.check_unchanged(path)?;
        let place = self.start + self.changed.start as u64;
        let new = self.bytes.get(self.changed.clone()).unwrap_or_default();
        journal.watch(&*self.file, place.saturating_sub(WITNESS)..place)?;
        journal.keep_under(&*self.file, place, new)?;
        journal.keep(&*self.file, self.length..self.file.len())?;
        journal.ready()?;
        self.file.expect_changes();
        journal.begin_writes()?;
        self.write(place, new, options)?;
        let file = Arc::new(self.file.grown()?);
        let content = saved.content_of_saved(file.clone(), true)?;
        progress::commit()?;
        journal.end_writes(file.descriptor());
        journal.commit(options.durable)?;
        saved.continue_with(content, prepared, None, |update| update.file = Some(file))
    }

    fn write(&self, place: u64, new: &[u8], options: &WriteOptions) -> Result<()> {
        let fail = |error: std::io::Error| Error::io("cannot write the file", &error);
        let file = self.file.descriptor();
        write_all_at(file, place, new).map_err(fail)?;
        if self.length < self.file.len() {
            file.set_len(self.length).map_err(fail)?;
        }
        mark_modified(file);
        if options.durable {
            sync_file(file)?;
        }
        Ok(())
    }
}

/// Returns the plan for a file with this new head, or the reason why there is none.
fn attempt(
    prepared: &Prepared,
    fits: &FitsFile,
    path: &Path,
    file: Arc<FileSource>,
    head: &[u8],
    options: &WriteOptions,
) -> Result<std::result::Result<FitsPlan, &'static str>> {
    let store = &prepared.store;
    if let Some(obstacle) = obstacle(path, store, &file)? {
        return Ok(Err(obstacle));
    }
    let (old, rest) = (fits.asdf(), fits.after_asdf());
    let added = store.appended().iter().fold(head.len() as u64, |sum, block| sum.saturating_add(block.size()));
    if (old.end - old.start).saturating_add(added) > MOST || store.unnumbered().streamed().is_some() {
        return Ok(Err("the ASDF file in the FITS file is too large to be written again"));
    }
    let mut sink = MemorySink(Vec::new());
    prepared.write_with_head(head, Target::Memory(&mut sink), options)?;
    let content = Arc::new(MemorySource::of_vec(sink.0));
    let first = store.of_file().map_or(Ok(None), |stored| stored.first_block())?;
    if first.is_some() {
        let layout = Layout::read(content.clone(), prepared.file.limits())?;
        if layout.blocks.first().map(|first| first.offset) != first {
            return Ok(Err("the tree is too large for the space before the first block"));
        }
    }
    let start = fits.asdf_header_range().start;
    let mut bytes = fits.asdf_header()?.bytes(content.len(), &*content, 0)?;
    bytes.extend(read_vec_at(&*content, 0, content.len())?);
    bytes.resize(bytes.len() + padding(content.len()) as usize, 0);
    let end = start + bytes.len() as u64;
    if !rest.is_empty() && end != rest.start {
        return Ok(Err("other HDUs follow the one with the ASDF file, whose size changes"));
    }
    let length = if rest.is_empty() { end } else { rest.end };
    let known = read_vec_at(&*file, start, file.len().min(end) - start)?;
    let changed = difference(&known, &bytes);
    Ok(Ok(FitsPlan { file, start, bytes, changed, length }))
}
