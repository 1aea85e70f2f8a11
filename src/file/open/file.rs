//! The state of a file in memory, opened or new.

use super::block_uses::BlockUses;
use super::decompressed;
use super::failures::Failures;
use super::family::Family;
use crate::codec::FileCompression;
use crate::error::{Error, Result, Status, Warning, Warnings};
use crate::file::blocks::Store;
use crate::file::disk::draft;
use crate::file::disk::interrupted::{self, Found};
use crate::file::disk::update_state::UpdateState;
use crate::file::options::uri::Uri;
use crate::file::{NewOptions, OpenOptions};
use crate::layout::{Layout, Standard};
use crate::limits::Limits;
use crate::process::{Kept, Lock, PerProcess, Process};
use crate::report::{Entry, Report};
use crate::source::{ClosableSource, FileSource, MappedSource, MemorySource, SharedBytes, Source, Witness};
use crate::tags::StandardVersion;
use crate::tree::Tree;
use crate::yaml;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Reads the layout of a source. If the source is compressed as a whole, the returned source has the decompressed bytes;
/// it cannot be changed then.
fn read_layout(
    source: Arc<dyn Source>,
    options: &OpenOptions,
    is_changed: bool,
) -> Result<(Arc<ClosableSource>, Layout, Option<FileCompression>)> {
    let read = |source| {
        let source = Arc::new(ClosableSource::new(source));
        Layout::read(source.clone(), &options.limits).map(|layout| (source, layout))
    };
    let wrapped = if options.mapped { MappedSource::wrap(source.clone())? } else { source.clone() };
    let (error, compression) = match read(wrapped) {
        Ok((source, layout)) => return Ok((source, layout, None)),
        // Ordinary files are not looked at twice.
        Err(error) => (error, decompressed::compression_of(&*source)?),
    };
    let Some(compression) = compression else { return Err(error) };
    if is_changed {
        return Err(decompressed::only_read(compression));
    }
    let (source, layout) = read(decompressed::decompress(compression, source, options)?)?;
    Ok((source, layout, Some(compression)))
}

/// An ASDF file, opened or new.
#[derive(Clone)]
pub struct File {
    pub(crate) inner: Arc<Inner>,
    /// Not part of `inner`: the family holds references to `inner`.
    pub(crate) family: Arc<Family>,
}

/// Origin of a file.
#[derive(Clone, Default)]
pub(crate) struct Origin {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) uri: Option<Uri>,
    /// Number of the file in its family; 0 for the first file.
    pub(crate) number: u32,
    /// Path with links resolved, if the file was opened for update.
    pub(crate) update: Option<PathBuf>,
    /// Header lines of the original, if this file is a copy.
    pub(crate) header: Option<Vec<u8>>,
    /// The file on disk that was copied, if this file is a copy.
    pub(crate) original: Option<Arc<std::fs::File>>,
    /// Compression of the whole file. Offsets then count decompressed bytes.
    pub(crate) compression: Option<FileCompression>,
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
    /// Cached result of the last count of block uses; `None` after an edit that may add uses.
    pub(crate) block_uses: Kept<Mutex<Option<BlockUses>>>,
    warnings: PerProcess<Warnings>,
    /// Failed changes that are missing in the file.
    pub(crate) failures: Kept<Mutex<Failures>>,
    /// Set by changes that are not saved yet.
    pub(crate) changed: AtomicBool,
    /// Key for the decoded blocks of the file in the cache. A save changes it, because blocks get other offsets.
    pub(crate) cache_number: AtomicU32,
    update: Kept<RwLock<UpdateState>>,
    closed: AtomicBool,
    /// The only process that may change the file.
    process: Process,
    /// Number of multi-step changes in progress.
    changes: AtomicU32,
}

/// A multi-step change. While it lasts, the tree and the blocks may be inconsistent, so a child process that is forked
/// then cannot read the file.
pub(crate) struct Change<'a>(&'a AtomicU32);

