//! The original text of moved nodes. Comments, styles and quotes are kept.
//!
//! Lines get a new indentation. Text that does not fit this way is written by the emitter.

use super::Splicer;
use crate::error::Result;
use crate::tree::{Kind, NodeId, Style, Tree};
use crate::yaml::write::Context;
use std::collections::{HashMap, HashSet};

/// Moved nodes whose original text can be reused.
#[derive(Default)]
pub(crate) struct MovedTexts {
    /// Nodes whose text is unchanged, with the collection that holds the text.
    nodes: HashMap<NodeId, NodeId>,
    /// Collections that contain these nodes.
    around: HashSet<NodeId>,
}

/// Maximum depth of new collections that are searched for moved nodes. Deeper ones are written by the emitter.
const MAX_DEPTH: usize = 32;

impl MovedTexts {
    /// Finds the reusable texts. `touched` holds the changed nodes and their ancestors.
    pub(super) fn of(tree: &Tree, touched: &HashSet<NodeId>) -> MovedTexts {
        let is_kept = |id| tree.items(id).iter().all(|item| !touched.contains(item));
        let nodes: HashMap<NodeId, NodeId> = tree.moved_texts().filter(|&(id, _)| is_kept(id)).collect();
        let mut around = HashSet::new();
        for &id in nodes.keys() {
            let mut next = tree.parent(id);
            while let Some(parent) = next.filter(|&parent| around.insert(parent)) {
                next = tree.parent(parent);
            }
        }
        MovedTexts { nodes, around }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub(super) fn contains(&self, id: NodeId) -> bool {
        self.nodes.contains_key(&id)
    }
}

impl Splicer<'_> {
    /// Returns the text of an entry of a collection, from its key or dash up to the end of its last line.
    pub(super) fn entry_text(
        &mut self,
        key: Option<NodeId>,
        value: NodeId,
        flow: bool,
        column: usize,
    ) -> Result<String> {
        self.entry_text_within(key, value, flow, column, MAX_DEPTH)
    }

    /// Returns the text after the `-` or `:` of a value, up to the end of its last line.
    pub(super) fn value_text(&mut self, value: NodeId, context: Context, column: usize) -> Result<String> {
        match self.text_elsewhere(value, context, column, MAX_DEPTH)? {
            Some(text) => Ok(text),
            None => self.emitter.value_text(value, context, column),
        }
    }

    fn entry_text_within(
        &mut self,
        key: Option<NodeId>,
        value: NodeId,
        flow: bool,
        column: usize,
        depth: usize,
    ) -> Result<String> {
        let context = match (flow, key) {
            (true, _) => Context::Flow,
            (false, Some(_)) => Context::Value,
            (false, None) => Context::Item,
        };
        let text = self.text_elsewhere(value, context, column, depth)?;
        Ok(match (key, text) {
            (Some(key), Some(text)) => match self.emitter.simple_key_text(key, flow)? {
                Some(key) if flow => format!("{key}: {text}"),
                Some(key) => format!("{key}:{text}"),
                None => self.emitter.pair_text(key, value, flow, column)?,
            },
            (None, Some(text)) if flow => text,
            (None, Some(text)) => format!("-{text}"),
            (Some(key), None) => self.emitter.pair_text(key, value, flow, column)?,
            (None, None) if flow => self.emitter.value_text(value, context, column)?,
            (None, None) => format!("-{}", self.emitter.value_text(value, context, column)?),
        })
    }

    /// Returns the original text of a moved value, or the text of a new collection that contains moved values. Returns
    /// `None` if the emitter must write the value.
    fn text_elsewhere(&mut self, id: NodeId, context: Context, column: usize, depth: usize) -> Result<Option<String>> {
        let Some(&parent) = self.texts.nodes.get(&id) else { return self.text_around(id, context, column, depth) };
        let Some(span) = self.tree.span(id).filter(|span| !span.is_empty()) else { return Ok(None) };
        let end = self.around.trimmed(span.end);
        let block = self.tree.style(id) == Style::Block;
        let is_collection = matches!(self.tree.kind(id), Kind::Sequence | Kind::Mapping);
        if !matches!(context, Context::Flow | Context::Value | Context::Item) || (block && context == Context::Flow) {
            return Ok(None);
        }
        // The comment after a value belongs to its entry. In a flow collection it would hide the text that follows.
        let has_own_line = self.tree.style(parent) == Style::Block && (block || self.tree.is_moved(id));
        let comment = if context != Context::Flow && has_own_line { self.comment_behind(end) } else { String::new() };
        if !is_collection {
            let text = self.emitter.value_text(id, context, column)?;
            return Ok(Some(if text.contains('\n') { text } else { text + &comment }));
        }
        let start = if block { self.first_entry(id, parent, span.start) } else { span.start };
        let Some(body) = self.tree.source().get(start..end) else { return Ok(None) };
        let has_lines = body.contains('\n');
        if has_lines && (context == Context::Flow || (!self.emitter.allows_literals() && body.contains(['|', '>']))) {
            return Ok(None);
        }
        let properties = self.emitter.properties_text(id);
        if !block {
            let from = self.indentation(start);
            let body = indented(body, from, column);
            let blank = if context == Context::Flow { "" } else { " " };
            let properties = if properties.is_empty() { properties } else { properties + " " };
            return Ok(Some(format!("{blank}{properties}{body}{comment}")));
        }
        let column = match (context, self.tree.kind(id)) {
            (Context::Value, Kind::Sequence) => column,
            _ => column + 2,
        };
        let head = self.comments_before(id, parent, start, column);
        let body = indented(body, self.around.column(start), column);
        if context == Context::Item && properties.is_empty() && head.is_empty() {
            return Ok(Some(format!(" {body}{comment}")));
        }
        let properties = if properties.is_empty() { properties } else { format!(" {properties}") };
        Ok(Some(format!("{properties}{head}\n{}{body}{comment}", " ".repeat(column))))
    }

