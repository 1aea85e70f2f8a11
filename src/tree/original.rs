//! What a tree held when it was read, remembered where edits changed it, so that its text can be changed there alone.

use super::{Kind, NodeId, Tree};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The changes of a tree since it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Original {
    /// The places that got other content, with the bytes of the source that the former content occupies.
    replaced: HashMap<NodeId, Range<usize>>,
    /// The nodes whose tag was set, which may have got other content as well.
    retagged: HashSet<NodeId>,
    /// The former children of collections that lost some or got new ones.
    items: HashMap<NodeId, Vec<NodeId>>,
    /// The nodes that were taken from where they stood.
    moved: HashSet<NodeId>,
    /// The collections in which the text of content stands that is at another place now: moved, or given to an alias.
    text_in: HashMap<NodeId, NodeId>,
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

    /// Whether a node was taken from where it stood, even if it came back.
    pub(crate) fn is_moved(&self, id: NodeId) -> bool {
        self.original.as_ref().is_some_and(|original| original.moved.contains(&id))
    }

    /// Whether any node was taken from where it stood.
    pub(crate) fn has_moved(&self) -> bool {
        self.original.as_ref().is_some_and(|original| !original.moved.is_empty())
    }

    /// The nodes whose text stands elsewhere in the source, with the collection that it stands in.
    pub(crate) fn texts_elsewhere(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let all = self.original.iter().flat_map(|original| original.text_in.iter().map(|(&id, &parent)| (id, parent)));
        all.filter(|&(id, _)| self.check(id).is_ok() && self.span(id).is_some() && !self.has_other_items(id))
    }

    /// Whether a collection lost children or got new ones.
    fn has_other_items(&self, id: NodeId) -> bool {
        self.original.as_ref().is_some_and(|original| original.items.contains_key(&id))
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

    /// Notes that a node is taken out of a collection, to stand elsewhere.
    pub(super) fn note_moved(&mut self, id: NodeId, parent: NodeId) {
        let (has_text, is_replaced) = (self.span(id).is_some(), self.replaced(id).is_some());
        let Some(original) = self.original.as_mut().filter(|_| has_text || is_replaced) else { return };
        original.moved.insert(id);
        if has_text && !is_replaced {
            original.text_in.entry(id).or_insert(parent);
        }
    }

    /// Notes that an alias gets the content of a node.
    pub(super) fn note_inherited(&mut self, alias: NodeId, target: NodeId) {
        self.note_replaced(alias);
        let (parent, is_read) = (self.parent(target), self.span(target).is_some());
        let Some(original) = self.original.as_mut().filter(|_| is_read) else { return };
        let parent = original.text_in.get(&target).copied().or(parent);
        // A text in which entries came or went is of no use at another place.
        if let (Some(parent), false) = (parent, original.items.contains_key(&target)) {
            original.text_in.insert(alias, parent);
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
