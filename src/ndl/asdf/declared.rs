//! Describing a file that holds a description of what its tree cannot tell.

use super::array::{ArrayParts, reads_values};
use super::describe::{DescribeOptions, Described, Note, Values, is_of_content, walk};
use super::{pointer, values};
use crate::error::Result;
use crate::file::{File, Node};
use crate::ndl::{Datatype, Description, DimCoord, Dimension, Ndarray, Size, Storage, Value};

/// What the tree tells, completed by `side`.
pub(super) fn complete(file: &File, side: Description, options: &DescribeOptions) -> Result<Described> {
    let mut out = walk(file, &side, options)?;
    let root = file.root()?;
    let Described { description, notes } = &mut out;
    for (path, group) in side.groups.iter() {
        let Some(told) = description.groups.get_mut(path) else { continue };
        for (name, attribute) in group.attributes.iter() {
            told.attributes.insert(name, attribute.clone());
        }
        for (key, content) in group.extensions.iter() {
            told.extensions.insert(key, content.clone());
        }
    }
    for (path, dimcoord) in side.dimcoords.iter() {
        let shape = [Dimension { extent: dimcoord.size, ..Dimension::default() }];
        let found = found(&root, path, &shape, dimcoord.datatype.as_ref(), options, notes)?;
        let mut dimcoord = DimCoord { value: found.value, ..dimcoord.clone() };
        found.layout.complete(&mut dimcoord.storage);
        let stored = found.shape.and_then(|shape| shape.first().copied());
        if let (Size::Unlimited, Some(stored)) = (dimcoord.size, stored.filter(|&stored| stored > 0)) {
            dimcoord.storage.size = Some(stored);
        }
        description.dimcoords.insert(path, dimcoord);
    }
    for (path, ndarray) in side.ndarrays.iter() {
        let shape = ndarray.shape.clone().unwrap_or_default();
        let found = found(&root, path, &shape, ndarray.datatype.as_ref(), options, notes)?;
        let mut ndarray = Ndarray { value: found.value, ..ndarray.clone() };
        found.layout.complete(&mut ndarray.storage);
        let grows = shape.iter().any(|dimension| dimension.extent == Size::Unlimited);
        if let (true, Some(stored)) = (grows, found.shape) {
            let is_told = ndarray.storage.shape.is_some()
                || stored
                    .iter()
                    .zip(&shape)
                    .any(|(&stored, dimension)| dimension.extent == Size::Unlimited && stored > 0);
            ndarray.storage.shape = is_told.then_some(stored);
        }
        description.ndarrays.insert(path, ndarray);
    }
    for (key, content) in side.extensions.iter() {
        description.extensions.insert(key, content.clone());
    }
    description.flat = description.groups.len() == 1;
    Ok(out)
}

/// What the file has of something that is declared.
#[derive(Default)]
struct Found {
    /// Elements along each declared dimension.
    shape: Option<Vec<u64>>,
    layout: Layout,
    value: Option<Value>,
}

/// What only the block tells.
#[derive(Default)]
struct Layout(Storage);

impl Layout {
    fn complete(self, declared: &mut Storage) {
        declared.endian = self.0.endian.or(declared.endian);
        if declared.filter.is_none() {
            declared.filter = self.0.filter;
        }
    }
}

fn found(
    root: &Node,
    path: &str,
    shape: &[Dimension],
    datatype: Option<&Datatype>,
    options: &DescribeOptions,
    notes: &mut Vec<Note>,
) -> Result<Found> {
    let mut note = |message: &str| notes.push(Note { path: path.to_owned(), message: message.to_owned() });
    let Ok(node) = root.get(&pointer(path)) else {
        note("declared in the description of the file, but not in its tree");
        return Ok(Found::default());
    };
    match in_block(&node, shape.len(), datatype, options) {
        Ok(found) => Ok(found),
        Err(error) if is_of_content(&error) => {
            note(error.message());
            Ok(Found::default())
        }
        Err(error) => Err(error),
    }
}

fn in_block(node: &Node, rank: usize, datatype: Option<&Datatype>, options: &DescribeOptions) -> Result<Found> {
    if !node.is_array("")? {
        return Ok(Found::default());
    }
    let array = node.array("")?;
    let parts = ArrayParts::without_mask(node, &DescribeOptions { values: Values::None, ..options.clone() })?;
    // The dimensions that elements add follow those of the array.
    let shape: Vec<u64> = array.shape().iter().take(rank).map(|extent| extent.unsigned_abs()).collect();
    let value = match datatype {
        Some(datatype) if reads_values(&array, options) => Some(values::read_as(&array, datatype, shape.clone())?),
        _ => None,
    };
    Ok(Found { shape: Some(shape), layout: Layout(parts.ndarray.storage), value })
}
