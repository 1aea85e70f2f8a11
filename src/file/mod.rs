//! A whole ASDF file: opened, looked into, made, written, verified.
//!
//! A [`File`] and the [`Node`]s in it are cheap to clone and keep one another alive. They may be read from several
//! threads at once.

mod blocks;
mod edit;
mod integer;
mod node;
mod node_array;
mod options;
mod standard_tags;
mod tree_rules;
mod write;

use crate::error::{Error, Result, Status, Warning};
use crate::layout::{Layout, Standard};
use crate::limits::Limits;
use crate::source::{ClosableSource, FileSource, MemorySource, SharedBytes, Source};
use crate::tree::Tree;
use crate::yaml;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

pub use crate::layout::{ChecksumMatch, StandardVersion};
use blocks::Store;
pub use blocks::{BlockInfo, Verification};
pub use edit::ArrayData;
pub use node::{Node, NodeKey, NodeType};
pub use node_array::NodeArray;
pub use options::{ArrayOptions, NewOptions, OpenOptions, Storage, WriteOptions};

/// An ASDF file, opened for reading or being made.
#[derive(Clone)]
pub struct File(Arc<Inner>);

struct Inner {
    name: Option<Arc<str>>,
    limits: Limits,
    verify_checksums: bool,
    standard: Standard,
    format_version: String,
    comments: RwLock<Vec<String>>,
    tree: RwLock<Tree>,
    store: RwLock<Store>,
    warnings: Mutex<Vec<Warning>>,
    /// The first failure of a setter: what would be written lacks something.
    failure: Mutex<Option<String>>,
    closed: AtomicBool,
}

impl File {
    /// Opens a file for reading. Only its tree is read; blocks are touched when they are asked for.
    pub fn open(path: &Path, options: &OpenOptions) -> Result<File> {
        let name: Arc<str> = Arc::from(path.to_string_lossy());
        let source = FileSource::open(path).map_err(|error| error.in_file(&name))?;
        let own_name = path.file_name().map(|name| Arc::from(name.to_string_lossy()));
        File::read(Arc::new(source), Some(name.clone()), own_name, options).map_err(|error| error.in_file(&name))
    }

    /// Opens what an open file descriptor holds; it is closed with the file.
    pub fn open_descriptor(file: std::fs::File, options: &OpenOptions) -> Result<File> {
        File::read(Arc::new(FileSource::from_file(file)?), None, None, options)
    }

    /// Opens a file that is in memory.
    pub fn open_memory(bytes: SharedBytes, options: &OpenOptions) -> Result<File> {
        File::read(Arc::new(MemorySource::new(bytes)), None, None, options)
    }

    /// Opens a file whose bytes come from any source.
    pub fn open_source(source: Arc<dyn Source>, options: &OpenOptions) -> Result<File> {
        File::read(source, None, None, options)
    }

