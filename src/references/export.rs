//! References to the arrays of one or several files.

use super::arrays::{FoundArray, arrays_below};
use super::describe::describe;
use super::join::{add_part, count, joined};
use super::options::ReferenceOptions;
use super::url::ReferencedFile;
use super::variable::{Part, PartBytes, Variable};
use crate::reserve;

use crate::error::{Error, Result, Status};
use crate::file::File;
use crate::progress;
use crate::report::{Entry, Kind, Report, Severity};
use std::collections::BTreeMap;
use std::sync::Arc;

/// References that are made of one file after another.
#[derive(Debug)]
pub struct References {
    options: ReferenceOptions,
    files: Vec<ReferencedFile>,
    /// Number of files that were added; `files` also has those of external arrays.
    added: usize,
    variables: Vec<Variable>,
    /// Places of the variables by path.
    places: BTreeMap<String, usize>,
    entries: Vec<Entry>,
    name: Arc<str>,
}

/// Finished references.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Exported {
    /// The files that the references point to.
    pub files: Vec<ReferencedFile>,
    /// The arrays.
    pub arrays: Vec<ExportedArray>,
    /// Arrays that are left out, and properties that zarr cannot express.
    /// The same is part of the JSON.
    pub report: Report,
}

/// An array of references.
#[derive(Clone, Debug)]
pub struct ExportedArray {
    pub(super) variable: Variable,
    pub(super) shape: Vec<i64>,
    pub(super) chunk: Vec<i64>,
    pub(super) dimensions: Vec<String>,
    counts: Vec<i64>,
    /// Dimension along which the parts follow one another.
    axis: Option<usize>,
    /// True if each part is one index of this dimension.
    is_new: bool,
}

/// Place of the bytes of a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// Bytes of a file.
    Bytes {
        /// URL of the file.
        url: &'a str,
        /// Offset of the first byte.
        offset: u64,
        /// Number of bytes.
        length: u64,
    },
    /// The bytes of the chunk itself.
    Inline(&'a [u8]),
}

impl References {
    /// Begins with no file.
    pub fn new(options: &ReferenceOptions) -> References {
        References {
            options: options.clone(),
            files: Vec::new(),
            added: 0,
            variables: Vec::new(),
            places: BTreeMap::new(),
            entries: Vec::new(),
            name: Arc::from(""),
        }
    }

