//! A change of a file in place, with a journal that can undo it.

use crate::error::Result;
use crate::file::WriteOptions;
use crate::file::disk::draft;
use crate::file::disk::folder::sync_file;
use crate::file::disk::journal::{Journal, mark_modified};
use crate::file::disk::journal_format::Purpose;
use crate::file::write::prepared::Prepared;
use crate::progress;
use crate::source::FileSource;
use std::path::Path;
use std::sync::Arc;

/// A planned change of a file.
pub(super) trait Change {
    /// True for ASDF in a FITS file.
    const IS_IN_FITS: bool;

    /// Returns the file to be changed.
    fn file(&self) -> &Arc<FileSource>;

    /// Records in the journal the bytes to be overwritten, and those that identify the file.
    fn keep(&self, journal: &mut Journal) -> Result<()>;

    /// Writes the new bytes.
    fn write(&self, prepared: &Prepared, options: &WriteOptions) -> Result<()>;

    /// Returns true if stored blocks change, so that their decoded bytes may not be used again.
    fn changes_blocks(&self) -> bool;

    /// Saves the file. After a failure the file is unchanged, or is restored at the next opening. After
    /// [`Status::NotDurable`](crate::error::Status::NotDurable) the file is saved.
    fn save(&self, prepared: Prepared, path: &Path, options: &WriteOptions) -> Result<()> {
        let file = prepared.file.clone();
        file.warn(draft::look_for_left(path));
        let mut journal = Journal::begin(path, self.file(), Purpose::Save, options.durable)?;
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
        self.keep(journal)?;
        journal.ready()?;
        // Blocks to be copied stay in place during the save.
        self.file().expect_changes();
        journal.begin_writes()?;
        self.write(&prepared, options)?;
        mark_modified(self.file().descriptor());
        if options.durable {
            sync_file(self.file().descriptor())?;
        }
        let file = Arc::new(self.file().grown()?);
        let content = saved.content_of_saved(file.clone(), Self::IS_IN_FITS)?;
        progress::commit()?;
        journal.end_writes(file.descriptor());
        journal.commit(options.durable)?;
        let cache_number = self.changes_blocks().then(|| saved.family.new_number());
        saved.continue_with(content, prepared, cache_number, |update| update.file = Some(file))
    }
}
