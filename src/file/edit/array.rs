//! Changes of existing arrays: shape and compression.
//!
//! Elements are read in pieces when the file is written. Only their checksum is verified immediately.

use crate::array::{self, Array, ArraySource, ByteOrder, Datatype, DeclaredShape, Descriptor, Order};
use crate::codec::{AnyCodec, Compression};
use crate::error::{Error, Result, Status};
use crate::file::blocks::number_of;
use crate::file::blocks::pending::{PendingBlock, PendingBytes};
use crate::file::open::named_blocks::block_source;
use crate::file::open::state::{FileState, Uses};
use crate::file::tree::described::OpenedArray;
use crate::file::{ChecksumMatch, Node};
use crate::limits::Limits;
use crate::source::{OwnSource, Source};
use crate::tree::edit::Content;
use crate::tree::{NodeId, Style, Tree};
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
    /// Fails with
    ///
    /// * [`Status::InvalidArgument`] for another number of dimensions or an invalid shape, for a fill of another size,
    ///   and for a mask that would not fit,
    /// * [`Status::Unsupported`] for elements that are not in a stored block of this file,
    /// * [`Status::Checksum`] for a damaged block.
    pub fn resize_array(&self, path: &str, shape: &[i64], fill: Option<&[u8]>) -> Result<()> {
        let result = self.file().check_writable().and_then(|()| self.resize(path, shape, fill));
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
    /// the values, and the presence of a checksum stay. The change applies to all arrays in the block.
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
            store.put(number, PendingBlock { bytes, checksum: has_checksum(&former), slack: former.slack, owners })
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

/// Bytes to compress. They are read in pieces, or as a whole if the codec requires that.
fn to_compress(bytes: Arc<dyn Source>, compression: Option<Compression>) -> PendingBytes {
    let in_pieces = compression.as_ref().is_none_or(Compression::takes_pieces);
    PendingBytes::Raw(if in_pieces { bytes } else { Arc::new(AtOnce(bytes)) }, compression)
}

/// A source that hides the origin of its bytes, so that all bytes are read at once.
struct AtOnce(Arc<dyn Source>);

impl Source for AtOnce {
    fn len(&self) -> u64 {
        self.0.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        self.0.read_at(offset, buffer)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for AtOnce {
    fn opened_file(&self) -> Option<Arc<std::fs::File>> {
        self.0.opened_file()
    }
}

impl Resizing {
    fn new(array: &Array, index: i64, shape: &[i64], fill: Option<&[u8]>) -> Result<Resizing> {
        let node = array.node()?.clone();
        let file = node.file();
        let bytes = array.resized(shape, fill).map_err(|error| node.locate(error))?;
        let datatype = array.datatype().clone();
        let former = file.copy_of_block(index)?;
        let codec = match &former.bytes {
            PendingBytes::Raw(_, compression) => compression.clone(),
            PendingBytes::Copied { .. } => match former.codec()? {
                None => None,
                Some(AnyCodec::BuiltIn(codec)) => Some(Compression::new(codec, None)?),
                Some(AnyCodec::Custom(codec)) => Some(Compression::custom(codec)),
            },
        };
        let item_size = datatype.item_size()? as usize;
        let compression = codec.map(|compression| compression.of_items(item_size));
        let block = PendingBlock {
            bytes: to_compress(Arc::new(bytes), compression),
            checksum: has_checksum(&former),
            slack: former.slack,
            owners: Vec::new(),
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

/// Returns whether a block has, or will have, a checksum; `None` if the write options decide.
fn has_checksum(block: &PendingBlock) -> Option<bool> {
    match &block.bytes {
        PendingBytes::Copied { header, .. } if !header.is_streamed() => Some(header.checksum != [0; 16]),
        _ => block.checksum,
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

/// Makes an array node describe new elements, which are packed in these orders in the block `source`. The tag and all
/// other keys stay unchanged in the text.
pub(super) fn redescribe(
    tree: &mut Tree,
    node: NodeId,
    source: i64,
    (datatype, orders, shape): (&Datatype, (&Order, ByteOrder), &[i64]),
    limits: &Limits,
) -> Result<()> {
    let mut part = Tree::new();
    let described = part.place(part.root(), "array")?;
    array::describe_stored(&mut part, described, source, datatype, orders, shape)?;
    let former = Descriptor::parse(tree, node, limits).ok();
    let former = former.filter(|former| !matches!(former.source, ArraySource::Inline(_)));
    for key in ["source", "datatype", "byteorder", "shape", "strides", "offset", "data"] {
        let stays = former.as_ref().is_some_and(|former| match key {
            "source" => former.source == ArraySource::Block(source),
            "datatype" => former.datatype.as_ref() == Some(datatype),
            "byteorder" => former.byteorder == orders.1,
            "shape" => former
                .shape
                .as_ref()
                .is_some_and(|known| matches!(known, DeclaredShape::Fixed(known) if known == shape)),
            _ => false,
        });
        if stays {
            continue;
        }
        let value = tree.find_token(node, key);
        let is_own = value.is_some_and(|value| tree.parent(value) == Some(node));
        match (part.find_token(described, key), value) {
            (Some(new), _) => {
                let place = tree.place(node, key)?;
                tree.copy_from(place, &part, new)?;
            }
            (None, Some(value)) if is_own => tree.remove(value)?,
            // A merged value cannot be removed here. Null has the same meaning as no value.
            (None, Some(_)) => drop(tree.append_pair(node, key, Content::Scalar("null", Style::Plain))),
            (None, None) => {}
        }
    }
    Ok(())
}
