//! Arrays from their nodes. Parts of a description can be in other places and in other files.
//!
//! The bytes of the elements are not read here.

use super::array::{ArrayNode, Found};
use super::node::{describe, wrong_type};
use crate::array::{Array, ArraySource, Descriptor, Mask, Payload};
use crate::error::{Error, Result, Status};
use crate::file::open::chunked::ChunkedNode;
use crate::file::{File, Node, is_chunked_tag};
use crate::fits::{HduTarget, is_hdu_source};
use crate::limits::Limits;
use crate::tags;
use crate::tree::edit::Content;
use crate::tree::{Integer, Key, Kind, NodeId, Scalar, Style, Tree, Walk};
use std::sync::Arc;

/// Keys of a description that can be copied from their places. A mask is not copied, because its blocks belong to its
/// file.
const COPIED: [&str; 7] = ["source", "data", "shape", "datatype", "byteorder", "offset", "strides"];
/// Maximum number of references that are followed for one description, if some lead into other files.
const MAX_REFERENCES: usize = 1 << 12;
/// Maximum number of nodes that references may add to one description.
const MAX_COPIED: usize = 1 << 20;

/// An array without its mask, with what the tree says about it.
pub(crate) struct OpenedArray {
    pub(crate) array: Array,
    pub(crate) descriptor: Descriptor,
    /// Node of the array.
    pub(crate) node: Node,
    /// Way in which the array was found.
    pub(super) found: Found,
}

impl Node {
    /// Returns the array at `path`: a `core/ndarray`, an untagged sequence of numbers, or one of these as the value of
    /// a quantity.
    ///
    /// Reads no blocks except those of the array and its mask.
    pub fn array(&self, path: &str) -> Result<Array> {
        let OpenedArray { array, descriptor, node, found } = self.open_array(path)?;
        let Descriptor { source, mask, .. } = descriptor;
        let has_nulls = array.has_nulls();
        let array = match mask {
            Some(mask) => array.masked_by(Node::new(node.file().clone(), mask).mask()),
            None => array,
        };
        let array = array.owned_by(Arc::new(ArrayNode { node, source, has_nulls, found }));
        array.warn(array.warnings());
        Ok(array)
    }

    /// Returns the mapping that holds this place as its value or its data, such as a quantity or a column.
    pub(crate) fn holder(&self) -> Result<Option<Node>> {
        self.at_place("", |tree, id| {
            let Some(parent) = tree.parent(id).filter(|&parent| tree.kind(parent) == Kind::Mapping) else {
                return Ok(None);
            };
            let holds = ["value", "data"].iter().any(|key| tree.find(parent, Key::String(key)) == Some(id));
            Ok(holds.then(|| self.file().node(parent)))
        })
    }

    /// Returns this node as a mask. If it cannot be read, the result holds the error, and the array can still be
    /// described.
    fn mask(&self) -> Mask {
        let mask = self.resolved().and_then(|node| {
            if node.is_array("")? {
                return Ok(Mask::array(node.open_array("")?.array));
            }
            let tree = node.file().tree()?;
            Mask::number(&tree, node.id()).map_err(|error| node.file().name_in(error))
        });
        mask.unwrap_or_else(Mask::unknown)
    }

