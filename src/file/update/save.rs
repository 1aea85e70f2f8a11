//! Opening a file for update, and saving its changes.

use super::append::{end_growth, extend_last_block, keep_steps};
use super::change::Change;
use super::chunk_steps::{ROOM, end_steps, save_in_place};
use super::in_fits::FitsPlan;
use super::in_place::InPlacePlan;
use crate::error::{Error, Result, Status};
use crate::file::disk::draft;
use crate::file::disk::grown;
use crate::file::disk::interrupted::{self, Found};
use crate::file::disk::replace::{Replaced, Replacement};
use crate::file::disk::steps;
use crate::file::disk::update_state::UpdateState;
use crate::file::open::family::Family;
use crate::file::open::shared::Origin;
use crate::file::options::access::Base;
use crate::file::write::framed::Frame;
use crate::file::write::output::Target;
use crate::file::write::prepared::Prepared;
use crate::file::{File, Node, OpenOptions, SaveMode, WriteOptions};
use crate::fits::FitsFile;
use crate::layout::Layout;
use crate::progress::{self, Counted};
use crate::remote::{url_of, without_secrets};
use crate::source::{
    ClosableSource, FileSource, HeldLock, LockKind, MemorySource, OwnSource, PartSource, SharedBytes, Source, Witness,
};
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The content of a file that was just saved.
pub(super) struct SavedContent {
    source: Arc<ClosableSource>,
    layout: Layout,
    /// The FITS file that holds the file.
    fits: Option<Arc<FitsFile>>,
}

/// Prevents other handles from opening a file for update, on file systems with locks.
fn lock_for_update(source: &FileSource) -> Result<Option<HeldLock>> {
    let Some(file) = source.file() else { return Ok(None) };
    HeldLock::exclusive(file, LockKind::Update, || {
        Error::new(Status::Locked, "another program or handle has the file open for update; close it there first")
    })
}

/// Returns a name of an open file, if the system knows one that leads to the same file.
#[cfg(target_os = "linux")]
fn name_of(file: &std::fs::File) -> Option<PathBuf> {
    use std::os::{fd::AsRawFd, unix::fs::MetadataExt};
    let name = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()?;
    let (one, other) = (file.metadata().ok()?, std::fs::metadata(&name).ok()?);
    ((one.dev(), one.ino()) == (other.dev(), other.ino())).then_some(name)
}

/// Other systems do not tell the name of an open file.
#[cfg(not(target_os = "linux"))]
fn name_of(_: &std::fs::File) -> Option<PathBuf> {
    None
}

impl File {
    /// Opens a file for update: nodes can be set and removed and arrays can be added, until [`File::save`].
    ///
    /// The file on disk does not change before it is saved. Fails with [`Status::PermissionDenied`] if the file is not
    /// writable, and with [`Status::Locked`] if another handle has it open for update, unless the options disable
    /// locks.
    pub fn open_for_update(path: impl AsRef<Path>, options: &OpenOptions) -> Result<File> {
        let path = path.as_ref();
        if let Some(url) = url_of(path) {
            let error = Error::new(Status::Unsupported, "files on servers can be read only");
            return Err(error.in_file(&Arc::from(without_secrets(url))));
        }
        let name: Arc<str> = Arc::from(path.to_string_lossy());
        let open = || {
            if path.as_os_str().is_empty() {
                return Err(Error::new(Status::FileNotFound, "the file name is empty"));
            }
            let target = std::fs::canonicalize(path).map_err(|error| Error::io("cannot open the file", &error))?;
            let repaired = interrupted::repair(&target)?;
            let family = Family::new(options, Base::Path(path))?;
            let uri = family.policy().uri_of(path)?;
            let origin = Origin { name: Some(name.clone()), uri, update: Some(target.clone()), ..Origin::default() };
            let opened = RefCell::new((None, None));
            let open_source = || {
                // The lock of the previous attempt would block this one.
                opened.take();
                let source = Arc::new(FileSource::open_writable(&target)?);
                let held = if options.lock { lock_for_update(&source)? } else { None };
                let is_repaired =
                    grown::repair(&source, &options.limits)? || steps::read::repair(&source, &options.limits)?;
                let source = match is_repaired {
                    true => Arc::new(source.grown()?),
                    false => source,
                };
                opened.replace((Some(source.clone()), held));
                Ok(source as Arc<dyn Source>)
            };
            let read = |source, found: Option<_>| {
                let found = found.or_else(|| repaired.clone().map(Found::Interrupted));
                File::read(source, origin.clone(), family.clone(), found)
            };
            let file = interrupted::read_settled(&target, open_source, read)?.adopted();
            let (source, held) = opened.take();
            let mut state = file.own_state()?;
            state.tree_mut().remember_original();
            state.update.set_file(source, held);
            drop(state);
            Ok(file)
        };
        open().map_err(|error: Error| draft::name_left(path, error).in_file(&name))
    }

