//! Writing the files of external arrays, in the directory of the main file.
//!
//! These files are written before the main file. They never replace a file, because the old main file or another file
//! may refer to it. So the old main file stays intact until the new one replaces it. An existing file with exactly the
//! same content is used again.

use super::prepared::Prepared;
use super::sources::{STREAMED, Sources};
use super::whole::write_single;
use crate::error::{Error, Result, Status};
use crate::file::blocks::unnumbered::{UnnumberedBlock, UnnumberedStorage};
use crate::file::disk::draft;
use crate::file::disk::folder::{folder_of, sync_file, sync_folder};
use crate::file::disk::rights::Grant;
use crate::file::disk::temporary::Temporary;
use crate::file::options::uri::{Uri, reference_to};
use crate::file::{ExternalNames, WriteOptions};
use crate::reserve;
use crate::source::{FileSource, Source, read_exact_at, try_zeroed};
use crate::tree::{Kind, Scalar, Tree};
use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// Size of the pieces for comparing two files, in bytes.
const PIECE: usize = 64 << 10;

impl Prepared {
    /// Writes the files of external arrays in the directory of `main`, and sets the sources of all arrays whose blocks
    /// have no number.
    ///
    /// Fails with [`Status::FileExists`] if a requested name belongs to a file with other content, and with
    /// [`Status::InvalidArgument`] if there are external arrays but no main file.
    pub(super) fn write_externals(&mut self, main: Option<&Path>, options: &WriteOptions) -> Result<()> {
        for (number, unnumbered) in self.store.unnumbered().iter() {
            if unnumbered.storage == UnnumberedStorage::Streamed {
                self.sources.texts.insert(number, STREAMED.to_owned());
            }
        }
        if self.store.unnumbered().external().next().is_none() {
            return Ok(());
        }
        let Some(main) = main else {
            let message = "the file has external arrays, which are stored in its directory; write it under a name";
            return Err(Error::new(Status::InvalidArgument, message));
        };
        let mut sources = std::mem::take(&mut self.sources);
        let mut writer = ExternalWriter::new(self, main, options, &mut sources)?;
        for (number, unnumbered) in self.store.unnumbered().external() {
            writer.write(number, unnumbered)?;
        }
        if options.durable {
            sync_folder(folder_of(main))?;
        }
        self.sources = sources;
        Ok(())
    }

    /// Gives the file of an external array, in the directory of `main`, its name: `name`, or one from the pattern of
    /// the options. Returns its URI.
    pub(super) fn name_external(
        &mut self,
        main: &Path,
        temporary: Temporary,
        name: Option<&OsString>,
        options: &WriteOptions,
    ) -> Result<String> {
        let mut sources = std::mem::take(&mut self.sources);
        let uri = ExternalWriter::new(self, main, options, &mut sources)?.place(temporary, name)?;
        if options.durable {
            sync_folder(folder_of(main))?;
        }
        self.sources = sources;
        Ok(uri)
    }
}

/// Returns the URIs in arrays and references of a tree. New files must not get these names by chance, because dangling
/// references would then lead to them.
fn names_taken(tree: &Tree) -> Result<HashSet<Uri>> {
    let mut taken = HashSet::new();
    let mut pending = vec![tree.root()];
    while let Some(id) = pending.pop() {
        if tree.plain_items(id).is_some() {
            continue;
        }
        reserve::extend(&mut pending, tree.items(id).iter().copied())?;
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
    Ok(taken)
}

/// Writes external files one after the other.
struct ExternalWriter<'a> {
    prepared: &'a Prepared,
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

impl<'a> ExternalWriter<'a> {
    fn new(
        prepared: &'a Prepared,
        main: &'a Path,
        options: &'a WriteOptions,
        sources: &'a mut Sources,
    ) -> Result<ExternalWriter<'a>> {
        let grant = Grant::beside(main, &prepared.originals())?;
        let (folder, taken) = (folder_of(main).to_path_buf(), names_taken(&prepared.tree)?);
        Ok(ExternalWriter { prepared, main, folder, options, taken, next: 0, sources, grant })
    }

    fn write(&mut self, number: u64, unnumbered: &UnnumberedBlock) -> Result<()> {
        let UnnumberedStorage::External(name) = &unnumbered.storage else { return Ok(()) };
        let mut temporary = draft::create(self.main, &self.grant)?;
        write_single(self.prepared, &unnumbered.block, temporary.file_mut(), self.options)?;
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
