//! Builds a tree from events: nodes, anchors, limits, and warnings.

mod context;
mod oddities;

use self::oddities::{BEYOND_LIMITS, is_element, key_oddity, may_be_odd, oddity};
use super::characters::check_characters;
use super::document::{Document, quoted_part};
use super::events::{Event, EventKind, Events, Properties};
use super::scan::{Decoded, Piece, PieceKind};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::{Limit, Limits};
use crate::progress;
use crate::tree::mapping::{KeyFindings, MAX_MERGED_PAIRS};
use crate::tree::{Extent, Kind, Lines, NodeId, ORDERED_MAPPING_TAG, ScalarText, Style, TagId, Tree};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// Number of nodes between two checks for cancellation.
const CHECKED: usize = 1024;

/// Length of the shortest list that takes less memory as plain items of the tree than as nodes.
const PLAIN_ITEMS: usize = 64;

/// Maximum number of warnings kept for one tree; further ones are only counted.
const MAX_WARNINGS: usize = 100;

/// Number of bytes that all different tags of a tree may have in full, and how many more for each byte of the text.
const TAG_BYTES: u64 = 16 << 20;
const TAG_BYTES_PER_BYTE: u64 = 4;

/// A tree that was read, with its warnings.
#[derive(Debug)]
pub struct Parsed {
    /// The tree.
    pub tree: Tree,
    /// Warnings, in no particular order.
    pub warnings: Vec<Warning>,
    /// Number of warnings beyond the maximum, which were not kept.
    pub dropped_warnings: u64,
}

/// Reads one document. `text` runs from its `%YAML` line through its end marker. It begins at this byte offset and line
/// (from 1) of its file.
///
/// A document without content gives an empty mapping, which keeps the tag of the root. Errors contain the position in
/// the file:
///
/// - [`Status::Yaml`] for malformed YAML,
/// - [`Status::Encoding`] for characters that YAML forbids,
/// - [`Status::Tree`] for what ASDF does not allow (a collection as a key),
/// - [`Status::Limit`] if a limit of `limits` is exceeded.
pub fn parse(text: String, offset: u64, line: u64, limits: &Limits) -> Result<Parsed> {
    parse_placed(text, offset, line, None, limits)
}

/// Reads one document that is not an ASDF tree, whose lines stand at these positions of the file.
///
/// Ordered mappings (`!!omap`) become mappings and keep that tag. Other content under that tag fails with
/// [`Status::TagContent`].
pub(crate) fn parse_lines(text: String, lines: Lines, limits: &Limits) -> Result<Parsed> {
    parse_placed(text, 0, 1, Some(&Arc::new(lines)), limits)
}

fn parse_placed(text: String, offset: u64, line: u64, lines: Option<&Arc<Lines>>, limits: &Limits) -> Result<Parsed> {
    let maximum = limits.tree_bytes.min(Limits::MAX_TREE_BYTES);
    if text.len() as u64 > maximum {
        return Err(Limit::TreeBytes.exceeded("the bytes of the YAML tree", maximum).at_offset(offset));
    }
    // The tree shares the text: a copy would double the memory.
    let source = Arc::new(text);
    let document = Document { lines, ..Document::new(&source, offset, line) };
    let has_unicode_breaks = check_characters(&document)?;
    let mut builder = Builder::new(&source, document, limits);
    builder.read(&mut Events::new(document, has_unicode_breaks, limits.depth))?;
    builder.finish()
}

/// Reads one document, in which lists of at least `plain_items` plain scalars become plain items.
#[cfg(test)]
pub(in crate::yaml) fn parse_with_plain_items(text: String, plain_items: usize, limits: &Limits) -> Result<Parsed> {
    let source = Arc::new(text);
    let document = Document::new(&source, 0, 1);
    let has_unicode_breaks = check_characters(&document)?;
    let mut builder = Builder { plain_items, ..Builder::new(&source, document, limits) };
    builder.read(&mut Events::new(document, has_unicode_breaks, limits.depth))?;
    builder.finish()
}