    /// Opens a file in memory for update: it can be changed, and then written under a name or to memory.
    ///
    /// Stored elements cannot be overwritten by regions, because the bytes belong to the caller; set the array instead.
    pub fn open_memory_for_update(bytes: SharedBytes, options: &OpenOptions) -> Result<File> {
        File::open_source_for_update(Arc::new(MemorySource::new(bytes)), options)
    }

    /// Opens the file behind an open file descriptor for update. If the descriptor leads to a name (on Linux), this is
    /// [`File::open_for_update`] with this name. Otherwise the file can be changed, and then written under a name or to
    /// memory. The descriptor is closed with the file.
    pub fn open_descriptor_for_update(file: std::fs::File, options: &OpenOptions) -> Result<File> {
        match name_of(&file) {
            Some(name) => File::open_for_update(name, options),
            None => File::open_source_for_update(Arc::new(FileSource::from_file(file)?), options),
        }
    }

    fn open_source_for_update(source: Arc<dyn Source>, options: &OpenOptions) -> Result<File> {
        let origin = Origin { is_unnamed_update: true, ..Origin::default() };
        let file = File::read(source, origin, Family::new(options, Base::Unnamed)?, None)?.adopted();
        file.own_state()?.tree_mut().remember_original();
        Ok(file)
    }

    /// Saves the changes of a file that was opened for update. Writes nothing if there are none.
    ///
    /// Only the changed parts of the text of the tree are replaced, and `asdf_library`, which then names this library;
    /// comments and styles stay. Stored blocks are not changed; new blocks follow them.
    ///
    /// [`WriteOptions::save_mode`] selects one of two ways of saving:
    ///
    /// * A new file is written and then replaces the old one, as by [`File::write`]. Readers see either the old file or
    ///   the new one. Handles that have the old file open continue to read it.
    /// * The changed parts are written in place, with a journal. If the save is interrupted, the next opening undoes
    ///   it. So this library reads either the old content or the new one. Other handles that have the file open get
    ///   [`Status::FileChanged`].
    ///
    /// With [`WriteOptions::durable`], a new file needs two syncs to disk. A save in place needs four: for the journal,
    /// its name, the file, and the removal of the journal. Saves that only append chunks need one, from the third in a row
    /// on.
    ///
    /// Nodes stay valid. Their positions in the file are still those at the time of opening.
    ///
    /// Fails with the errors of writing, and with
    ///
    /// * [`Status::FileChanged`] if the file was changed by others,
    /// * [`Status::Incomplete`] if a setter failed,
    /// * [`Status::NotInPlace`] if a new file is needed, but the options allow only a save in place.
    ///
    /// After a failure the file is unchanged, and the changes can be saved again. After [`Status::NotDurable`] the file
    /// is saved, but a power cut may restore the old one.
    pub fn save(&self, options: &WriteOptions) -> Result<()> {
        self.save_changes(options).map_err(|error| self.name_in(error))
    }

