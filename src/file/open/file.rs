//! Files, opened or new.

use super::container::Container;
use super::failures::Failures;
use super::family::Family;
use super::shared::{Origin, SharedFile};
use super::state::{FileState, Locked};
use crate::error::{Error, Result, Status, Warning, Warnings};
use crate::file::blocks::BlockStore;
use crate::file::disk::draft;
use crate::file::disk::interrupted::{self, Found};
use crate::file::options::access::Base;
use crate::file::options::uri::Uri;
use crate::file::{NewOptions, OpenOptions};
use crate::layout::Standard;
use crate::limits::Limits;
use crate::remote;
use crate::report::{Entry, Report};
use crate::source::{FileSource, MemorySource, OwnSource, SharedBytes, Source, Transfers, Witness, open_beneath};
use crate::tags::StandardVersion;
use crate::tree::Tree;
use crate::yaml;
use std::path::Path;
use std::sync::{Arc, RwLockReadGuard};

/// An ASDF file, opened or new.
#[derive(Clone)]
pub struct File {
    pub(crate) shared: Arc<SharedFile>,
    /// Not part of `shared`: the family holds references to `shared`.
    pub(crate) family: Arc<Family>,
}

debug_by_name!(File, "File");

/// A new file with the default options.
impl Default for File {
    fn default() -> File {
        File::new(&NewOptions::default())
    }
}

impl File {
    /// Opens a file for reading. Reads only the tree. Blocks, and other files that it refers to, are read on first use.
    pub fn open<P: AsRef<Path>>(path: P) -> Result<File> {
        File::open_with(path, &OpenOptions::default())
    }

    /// Opens a file with options, such as other limits or access to other files. A URL names a file on a server, which
    /// the library of [`OpenOptions::remote`] reads. Otherwise like [`File::open`].
    pub fn open_with<P: AsRef<Path>>(path: P, options: &OpenOptions) -> Result<File> {
        let path = path.as_ref();
        if let Some(url) = remote::url_of(path) {
            return File::open_url(url, options);
        }
        File::open_named(path, || FileSource::open(path), options)
    }

    /// Opens the file of a relative name below a directory, also while another process puts links in place of parts of the
    /// name. Links that stay below the directory are followed. Where the system has no such call (Linux has it), the name is
    /// checked before the file is opened.
    ///
    /// Fails with [`Status::AccessDenied`] for a file that lies outside. Otherwise like [`File::open_with`].
    pub fn open_beneath(directory: impl AsRef<Path>, name: impl AsRef<Path>, options: &OpenOptions) -> Result<File> {
        let (directory, name) = (directory.as_ref(), name.as_ref());
        File::open_named(&directory.join(name), || open_beneath(directory, name), options)
    }

    /// Opens a file on a server. Neither messages nor the URIs of other files have the secrets of its URL.
    fn open_url(url: &str, options: &OpenOptions) -> Result<File> {
        let name = remote::without_secrets(url);
        let source = options.remote.open(url).map_err(|error| error.in_file(&Arc::from(name.as_str())))?;
        File::open_source_at(source, &name, options)
    }

    fn open_named(path: &Path, open: impl Fn() -> Result<FileSource>, options: &OpenOptions) -> Result<File> {
        let name: Arc<str> = Arc::from(path.to_string_lossy());
        let opened = File::read_named(path, name.clone(), open, options);
        opened.map_err(|error| error.in_file(&name))
    }

    fn read_named(
        path: &Path,
        name: Arc<str>,
        open: impl Fn() -> Result<FileSource>,
        options: &OpenOptions,
    ) -> Result<File> {
        let family = Family::new(options, Base::Path(path))?;
        let uri = family.policy().uri_of(path)?;
        let origin = Origin { name: Some(name), uri, ..Origin::default() };
        let open = || Ok(Arc::new(open()?) as Arc<dyn Source>);
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
        let family = Family::new(options, Base::Unnamed)?;
        Ok(File::read(family.counted(source), Origin::default(), family, None)?.adopted())
    }