/// A document whose keys are neither compared nor merged.
#[derive(Debug)]
pub(crate) struct Unmerged {
    /// The tree; an empty mapping if the document has no content.
    pub tree: Tree,
    /// True if the document has no content.
    pub is_empty: bool,
    /// Line and column, from 1, of the second document, if there is one. It is not read.
    pub second_document: Option<(u64, u64)>,
}

/// Reads one document of YAML 1.2 for callers that have their own rules for keys. Repeated keys and merge keys stay as
/// they are. NEL, LS and PS, which end a line only in YAML 1.1, are content.
///
/// Fails like [`parse`], with positions in `text`.
pub(crate) fn parse_unmerged(text: String, limits: &Limits) -> Result<Unmerged> {
    let maximum = limits.tree_bytes.min(Limits::MAX_TREE_BYTES);
    if text.len() as u64 > maximum {
        return Err(Limit::TreeBytes.exceeded("the bytes of the YAML tree", maximum).at_line(1, 1));
    }
    let source = Arc::new(text);
    let document = Document::new(&source, 0, 1);
    check_characters(&document)?;
    let mut builder = Builder { is_unmerged: true, ..Builder::new(&source, document, limits) };
    builder.read(&mut Events::new(document, false, limits.depth))?;
    Ok(builder.unmerged())
}

/// The kind of file that a tree is part of.
#[derive(Clone, Copy, PartialEq)]
enum Rules {
    /// An ASDF file, whose standard restricts trees further than YAML does.
    Asdf,
    /// The header of a table, in which ordered mappings are read as mappings.
    Table,
}

/// A collection whose end has not been read yet.
struct Open {
    id: NodeId,
    is_mapping: bool,
    /// Index of its first child in `Builder::pending`.
    first: usize,
}

