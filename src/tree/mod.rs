//! A YAML tree in one arena: nodes with tags, styles, source positions and aliases that are never expanded.
//!
//! The tree knows no YAML syntax: `crate::yaml` fills it from text and writes it. The type of a scalar follows from its
//! text, style and tag ([`scalar`]). It is determined on request, not when the text is read.

mod checkpoints;
mod chunked;
mod comments;
pub(crate) mod complex;
#[cfg(any(test, debug_assertions))]
mod consistency;
mod copy;
mod duplicate;
pub(crate) mod edit;
mod holes;
mod key_index;
mod lines;
pub(crate) mod mapping;
mod misread;
pub(crate) mod number;
mod ordered;
mod original;
pub(crate) mod path;
mod plain;
mod reference;
pub(crate) mod restructure;
mod same;
pub(crate) mod scalar;
mod timestamp;

use crate::error::{Error, Location, Result, Status};
use crate::reserve;
use crate::tags;
use foldhash::{HashMap, HashMapExt};
use std::sync::Arc;

use checkpoints::Checkpoints;
pub(crate) use checkpoints::line_and_column;
use chunked::Chunked;
pub use comments::CommentPosition;
use comments::Comments;
use holes::Holes;
use key_index::KeyIndex;
pub(crate) use lines::Lines;
pub use mapping::Key;
use original::Original;
pub(crate) use plain::{Extent, PlainItems};
use plain::{PlainNodes, PlainRuns};
pub(crate) use reference::{Stop, Walk};
pub(crate) use reference::{fragment_of, percent_decode};
pub(crate) use same::same;
pub(crate) use scalar::Integer;
pub(crate) use scalar::NON_SPECIFIC_TAG;
pub(crate) use scalar::Scalar;

/// Identifies a node within one [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// Parent of a root.
    pub(crate) const NONE: NodeId = NodeId(u32::MAX);

    /// Returns a number that is unique within the tree.
    pub fn number(self) -> u32 {
        self.0
    }

    /// Iterates over this node and the nodes made after it.
    pub(crate) fn following(self) -> impl Iterator<Item = NodeId> {
        (self.0..).map(NodeId)
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The structural kind of a node, independent of tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Text.
    Scalar,
    /// A list.
    Sequence,
    /// Pairs of key and value.
    Mapping,
    /// A further occurrence of a node that stands elsewhere.
    Alias,
}

/// Notation of a node in YAML. Scalars and collections have different styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A scalar without quotes; the only style in which the text determines the type.
    Plain,
    /// A scalar in single quotes.
    SingleQuoted,
    /// A scalar in double quotes.
    DoubleQuoted,
    /// A scalar in literal block style, after `|`.
    Literal,
    /// A scalar in folded block style, after `>`.
    Folded,
    /// A string made in memory; the writer chooses a style that suits its text.
    Automatic,
    /// A collection in brackets or braces (flow style).
    Flow,
    /// A collection structured by indentation (block style).
    Block,
}

/// Identifies a tag within one [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TagId(u32);

impl TagId {
    const NONE: TagId = TagId(0);
}

/// Storage of the text of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Text {
    /// The span of the node in the source, without this many bytes (its quotes) at either end.
    Span(u8),
    /// An entry of `Tree::texts`.
    Stored,
}

#[derive(Clone, Copy, Debug)]
struct NodeData {
    kind: Kind,
    style: Style,
    text: Text,
    removed: bool,
    tag: TagId,
    /// Byte range of the content in `Tree::source`; empty for nodes that were not read.
    start: u32,
    end: u32,
    /// Scalar: index into `texts` if stored. Collection: index into `collections`. Alias: the target.
    data: u32,
    parent: NodeId,
}

/// The children of a sequence, or keys and values of a mapping in turn.
#[derive(Clone, Debug, Default)]
struct Collection {
    items: Vec<NodeId>,
    difference: Option<Box<Difference>>,
    /// `None` if merge keys and repeated keys change nothing. Few mappings have them, so they take one word here.
    effective: Option<Box<EffectivePairs>>,
    index: KeyIndex,
}

/// Pairs of a mapping after merge keys and repeated keys have been applied.
#[derive(Clone, Debug)]
struct EffectivePairs(Vec<NodeId>);

/// The difference between the items of a collection and its list of items.
#[derive(Clone, Debug)]
enum Difference {
    /// Further items of a sequence, which stand between those in the list.
    Runs(PlainRuns),
    /// Pairs of a mapping that were removed, but still stand in the list.
    Holes(Holes),
}

