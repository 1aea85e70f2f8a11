//! Arrays of a file: the node that describes an array owns it.

use crate::array::{Array, ArrayOwner, ArraySource, ChunkMap, Chunks, Payload};
use crate::codec::Label;
use crate::codec::numcodecs::{Pipeline, Stage};
use crate::error::{Error, Result, Status, Warning};
use crate::file::{File, Node};
use crate::fits::is_hdu_source;
use crate::source::Source;
use std::sync::Arc;

/// The node that describes an array.
#[derive(Debug)]
pub(super) struct ArrayNode {
    pub(super) node: Node,
    pub(super) source: ArraySource,
    /// True if inline elements contain null.
    pub(super) has_nulls: bool,
    pub(super) found: Found,
}

/// Way in which an array was found.
#[derive(Debug)]
pub(super) enum Found {
    /// As the value of this quantity.
    InQuantity(Node),
    /// At this place, which can be an alias or a reference.
    At(Node),
}

impl ArrayOwner for ArrayNode {
    fn check_open(&self) -> Result<()> {
        self.node.file().check_open()
    }

    fn locate(&self, error: Error) -> Error {
        self.node.locate(error)
    }

    fn warn(&self, warnings: &[Warning]) {
        let path = self.node.path().unwrap_or_default();
        self.node.file().warn(warnings.iter().map(|warning| warning.clone().at_path(path.clone())));
    }
}

impl Array {
    fn array_node(&self) -> Option<&ArrayNode> {
        self.owner()
    }

    /// Returns the node that describes the array.
    pub(crate) fn node(&self) -> Result<&Node> {
        let node = self.array_node().map(|array| &array.node);
        node.ok_or_else(|| Error::new(Status::Internal, "the array belongs to no file"))
    }

    /// Returns the file that contains the array.
    pub fn file(&self) -> Option<&File> {
        self.array_node().map(|array| array.node.file())
    }

    /// Returns the mapping that holds the array as its value or its data, such as a quantity or a column. For an array
    /// that was found through an alias or a reference, it is the mapping that holds this one.
    pub(crate) fn holder(&self) -> Result<Option<Node>> {
        let Some(array) = self.array_node() else { return Ok(None) };
        match &array.found {
            Found::InQuantity(quantity) => Ok(Some(quantity.clone())),
            Found::At(place) => place.holder(),
        }
    }

    /// Returns true if the elements of an inline array contain null, with or without a mask.
    pub(crate) fn has_null_elements(&self) -> bool {
        self.array_node().is_some_and(|array| array.has_nulls)
    }

    /// Returns the location of the elements as the tree declares it.
    pub fn source(&self) -> Option<&ArraySource> {
        self.array_node().map(|array| &array.source)
    }

    /// Returns whether the elements are in the tree.
    pub fn is_inline(&self) -> bool {
        matches!(self.source(), Some(ArraySource::Inline(_)))
    }

    /// Returns the file that contains the elements. It differs from [`Array::file`] if the source of the array is a URI.
    pub fn data_file(&self) -> Result<File> {
        let file = self.node()?.file();
        match self.source() {
            // The FITS file holds the elements and the file.
            Some(ArraySource::Uri(reference)) if is_hdu_source(reference) && file.store()?.fits().is_some() => {
                Ok(file.clone())
            }
            Some(ArraySource::Uri(reference)) => file.external(reference).map_err(|error| self.locate(error)),
            Some(ArraySource::OtherFormat(uri)) => {
                let message = format!("the elements are in '{uri}', which is no ASDF file");
                Err(self.locate(Error::new(Status::Unsupported, message)))
            }
            _ => Ok(file.clone()),
        }
    }

    /// Returns the location of the elements in [`Array::data_file`]. Uncompressed elements are one chunk, from their
    /// first byte to their last. Elements of a codec without chunks are one chunk, too. Elements in the tree have no
    /// chunks.
    ///
    /// Fails with the errors of reading the codec's chunk index, with [`Status::Limit`] if the chunks need more memory
    /// than `limits.decoded_bytes`, and like [`Array::read`] for unavailable bytes. Fails with [`Status::Unsupported`]
    /// if that file was not written yet, was saved after the array was looked up, or is compressed as a whole.
    pub fn chunk_map(&self) -> Result<ChunkMap> {
        self.node()?.file().check_open()?;
        if self.is_inline() {
            return Ok(ChunkMap::default());
        }
        self.stored_chunks().map_err(|error| self.locate(error))
    }

    fn stored_chunks(&self) -> Result<ChunkMap> {
        let mut map = self.payload_chunks()?;
        if map.chunks.is_empty() {
            return Ok(map);
        }
        let first = match self.payload() {
            Payload::Chunked(chunks) if chunks.store.blocks()?.is_none() => {
                return Err(Error::new(Status::Unsupported, "the chunks are in files of their own"));
            }
            Payload::Chunked(chunks) => first_of(chunks)?,
            payload => Some(payload.clone()),
        };
        let Some((source, _)) = first.as_ref().and_then(Payload::place) else { return Ok(map) };
        let start = self.start_in_file(source)?;
        map.chunks.iter_mut().for_each(|chunk| chunk.offset += start);
        Ok(map)
    }

    /// Returns the number to add to offsets in the source of the payload, to get offsets in [`Array::data_file`].
    ///
    /// Fails with [`Status::Unsupported`] if that file was not written yet, was saved after the array was looked up, or
    /// is compressed as a whole.
    pub(crate) fn start_in_file(&self, source: &Arc<dyn Source>) -> Result<u64> {
        let file = self.data_file()?;
        if let Some(compression) = file.shared.origin.compression {
            let name = compression.name();
            let message = format!("the file is compressed with {name}, so its chunks have no place in it");
            return Err(Error::new(Status::Unsupported, message));
        }
        let store = file.store()?;
        if let (Some(fits), Some(ArraySource::Uri(_))) = (store.fits(), self.source()) {
            return fits.check_stored(self.payload()).map(|()| 0);
        }
        if !store.reads_from(source) {
            let message = "the array is not stored in the current file: it is not written yet, or the file was saved \
                           after the array was looked up";
            return Err(Error::new(Status::Unsupported, message));
        }
        Ok(store.start())
    }
}

impl Array {
    /// Returns the codecs of zarr of a chunked array, in the order of encoding; none if one of them is unknown.
    pub(crate) fn chunk_stages(&self) -> &[Stage] {
        match self.payload() {
            Payload::Chunked(chunks) => chunks.pipeline.as_ref().map_or(&[], Pipeline::stages),
            _ => &[],
        }
    }

    /// Returns the compression label of the first chunk that is stored in a block; `None` without such a chunk.
    pub(crate) fn chunk_label(&self) -> Result<Option<Label>> {
        let Payload::Chunked(chunks) = self.payload() else { return Ok(None) };
        if chunks.store.blocks()?.is_none() {
            return Ok(None);
        }
        Ok(first_of(chunks)?.map(|payload| match payload {
            Payload::Encoded { codec, .. } => codec.label(),
            _ => Label::NONE,
        }))
    }
}

/// Returns the bytes of the first chunk that is stored.
fn first_of(chunks: &Chunks) -> Result<Option<Payload>> {
    for number in 0..chunks.grid.len() {
        if let Some(stored) = chunks.store.chunk(&chunks.grid, number)? {
            return Ok(Some(stored.payload));
        }
    }
    Ok(None)
}