struct Builder<'a> {
    document: Document<'a>,
    rules: Rules,
    tree: Tree,
    max_nodes: u64,
    max_anchors: u64,
    /// Length of the shortest list whose items become plain items.
    plain_items: usize,
    open: Vec<Open>,
    /// Children of all open collections read so far; those of the innermost collection come last.
    pending: Vec<NodeId>,
    /// Mappings that have ended, inner ones before outer ones, and sequences that will become mappings.
    mappings: Vec<NodeId>,
    /// Nodes with anchors, by the name of the anchor. A name that repeats means the last one.
    anchors: HashMap<&'a str, NodeId>,
    anchor_count: u64,
    aliases: u64,
    /// The tag that was read last, and its number: tags often repeat.
    last_tag: Option<(&'a str, TagId)>,
    /// Numbers of all tags, by the form in which they are written.
    tags: HashMap<&'a str, TagId>,
    /// Number of bytes that further tags may have in full.
    room_for_tags: u64,
    /// End of the content read so far.
    content_end: u32,
    warnings: Vec<Warning>,
    /// Nodes with warnings. Their paths are known only when the tree is complete.
    remarks: Vec<(NodeId, Cow<'static, str>)>,
    remarks_left_out: u64,
    /// True if repeated keys and merge keys are kept and a second document is not an error.
    is_unmerged: bool,
    is_empty: bool,
    second_document: Option<usize>,
}

impl<'a> Builder<'a> {
    fn new(source: &Arc<String>, document: Document<'a>, limits: &Limits) -> Builder<'a> {
        let mut tree = Tree::for_source(source.clone(), document.offset, document.line);
        tree.set_lines(document.lines.cloned());
        Builder {
            document,
            // Only the header of a table consists of separate lines of its file.
            rules: if document.lines.is_some() { Rules::Table } else { Rules::Asdf },
            tree,
            max_nodes: limits.nodes.min(u64::from(u32::MAX) - 1),
            max_anchors: limits.anchors,
            plain_items: PLAIN_ITEMS,
            open: Vec::new(),
            pending: Vec::new(),
            mappings: Vec::new(),
            anchors: HashMap::new(),
            anchor_count: 0,
            aliases: 0,
            last_tag: None,
            tags: HashMap::new(),
            room_for_tags: TAG_BYTES + TAG_BYTES_PER_BYTE * document.text.len() as u64,
            content_end: 0,
            warnings: document.ignored_directives(),
            remarks: Vec::new(),
            remarks_left_out: 0,
            is_unmerged: false,
            is_empty: false,
            second_document: None,
        }
    }

    /// Returns the tree as it was read.
    fn unmerged(mut self) -> Unmerged {
        self.add_missing_root();
        let Builder { tree, is_empty, second_document, .. } = self;
        let second_document = second_document.map(|position| tree.line_and_column(position));
        Unmerged { tree, is_empty, second_document }
    }

    fn read(&mut self, events: &mut Events<'a>) -> Result<()> {
        self.read_events(events).map_err(|error| self.in_context(error, events.has_misplaced_token()))
    }

    fn read_events(&mut self, events: &mut Events<'a>) -> Result<()> {
        let mut documents = 0;
        while let Some(Event { kind, span, properties }) = events.next()? {
            let tag = match properties.tag {
                None => None,
                Some(tag) => Some(self.tag_number(tag, events)?),
            };
            let id = match kind {
                EventKind::Scalar(style, decoded) => self.scalar(style, decoded, tag, span)?,
                EventKind::SequenceStart(style) => self.start(Kind::Sequence, style, tag, span)?,
                EventKind::MappingStart(style) => self.start(Kind::Mapping, style, tag, span)?,
                EventKind::CollectionEnd => {
                    self.end(span);
                    continue;
                }
                EventKind::Run => {
                    self.run(events)?;
                    continue;
                }
                EventKind::Alias => {
                    self.alias(span)?;
                    continue;
                }
                EventKind::DocumentStart { version } => {
                    documents += 1;
                    if documents > 1 && self.is_unmerged {
                        // The position of its first event is more useful than the line before it.
                        let content = events.next()?.map_or(span, |event| event.span);
                        self.second_document = Some(content.start as usize);
                        return Ok(());
                    }
                    if documents > 1 {
                        let message = "a second YAML document begins before the end of the tree";
                        return Err(self.locate(Error::new(Status::Yaml, message), span));
                    }
                    self.check_version(version);
                    continue;
                }
            };
            if let Properties { anchor: Some(name), .. } = properties {
                self.anchor(id, name)?;
            }
        }
        Ok(())
    }

    fn check_version(&mut self, version: Option<(u32, u32)>) {
        if let Some((major, minor)) = version
            && (major, minor) != (1, 1)
        {
            let message = format!("the document declares YAML {major}.{minor}, but is read as YAML 1.1");
            self.warnings.push(self.document.warning_of_directive(message, "YAML"));
        }
    }

    fn tag_number(&mut self, span: Extent, events: &Events<'a>) -> Result<TagId> {
        let tag = &self.document.text[span.range()];
        match self.last_tag {
            Some((last, number)) if last == tag => Ok(number),
            _ => {
                let number = match self.tags.get(tag) {
                    Some(&number) => number,
                    None => self.new_tag(tag, span, events)?,
                };
                self.last_tag = Some((tag, number));
                Ok(number)
            }
        }
    }

    /// Returns the number of a tag that is written in this form for the first time.
    ///
    /// Fails if all such tags take too much memory: each may have a prefix as long as the text.
    fn new_tag(&mut self, tag: &'a str, span: Extent, events: &Events<'a>) -> Result<TagId> {
        let full = events.full_tag(tag)?;
        self.room_for_tags = self.room_for_tags.checked_sub(full.len() as u64).ok_or_else(|| {
            let message = "the tags of the tree are too long together; shorten the prefix of a %TAG directive";
            self.locate(Error::new(Status::Limit, message), span)
        })?;
        let number = self.tree.tag_number(&full);
        self.tags.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<(&str, TagId)>() as u64))?;
        self.tags.insert(tag, number);
        Ok(number)
    }

    #[inline]
    fn scalar(&mut self, style: Style, decoded: Decoded, tag: Option<TagId>, span: Extent) -> Result<NodeId> {
        self.check_room(span)?;
        if self.open.is_empty() && span.start == span.end {
            self.is_empty = true;
            let id = self.tree.add_collection(Kind::Mapping, Style::Block, NodeId::NONE, positions(span));
            self.set_tag(id, tag);
            self.mappings.push(id);
            self.add(id, span);
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
        self.add(id, span);
        Ok(id)
    }

    /// Adds simple nodes that follow one another.
    fn run(&mut self, events: &Events<'a>) -> Result<()> {
        progress::check()?;
        let mut rest = events.run();
        let mut tag = None;
        let mut anchor = None;
        if self.open.last().is_some_and(|open| !open.is_mapping) {
            rest = self.long_list(rest)?;
        }
        while let Some((&Piece { kind, span }, following)) = rest.split_first() {
            rest = following;
            let id = match kind {
                PieceKind::Scalar(style) if tag.is_none() && !self.open.is_empty() => {
                    self.check_nodes(span)?;
                    let content = ScalarText::InSource { inset: inset_of(style) };
                    let id = self.tree.add_scalar(content, style, self.parent(), positions(span));
                    self.check_text(id, style, span);
                    self.pending.push(id);
                    self.content_end = span.end;
                    id
                }
                PieceKind::Scalar(style) => self.scalar(style, None, tag.take(), span)?,
                PieceKind::FlowMappingStart => self.start(Kind::Mapping, Style::Flow, tag.take(), span)?,
                PieceKind::FlowSequenceStart => {
                    let id = self.start(Kind::Sequence, Style::Flow, tag.take(), span)?;
                    rest = self.long_list(rest)?;
                    id
                }
                PieceKind::BlockMappingStart => self.start(Kind::Mapping, Style::Block, tag.take(), span)?,
                PieceKind::BlockSequenceStart => {
                    let id = self.start(Kind::Sequence, Style::Block, tag.take(), span)?;
                    rest = self.long_list(rest)?;
                    id
                }
                PieceKind::FlowEnd | PieceKind::BlockEnd => {
                    self.end(span);
                    continue;
                }
                PieceKind::Alias => {
                    self.alias(span)?;
                    continue;
                }
                PieceKind::Tag => {
                    tag = Some(self.tag_number(span, events)?);
                    continue;
                }
                PieceKind::Anchor => {
                    anchor = Some(span);
                    continue;
                }
            };
            if let Some(name) = anchor.take() {
                self.anchor(id, name)?;
            }
        }
        Ok(())
    }

    /// Adds the plain scalars at the start of `pieces` as plain items, if they are many. Returns the other pieces.
    fn long_list<'p>(&mut self, pieces: &'p [Piece]) -> Result<&'p [Piece]> {
        let is_plain = |piece: &Piece| piece.kind == PieceKind::Scalar(Style::Plain);
        let count = match pieces.get(..self.plain_items) {
            Some(start) if start.iter().all(is_plain) => pieces.iter().take_while(|&piece| is_plain(piece)).count(),
            _ => return Ok(pieces),
        };
        let (list, rest) = pieces.split_at(count);
        let room = self.max_nodes.saturating_sub(self.tree.node_count() as u64);
        if let Some(&beyond) = usize::try_from(room).ok().and_then(|room| list.get(room)) {
            return Err(self.too_many_nodes(beyond.span));
        }
        let first = self.tree.add_plain_items(self.parent(), list.iter().map(|piece| piece.span));
        for (id, piece) in first.following().zip(list) {
            self.check_text(id, Style::Plain, piece.span);
        }
        self.content_end = list.last().map_or(self.content_end, |piece| piece.span.end);
        Ok(rest)
    }

    /// Adds a warning for the text of a scalar without a tag if other readers understand it in another way.
    #[inline]
    fn check_text(&mut self, id: NodeId, style: Style, span: Extent) {
        let inset = usize::from(inset_of(style));
        let range = span.start as usize + inset..span.end as usize - inset;
        if may_be_odd(&self.document.text.as_bytes()[range.clone()])
            && let Some(oddity) = oddity(&self.document.text[range], style == Style::Plain, None)
        {
            self.remark(id, Cow::Borrowed(oddity));
        }
    }

    /// Sets the tag of a new node, if it has one.
    #[inline]
    fn set_tag(&mut self, id: NodeId, tag: Option<TagId>) {
        if let Some(tag) = tag {
            self.tree.set_tag_number(id, tag);
        }
    }

    fn start(&mut self, kind: Kind, style: Style, tag: Option<TagId>, span: Extent) -> Result<NodeId> {
        self.check_room(span)?;
        if self.at_key() {
            return Err(self.key_error(span));
        }
        self.check_ordered(Some(kind), tag, span)?;
        let id = self.tree.add_collection(kind, style, self.parent(), positions(span));
        self.set_tag(id, tag);
        self.add(id, span);
        self.open.push(Open { id, is_mapping: kind == Kind::Mapping, first: self.pending.len() });
        Ok(id)
    }

    fn end(&mut self, span: Extent) {
        let Some(open) = self.open.pop() else { return };
        let items = self.pending.split_off(open.first);
        self.tree.set_items(open.id, items);
        if self.tree.style(open.id) == Style::Flow {
            self.content_end = span.end;
        }
        // A block collection has no closing character; blank lines and comments may follow its last child.
        self.tree.set_end(open.id, self.content_end);
        if open.is_mapping || self.is_ordered(self.tree.tag(open.id)) {
            self.mappings.push(open.id);
        }
    }

    /// Returns whether a node with this tag becomes an ordered mapping.
    fn is_ordered(&self, tag: Option<&str>) -> bool {
        self.rules == Rules::Table && tag == Some(ORDERED_MAPPING_TAG)
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

    fn anchor(&mut self, id: NodeId, span: Extent) -> Result<()> {
        let name = self.name_at(span);
        if self.anchor_count >= self.max_anchors {
            return Err(self.locate(Limit::Anchors.exceeded("anchors in the YAML tree", self.max_anchors), span));
        }
        self.anchor_count += 1;
        self.anchors.try_reserve(1).map_err(|_| Error::out_of_memory(size_of::<NodeId>() as u64))?;
        self.anchors.insert(name, id);
        self.tree.set_anchor(id, name);
        Ok(())
    }

    fn alias(&mut self, span: Extent) -> Result<()> {
        let name = self.name_at(span);
        self.check_room(span)?;
        if self.aliases >= self.max_anchors {
            return Err(self.locate(Limit::Anchors.exceeded("aliases in the YAML tree", self.max_anchors), span));
        }
        self.aliases += 1;
        let Some(&target) = self.anchors.get(name) else {
            let name = quoted_part(name);
            let message = format!("no anchor '&{name}' stands before this alias; quote a text that begins with '*'");
            return Err(self.locate(Error::new(Status::Yaml, message), span));
        };
        if self.at_key() && self.tree.kind(target) != Kind::Scalar {
            return Err(self.key_error(span));
        }
        let id = self.tree.add_alias(target, self.parent(), positions(span));
        self.add(id, span);
        Ok(())
    }

    /// Returns the name of an anchor or an alias.
    fn name_at(&self, span: Extent) -> &'a str {
        &self.document.text[span.range()][1..]
    }

    /// Adds a position in the text, of which [`Builder::in_context`] makes the place in the file.
    fn locate(&self, error: Error, span: Extent) -> Error {
        error.at_offset(u64::from(span.start))
    }

    #[inline]
    fn check_room(&self, span: Extent) -> Result<()> {
        self.check_nodes(span)?;
        if self.tree.node_count().is_multiple_of(CHECKED) { progress::check() } else { Ok(()) }
    }

    #[inline]
    fn check_nodes(&self, span: Extent) -> Result<()> {
        if self.tree.node_count() as u64 >= self.max_nodes { Err(self.too_many_nodes(span)) } else { Ok(()) }
    }

    #[cold]
    fn too_many_nodes(&self, span: Extent) -> Error {
        self.locate(Limit::Nodes.exceeded("nodes in the YAML tree", self.max_nodes), span)
    }

    #[inline]
    fn parent(&self) -> NodeId {
        self.open.last().map_or(NodeId::NONE, |open| open.id)
    }

    /// Returns whether the next node is the key of a pair.
    fn at_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_mapping && (self.pending.len() - open.first).is_multiple_of(2))
    }

    fn key_error(&self, span: Extent) -> Error {
        let message =
            "a sequence or a mapping cannot be the key of a mapping; quote a text that begins with '[' or '{'";
        self.locate(Error::new(Status::Tree, message), span)
    }

    #[inline]
    fn add(&mut self, id: NodeId, span: Extent) {
        self.content_end = self.content_end.max(span.end);
        if self.open.is_empty() {
            self.tree.set_root(id);
        } else {
            self.pending.push(id);
        }
    }

    fn remark(&mut self, id: NodeId, message: Cow<'static, str>) {
        if self.remarks.len() < MAX_WARNINGS {
            self.remarks.push((id, message));
        } else {
            self.remarks_left_out += 1;
        }
    }

    /// Adds an empty mapping as root if the document has no content.
    fn add_missing_root(&mut self) {
        if self.tree.node_count() == 0 {
            self.is_empty = true;
            let root = self.tree.add_collection(Kind::Mapping, Style::Block, NodeId::NONE, (0, 0));
            self.tree.set_root(root);
        }
    }

    fn finish(mut self) -> Result<Parsed> {
        self.add_missing_root();
        let mut budget = MAX_MERGED_PAIRS;
        let mappings = std::mem::take(&mut self.mappings);
        for &id in &mappings {
            if self.tree.kind(id) == Kind::Sequence {
                self.tree.make_ordered_mapping(id)?;
            }
        }
        for mapping in mappings {
            if self.tree.check(mapping).is_ok() {
                self.finish_mapping(mapping, &mut budget)?;
            }
        }
        let Builder { tree, rules, mut warnings, remarks, remarks_left_out, .. } = self;
        for (id, message) in remarks {
            if message == BEYOND_LIMITS && (rules == Rules::Table || is_element(&tree, id)) {
                continue;
            }
            warnings.push(Warning { message: message.into_owned(), location: tree.location(id) });
        }
        Ok(Parsed { tree, warnings, dropped_warnings: remarks_left_out })
    }

    fn finish_mapping(&mut self, mapping: NodeId, budget: &mut u64) -> Result<()> {
        let finished = self.tree.finish_mapping(mapping, budget);
        let KeyFindings { repeated, unusual, .. } = finished.map_err(|error| self.tree.locate(error, mapping))?;
        for key in repeated {
            let text = self.tree.key(key).text().into_owned();
            self.remark(key, Cow::Owned(format!("the key '{text}' repeats an earlier key; the last value is used")));
        }
        for key in unusual {
            if let (Rules::Asdf, Some(oddity)) = (self.rules, key_oddity(&self.tree, key)) {
                self.remark(key, Cow::Borrowed(oddity));
            }
        }
        Ok(())
    }
}

/// Returns the length of the quotes of a scalar.
fn inset_of(style: Style) -> u8 {
    u8::from(matches!(style, Style::SingleQuoted | Style::DoubleQuoted))
}

fn positions(span: Extent) -> (u32, u32) {
    (span.start, span.end)
}
