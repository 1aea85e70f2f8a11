//! Changing the location of the elements of an array: a block, the tree, or a separate file.
//!
//! The description of the array stays: datatype, byte order, mask, and all other keys of its node.

use crate::array::{self, Array, ArraySource, ByteOrder, Datatype, InMemory, Order, ReadOptions, ScalarType};
use crate::codec::ChunkCodecs;
use crate::error::{Error, Result, Status};
use crate::file::blocks::BlockStore;
use crate::file::blocks::number_of;
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::file::blocks::unnumbered::UnnumberedStorage;
use crate::file::open::named_blocks::count_from_start;
use crate::file::tree::described::OpenedArray;
use crate::file::{ArrayBytes, ArrayData, ArrayOptions, ExternalNames, File, Node, Storage};
use crate::limits::{Limit, Limits};
use crate::source::{MemorySource, Source, try_zeroed, zeroed_bytes};
use crate::tree::edit::Content;
use crate::tree::{Kind, NodeId, Style, Tree};
use std::sync::Arc;

impl UnnumberedStorage {
    /// Returns the destination of a block under these options; `None` for a numbered block.
    pub(super) fn of(options: &ArrayOptions) -> Result<Option<UnnumberedStorage>> {
        Ok(match options.storage {
            Storage::Internal | Storage::Inline => None,
            Storage::External => {
                options.external_name.as_deref().map_or(Ok(()), ExternalNames::check)?;
                Some(UnnumberedStorage::External(options.external_name.clone()))
            }
            Storage::Streamed => {
                if options.compression.is_some() {
                    let message = "a streamed block cannot be compressed";
                    return Err(Error::new(Status::InvalidArgument, message));
                }
                Some(UnnumberedStorage::Streamed)
            }
        })
    }
}

/// Fails with [`Status::InvalidArgument`] if another array than `array` is streamed already.
pub(super) fn check_streamed(tree: &Tree, store: &BlockStore, array: Option<NodeId>) -> Result<()> {
    let Some(block) = store.unnumbered().streamed() else { return Ok(()) };
    let own = array.and_then(|array| tree.find_token(array, "source"));
    if block.owners.iter().all(|&owner| Some(owner) == own || tree.check(owner).is_err()) {
        return Ok(());
    }
    Err(Error::new(
        Status::InvalidArgument,
        "only one array of a file can be streamed, and another array is streamed already",
    ))
}

impl Node {
    /// Changes the location of the elements of the array at `path` to that of the options. The values stay the same. An
    /// array that is already stored there is not changed.
    ///
    /// A block is copied as stored, compressed or not; only a streamed block is always uncompressed. Elements from the
    /// tree get the byte order of the array, or else that of the options, and the element order and compression of the
    /// options. The old block of the array stays in an opened file, unused. A mask that is an array keeps its location.
    ///
    /// A chunked array is stored again, also as an ordinary one, and `options.chunks` stores an ordinary array in chunks.
    /// Its elements are read at once.
    ///
    /// Two arrays on one block, moved one after the other, share a block again.
    ///
    /// After a failure the array is stored as before, and the file can be written.
    ///
    /// Null elements in the tree are replaced by a mask. Records with null, and masked arrays with null, are
    /// [`Status::Masked`]. Fails as [`Node::set_array_data`] does for elements that cannot be stored in the tree, and
    /// with the errors of reading the array.
    pub fn set_storage(&self, path: &str, options: &ArrayOptions) -> Result<()> {
        self.store_elsewhere(path, options).map_err(|error| self.located(path, error))
    }

    fn store_elsewhere(&self, path: &str, options: &ArrayOptions) -> Result<()> {
        self.file().check_writable()?;
        let array = self.array(path)?;
        let node = array.node()?.clone();
        if !node.file().is_same(self.file()) {
            return Err(node.locate(Error::new(Status::Unsupported, "the array is in another file")));
        }
        if options.chunks.is_some() || array.chunk_shape().is_some() {
            return node.store_again(&array, options).map_err(|error| node.locate(error));
        }
        let moved = match (array.source(), options.storage) {
            (Some(ArraySource::Inline(_)), Storage::Inline) => Ok(()),
            (Some(ArraySource::Inline(_)), _) => node.move_out_of_tree(&array, options),
            (_, Storage::Inline) => node.move_into_tree(&array),
            (Some(source), _) => node.move_block(source, options),
            (None, _) => Ok(()),
        };
        moved.map_err(|error| node.locate(error))
    }

