//! Changes of existing arrays: shape and compression.
//!
//! Elements are read in pieces when the file is written. Only their checksum is verified immediately.

use super::chunked::ChunkEditor;
use super::like_before::{compression_like, has_checksum, to_compress};
use super::redescribe::redescribe;
use crate::array::{Array, ArraySource, ByteOrder, Datatype, Order};
use crate::codec::Compression;
use crate::error::{Error, Result, Status};
use crate::file::blocks::number_of;
use crate::file::blocks::pending::PendingBlock;
use crate::file::open::named_blocks::block_source;
use crate::file::open::state::{FileState, Uses};
use crate::file::tree::described::OpenedArray;
use crate::file::{ChecksumMatch, Node};
use std::sync::Arc;

/// An array with new bytes that replace its old ones.
struct Resizing {
    node: Node,
    datatype: Datatype,
    byteorder: ByteOrder,
    block: PendingBlock,
}

impl Node {
    /// Changes the shape of the array at `path`, without changing the number of dimensions. Elements keep their
    /// indices: along each dimension the array is cut or extended at the end. New elements are `fill` (one element in
    /// native byte order) or zeros.
    ///
    /// Datatype, byte order, compression (at the default level), the presence of a checksum and other keys of the node
    /// stay. The block keeps its number unless other nodes name it too. The elements are then packed in C order and no
    /// longer streamed. A mask that is an array of the same shape is resized as well, and marks no new element as
    /// missing.
    ///
    /// The elements are read in pieces when the file is written. The block is compared with its checksum immediately.
    ///
    /// Rows that are added along the first dimension to an array in the last block of a file of more than 256 KiB, which is
    /// not compressed, are written at once, as by [`Array::append`]: the file is not written anew, and the block is then
    /// streamed and has no checksum.
    ///
    /// A chunked array keeps its chunks: only those at the former end of a dimension are written again. Its new elements
    /// have its fill value, which `fill` must not contradict.
    ///
    /// Fails with
    ///
    /// * [`Status::InvalidArgument`] for another number of dimensions or an invalid shape, for a fill of another size,
    ///   and for a mask that would not fit,
    /// * [`Status::Unsupported`] for elements that are not in a stored block of this file,
    /// * [`Status::Checksum`] for a damaged block.
    pub fn resize_array(&self, path: &str, shape: &[i64], fill: Option<&[u8]>) -> Result<()> {
        let resize = || match ChunkEditor::at(self, path)? {
            Some(editor) => editor.resize(shape, fill),
            None if self.file().extend_last_block(self, path, shape, fill)? => Ok(()),
            None => self.resize(path, shape, fill),
        };
        let result = self.file().check_writable().and_then(|()| resize());
        result.map_err(|error| self.located(path, error)).inspect_err(|error| self.file().note_failure(error))
    }

    fn resize(&self, path: &str, shape: &[i64], fill: Option<&[u8]>) -> Result<()> {
        let (array, index) = self.array_in_block(path)?;
        let old_shape = array.shape().to_vec();
        let mut parts = vec![Resizing::new(&array, index, shape, fill)?];
        if let Some(mask) = array.node()?.mask_array()?
            && !mask_fits(mask.shape(), shape)
        {
            if mask.shape() != old_shape {
                return Err(array.locate(mask_misfit(mask.shape(), shape)));
            }
            let (mask, index) = mask.node()?.array_in_block("")?;
            parts.push(Resizing::new(&mask, index, shape, None)?);
        }
        self.edit_state(path, Uses::Counted, |state| {
            state.store().check_more(parts.len() as u64, self.file().limits())?;
            parts.into_iter().try_for_each(|part| part.apply(state, shape))
        })
    }

    /// Stores the elements of the array at `path` with another compression, or uncompressed. The number of the block,
    /// the values, and the presence of a checksum stay. The change applies to all arrays in the block. All chunks of a
    /// chunked array are changed.
    ///
    /// The block is compared with its checksum immediately, and decoded when the file is written. Memory is bounded,
    /// unless the new codec needs the whole payload. Fails as [`Node::resize_array`] does. After a failure the array is
    /// stored as before, and the file can be written.
    pub fn recompress_array(&self, path: &str, compression: Option<Compression>) -> Result<()> {
        self.recompress(path, compression).map_err(|error| self.located(path, error))
    }

