//! What the language asks of YAML before it has a meaning: keys, tags, aliases and limits.

use super::ReadLimits;
use super::reader::Reader;
use crate::ndl::Code;
use crate::ndl::model::scalar;
use crate::ndl::model::scalar::Core;
use crate::tree::scalar::YAML_TAG_PREFIX;
use crate::tree::{Kind, NodeId, Style};
use std::collections::{HashMap, HashSet};

/// Keys that may be compared one with the other rather than by a set.
const FEW_KEYS: usize = 16;

/// What a node costs once its aliases are expanded.
#[derive(Clone, Copy, Default)]
struct Cost {
    nodes: u64,
    /// Of the text of scalars.
    bytes: u64,
    depth: u32,
}

/// A collection on the way from the root to the current node.
struct Open {
    id: NodeId,
    next: usize,
    cost: Cost,
}

/// Gives the reader back if the text keeps the rules of the YAML level and is a mapping.
pub(super) fn check<'r, 'o>(mut reader: Reader<'r, 'o>, is_empty: bool) -> Option<Reader<'r, 'o>> {
    let root = reader.tree.root();
    let tag_free = reader.tree.kind(root) == Kind::Scalar && reader.core(root) == Some(Core::Null);
    if is_empty || tag_free {
        reader.report(Code::EmptyDoc, "", root, "the document is empty; a description without content is {}");
        return None;
    }
    if !are_kept(&mut reader) {
        return None;
    }
    if reader.tree.kind(root) != Kind::Mapping {
        reader.report(Code::DocType, "", root, "a description is a mapping");
        return None;
    }
    Some(reader)
}

/// Whether the text keeps the rules of the YAML level, whatever it is; the faults are told.
pub(super) fn are_kept(reader: &mut Reader) -> bool {
    let root = reader.tree.root();
    Rules { reader: &mut *reader, costs: HashMap::new(), active: HashSet::new() }.walk(root);
    reader.diagnostics.error_count() == 0
}

struct Rules<'a, 'r, 'o> {
    reader: &'a mut Reader<'r, 'o>,
    /// What nodes with anchors cost.
    costs: HashMap<NodeId, Cost>,
    /// Nodes with anchors that have not ended.
    active: HashSet<NodeId>,
}

impl Rules<'_, '_, '_> {
    fn walk(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        let limits = &self.reader.options.limits;
        let (most_nodes, most_depth) = (limits.nodes, limits.depth.min(ReadLimits::MAX_DEPTH));
        let most_bytes = self.reader.budget.left();
        let mut open: Vec<Open> = Vec::new();
        let mut node = Some(root);
        loop {
            let cost = match node.take() {
                Some(id) if matches!(tree.kind(id), Kind::Sequence | Kind::Mapping) => {
                    self.check_collection(id);
                    if tree.anchor(id).is_some() {
                        self.active.insert(id);
                    }
                    open.push(Open { id, next: 0, cost: Cost { nodes: 1, ..Cost::default() } });
                    None
                }
                Some(id) => Some(self.leaf(id)),
                None => open.pop().map(|ended| {
                    let cost = Cost { depth: ended.cost.depth + 1, ..ended.cost };
                    if self.active.remove(&ended.id) {
                        self.costs.insert(ended.id, cost);
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
                        "with aliases expanded there are more than {most_nodes} nodes, {most_bytes} bytes of text or \
                         {most_depth} levels, the limits"
                    );
                    self.reader.report(Code::Limit, "", root, message);
                    return;
                }
            }
            let Some(parent) = open.last_mut() else { return };
            if parent.next == 0
                && let Some(items) = tree.plain_items(parent.id)
            {
                // Plain scalars without tags and anchors: there is nothing to check.
                parent.cost.nodes = parent.cost.nodes.saturating_add(items.count() as u64);
                let length = tree.span(parent.id).map_or(0, |span| span.len());
                parent.cost.bytes = parent.cost.bytes.saturating_add(length as u64);
                parent.next = usize::MAX;
            }
            node = tree.items(parent.id).get(parent.next).copied();
            parent.next = parent.next.saturating_add(1);
        }
    }

    fn leaf(&mut self, id: NodeId) -> Cost {
        let tree = self.reader.tree;
        if tree.kind(id) != Kind::Alias {
            self.check_scalar(id);
            let cost = Cost { nodes: 1, bytes: tree.text(id).len() as u64, depth: 0 };
            if tree.anchor(id).is_some() {
                self.costs.insert(id, cost);
            }
            return cost;
        }
        let target = tree.dealias(id);
        if self.active.contains(&target) {
            self.reader.report(Code::AliasCycle, "", id, "an alias of what it is part of");
        }
        self.costs.get(&target).copied().unwrap_or(Cost { nodes: 1, ..Cost::default() })
    }

    fn check_scalar(&mut self, id: NodeId) {
        let tree = self.reader.tree;
        let Some(tag) = tree.tag(id) else { return };
        if !scalar::fits_tag(tree.text(id), tag) {
            let message = match tag.strip_prefix(YAML_TAG_PREFIX) {
                Some(name) => {
                    format!("'{}' is not what the tag !!{name} asks for", super::reader::shown(tree.text(id)))
                }
                None => format!("the tag {} has no meaning here", super::reader::shown(tag)),
            };
            self.reader.report(Code::YamlTag, "", id, message);
        }
    }

    fn check_collection(&mut self, id: NodeId) {
        let tree = self.reader.tree;
        let own_tag = if tree.kind(id) == Kind::Mapping { "map" } else { "seq" };
        if let Some(tag) = tree.tag(id)
            && tag != "!"
            && tag.strip_prefix(YAML_TAG_PREFIX) != Some(own_tag)
        {
            let message = format!("the tag {} has no meaning here", super::reader::shown(tag));
            self.reader.report(Code::YamlTag, "", id, message);
        }
        if tree.kind(id) == Kind::Mapping {
            self.check_keys(id);
        }
    }

    fn check_keys(&mut self, mapping: NodeId) {
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
                self.reader.report(Code::KeyType, "", key, "a key is a scalar");
            } else if is_plain && text.is_empty() {
                self.reader.report_pair(
                    Code::KeyType,
                    "",
                    mapping,
                    pair,
                    "a key is empty; the name without characters is ''",
                );
            } else if is_plain && text == "<<" {
                self.reader.report(
                    Code::MergeKey,
                    "",
                    key,
                    "merge keys are not part of the language; the name is '<<'",
                );
            }
            let is_new = if many {
                set.insert(text)
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
    }
}
