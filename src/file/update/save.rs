//! Changing a file that exists: opened for update, edited, saved.

use crate::error::{Error, Result, Status};
use crate::file::disk::interrupted;
use crate::file::disk::replace::{Replaced, Replacement};
use crate::file::open::family::Family;
use crate::file::open::file::Origin;
use crate::file::write::external::Sources;
use crate::file::write::output::Target;
use crate::file::{File, OpenOptions, SaveMode, WriteOptions};
use crate::layout::Layout;
use crate::progress::{self, Counted};
use crate::source::{ClosableSource, FileSource, HeldLock, LockKind, Source, Witness};
use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// Keeps others from opening a file for update, where there are locks.
fn lock_for_update(source: &FileSource) -> Result<Option<HeldLock>> {
    let Some(file) = source.file() else { return Ok(None) };
    HeldLock::exclusive(file, LockKind::Update, || {
        Error::new(Status::Locked, "another program or handle has the file open for update")
    })
}

impl File {
    /// Opens a file to change it: its nodes can be set and removed, arrays added, until [`File::save`].
    ///
    /// The file itself is not touched before it is saved. Fails with [`Status::PermissionDenied`] if it may not be
    /// written, and with [`Status::Locked`] if another handle has it open for update, unless the options waive that.
    pub fn open_for_update(path: &Path, options: &OpenOptions) -> Result<File> {
        let name: Arc<str> = Arc::from(path.to_string_lossy());
        let open = || {
            let target = std::fs::canonicalize(path).map_err(|error| Error::io("opening the file", &error))?;
            let repaired = interrupted::repair(&target)?;
            let family = Family::new(options, Some(path))?;
            let uri = family.policy().uri_of(path)?;
            let origin = Origin { name: Some(name.clone()), uri, update: Some(target.clone()), ..Origin::default() };
            let opened = RefCell::new((None, None));
            let open = || {
                // A lock of the try before would be in the way.
                opened.take();
                let source = Arc::new(FileSource::open_writable(&target)?);
                let held = if options.lock { lock_for_update(&source)? } else { None };
                opened.replace((Some(source.clone()), held));
                Ok(source as Arc<dyn Source>)
            };
            let read = |source, warning: Option<_>| {
                File::read(source, origin.clone(), family.clone(), warning.or_else(|| repaired.clone()))
            };
            let file = interrupted::read_settled(&target, open, read)?.adopted();
            file.tree_mut().remember_original();
            let (source, held) = opened.take();
            file.update_state_mut().set_file(source, held);
            Ok(file)
        };
        open().map_err(|error: Error| error.in_file(&name))
    }

    /// Saves the changes of a file that was opened for update; without any, nothing is written.
    ///
    /// The text of the tree is changed where the tree was, and stays as it is everywhere else, comments and styles
    /// included. Blocks stay as they are stored; new ones follow them.
    ///
    /// Either all is written to a new file, which then takes the place of the old one, as [`File::write`] does it: there is
    /// always either the old file or the new one, and whoever has the old one open keeps reading that. Or what changes is
    /// written where the file lies, under a journal by which a save that is interrupted is undone when the file is opened:
    /// this library always reads the old file or the new one, and whoever has the file open gets
    /// [`Status::FileChanged`]. Which of both is a matter of [`WriteOptions::save_mode`]. With [`WriteOptions::durable`] the
    /// former waits for the disk twice, the latter four times: for the journal, its name, the file, and the journal's end;
    /// and once more if room is inserted before the blocks.
    ///
    /// Nodes stay valid; their places in the file are still those of when it was opened. Fails with
    /// [`Status::FileChanged`] if somebody else changed the file since, with [`Status::Incomplete`] if a setter failed, with
    /// [`Status::NotInPlace`] if a new file is needed but not wanted, and with what writing reports; the file then is as it
    /// was, and the changes can be saved again. After [`Status::NotDurable`] the file is saved, but a power cut may bring
    /// the old one back.
    pub fn save(&self, options: &WriteOptions) -> Result<()> {
        self.save_changes(options).map_err(|error| self.name_in(error))
    }

