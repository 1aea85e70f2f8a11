//! Describes a file whose tree is supplemented by a description in the file.

use super::array::storage_of;
use super::{values, walk};
use crate::error::{Error, Result, Status};
use crate::file::{File, Node};
use crate::ndl::asdf::shared::choice::Choice;
use crate::ndl::asdf::shared::datatype::is_in_tree;
use crate::ndl::asdf::shared::names::Spellings;
use crate::ndl::asdf::shared::options::{Described, Note};
use crate::ndl::asdf::shared::{mask, tree_value};
use crate::ndl::{Attribute, Content, Datatype, DatatypeKind, Description, Dimension, Storage, Value};
use crate::reserve::{collected, push};
use std::cell::RefCell;

/// Combines the description of the tree with `side`, the description in the file.
pub(super) fn complete(file: &File, side: Description, choice: &Choice) -> Result<Described> {
    let spellings = Spellings::new(&side)?;
    let mut out = walk(file, &side, &spellings, choice)?;
    let root = file.root()?;
    let Described { description, notes } = &mut out;
    for (path, group) in side.groups.iter() {
        let Some(described) = description.groups.get_mut(path) else { continue };
        described.attributes.append(group.attributes.copied(Attribute::copied)?)?;
        described.extensions.append(group.extensions.copied(Content::copied)?)?;
    }
    let mut finder = Finder { root: &root, side: &side, spellings: &spellings, choice, notes };
    for (path, dimcoord) in side.dimcoords.iter() {
        let shape = [Dimension { extent: dimcoord.size, ..Dimension::default() }];
        let declared = Declared { path, shape: &shape, datatype: dimcoord.datatype.as_ref(), is_coordinate: true };
        let found = finder.found(&declared, description)?;
        let mut dimcoord = dimcoord.with_value(found.value)?;
        found.layout.complete(&mut dimcoord.storage);
        let storage = &mut dimcoord.storage;
        if let Some(stored) = found.shape.filter(|stored| storage.size.is_some() || is_other(stored, &shape)) {
            storage.size = stored.first().copied();
        }
        description.dimcoords.add(path, dimcoord)?;
    }
    for (path, ndarray) in side.ndarrays.iter() {
        let shape = ndarray.shape.as_deref().unwrap_or_default();
        let declared = Declared { path, shape, datatype: ndarray.datatype.as_ref(), is_coordinate: false };
        let found = finder.found(&declared, description)?;
        let mut ndarray = ndarray.with_value(found.value)?;
        found.layout.complete(&mut ndarray.storage);
        let storage = &mut ndarray.storage;
        if let Some(stored) = found.shape.filter(|stored| storage.shape.is_some() || is_other(stored, shape)) {
            storage.shape = Some(stored);
        }
        description.ndarrays.add(path, ndarray)?;
    }
    description.extensions.append(side.extensions.copied(Content::copied)?)?;
    description.flat = description.groups.len() == 1;
    Ok(out)
}

/// Returns true if the stored shape must be given, because it differs from the declared one. An unlimited dimension
/// counts as declared with 0 elements.
fn is_other(stored: &[u64], shape: &[Dimension]) -> bool {
    let declared = shape.iter().map(|dimension| dimension.extent.fixed().unwrap_or(0));
    !stored.iter().copied().eq(declared)
}

/// An array or a dimension coordinate that the description in the file declares.
struct Declared<'a> {
    path: &'a str,
    shape: &'a [Dimension],
    datatype: Option<&'a Datatype>,
    is_coordinate: bool,
}

/// Content of the file for a declared array.
#[derive(Default)]
struct Found {
    /// Number of elements along each declared dimension.
    shape: Option<Vec<u64>>,
    layout: Layout,
    value: Option<Value>,
}

/// Byte order and filters of the block.
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

struct Finder<'a> {
    root: &'a Node,
    side: &'a Description,
    spellings: &'a Spellings,
    choice: &'a Choice<'a>,
    notes: &'a mut Vec<Note>,
}

impl Finder<'_> {
    /// Looks up a declared array in the file. Notes content that differs from the declaration. `described` is the
    /// description of the tree.
    fn found(&mut self, declared: &Declared, described: &Description) -> Result<Found> {
        let found = match mask::node_of(self.root, declared.path) {
            Ok(node) => self.at(&node, declared, described),
            Err(error) if error.is_of_machine() => Err(error),
            Err(_) => Err(unlike("the description in the file declares this array, but the tree has no such node")),
        };
        found.or_else(|error| {
            if error.is_of_machine() {
                return Err(error);
            }
            push(self.notes, Note { path: declared.path.to_owned(), message: error.message().to_owned() })?;
            Ok(Found::default())
        })
    }

    fn at(&self, node: &Node, declared: &Declared, described: &Description) -> Result<Found> {
        let rank = declared.shape.len();
        let Some(datatype) = declared.datatype else { return Ok(Found::default()) };
        // A single text is stored as an array if the description in the file asks for it.
        let is_text_in_array = matches!(datatype.kind(), DatatypeKind::String) && node.is_array("")?;
        if is_in_tree(datatype, rank) && !is_text_in_array {
            let extents = collected(declared.shape.iter().map(|dimension| Ok(dimension.extent.fixed())))?;
            let shape = tree_value::shape_of(node, &extents)?;
            check_shape(&shape, declared)?;
            let reader = tree_value::Reader {
                choice: self.choice,
                descriptions: [self.side, described],
                spellings: self.spellings,
                constants: RefCell::default(),
            };
            let has_value = self.choice.includes_values(declared.path, declared.is_coordinate, true);
            let value = has_value.then(|| reader.read(node, shape.clone(), datatype)).transpose()?;
            return Ok(Found { shape: Some(shape), layout: Layout::default(), value });
        }
        if !node.is_array("")? {
            return Err(unlike(
                "the description in the file declares an array, but this node of the tree is not an array",
            ));
        }
        let array = self.choice.array(node)?;
        // The dimensions of the datatype follow those of the array.
        let shape: Vec<u64> = array.shape().iter().take(rank).map(|extent| extent.unsigned_abs()).collect();
        check_shape(&shape, declared)?;
        let layout = Layout(storage_of(node, &array, &mut Vec::new())?);
        let has_value = self.choice.includes_values(declared.path, declared.is_coordinate, array.is_inline());
        let value = has_value.then(|| values::read_as(&array, datatype, shape.clone(), self.choice)).transpose()?;
        Ok(Found { shape: Some(shape), layout, value })
    }
}

/// Fails if the shape in the file has another rank than the declared shape, or is larger along a fixed dimension.
fn check_shape(shape: &[u64], declared: &Declared) -> Result<()> {
    let extents = declared.shape.iter().map(|dimension| dimension.extent.fixed());
    if shape.len() != declared.shape.len()
        || shape.iter().zip(extents).any(|(&stored, extent)| extent.is_some_and(|extent| stored > extent))
    {
        return Err(unlike(
            "the shape of the array in the tree does not match the shape that the description in the file declares",
        ));
    }
    Ok(())
}

fn unlike(message: &str) -> Error {
    Error::new(Status::BadArray, message)
}