    /// Adds the arrays of a file. Reads its tree, and of compressed blocks with several pieces the sizes of these.
    ///
    /// Arrays that zarr cannot express, or that do not fit those of the files before, are left out and noted in the
    /// report. Fails like reading the tree, with [`Status::NotFound`] if the node of the root group does not exist, and
    /// with [`Status::Unsupported`] if the file has no name and the options no URL.
    pub fn add(&mut self, file: &File) -> Result<()> {
        self.name = Arc::from(file.name().unwrap_or_default());
        let described = ReferencedFile::of(file, &self.options.url, self.added > 0)?;
        if self.files.iter().any(|other| other.url == described.url) {
            let message = format!("the file '{}' was added before", described.url);
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let size = match described.size {
            Some(size) => size,
            None => file.source_size()?.unwrap_or(0),
        };
        self.files.push(ReferencedFile { size: Some(size).filter(|&size| size > 0), ..described.clone() });
        for found in arrays_below(&file.root()?, &self.options.root)? {
            progress::check()?;
            if self.added > 0 && self.is_same_in_all(&found.path) {
                continue;
            }
            if let Err(error) = self.add_array(&found, &described, size) {
                if error.is_of_machine() {
                    return Err(error);
                }
                self.leave_out(&found.path, error.message())?;
            }
        }
        self.added += 1;
        let missing: Vec<String> =
            self.variables.iter().filter(|of| self.is_incomplete(of)).map(|of| of.path.clone()).collect();
        for path in missing {
            if self.places.contains_key(&path) {
                self.leave_out(&path, "this file does not have it")?;
            }
        }
        Ok(())
    }

    fn is_same_in_all(&self, path: &str) -> bool {
        let path = path.trim_start_matches('/');
        self.options.same.iter().any(|same| same.trim_start_matches('/') == path)
    }

    fn is_incomplete(&self, variable: &Variable) -> bool {
        variable.parts.len() < self.added && !self.is_same_in_all(&variable.path)
    }

    fn add_array(&mut self, found: &FoundArray, file: &ReferencedFile, size: u64) -> Result<()> {
        let is_first = self.added == 0;
        let place = self.places.get(&found.path).copied();
        if !is_first && place.is_none() {
            // It was left out before, or the first file does not have it.
            return match self.variables.iter().any(|other| other.path == found.path) {
                true => Ok(()),
                false => Err(super::stored::inexpressible("the first file does not have it")),
            };
        }
        let described = describe(found, file, size, &self.options)?;
        if let Some(external) = described.external
            && !self.files.contains(&external)
        {
            self.files.push(external);
        }
        match place.and_then(|place| self.variables.get_mut(place)) {
            Some(variable) => add_part(variable, described.variable, &self.options.join)?,
            None => {
                self.places.insert(found.path.clone(), self.variables.len());
                reserve::push(&mut self.variables, described.variable)?;
            }
        }
        if let Some(note) = described.note {
            self.note(&found.path, &note)?;
        }
        Ok(())
    }

    fn leave_out(&mut self, path: &str, reason: &str) -> Result<()> {
        self.places.remove(path);
        if !self.variables.iter().any(|variable| variable.path == path) {
            // Later files have the same array: one entry is enough.
            reserve::push(&mut self.variables, Variable::left_out(path))?;
        }
        self.note(path, &format!("the array is left out: {reason}"))
    }

    fn note(&mut self, path: &str, message: &str) -> Result<()> {
        let text = if path.is_empty() { message.to_owned() } else { format!("{path}: {message}") };
        let entry = Entry::new(Kind::Note, Severity::Warning, text, message.to_owned());
        reserve::push(&mut self.entries, Entry { path: Some(path.to_owned()), ..entry }.in_file(&self.name))
    }

    /// Returns the references.
    ///
    /// Fails with [`Status::InvalidArgument`] if no file was added.
    pub fn finish(mut self) -> Result<Exported> {
        if self.added == 0 {
            return Err(Error::new(Status::InvalidArgument, "references need at least one file"));
        }
        let mut arrays = Vec::new();
        let mut extents = BTreeMap::new();
        for (place, variable) in std::mem::take(&mut self.variables).into_iter().enumerate() {
            if self.places.get(&variable.path) != Some(&place) {
                continue;
            }
            let path = variable.path.clone();
            let is_joined = self.added > 1 && !self.is_same_in_all(&path);
            match joined(variable, &self.options.join, is_joined, self.options.slab_bytes) {
                Ok(mut array) => {
                    if !array.takes_dimensions(&mut extents) {
                        self.note(
                            &path,
                            "its dimensions have names of their own: others of these names are of other length",
                        )?;
                    }
                    reserve::push(&mut arrays, array)?;
                }
                Err(error) => self.note(&path, &format!("the array is left out: {}", error.message()))?,
            }
        }
        Ok(Exported { files: self.files, arrays, report: Report::new(self.entries, 0) })
    }
}

impl ExportedArray {
    pub(super) fn new(
        variable: Variable,
        chunk: Vec<i64>,
        shape: Vec<i64>,
        counts: Vec<i64>,
        axis: Option<usize>,
    ) -> ExportedArray {
        let dimensions = variable.dimensions.clone();
        ExportedArray { variable, shape, chunk, dimensions, counts, axis, is_new: false }
    }

    /// Makes a dimension with one index for each part.
    pub(super) fn insert_axis(&mut self, axis: usize, name: &str) {
        let parts = self.variable.parts.len() as i64;
        self.shape.insert(axis, parts);
        self.chunk.insert(axis, 1);
        self.counts.insert(axis, parts);
        let name = if self.dimensions.iter().any(|other| other == name) { format!("{name}_") } else { name.to_owned() };
        self.dimensions.insert(axis, name);
        (self.axis, self.is_new) = (Some(axis), true);
    }

