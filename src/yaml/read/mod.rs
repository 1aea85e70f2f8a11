//! Builds a tree from events.
//!
//! `nodes`, `runs` and `names` add what the events name; `finish` applies merge keys and collects warnings; `context`
//! completes errors.

mod context;
mod finish;
mod names;
mod nodes;
mod oddities;
mod runs;

use super::characters::check_characters;
use super::document::{Document, quoted_part};
use super::events::{Event, EventKind, Events, Properties, Version};
use crate::error::{Error, Result, Status, Warning};
use crate::limits::{Limit, Limits};
use crate::reserve;
use crate::tree::{Extent, Kind, Lines, NodeId, TagId, Tree, same};
use foldhash::{HashMap, HashMapExt};
use std::borrow::Cow;
use std::sync::Arc;

/// Length of the shortest list that takes less memory as plain items of the tree than as nodes.
const PLAIN_ITEMS: usize = 64;

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

/// Returns whether a text gives this tree when it is read.
pub(super) fn reads_as(text: &str, tree: &Tree, limits: &Limits) -> Result<bool> {
    let parsed = Error::readable(parse(reserve::text_of(text)?.into_string(), 0, 1, limits))?;
    parsed.map_or(Ok(false), |parsed| same(tree, &parsed.tree))
}

/// Reads one document that is not an ASDF tree, whose lines stand at these positions of the file.
///
/// Ordered mappings (`!!omap`) become mappings and keep that tag. Other content under that tag fails with
/// [`Status::TagContent`].
pub(crate) fn parse_lines(text: String, lines: Lines, limits: &Limits) -> Result<Parsed> {
    parse_placed(text, 0, 1, Some(&Arc::new(lines)), limits)
}

fn parse_placed(text: String, offset: u64, line: u64, lines: Option<&Arc<Lines>>, limits: &Limits) -> Result<Parsed> {
    check_length(&text, limits).map_err(|error| error.at_offset(offset))?;
    // The tree shares the text: a copy would double the memory.
    let source = Arc::new(text);
    let document = Document { lines, ..Document::new(&source, offset, line) };
    let mut builder = Builder::new(&source, document, limits);
    builder.read(limits.depth)?;
    builder.finish()
}

/// Reads one document, in which lists of at least `plain_items` plain scalars become plain items.
#[cfg(test)]
pub(in crate::yaml) fn parse_with_plain_items(text: String, plain_items: usize, limits: &Limits) -> Result<Parsed> {
    let source = Arc::new(text);
    let mut builder = Builder { plain_items, ..Builder::new(&source, Document::new(&source, 0, 1), limits) };
    builder.read(limits.depth)?;
    builder.finish()
}

fn check_length(text: &str, limits: &Limits) -> Result<()> {
    let maximum = limits.tree_bytes.min(Limits::MAX_TREE_BYTES);
    if text.len() as u64 > maximum {
        return Err(Limit::TreeBytes.exceeded("the bytes of the YAML tree", maximum));
    }
    Ok(())
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
/// they are. NEL, LS and PS, which end a line only in YAML 1.1, are content, and `{a:}` has the key `a`.
///
/// Fails like [`parse`], with positions in `text`.
pub(crate) fn parse_unmerged(text: String, limits: &Limits) -> Result<Unmerged> {
    check_length(&text, limits).map_err(|error| error.at_line(1, 1))?;
    let source = Arc::new(text);
    let mut builder = Builder { is_unmerged: true, ..Builder::new(&source, Document::new(&source, 0, 1), limits) };
    builder.read(limits.depth)?;
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
struct OpenCollection {
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
    open: Vec<OpenCollection>,
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
    /// True for a document of YAML 1.2 in which repeated keys and merge keys are kept. A second document is no error.
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
            warnings: Vec::new(),
            remarks: Vec::new(),
            remarks_left_out: 0,
            is_unmerged: false,
            is_empty: false,
            second_document: None,
        }
    }

    fn read(&mut self, depth: u32) -> Result<()> {
        let has_unicode_breaks = check_characters(&self.document)?;
        let mut events = match self.is_unmerged {
            true => Events::of_version_1_2(self.document, depth),
            false => Events::new(self.document, has_unicode_breaks, depth),
        };
        self.read_events(&mut events).map_err(|error| self.in_context(error, events.has_misplaced_token()))
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
                    self.end(span)?;
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
                    self.check_directives(version, events.ignored_directives());
                    continue;
                }
            };
            if let Properties { anchor: Some(name), .. } = properties {
                self.anchor(id, name)?;
            }
        }
        Ok(())
    }

    /// Adds warnings for the directives of the document that have no effect.
    fn check_directives(&mut self, version: Option<Version>, ignored: &[Extent]) {
        let document = self.document;
        self.warnings.extend(ignored.iter().map(|directive| {
            let name = document.text[directive.range()].split_ascii_whitespace().next().unwrap_or_default();
            let message = format!("the unknown directive {} is ignored", quoted_part(name));
            document.warning(message, directive.start as usize)
        }));
        if let Some(Version { major, minor, position }) = version
            && (major, minor) != (1, 1)
        {
            let message = format!("the document declares YAML {major}.{minor}, but is read as YAML 1.1");
            self.warnings.push(document.warning(message, position as usize));
        }
    }
}