    /// Stores the elements of a chunked array in another way, or those of another array in chunks.
    fn store_again(&self, array: &Array, options: &ArrayOptions) -> Result<()> {
        if options.storage == Storage::Internal
            && options.chunk_codecs == ChunkCodecs::default()
            && array.chunk_shape().is_some_and(|chunk| options.chunks.as_deref() == Some(chunk))
        {
            return Ok(());
        }
        if array.is_masked() {
            let message = "the array has a mask, which a chunked array cannot have";
            return Err(Error::new(Status::Masked, message));
        }
        let elements = elements_of(array)?;
        let bytes = ArrayBytes::Copied(&elements);
        let data = ArrayData { datatype: array.datatype().clone(), shape: array.shape(), order: Order::C, bytes };
        self.set_array_data("", &data, options)
    }

    fn move_into_tree(&self, array: &Array) -> Result<()> {
        array::check_inline(array.datatype(), array.shape(), array.element_count())?;
        let elements = elements_of(&array.without_mask())?;
        let mut part = Tree::new();
        let inline = part.place(part.root(), "array")?;
        array::describe_inline(&mut part, inline, array.datatype(), array.shape(), &elements)?;
        let data = part.lookup(inline, "data")?;
        let shape = part.lookup(inline, "shape")?;
        self.edit_storage(|state, is_begun| {
            let tree = state.tree_mut();
            let shape_place = own_value(tree, self.id(), "shape")?;
            let values = own_values(tree, self.id(), &["source", "strides", "offset"])?;
            *is_begun = true;
            values.into_iter().try_for_each(|value| tree.remove(value))?;
            let place = tree.append_pair(self.id(), "data", Content::Sequence(Style::Flow));
            tree.copy_from(place, &part, data)?;
            // Without a block, an extent that followed from the block length must be written.
            if let Some(place) = shape_place
                && tree
                    .lookup(place, "0")
                    .and_then(|first| tree.resolve(first))
                    .is_ok_and(|first| tree.text(first) == "*")
            {
                tree.copy_from(place, &part, shape)?;
            }
            Ok(())
        })
    }

    fn move_out_of_tree(&self, array: &Array, options: &ArrayOptions) -> Result<()> {
        let file = self.file();
        let nulls = self.nulls(array)?;
        let byteorder = self.byteorder()?.unwrap_or(options.byteorder);
        let elements = elements_of(&array.without_mask())?;
        // The description stays, and its byte orders of fields now apply.
        let datatype = self.open_array("")?.descriptor.datatype.unwrap_or_else(|| array.datatype().clone());
        let memory = InMemory::new(&datatype, array.shape(), &Order::C, elements.len())?;
        let packed = memory.pack(&elements, &options.stored_order, byteorder)?;
        let item_size = datatype.item_size()? as usize;
        let compression = options.compression.clone().map(|compression| compression.of_items(item_size));
        let bytes = PendingBytes::Raw(Arc::new(MemorySource::of_vec(packed)), compression);
        let block = PendingBlock { slack: options.slack, checksum: options.checksum, ..PendingBlock::new(bytes) };
        let tag = array::array_tag(&datatype, file.standard_version())?;
        let mut part = Tree::new();
        let described = part.place(part.root(), "array")?;
        let orders = (&options.stored_order, byteorder);
        array::describe_stored(&mut part, described, 0, &datatype, orders, array.shape())?;
        part.set_tag(described, Some(&tag));
        self.edit_storage(|state, is_begun| {
            let (tree, store) = state.parts_mut();
            let is_mapping = tree.kind(self.id()) == Kind::Mapping;
            let keys: &[&str] = if is_mapping { &["data", "strides", "offset"] } else { &[] };
            let values = own_values(tree, self.id(), keys)?;
            let number = add_block(tree, store, block, options, Some(self.id()), file.limits())?;
            *is_begun = true;
            if !is_mapping {
                tree.copy_from(self.id(), &part, described)?;
            } else {
                values.into_iter().try_for_each(|value| tree.remove(value))?;
                for key in ["source", "datatype", "byteorder", "shape", "strides"] {
                    if let (Some(value), None) = (part.find_token(described, key), tree.find_token(self.id(), key)) {
                        let place = tree.append_pair(self.id(), key, Content::Scalar("", Style::Plain));
                        tree.copy_from(place, &part, value)?;
                    }
                }
            }
            self.name_block(tree, store, number)?;
            let Some(nulls) = nulls else { return Ok(()) };
            let bytes = PendingBytes::Raw(Arc::new(MemorySource::of_vec(nulls)), None);
            let block = PendingBlock { checksum: options.checksum, ..PendingBlock::new(bytes) };
            let number = add_block(tree, store, block, &ArrayOptions::default(), None, file.limits())?;
            let mask = Node::new(file.clone(), tree.append_pair(self.id(), "mask", Content::Mapping(Style::Block)));
            let orders = (&Order::C, byteorder);
            array::describe_stored(tree, mask.id(), 0, &ScalarType::Bool8.into(), orders, array.shape())?;
            tree.set_tag(mask.id(), Some(&tag));
            mask.name_block(tree, store, number)
        })
    }

