//! The state of an open file, and of one that is being made.

use super::block_uses::BlockUses;
use super::failures::Failures;
use super::family::Family;
use crate::error::{Error, Result, Status, Warning, Warnings};
use crate::file::blocks::Store;
use crate::file::disk::interrupted;
use crate::file::disk::update_state::UpdateState;
use crate::file::options::uri::Uri;
use crate::file::{NewOptions, OpenOptions};
use crate::layout::{Layout, Standard, StandardVersion};
use crate::limits::Limits;
use crate::process::{Kept, Lock, PerProcess, Process};
use crate::report::{Entry, Report};
use crate::source::{ClosableSource, FileSource, MappedSource, MemorySource, SharedBytes, Source, Witness};
use crate::tree::Tree;
use crate::yaml;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// An ASDF file, opened for reading or being made.
#[derive(Clone)]
pub struct File {
    pub(crate) inner: Arc<Inner>,
    /// Never part of `inner`, which it keeps alive.
    pub(crate) family: Arc<Family>,
}

/// Where a file comes from.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) uri: Option<Uri>,
    /// Tells the files of a family apart; that of the first is 0.
    pub(crate) number: u32,
    /// The name, links followed, of a file that was opened to be changed.
    pub(crate) update: Option<PathBuf>,
    /// The header lines of the file that this one is made from.
    pub(crate) header: Option<Vec<u8>>,
}

pub(crate) struct Inner {
    pub(crate) origin: Origin,
    limits: Limits,
    pub(crate) verify_checksums: bool,
    standard: Standard,
    format_version: String,
    comments: Kept<RwLock<Vec<String>>>,
    tree: Kept<RwLock<Tree>>,
    store: Kept<RwLock<Store>>,
    /// What was last counted, as long as it holds.
    pub(crate) block_uses: Kept<Mutex<Option<BlockUses>>>,
    warnings: PerProcess<Warnings>,
    /// What was meant for the file and is not in it.
    pub(crate) failures: Kept<Mutex<Failures>>,
    /// Whether something was set or removed that is not saved.
    pub(crate) changed: AtomicBool,
    /// Under which the decoded blocks of the file are kept; another one once it was saved, when blocks lie elsewhere.
    pub(crate) cache_number: AtomicU32,
    update: Kept<RwLock<UpdateState>>,
    closed: AtomicBool,
    /// The only one that may change the file.
    process: Process,
    /// Changes that go on and take several steps.
    changes: AtomicU32,
}

/// A change that takes several steps, in between which a child of a fork must not read.
pub(crate) struct Change<'a>(&'a AtomicU32);

