//! Nodes of the tree: scalars and collections, their places and limits.

use super::oddities::{may_be_odd, oddity};
use super::{Builder, OpenCollection, Rules};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::progress;
use crate::reserve;
use crate::tags;
use crate::tree::{Extent, Kind, NodeId, ScalarText, Style, TagId};
use crate::yaml::scan::Decoded;
use std::borrow::Cow;

/// Number of nodes between two checks for cancellation.
const CHECKED: usize = 1024;

impl Builder<'_> {
    #[inline]
    pub(super) fn scalar(
        &mut self,
        style: Style,
        decoded: Decoded,
        tag: Option<TagId>,
        span: Extent,
    ) -> Result<NodeId> {
        self.check_room(span)?;
        if self.open.is_empty() && span.start == span.end {
            self.is_empty = true;
            let id = self.tree.add_collection(Kind::Mapping, Style::Block, NodeId::NONE, positions(span));
            self.set_tag(id, tag);
            self.mappings.push(id);
            self.add(id, span)?;
            return Ok(id);
        }
        self.check_ordered(None, tag, span)?;
        let content = match decoded {
            Some(text) => ScalarText::Decoded(text),
            None => ScalarText::InSource { inset: inset_of(style) },
        };
        let id = self.tree.add_scalar(content, style, self.parent(), positions(span));
        self.set_tag(id, tag);
        let text = self.tree.text(id);
        if may_be_odd(text.as_bytes())
            && let Some(oddity) = oddity(text, style == Style::Plain, self.tree.tag(id))
        {
            self.remark(id, Cow::Borrowed(oddity));
        }
        self.add(id, span)?;
        Ok(id)
    }

    /// Sets the tag of a new node, if it has one.
    #[inline]
    fn set_tag(&mut self, id: NodeId, tag: Option<TagId>) {
        if let Some(tag) = tag {
            self.tree.set_tag_number(id, tag);
        }
    }

    pub(super) fn start(&mut self, kind: Kind, style: Style, tag: Option<TagId>, span: Extent) -> Result<NodeId> {
        self.check_room(span)?;
        if self.at_key() {
            return Err(self.key_error(span));
        }
        self.check_ordered(Some(kind), tag, span)?;
        let id = self.tree.add_collection(kind, style, self.parent(), positions(span));
        self.set_tag(id, tag);
        self.add(id, span)?;
        self.open.push(OpenCollection { id, is_mapping: kind == Kind::Mapping, first: self.pending.len() });
        Ok(id)
    }

    pub(super) fn end(&mut self, span: Extent) -> Result<()> {
        let Some(open) = self.open.pop() else { return Ok(()) };
        let items = reserve::copy_of(&self.pending[open.first..])?;
        self.pending.truncate(open.first);
        self.tree.set_items(open.id, items);
        if self.tree.style(open.id) == Style::Flow {
            self.content_end = span.end;
        }
        // A block collection has no closing character; blank lines and comments may follow its last child.
        self.tree.set_end(open.id, self.content_end);
        if open.is_mapping || self.is_ordered(self.tree.tag(open.id)) {
            reserve::room_for(&mut self.mappings, 1)?;
            self.mappings.push(open.id);
        }
        Ok(())
    }

    /// Returns whether a node with this tag becomes an ordered mapping.
    fn is_ordered(&self, tag: Option<&str>) -> bool {
        self.rules == Rules::Table && tag == Some(tags::FULL_ORDERED_MAPPING)
    }

    /// Fails with [`Status::TagContent`] if an ordered mapping is not written as a sequence.
    fn check_ordered(&self, kind: Option<Kind>, tag: Option<TagId>, span: Extent) -> Result<()> {
        let tag = tag.map(|tag| self.tree.tag_of_number(tag));
        if kind == Some(Kind::Sequence) || !self.is_ordered(tag) {
            return Ok(());
        }
        let error = Error::new(
            Status::TagContent,
            "an ordered mapping (!!omap) must be a sequence of mappings with one pair each",
        );
        Err(self.locate(error, span))
    }

    #[inline]
    pub(super) fn check_room(&mut self, span: Extent) -> Result<()> {
        self.check_nodes(span)?;
        self.tree.make_room()?;
        if self.tree.node_count().is_multiple_of(CHECKED) { progress::check() } else { Ok(()) }
    }

    #[inline]
    pub(super) fn check_nodes(&mut self, span: Extent) -> Result<()> {
        if self.tree.node_count() as u64 >= self.max_nodes {
            return Err(self.too_many_nodes(span));
        }
        self.tree.make_room_for_scalar()
    }

    #[cold]
    pub(super) fn too_many_nodes(&self, span: Extent) -> Error {
        self.locate(Limit::Nodes.exceeded("nodes in the YAML tree", self.max_nodes), span)
    }

    #[inline]
    pub(super) fn parent(&self) -> NodeId {
        self.open.last().map_or(NodeId::NONE, |open| open.id)
    }

    /// Returns whether the next node is the key of a pair.
    pub(super) fn at_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_mapping && (self.pending.len() - open.first).is_multiple_of(2))
    }

    pub(super) fn key_error(&self, span: Extent) -> Error {
        let message =
            "a sequence or a mapping cannot be the key of a mapping; quote a text that begins with '[' or '{'";
        self.locate(Error::new(Status::Tree, message), span)
    }

    #[inline]
    pub(super) fn add(&mut self, id: NodeId, span: Extent) -> Result<()> {
        self.content_end = self.content_end.max(span.end);
        if self.open.is_empty() {
            self.tree.set_root(id);
        } else {
            reserve::room_for(&mut self.pending, 1)?;
            self.pending.push(id);
        }
        Ok(())
    }

    /// Adds a position in the text. [`Builder::in_context`] makes the place in the file of it.
    pub(super) fn locate(&self, error: Error, span: Extent) -> Error {
        error.at_offset(u64::from(span.start))
    }
}

/// Returns the length of the quotes of a scalar.
pub(super) fn inset_of(style: Style) -> u8 {
    u8::from(matches!(style, Style::SingleQuoted | Style::DoubleQuoted))
}

pub(super) fn positions(span: Extent) -> (u32, u32) {
    (span.start, span.end)
}
