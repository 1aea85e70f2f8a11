//! Builds a tree from events: nodes, anchors, limits, and warnings.

mod bytes;
pub(super) mod engine;
pub(super) mod gaps;
pub(super) mod granit;
mod head;
mod oddities;
pub(super) mod plain;
pub(super) mod reduced;
pub(super) mod source;

use self::engine::{Engine, Event, EventKind};
use self::gaps::GapsEngine;
use self::granit::GranitEngine;
use self::oddities::{BEYOND_LIMITS, is_element, key_oddity, may_be_odd, oddity};
use self::plain::{PieceKind, full_tag};
use self::reduced::{Simple, Thresholds, Whole};
use self::source::{Document, OddBreaks, check_characters};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::{Limit, Limits};
use crate::progress;
use crate::tree::mapping::{KeyFindings, MAX_MERGED_PAIRS};
use crate::tree::{Extent, Kind, Lines, NodeId, ORDERED_MAPPING_TAG, ScalarText, Style, TagId, Tree};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Number of nodes between two checks for cancellation.
const CHECKED: usize = 1024;

/// Maximum number of warnings kept for one tree; further ones are only counted.
const MAX_WARNINGS: usize = 100;

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
    let odd_breaks = check_characters(&document)?;
    if odd_breaks.is_empty()
        && let Some(simple) = Simple::new(&source, Thresholds::DEFAULT, limits.nodes)
    {
        let mut builder = Builder::new(&source, document, OddBreaks::default(), limits);
        if builder.read_simple(&simple, limits.depth).is_ok()
            && let Ok(parsed) = builder.finish()
        {
            return Ok(parsed);
        }
    }
    let text = odd_breaks.replaced(&source);
    let mut builder = Builder::new(&source, document, odd_breaks, limits);
    builder.read(&mut GranitEngine::new(&text, document, limits.depth))?;
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
    let builder = || Builder { is_unmerged: true, ..Builder::new(&source, document, OddBreaks::default(), limits) };
    if let Some(simple) = Simple::new(&source, Thresholds::DEFAULT, limits.nodes) {
        let mut builder = builder();
        if builder.read_simple(&simple, limits.depth).is_ok() {
            return Ok(builder.unmerged());
        }
    }
    let mut builder = builder();
    builder.read(&mut GranitEngine::new(&source, document, limits.depth))?;
    Ok(builder.unmerged())
}