    pub(crate) fn save_changes(&self, options: &WriteOptions) -> Result<()> {
        let _change = self.begin_change()?;
        let path = self.update_path()?;
        let _expectation = self.expect_to_write(false, options)?;
        if !self.inner.changed.load(Ordering::Acquire) {
            self.check_complete(options)?;
            return self.keep_overwritten(options);
        }
        let mut sources = self.prepare(Some(path), options)?;
        let head = self.head(&sources)?;
        if let Some(plan) = self.plan_in_place(path, options, &head)? {
            drop(head);
            return self.save_in_place(path, &plan, options, &mut sources);
        }
        let write = |target: Target, _: &Sources| self.write_with_head(&head, target, options);
        let replaced = self.replace_stored(path, options, sources, write)?;
        self.finish_replaced(replaced)
    }

    /// The name of a file that was opened for update, links followed.
    pub(crate) fn update_path(&self) -> Result<&Path> {
        let message = "the file is new; it is written under a name";
        self.inner.origin.update.as_deref().ok_or_else(|| Error::new(Status::InvalidArgument, message))
    }

    /// Fails if the options want a file to be changed where it lies only, for what takes a whole new one.
    pub(crate) fn check_whole(&self, options: &WriteOptions) -> Result<()> {
        match options.save_mode {
            SaveMode::InPlace => Err(Error::new(Status::NotInPlace, "this takes a whole new file")),
            SaveMode::Auto | SaveMode::Whole => Ok(()),
        }
    }

    /// Puts a new file, for which blocks were written to files of their own, into the place of the one that was opened, and
    /// goes on with that.
    pub(crate) fn replace_stored(
        &self,
        path: &Path,
        options: &WriteOptions,
        mut sources: Sources,
        write: impl FnOnce(Target, &Sources) -> Result<()>,
    ) -> Result<Replaced> {
        self.renew_checksums(options)?;
        let stored = self.store().of_file().map_or(0, |stored| stored.source.len());
        progress::expect_more(Counted::Written, stored);
        let mut replacement = Replacement::begin(path, true)?;
        write(Target::File(replacement.file()), &sources)?;
        // Opened as long as nothing is lost if that fails.
        let file = replacement.file().try_clone().map_err(|error| Error::io("opening the new file", &error))?;
        let file = Arc::new(FileSource::from_file(file)?);
        let held = if self.family.options().lock { lock_for_update(&file)? } else { None };
        let source = Arc::new(ClosableSource::new(file.clone()));
        let layout = self.layout_of_saved(source.clone())?;
        self.update_state().check_unchanged(path)?;
        let head = self.head_length();
        let make_way = |path: &Path, new: &_| self.update_state_mut().make_way(head, path, new);
        let replaced = replacement.commit_after(options.durable, make_way).inspect_err(|error| {
            // What was written over is gone if it was given back for the sake of a new file that there is not.
            if self.update_state_mut().forget_given_back() {
                self.note_failure(error);
            }
        })?;
        sources.keep();
        sources.set_in(self, &mut self.tree_mut());
        let mut store = self.store_mut();
        drop(self.inner.known_warnings(&store));
        store.saved(source, layout);
        self.inner.cache_number.store(self.family.new_number(), Ordering::Release);
        drop(store);
        self.update_state_mut().set_file(Some(file), held);
        Ok(replaced)
    }

    /// Where everything is in a file that was saved, whose tree is known.
    pub(super) fn layout_of_saved(&self, source: Arc<ClosableSource>) -> Result<Layout> {
        let mut layout = Layout::read(source.clone(), self.limits())?;
        if let Some(text) = layout.tree.take() {
            source.remember(Witness::TreeHash(text.range.start, &text.bytes));
        }
        Ok(layout)
    }

    /// Waits for what took the place of the old file. If that fails, the file is the new one all the same, and saved.
    pub(crate) fn finish_replaced(&self, replaced: Replaced) -> Result<()> {
        self.inner.changed.store(false, Ordering::Release);
        let finished = replaced.finish();
        let mut update = self.update_state_mut();
        update.name_is_unsure = finished.is_err();
        update.forget_overwritten(finished.is_ok());
        drop(update);
        finished
    }
}