impl Collection {
    fn runs(&self) -> Option<&PlainRuns> {
        match self.difference.as_deref()? {
            Difference::Runs(runs) => Some(runs),
            Difference::Holes(_) => None,
        }
    }

    fn holes(&self) -> Option<&Holes> {
        match self.difference.as_deref()? {
            Difference::Holes(holes) => Some(holes),
            Difference::Runs(_) => None,
        }
    }
}

/// The text of a scalar as a parser reports it.
#[derive(Debug)]
pub(crate) enum ScalarText {
    /// The text is a slice of the source, inside quotes of this many bytes.
    InSource {
        /// Bytes to omit at either end of the span.
        inset: u8,
    },
    /// The text differs from the source, for example by escapes.
    Decoded(Box<str>),
}

/// A YAML document. Nodes are identified by [`NodeId`]s, which stay valid as long as the node is part of the tree.
#[derive(Clone, Debug)]
pub struct Tree {
    source: Arc<String>,
    source_offset: u64,
    source_line: u64,
    /// File positions of the lines, used instead of `source_offset` and `source_line` if the source was taken out of
    /// its file line by line.
    lines: Option<Arc<Lines>>,
    checkpoints: Checkpoints,
    uri: Option<Arc<str>>,
    nodes: Vec<NodeData>,
    plain: PlainNodes,
    texts: Vec<Box<str>>,
    collections: Chunked<Collection>,
    tags: Vec<Box<str>>,
    tag_numbers: HashMap<Box<str>, TagId>,
    anchors: HashMap<NodeId, Box<str>>,
    /// Every node that was ever an alias.
    aliases: Vec<NodeId>,
    /// Every mapping with a merge key, after the mappings that it merges. After an edit, also nodes that lost theirs.
    merging: Vec<NodeId>,
    root: NodeId,
    /// Comments that were set.
    comments: Option<Box<Comments>>,
    /// State before the edits, kept if the edits will be applied to the source text.
    original: Option<Box<Original>>,
}

impl Tree {
    /// Creates a tree whose root is an empty block mapping.
    pub fn new() -> Tree {
        let mut tree = Tree::for_source(Arc::default(), 0, 1);
        let root = tree.add_collection(Kind::Mapping, Style::Block, NodeId::NONE, (0, 0));
        tree.root = root;
        tree
    }

    /// Creates a tree without a root, to be filled from `source`, which begins at this offset and line of its file.
    pub(crate) fn for_source(source: Arc<String>, offset: u64, line: u64) -> Tree {
        // Capacity for all nodes of a small tree: reallocating takes longer than making the nodes.
        let mut nodes = Vec::new();
        // Without memory the first node fails.
        let _ = nodes.try_reserve_exact((source.len() / 16).min(4096));
        Tree {
            source,
            source_offset: offset,
            source_line: line,
            lines: None,
            checkpoints: Checkpoints::default(),
            uri: None,
            nodes,
            plain: PlainNodes::default(),
            texts: Vec::new(),
            collections: Chunked::new(),
            tags: vec![Box::from("")],
            tag_numbers: HashMap::new(),
            anchors: HashMap::new(),
            aliases: Vec::new(),
            merging: Vec::new(),
            root: NodeId::NONE,
            comments: None,
            original: None,
        }
    }

    /// Sets the file positions of the lines of the source, if the source is not contiguous in the file.
    pub(crate) fn set_lines(&mut self, lines: Option<Arc<Lines>>) {
        self.lines = lines;
    }

    /// Sets the URI by which references name this document itself.
    pub(crate) fn set_uri(&mut self, uri: Option<Arc<str>>) {
        self.uri = uri;
    }

    /// Returns the root. Every tree that `crate::yaml` returns has one.
    pub fn root(&self) -> NodeId {
        self.root
    }

    pub(crate) fn set_root(&mut self, root: NodeId) {
        self.root = root;
    }

    /// Returns the text that the tree was read from; empty for a tree made in memory.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the text that the tree was read from, shared with the tree.
    pub(crate) fn shared_source(&self) -> Arc<String> {
        self.source.clone()
    }

