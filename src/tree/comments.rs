//! Comments that were set for nodes of a tree. Comments of the text that a tree was read from are not here.

use super::{NodeId, Tree};
use std::collections::BTreeMap;

/// Position of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CommentPosition {
    /// On lines of its own, before the key or the dash of the node.
    Before,
    /// At the end of the line of the node: after a scalar or brackets, or after the key of a block.
    LineEnd,
    /// On lines of its own at the end of the document. The node is the root.
    DocumentEnd,
}

/// Comments by node and position.
pub(super) type Comments = BTreeMap<(NodeId, CommentPosition), Box<str>>;

impl Tree {
    /// Returns the comment that was set for a node; an empty one was removed.
    pub(crate) fn set_comment_of(&self, id: NodeId, position: CommentPosition) -> Option<&str> {
        self.comments.as_ref()?.get(&(id, position)).map(|text| &**text)
    }

    /// Sets a comment; an empty one removes that of the text.
    pub(crate) fn set_comment(&mut self, id: NodeId, position: CommentPosition, text: &str) {
        self.comments.get_or_insert_default().insert((id, position), text.into());
    }

    /// Returns the comments that were set for nodes that still exist.
    pub(crate) fn set_comments(&self) -> impl Iterator<Item = (NodeId, CommentPosition, &str)> {
        let all = self.comments.iter().flat_map(|comments| comments.iter());
        all.filter(|((id, _), _)| self.check(*id).is_ok()).map(|(&(id, position), text)| (id, position, &**text))
    }
}