    pub(crate) fn save_changes(&self, options: &WriteOptions) -> Result<()> {
        let _change = self.begin_change()?;
        let path = self.update_path()?;
        let _expectation = self.expect_to_write(false, options)?;
        keep_steps(self, path, options)?;
        if self.store()?.fits().is_some() {
            // New checksums of HDUs can change the tree.
            self.renew_checksums(options)?;
        }
        let declared = self.standard().declared;
        let renews = options.as_standard.is_some_and(|standard| declared.as_deref() != Some(standard.as_str()));
        if !renews && !self.state()?.is_changed {
            self.check_complete(options)?;
            return self.keep_overwritten(path, options);
        }
        if renews && options.save_mode == SaveMode::InPlace {
            let message = "another version of the standard needs a new file";
            return Err(Error::new(Status::NotInPlace, message));
        }
        let prepared = Prepared::new(self, Some(path), options)?.in_standard(options)?;
        let head = prepared.head()?;
        let renewed = prepared.renewed;
        if renewed.is_none() {
            if let Some(fits) = prepared.store.fits().cloned() {
                if let Some(plan) = FitsPlan::new(&prepared, &fits, path, &head, options)? {
                    drop(head);
                    return plan.save(prepared, path, options);
                }
            } else if let Some(plan) = InPlacePlan::new(&prepared, path, &head, options)? {
                return save_in_place(plan, prepared, path, head, options);
            }
        }
        end_steps(self)?;
        let roomy = (self.state()?.update.is_appending && options.tree_slack.is_none())
            .then(|| WriteOptions { tree_slack: Some(ROOM), ..options.clone() });
        let options = roomy.as_ref().unwrap_or(options);
        let write = |target: Target, prepared: &Prepared| prepared.write_with_head(&head, target, options);
        let replaced = self.replace_stored(path, options, prepared, write, u64::MAX)?;
        if let Some(standard) = renewed {
            self.shared.set_standard(standard);
        }
        replaced.map_or(Ok(()), |replaced| self.finish_replaced(replaced))
    }

    /// Ends the growth of an array, before a change that writes the file in another way. Rows that were added are kept.
    pub(crate) fn end_growth(&self) -> Result<()> {
        end_growth(self)
    }

    /// Extends an array along its first dimension by rows of this element, or of zeros, without writing the file anew.
    /// Returns false if that is not possible, or not worth it.
    pub(crate) fn extend_last_block(
        &self,
        node: &Node,
        path: &str,
        shape: &[i64],
        fill: Option<&[u8]>,
    ) -> Result<bool> {
        extend_last_block(self, node, path, shape, fill)
    }

    /// Returns the path, with links resolved, of a file that was opened for update.
    pub(crate) fn update_path(&self) -> Result<&Path> {
        let message = match self.shared.origin.is_unnamed_update {
            true => {
                "the file was opened for update without a name; write it under a name, to memory or to a descriptor"
            }
            false => "the file is new; write it under a name first",
        };
        self.shared.origin.update.as_deref().ok_or_else(|| Error::new(Status::InvalidArgument, message))
    }

    /// Fails with [`Status::NotInPlace`] if the options exclude a new file. For operations that always write one.
    pub(crate) fn check_whole(&self, options: &WriteOptions) -> Result<()> {
        match options.save_mode {
            SaveMode::InPlace => Err(Error::new(
                Status::NotInPlace,
                "this operation always writes a new file, but the options allow only a save in place",
            )),
            SaveMode::Auto | SaveMode::Whole => Ok(()),
        }
    }