impl Drop for Change<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl File {
    /// Opens a file for reading. Only its tree is read; blocks are touched when they are asked for, and so are other
    /// files that it leads to.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<File> {
        let name: Arc<str> = Arc::from(path.to_string_lossy());
        File::open_named(path, name.clone(), options).map_err(|error| error.in_file(&name))
    }

    fn open_named(path: &Path, name: Arc<str>, options: &OpenOptions) -> Result<File> {
        let family = Family::new(options, Some(path))?;
        let uri = family.policy().uri_of(path)?;
        let origin = Origin { name: Some(name), uri, ..Origin::default() };
        let open = || Ok(Arc::new(FileSource::open(path)?) as Arc<dyn Source>);
        let read = |source, warning| File::read(source, origin.clone(), family.clone(), warning);
        Ok(interrupted::read_settled(path, open, read)?.adopted())
    }

    /// Opens what an open file descriptor holds; it is closed with the file.
    pub fn open_descriptor(file: std::fs::File, options: &OpenOptions) -> Result<File> {
        File::open_source(Arc::new(FileSource::from_file(file)?), options)
    }

    /// Opens a file that is in memory.
    pub fn open_memory(bytes: SharedBytes, options: &OpenOptions) -> Result<File> {
        File::open_source(Arc::new(MemorySource::new(bytes)), options)
    }

    /// Opens a file whose bytes come from any source.
    pub fn open_source(source: Arc<dyn Source>, options: &OpenOptions) -> Result<File> {
        Ok(File::read(source, Origin::default(), Family::new(options, None)?, None)?.adopted())
    }

    /// A number that all files share that lead to one another.
    pub fn family_number(&self) -> usize {
        Arc::as_ptr(&self.family).addr()
    }

    /// The first file of its family.
    pub(crate) fn adopted(self) -> File {
        self.family.adopt(&self.inner);
        self
    }

    /// Reads a file, of which this is to be told already.
    pub(crate) fn read(
        source: Arc<dyn Source>,
        origin: Origin,
        family: Arc<Family>,
        warning: Option<Warning>,
    ) -> Result<File> {
        let options = family.options();
        let source = if options.mapped { MappedSource::wrap(source)? } else { source };
        let source = Arc::new(ClosableSource::new(source));
        let mut layout = Layout::read(source.clone(), &options.limits)?;
        let mut warnings = Vec::from_iter(warning);
        warnings.extend(layout.warnings());
        let mut dropped_warnings = 0;
        let mut tree = match layout.tree.take() {
            Some(text) => {
                let (offset, line) = (text.range.start, text.line);
                let parsed = yaml::parse(yaml::text_of(text.bytes, offset, line)?, offset, line, &options.limits)?;
                warnings.extend(parsed.warnings);
                dropped_warnings = parsed.dropped_warnings;
                warnings.extend(super::tree_rules::check(&parsed.tree)?);
                source.remember(Witness::Tree(offset, parsed.tree.shared_source()));
                parsed.tree
            }
            None => Tree::new(),
        };
        tree.set_uri(origin.uri.as_ref().and_then(Uri::file_name));
        let (standard, format_version) = (layout.standard.clone(), layout.format_version.clone());
        let comments = layout.comments.clone();
        let store = Store::stored(source, layout, origin.update.is_some());
        let mut warnings: Warnings = warnings.into_iter().collect();
        warnings.count_dropped(dropped_warnings);
        let inner = Arc::new(Inner {
            cache_number: AtomicU32::new(origin.number),
            origin,
            limits: options.limits.clone(),
            verify_checksums: options.verify_checksums,
            standard,
            format_version,
            comments: Kept::new(RwLock::new(comments)),
            tree: Kept::new(RwLock::new(tree)),
            store: Kept::new(RwLock::new(store)),
            block_uses: Kept::new(Mutex::new(None)),
            warnings: PerProcess::new(warnings),
            failures: Kept::new(Mutex::default()),
            changed: AtomicBool::new(false),
            update: Kept::new(RwLock::default()),
            closed: AtomicBool::new(false),
            process: Process::current(),
            changes: AtomicU32::new(0),
        });
        let strict = options.strict;
        let file = File { inner, family };
        if strict {
            file.check_blocks()?;
            if let Some(warning) = file.warnings().first() {
                return Err(Error::of_warning(warning));
            }
        }
        Ok(file)
    }

    /// A new file that holds nothing but the name of this library.
    pub fn new(options: &NewOptions) -> File {
        let mut tree = Tree::new();
        super::standard_tags::begin_tree(&mut tree, options.standard);
        let standard = Standard { declared: Some(options.standard.as_str().to_owned()), effective: options.standard };
        File::in_memory(Origin::default(), &options.limits, standard, tree)
    }

    /// A new file with no more than a root, for copies on their way. It follows the same version of the standard, so
    /// their tags do not change.
    pub(crate) fn for_copies(&self) -> File {
        File::in_memory(Origin::default(), self.limits(), self.standard().clone(), Tree::new())
    }

    /// A tree that something else than an ASDF file holds, so that its nodes can be handed out.
    pub(crate) fn of_tree(tree: Tree, name: Option<Arc<str>>, limits: &Limits) -> File {
        let version = StandardVersion::NEWEST_STABLE;
        let standard = Standard { declared: None, effective: version };
        File::in_memory(Origin { name, ..Origin::default() }, limits, standard, tree)
    }

    /// What `read` makes of the tree.
    pub(crate) fn with_tree<T>(&self, read: impl FnOnce(&Tree) -> T) -> T {
        read(&self.tree())
    }

    /// A file that has no blocks yet.
    pub(crate) fn in_memory(origin: Origin, limits: &Limits, standard: Standard, tree: Tree) -> File {
        let inner = Arc::new(Inner {
            origin,
            cache_number: AtomicU32::new(0),
            limits: limits.clone(),
            verify_checksums: false,
            standard,
            format_version: "1.0.0".to_owned(),
            comments: Kept::new(RwLock::new(Vec::new())),
            tree: Kept::new(RwLock::new(tree)),
            store: Kept::new(RwLock::new(Store::new())),
            block_uses: Kept::new(Mutex::new(None)),
            warnings: PerProcess::default(),
            failures: Kept::new(Mutex::default()),
            changed: AtomicBool::new(false),
            update: Kept::new(RwLock::default()),
            closed: AtomicBool::new(false),
            process: Process::current(),
            changes: AtomicU32::new(0),
        });
        File { inner, family: Family::of_one() }
    }

    /// Releases descriptor and maps at once, although nodes and arrays of the file still exist; those answer
    /// [`Status::Closed`] from then on. Views stay valid. To close twice is allowed.
    ///
    /// Other files that were opened because this one leads to them are closed as well.
    ///
    /// In a child of the process that opened it nothing is undone, unlocked or written. The descriptor stays open there if
    /// another thread of the parent was reading when the process was forked.
    pub fn close(&self) {
        self.family.close();
        self.inner.close();
        for file in self.family.files() {
            file.close();
        }
    }

    pub(crate) fn check_open(&self) -> Result<()> {
        if self.inner.closed.load(Ordering::Acquire) {
            return Err(self.name_in(Error::new(Status::Closed, "the file was closed")));
        }
        self.inner.check_readable().map_err(|error| self.name_in(error))
    }

    /// Fails with [`Status::Forked`] in a child of the process that made or opened the file.
    pub(crate) fn check_own(&self) -> Result<()> {
        self.inner.process.check().map_err(|error| self.name_in(error))
    }

    /// Begins a change that takes several steps.
    pub(crate) fn begin_change(&self) -> Result<Change<'_>> {
        self.check_writable()?;
        self.inner.changes.fetch_add(1, Ordering::AcqRel);
        Ok(Change(&self.inner.changes))
    }

    pub(crate) fn check_writable(&self) -> Result<()> {
        self.check_own()?;
        self.check_open()?;
        if !self.store().is_changeable() {
            let message = "the file was opened for reading; open it for update, or copy its nodes into a new file";
            return Err(self.name_in(Error::new(Status::ReadOnly, message)));
        }
        Ok(())
    }

    /// The name that the file was opened by.
    pub fn name(&self) -> Option<&str> {
        self.inner.origin.name.as_deref()
    }

    /// The version of the standard: as the file declares it, and the known one it is read or written by.
    pub fn standard(&self) -> &Standard {
        &self.inner.standard
    }

    pub(crate) fn standard_version(&self) -> StandardVersion {
        self.inner.standard.effective
    }

    /// The version of the file format in the first line.
    pub fn format_version(&self) -> &str {
        &self.inner.format_version
    }

    /// The comment lines before the tree, without `#` and blanks around.
    pub fn comments(&self) -> Result<Vec<String>> {
        self.inner.check_readable().map_err(|error| self.name_in(error))?;
        Ok(read(&self.inner.comments).clone())
    }

    /// Adds a comment line to a new file. Line breaks in it are an error.
    pub fn add_comment(&self, comment: &str) -> Result<()> {
        self.check_writable()?;
        if self.inner.origin.update.is_some() {
            return Err(Error::new(Status::InvalidArgument, "comment lines are added to new files only"));
        }
        if comment.contains(['\n', '\r', '\0']) || comment.trim_start().starts_with("ASDF_STANDARD") {
            let message = "a comment is one line and does not declare a version of the standard";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        write(&self.inner.comments).push(comment.to_owned());
        Ok(())
    }

    /// Everything noticed so far that does not keep the file from being read.
    ///
    /// Blocks add to it as they are looked at; after [`File::check_blocks`] all headers have been. Warnings stand in the
    /// order in which they came, and stay after the file is saved or closed. Other files have warnings of their own; see
    /// [`Node::file`](crate::file::Node::file).
    pub fn warnings(&self) -> Vec<Warning> {
        if let Err(error) = self.inner.check_readable() {
            return vec![Warning::new(error.message())];
        }
        let mut all = self.inner.known_warnings(&self.store()).as_slice().to_vec();
        for warning in &mut all {
            warning.location.file = self.inner.origin.name.clone();
        }
        all
    }

    /// The warnings so far in the form of all reports, with the number of those that were found but not kept.
    pub fn report(&self) -> Report {
        let entries = self.warnings().iter().map(Entry::from).collect();
        let dropped = match self.inner.check_readable() {
            Ok(()) => {
                let store = self.store();
                store.dropped_layout_warnings().saturating_add(self.inner.known_warnings(&store).dropped())
            }
            Err(_) => 0,
        };
        Report::new(entries, dropped)
    }

    pub(crate) fn warn(&self, warnings: impl IntoIterator<Item = Warning>) {
        let mut known = self.inner.known_warnings(&self.store());
        warnings.into_iter().for_each(|warning| known.add(warning));
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.inner.limits
    }

    pub(crate) fn tree(&self) -> RwLockReadGuard<'_, Tree> {
        read(&self.inner.tree)
    }

    /// The tree, unless it is being changed.
    pub(crate) fn tree_if_free(&self) -> Option<RwLockReadGuard<'_, Tree>> {
        self.inner.tree.try_read().ok()
    }

    pub(crate) fn tree_mut(&self) -> RwLockWriteGuard<'_, Tree> {
        *lock(&self.inner.block_uses) = None;
        write(&self.inner.tree)
    }

    /// The tree for a change after which no further node names a block, or which counts that itself.
    pub(crate) fn tree_mut_for_values(&self) -> RwLockWriteGuard<'_, Tree> {
        if let Some(uses) = &mut *lock(&self.inner.block_uses) {
            uses.may_lose();
        }
        write(&self.inner.tree)
    }

    pub(crate) fn store(&self) -> RwLockReadGuard<'_, Store> {
        read(&self.inner.store)
    }

    pub(crate) fn store_mut(&self) -> RwLockWriteGuard<'_, Store> {
        write(&self.inner.store)
    }

    pub(crate) fn update_state(&self) -> RwLockReadGuard<'_, UpdateState> {
        read(&self.inner.update)
    }

    pub(crate) fn update_state_mut(&self) -> RwLockWriteGuard<'_, UpdateState> {
        write(&self.inner.update)
    }

    pub(crate) fn name_in(&self, error: Error) -> Error {
        match &self.inner.origin.name {
            Some(name) => error.in_file(name),
            None => error,
        }
    }
}