    /// Returns the text of a new collection that contains reused texts.
    fn text_around(&mut self, id: NodeId, context: Context, column: usize, depth: usize) -> Result<Option<String>> {
        let tree = self.tree;
        let made = tree.span(id).is_none() && tree.style(id) == Style::Block && tree.tag(id).is_none();
        let mapping = tree.kind(id) == Kind::Mapping;
        if !made || !mapping || context != Context::Value || depth == 0 || tree.items(id).len() > 2 * MAX_DEPTH {
            return Ok(None);
        }
        let is_shared = self.emitter.anchors().any(|(anchored, _)| anchored == id);
        if is_shared || !self.texts.around.contains(&id) {
            return Ok(None);
        }
        let mut text = String::new();
        for pair in tree.items(id).chunks_exact(2) {
            let entry = self.entry_text_within(Some(pair[0]), pair[1], false, column + 2, depth - 1)?;
            text.push_str(&format!("\n{}{entry}", " ".repeat(column + 2)));
        }
        Ok(Some(text))
    }

    /// Returns the position of the first entry of a block collection. The span of an unindented sequence begins after
    /// its first dash.
    fn first_entry(&self, id: NodeId, parent: NodeId, start: usize) -> usize {
        if self.tree.kind(id) == Kind::Sequence && self.tree.kind(parent) == Kind::Mapping {
            let line = self.around.line_start(start);
            let before = &self.around.0[line..start];
            if before.trim_ascii() == b"-" {
                return line + before.iter().take_while(|&&byte| byte == b' ').count();
            }
        }
        start
    }

    /// Counts the spaces at the start of the line of a position.
    fn indentation(&self, at: usize) -> usize {
        let line = self.around.line_start(at);
        self.around.0[line..at].iter().take_while(|&&byte| byte == b' ').count()
    }

    /// Returns the comments between a key and its value: the rest of the line of the key, and comment lines, which get
    /// the indentation `column`.
    fn comments_before(&self, id: NodeId, parent: NodeId, start: usize, column: usize) -> String {
        let pair = self.tree.original_items(parent).chunks_exact(2).find(|pair| pair[1] == id);
        let key = pair.filter(|_| self.tree.kind(parent) == Kind::Mapping).and_then(|pair| self.tree.span(pair[0]));
        let colon = key.map(|key| self.around.skip(key.end, false));
        let Some(colon) = colon.filter(|&colon| self.around.0.get(colon) == Some(&b':')) else { return String::new() };
        let after = self.around.properties(colon + 1).map_or(colon + 1, |range| range.end);
        let Some(between) = self.tree.source().get(after..start) else { return String::new() };
        let mut lines = between.lines();
        let mut out = lines.next().unwrap_or_default().trim_end().to_owned();
        for line in lines.map(str::trim).filter(|line| line.starts_with('#')) {
            out.push_str(&format!("\n{}{line}", " ".repeat(column)));
        }
        out
    }

    /// Returns the comment on the rest of a line, with the blanks before it.
    pub(super) fn comment_behind(&self, at: usize) -> String {
        let end = self.around.line_content_end(at);
        let rest = self.tree.source().get(at..end).unwrap_or_default();
        if rest.starts_with([' ', '\t']) && rest.trim_start().starts_with('#') {
            rest.to_owned()
        } else {
            String::new()
        }
    }
}

/// Changes the indentation of a text from column `from` of its first line to column `to`.
fn indented(text: &str, from: usize, to: usize) -> String {
    let mut out = String::with_capacity(text.len());
    for (number, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        if number > 0 {
            out.push('\n');
        }
        let blanks = line.bytes().take_while(|&byte| byte == b' ').count();
        if number == 0 || (blanks == line.len() && blanks < from) {
            out.push_str(line);
        } else if to >= from {
            out.push_str(&" ".repeat(to - from));
            out.push_str(line);
        } else {
            out.push_str(&line[blanks.min(from - to)..]);
        }
    }
    out
}
