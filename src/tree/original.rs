//! The state of a tree before edits, kept for changed nodes so that only their text must be changed.

use super::{Kind, NodeId, Tree};
use crate::error::Result;
use crate::reserve;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The edits of a tree since it was read.
#[derive(Clone, Debug, Default)]
pub(super) struct Original {
    /// Nodes with new content, and the byte ranges of their former content in the source.
    replaced: HashMap<NodeId, Range<usize>>,
    /// Nodes whose tag was set; their content may have changed, too.
    retagged: HashSet<NodeId>,
    /// Original children of collections that lost or got children.
    items: HashMap<NodeId, Vec<NodeId>>,
    /// Nodes that were moved.
    moved: HashSet<NodeId>,
    /// For content that was moved or given to an alias: the node that has it now, and the collection in which its text
    /// stands.
    text_in: HashMap<NodeId, NodeId>,
}

impl Original {
    /// Returns a copy.
    pub(super) fn duplicate(&self) -> Result<Original> {
        let mut items = HashMap::new();
        for (&id, list) in &self.items {
            reserve::room_in(&mut items, 1)?;
            items.insert(id, reserve::copy_of(list)?);
        }
        Ok(Original {
            replaced: reserve::table_of(self.replaced.iter().map(|(&id, span)| (id, span.clone())))?,
            retagged: reserve::set_of(&self.retagged)?,
            items,
            moved: reserve::set_of(&self.moved)?,
            text_in: reserve::table_of(self.text_in.iter().map(|(&id, &parent)| (id, parent)))?,
        })
    }

    /// Makes room for the records of an edit that changes this many nodes. Tables with fewer records grow by small
    /// requests.
    pub(super) fn make_room(&mut self, nodes: usize) -> Result<()> {
        let Original { replaced, retagged, items, moved, text_in } = self;
        if [replaced.len(), retagged.len(), items.len(), moved.len(), text_in.len()].iter().all(|&count| count < nodes)
        {
            return Ok(());
        }
        reserve::room_in(replaced, nodes)?;
        reserve::room_in_set(retagged, nodes)?;
        reserve::room_in(items, nodes)?;
        reserve::room_in_set(moved, nodes)?;
        reserve::room_in(text_in, nodes)
    }
}

impl Tree {
    /// Starts to record the original state of edited nodes.
    pub(crate) fn remember_original(&mut self) {
        self.original = Some(Box::default());
    }

    /// Returns the byte range of the former content of a node in the source, if it was replaced.
    pub(crate) fn replaced(&self, id: NodeId) -> Option<Range<usize>> {
        self.original.as_ref()?.replaced.get(&id).cloned()
    }

    /// Returns whether the tag of a node was set.
    pub(crate) fn is_retagged(&self, id: NodeId) -> bool {
        self.original.as_ref().is_some_and(|original| original.retagged.contains(&id))
    }

    /// Returns the children that a collection had when it was read.
    pub(crate) fn original_items(&self, id: NodeId) -> &[NodeId] {
        let changed = self.original.as_ref().and_then(|original| original.items.get(&id));
        changed.map_or_else(|| self.items(id), Vec::as_slice)
    }

    /// Returns whether a node was moved, even if it was moved back.
    pub(crate) fn is_moved(&self, id: NodeId) -> bool {
        self.original.as_ref().is_some_and(|original| original.moved.contains(&id))
    }

    /// Returns whether any node was moved.
    pub(crate) fn has_moved(&self) -> bool {
        self.original.as_ref().is_some_and(|original| !original.moved.is_empty())
    }

    /// Iterates over the nodes whose text stands at another place in the source, with the collection that contains the
    /// text.
    pub(crate) fn moved_texts(&self) -> impl Iterator<Item = (NodeId, NodeId)> {
        let all = self.original.iter().flat_map(|original| original.text_in.iter().map(|(&id, &parent)| (id, parent)));
        all.filter(|&(id, _)| self.check(id).is_ok() && self.span(id).is_some() && !self.has_changed_items(id))
    }

    /// Returns whether a collection lost or got children.
    fn has_changed_items(&self, id: NodeId) -> bool {
        self.original.as_ref().is_some_and(|original| original.items.contains_key(&id))
    }

    /// Iterates over the changed nodes, in no particular order. Some may no longer be part of the tree.
    pub(crate) fn changed(&self) -> impl Iterator<Item = NodeId> {
        self.original.iter().flat_map(|original| {
            original.replaced.keys().chain(&original.retagged).chain(original.items.keys()).copied()
        })
    }

    /// Records that a node gets new content.
    pub(super) fn note_replaced(&mut self, id: NodeId) {
        let Some(span) = self.span(id) else { return };
        if let Some(original) = &mut self.original {
            original.replaced.entry(id).or_insert(span);
        }
    }

    /// Records that a node is moved out of a collection.
    pub(super) fn note_moved(&mut self, id: NodeId, parent: NodeId) {
        let (has_text, is_replaced) = (self.span(id).is_some(), self.replaced(id).is_some());
        let Some(original) = self.original.as_mut().filter(|_| has_text || is_replaced) else { return };
        original.moved.insert(id);
        if has_text && !is_replaced {
            original.text_in.entry(id).or_insert(parent);
        }
    }

    /// Records that an alias gets the content of a node.
    pub(super) fn note_content_moved_to_alias(&mut self, alias: NodeId, target: NodeId) {
        self.note_replaced(alias);
        let (parent, is_read) = (self.parent(target), self.span(target).is_some());
        let Some(original) = self.original.as_mut().filter(|_| is_read) else { return };
        let parent = original.text_in.get(&target).copied().or(parent);
        // If entries were added or removed, the text cannot be reused at another place.
        if let (Some(parent), false) = (parent, original.items.contains_key(&target)) {
            original.text_in.insert(alias, parent);
        }
    }

    /// Records that the tag of a node is set.
    pub(super) fn note_retagged(&mut self, id: NodeId) {
        if self.original.is_some() && self.span(id).is_some() {
            self.original.get_or_insert_default().retagged.insert(id);
        }
    }

    /// Records that the children of a collection change.
    pub(super) fn note_items(&mut self, id: NodeId) {
        if self.must_note_items(id) {
            let items = self.items(id).to_vec();
            self.original.get_or_insert_default().items.insert(id, items);
        }
    }

    /// Does the same as [`Tree::note_items`], or fails before anything changes.
    pub(super) fn try_note_items(&mut self, id: NodeId) -> Result<()> {
        if self.must_note_items(id) {
            let items = reserve::copy_of(self.items(id))?;
            self.original.get_or_insert_default().items.insert(id, items);
        }
        Ok(())
    }

    fn must_note_items(&self, id: NodeId) -> bool {
        let is_noted = |original: &Original| original.items.contains_key(&id);
        let is_recorded = self.original.as_deref().is_none_or(is_noted);
        !is_recorded && self.span(id).is_some() && self.kind(id) != Kind::Scalar
    }
}
