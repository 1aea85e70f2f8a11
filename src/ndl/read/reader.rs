//! What all parts of the reader have: the tree, the options, and how to tell what is wrong.

use super::ReadOptions;
use super::budget::Budget;
use super::diagnostics::Diagnostics;
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::ndl::{Code, Content, ContentScalar, Extensions, Named, Value};
use crate::tree::scalar::YAML_TAG_PREFIX;
use crate::tree::{Kind, NodeId, Style, Tree};

/// Characters of a text that messages show.
const SHOWN: usize = 40;

/// A text, shortened, for a message.
pub(super) fn shown(text: &str) -> String {
    let mut out: String = text.chars().take(SHOWN).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHOWN).is_some() {
        out.push('…');
    }
    out
}

/// A pair of a mapping.
#[derive(Clone, Copy)]
pub(super) struct Pair<'r> {
    pub(super) name: &'r str,
    pub(super) key: NodeId,
    /// The value, or what it is an alias of.
    pub(super) value: NodeId,
}

pub(super) struct Reader<'r, 'o> {
    pub(super) tree: &'r Tree,
    pub(super) options: &'r ReadOptions,
    pub(super) diagnostics: &'r mut Diagnostics<'o>,
    /// Values that are not in the text.
    pub(super) apart: &'r [&'r Value],
    /// What aliases and path names may yet come to.
    pub(super) budget: Budget,
}

impl<'r, 'o> Reader<'r, 'o> {
    pub(super) fn new(
        tree: &'r Tree,
        options: &'r ReadOptions,
        diagnostics: &'r mut Diagnostics<'o>,
    ) -> Reader<'r, 'o> {
        let length = tree.span(tree.root()).map_or(0, |span| span.end);
        Reader { tree, options, diagnostics, apart: &[], budget: Budget::for_text(length as u64) }
    }

    /// Tells of something at a node.
    pub(super) fn report(&mut self, code: Code, place: &str, node: NodeId, message: impl Into<String>) {
        let tree = self.tree;
        let start = tree.span(node).map_or(0, |span| span.start);
        self.diagnostics.add_at(code, place, || tree.line_and_column(start), message);
    }

    /// Tells of something at the value of a pair, or at its key if there is no text of a value.
    pub(super) fn report_value(&mut self, code: Code, place: &str, pair: Pair, message: impl Into<String>) {
        let node = if self.is_omitted(pair.value) { pair.key } else { pair.value };
        self.report(code, place, node, message);
    }

    /// Tells of something at the first of these nodes, all of one mapping, that has a text.
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

    /// Whether a node stands nowhere in the text: a value that was left out.
    pub(super) fn is_omitted(&self, node: NodeId) -> bool {
        self.tree.span(node).is_none_or(|span| span.is_empty())
    }

    pub(super) fn kind(&self, node: NodeId) -> Kind {
        self.tree.kind(node)
    }

    /// The pairs of a mapping in order; none of what is no mapping.
    pub(super) fn pairs(&self, mapping: NodeId) -> Vec<Pair<'r>> {
        let tree = self.tree;
        if tree.kind(mapping) != Kind::Mapping {
            return Vec::new();
        }
        let pair = |nodes: &[NodeId]| match nodes {
            &[key, value] => Some(Pair { name: tree.text(tree.dealias(key)), key, value: tree.dealias(value) }),
            _ => None,
        };
        tree.items(mapping).chunks(2).filter_map(pair).collect()
    }

    /// The items of a list in order, or what they are aliases of.
    pub(super) fn items(&self, list: NodeId) -> impl ExactSizeIterator<Item = NodeId> + use<'r> {
        let tree = self.tree;
        tree.items(list).iter().map(|&item| tree.dealias(item))
    }

    /// What a scalar means by the core schema; nothing for collections.
    pub(super) fn core(&self, node: NodeId) -> Option<Core<'r>> {
        if let Some(text) = self.tree.plain_text(node) {
            return Some(scalar::resolve(text, true, None));
        }
        let is_plain = self.tree.style(node) == Style::Plain;
        (self.kind(node) == Kind::Scalar).then(|| scalar::resolve(self.tree.text(node), is_plain, self.tree.tag(node)))
    }

    pub(super) fn is_null(&self, node: NodeId) -> bool {
        self.core(node) == Some(Core::Null)
    }

    /// A non-negative integer within 64 bits.
    pub(super) fn natural(&self, node: NodeId) -> Option<u64> {
        match self.core(node)? {
            Core::Integer(text) => scalar::integer(text)?.try_into().ok(),
            _ => None,
        }
    }

    /// Lists of non-negative integers.
    pub(super) fn naturals(&self, node: NodeId) -> Option<Vec<u64>> {
        if self.kind(node) != Kind::Sequence {
            return None;
        }
        self.items(node).map(|item| self.natural(item)).collect()
    }

    /// Keeps what stands under an `x-` key.
    pub(super) fn extend(&self, extensions: &mut Extensions, pair: Pair) {
        extensions.insert(pair.name, self.content(pair.value));
    }

    /// Any YAML, aliases expanded; as deep as the limit allows.
    pub(super) fn content(&self, node: NodeId) -> Content {
        match self.kind(node) {
            Kind::Sequence => Content::List(self.items(node).map(|item| self.content(item)).collect()),
            Kind::Mapping => {
                let pairs = self.pairs(node).into_iter().map(|pair| (pair.name, self.content(pair.value)));
                Content::Mapping(pairs.collect::<Named<Content>>())
            }
            Kind::Scalar | Kind::Alias => Content::Scalar(ContentScalar {
                text: self.tree.text(node).to_owned(),
                plain: self.tree.style(node) == Style::Plain,
                tag: self.tree.tag(node).map(|tag| tag.strip_prefix(YAML_TAG_PREFIX).unwrap_or_default().to_owned()),
            }),
        }
    }
}