    /// Opens a file whose bytes come from any source, which has an absolute URI. The URI is the name of the file in
    /// messages, and relative URIs in the file are resolved against it.
    pub fn open_source_at(source: Arc<dyn Source>, uri: &str, options: &OpenOptions) -> Result<File> {
        let (name, uri): (Arc<str>, _) = (Arc::from(uri), Uri::resolve(None, uri)?);
        if uri.is_relative() {
            let message = format!("the URI '{name}' of a source must be absolute");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let family = Family::new(options, Base::Uri(&uri))?;
        let origin = Origin { name: Some(name.clone()), uri: Some(uri), ..Origin::default() };
        let file = File::read(family.counted(source), origin, family, None).map_err(|error| error.in_file(&name))?;
        Ok(file.adopted())
    }

    /// Returns the requests so far to the sources of the program, for this file and the files that it refers to.
    pub fn transfers(&self) -> Transfers {
        self.family.transfers()
    }

    /// Returns a number that is the same for all files that refer to one another.
    pub(crate) fn family_number(&self) -> usize {
        Arc::as_ptr(&self.family).addr()
    }

    /// Registers this file as the first of its family.
    pub(crate) fn adopted(self) -> File {
        self.family.adopt(&self.shared);
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
        let Container { source, mut layout, compression, fits } =
            Container::read(source, options, origin.is_for_update())?;
        origin.compression = compression;
        let start = fits.as_ref().map_or(0, |fits| fits.asdf().start);
        let found = found.map(Found::into_warning);
        // A journal that does not belong to the file is no defect of the file.
        let defects_from = usize::from(found.as_ref().is_some_and(|(_, is_defect)| !is_defect));
        let mut warnings = Vec::from_iter(found.map(|(warning, _)| warning));
        warnings.extend(fits.iter().flat_map(|fits| fits.warnings()));
        warnings.extend(layout.warnings());
        let mut dropped_warnings = 0;
        let mut tree = match layout.tree.take() {
            Some(text) => {
                let (offset, line) = (start + text.range.start, text.line);
                let parsed = yaml::parse(yaml::text_of(text.bytes, offset, line)?, offset, line, &options.limits)?;
                warnings.extend(parsed.warnings);
                dropped_warnings = parsed.dropped_warnings;
                warnings.extend(super::tree_rules::check(&parsed.tree)?);
                source.remember(Witness::Tree(text.range.start, parsed.tree.shared_source()));
                parsed.tree
            }
            None => Tree::new(),
        };
        tree.set_uri(origin.uri.as_ref().and_then(Uri::file_name));
        let (standard, format_version) = (layout.standard.clone(), layout.format_version.clone());
        let (comments, is_changeable) = (layout.comments.clone(), origin.is_for_update());
        let store = BlockStore::stored(source, layout, origin.number, is_changeable).within(fits);
        let mut warnings: Warnings = warnings.into_iter().collect();
        warnings.count_dropped(dropped_warnings);
        let state = FileState::new(tree, store, comments);
        let mut shared = SharedFile::new(origin, &options.limits, standard, state, warnings);
        shared.format_version = format_version;
        shared.verify_checksums = options.verify_checksums;
        let (strict, validation) = (options.strict, options.validation.clone());
        let file = File { shared: Arc::new(shared), family };
        file.check_valid(validation.as_ref())?;
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
        let origin = Origin { is_for_old_readers: options.old_readers, ..Origin::default() };
        File::in_memory(origin, &options.limits, standard, tree, BlockStore::new())
    }

    /// Creates a file that is never written, for values outside of files. Its root is an empty mapping.
    pub(crate) fn for_values() -> File {
        File::of_tree(Tree::new(), None, &Limits::default())
    }

    /// Creates a new file with an empty root, for copies of parts of this file. It has the same version of the
    /// standard, so tags stay unchanged.
    pub(crate) fn for_copies(&self) -> File {
        File::in_memory(Origin::default(), self.limits(), self.standard(), Tree::new(), BlockStore::new())
    }

    /// Creates a file around a tree that does not come from an ASDF file, so that callers can get its nodes.
    pub(crate) fn of_tree(tree: Tree, name: Option<Arc<str>>, limits: &Limits) -> File {
        let version = StandardVersion::NEWEST_STABLE;
        let standard = Standard { declared: None, effective: version };
        File::in_memory(Origin { name, ..Origin::default() }, limits, standard, tree, BlockStore::new())
    }

    /// Creates a file with this content.
    pub(crate) fn in_memory(
        origin: Origin,
        limits: &Limits,
        standard: Standard,
        tree: Tree,
        store: BlockStore,
    ) -> File {
        let state = FileState::new(tree, store, Vec::new());
        let shared = SharedFile::new(origin, limits, standard, state, Warnings::default());
        File { shared: Arc::new(shared), family: Family::of_one() }
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
        self.shared.close();
        for file in self.family.files() {
            file.close();
        }
    }

    /// Returns true if both are the same open file.
    pub(crate) fn is_same(&self, other: &File) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Fails with [`Status::Closed`] if the file was closed, and with [`Status::Forked`] in a child if another thread of
    /// the parent process was changing the file at the fork.
    pub(crate) fn check_open(&self) -> Result<()> {
        self.shared.check_open().map_err(|error| self.name_in(error))
    }

    /// Locks the state for reading. The caller must not call anything of a file before it gives up the lock.
    pub(crate) fn state(&self) -> Result<RwLockReadGuard<'_, FileState>> {
        self.shared.read_open().map_err(|error| self.name_in(error))
    }