    fn read(
        source: Arc<dyn Source>,
        name: Option<Arc<str>>,
        own_name: Option<Arc<str>>,
        options: &OpenOptions,
    ) -> Result<File> {
        let source = Arc::new(ClosableSource::new(source));
        let mut layout = Layout::read(source.clone(), &options.limits)?;
        let mut warnings = Vec::new();
        let mut tree = match layout.tree.take() {
            Some(text) => {
                let (offset, line) = (text.range.start, text.line);
                let parsed = yaml::parse(yaml::text_of(text.bytes, offset, line)?, offset, line, &options.limits)?;
                warnings = parsed.warnings;
                warnings.extend(tree_rules::check(&parsed.tree)?);
                parsed.tree
            }
            None => Tree::new(),
        };
        tree.set_uri(own_name);
        let file = File(Arc::new(Inner {
            name,
            limits: options.limits.clone(),
            verify_checksums: options.verify_checksums,
            standard: layout.standard.clone(),
            format_version: layout.format_version.clone(),
            comments: RwLock::new(layout.comments.clone()),
            tree: RwLock::new(tree),
            store: RwLock::new(Store::stored(source, layout)),
            warnings: Mutex::new(warnings),
            failure: Mutex::new(None),
            closed: AtomicBool::new(false),
        }));
        if options.strict {
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
        standard_tags::begin_tree(&mut tree, options.standard);
        File(Arc::new(Inner {
            name: None,
            limits: options.limits.clone(),
            verify_checksums: false,
            standard: Standard { declared: Some(options.standard.as_str().to_owned()), effective: options.standard },
            format_version: "1.0.0".to_owned(),
            comments: RwLock::new(Vec::new()),
            tree: RwLock::new(tree),
            store: RwLock::new(Store::new()),
            warnings: Mutex::new(Vec::new()),
            failure: Mutex::new(None),
            closed: AtomicBool::new(false),
        }))
    }

    /// Releases descriptor and maps at once, although nodes and arrays of the file still exist; those answer
    /// [`Status::Closed`] from then on. Views stay valid. To close twice is allowed.
    pub fn close(&self) {
        if !self.0.closed.swap(true, Ordering::AcqRel) {
            self.store_mut().close();
            *write(&self.0.tree) = Tree::new();
        }
    }

    fn check_open(&self) -> Result<()> {
        if self.0.closed.load(Ordering::Acquire) {
            return Err(self.name_in(Error::new(Status::Closed, "the file was closed")));
        }
        Ok(())
    }

    fn check_writable(&self) -> Result<()> {
        self.check_open()?;
        if self.store().is_stored() {
            let message = "the file was opened for reading; copy its nodes into a new file to change them";
            return Err(self.name_in(Error::new(Status::ReadOnly, message)));
        }
        Ok(())
    }

    /// The root of the tree, which is a mapping.
    pub fn root(&self) -> Result<Node> {
        self.check_open()?;
        Ok(Node::new(self.clone(), self.tree().root()))
    }

    /// The name that the file was opened by.
    pub fn name(&self) -> Option<&str> {
        self.0.name.as_deref()
    }

    /// The version of the standard: as the file declares it, and the known one it is read or written by.
    pub fn standard(&self) -> &Standard {
        &self.0.standard
    }

    fn standard_version(&self) -> StandardVersion {
        self.0.standard.effective
    }

    /// The version of the file format in the first line.
    pub fn format_version(&self) -> &str {
        &self.0.format_version
    }

    /// The comment lines before the tree, without `#` and blanks around.
    pub fn comments(&self) -> Vec<String> {
        read(&self.0.comments).clone()
    }

    /// Adds a comment line to a new file. Line breaks in it are an error.
    pub fn add_comment(&self, comment: &str) -> Result<()> {
        self.check_writable()?;
        if comment.contains(['\n', '\r', '\0']) || comment.trim_start().starts_with("ASDF_STANDARD") {
            let message = "a comment is one line and does not declare a version of the standard";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        write(&self.0.comments).push(comment.to_owned());
        Ok(())
    }

    /// Everything noticed so far that does not keep the file from being read.
    ///
    /// Blocks add to it as they are looked at; after [`File::check_blocks`] all headers have been.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut all = self.store().layout_warnings();
        all.extend_from_slice(&lock(&self.0.warnings));
        for warning in &mut all {
            warning.location.file = self.0.name.clone();
        }
        all
    }

    fn warn(&self, warnings: impl IntoIterator<Item = Warning>) {
        let mut known = lock(&self.0.warnings);
        for warning in warnings {
            if !known.contains(&warning) {
                known.push(warning);
            }
        }
    }

    /// Notes that something meant for this file could not be put into it, so that it must not be written as if
    /// it were complete.
    pub fn note_failure(&self, error: &Error) {
        lock(&self.0.failure).get_or_insert_with(|| error.to_string());
    }

    /// Forgets a noted failure: the file may be written without what could not be put into it.
    pub fn forget_failure(&self) {
        *lock(&self.0.failure) = None;
    }

    fn limits(&self) -> &Limits {
        &self.0.limits
    }

    fn tree(&self) -> RwLockReadGuard<'_, Tree> {
        read(&self.0.tree)
    }

    fn tree_mut(&self) -> RwLockWriteGuard<'_, Tree> {
        write(&self.0.tree)
    }

    fn store(&self) -> RwLockReadGuard<'_, Store> {
        read(&self.0.store)
    }

    fn store_mut(&self) -> RwLockWriteGuard<'_, Store> {
        write(&self.0.store)
    }

    fn name_in(&self, error: Error) -> Error {
        match &self.0.name {
            Some(name) => error.in_file(name),
            None => error,
        }
    }
}

// A thread that panicked while it held a lock left data that are still whole: nothing here is written in steps
// that a panic could separate without the next access noticing.
fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
