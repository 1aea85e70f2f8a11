//! Writing the files of external arrays, in the directory of the main file.
//!
//! These files are written before the main file. They never replace a file, because the old main file or another file
//! may refer to it. So the old main file stays intact until the new one replaces it. An existing file with exactly the
//! same content is used again.

use super::whole::write_single;
use crate::error::{Error, Result, Status};
use crate::file::blocks::apart::{ApartBlock, Place};
use crate::file::disk::draft;
use crate::file::disk::folder::{folder_of, sync_file, sync_folder};
use crate::file::disk::rights::Grant;
use crate::file::disk::temporary::Temporary;
use crate::file::options::uri::{Uri, reference_to};
use crate::file::{ExternalNames, File, WriteOptions};
use crate::process::Process;
use crate::source::{FileSource, Source, read_exact_at, try_zeroed};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Scalar, Style, Tree};
use std::collections::{BTreeMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Size of the pieces for comparing two files, in bytes.
const PIECE: usize = 64 << 10;

/// Sources of external and streamed arrays in the file, by the temporary numbers of their blocks.
pub(crate) struct Sources {
    texts: BTreeMap<u64, String>,
    /// Created files. They are removed again unless the main file is completed.
    made: Vec<PathBuf>,
    process: Process,
}

impl Default for Sources {
    fn default() -> Sources {
        Sources { texts: BTreeMap::new(), made: Vec::new(), process: Process::current() }
    }
}

impl Drop for Sources {
    fn drop(&mut self) {
        if !self.process.is_current() {
            return;
        }
        for path in &self.made {
            // Ignored: the failure that led here is reported.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Sources {
    /// Keeps the created files, after the main file is completed.
    pub(crate) fn keep(&mut self) {
        self.made.clear();
    }

    /// Sets the sources of external and streamed arrays in the tree to their final values.
    pub(crate) fn set_in(&self, file: &File, tree: &mut Tree) {
        self.for_each_owner(file, tree, |tree, owner, _, text| {
            let style = if text == STREAMED { Style::Plain } else { Style::Automatic };
            tree.replace(owner, Content::Scalar(text, style));
        });
    }

    /// Sets the sources back to the temporary numbers.
    pub(super) fn unset_in(&self, file: &File, tree: &mut Tree) {
        self.for_each_owner(file, tree, |tree, owner, number, _| {
            tree.replace(owner, Content::Scalar(&number.to_string(), Style::Plain));
        });
    }

    fn for_each_owner(&self, file: &File, tree: &mut Tree, mut change: impl FnMut(&mut Tree, NodeId, u64, &str)) {
        let store = file.store();
        for (number, apart) in store.apart().iter() {
            let Some(text) = self.texts.get(&number) else { continue };
            for &owner in &apart.block.owners {
                change(tree, owner, number, text);
            }
        }
    }
}

/// Source of a streamed array: the last block.
const STREAMED: &str = "-1";

impl File {
    /// Writes the files of external arrays in the directory of `main`, and returns the sources of all arrays whose
    /// blocks have no number.
    ///
    /// Fails with [`Status::FileExists`] if a requested name belongs to a file with other content, and with
    /// [`Status::InvalidArgument`] if there are external arrays but no main file.
    pub(super) fn write_externals(&self, main: Option<&Path>, options: &WriteOptions) -> Result<Sources> {
        let mut sources = Sources::default();
        let has_externals = self.store().apart().external().next().is_some();
        let taken = if has_externals { self.names_taken() } else { HashSet::new() };
        let store = self.store();
        for (number, apart) in store.apart().iter() {
            if apart.place == Place::Streamed {
                sources.texts.insert(number, STREAMED.to_owned());
            }
        }
        if !has_externals {
            return Ok(sources);
        }
        let Some(main) = main else {
            let message = "the file has external arrays, which are stored in its directory; write it under a name";
            return Err(Error::new(Status::InvalidArgument, message));
        };
        let mut writer = ExternalWriter {
            file: self,
            main,
            folder: folder_of(main).to_path_buf(),
            options,
            taken,
            next: 0,
            sources: &mut sources,
            grant: Grant::beside(main, &self.originals())?,
        };
        for (number, apart) in store.apart().external() {
            writer.write(number, apart)?;
        }
        if options.durable {
            sync_folder(folder_of(main))?;
        }
        Ok(sources)
    }

    /// Gives the file of an external array, in the directory of `main`, its name: `name`, or one from the pattern of
    /// the options. Returns its URI.
    pub(super) fn name_external(
        &self,
        main: &Path,
        temporary: Temporary,
        name: Option<&OsString>,
        options: &WriteOptions,
        sources: &mut Sources,
    ) -> Result<String> {
        let (taken, folder) = (self.names_taken(), folder_of(main).to_path_buf());
        let grant = Grant::beside(main, &self.originals())?;
        let mut writer = ExternalWriter { file: self, main, folder, options, taken, next: 0, sources, grant };
        let uri = writer.place(temporary, name)?;
        if options.durable {
            sync_folder(folder_of(main))?;
        }
        Ok(uri)
    }

    /// Returns the text of the tree with final sources.
    pub(super) fn text_to_write(
        &self,
        sources: &Sources,
        write: impl FnOnce(&Tree) -> Result<String>,
    ) -> Result<String> {
        // The lock on the tree hides the final sources from other threads.
        let mut tree = self.tree_mut();
        sources.set_in(self, &mut tree);
        let text = write(&tree);
        sources.unset_in(self, &mut tree);
        text
    }

    /// Returns the URIs in arrays and references of the tree. New files must not get these names by chance, because
    /// dangling references would then lead to them.
    fn names_taken(&self) -> HashSet<Uri> {
        let tree = self.tree();
        let mut taken = HashSet::new();
        let mut pending = vec![tree.root()];
        while let Some(id) = pending.pop() {
            if tree.plain_items(id).is_some() {
                continue;
            }
            pending.extend_from_slice(tree.items(id));
            if tree.kind(id) != Kind::Mapping {
                continue;
            }
            for key in ["source", "$ref"] {
                if let Some(value) = tree.find_token(id, key).map(|value| tree.dealias(value))
                    && tree.kind(value) == Kind::Scalar
                    && let Ok(Scalar::String(uri)) = tree.scalar(value)
                    && let Ok(uri) = Uri::resolve(None, uri)
                {
                    taken.insert(uri);
                }
            }
        }
        taken
    }
}

/// Writes external files one after the other.
struct ExternalWriter<'a> {
    file: &'a File,
    main: &'a Path,
    folder: PathBuf,
    options: &'a WriteOptions,
    /// URIs that must not be used: targets of references, and names given before.
    taken: HashSet<Uri>,
    /// Number for the next name from the pattern.
    next: u64,
    sources: &'a mut Sources,
    grant: Grant,
}

impl ExternalWriter<'_> {
    fn write(&mut self, number: u64, apart: &ApartBlock) -> Result<()> {
        let Place::External(name) = &apart.place else { return Ok(()) };
        let mut temporary = draft::create(self.main, &self.grant)?;
        write_single(self.file, &apart.block, temporary.file_mut(), self.options)?;
        let uri = self.place(temporary, name.as_ref())?;
        self.sources.texts.insert(number, uri);
        Ok(())
    }

    /// Gives a complete file its name: `name`, or the next free one from the pattern. Returns its URI.
    fn place(&mut self, mut temporary: Temporary, name: Option<&OsString>) -> Result<String> {
        let own_name = self.main.file_name().unwrap_or_default();
        self.grant.complete(temporary.file())?;
        if self.options.durable {
            sync_file(temporary.file())?;
        }
        loop {
            let candidate = match name {
                Some(name) => name.clone(),
                None => self.options.external_names.name(self.main, self.next),
            };
            ExternalNames::check(&candidate)?;
            if name.is_none() {
                self.next += 1;
            }
            let uri = reference_to(&candidate);
            let is_free = candidate != own_name && !self.taken.contains(&Uri::resolve(None, &uri)?);
            if is_free {
                let path = self.folder.join(&candidate);
                let is_named = temporary.rename_new(&path, "cannot rename the file of an external array")?;
                if is_named {
                    self.sources.made.push(path.clone());
                }
                let is_same = |own: &Path| is_same_content(own, &path);
                let is_there = is_named || temporary.path().map_or(Ok(false), is_same)?;
                // The writer of the existing file may not have synced it.
                if self.options.durable && is_there && !is_named {
                    let there = std::fs::File::open(&path)
                        .map_err(|error| Error::io("cannot open the file of an external array", &error))?;
                    sync_file(&there)?;
                }
                if is_there {
                    self.taken.insert(Uri::resolve(None, &uri)?);
                    return Ok(uri);
                }
            }
            if name.is_some() {
                return Err(exists(&candidate));
            }
        }
    }
}

fn exists(name: &OsStr) -> Error {
    let message = format!(
        "the file '{}' for an external array exists and has other content; choose another name",
        name.to_string_lossy()
    );
    Error::new(Status::FileExists, message)
}

/// Returns true if two regular files have the same content.
fn is_same_content(ours: &Path, theirs: &Path) -> Result<bool> {
    let ours = FileSource::open(ours)?;
    let Ok(theirs) = FileSource::open(theirs) else { return Ok(false) };
    if ours.len() != theirs.len() {
        return Ok(false);
    }
    let (mut left, mut right) = (try_zeroed(PIECE)?, try_zeroed(PIECE)?);
    let mut at = 0;
    while at < ours.len() {
        let count = (ours.len() - at).min(PIECE as u64) as usize;
        read_exact_at(&ours, at, &mut left[..count])?;
        read_exact_at(&theirs, at, &mut right[..count])?;
        if left[..count] != right[..count] {
            return Ok(false);
        }
        at += count as u64;
    }
    Ok(true)
}