    fn recompress(&self, path: &str, compression: Option<Compression>) -> Result<()> {
        let file = self.file();
        file.check_writable()?;
        if let Some(editor) = ChunkEditor::at(self, path)? {
            return editor.recompress(compression);
        }
        let (array, index) = self.array_in_block(path)?;
        let described = array.node()?;
        let item_size = array.datatype().item_size()? as usize;
        let former = file.copy_of_block(index)?;
        let compression = compression.map(|compression| compression.of_items(item_size));
        let bytes = to_compress(former.decoded(file.limits())?, compression);
        self.try_edit(path, Uses::Counted, |state| {
            let (tree, store) = state.parts_mut();
            let number = number_of(index, store.counts()?.1).unwrap_or(u64::MAX);
            let owners = match store.pending_block_mut(number) {
                Some(block) => block.owners.clone(),
                None => block_source(tree, described.id()).map(|(scalar, _)| scalar).into_iter().collect(),
            };
            store.put(
                number,
                PendingBlock {
                    checksum: has_checksum(&former),
                    slack: former.slack,
                    owners,
                    ..PendingBlock::new(bytes)
                },
            )
        })
    }

    /// Returns the array at `path`, whose elements must be in a block of this file, and the index of the block.
    fn array_in_block(&self, path: &str) -> Result<(Array, i64)> {
        let array = self.array(path)?;
        let unsupported = |message: &str| array.locate(Error::new(Status::Unsupported, message));
        if !array.node()?.file().is_same(self.file()) {
            return Err(unsupported("the array is in another file"));
        }
        let Some(&ArraySource::Block(index)) = array.source() else {
            return Err(unsupported(
                "this change is possible only for an array whose elements are in a block of its file",
            ));
        };
        let count = self.file().block_count()?;
        if number_of(index, count).is_none_or(|number| number >= count) {
            return Err(unsupported("a change of the storage of the array is not saved yet; save the file first"));
        }
        if self.file().verify_block(index)? == ChecksumMatch::Mismatch {
            let message = format!("the bytes of block {index} do not match its checksum");
            return Err(array.locate(Error::new(Status::Checksum, message)));
        }
        Ok((array, index))
    }

    /// Returns the mask of this array, if the mask is an array.
    fn mask_array(&self) -> Result<Option<Array>> {
        let OpenedArray { descriptor, node, .. } = self.open_array("")?;
        let Some(mask) = descriptor.mask else { return Ok(None) };
        let mask = Node::new(node.file().clone(), mask).resolved()?;
        if mask.is_array("")? { mask.array("").map(Some) } else { Ok(None) }
    }
}

impl Resizing {
    fn new(array: &Array, index: i64, shape: &[i64], fill: Option<&[u8]>) -> Result<Resizing> {
        let node = array.node()?.clone();
        let file = node.file();
        let bytes = array.resized(shape, fill).map_err(|error| node.locate(error))?;
        let datatype = array.datatype().clone();
        let former = file.copy_of_block(index)?;
        let compression = compression_like(&former, datatype.item_size()? as usize)?;
        let block = PendingBlock {
            checksum: has_checksum(&former),
            slack: former.slack,
            ..PendingBlock::new(to_compress(Arc::new(bytes), compression))
        };
        Ok(Resizing { node, datatype, byteorder: array.byteorder(), block })
    }

    fn apply(mut self, state: &mut FileState, shape: &[i64]) -> Result<()> {
        let (file, id) = (self.node.file(), self.node.id());
        let number = state.block_number_of(id, file.limits())?;
        state.count_block(number)?;
        let (tree, store) = state.parts_mut();
        let orders = (&Order::C, self.byteorder);
        redescribe(tree, id, number as i64, (&self.datatype, orders, shape), file.limits())?;
        self.block.owners = block_source(tree, id).map(|(scalar, _)| scalar).into_iter().collect();
        store.put(number, self.block)
    }
}

/// Returns true if a mask of this shape can be broadcast to an array of shape `shape`.
fn mask_fits(mask: &[i64], shape: &[i64]) -> bool {
    mask.len() <= shape.len()
        && mask.iter().rev().zip(shape.iter().rev()).all(|(&mask, &extent)| mask == 1 || mask == extent)
}

fn mask_misfit(mask: &[i64], shape: &[i64]) -> Error {
    let message = format!("the mask of the array has the shape {mask:?}, which does not fit the new shape {shape:?}");
    Error::new(Status::InvalidArgument, message)
}

impl Node {
    /// Fails with [`Status::InvalidArgument`] if the array at `path` has a mask that does not fit this shape.
    pub(super) fn check_kept_mask(&self, path: &str, shape: &[i64]) -> Result<()> {
        let is_array = self.is_array(path).unwrap_or(false);
        let node = if is_array { Some(self.at(path)?) } else { None };
        match node.map(|node| node.mask_array()).transpose()?.flatten() {
            Some(mask) if !mask_fits(mask.shape(), shape) => Err(self.locate(mask_misfit(mask.shape(), shape))),
            _ => Ok(()),
        }
    }
}