    /// Returns the array at `path` without its mask.
    pub(crate) fn open_array(&self, path: &str) -> Result<OpenedArray> {
        // Description and blocks are those of one moment.
        let (place, id, here, store) = self.follow_locked(Walk::to_place(path), |file, state, place| {
            let (tree, store) = (state.tree(), state.store().clone());
            let id = tree.dealias(place);
            let place = Node::new(file.clone(), place);
            if tree.reference(id)?.is_some() {
                return Ok((place, id, None, store));
            }
            // The other tags are looked at only if it has not that of arrays, which most have.
            if !tree.is_tagged(id, tags::NDARRAY) {
                let tag = tree.tag(id);
                if tree.is_tagged(id, tags::QUANTITY) || tag.is_some_and(tags::is_measured) {
                    return Ok((place, id, None, store));
                }
                if tag.is_some_and(is_chunked_tag) {
                    return Ok((place, id, Some(Described::parse_chunked(file, tree, id)), store));
                }
                if tree.is_tagged(id, tags::EXTERNAL_ARRAY) {
                    return Ok((place, id, Some(Described::parse_other_format(tree, id, file.limits())), store));
                }
                if tree.kind(id) != Kind::Sequence || tag.is_some() {
                    return Err(tree.locate(wrong_type("an array", describe(tree, id)), id));
                }
            }
            Ok((place, id, Some(Described::parse(tree, id, file.limits())), store))
        })?;
        let Some(here) = here else { return place.open_elsewhere() };
        let node = Node::new(place.file().clone(), id);
        let opened = match here {
            Err(error) if error.status() == Status::ExternalReference => node.parse_copied(),
            here => here.map_err(|error| node.locate(error)),
        };
        let file = node.file();
        let (descriptor, inline) = match opened? {
            Described::Array(descriptor, inline) => (*descriptor, inline),
            Described::Chunked(chunked) => {
                let (array, descriptor) = chunked.open(file, &store).map_err(|error| node.locate(error))?;
                return Ok(OpenedArray { array, descriptor, node, found: Found::At(place) });
            }
            Described::OtherFormat(descriptor, target) => {
                let array = open_other_format(file, &descriptor, &target).map_err(|error| node.locate(error))?;
                return Ok(OpenedArray { array, descriptor: *descriptor, node, found: Found::At(place) });
            }
        };
        let array = match &descriptor.source {
            ArraySource::Block(index) => file.array_in_block(&store, &descriptor, *index),
            ArraySource::Uri(uri) if let Some(fits) = store.fits().filter(|_| is_hdu_source(uri)) => {
                fits.array(&descriptor, uri, file.limits())
            }
            ArraySource::Uri(uri) => Array::open(&descriptor, file.external_payload(uri), file.limits()),
            ArraySource::Inline(_) | ArraySource::Chunks | ArraySource::OtherFormat(_) => inline
                .map(|array| *array)
                .ok_or_else(|| Error::new(Status::Internal, "the inline elements are missing")),
        };
        match array {
            Ok(array) => Ok(OpenedArray { array, descriptor, node, found: Found::At(place) }),
            Err(error) => Err(node.locate(error)),
        }
    }

    /// Returns the array that a quantity holds, or that a reference leads to.
    fn open_elsewhere(self) -> Result<OpenedArray> {
        let node = self.resolved()?;
        if self.reference("")?.is_none() {
            let opened = node.quantity_value()?.open_array("")?;
            return Ok(OpenedArray { found: Found::InQuantity(node), ..opened });
        }
        let opened = node.open_array("")?;
        Ok(match opened.found {
            Found::InQuantity(_) => opened,
            Found::At(_) => OpenedArray { found: Found::At(self), ..opened },
        })
    }

    /// Parses a description with parts in other files.
    fn parse_copied(&self) -> Result<Described> {
        let copy = self.with_references_copied()?;
        // Places in the copy have no meaning for callers.
        let mut described = Described::parse(&copy, copy.root(), self.file().limits())
            .map_err(|error| self.locate(error.unplaced()))?;
        let tree = self.file().tree()?;
        let Described::Array(descriptor, _) = &mut described else { return Ok(described) };
        descriptor.node = self.id();
        descriptor.mask = tree.find(self.id(), Key::String("mask"));
        if let ArraySource::Inline(data) = &mut descriptor.source {
            *data = tree.find(self.id(), Key::String("data")).unwrap_or(self.id());
        }
        Ok(described)
    }

