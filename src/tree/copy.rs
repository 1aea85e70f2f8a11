//! Copies of subtrees from one tree into another.

use super::edit::Content;
use super::mapping::MAX_MERGED_PAIRS;
use super::{CommentPosition, Kind, NodeId, ScalarText, Style, Tree};
use crate::error::Result;
use crate::reserve;
use std::collections::HashMap;

enum Step {
    /// Copy this node into that place.
    Copy(NodeId, NodeId),
    /// Finish the mapping at this place, whose children have all been copied.
    Finish(NodeId),
}

impl Tree {
    /// Replaces the content of `place` by a copy of `node` in `from`, with its descendants.
    ///
    /// Aliases between copied nodes stay aliases. An alias of a node outside the subtree becomes a copy of its target.
    /// Returns the copied nodes in document order, each with its counterpart in this tree.
    ///
    /// Fails if merge keys of the copy have no meaning there. The place then holds the copy nevertheless.
    pub(crate) fn copy_from(&mut self, place: NodeId, from: &Tree, node: NodeId) -> Result<Vec<(NodeId, NodeId)>> {
        self.copy_all_from(from, &[(node, place)])
    }

    /// Copies several nodes like [`Tree::copy_from`], each to its place. Nodes that they share are also shared here.
    pub(crate) fn copy_all_from(&mut self, from: &Tree, nodes: &[(NodeId, NodeId)]) -> Result<Vec<(NodeId, NodeId)>> {
        let mut copies = HashMap::new();
        let mut order = Vec::new();
        let mut steps = Vec::new();
        for &(node, place) in nodes.iter().rev() {
            self.discard_content(place);
            steps.push(Step::Copy(node, place));
        }
        let mut budget = MAX_MERGED_PAIRS;
        let mut failure = None;
        while let Some(step) = steps.pop() {
            let (old, new) = match step {
                Step::Copy(old, new) => (from.dealias(old), new),
                Step::Finish(mapping) => {
                    // The other mappings are finished nevertheless.
                    let finished = self.finish_mapping(mapping, &mut budget);
                    failure = failure.or(finished.err());
                    continue;
                }
            };
            if let Some(&first) = copies.get(&old) {
                self.become_alias(new, first);
                continue;
            }
            reserve::room_in(&mut copies, 1)?;
            reserve::room_for(&mut order, 1)?;
            self.make_room()?;
            if from.anchor(old).is_some() {
                self.make_room_for_anchor()?;
            }
            copies.insert(old, new);
            order.push((old, new));
            self.copy_one(from, old, new);
            if from.kind(old) == Kind::Mapping {
                steps.push(Step::Finish(new));
            }
            let olds = from.items(old);
            if olds.is_empty() {
                continue;
            }
            let mut news = reserve::list_for(olds.len())?;
            for _ in olds {
                self.make_room()?;
                news.push(self.blank(new));
            }
            reserve::room_for(&mut steps, olds.len() + 1)?;
            steps.extend(olds.iter().zip(&news).rev().map(|(&old, &new)| Step::Copy(old, new)));
            self.set_items(new, news);
        }
        self.reapply_merges();
        failure.map_or(Ok(order), Err)
    }

    fn copy_one(&mut self, from: &Tree, old: NodeId, new: NodeId) {
        let style = from.style(old);
        self.fill(
            new,
            match from.kind(old) {
                Kind::Sequence => Content::Sequence(style),
                Kind::Mapping => Content::Mapping(style),
                Kind::Scalar | Kind::Alias => Content::Scalar(from.text(old), style),
            },
        );
        self.set_tag(new, from.tag(old));
        for position in [CommentPosition::Before, CommentPosition::LineEnd] {
            if let Some(comment) = from.set_comment_of(old, position) {
                self.set_comment(new, position, comment);
            }
        }
        if let Some(name) = from.anchor(old) {
            self.set_anchor(new, name);
        }
    }

    /// Makes a child without content, which is filled later.
    fn blank(&mut self, parent: NodeId) -> NodeId {
        self.add_scalar(ScalarText::InSource { inset: 0 }, Style::Plain, parent, (0, 0))
    }

    fn become_alias(&mut self, id: NodeId, target: NodeId) {
        let node = self.node_mut(id);
        node.kind = Kind::Alias;
        node.data = target.number();
        self.aliases.push(id);
    }
}
