//! Shared state of all parts of the reader: the tree, the options and the diagnostics.

use super::ReadOptions;
use super::budget::Budget;
use super::diagnostics::Diagnostics;
use crate::error::Result;
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Code, Content, ContentScalar, Extensions, Named, Value};
use crate::reserve::{collected, push, text_of};
use crate::tags;
use crate::tree::{Kind, NodeId, Style, Tree};

/// Maximum number of characters of the text in a message.
const SHOWN: usize = 40;

/// Shortens a text for a message.
pub(super) fn shown(text: &str) -> String {
    let mut out: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        out.push('…');
    }
    out
}

/// A key and value of a mapping.
#[derive(Clone, Copy)]
pub(super) struct Pair<'r> {
    pub(super) name: &'r str,
    pub(super) key: NodeId,
    /// The value; for an alias, its target.
    pub(super) value: NodeId,
}

pub(super) struct Reader<'r, 'o> {
    pub(super) tree: &'r Tree,
    pub(super) options: &'r ReadOptions,
    pub(super) diagnostics: &'r mut Diagnostics<'o>,
    /// Detached values, which are not in the text.
    pub(super) detached: &'r [&'r Value],
    /// Remaining budget for aliases and path names.
    pub(super) budget: Budget,
}

impl<'r, 'o> Reader<'r, 'o> {
    pub(super) fn new(
        tree: &'r Tree,
        options: &'r ReadOptions,
        diagnostics: &'r mut Diagnostics<'o>,
    ) -> Reader<'r, 'o> {
        let length = tree.span(tree.root()).map_or(0, |span| span.end);
        Reader { tree, options, diagnostics, detached: &[], budget: Budget::for_text(length as u64) }
    }

    /// Reports a diagnostic at a node.
    pub(super) fn report(&mut self, code: Code, place: &str, node: NodeId, message: impl Into<String>) {
        let tree = self.tree;
        let start = tree.span(node).map_or(0, |span| span.start);
        self.diagnostics.add_at(code, place, || tree.line_and_column(start), message);
    }

    /// Reports a diagnostic at the value of a pair, or at its key if the value has no text.
    pub(super) fn report_value(&mut self, code: Code, place: &str, pair: Pair, message: impl Into<String>) {
        let node = if self.is_omitted(pair.value) { pair.key } else { pair.value };
        self.report(code, place, node, message);
    }

    /// Reports a diagnostic at the first of these nodes with a text, or at the mapping around them if none has one.
    pub(super) fn report_pair(
        &mut self,
        code: Code,
        place: &str,
        mapping: NodeId,
        nodes: &[NodeId],
        message: impl Into<String>,
    ) {
        let node = nodes.iter().copied().find(|&node| !self.is_omitted(node)).unwrap_or(mapping);
        self.report(code, place, node, message);
    }

    /// Returns true if the node has no text, because the value was left out.
    pub(super) fn is_omitted(&self, node: NodeId) -> bool {
        self.tree.span(node).is_none_or(|span| span.is_empty())
    }

    pub(super) fn kind(&self, node: NodeId) -> Kind {
        self.tree.kind(node)
    }

    /// Iterates over the pairs of a mapping in order; none for other nodes.
    pub(super) fn pairs(&self, mapping: NodeId) -> impl ExactSizeIterator<Item = Pair<'r>> + use<'r> {
        let tree = self.tree;
        let nodes = if tree.kind(mapping) == Kind::Mapping { tree.items(mapping) } else { &[] };
        let pair = move |&[key, value]: &[NodeId; 2]| {
            let name = tree.text(tree.dealias(key));
            Pair { name, key, value: tree.dealias(value) }
        };
        nodes.as_chunks::<2>().0.iter().map(pair)
    }

    /// Iterates over the pairs of an optional mapping.
    pub(super) fn optional_pairs(&self, mapping: Option<Pair<'r>>) -> impl Iterator<Item = Pair<'r>> + use<'r> {
        mapping.map(|mapping| self.pairs(mapping.value)).into_iter().flatten()
    }

