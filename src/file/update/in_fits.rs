//! Saving ASDF in a FITS file in place: the HDU with the ASDF file is written again, and grows if it is the last one.
//!
//! Other HDUs are not touched. Stored blocks stay in place, so open arrays stay valid.

use super::change::Change;
use super::in_place::{difference, obstacle};
use crate::error::{Error, Result, Status};
use crate::file::blocks::plan::SMALL_FILE;
use crate::file::disk::journal::{Journal, WITNESS};
use crate::file::write::output::{MemorySink, Target};
use crate::file::write::prepared::Prepared;
use crate::file::{SaveMode, WriteOptions};
use crate::fits::{FitsFile, padding};
use crate::layout::Layout;
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
}

impl Change for FitsPlan {
    const IS_IN_FITS: bool = true;

    fn file(&self) -> &Arc<FileSource> {
        &self.file
    }

    fn keep(&self, journal: &mut Journal) -> Result<()> {
        let place = self.place();
        journal.watch(&*self.file, place.saturating_sub(WITNESS)..place)?;
        journal.keep_under(&*self.file, place, self.new_bytes())?;
        journal.keep(&*self.file, self.length..self.file.len())
    }

    fn write(&self, _: &Prepared, _: &WriteOptions) -> Result<()> {
        let fail = |error: std::io::Error| Error::io("cannot write the file", &error);
        let file = self.file.descriptor();
        write_all_at(file, self.place(), self.new_bytes()).map_err(fail)?;
        if self.length < self.file.len() {
            file.set_len(self.length).map_err(fail)?;
        }
        Ok(())
    }

    fn changes_blocks(&self) -> bool {
        false
    }
}

impl FitsPlan {
    /// Returns the byte of the file at which the changed bytes begin.
    fn place(&self) -> u64 {
        self.start + self.changed.start as u64
    }

    fn new_bytes(&self) -> &[u8] {
        self.bytes.get(self.changed.clone()).unwrap_or_default()
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
