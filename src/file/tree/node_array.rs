//! An array of a file, with its file and its node.
//!
//! Warnings of reading are added to the warnings of the file. Errors get the name of the file and the path of the
//! array.

use crate::array::{
    Array, ArraySource, ChunkMap, Datatype, Loaded, LoadedText, Payload, ReadOptions, Region, View, Window,
};
use crate::error::{Error, Result, Status, Warning};
use crate::file::{File, Node};
use std::ops::Deref;

/// An array in a file. It keeps the file alive. Shape, datatype and other properties come from the [`Array`] that it
/// dereferences to.
#[derive(Clone)]
pub struct NodeArray {
    array: Array,
    source: ArraySource,
    node: Node,
    /// True if inline elements contain null.
    has_nulls: bool,
}

impl NodeArray {
    pub(super) fn new(array: Array, source: ArraySource, node: Node, has_nulls: bool) -> NodeArray {
        let out = NodeArray { array, source, node, has_nulls };
        out.warn(out.array.warnings());
        out
    }

    /// Returns the node that describes the array.
    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// Adds file and place to an error.
    pub(crate) fn locate(&self, error: Error) -> Error {
        self.node.locate(error)
    }

    /// Returns the file that contains the array.
    pub fn file(&self) -> &File {
        self.node.file()
    }

    /// Returns true if the elements of an inline array contain null, with or without a mask.
    pub(crate) fn has_null_elements(&self) -> bool {
        self.has_nulls
    }

    /// Returns the location of the elements as the tree declares it.
    pub fn source(&self) -> &ArraySource {
        &self.source
    }

    /// Returns the file that contains the elements. It differs from [`NodeArray::file`] if the source of the array is a
    /// URI.
    pub fn data_file(&self) -> Result<File> {
        match &self.source {
            ArraySource::Uri(reference) => self.file().external(reference).map_err(|error| self.node.locate(error)),
            ArraySource::Block(_) | ArraySource::Inline(_) => Ok(self.file().clone()),
        }
    }

    /// Returns the location of the elements in [`NodeArray::data_file`], as [`Array::chunk_map`] does. Elements in the
    /// tree have no chunks.
    ///
    /// Fails with [`Status::Unsupported`] if that file was not written yet, was saved after the array was looked up, or is
    /// compressed as a whole.
    pub fn chunk_map(&self) -> Result<ChunkMap> {
        self.file().check_open()?;
        if matches!(self.source, ArraySource::Inline(_)) {
            return Ok(ChunkMap::default());
        }
        let map = self.array.chunk_map().map_err(|error| self.node.locate(error))?;
        let (Payload::Stored { source, .. } | Payload::Encoded { source, .. }) = self.array.payload() else {
            return Ok(map);
        };
        if map.chunks.is_empty() {
            return Ok(map);
        }
        let file = self.data_file()?;
        if let Some(compression) = file.inner.origin.compression {
            let name = compression.name();
            let message = format!("the file is compressed with {name}, so its chunks have no place in it");
            return Err(self.node.locate(Error::new(Status::Unsupported, message)));
        }
        if !file.store()?.reads_from(source) {
            let message = "the array is not stored in the current file: it is not written yet, or the file was saved \
                           after the array was looked up";
            let error = Error::new(Status::Unsupported, message);
            return Err(self.node.locate(error));
        }
        Ok(map)
    }

    /// Calls `read` with the array if the file is open. Warnings are added to the file; an error gets the place of the
    /// array.
    pub(super) fn checked<T>(&self, read: impl FnOnce(&Array) -> Result<(T, Vec<Warning>)>) -> Result<T> {
        self.file().check_open()?;
        let (out, warnings) = read(&self.array).map_err(|error| self.node.locate(error))?;
        self.warn(&warnings);
        Ok(out)
    }

    /// Reads all elements, as [`Array::read`] does.
    pub fn read(&self, target: &Datatype, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        self.checked(|array| Ok(((), array.read(target, out, options)?)))
    }

    /// Reads a region, as [`Array::read_region`] does.
    pub fn read_region(&self, region: &Region, target: &Datatype, out: &mut [u8], options: &ReadOptions) -> Result<()> {
        self.checked(|array| Ok(((), array.read_region(region, target, out, options)?)))
    }