    /// Returns a copy of the description at this node, with references replaced by their targets.
    fn with_references_copied(&self) -> Result<Tree> {
        let mut copy = Tree::new();
        let mut pending = Vec::new();
        {
            let tree = self.file().tree()?;
            let root = copy.root();
            if tree.kind(self.id()) == Kind::Mapping {
                copy.replace(root, Content::Mapping(Style::Flow));
                for key in COPIED {
                    if let Some(value) = tree.find(self.id(), Key::String(key)) {
                        let place = copy.append_pair(root, key, Content::Scalar("", Style::Plain));
                        pending.push((Node::new(self.file().clone(), value), place));
                    }
                }
            } else {
                pending.push((self.clone(), root));
            }
        }
        let too_many = |what: &str, most: usize| {
            let message = format!("the description of the array consists of more than {most} {what}");
            self.locate(Error::new(Status::Limit, message))
        };
        let mut followed = 0;
        while let Some((node, place)) = pending.pop() {
            followed += 1;
            if followed > MAX_REFERENCES {
                return Err(too_many("references", MAX_REFERENCES));
            }
            let target = node.resolved()?;
            let tree = target.file().tree()?;
            let room = MAX_COPIED.saturating_sub(copy.node_count());
            if !has_at_most(&tree, target.id(), room) {
                return Err(too_many("nodes", MAX_COPIED));
            }
            for (from, to) in copy.copy_from(place, &tree, target.id())? {
                if copy.reference(to)?.is_some() {
                    pending.push((Node::new(target.file().clone(), from), to));
                }
            }
        }
        Ok(copy)
    }
}

/// Returns true if the subtree of a node has at most `most` nodes.
fn has_at_most(tree: &Tree, node: NodeId, most: usize) -> bool {
    let (mut pending, mut count) = (vec![node], 0);
    while let Some(node) = pending.pop() {
        count += 1;
        if count + pending.len() > most {
            return false;
        }
        // Aliases are copied as aliases, so their targets do not count.
        pending.extend_from_slice(tree.items(node));
    }
    true
}

/// A parsed description.
enum Described {
    /// An ndarray, and the whole array if it is inline.
    Array(Box<Descriptor>, Option<Box<Array>>),
    Chunked(ChunkedNode),
    /// An array in a file of another format, and its place there.
    OtherFormat(Box<Descriptor>, HduTarget),
}

/// Returns an array in a FITS file. If the file cannot be read, the array can still be described.
fn open_other_format(file: &File, descriptor: &Descriptor, target: &HduTarget) -> Result<Array> {
    let ArraySource::OtherFormat(uri) = &descriptor.source else {
        return Err(Error::new(Status::Internal, "the array is not in a file of another format"));
    };
    match file.external_fits(uri) {
        Ok(fits) => fits.external_array(descriptor, target, file.limits()),
        Err(error) => Array::open(descriptor, Payload::absent(&error.without_place(), None), file.limits()),
    }
}

impl Described {
    fn parse(tree: &Tree, node: NodeId, limits: &Limits) -> Result<Described> {
        let descriptor = Descriptor::parse(tree, node, limits)?;
        let inline = match descriptor.source {
            ArraySource::Inline(_) => Some(Box::new(Array::open_inline(tree, &descriptor, limits)?)),
            ArraySource::Block(_) | ArraySource::Uri(_) | ArraySource::Chunks | ArraySource::OtherFormat(_) => None,
        };
        Ok(Described::Array(Box::new(descriptor), inline))
    }

    fn parse_other_format(tree: &Tree, node: NodeId, limits: &Limits) -> Result<Described> {
        let descriptor = Descriptor::parse_other_format(tree, node, limits)?;
        let wrong = |node| {
            let message = "'target' must be the number or the name of an HDU";
            tree.locate(Error::new(Status::BadArray, message), node)
        };
        let target = tree.find(node, Key::String("target")).ok_or_else(|| wrong(node))?;
        let target = tree.resolve(target)?;
        let place = match tree.kind(target) {
            Kind::Scalar => tree.scalar(target)?,
            _ => return Err(wrong(target)),
        };
        let place = match place {
            Scalar::Integer(Integer::Small(number)) => HduTarget::Number(number),
            Scalar::String(name) => HduTarget::Name(name.to_owned()),
            _ => return Err(wrong(target)),
        };
        Ok(Described::OtherFormat(Box::new(descriptor), place))
    }

    fn parse_chunked(file: &File, tree: &Tree, node: NodeId) -> Result<Described> {
        ChunkedNode::parse(file, tree, node).map(Described::Chunked)
    }
}
