//! Writing blocks to files of their own, beside the main file that names them.
//!
//! They are written before the main file. No file that exists is ever replaced, since the main file that was there
//! before, or another one, may lead to it: so the old main file stays whole until the new one takes its place. A file
//! that holds just what would be written is taken for it.

use super::whole::write_single;
use crate::error::{Error, Result, Status};
use crate::file::blocks::apart::{ApartBlock, Place};
use crate::file::disk::draft;
use crate::file::disk::folder::{folder_of, sync_file, sync_folder};
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

/// Bytes of two files that are compared at once.
const PIECE: usize = 64 << 10;

/// What takes the place of the numbers that blocks wait under, when the file is written.
pub(crate) struct Sources {
    texts: BTreeMap<u64, String>,
    /// The files that were made, to be removed again unless the main file names them.
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
            // Whatever keeps it there, the failure that led here counts.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Sources {
    /// The main file names the files that were made.
    pub(crate) fn keep(&mut self) {
        self.made.clear();
    }

    /// Lets arrays whose blocks wait apart name what they are to name in the file.
    pub(crate) fn set_in(&self, file: &File, tree: &mut Tree) {
        self.for_each_owner(file, tree, |tree, owner, _, text| {
            let style = if text == STREAMED { Style::Plain } else { Style::Automatic };
            tree.replace(owner, Content::Scalar(text, style));
        });
    }

    /// Lets them name the numbers under which the blocks wait again.
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

/// The number by which arrays name a streamed block, which is the last one.
const STREAMED: &str = "-1";

impl File {
    /// Writes the blocks that go to files of their own beside `main`, and tells what the arrays on them are to name.
    ///
    /// Fails with [`Status::FileExists`] if one is to have the name of a file with other content, and with
    /// [`Status::InvalidArgument`] if there are such blocks but no main file.
    pub(super) fn write_externals(&self, main: Option<&Path>, options: &WriteOptions) -> Result<Sources> {
        let mut sources = Sources::default();
        let taken = self.names_taken();
        let store = self.store();
        for (number, apart) in store.apart().iter() {
            if apart.place == Place::Streamed {
                sources.texts.insert(number, STREAMED.to_owned());
            }
        }
        if store.apart().external().next().is_none() {
            return Ok(sources);
        }
        let Some(main) = main else {
            let message = "an array is to be in a file of its own, so the file has to be written under a name";
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
        };
        for (number, apart) in store.apart().external() {
            writer.write(number, apart)?;
        }
        if options.durable {
            sync_folder(folder_of(main))?;
        }
        Ok(sources)
    }

    /// Gives a file that holds an array, beside `main`, this name, or one by the pattern of the options, and tells its URI.
    pub(super) fn name_external(
        &self,
        main: &Path,
        temporary: Temporary,
        name: Option<&OsString>,
        options: &WriteOptions,
        sources: &mut Sources,
    ) -> Result<String> {
        let (taken, folder) = (self.names_taken(), folder_of(main).to_path_buf());
        let mut writer = ExternalWriter { file: self, main, folder, options, taken, next: 0, sources };
        let uri = writer.place(temporary, name)?;
        if options.durable {
            sync_folder(folder_of(main))?;
        }
        Ok(uri)
    }

    /// The text of the tree as it is to be written.
    pub(super) fn text_to_write(
        &self,
        sources: &Sources,
        write: impl FnOnce(&Tree) -> Result<String>,
    ) -> Result<String> {
        // Nobody else sees the tree as it is in between.
        let mut tree = self.tree_mut();
        sources.set_in(self, &mut tree);
        let text = write(&tree);
        sources.unset_in(self, &mut tree);
        text
    }

    /// The URIs that arrays and references in the tree name: files that they do not find are not to appear by chance.
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

/// Writes one external file after the other.
struct ExternalWriter<'a> {
    file: &'a File,
    main: &'a Path,
    folder: PathBuf,
    options: &'a WriteOptions,
    /// Names that lead nowhere yet, or were given already.
    taken: HashSet<Uri>,
    /// The number for the next name that is made by the pattern.
    next: u64,
    sources: &'a mut Sources,
}

impl ExternalWriter<'_> {
    fn write(&mut self, number: u64, apart: &ApartBlock) -> Result<()> {
        let Place::External(name) = &apart.place else { return Ok(()) };
        let mut temporary = draft::create(self.main)?;
        write_single(self.file, &apart.block, temporary.file_mut(), self.options)?;
        let uri = self.place(temporary, name.as_ref())?;
        self.sources.texts.insert(number, uri);
        Ok(())
    }

    /// Gives a file that is whole this name, or the next one by the pattern, and tells its URI.
    fn place(&mut self, mut temporary: Temporary, name: Option<&OsString>) -> Result<String> {
        let own_name = self.main.file_name().unwrap_or_default();
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
                let is_named = temporary.rename_new(&path, "naming the file of an array")?;
                if is_named {
                    self.sources.made.push(path.clone());
                }
                let is_same = |own: &Path| is_same_content(own, &path);
                let is_there = is_named || temporary.path().map_or(Ok(false), is_same)?;
                // Whoever wrote it may not have waited for the disk.
                if self.options.durable && is_there && !is_named {
                    let there = std::fs::File::open(&path)
                        .map_err(|error| Error::io("opening the file of an array", &error))?;
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
    let message = format!("an array is to be stored in '{}', but another file has that name", name.to_string_lossy());
    Error::new(Status::FileExists, message)
}

/// Whether two files hold the same bytes; what is no regular file does not.
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