impl Drop for Change<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl File {
    /// Opens a file for reading. Reads only the tree. Blocks, and other files that it refers to, are read on first use.
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
        let file = interrupted::read_settled(path, open, read).map_err(|error| draft::name_left(path, error))?;
        Ok(file.adopted())
    }

    /// Opens the file behind an open file descriptor. The descriptor is closed with the file.
    pub fn open_descriptor(file: std::fs::File, options: &OpenOptions) -> Result<File> {
        File::open_source(Arc::new(FileSource::from_file(file)?), options)
    }

    /// Opens a file in memory.
    pub fn open_memory(bytes: SharedBytes, options: &OpenOptions) -> Result<File> {
        File::open_source(Arc::new(MemorySource::new(bytes)), options)
    }

    /// Opens a file whose bytes come from any source.
    pub fn open_source(source: Arc<dyn Source>, options: &OpenOptions) -> Result<File> {
        Ok(File::read(source, Origin::default(), Family::new(options, None)?, None)?.adopted())
    }

    /// Returns a number that is the same for all files that refer to one another.
    pub fn family_number(&self) -> usize {
        Arc::as_ptr(&self.family).addr()
    }

    /// Registers this file as the first of its family.
    pub(crate) fn adopted(self) -> File {
        self.family.adopt(&self.inner);
        self
    }

    /// Reads a file. `found` is what a journal beside it means, if there is one.
    pub(crate) fn read(
        source: Arc<dyn Source>,
        mut origin: Origin,
        family: Arc<Family>,
        found: Option<Found>,
    ) -> Result<File> {
        let options = family.options();
        let (source, mut layout, compression) = read_layout(source, options, origin.update.is_some())?;
        origin.compression = compression;
        let found = found.map(Found::into_warning);
        // A journal that does not belong to the file is no defect of the file.
        let defects_from = usize::from(found.as_ref().is_some_and(|(_, is_defect)| !is_defect));
        let mut warnings = Vec::from_iter(found.map(|(warning, _)| warning));
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
            if let Some(warning) = file.warnings().get(defects_from) {
                return Err(Error::of_warning(warning));
            }
        }
        Ok(file)
    }

    /// Creates a new file. Its tree contains only the name of this library.
    pub fn new(options: &NewOptions) -> File {
        let mut tree = Tree::new();
        super::writer_name::begin_tree(&mut tree, options.standard);
        let standard = Standard { declared: Some(options.standard.as_str().to_owned()), effective: options.standard };
        File::in_memory(Origin::default(), &options.limits, standard, tree)
    }

    /// Creates a new file with an empty root, for copies of parts of this file. It has the same version of the
    /// standard, so tags stay unchanged.
    pub(crate) fn for_copies(&self) -> File {
        File::in_memory(Origin::default(), self.limits(), self.standard().clone(), Tree::new())
    }

    /// Creates a file around a tree that does not come from an ASDF file, so that callers can get its nodes.
    pub(crate) fn of_tree(tree: Tree, name: Option<Arc<str>>, limits: &Limits) -> File {
        let version = StandardVersion::NEWEST_STABLE;
        let standard = Standard { declared: None, effective: version };
        File::in_memory(Origin { name, ..Origin::default() }, limits, standard, tree)
    }

    /// Calls `read` with the tree.
    pub(crate) fn with_tree<T>(&self, read: impl FnOnce(&Tree) -> T) -> T {
        read(&self.tree())
    }

    /// Creates a file without blocks.
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

    /// Closes the file: its descriptor and its maps are released at once, even if nodes and arrays of the file still
    /// exist. Their functions fail with [`Status::Closed`] from then on. Views stay valid. Closing a closed file does
    /// nothing.
    ///
    /// Other files that were opened because this one refers to them are closed as well.
    ///
    /// In a child of the process that opened the file, this undoes, unlocks and writes nothing. If another thread of
    /// the parent was reading at the time of the fork, the descriptor stays open in the child.
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

    /// Fails with [`Status::Forked`] in a child of the process that created or opened the file.
    pub(crate) fn check_own(&self) -> Result<()> {
        self.inner.process.check().map_err(|error| self.name_in(error))
    }

    /// Begins a multi-step change.
    pub(crate) fn begin_change(&self) -> Result<Change<'_>> {
        self.check_writable()?;
        self.inner.changes.fetch_add(1, Ordering::AcqRel);
        Ok(Change(&self.inner.changes))
    }

    pub(crate) fn check_writable(&self) -> Result<()> {
        self.check_own()?;
        self.check_open()?;
        if !self.store().is_changeable() {
            let message = "the file was opened for reading; open it for update, or copy its nodes to a new file";
            return Err(self.name_in(Error::new(Status::ReadOnly, message)));
        }
        Ok(())
    }

    /// Returns the name under which the file was opened.
    pub fn name(&self) -> Option<&str> {
        self.inner.origin.name.as_deref()
    }

    /// Returns the version of the standard: as declared in the file, and the known version that is used for reading and
    /// writing.
    pub fn standard(&self) -> &Standard {
        &self.inner.standard
    }

    pub(crate) fn standard_version(&self) -> StandardVersion {
        self.inner.standard.effective
    }

    /// Returns the version of the file format in the first line.
    pub fn format_version(&self) -> &str {
        &self.inner.format_version
    }

    /// Returns the comment lines before the tree, without `#` and surrounding blanks.
    pub fn comments(&self) -> Result<Vec<String>> {
        self.inner.check_readable().map_err(|error| self.name_in(error))?;
        Ok(read(&self.inner.comments).clone())
    }

    /// Adds a comment line to a new file. Fails with [`Status::InvalidArgument`] if the text contains a line break.
    pub fn add_comment(&self, comment: &str) -> Result<()> {
        self.check_writable()?;
        if self.inner.origin.update.is_some() {
            return Err(Error::new(Status::InvalidArgument, "comment lines can be added to new files only"));
        }
        if comment.contains(['\n', '\r', '\0']) || comment.trim_start().starts_with("ASDF_STANDARD") {
            let message = "a comment must be one line and must not declare a version of the standard";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        write(&self.inner.comments).push(comment.to_owned());
        Ok(())
    }

    /// Returns all warnings found so far: defects of the file that do not prevent reading.
    ///
    /// Reading a block can add warnings. [`File::check_blocks`] reads all block headers. Warnings are in the order of
    /// their discovery, and stay after the file is saved or closed. Other files have their own warnings; see
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

    /// Returns all warnings found so far as a report, with the number of warnings that were found but not kept.
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

    /// Returns the tree, or `None` while another thread changes it.
    pub(crate) fn tree_if_free(&self) -> Option<RwLockReadGuard<'_, Tree>> {
        self.inner.tree.try_read().ok()
    }

    pub(crate) fn tree_mut(&self) -> RwLockWriteGuard<'_, Tree> {
        *lock(&self.inner.block_uses) = None;
        write(&self.inner.tree)
    }

    /// Returns the tree for a change that adds no use of a block, or that updates the counts of uses itself.
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

    /// Closes the store. The warnings of its layout are kept.
    fn close_store(&self, store: &mut Store) {
        self.known_warnings(store).count_dropped(store.dropped_layout_warnings());
        store.close();
    }

    /// Returns all warnings found so far. New warnings of the layout are added first, so the order never changes. A
    /// child of a fork starts with the warnings of its parent.
    pub(crate) fn known_warnings(&self, store: &Store) -> MutexGuard<'_, Warnings> {
        let unknown =
            || std::iter::once(Warning::new("warnings from before the fork of the process are not known")).collect();
        let mut known = self.warnings.lock(|parent| parent.cloned().unwrap_or_else(unknown));
        store.layout_warnings().into_iter().for_each(|warning| known.add(warning));
        known
    }

    /// Releases everything that no other thread of the parent process was using at the fork. Each value checks for its
    /// own process, so dropping it in a child has no effect on the parent or on the disk.
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

    /// Fails with [`Status::Forked`] in a child if another thread of the parent process was changing the file at the
    /// fork.
    ///
    /// Otherwise no write lock is held in the child from then on, since a child changes nothing. So readers never wait.
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

// A poisoned lock is ignored. No change is written in steps that a panic could separate without the next access
// noticing it, so the data are consistent.
pub(crate) fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
