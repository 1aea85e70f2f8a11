//! The metadata of a chunked array, whatever their form.

use crate::array::Payload;
use crate::array::element::datatype::{ByteOrder, Datatype, parse_size};
use crate::array::payload::chunks::{ChunkStore, Chunks};
use crate::array::payload::grid::Grid;
use crate::array::place::descriptor::{DeclaredShape, Descriptor};
use crate::array::place::geometry::{element_count, uncountable};
use crate::codec::numcodecs::Pipeline;
use crate::error::{Error, Result, Status};
use crate::limits::{Limit, Limits};
use crate::tree::{Key, Kind, NodeId, Tree};
use std::fmt::Write;
use std::sync::Arc;

/// The metadata of a chunked array.
#[derive(Clone, Debug)]
pub(crate) struct ChunkMetadata {
    pub(crate) grid: Grid,
    pub(crate) datatype: Datatype,
    pub(crate) byteorder: ByteOrder,
    /// The dimensions in the order in which a decoded chunk has them, slowest first.
    pub(crate) order: Vec<usize>,
    /// Bytes of an element that is not stored; `None` if it has no value.
    pub(crate) fill: Option<Vec<u8>>,
    /// Codecs, or the error about one that is unknown.
    pub(crate) pipeline: Result<Pipeline>,
    pub(crate) keys: ChunkKeys,
}

/// Names of the chunks in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChunkKeys {
    /// Text before the indices of a chunk.
    pub(crate) prefix: &'static str,
    /// Text between the indices; `None` for the default of the store.
    pub(crate) separator: Option<&'static str>,
}

impl ChunkKeys {
    /// Returns the name of a chunk. `usual` is the separator of the store.
    pub(crate) fn name(&self, index: &[i64], usual: &'static str) -> String {
        let separator = self.separator.unwrap_or(usual);
        let mut name = self.prefix.to_owned();
        for (axis, index) in index.iter().enumerate() {
            if axis > 0 || !self.prefix.is_empty() {
                name.push_str(separator);
            }
            // Writing to a string cannot fail.
            let _ = write!(name, "{index}");
        }
        if name.is_empty() { "0".to_owned() } else { name }
    }
}

impl ChunkMetadata {
    /// Returns the description of the array at a node.
    pub(crate) fn descriptor(&self, node: NodeId) -> Descriptor {
        Descriptor {
            shape: Some(DeclaredShape::Fixed(self.grid.shape().to_vec())),
            datatype: Some(self.datatype.clone()),
            byteorder: self.byteorder,
            ..Descriptor::of_chunks(node)
        }
    }

    /// Returns the payload with the chunks of a store. Fails with [`Status::Bounds`] if array or chunk have more than
    /// 2^63 - 1 bytes.
    pub(crate) fn payload(&self, store: Arc<dyn ChunkStore>) -> Result<Payload> {
        let item_size = i64::try_from(self.datatype.item_size()?).map_err(|_| uncountable())?;
        element_count(self.grid.shape())?.checked_mul(item_size).ok_or_else(uncountable)?;
        let (strides, size) = self.grid.chunk_strides(&self.order, item_size)?;
        Ok(Payload::Chunked(Arc::new(Chunks {
            grid: self.grid.clone(),
            item_size,
            strides,
            size,
            fill: self.fill.clone(),
            pipeline: self.pipeline.clone(),
            store,
        })))
    }
}

/// Reads the parts of metadata that both forms share.
pub(super) struct MetadataParser<'a> {
    pub(super) tree: &'a Tree,
    pub(super) node: NodeId,
    pub(super) limits: &'a Limits,
}

impl MetadataParser<'_> {
    pub(super) fn bad(&self, node: NodeId, message: impl Into<String>) -> Error {
        self.tree.locate(Error::new(Status::BadArray, message), node)
    }

    /// Returns the value of a key, with references followed; null counts as a value.
    pub(super) fn value(&self, mapping: NodeId, key: &str) -> Result<Option<NodeId>> {
        if self.tree.kind(mapping) != Kind::Mapping {
            return Ok(None);
        }
        self.tree.find(mapping, Key::String(key)).map(|value| self.tree.resolve(value)).transpose()
    }

    /// Like [`MetadataParser::value`], without null.
    pub(super) fn present(&self, mapping: NodeId, key: &str) -> Result<Option<NodeId>> {
        Ok(self.value(mapping, key)?.filter(|&value| !self.is_null(value)))
    }

    pub(super) fn need(&self, mapping: NodeId, key: &str) -> Result<NodeId> {
        let found = self.value(mapping, key)?;
        found.ok_or_else(|| self.bad(mapping, format!("the metadata of the chunked array have no '{key}'")))
    }

    pub(super) fn is_null(&self, node: NodeId) -> bool {
        self.tree.kind(node) == Kind::Scalar && self.tree.is_null(node).unwrap_or(false)
    }

    /// Returns the items of a list of at most as many items as an array may have dimensions.
    pub(super) fn list(&self, node: NodeId, what: &str) -> Result<&[NodeId]> {
        if self.tree.kind(node) != Kind::Sequence {
            return Err(self.bad(node, format!("'{what}' must be a list")));
        }
        let items = self.tree.items(node);
        let most = self.limits.rank.min(Limits::MAX_RANK);
        if items.len() > most as usize {
            return Err(self.tree.locate(Limit::Rank.exceeded("the dimensions of an array", most.into()), node));
        }
        Ok(items)
    }

    pub(super) fn extents(&self, node: NodeId, what: &str) -> Result<Vec<i64>> {
        let items = self.list(node, what)?;
        items.iter().map(|&item| parse_size(self.tree, item, "a dimension", Status::BadArray)).collect()
    }

    pub(super) fn grid(&self, shape: NodeId, chunk: NodeId) -> Result<Grid> {
        let extents = self.extents(shape, "shape")?;
        let chunks = self.extents(chunk, "chunks")?;
        Grid::new(&extents, &chunks).map_err(|error| self.tree.locate(error, chunk))
    }

    /// Returns the text of a scalar.
    pub(super) fn text(&self, node: NodeId, what: &str) -> Result<&str> {
        match self.tree.kind(node) {
            Kind::Scalar => Ok(self.tree.text(node)),
            _ => Err(self.bad(node, format!("'{what}' must be a text"))),
        }
    }
}