/// Reads a text with the scanner alone (`None`) or with its simple parts.
#[cfg(test)]
pub(super) fn read_by(text: &str, simple: Option<&Simple>, limits: &Limits) -> Result<Parsed> {
    let document = Document::new(text, 0, 1);
    let source = Arc::new(text.to_owned());
    let mut builder = Builder::new(&source, document, OddBreaks::default(), limits);
    match simple {
        Some(simple) => builder.read_simple(simple, limits.depth)?,
        None => builder.read(&mut GranitEngine::new(text, document, limits.depth))?,
    }
    builder.finish()
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
    open: Vec<Open>,
    /// Children of all open collections read so far; those of the innermost collection come last.
    pending: Vec<NodeId>,
    /// Mappings that have ended, inner ones before outer ones, and sequences that will become mappings.
    mappings: Vec<NodeId>,
    /// Nodes with anchors, by the number of the anchor.
    anchors: HashMap<usize, NodeId>,
    aliases: u64,
    /// The node that began last.
    last: Option<NodeId>,
    /// End of the content read so far.
    content_end: usize,
    odd_breaks: OddBreaks,
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
    fn new(source: &Arc<String>, document: Document<'a>, odd_breaks: OddBreaks, limits: &Limits) -> Builder<'a> {
        let mut tree = Tree::for_source(source.clone(), document.offset, document.line);
        tree.set_lines(document.lines.cloned());
        Builder {
            document,
            // Only the header of a table consists of separate lines of its file.
            rules: if document.lines.is_some() { Rules::Table } else { Rules::Asdf },
            tree,
            max_nodes: limits.nodes.min(u64::from(u32::MAX) - 1),
            max_anchors: limits.anchors,
            open: Vec::new(),
            pending: Vec::new(),
            mappings: Vec::new(),
            anchors: HashMap::new(),
            aliases: 0,
            last: None,
            content_end: 0,
            odd_breaks,
            warnings: document.ignored_directives(),
            remarks: Vec::new(),
            remarks_left_out: 0,
            is_unmerged: false,
            is_empty: false,
            second_document: None,
        }
    }

    /// Reads a text faster than by the scanner alone. After an error, which does not describe the text, the scanner
    /// must read it with another builder.
    fn read_simple(&mut self, simple: &'a Simple<'a>, depth: u32) -> Result<()> {
        match simple {
            Simple::Whole(whole) if whole.fits(self.document.text, depth) => self.read_whole(whole),
            Simple::Whole(_) => Err(Error::new(Status::Internal, "the collections can be nested too deep")),
            Simple::Reduced(reduced) => self.read(&mut GapsEngine::new(reduced, self.document, depth)),
        }
    }

    /// Reads a text that needs no scanner.
    fn read_whole(&mut self, whole: &Whole) -> Result<()> {
        let tag = whole.head.tag.map(|tag| self.tree.tag_number(&full_tag(tag, whole.tag_prefix)));
        let start = whole.head.end;
        self.start(Kind::Mapping, Style::Block, tag, start..start)?;
        self.pieces(&whole.pieces, whole.thresholds.items, whole.tag_prefix)
    }

    /// Returns the tree as it was read.
    fn unmerged(mut self) -> Unmerged {
        self.add_missing_root();
        let Builder { tree, is_empty, second_document, .. } = self;
        let second_document = second_document.map(|position| tree.line_and_column(position));
        Unmerged { tree, is_empty, second_document }
    }

    fn read(&mut self, engine: &mut impl Engine<'a>) -> Result<()> {
        let mut documents = 0;
        let explain = |builder: &Self, error| builder.odd_breaks.explain(&builder.document, error);
        while let Some(Event { kind, span }) = engine.next().map_err(|error| explain(self, error))? {
            match kind {
                EventKind::DocumentStart { version } => {
                    documents += 1;
                    if documents > 1 && self.is_unmerged {
                        // The position of its first event is more useful than the line before it.
                        let content = engine.next()?.map_or(span.start, |event| event.span.start);
                        self.second_document = Some(content);
                        return Ok(());
                    }
                    if documents > 1 {
                        let error =
                            Error::new(Status::Yaml, "a second YAML document begins before the end of the tree");
                        return Err(self.document.locate(error, span.start));
                    }
                    self.check_version(version);
                }
                EventKind::Scalar { text, style, tag } => {
                    let tag = self.tag_number(tag);
                    self.scalar(text, style, tag, span)?;
                }
                EventKind::Pieces { pieces, items, tag_prefix } => self.pieces(pieces, items, tag_prefix)?,
                EventKind::SequenceStart { style, tag } => {
                    let tag = self.tag_number(tag);
                    self.start(Kind::Sequence, style, tag, span)?;
                }
                EventKind::MappingStart { style, tag } => {
                    let tag = self.tag_number(tag);
                    self.start(Kind::Mapping, style, tag, span)?;
                }
                EventKind::CollectionEnd => self.end(span),
                EventKind::Anchor { number, name } => self.anchor(number, &name, span)?,
                EventKind::Alias { number } => self.alias(number, span)?,
            }
        }
        self.odd_breaks.finish(&self.document)
    }

    fn check_version(&mut self, version: Option<(u32, u32)>) {
        if let Some((major, minor)) = version
            && (major, minor) != (1, 1)
        {
            let message = format!("the document declares YAML {major}.{minor}, but is read as YAML 1.1");
            self.warnings.push(self.document.warning_of_directive(message, "YAML"));
        }
    }

    fn tag_number(&mut self, tag: Option<String>) -> Option<TagId> {
        tag.map(|tag| self.tree.tag_number(&tag))
    }

    fn scalar(&mut self, text: Cow<'a, str>, style: Style, tag: Option<TagId>, span: Range<usize>) -> Result<()> {
        self.check_room(span.start)?;
        let text = if self.odd_breaks.is_empty() {
            text
        } else {
            self.odd_breaks.unfold(&self.document, text, span.clone(), style)?
        };
        if self.open.is_empty() && text.is_empty() && span.is_empty() {
            self.is_empty = true;
            let id = self.tree.add_collection(Kind::Mapping, Style::Block, NodeId::NONE, positions(&span));
            self.set_tag(id, tag);
            self.mappings.push(id);
            self.add(id, &span);
            return Ok(());
        }
        self.check_ordered(None, tag, span.start)?;
        let inset = u8::from(matches!(style, Style::SingleQuoted | Style::DoubleQuoted));
        let margin = usize::from(inset);
        let literal = self.document.text.get(span.start + margin..span.end.saturating_sub(margin));
        let is_literal = literal.is_some_and(|literal| std::ptr::eq(literal, &*text) || *literal == *text);
        let content = if is_literal && !matches!(style, Style::Literal | Style::Folded) {
            ScalarText::InSource { inset }
        } else {
            ScalarText::Decoded(&text)
        };
        let id = self.tree.add_scalar(content, style, self.parent(), positions(&span));
        self.set_tag(id, tag);
        if let Some(oddity) = oddity(&text, style == Style::Plain, self.tree.tag(id)) {
            self.remark(id, Cow::Borrowed(oddity));
        }
        self.add(id, &span);
        Ok(())
    }

    /// Sets the tag of a new node, if it has one.
    #[inline]
    fn set_tag(&mut self, id: NodeId, tag: Option<TagId>) {
        if let Some(tag) = tag {
            self.tree.set_tag_number(id, tag);
        }
    }

    fn plain_items(&mut self, items: &[Extent]) -> Result<()> {
        let (Some(start), Some(end)) = (items.first(), items.last()) else { return Ok(()) };
        if (self.tree.node_count() + items.len()) as u64 > self.max_nodes {
            let error = Limit::Nodes.exceeded("nodes in the YAML tree", self.max_nodes);
            return Err(self.document.locate(error, start.range().start));
        }
        progress::check()?;
        // The first item of a block sequence comes in a separate event.
        let begins_list = self.open.last().is_some_and(|open| open.first + 1 == self.pending.len());
        let before = self.pending.last().filter(|_| begins_list).and_then(|&first| self.tree.withdraw_plain(first));
        if before.is_some() {
            self.pending.pop();
        }
        let first = self.tree.add_plain_items(self.parent(), before, items);
        for (item, text) in first.following().skip(usize::from(before.is_some())).zip(items) {
            let is_suspect = self.document.text.as_bytes().get(text.range()).is_some_and(may_be_odd);
            if is_suspect && let Some(oddity) = oddity(&self.document.text[text.range()], true, None) {
                self.remark(item, Cow::Borrowed(oddity));
            }
            self.last = Some(item);
        }
        self.content_end = self.content_end.max(end.range().end);
        Ok(())
    }

    /// Adds the nodes of pieces. Lists of more than `items` plain scalars become plain items.
    fn pieces(&mut self, pieces: &[Extent], items: usize, tag_prefix: &str) -> Result<()> {
        let text = self.document.text;
        let mut tag = None;
        // Tags often repeat: the last one as written, and its number.
        let mut last_tag: Option<(&[u8], TagId)> = None;
        let mut rest = self.long_list(pieces, items)?;
        while let Some((&piece, following)) = rest.split_first() {
            rest = following;
            let kind = PieceKind::of(text.as_bytes(), piece);
            let span = piece.range();
            let style = match kind {
                PieceKind::Plain => Style::Plain,
                PieceKind::Quoted => Style::SingleQuoted,
                PieceKind::Tag => {
                    let written = text.as_bytes().get(span.clone()).unwrap_or_default();
                    let number = match last_tag {
                        Some((last, number)) if last == written => number,
                        _ => self.tree.tag_number(&full_tag(&text[span], tag_prefix)),
                    };
                    (tag, last_tag) = (Some(number), Some((written, number)));
                    continue;
                }
                PieceKind::End | PieceKind::BlockEnd => {
                    self.end(span);
                    continue;
                }
                PieceKind::Mapping | PieceKind::BlockMapping => {
                    let style = if kind == PieceKind::Mapping { Style::Flow } else { Style::Block };
                    self.start(Kind::Mapping, style, tag.take(), span)?;
                    continue;
                }
                PieceKind::Sequence | PieceKind::BlockSequence => {
                    let style = if kind == PieceKind::Sequence { Style::Flow } else { Style::Block };
                    self.start(Kind::Sequence, style, tag.take(), span.start..span.start)?;
                    rest = self.long_list(rest, items)?;
                    continue;
                }
            };
            self.check_room(span.start)?;
            self.check_ordered(None, tag, span.start)?;
            let inset = u8::from(style == Style::SingleQuoted);
            let id = self.tree.add_scalar(ScalarText::InSource { inset }, style, self.parent(), positions(&span));
            if tag.is_some() || text.as_bytes().get(span.clone()).is_some_and(may_be_odd) {
                self.set_tag(id, tag.take());
                if let Some(oddity) = oddity(self.tree.text(id), style == Style::Plain, self.tree.tag(id)) {
                    self.remark(id, Cow::Borrowed(oddity));
                }
            }
            self.add(id, &span);
        }
        Ok(())
    }

    /// Adds the plain scalars at the start of `pieces` as plain items, if they are more than `items` in a sequence.
    /// Returns the other pieces.
    fn long_list<'p>(&mut self, pieces: &'p [Extent], items: usize) -> Result<&'p [Extent]> {
        let source = self.document.text.as_bytes();
        let is_plain = |piece: &Extent| PieceKind::of(source, *piece) == PieceKind::Plain;
        if self.open.last().is_none_or(|open| open.is_mapping)
            || pieces.get(..=items).is_none_or(|start| !start.iter().all(is_plain))
        {
            return Ok(pieces);
        }
        let count = pieces.iter().position(|piece| !is_plain(piece)).unwrap_or(pieces.len());
        let (list, rest) = pieces.split_at(count);
        self.plain_items(list)?;
        Ok(rest)
    }

    fn start(&mut self, kind: Kind, style: Style, tag: Option<TagId>, span: Range<usize>) -> Result<()> {
        self.check_room(span.start)?;
        if self.at_key() {
            return Err(self.key_error(span.start));
        }
        self.check_ordered(Some(kind), tag, span.start)?;
        let id = self.tree.add_collection(kind, style, self.parent(), positions(&span));
        self.set_tag(id, tag);
        self.add(id, &span);
        self.open.push(Open { id, is_mapping: kind == Kind::Mapping, first: self.pending.len() });
        Ok(())
    }

    fn end(&mut self, span: Range<usize>) {
        let Some(open) = self.open.pop() else { return };
        let items = self.pending.split_off(open.first);
        self.tree.set_items(open.id, items);
        if self.tree.style(open.id) == Style::Flow {
            self.content_end = span.end;
        }
        // A block collection has no closing character; blank lines and comments may follow its last child.
        self.tree.set_end(open.id, self.content_end as u32);
        if open.is_mapping || self.is_ordered(self.tree.tag(open.id)) {
            self.mappings.push(open.id);
        }
    }

    /// Returns whether a node with this tag becomes an ordered mapping.
    fn is_ordered(&self, tag: Option<&str>) -> bool {
        self.rules == Rules::Table && tag == Some(ORDERED_MAPPING_TAG)
    }

    /// Fails with [`Status::TagContent`] if an ordered mapping is not written as a sequence.
    fn check_ordered(&self, kind: Option<Kind>, tag: Option<TagId>, position: usize) -> Result<()> {
        let tag = tag.map(|tag| self.tree.tag_of_number(tag));
        if kind == Some(Kind::Sequence) || !self.is_ordered(tag) {
            return Ok(());
        }
        let error = Error::new(
            Status::TagContent,
            "an ordered mapping (!!omap) must be a sequence of mappings with one pair each",
        );
        Err(self.document.locate(error, position))
    }

    fn anchor(&mut self, number: usize, name: &str, span: Range<usize>) -> Result<()> {
        if self.anchors.len() as u64 >= self.max_anchors {
            return Err(self
                .document
                .locate(Limit::Anchors.exceeded("anchors in the YAML tree", self.max_anchors), span.start));
        }
        if let Some(id) = self.last {
            self.anchors.insert(number, id);
            self.tree.set_anchor(id, name);
        }
        Ok(())
    }

    fn alias(&mut self, number: usize, span: Range<usize>) -> Result<()> {
        self.check_room(span.start)?;
        if self.aliases >= self.max_anchors {
            return Err(self
                .document
                .locate(Limit::Anchors.exceeded("aliases in the YAML tree", self.max_anchors), span.start));
        }
        self.aliases += 1;
        let Some(&target) = self.anchors.get(&number) else {
            let error = Error::new(Status::Internal, "the engine reported an alias of an unknown anchor");
            return Err(self.document.locate(error, span.start));
        };
        if self.at_key() && self.tree.kind(target) != Kind::Scalar {
            return Err(self.key_error(span.start));
        }
        let id = self.tree.add_alias(target, self.parent(), positions(&span));
        self.add(id, &span);
        Ok(())
    }

    #[inline]
    fn check_room(&self, position: usize) -> Result<()> {
        if self.tree.node_count() as u64 >= self.max_nodes {
            return Err(self
                .document
                .locate(Limit::Nodes.exceeded("nodes in the YAML tree", self.max_nodes), position));
        }
        if self.tree.node_count().is_multiple_of(CHECKED) { progress::check() } else { Ok(()) }
    }

    #[inline]
    fn parent(&self) -> NodeId {
        self.open.last().map_or(NodeId::NONE, |open| open.id)
    }

    /// Returns whether the next node is the key of a pair.
    fn at_key(&self) -> bool {
        self.open.last().is_some_and(|open| open.is_mapping && (self.pending.len() - open.first).is_multiple_of(2))
    }

    fn key_error(&self, position: usize) -> Error {
        let error = Error::new(Status::Tree, "a sequence or a mapping cannot be the key of a mapping");
        self.document.locate(error, position)
    }

    #[inline]
    fn add(&mut self, id: NodeId, span: &Range<usize>) {
        self.last = Some(id);
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

fn positions(span: &Range<usize>) -> (u32, u32) {
    // The text is shorter than 2^32 bytes.
    (span.start as u32, span.end as u32)
}
