//! Exploded form (each array in a separate file) and its reverse (all arrays in one file).
//!
//! The output is a copy. Header lines, the text of the tree and payloads stay unchanged, except for `asdf_library` and
//! the sources of the arrays. The original file is not changed.

use super::block_names::BlockNames;
use super::output::Target;
use super::prepared::Prepared;
use crate::error::{Error, Result, Status};
use crate::file::blocks::BlockStore;
use crate::file::blocks::number_of;
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::file::blocks::unnumbered::{UnnumberedBlock, UnnumberedStorage};
use crate::file::disk::replace::{Destination, write_file};
use crate::file::edit::hdu_arrays::{hdu_arrays, to_block};
use crate::file::open::by_file::ByFile;
use crate::file::open::named_blocks::{count_from_start, uri_sources};
use crate::file::open::shared::Origin;
use crate::file::open::writer_name;
use crate::file::options::uri::Uri;
use crate::file::{Container, File, WriteOptions};
use crate::fits::{FitsFile, is_hdu_source};
use crate::limits::Limit;
use crate::reserve;
use crate::source::MemorySource;
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
use crate::yaml;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

impl File {
    /// Writes a copy of the file at `path`, with each block in a separate file in the same directory. Arrays that share
    /// a block share a file.
    ///
    /// The names follow [`WriteOptions::external_names`]. The separate files are written first and never replace a
    /// file. Then the main file gets its name, as with [`File::write`]. After a failure all of them are removed. If the
    /// process is killed, complete separate files can remain; a repetition of the call uses them again.
    ///
    /// The text of the tree is copied except for `asdf_library` and the sources of the arrays. Payloads are copied as
    /// stored; a streamed block gets sizes. Chunks of chunked arrays stay in the main file. Blocks that no array uses, or that other nodes may use, stay in the main
    /// file under their numbers. Arrays in other files stay there, unless their URIs would lead to other files from the
    /// new place. In that case their blocks are copied, if the open options allow access.
    ///
    /// Fails with [`Status::FileExists`] as [`File::write`] does, and with [`Status::InvalidArgument`] if `path` is the
    /// file itself, a pipe or a device.
    pub fn explode(&self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<()> {
        let path = path.as_ref();
        let name = path.to_string_lossy().into();
        let write = |target: &Path| {
            let from = self.without_hdus()?;
            let copy = Copy::of(from.as_ref().unwrap_or(self))?.exploded(target)?;
            self.write_copy(&copy, target, options)
        };
        self.rewrite(path, options, write).map_err(|error| error.in_file(&name))
    }

    /// Writes a copy of the file at `path` that includes the blocks of arrays in other files, if the open options allow
    /// access. Arrays in the same file share a block. References to other parts of other files stay.
    ///
    /// The text of the tree is copied except for `asdf_library` and the sources of these arrays. Payloads are copied as
    /// stored. Blocks keep their numbers, and added blocks follow them. The file gets its name as with [`File::write`].
    ///
    /// Fails with [`Status::FileExists`] as [`File::write`] does, with [`Status::InvalidArgument`] if `path` is the
    /// file itself, a pipe or a device, and with the errors of opening the other files, such as
    /// [`Status::ExternalReference`].
    pub fn implode(&self, path: impl AsRef<Path>, options: &WriteOptions) -> Result<()> {
        let path = path.as_ref();
        let name = path.to_string_lossy().into();
        let write = |target: &Path| {
            let copy = Copy::of(self)?.imploded(Brought::Files)?;
            self.write_copy(&copy, target, options)
        };
        self.rewrite(path, options, write).map_err(|error| error.in_file(&name))
    }

    /// Returns a copy of a file that a FITS file holds. The data of the HDUs that its arrays name are in its blocks.
    /// Returns `None` for other files.
    pub(super) fn without_hdus(&self) -> Result<Option<File>> {
        match self.store()?.fits() {
            Some(_) => Copy::of(self)?.imploded(Brought::Hdus).map(Some),
            None => Ok(None),
        }
    }

    fn rewrite(&self, path: &Path, options: &WriteOptions, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        self.check_complete(options)?;
        self.check_valid(options.validation.as_ref())?;
        if options.container != Container::Asdf {
            let message = "the copy is an ASDF file; the option 'container' (ASDF_OPTION_CONTAINER) is for writing";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let target = Destination::file(path, options.replace)?;
        if self.is_stored_at(&target)? {
            let message = "the file cannot replace itself; write it under another name, or change the storage of \
                           its arrays and save it";
            return Err(Error::new(Status::InvalidArgument, message));
        }
        write(&target)
    }

    /// Writes a copy of this file, whose blocks have their final numbers.
    fn write_copy(&self, copy: &File, target: &Path, options: &WriteOptions) -> Result<()> {
        let _expectation = copy.expect_to_write(true, options)?;
        let mut prepared = Prepared::of(copy)?;
        prepared.write_externals(Some(target), options)?;
        let write = |file: &mut std::fs::File| prepared.write_parts(Target::File(file), options);
        let mut replaced = write_file(target, options.replace, &prepared.originals(), options.durable, write)?;
        prepared.sources.keep();
        self.warn(replaced.take_warnings());
        replaced.finish()
    }
}

/// Blocks of a copy in addition to the blocks of the file.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Brought {
    /// The blocks of other files that arrays name, and pending blocks for other files.
    Files,
    /// The data of HDUs.
    Hdus,
}

/// A copy of a file that is being made.
pub(super) struct Copy<'a> {
    pub(super) from: &'a File,
    origin: Origin,
    /// Blocks of the file.
    pub(super) store: Arc<BlockStore>,
    pub(super) tree: Tree,
    /// Blocks of the copy. They have numbers, but no owners yet.
    pub(super) copied: BlockStore,
}

