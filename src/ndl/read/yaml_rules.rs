//! Checks the rules of the language for YAML itself: keys, tags, aliases and limits.

use super::ReadLimits;
use super::reader::Reader;
use crate::error::Result;
use crate::ndl::Code;
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::reserve::{insert, push, room_in};
use crate::tags;
use crate::tree::{Kind, NodeId, Style};
use std::collections::{HashMap, HashSet};

/// Maximum number of keys for which comparison in pairs is faster than a set.
const FEW_KEYS: usize = 16;

/// Size of a node with its aliases expanded.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: u64,
    /// Size of the text of all scalars, in bytes.
    bytes: u64,
    depth: u32,
}

/// A collection that contains the current node.
struct OpenCollection {
    id: NodeId,
    next: usize,
    cost: Cost,
}

/// Returns the reader if the text keeps the YAML rules and is a mapping.
pub(super) fn check<'r, 'o>(mut reader: Reader<'r, 'o>, is_empty: bool) -> Option<Reader<'r, 'o>> {
    let root = reader.tree.root();
    let is_null = reader.tree.kind(root) == Kind::Scalar && reader.core(root) == Some(Core::Null);
    if is_empty || is_null {
        reader.report(Code::EmptyDoc, "", root, "the document is empty; write {} for a description without content");
        return None;
    }
    if !follows_rules(&mut reader) {
        return None;
    }
    if reader.tree.kind(root) != Kind::Mapping {
        reader.report(Code::DocType, "", root, "a description must be a mapping");
        return None;
    }
    Some(reader)
}

/// Checks the YAML rules for any kind of node. Reports errors, and returns false if there are any.
pub(super) fn follows_rules(reader: &mut Reader) -> bool {
    let root = reader.tree.root();
    Rules { reader: &mut *reader, costs: HashMap::new(), active: HashSet::new() }.walk(root);
    reader.diagnostics.error_count() == 0
}

struct Rules<'a, 'r, 'o> {
    reader: &'a mut Reader<'r, 'o>,
    /// Sizes of nodes with anchors.
    costs: HashMap<NodeId, Cost>,
    /// Nodes with anchors whose content is not finished.
    active: HashSet<NodeId>,
}