    /// Reads rows from a window on the payload of the array, as [`Array::read_rows`] does.
    pub(crate) fn read_rows(
        &self,
        window: &Window,
        rows: [u64; 2],
        target: &Datatype,
        out: &mut [u8],
        options: &ReadOptions,
    ) -> Result<()> {
        let warnings = self.array.read_rows(window, rows, target, out, options);
        self.warn(&warnings.map_err(|error| self.node.locate(error))?);
        Ok(())
    }

    /// Reads a region, or all elements, and returns in `mask` which of them are missing, as [`Array::read_masked`]
    /// does.
    pub fn read_masked(
        &self,
        region: Option<&Region>,
        target: &Datatype,
        out: &mut [u8],
        mask: &mut [u8],
        options: &ReadOptions,
    ) -> Result<()> {
        self.checked(|array| Ok(((), array.read_masked(region, target, out, mask, options)?)))
    }

    /// Returns in `mask` which elements of a region, or of the whole array, are missing, as [`Array::read_mask`] does.
    pub fn read_mask(&self, region: Option<&Region>, mask: &mut [u8], options: &ReadOptions) -> Result<()> {
        self.checked(|array| Ok(((), array.read_mask(region, mask, options)?)))
    }

    /// Returns the size of the elements of a region in bytes, as [`Array::region_size`] does.
    pub fn region_size(&self, count: &[i64], target: &Datatype) -> Result<u64> {
        self.array.region_size(count, target).map_err(|error| self.node.locate(error))
    }

    /// Reads all elements into new memory, as [`Array::load`] does.
    pub fn load(&self, target: &Datatype, masked: bool, options: &ReadOptions) -> Result<Loaded> {
        self.checked(|array| array.load(target, masked, options))
    }

    /// Reads all strings into new memory, as [`Array::load_text`] does.
    pub fn load_text(&self, masked: bool, options: &ReadOptions) -> Result<LoadedText> {
        self.checked(|array| array.load_text(masked, options))
    }

    /// Reads the string at an index, as [`Array::read_string`] does.
    pub fn read_string(&self, index: &[i64], options: &ReadOptions) -> Result<String> {
        self.checked(|array| array.read_string(index, options))
    }

    /// Reads the string at an index, and returns in `mask` whether it is missing, as [`Array::read_string_masked`]
    /// does.
    pub fn read_string_masked(&self, index: &[i64], mask: &mut [u8], options: &ReadOptions) -> Result<String> {
        self.checked(|array| array.read_string_masked(index, mask, options))
    }

    /// Returns the array without its mask, as [`Array::without_mask`] does.
    pub fn without_mask(&self) -> NodeArray {
        self.with_array(self.array.without_mask())
    }

    /// Returns one field of all records, as [`Array::field`] does.
    pub fn field(&self, name: &str) -> Result<NodeArray> {
        let array = self.array.field(name).map_err(|error| self.node.locate(error))?;
        Ok(self.with_array(array))
    }

    fn with_array(&self, array: Array) -> NodeArray {
        NodeArray { array, source: self.source.clone(), node: self.node.clone(), has_nulls: self.has_nulls }
    }

    /// Asks the system to fetch data for a later read, as [`Array::prefetch`] does.
    pub fn prefetch(&self, region: Option<&Region>) -> Result<()> {
        self.file().check_open()?;
        self.array.prefetch(region).map_err(|error| self.node.locate(error))
    }

    /// Returns a view of the elements without a copy, as [`Array::view`] does.
    pub fn view(&self, target: &Datatype) -> Result<View> {
        self.file().check_open()?;
        self.array.view(target).map_err(|error| self.node.locate(error))
    }

    /// Returns a view of the elements as they are stored, as [`Array::view_stored`] does.
    pub fn view_stored(&self) -> Result<View> {
        self.file().check_open()?;
        self.array.view_stored().map_err(|error| self.node.locate(error))
    }

    /// Adds warnings about the elements to the file.
    pub(crate) fn warn(&self, warnings: &[Warning]) {
        // Finding the path takes longer than opening the array, and usually there is no warning.
        if !warnings.is_empty() {
            let path = self.node.path().unwrap_or_default();
            self.file().warn(warnings.iter().map(|warning| warning.clone().at_path(path.clone())));
        }
    }
}

impl Deref for NodeArray {
    type Target = Array;

    fn deref(&self) -> &Array {
        &self.array
    }
}