impl<'a> Copy<'a> {
    /// Begins a copy with the tree of a file.
    pub(super) fn of(from: &'a File) -> Result<Copy<'a>> {
        let prepared = Prepared::of(from)?;
        let store = prepared.store.clone();
        let text = match store.is_changeable() {
            true => prepared.text_of(&prepared.tree)?,
            false => reserve::text_of(prepared.tree.source())?.into_string(),
        };
        let mut tree = if text.is_empty() {
            let mut tree = Tree::new();
            writer_name::begin_tree(&mut tree, from.standard_version());
            tree
        } else {
            yaml::parse(text, 0, 1, from.limits())?.tree
        };
        tree.remember_original();
        writer_name::name_library(&mut tree, from.standard_version())?;
        let header = Some(prepared.header().to_vec());
        let (uri, original) = (from.shared.origin.uri.clone(), store.opened_file());
        let origin = Origin { uri, header, original, ..Origin::default() };
        Ok(Copy { from, origin, store, tree, copied: BlockStore::new() })
    }

    pub(super) fn into_file(self) -> File {
        let (limits, standard) = (self.from.limits(), self.from.standard());
        let copy = File::in_memory(self.origin, limits, standard, self.tree, self.copied);
        File { family: self.from.family.clone(), ..copy }
    }

    fn exploded(mut self, target: &Path) -> Result<File> {
        let (from, tree, store) = (self.from, &mut self.tree, &mut self.copied);
        let count = from.block_count()?;
        // The number of blocks changes.
        count_from_start(tree, count, count)?;
        let names = BlockNames::of(from, tree, count)?;
        let mut owners: BTreeMap<i64, Vec<NodeId>> = BTreeMap::new();
        let mut add = |index: i64, place: NodeId| match number_of(index, count) {
            Some(number) if number < count => owners.entry(number as i64).or_default().push(place),
            // A pending block without a number, or a block that does not exist.
            _ => owners.entry(index).or_default().push(place),
        };
        names.certain.iter().for_each(|(&place, &index)| add(index, place));
        let mut brought: ByFile<Vec<NodeId>> = ByFile::new();
        let new_uri = from.family.policy().uri_of(target)?;
        let own_uri = from.shared.origin.uri.as_ref();
        for (place, uri) in uri_sources(tree)? {
            let stays = own_uri.is_none() || Uri::resolve(own_uri, &uri)? == Uri::resolve(new_uri.as_ref(), &uri)?;
            let is_own = uri.is_empty() || uri.starts_with('#') || Some(&Uri::resolve(own_uri, &uri)?) == own_uri;
            if is_own && count > 0 {
                add(0, place);
            } else if !stays {
                let holder = from.external(&uri)?;
                match brought.get_mut(&holder) {
                    Some(places) => places.push(place),
                    None => brought.insert(holder, vec![place]),
                }
            }
        }
        let mut put = |block: PendingBlock, storage: UnnumberedStorage, owners: Vec<NodeId>| {
            let number = store.unnumbered_mut().add(PendingBlock { owners: owners.clone(), ..block }, storage);
            for owner in owners {
                tree.replace(owner, Content::Scalar(&number.to_string(), Style::Plain));
            }
        };
        let mut moved = Vec::new();
        for (index, owners) in owners {
            let storage = match self.store.unnumbered().get(index) {
                Some(UnnumberedBlock { storage: storage @ UnnumberedStorage::External(_), .. }) => storage.clone(),
                Some(_) => UnnumberedStorage::External(None),
                None if u64::try_from(index).is_ok_and(|number| number < count) => {
                    moved.push(index as u64);
                    UnnumberedStorage::External(None)
                }
                None => continue,
            };
            put(from.copy_of_block(index)?, storage, owners);
        }
        for (holder, owners) in brought.into_entries() {
            put(holder.copy_of_block(0)?, UnnumberedStorage::External(None), owners);
        }
        let stays = |number: u64| {
            names.keep_all
                || names.chunks.contains(&number)
                || names.fixed.is_some_and(|fixed| number <= fixed)
                || moved.binary_search(&number).is_err()
        };
        let end = (0..count).rev().find(|&number| stays(number)).map_or(0, |last| last + 1);
        for number in 0..end {
            // Blocks that stay keep their positions, so moved blocks before them are replaced by empty ones.
            let block = if stays(number) { from.copy_of_block(number as i64)? } else { empty_block() };
            store.put(number, block)?;
        }
        Ok(self.into_file())
    }

    /// Stores elements in blocks of the copy. The data of HDUs are stored in any case.
    pub(super) fn imploded(mut self, brought: Brought) -> Result<File> {
        let (from, tree, store) = (self.from, &mut self.tree, &mut self.copied);
        let count = from.block_count()?;
        let hdus = if self.store.fits().is_some() { hdu_arrays(tree)? } else { Vec::new() };
        let mut sources = if brought == Brought::Files { uri_sources(tree)? } else { Vec::new() };
        sources.retain(|(_, uri)| self.store.fits().is_none() || !is_hdu_source(uri));
        // In the order of the numbers in the URIs, so that blocks of an exploded file get their former numbers.
        sources.sort_unstable_by(|(node, one), (next, other)| (one.len(), one, node).cmp(&(other.len(), other, next)));
        let names = BlockNames::of(from, tree, count)?;
        for number in 0..count {
            store.put(number, from.copy_of_block(number as i64)?)?;
        }
        if !sources.is_empty() || !hdus.is_empty() {
            count_from_start(tree, count, count)?;
        }
        let mut next = count;
        if let Some(fits) = self.store.fits() {
            next = store_hdus(hdus, fits, from, (tree, store), next)?;
        }
        let mut name = |place: NodeId, number: u64| {
            tree.replace(place, Content::Scalar(&number.to_string(), Style::Plain));
        };
        // Pending blocks without a number are included. The streamed block stays streamed.
        let mut waiting: BTreeMap<i64, u64> = BTreeMap::new();
        for (&place, &index) in &names.certain {
            let Some(unnumbered) = self.store.unnumbered().get(index).map(|unnumbered| unnumbered.storage.clone())
            else {
                continue;
            };
            let number = match waiting.get(&index) {
                Some(&number) => number,
                None if unnumbered == UnnumberedStorage::Streamed || brought == Brought::Hdus => {
                    store.unnumbered_mut().add(from.copy_of_block(index)?, unnumbered)
                }
                None => {
                    store.put(next, from.copy_of_block(index)?)?;
                    next += 1;
                    next - 1
                }
            };
            waiting.insert(index, number);
            name(place, number);
            if let Some(block) = store.pending_block_mut(number) {
                block.owners.push(place);
            }
        }
        let mut holders: ByFile<u64> = ByFile::new();
        // The call is asked for all of them; the limit is for files that reading an array would open unasked.
        from.family.allow(u32::try_from(sources.len()).unwrap_or(u32::MAX))?;
        for (place, uri) in sources {
            let holder = from.external(&uri)?;
            let number = match holders.get_mut(&holder) {
                Some(number) => *number,
                None if holder.is_same(from) => 0,
                None => {
                    if next >= from.limits().blocks {
                        return Err(Limit::Blocks.exceeded("blocks", from.limits().blocks));
                    }
                    store.put(next, holder.copy_of_block(0)?)?;
                    holders.insert(holder, next);
                    next += 1;
                    next - 1
                }
            };
            name(place, number);
        }
        Ok(self.into_file())
    }
}

/// Stores the data of HDUs in blocks with the numbers from `next` on. Arrays of one HDU share a block. Returns the number
/// after the last block.
fn store_hdus(
    arrays: Vec<(NodeId, String)>,
    fits: &FitsFile,
    from: &File,
    (tree, store): (&mut Tree, &mut BlockStore),
    mut next: u64,
) -> Result<u64> {
    let mut numbers: BTreeMap<String, u64> = BTreeMap::new();
    for (node, hdu) in arrays {
        let (place, block) = to_block(tree, node, &hdu, fits, from.limits())
            .map_err(|error| from.name_in(error.at_path(tree.path(node))))?;
        let number = match numbers.get(&hdu) {
            Some(&number) => number,
            None => {
                if next >= from.limits().blocks {
                    return Err(Limit::Blocks.exceeded("blocks", from.limits().blocks));
                }
                store.put(next, block)?;
                numbers.insert(hdu, next);
                next += 1;
                next - 1
            }
        };
        tree.replace(place, Content::Scalar(&number.to_string(), Style::Plain));
        if let Some(block) = store.pending_block_mut(number) {
            block.owners.push(place);
        }
    }
    Ok(next)
}

/// Returns an empty block, which only occupies a number.
pub(super) fn empty_block() -> PendingBlock {
    let bytes = PendingBytes::Raw(Arc::new(MemorySource::of_vec(Vec::new())), None);
    PendingBlock::new(bytes)
}