impl Inner {
    fn close(&self) {
        if self.closed.swap(true, Ordering::AcqRel) {
            return;
        }
        if !self.process.is_current() {
            return self.close_in_child();
        }
        self.close_store(&mut write(&self.store));
        *write(&self.update) = UpdateState::default();
        *write(&self.tree) = Tree::new();
    }

    /// Closes the store. What its layout found is kept.
    fn close_store(&self, store: &mut Store) {
        self.known_warnings(store).count_dropped(store.dropped_layout_warnings());
        store.close();
    }

    /// All warnings so far; those that the layout found since the last time are added now. So every warning keeps its
    /// place. A child of a fork begins with those of its parent.
    pub(crate) fn known_warnings(&self, store: &Store) -> MutexGuard<'_, Warnings> {
        let unknown =
            || std::iter::once(Warning::new("warnings from before the process was forked are not known")).collect();
        let mut known = self.warnings.lock(|parent| parent.cloned().unwrap_or_else(unknown));
        store.layout_warnings().into_iter().for_each(|warning| known.add(warning));
        known
    }

    /// Lets go of what no other thread of the parent process was using at the fork. The values know their process, so that
    /// they do no more than that.
    fn close_in_child(&self) {
        if let Ok(mut store) = self.store.try_write() {
            self.close_store(&mut store);
        }
        if let Ok(mut update) = self.update.try_write() {
            *update = UpdateState::default();
        }
        if let Ok(mut tree) = self.tree.try_write() {
            *tree = Tree::new();
        }
    }

    /// Fails with [`Status::Forked`] in a child if another thread of the parent process was changing the file at the fork.
    ///
    /// Otherwise nobody holds a lock to write from then on, since a child changes nothing: who reads waits for nothing.
    fn check_readable(&self) -> Result<()> {
        if self.process.is_current() {
            return Ok(());
        }
        let is_whole = self.changes.load(Ordering::Acquire) == 0;
        if is_whole
            && !self.tree.is_held()
            && !self.store.is_held()
            && !self.comments.is_held()
            && !self.update.is_held()
        {
            return Ok(());
        }
        let message = "another thread of the parent process was changing the file when the process was forked";
        Err(Error::new(Status::Forked, message))
    }
}

// A thread that panicked while it held a lock left data that are still whole: nothing here is written in steps
// that a panic could separate without the next access noticing.
pub(crate) fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