    /// Returns the pair of a mapping that has no other.
    pub(super) fn only_pair(&self, mapping: NodeId) -> Option<Pair<'r>> {
        let mut pairs = self.pairs(mapping);
        pairs.next().filter(|_| pairs.len() == 0)
    }

    /// Returns a part, or reports why there is none.
    pub(super) fn held<T>(&mut self, part: Result<T>) -> Option<T> {
        part.map_err(|error| self.diagnostics.add_error(&error)).ok()
    }

    /// Iterates over the items of a list in order. Aliases are replaced by their targets.
    pub(super) fn items(&self, list: NodeId) -> impl ExactSizeIterator<Item = NodeId> + DoubleEndedIterator + use<'r> {
        let tree = self.tree;
        tree.items(list).iter().map(|&item| tree.dealias(item))
    }

    /// Resolves a scalar by the core schema; `None` for collections.
    pub(super) fn core(&self, node: NodeId) -> Option<Core<'r>> {
        if let Some(text) = self.tree.plain_text(node) {
            return Some(scalar::resolve(text, true, None));
        }
        let is_plain = self.tree.style(node) == Style::Plain;
        (self.kind(node) == Kind::Scalar).then(|| scalar::resolve(self.tree.text(node), is_plain, self.tree.tag(node)))
    }

    /// Returns the text of a scalar without quotes and tag.
    pub(super) fn plain(&self, node: NodeId) -> Option<&'r str> {
        if let Some(text) = self.tree.plain_text(node) {
            return Some(text);
        }
        let node = self.tree.dealias(node);
        let is_plain = self.tree.kind(node) == Kind::Scalar && self.tree.style(node) == Style::Plain;
        (is_plain && self.tree.tag(node).is_none()).then(|| self.tree.text(node))
    }

    pub(super) fn is_null(&self, node: NodeId) -> bool {
        self.core(node) == Some(Core::Null)
    }

    /// Reads a non-negative integer of at most 64 bits.
    pub(super) fn natural(&self, node: NodeId) -> Option<u64> {
        match self.core(node)? {
            Core::Integer(text) => scalar::integer(text)?.try_into().ok(),
            _ => None,
        }
    }

    /// Reads a list of non-negative integers.
    pub(super) fn naturals(&mut self, node: NodeId) -> Option<Vec<u64>> {
        if self.kind(node) != Kind::Sequence {
            return None;
        }
        let mut numbers = Vec::new();
        for item in self.items(node) {
            let number = self.natural(item)?;
            self.held(push(&mut numbers, number))?;
        }
        Some(numbers)
    }

    /// Stores the value of an `x-` key.
    pub(super) fn extend(&mut self, extensions: &mut Extensions, pair: Pair) {
        let added = self.content(pair.value).and_then(|content| extensions.add(pair.name, content));
        self.held(added);
    }

    /// Returns the text of a scalar of content. Fails with [`Status::Limit`](crate::Status::Limit) for an integer that
    /// takes long to write in base ten.
    fn convertible_text(&self, node: NodeId) -> Result<String> {
        let text = self.tree.text(node);
        scalar::check_convertible(text).map_err(|error| self.tree.locate(error, node))?;
        text_of(text).map(String::from)
    }

    /// Returns a node as content with its aliases expanded. Recursion is as deep as the limit allows.
    pub(super) fn content(&self, node: NodeId) -> Result<Content> {
        Ok(match self.kind(node) {
            Kind::Sequence => Content::List(collected(self.items(node).map(|item| self.content(item)))?),
            Kind::Mapping => {
                let pairs = self.pairs(node).map(|pair| Ok((pair.name, self.content(pair.value)?)));
                Content::Mapping(Named::collected(pairs)?)
            }
            Kind::Scalar | Kind::Alias => Content::Scalar(ContentScalar {
                text: self.convertible_text(node)?,
                plain: self.tree.style(node) == Style::Plain,
                tag: self.tree.tag(node).map(|tag| tag.strip_prefix(tags::YAML).unwrap_or_default().to_owned()),
            }),
        })
    }
}