impl Rules<'_, '_, '_> {
    fn walk(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        let limits = &self.reader.options.limits;
        let (most_nodes, most_depth) = (limits.nodes, limits.depth.min(ReadLimits::MAX_DEPTH));
        let most_bytes = self.reader.budget.left();
        let mut open: Vec<OpenCollection> = Vec::new();
        let mut node = Some(root);
        loop {
            let cost = match node.take() {
                Some(id) if matches!(tree.kind(id), Kind::Sequence | Kind::Mapping) => {
                    let opened = self.open(id, &mut open);
                    if self.reader.held(opened).is_none() {
                        return;
                    }
                    None
                }
                Some(id) => Some(self.leaf(id)),
                None => open.pop().map(|ended| {
                    let cost = Cost { depth: ended.cost.depth + 1, ..ended.cost };
                    if self.active.remove(&ended.id) {
                        self.remember(ended.id, cost);
                    }
                    cost
                }),
            };
            if let Some(cost) = cost {
                let Some(parent) = open.last_mut() else { return };
                parent.cost.nodes = parent.cost.nodes.saturating_add(cost.nodes);
                parent.cost.bytes = parent.cost.bytes.saturating_add(cost.bytes);
                parent.cost.depth = parent.cost.depth.max(cost.depth);
                if parent.cost.nodes > most_nodes || parent.cost.bytes > most_bytes || parent.cost.depth >= most_depth {
                    let message = format!(
                        "with aliases expanded, the text exceeds a limit: {most_nodes} nodes, {most_bytes} bytes or \
                         {most_depth} levels"
                    );
                    self.reader.report(Code::Limit, "", root, message);
                    return;
                }
            }
            let Some(parent) = open.last_mut() else { return };
            if parent.next == 0
                && let Some(items) = tree.plain_items(parent.id)
            {
                // Plain scalars without tags and anchors need no check.
                parent.cost.nodes = parent.cost.nodes.saturating_add(items.count() as u64);
                let length = tree.span(parent.id).map_or(0, |span| span.len());
                parent.cost.bytes = parent.cost.bytes.saturating_add(length as u64);
                parent.next = usize::MAX;
            }
            node = tree.items(parent.id).get(parent.next).copied();
            parent.next = parent.next.saturating_add(1);
        }
    }

    fn open(&mut self, id: NodeId, open: &mut Vec<OpenCollection>) -> Result<()> {
        self.check_collection(id)?;
        if self.reader.tree.anchor(id).is_some() {
            insert(&mut self.active, id)?;
        }
        push(open, OpenCollection { id, next: 0, cost: Cost { nodes: 1, ..Cost::default() } })
    }

    /// Remembers the cost of a node with an anchor.
    fn remember(&mut self, id: NodeId, cost: Cost) {
        let room = room_in(&mut self.costs, 1);
        if self.reader.held(room).is_some() {
            self.costs.insert(id, cost);
        }
    }

    fn leaf(&mut self, id: NodeId) -> Cost {
        let tree = self.reader.tree;
        if tree.kind(id) != Kind::Alias {
            self.check_scalar(id);
            let cost = Cost { nodes: 1, bytes: tree.text(id).len() as u64, depth: 0 };
            if tree.anchor(id).is_some() {
                self.remember(id, cost);
            }
            return cost;
        }
        let target = tree.dealias(id);
        if self.active.contains(&target) {
            self.reader.report(Code::AliasCycle, "", id, "an alias must not refer to a node that contains it");
        }
        self.costs.get(&target).copied().unwrap_or(Cost { nodes: 1, ..Cost::default() })
    }

    fn check_scalar(&mut self, id: NodeId) {
        let tree = self.reader.tree;
        let Some(tag) = tree.tag(id) else { return };
        if !scalar::fits_tag(tree.text(id), tag) {
            let message = match tag.strip_prefix(tags::YAML) {
                Some(name) => {
                    format!("'{}' is not valid for the tag !!{name}", super::reader::shown(tree.text(id)))
                }
                None => format!("the tag {} is not allowed here", super::reader::shown(tag)),
            };
            self.reader.report(Code::YamlTag, "", id, message);
        }
    }

    fn check_collection(&mut self, id: NodeId) -> Result<()> {
        let tree = self.reader.tree;
        let own_tag = if tree.kind(id) == Kind::Mapping { "map" } else { "seq" };
        if let Some(tag) = tree.tag(id)
            && tag != "!"
            && tag.strip_prefix(tags::YAML) != Some(own_tag)
        {
            let message = format!("the tag {} is not allowed here", super::reader::shown(tag));
            self.reader.report(Code::YamlTag, "", id, message);
        }
        if tree.kind(id) == Kind::Mapping { self.check_keys(id) } else { Ok(()) }
    }

    fn check_keys(&mut self, mapping: NodeId) -> Result<()> {
        let tree = self.reader.tree;
        let items = tree.items(mapping);
        let many = items.len() > 2 * FEW_KEYS;
        let (mut few, mut set): (Vec<&str>, HashSet<&str>) = Default::default();
        for pair in items.chunks(2) {
            let Some(&key) = pair.first() else { continue };
            let target = tree.dealias(key);
            let text = tree.text(target);
            let is_plain = tree.style(target) == Style::Plain && tree.tag(target).is_none();
            if tree.kind(target) != Kind::Scalar {
                self.reader.report(Code::KeyType, "", key, "a key must be a scalar");
            } else if is_plain && text.is_empty() {
                self.reader.report_pair(
                    Code::KeyType,
                    "",
                    mapping,
                    pair,
                    "a key is empty; write '' for the empty name",
                );
            } else if is_plain && text == "<<" {
                self.reader.report(
                    Code::MergeKey,
                    "",
                    key,
                    "merge keys are not part of NDL; write '<<' in quotes for a key with this name",
                );
            }
            let is_new = if many {
                insert(&mut set, text)?
            } else {
                let is_new = !few.contains(&text);
                few.push(text);
                is_new
            };
            if !is_new {
                let message = format!("the key '{}' repeats an earlier one", super::reader::shown(text));
                self.reader.report(Code::DupKey, "", key, message);
            }
        }
        Ok(())
    }
}