    /// Replaces the file that was opened by a new file, and continues with the new file. Returns `None` and keeps the old
    /// file if the new one is longer than `maximum`.
    pub(crate) fn replace_stored(
        &self,
        path: &Path,
        options: &WriteOptions,
        prepared: Prepared,
        write: impl FnOnce(Target, &Prepared) -> Result<()>,
        maximum: u64,
    ) -> Result<Option<Replaced>> {
        self.state()?.update.check_before_overwriting(path)?;
        self.renew_checksums(options)?;
        progress::expect_more(Counted::Written, prepared.store.file_length().unwrap_or(0));
        let mut replacement = Replacement::begin(path, true, &[])?;
        let fits = prepared.store.fits();
        match fits {
            Some(fits) => {
                Frame::of(fits)?.write(Target::File(replacement.file()), |target| write(target, &prepared))?;
            }
            None => write(Target::File(replacement.file()), &prepared)?,
        }
        let length =
            replacement.file().metadata().map_err(|error| Error::io("cannot read the new file", &error))?.len();
        if length > maximum {
            return Ok(None);
        }
        // Open the new file first: a failure here loses nothing.
        let file = replacement.file().try_clone().map_err(|error| Error::io("cannot open the new file", &error))?;
        let file = Arc::new(FileSource::from_file(file)?);
        let held = if self.family.options().lock { lock_for_update(&file)? } else { None };
        let content = self.content_of_saved(file.clone(), fits.is_some())?;
        self.state()?.update.check_unchanged(path)?;
        let replaced = replacement.commit(options.durable)?;
        let switch = |update: &mut UpdateState| update.set_file(Some(file), held);
        self.continue_with(content, prepared, Some(self.family.new_number()), switch)?;
        Ok(Some(replaced))
    }

    /// Continues with the file that was saved. `cache_number` is the key of its decoded blocks, if blocks were moved.
    pub(super) fn continue_with(
        &self,
        content: SavedContent,
        prepared: Prepared,
        cache_number: Option<u32>,
        switch: impl FnOnce(&mut UpdateState),
    ) -> Result<()> {
        let Prepared { tree, store, mut sources, .. } = prepared;
        sources.keep();
        // The warnings of the old layout would be lost.
        self.warn([]);
        let SavedContent { source, layout, fits } = content;
        let saved = store.saved(source, layout, cache_number).within(fits);
        let mut state = self.own_state()?;
        let former = state.saved(tree, saved);
        if !sources.is_empty() {
            sources.set_in(&store, state.tree_mut());
        }
        switch(&mut state.update);
        drop(state);
        drop(former);
        Ok(())
    }

    /// Same as [`File::continue_with`] after blocks were appended.
    pub(super) fn continue_with_blocks(
        &self,
        source: Arc<ClosableSource>,
        layout: Layout,
        prepared: Prepared,
        cache_number: Option<u32>,
        switch: impl FnOnce(&mut UpdateState),
    ) -> Result<()> {
        self.continue_with(SavedContent { source, layout, fits: None }, prepared, cache_number, switch)
    }

    /// Returns the content of a file that was just saved, alone or in a FITS file.
    pub(super) fn content_of_saved(&self, file: Arc<FileSource>, is_in_fits: bool) -> Result<SavedContent> {
        if !is_in_fits {
            let source = Arc::new(ClosableSource::new(file));
            let layout = self.layout_of_saved(source.clone())?;
            return Ok(SavedContent { source, layout, fits: None });
        }
        let fits = FitsFile::read(file.clone(), self.limits())?;
        let source = Arc::new(ClosableSource::new(Arc::new(PartSource::new(file, fits.asdf()))));
        let layout = self.layout_of_saved(source.clone())?;
        Ok(SavedContent { source, layout, fits: Some(Arc::new(fits)) })
    }

    /// Reads the layout of a file that was just saved. Its tree is known, so only a hash of it is kept.
    pub(super) fn layout_of_saved(&self, source: Arc<ClosableSource>) -> Result<Layout> {
        let mut layout = Layout::read(source.clone(), self.limits())?;
        if let Some(text) = layout.tree.take() {
            source.remember(Witness::TreeHash(text.range.start, &text.bytes));
        }
        Ok(layout)
    }

    /// Syncs the name of the new file. If that fails, the new file is in place and counts as saved.
    pub(crate) fn finish_replaced(&self, mut replaced: Replaced) -> Result<()> {
        self.warn(replaced.take_warnings());
        let finished = replaced.finish();
        let mut state = self.own_state()?;
        state.update.name_is_unsure = finished.is_err();
        state.update.forget_overwritten(finished.is_ok());
        drop(state);
        finished
    }
}
