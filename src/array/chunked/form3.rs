//! Metadata in the form 3 of zarr: the document `zarr.json`.

use super::dtype::dtype_of;
use super::metadata::{ChunkKeys, ChunkMetadata, MetadataParser};
use crate::array::element::datatype::{ByteOrder, Datatype, parse_size};
use crate::array::element::scalar_type::ScalarType;
use crate::codec::numcodecs::Pipeline;
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::tree::{Kind, NodeId, Tree};

/// Elements and bytes as the codecs of an array describe them.
struct Codecs {
    order: Vec<usize>,
    byteorder: ByteOrder,
    pipeline: Result<Pipeline>,
}

impl ChunkMetadata {
    /// Reads metadata of the form 3 at a node. Fails like [`ChunkMetadata::parse_form2`].
    pub(crate) fn parse_form3(tree: &Tree, node: NodeId, limits: &Limits) -> Result<ChunkMetadata> {
        let node = tree.resolve(node)?;
        MetadataParser { tree, node, limits }.form3()
    }
}

impl MetadataParser<'_> {
    fn form3(&self) -> Result<ChunkMetadata> {
        let node = self.node;
        if self.tree.kind(node) != Kind::Mapping {
            return Err(self.bad(node, "the metadata of a chunked array must be a mapping"));
        }
        let expect = |key: &str, wanted: &str| {
            let value = self.need(node, key)?;
            if self.text(value, key)? == wanted {
                return Ok(());
            }
            Err(self.bad(value, format!("'{key}' must be '{wanted}'")))
        };
        expect("zarr_format", "3")?;
        expect("node_type", "array")?;
        let chunk_grid = self.need(node, "chunk_grid")?;
        let (name, configuration) = self.named(chunk_grid)?;
        if name != "regular" {
            return Err(self.unsupported(chunk_grid, "chunk grid", name));
        }
        let grid = self.grid(self.need(node, "shape")?, self.need(configuration, "chunk_shape")?)?;
        let datatype = self.datatype3(self.need(node, "data_type")?)?;
        let item_size = usize::try_from(datatype.item_size()?).unwrap_or(usize::MAX);
        let codecs = self.codecs(self.need(node, "codecs")?, grid.shape().len(), item_size)?;
        let fill = self.fill(self.need(node, "fill_value")?, &datatype, codecs.byteorder)?;
        let keys = match self.value(node, "chunk_key_encoding")? {
            None => ChunkKeys { prefix: "c", separator: Some("/") },
            Some(encoding) => self.keys(encoding)?,
        };
        let Codecs { order, byteorder, pipeline } = codecs;
        Ok(ChunkMetadata { grid, datatype, byteorder, order, fill, pipeline, keys })
    }

    fn unsupported(&self, node: NodeId, what: &str, name: &str) -> Error {
        self.tree.locate(Error::new(Status::Unsupported, format!("the {what} '{name}' of zarr is not supported")), node)
    }

    /// Returns the name of an extension of zarr, and the node with its configuration.
    fn named(&self, node: NodeId) -> Result<(&str, NodeId)> {
        if self.tree.kind(node) == Kind::Scalar {
            return Ok((self.tree.text(node), node));
        }
        let name = self.text(self.need(node, "name")?, "name")?;
        Ok((name, self.present(node, "configuration")?.unwrap_or(node)))
    }

    fn datatype3(&self, node: NodeId) -> Result<Datatype> {
        let (name, configuration) = self.named(node)?;
        let bytes = || {
            let length = self.need(configuration, "length_bytes")?;
            parse_size(self.tree, length, "'length_bytes'", Status::BadDatatype).map(i64::unsigned_abs)
        };
        let datatype = match name {
            "bool" => Some(ScalarType::Bool8.into()),
            "null_terminated_bytes" => Some(Datatype::Ascii(bytes()?)),
            "fixed_length_utf32" => Some(Datatype::Ucs4(bytes()? / 4)),
            "numpy.datetime64" | "numpy.timedelta64" => Some(ScalarType::Int64.into()),
            _ => match name.strip_prefix('r').and_then(|bits| bits.parse::<u64>().ok()) {
                Some(bits) if bits % 8 == 0 => Some(dtype_of(&format!("|V{}", bits / 8))?.0),
                _ => ScalarType::from_name(name).filter(|scalar| *scalar != ScalarType::Bool8).map(Datatype::from),
            },
        };
        let message = || format!("the datatype '{name}' of zarr is not supported");
        datatype.ok_or_else(|| self.tree.locate(Error::new(Status::BadDatatype, message()), node))
    }

    fn keys(&self, node: NodeId) -> Result<ChunkKeys> {
        let (name, configuration) = self.named(node)?;
        let (prefix, usual) = match name {
            "default" => ("c", "/"),
            "v2" => ("", "."),
            _ => return Err(self.unsupported(node, "chunk key encoding", name)),
        };
        let separator = match self.value(configuration, "separator")? {
            None => usual,
            Some(separator) => match self.text(separator, "separator")? {
                "/" => "/",
                "." => ".",
                _ => return Err(self.bad(separator, "'separator' must be '.' or '/'")),
            },
        };
        Ok(ChunkKeys { prefix, separator: Some(separator) })
    }

    fn codecs(&self, node: NodeId, rank: usize, item_size: usize) -> Result<Codecs> {
        let mut codecs =
            Codecs { order: (0..rank).collect(), byteorder: ByteOrder::Little, pipeline: Ok(Pipeline::default()) };
        let mut stages = Vec::new();
        for &codec in self.list(node, "codecs")? {
            let codec = self.tree.resolve(codec)?;
            let (name, configuration) = self.named(codec)?;
            match name {
                "transpose" => {
                    let order = self.extents(self.need(configuration, "order")?, "order")?;
                    codecs.order = self.transposed(codec, &codecs.order, &order)?;
                }
                "bytes" => {
                    codecs.byteorder = match self.present(configuration, "endian")? {
                        Some(endian) => ByteOrder::parse(self.tree, endian, Status::BadArray)?,
                        None => ByteOrder::Little,
                    };
                }
                _ => match self.stage_of(name.strip_prefix("numcodecs.").unwrap_or(name), configuration, item_size) {
                    Ok(stage) => stages.push(stage),
                    Err(error) => codecs.pipeline = codecs.pipeline.and(Err(self.tree.locate(error, codec))),
                },
            }
        }
        codecs.pipeline = codecs.pipeline.and_then(|_| Pipeline::new(stages));
        Ok(codecs)
    }

    /// Returns the dimensions in the order of a transposition.
    fn transposed(&self, codec: NodeId, from: &[usize], order: &[i64]) -> Result<Vec<usize>> {
        let moved: Vec<usize> =
            order.iter().filter_map(|&axis| from.get(usize::try_from(axis).ok()?).copied()).collect();
        let mut sorted = moved.clone();
        sorted.sort_unstable();
        if sorted.iter().copied().eq(0..from.len()) && order.len() == from.len() {
            return Ok(moved);
        }
        Err(self.bad(codec, "'order' must name each dimension once"))
    }
}