    /// Returns the number of nodes ever made in this tree, removed nodes included.
    #[inline]
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len() + self.plain.len()
    }

    #[inline]
    fn node(&self, id: NodeId) -> NodeData {
        if self.plain.is_empty() {
            return self.nodes[id.index()];
        }
        self.plain.find(id.0).unwrap_or_else(|index| self.nodes[index])
    }

    fn node_mut(&mut self, id: NodeId) -> &mut NodeData {
        if self.plain.is_empty() {
            return &mut self.nodes[id.index()];
        }
        match self.plain.find_mut(id.0) {
            Ok(node) => node,
            Err(index) => &mut self.nodes[index],
        }
    }

    /// Makes room for one more node, which is a scalar whose text is in the source.
    #[inline]
    pub(crate) fn make_room_for_scalar(&mut self) -> Result<()> {
        reserve::room_for(&mut self.nodes, 1)
    }

    /// Makes room for one more node of any kind.
    #[inline]
    pub(crate) fn make_room(&mut self) -> Result<()> {
        self.make_room_for_scalar()?;
        reserve::room_for(&mut self.texts, 1)?;
        reserve::room_for(&mut self.aliases, 1)?;
        self.collections.make_room()
    }

    #[inline]
    fn push(&mut self, node: NodeData) -> NodeId {
        // Node limits keep the count below 2^32.
        let id = NodeId(self.node_count() as u32);
        self.nodes.push(node);
        id
    }

    /// Adds a scalar; `span` is its byte range in the source, quotes included.
    #[inline]
    pub(crate) fn add_scalar(&mut self, text: ScalarText, style: Style, parent: NodeId, span: (u32, u32)) -> NodeId {
        let (text, data) = match text {
            ScalarText::InSource { inset } => (Text::Span(inset), 0),
            ScalarText::Decoded(text) => {
                self.texts.push(text);
                (Text::Stored, (self.texts.len() - 1) as u32)
            }
        };
        self.push(NodeData {
            kind: Kind::Scalar,
            style,
            text,
            removed: false,
            tag: TagId::NONE,
            start: span.0,
            end: span.1,
            data,
            parent,
        })
    }

    /// Adds an empty collection. [`Tree::set_items`] sets its children.
    pub(crate) fn add_collection(&mut self, kind: Kind, style: Style, parent: NodeId, span: (u32, u32)) -> NodeId {
        let data = self.collections.push(Collection::default()) as u32;
        self.push(NodeData {
            kind,
            style,
            text: Text::Stored,
            removed: false,
            tag: TagId::NONE,
            start: span.0,
            end: span.1,
            data,
            parent,
        })
    }

    /// Adds an alias of `target`, which must not be an alias.
    pub(crate) fn add_alias(&mut self, target: NodeId, parent: NodeId, span: (u32, u32)) -> NodeId {
        let id = self.push(NodeData {
            kind: Kind::Alias,
            style: Style::Plain,
            text: Text::Stored,
            removed: false,
            tag: TagId::NONE,
            start: span.0,
            end: span.1,
            data: target.0,
            parent,
        });
        self.aliases.push(id);
        id
    }

    /// Sets the children of a collection: the items of a sequence, or keys and values in turn.
    pub(crate) fn set_items(&mut self, id: NodeId, items: Vec<NodeId>) {
        let number = self.node(id).data as usize;
        let collection = &mut self.collections[number];
        collection.items = items;
        if collection.holes().is_some() {
            collection.difference = None;
        }
    }

    /// Sets the end of the span of a collection.
    pub(crate) fn set_end(&mut self, id: NodeId, end: u32) {
        self.node_mut(id).end = end;
    }

    /// Sets or removes the tag of a node, in its full form (`tag:stsci.edu:asdf/core/asdf-1.1.0`, or `!local`).
    pub(crate) fn set_tag(&mut self, id: NodeId, tag: Option<&str>) {
        self.note_retagged(id);
        let number = tag.map_or(TagId::NONE, |tag| self.tag_number(tag));
        self.node_mut(id).tag = number;
    }

    /// Returns the number of a tag in its full form, for [`Tree::set_tag_number`].
    pub(crate) fn tag_number(&mut self, tag: &str) -> TagId {
        if let Some(&number) = self.tag_numbers.get(tag) {
            return number;
        }
        let number = TagId(self.tags.len() as u32);
        self.tags.push(Box::from(tag));
        self.tag_numbers.insert(Box::from(tag), number);
        number
    }

    /// Makes room for a new tag.
    pub(crate) fn make_room_for_tag(&mut self) -> Result<()> {
        reserve::room_for(&mut self.tags, 1)?;
        reserve::room_in(&mut self.tag_numbers, 1)
    }

    /// Sets the tag of a node that was just added.
    pub(crate) fn set_tag_number(&mut self, id: NodeId, number: TagId) {
        self.node_mut(id).tag = number;
    }

    /// Returns the full tag with this number.
    pub(crate) fn tag_of_number(&self, number: TagId) -> &str {
        &self.tags[number.0 as usize]
    }

    /// Makes room for a further anchor.
    pub(crate) fn make_room_for_anchor(&mut self) -> Result<()> {
        reserve::room_in(&mut self.anchors, 1)
    }

    /// Sets the name of the anchor of a node.
    pub(crate) fn set_anchor(&mut self, id: NodeId, name: &str) {
        self.anchors.insert(id, Box::from(name));
    }

    /// Returns the name of the anchor, if the node was read or copied with one.
    pub fn anchor(&self, id: NodeId) -> Option<&str> {
        self.anchors.get(&id).map(|name| &**name)
    }

    /// Fails with [`Status::Stale`] if an edit removed the node.
    pub fn check(&self, id: NodeId) -> Result<()> {
        if id.index() < self.node_count() && !self.node(id).removed {
            return Ok(());
        }
        Err(Error::new(Status::Stale, "the node was removed from the tree"))
    }

    /// Returns the kind of the node; [`Kind::Alias`] for an alias.
    pub fn kind(&self, id: NodeId) -> Kind {
        self.node(id).kind
    }

    /// Returns the style of the node.
    pub fn style(&self, id: NodeId) -> Style {
        self.node(id).style
    }

    /// Returns the full tag, if the node has one.
    pub fn tag(&self, id: NodeId) -> Option<&str> {
        match self.node(id).tag {
            TagId::NONE => None,
            TagId(number) => Some(&self.tags[number as usize]),
        }
    }

    /// Returns whether the node has the tag of the standard with this name, such as `core/ndarray`, in any version.
    pub(crate) fn is_tagged(&self, id: NodeId, name: &str) -> bool {
        self.tag(id).and_then(tags::name_of) == Some(name)
    }

    /// Returns the tag, unless it is a tag of YAML or the non-specific `!`, which PyYAML ignores.
    pub(crate) fn foreign_tag(&self, id: NodeId) -> Option<&str> {
        self.tag(id).filter(|tag| *tag != NON_SPECIFIC_TAG && !tag.starts_with(tags::YAML))
    }

    /// Iterates over the distinct tags that nodes of this tree have, or had before an edit.
    pub(crate) fn tags(&self) -> impl Iterator<Item = &str> {
        self.tags.iter().map(|tag| &**tag).filter(|tag| !tag.is_empty())
    }

    /// Iterates over the nodes that were not removed, in the order in which they were made.
    pub(crate) fn live_nodes(&self) -> impl Iterator<Item = NodeId> {
        // Node limits keep the count below 2^32.
        (0..self.node_count() as u32).map(NodeId).filter(|&id| !self.node(id).removed)
    }

    /// Returns the node that contains this one; `None` for the root.
    pub fn parent(&self, id: NodeId) -> Option<NodeId> {
        Some(self.node(id).parent).filter(|&parent| parent != NodeId::NONE)
    }

    /// Returns the target of an alias, or the node itself if it is not an alias.
    pub fn dealias(&self, id: NodeId) -> NodeId {
        let node = self.node(id);
        if node.kind == Kind::Alias { NodeId(node.data) } else { id }
    }

    /// Iterates over the nodes that have aliases. A node can occur more than once.
    pub(crate) fn alias_targets(&self) -> impl Iterator<Item = NodeId> {
        self.live_aliases().map(|id| self.dealias(id))
    }

    /// Iterates over the aliases that were not removed. An alias can occur more than once.
    fn live_aliases(&self) -> impl Iterator<Item = NodeId> {
        let live = |id: &NodeId| self.kind(*id) == Kind::Alias && !self.node(*id).removed;
        self.aliases.iter().copied().filter(live)
    }

    /// Returns the text of a scalar; empty for any other node.
    pub fn text(&self, id: NodeId) -> &str {
        self.text_of(&self.node(id))
    }

    #[inline]
    fn text_of(&self, node: &NodeData) -> &str {
        match (node.kind, node.text) {
            (Kind::Scalar, Text::Stored) => &self.texts[node.data as usize],
            (Kind::Scalar, Text::Span(inset)) => {
                &self.source[node.start as usize + inset as usize..node.end as usize - inset as usize]
            }
            _ => "",
        }
    }

    /// Returns the value of a scalar (YAML 1.1 as PyYAML reads it).
    ///
    /// Fails if the text is not a value of the type that its tag demands, for example `!!int abc`.
    pub fn scalar(&self, id: NodeId) -> Result<Scalar<'_>> {
        self.unplaced_scalar(id).map_err(|error| self.locate(error, id))
    }

    /// Like [`Tree::scalar`], but its error has no position. A position needs the path, which needs the keys, so keys
    /// must be read without positions.
    fn unplaced_scalar(&self, id: NodeId) -> Result<Scalar<'_>> {
        match self.kind(id) {
            Kind::Scalar => scalar::resolve(self.text(id), self.style(id) == Style::Plain, self.tag(id)),
            _ => Err(Error::new(Status::WrongType, "expected a scalar, found a sequence or a mapping")),
        }
    }

    /// Returns whether a scalar is null. Fails as [`Tree::scalar`] does.
    pub(crate) fn is_null(&self, id: NodeId) -> Result<bool> {
        // Of plain texts, only these can be null.
        let may_be_null = matches!(self.text(id).as_bytes().first(), None | Some(b'~' | b'n' | b'N'));
        let is_untagged = self.node(id).tag == TagId::NONE;
        if is_untagged && !may_be_null { Ok(false) } else { Ok(self.scalar(id)? == Scalar::Null) }
    }

    fn collection(&self, id: NodeId) -> Option<&Collection> {
        let node = self.node(id);
        match node.kind {
            Kind::Sequence | Kind::Mapping => Some(&self.collections[node.data as usize]),
            Kind::Scalar | Kind::Alias => None,
        }
    }

    /// Adds the position of a node to an error.
    pub(crate) fn locate(&self, error: Error, id: NodeId) -> Error {
        let location = self.location(id);
        let mut error = error;
        if let Some(offset) = location.offset {
            error = error.at_offset(offset);
        }
        if let (Some(line), Some(column)) = (location.line, location.column) {
            error = error.at_line(line, column);
        }
        match location.path {
            Some(path) => error.at_path(path),
            None => error,
        }
    }

    /// Returns the position of the node: its path, and for nodes that were read also byte, line and column in the file.
    pub fn location(&self, id: NodeId) -> Location {
        let mut location = Location { path: Some(self.path(id)), ..Location::default() };
        let node = self.node(id);
        if !self.source.is_empty() && (node.start, node.end) != (0, 0) {
            let start = node.start as usize;
            let (offset, line, column) = match &self.lines {
                Some(lines) => lines.place_with(&self.source, start, &self.checkpoints),
                None => {
                    let (line, column) = self.line_and_column(start);
                    (self.source_offset + start as u64, line, column)
                }
            };
            location.offset = Some(offset);
            location.line = Some(line);
            location.column = Some(column);
        }
        location
    }

    /// Returns line and column in the file (from 1, columns in characters) of a byte position in the source.
    pub(crate) fn line_and_column(&self, position: usize) -> (u64, u64) {
        self.checkpoints.find(&self.source, self.source_line, position)
    }

    /// Returns the byte range of the node's content in the source; `None` for nodes that were not read.
    pub fn span(&self, id: NodeId) -> Option<std::ops::Range<usize>> {
        let node = self.node(id);
        ((node.start, node.end) != (0, 0)).then_some(node.start as usize..node.end as usize)
    }

    /// Returns the JSON Pointer of the node; empty for the root.
    pub fn path(&self, id: NodeId) -> String {
        let mut tokens = Vec::new();
        let mut child = id;
        while let Some(parent) = self.parent(child) {
            let position = Self::position_among(self.items(parent), child);
            let token = match (self.kind(parent), position) {
                (_, None) => String::new(),
                (Kind::Mapping, Some(position)) => path::escape(&self.key(self.items(parent)[position & !1]).text()),
                (_, Some(position)) => position.to_string(),
            };
            tokens.push(token);
            child = parent;
        }
        let mut out = String::new();
        for token in tokens.iter().rev() {
            out.push('/');
            out.push_str(token);
        }
        out
    }

    /// Returns the index of a child among the children of a node.
    pub(super) fn position_among(items: &[NodeId], child: NodeId) -> Option<usize> {
        const NEAR: usize = 4;
        // Children that were read are numbered in document order. Edits can break this order; edits that append at the
        // end only exchange keys with their values.
        let guess = items.partition_point(|&item| item < child);
        let near = guess.saturating_sub(NEAR)..items.len().min(guess + NEAR);
        let found = items.get(near.clone()).and_then(|items| items.iter().position(|&item| item == child));
        found.map(|position| near.start + position).or_else(|| items.iter().position(|&item| item == child))
    }
}

impl Default for Tree {
    fn default() -> Tree {
        Tree::new()
    }
}