    /// Notes the lengths of the dimensions in the group. Gives them names of their own and returns false if the group has
    /// one of them with another length.
    fn takes_dimensions(&mut self, extents: &mut BTreeMap<(Vec<String>, String), i64>) -> bool {
        let mut group = self.variable.names.clone();
        group.pop();
        let key = |name: &String| (group.clone(), name.clone());
        let fits = |(name, extent): (&String, &i64)| extents.get(&key(name)).is_none_or(|known| known == extent);
        let is_fit = self.dimensions.iter().zip(&self.shape).all(fits);
        if !is_fit {
            let name = self.variable.name();
            self.dimensions = (0..self.shape.len()).map(|axis| format!("{name}_dim_{axis}")).collect();
        }
        extents.extend(self.dimensions.iter().zip(&self.shape).map(|(name, &extent)| (key(name), extent)));
        is_fit
    }

    /// The name of the array in the references, with those of its groups before it: `group/array`.
    pub fn key(&self) -> String {
        self.variable.key()
    }

    /// The number of chunks along each dimension.
    pub fn chunk_counts(&self) -> &[i64] {
        &self.counts
    }

    /// The number of chunks.
    pub fn len(&self) -> u64 {
        self.counts.iter().fold(1, |product, &count| product.saturating_mul(count.unsigned_abs()))
    }

    /// Returns true if the array has no chunks.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the decoded bytes of a chunk.
    pub(super) fn chunk_bytes(&self) -> u64 {
        let item = self.variable.item_size;
        self.chunk.iter().fold(item, |product, &extent| product.saturating_mul(extent.unsigned_abs()))
    }

    /// Returns the bytes of the chunk at these indices of the grid; `None` if no file stores it.
    pub fn reference(&self, index: &[i64]) -> Option<Reference<'_>> {
        let mut index = index.to_vec();
        let mut chunk = self.chunk.clone();
        let part = match self.axis {
            Some(axis) if self.is_new => {
                chunk.remove(axis);
                let part = index.remove(axis);
                self.variable.parts.get(usize::try_from(part).ok()?)?
            }
            Some(axis) => self.variable.parts.iter().find(|part| {
                let chunks = count(part.shape[axis], chunk[axis]);
                let is_within = index[axis] < chunks;
                index[axis] -= if is_within { 0 } else { chunks };
                is_within
            })?,
            None => self.variable.parts.first()?,
        };
        self.reference_in(part, &chunk, &index)
    }

    fn reference_in<'a>(&self, part: &'a Part, chunk: &[i64], index: &[i64]) -> Option<Reference<'a>> {
        match &part.bytes {
            PartBytes::Plain(plain) => {
                let steps = index.iter().zip(chunk).zip(&plain.strides);
                let step =
                    |((&index, &chunk), &stride): ((&i64, &i64), &i64)| index.wrapping_mul(chunk).wrapping_mul(stride);
                let offset = plain.offset.wrapping_add_signed(steps.map(step).fold(0, i64::wrapping_add));
                Some(Reference::Bytes { url: &plain.url, offset, length: self.chunk_bytes() })
            }
            PartBytes::Chunked { url, places, .. } => {
                let counts = part.shape.iter().zip(chunk).map(|(&extent, &chunk)| count(extent, chunk));
                let number = index.iter().zip(counts).fold(0, |number, (&index, count)| number * count + index);
                let [offset, length] = (*places.get(usize::try_from(number).ok()?)?)?;
                Some(Reference::Bytes { url, offset, length })
            }
            PartBytes::Inline(bytes) => Some(Reference::Inline(bytes)),
        }
    }
}

impl Variable {
    /// Returns the mark of an array that is left out.
    fn left_out(path: &str) -> Variable {
        Variable {
            path: path.to_owned(),
            names: Vec::new(),
            dtype: String::new(),
            fill: None,
            filters: Vec::new(),
            order: Vec::new(),
            dimensions: Vec::new(),
            unit: None,
            item_size: 1,
            parts: Vec::new(),
        }
    }
}