    /// Locks the state for a step of a change that the caller has begun, and for what does not change the content.
    /// Fails with [`Status::Forked`] in a child of the process that created or opened the file. The caller must not
    /// call anything of a file before it gives up the lock.
    pub(crate) fn own_state(&self) -> Result<Locked<'_>> {
        self.shared.write().map_err(|error| self.name_in(error))
    }

    /// Locks the state for a change. Fails with [`Status::ReadOnly`] if the file cannot be changed.
    pub(crate) fn state_to_change(&self) -> Result<Locked<'_>> {
        let state = self.own_state()?;
        state.check_changeable().map_err(|error| self.name_in(error))?;
        Ok(state)
    }

    /// Fails as [`File::state_to_change`] does.
    pub(crate) fn check_writable(&self) -> Result<()> {
        self.state_to_change().map(drop)
    }

    /// Begins a change of several steps. Until it ends, the caller locks the state with [`File::own_state`], and no other
    /// change can begin.
    pub(crate) fn begin_change(&self) -> Result<Change<'_>> {
        self.state_to_change()?.is_changing = true;
        Ok(Change(self))
    }

    /// Returns the tree as it is now.
    pub(crate) fn tree(&self) -> Result<Arc<Tree>> {
        Ok(self.state()?.tree().clone())
    }

    /// Returns the blocks as they are now.
    pub(crate) fn store(&self) -> Result<Arc<BlockStore>> {
        Ok(self.state()?.store().clone())
    }

    /// Returns the number of bytes of the source of the file, as it was opened; `None` for a file without one.
    pub(crate) fn source_size(&self) -> Result<Option<u64>> {
        let store = self.store()?;
        Ok(store.of_file().map(|stored| store.start() + stored.source.len()))
    }

    /// Returns the name under which the file was opened.
    pub fn name(&self) -> Option<&str> {
        self.shared.origin.name.as_deref()
    }

    /// Returns the version of the standard: as declared in the file, and the known version that is used for reading and
    /// writing.
    pub fn standard(&self) -> Standard {
        self.shared.standard()
    }

    pub(crate) fn standard_version(&self) -> StandardVersion {
        self.shared.standard_version()
    }

    /// Returns the version of the file format in the first line.
    pub fn format_version(&self) -> &str {
        &self.shared.format_version
    }

    /// Returns the comment lines before the tree, without `#` and surrounding blanks.
    pub fn comments(&self) -> Result<Vec<String>> {
        let state = self.shared.read().map_err(|error| self.name_in(error))?;
        Ok(state.comments.clone())
    }

    /// Adds a comment line to a new file. Fails with [`Status::InvalidArgument`] if the text contains a line break.
    pub fn add_comment(&self, comment: &str) -> Result<()> {
        let mut state = self.state_to_change()?;
        if self.shared.origin.is_for_update() {
            return Err(Error::new(Status::InvalidArgument, "comment lines can be added to new files only"));
        }
        if comment.contains(['\n', '\r', '\0']) || comment.trim_start().starts_with("ASDF_STANDARD") {
            let message = "a comment must be one line and must not declare a version of the standard";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        state.comments.push(comment.to_owned());
        Ok(())
    }

    /// Returns all warnings found so far: defects of the file that do not prevent reading.
    ///
    /// Reading a block can add warnings. [`File::check_blocks`] reads all block headers. Warnings are in the order of
    /// their discovery, and stay after the file is saved or closed. Other files have their own warnings; see
    /// [`Node::file`](crate::file::Node::file).
    pub fn warnings(&self) -> Vec<Warning> {
        let mut all = match self.known_store() {
            Ok(store) => self.shared.known_warnings(&store).as_slice().to_vec(),
            Err(error) => return vec![Warning::new(error.message())],
        };
        for warning in &mut all {
            warning.location.file = self.shared.origin.name.clone();
        }
        all
    }

    /// Returns all warnings found so far as a report, with the number of warnings that were found but not kept.
    pub fn report(&self) -> Report {
        let entries = self.warnings().iter().map(Entry::from).collect();
        let dropped = self.known_store().map_or(0, |store| {
            store.dropped_layout_warnings().saturating_add(self.shared.known_warnings(&store).dropped())
        });
        Report::new(entries, dropped)
    }

    pub(crate) fn warn(&self, warnings: impl IntoIterator<Item = Warning>) {
        if let Ok(store) = self.known_store() {
            let mut known = self.shared.known_warnings(&store);
            warnings.into_iter().for_each(|warning| known.add(warning));
        }
    }

    /// Returns the blocks as they are now, also of a closed file, which has none.
    fn known_store(&self) -> Result<Arc<BlockStore>> {
        Ok(self.shared.read()?.store().clone())
    }

    /// Records that a change could not be made, so that the incomplete file is not written. Does nothing in a child of
    /// the process that opened the file: the child cannot write the file.
    pub fn note_failure(&self, error: &Error) {
        if let Ok(mut state) = self.own_state() {
            state.failures.note(None, error);
        }
    }

    /// Forgets all recorded failures. The file can then be written without the failed changes.
    pub fn forget_failure(&self) -> Result<()> {
        match self.own_state() {
            Ok(mut state) => state.failures = Failures::default(),
            Err(error) if error.status() == Status::Closed => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.shared.limits
    }

    pub(crate) fn name_in(&self, error: Error) -> Error {
        self.shared.name_in(error)
    }
}

/// A change of several steps. It ends when it is dropped.
pub(crate) struct Change<'a>(&'a File);

impl Drop for Change<'_> {
    fn drop(&mut self) {
        if let Ok(mut state) = self.0.own_state() {
            state.is_changing = false;
        }
    }
}
