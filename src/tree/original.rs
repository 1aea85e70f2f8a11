//! What a tree held when it was read, remembered where edits changed it, so that its text can be changed there alone.

use super::{Kind, NodeId, Tree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The changes of a tree since it was read.
#[derive(Debug, Default)]
pub(super) struct Original {
    /// The places that got other content, with the bytes of the source that the former content occupies.
    replaced: HashMap<NodeId, Range<usize>>,
    /// The nodes whose tag was set, which may have got other content as well.
    retagged: HashSet<NodeId>,
    /// The former children of collections that lost some or got new ones.
    items: HashMap<NodeId, Vec<NodeId>>,
}

impl Tree {
    /// Begins to remember what edits change.
    pub(crate) fn remember_original(&mut self) {
        self.original = Some(Box::default());
    }

    /// The bytes of the source that the former content of a place occupies, if it was replaced.
    pub(crate) fn replaced(&self, id: NodeId) -> Option<Range<usize>> {
        self.original.as_ref()?.replaced.get(&id).cloned()
    }

    /// Whether the tag of a node was set.
    pub(crate) fn is_retagged(&self, id: NodeId) -> bool {
        self.original.as_ref().is_some_and(|original| original.retagged.contains(&id))
    }

    /// The children that a collection had when it was read.
    pub(crate) fn original_items(&self, id: NodeId) -> &[NodeId] {
        let changed = self.original.as_ref().and_then(|original| original.items.get(&id));
        changed.map_or_else(|| self.items(id), Vec::as_slice)
    }

    /// The nodes at which something changed, in no order; some are no longer part of the tree.
    pub(crate) fn changed(&self) -> impl Iterator<Item = NodeId> {
        self.original.iter().flat_map(|original| {
            original.replaced.keys().chain(&original.retagged).chain(original.items.keys()).copied()
        })
    }

    /// Notes that a place gets other content.
    pub(super) fn note_replaced(&mut self, id: NodeId) {
        let Some(span) = self.span(id) else { return };
        if let Some(original) = &mut self.original {
            original.replaced.entry(id).or_insert(span);
        }
    }

    /// Notes that a node gets another tag.
    pub(super) fn note_retagged(&mut self, id: NodeId) {
        if self.original.is_some() && self.span(id).is_some() {
            self.original.get_or_insert_default().retagged.insert(id);
        }
    }

    /// Notes that a collection gets other children.
    pub(super) fn note_items(&mut self, id: NodeId) {
        if self.original.is_none() || self.span(id).is_none() || self.kind(id) == Kind::Scalar {
            return;
        }
        let items = self.items(id).to_vec();
        self.original.get_or_insert_default().items.entry(id).or_insert(items);
    }
}
