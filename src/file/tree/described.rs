//! The array that a node describes, with what its description takes from other places and files.
//!
//! The bytes of elements are not touched here.

use super::node::{QUANTITY, describe, wrong_type};
use crate::array::{Array, ArraySource, Descriptor, Mask};
use crate::error::{Error, Result, Status};
use crate::file::open::standard_tags;
use crate::file::{Node, NodeArray};
use crate::limits::Limits;
use crate::tree::edit::Content;
use crate::tree::{Key, Kind, NodeId, Style, Tree, Walk};

/// The keys of a description that can be copied to where it is read. A mask stays, for blocks of its file belong to it.
const COPIED: [&str; 7] = ["source", "data", "shape", "datatype", "byteorder", "offset", "strides"];
/// References of one description that are followed, where some lead into other files.
const MAX_REFERENCES: usize = 1 << 12;
/// Nodes that references may bring into one description.
const MAX_COPIED: usize = 1 << 20;

impl Node {
    /// The array at `path`: a `core/ndarray`, an untagged sequence of numbers, or one of the two as the value of a
    /// quantity.
    ///
    /// No other blocks than those of the array and its mask are touched.
    pub fn array(&self, path: &str) -> Result<NodeArray> {
        let (array, descriptor, node) = self.open_array(path)?;
        let has_nulls = array.has_nulls();
        let array = match descriptor.mask {
            Some(mask) => array.masked_by(Node::new(node.file().clone(), mask).mask()),
            None => array,
        };
        Ok(NodeArray::new(array, descriptor.source, node, has_nulls))
    }

    /// What stands here as a mask. If it cannot be had, the array can still be described.
    fn mask(&self) -> Mask {
        let mask = self.resolved().and_then(|node| {
            if node.is_array("")? {
                return Ok(Mask::array(node.open_array("")?.0));
            }
            let tree = node.file().tree();
            Mask::number(&tree, node.id()).map_err(|error| node.file().name_in(error))
        });
        mask.unwrap_or_else(Mask::unknown)
    }

    /// The array at `path`, to which the mask of its description is still to be given, with that and the node.
    pub(crate) fn open_array(&self, path: &str) -> Result<(Array, Descriptor, Node)> {
        if let Some(quantity) = self.tagged(path, QUANTITY)? {
            return quantity.quantity_value()?.open_array("");
        }
        let (node, here) = self.follow(Walk::to_node(path), |file, tree, id| {
            let tagged = tree.tag(id).and_then(standard_tags::name_of) == Some("core/ndarray");
            if !tagged && (tree.kind(id) != Kind::Sequence || tree.tag(id).is_some()) {
                return Err(tree.locate(wrong_type("an array", describe(tree, id)), id));
            }
            Ok((Node::new(file.clone(), id), Described::parse(tree, id, file.limits())))
        })?;
        let opened = match here {
            Err(error) if error.status() == Status::ExternalReference => node.parse_copied(),
            here => here.map_err(|error| node.locate(error)),
        };
        let Described { descriptor, inline } = opened?;
        let file = node.file();
        let array = match &descriptor.source {
            ArraySource::Block(index) => {
                file.payload(*index).and_then(|payload| Array::open(&descriptor, payload, file.limits()))
            }
            ArraySource::Uri(uri) => Array::open(&descriptor, file.external_payload(uri), file.limits()),
            ArraySource::Inline(_) => {
                inline.ok_or_else(|| Error::new(Status::Internal, "inline elements are not where they were"))
            }
        };
        match array {
            Ok(array) => Ok((array, descriptor, node)),
            Err(error) => Err(node.locate(error)),
        }
    }

    /// What a description says that takes parts of itself from other files.
    fn parse_copied(&self) -> Result<Described> {
        let copy = self.with_references_copied()?;
        // Places in the copy mean nothing to others.
        let mut described = Described::parse(&copy, copy.root(), self.file().limits())
            .map_err(|error| self.locate(Error::new(error.status(), error.message())))?;
        let tree = self.file().tree();
        let descriptor = &mut described.descriptor;
        descriptor.node = self.id();
        descriptor.mask = tree.find(self.id(), Key::String("mask"));
        if let ArraySource::Inline(data) = &mut descriptor.source {
            *data = tree.find(self.id(), Key::String("data")).unwrap_or(self.id());
        }
        Ok(described)
    }

    /// A copy of the description here, in which what references lead to stands in their places.
    fn with_references_copied(&self) -> Result<Tree> {
        let mut copy = Tree::new();
        let mut pending = Vec::new();
        {
            let tree = self.file().tree();
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
            let message = format!("the description of the array is spread over more than {most} {what}");
            self.locate(Error::new(Status::Limit, message))
        };
        let mut followed = 0;
        while let Some((node, place)) = pending.pop() {
            followed += 1;
            if followed > MAX_REFERENCES {
                return Err(too_many("references", MAX_REFERENCES));
            }
            let target = node.resolved()?;
            let tree = target.file().tree();
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

/// Whether a node and those below it are no more than `most`.
fn has_at_most(tree: &Tree, node: NodeId, most: usize) -> bool {
    let (mut pending, mut count) = (vec![node], 0);
    while let Some(node) = pending.pop() {
        count += 1;
        if count + pending.len() > most {
            return false;
        }
        // Aliases are copied as such.
        pending.extend_from_slice(tree.items(node));
    }
    true
}

/// What a tree says of an array: all, if it is inline.
struct Described {
    descriptor: Descriptor,
    inline: Option<Array>,
}

impl Described {
    fn parse(tree: &Tree, node: NodeId, limits: &Limits) -> Result<Described> {
        let descriptor = Descriptor::parse(tree, node, limits)?;
        let inline = match descriptor.source {
            ArraySource::Inline(_) => Some(Array::open_inline(tree, &descriptor, limits)?),
            ArraySource::Block(_) | ArraySource::Uri(_) => None,
        };
        Ok(Described { descriptor, inline })
    }
}