    /// Returns the mask of null elements in the tree, one byte per element; `None` if there is no null.
    ///
    /// Fails with [`Status::Masked`] if a mask cannot express them.
    fn nulls(&self, array: &Array) -> Result<Option<Vec<u8>>> {
        let OpenedArray { array: unmasked, descriptor, .. } = self.open_array("")?;
        if !unmasked.has_nulls() {
            return Ok(None);
        }
        if descriptor.mask.is_some() || matches!(array.datatype(), Datatype::Record(_)) {
            let message =
                "the array has null elements in records or together with a mask; these can be stored in the tree only";
            return Err(Error::new(Status::Masked, message));
        }
        let mut nulls = try_zeroed(usize::try_from(array.element_count()).unwrap_or(0))?;
        array.read_mask(None, &mut nulls, &ReadOptions::default())?;
        Ok(Some(nulls))
    }

    /// Returns the byte order that the description of an array in the tree declares.
    fn byteorder(&self) -> Result<Option<ByteOrder>> {
        let tree = self.file().tree()?;
        match tree.find_token(self.id(), "byteorder") {
            Some(value) if tree.kind(self.id()) == Kind::Mapping => {
                ByteOrder::parse(&tree, tree.resolve(value)?, Status::BadArray).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn move_block(&self, source: &ArraySource, options: &ArrayOptions) -> Result<()> {
        let file = self.file();
        let (holder, index) = match source {
            ArraySource::Block(index) => (file.clone(), *index),
            ArraySource::Uri(uri) => (file.external(uri)?, 0),
            ArraySource::Inline(_) | ArraySource::Chunks | ArraySource::OtherFormat(_) => return Ok(()),
        };
        let unnumbered = UnnumberedStorage::of(&ArrayOptions { compression: None, ..options.clone() })?;
        let now = match source {
            ArraySource::Uri(_) => Some(UnnumberedStorage::External(None)),
            _ => match file.store()?.unnumbered().get(index) {
                Some(unnumbered) => Some(unnumbered.storage.clone()),
                None => file.block(index)?.streamed.then_some(UnnumberedStorage::Streamed),
            },
        };
        let is_there = match (&now, &unnumbered) {
            (Some(UnnumberedStorage::External(_)), Some(UnnumberedStorage::External(name))) => name.is_none(),
            (now, unnumbered) => now == unnumbered,
        };
        if is_there {
            return Ok(());
        }
        let mut block = holder.copy_of_block(index)?;
        if unnumbered == Some(UnnumberedStorage::Streamed) {
            block = without_compression(&holder, index, block)?;
        }
        block.slack = options.slack;
        block.checksum = options.checksum.or(block.checksum);
        self.edit_storage(|state, is_begun| {
            let (tree, store) = state.parts_mut();
            let former = number_of(index, store.counts()?.1).filter(|_| matches!(source, ArraySource::Block(_)));
            let source = own_value(tree, self.id(), "source")?;
            let number = match (&now, former) {
                // A streamed block stays in place and gets its sizes.
                (Some(UnnumberedStorage::Streamed), Some(number))
                    if unnumbered.is_none() && store.unnumbered().get(index).is_none() =>
                {
                    store.put(number, block)?;
                    number
                }
                _ => add_block(tree, store, block, options, Some(self.id()), file.limits())?,
            };
            *is_begun = true;
            match source {
                Some(source) => {
                    tree.replace(source, Content::Scalar("", Style::Plain));
                    // A pending block that only this array had is not written.
                    if let Some(block) = former.and_then(|number| store.pending_block_mut(number)) {
                        block.owners.retain(|&owner| owner != source);
                    }
                }
                // A merged value stays in the other mapping.
                None => drop(tree.append_pair(self.id(), "source", Content::Scalar("", Style::Plain))),
            }
            self.name_block(tree, store, number)
        })
    }

    /// Sets the source of this array to the pending block with this number.
    fn name_block(&self, tree: &mut Tree, store: &mut BlockStore, number: u64) -> Result<()> {
        let missing = || Error::new(Status::Internal, "the array has no block");
        let source = tree.find_token(self.id(), "source").ok_or_else(missing)?;
        tree.replace(source, Content::Scalar(&number.to_string(), Style::Plain));
        store.pending_block_mut(number).ok_or_else(missing)?.owners.push(source);
        Ok(())
    }
}

/// Returns the same block without compression.
fn without_compression(file: &File, index: i64, block: PendingBlock) -> Result<PendingBlock> {
    if file.block(index)?.compression == crate::codec::Label::NONE {
        let bytes = match block.bytes {
            PendingBytes::Raw(source, _) => PendingBytes::Raw(source, None),
            copied => copied,
        };
        return Ok(PendingBlock { bytes, ..block });
    }
    let size = file.block(index)?.decoded_size;
    if size > file.limits().decoded_bytes {
        return Err(Limit::DecodedBytes.exceeded("memory for decoded block bytes", file.limits().decoded_bytes));
    }
    let mut bytes = zeroed_bytes(size)?;
    file.read_decoded_block(index, &mut bytes)?;
    let source: Arc<dyn Source> = Arc::new(MemorySource::of_vec(bytes));
    Ok(PendingBlock { bytes: PendingBytes::Raw(source, None), ..block })
}

/// Adds a block at the location of the options and returns its number. A block with the same bytes at the same
/// location is shared.
fn add_block(
    tree: &mut Tree,
    store: &mut BlockStore,
    block: PendingBlock,
    options: &ArrayOptions,
    array: Option<NodeId>,
    limits: &Limits,
) -> Result<u64> {
    let unnumbered = UnnumberedStorage::of(&ArrayOptions { compression: None, ..options.clone() })?;
    if unnumbered == Some(UnnumberedStorage::Streamed) {
        check_streamed(tree, store, array)?;
    }
    if let Some(number) = store.number_of_same(&block, unnumbered.as_ref()) {
        return Ok(number);
    }
    let (stored, count) = store.counts()?;
    if !matches!(unnumbered, Some(UnnumberedStorage::External(_))) {
        store.check_more(1, limits)?;
    }
    if !matches!(unnumbered, Some(UnnumberedStorage::External(_))) {
        count_from_start(tree, stored, count)?;
    }
    match unnumbered {
        Some(unnumbered) => Ok(store.unnumbered_mut().add(block, unnumbered)),
        None => store.put(count, block).map(|()| count),
    }
}

/// Returns the value of a key of the mapping, without merged pairs; `None` if the key is missing.
///
/// Fails with [`Status::Unsupported`] if the pair is merged.
fn own_value(tree: &Tree, mapping: NodeId, key: &str) -> Result<Option<NodeId>> {
    match tree.find_token(mapping, key) {
        Some(value) if tree.parent(value) != Some(mapping) => {
            let message = format!(
                "the key '{key}' of the array is merged from another mapping ('<<'), and cannot be changed here"
            );
            Err(Error::new(Status::Unsupported, message))
        }
        value => Ok(value),
    }
}

/// Returns the values of those keys that the mapping itself has. Fails if a pair is merged.
fn own_values(tree: &Tree, mapping: NodeId, keys: &[&str]) -> Result<Vec<NodeId>> {
    let mut values = Vec::new();
    for key in keys {
        values.extend(own_value(tree, mapping, key)?);
    }
    Ok(values)
}

/// Reads all elements, packed in C order, in native byte order.
fn elements_of(array: &Array) -> Result<Vec<u8>> {
    let count = u64::try_from(array.element_count()).unwrap_or(0);
    let size = count.checked_mul(array.datatype().item_size()?);
    let size = size.and_then(|size| usize::try_from(size).ok()).ok_or_else(|| Error::out_of_memory(u64::MAX))?;
    let mut elements = try_zeroed(size)?;
    array.read(array.datatype(), &mut elements, &ReadOptions::default())?;
    Ok(elements)
}
