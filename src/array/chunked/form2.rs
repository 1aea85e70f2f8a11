//! Metadata in the form 2 of zarr: the document `.zarray`.

use super::metadata::{ChunkKeys, ChunkMetadata, MetadataParser};
use crate::array::element::datatype::parse_size;
use crate::codec::Shuffle;
use crate::codec::numcodecs::{Delta, Number, Pipeline, Settings, Stage};
use crate::error::{Error, Result, Status};
use crate::limits::Limits;
use crate::tree::{Kind, NodeId, Tree};

impl ChunkMetadata {
    /// Reads metadata of the form 2 at a node.
    ///
    /// Fails with [`Status::BadArray`] or [`Status::BadDatatype`], located at the faulty node. An unknown codec is no
    /// error here, but for reading elements.
    pub(crate) fn parse_form2(tree: &Tree, node: NodeId, limits: &Limits) -> Result<ChunkMetadata> {
        let node = tree.resolve(node)?;
        MetadataParser { tree, node, limits }.form2()
    }
}

impl MetadataParser<'_> {
    fn form2(&self) -> Result<ChunkMetadata> {
        let node = self.node;
        if self.tree.kind(node) != Kind::Mapping {
            return Err(self.bad(node, "the metadata of a chunked array must be a mapping"));
        }
        let format = self.need(node, "zarr_format")?;
        if self.text(format, "zarr_format")? != "2" {
            return Err(self.bad(format, "'zarr_format' must be 2"));
        }
        let grid = self.grid(self.need(node, "shape")?, self.need(node, "chunks")?)?;
        let (datatype, byteorder) = self.dtype(self.need(node, "dtype")?)?;
        let rank = grid.shape().len();
        let order = match self.value(node, "order")? {
            None => (0..rank).collect(),
            Some(order) => match self.text(order, "order")? {
                "C" => (0..rank).collect(),
                "F" => (0..rank).rev().collect(),
                _ => return Err(self.bad(order, "'order' must be 'C' or 'F'")),
            },
        };
        let fill = match self.value(node, "fill_value")? {
            None => None,
            Some(value) => self.fill(value, &datatype, byteorder)?,
        };
        let separator = match self.present(node, "dimension_separator")? {
            None => None,
            Some(separator) => match self.text(separator, "dimension_separator")? {
                "." => Some("."),
                "/" => Some("/"),
                _ => return Err(self.bad(separator, "'dimension_separator' must be '.' or '/'")),
            },
        };
        let item_size = usize::try_from(datatype.item_size()?).unwrap_or(usize::MAX);
        let pipeline = self.pipeline2(item_size);
        Ok(ChunkMetadata {
            grid,
            datatype,
            byteorder,
            order,
            fill,
            pipeline,
            keys: ChunkKeys { prefix: "", separator },
        })
    }

    fn pipeline2(&self, item_size: usize) -> Result<Pipeline> {
        let mut stages = Vec::new();
        if let Some(filters) = self.present(self.node, "filters")? {
            for &filter in self.list(filters, "filters")? {
                stages.push(self.stage(self.tree.resolve(filter)?, item_size)?);
            }
        }
        if let Some(compressor) = self.present(self.node, "compressor")? {
            stages.push(self.stage(compressor, item_size)?);
        }
        Pipeline::new(stages).map_err(|error| self.tree.locate(error, self.node))
    }

    /// Reads a codec with its configuration in one mapping.
    fn stage(&self, node: NodeId, item_size: usize) -> Result<Stage> {
        let id = self.need(node, "id")?;
        let name = self.text(id, "id")?;
        self.stage_of(name, node, item_size).map_err(|error| self.tree.locate(error, node))
    }

    /// Returns the stage of a codec of numcodecs for elements of `item_size` bytes.
    pub(super) fn stage_of(&self, name: &str, configuration: NodeId, item_size: usize) -> Result<Stage> {
        match name {
            "shuffle" => {
                let size = match self.value(configuration, "elementsize")? {
                    Some(size) => parse_size(self.tree, size, "'elementsize'", Status::BadArray)?,
                    None => 4,
                };
                Ok(Stage::Shuffle(usize::try_from(size).unwrap_or(usize::MAX)))
            }
            "delta" => {
                let number = |key: &str| -> Result<Option<Number>> {
                    let Some(node) = self.present(configuration, key)? else { return Ok(None) };
                    let text = self.text(node, key)?;
                    let unsupported =
                        || Error::new(Status::Unsupported, format!("the filter 'delta' of '{text}' is not supported"));
                    Number::parse(text).ok_or_else(unsupported).map(Some)
                };
                let decoded = number("dtype")?;
                let decoded = decoded.ok_or_else(|| self.bad(configuration, "the filter 'delta' has no 'dtype'"))?;
                Ok(Stage::Delta(Delta::new(decoded, number("astype")?.unwrap_or(decoded))?))
            }
            _ => Stage::compressor(name, &self.settings(configuration, item_size)),
        }
    }

    /// Returns the settings of a compressor. Those that cannot be read do not matter for decoding.
    fn settings(&self, configuration: NodeId, item_size: usize) -> Settings<'_> {
        let text = |key: &str| {
            let value = self.present(configuration, key).ok().flatten()?;
            (self.tree.kind(value) == Kind::Scalar).then(|| self.tree.text(value))
        };
        let level = text("level").or_else(|| text("clevel"));
        let shuffle = match text("shuffle") {
            Some("0" | "noshuffle") => Some(Shuffle::None),
            Some("2" | "bitshuffle") => Some(Shuffle::Bit),
            // Numcodecs then shuffles bits of elements of one byte, and bytes of others.
            Some("-1") if item_size == 1 => Some(Shuffle::Bit),
            Some(_) => Some(Shuffle::Byte),
            None => None,
        };
        Settings { level: level.and_then(|level| level.parse().ok()), inner: text("cname"), shuffle, item_size }
    }
}
