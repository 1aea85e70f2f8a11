//! Datatype and shape of array nodes.

use crate::array::{Array, Datatype, Descriptor};
use crate::limits::Limits;
use crate::tags;
use crate::tree::{Key, Kind, NodeId, Tree};

/// Tells datatype and shape of the array at a node.
pub(crate) trait Arrays {
    /// Returns whether schemas of arrays apply to the node.
    fn is_array(&self, tree: &Tree, node: NodeId) -> bool;
    /// Returns the number of dimensions, if it is known.
    fn rank(&self, tree: &Tree, node: NodeId) -> Option<u64>;
    /// Returns the datatype, if it is known.
    fn datatype(&self, tree: &Tree, node: NodeId) -> Option<Datatype>;
}

/// The arrays of an ASDF tree, as their descriptions there tell them. No block is read.
#[derive(Debug)]
pub(crate) struct TreeArrays<'a> {
    pub(crate) limits: &'a Limits,
}

impl TreeArrays<'_> {
    /// Returns the array whose elements are in the tree.
    fn inline(&self, tree: &Tree, node: NodeId) -> Option<Array> {
        let data = match tree.kind(node) {
            Kind::Mapping => tree.find(node, Key::String("data"))?,
            _ => node,
        };
        let descriptor = Descriptor::parse(tree, data, self.limits).ok()?;
        Array::open_inline(tree, &descriptor, self.limits).ok()
    }

    fn key(tree: &Tree, node: NodeId, key: &str) -> Option<NodeId> {
        if tree.kind(node) != Kind::Mapping {
            return None;
        }
        tree.find(node, Key::String(key)).map(|value| tree.dealias(value))
    }
}

impl Arrays for TreeArrays<'_> {
    fn is_array(&self, tree: &Tree, node: NodeId) -> bool {
        tree.is_tagged(node, tags::NDARRAY)
    }

    fn rank(&self, tree: &Tree, node: NodeId) -> Option<u64> {
        match Self::key(tree, node, "shape") {
            Some(shape) if tree.kind(shape) == Kind::Sequence => Some(tree.item_count(shape) as u64),
            Some(_) => None,
            None => self.inline(tree, node).map(|array| array.shape().len() as u64),
        }
    }

    fn datatype(&self, tree: &Tree, node: NodeId) -> Option<Datatype> {
        match Self::key(tree, node, "datatype") {
            Some(datatype) => Datatype::parse(tree, datatype).ok(),
            None => self.inline(tree, node).map(|array| array.datatype().clone()),
        }
    }
}
