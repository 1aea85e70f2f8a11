//! Checks the data that a tree keeps beside its nodes. Tests and debug builds run it after edits.

use super::mapping::MAX_MERGED_PAIRS;
use super::{Kind, NodeId, Tree};
use std::collections::HashSet;

/// Largest number of nodes of trees that a debug build checks after each edit.
#[cfg(debug_assertions)]
const MAX_CHECKED_NODES: usize = 300;

impl Tree {
    /// Panics in a debug build if the derived data of a small tree contradict its nodes.
    #[cfg(debug_assertions)]
    pub(crate) fn assert_consistent(&self) {
        if self.node_count() <= MAX_CHECKED_NODES
            && let Some(contradiction) = self.contradiction()
        {
            panic!("an edit made a tree inconsistent: {contradiction}");
        }
    }

    /// Returns the first contradiction between the nodes and the data that is derived from them.
    pub(crate) fn contradiction(&self) -> Option<String> {
        let mut nodes = HashSet::new();
        let mut stack = vec![self.root()];
        while let Some(id) = stack.pop() {
            if !nodes.insert(id) {
                return Some(format!("{id:?} stands at two places"));
            }
            if self.check(id).is_err() {
                return Some(format!("{id:?} is part of the tree but removed"));
            }
            if let Some(item) = self.items(id).iter().find(|&&item| self.parent(item) != Some(id)) {
                return Some(format!("{item:?} is an item of {id:?} but has another parent"));
            }
            stack.extend(self.items(id));
        }
        if let Some(orphan) = self.live_nodes().find(|id| !nodes.contains(id)) {
            return Some(format!("{orphan:?} is neither removed nor part of the tree"));
        }
        self.contradiction_in_aliases(&nodes).or_else(|| self.contradiction_in_pairs(&nodes))
    }

    fn contradiction_in_aliases(&self, nodes: &HashSet<NodeId>) -> Option<String> {
        let listed: HashSet<NodeId> = self.live_aliases().collect();
        for &alias in nodes.iter().filter(|&&id| self.kind(id) == Kind::Alias) {
            let target = self.dealias(alias);
            if !nodes.contains(&target) || self.kind(target) == Kind::Alias {
                return Some(format!("the alias {alias:?} leads to {target:?}, which has no content in the tree"));
            }
            if !listed.contains(&alias) {
                return Some(format!("the alias {alias:?} is not listed"));
            }
        }
        None
    }

    /// Compares pairs and indexes of mappings with those of a copy that derives them from the nodes alone.
    fn contradiction_in_pairs(&self, nodes: &HashSet<NodeId>) -> Option<String> {
        let mut fresh = self.clone();
        fresh.merging = nodes.iter().copied().filter(|&id| self.has_merge_key(id)).collect();
        for &id in nodes.iter().filter(|&&id| self.kind(id) == Kind::Mapping) {
            fresh.clear_derived(id);
            if !self.has_merge_key(id) {
                let _ = fresh.apply_keys(id, &mut MAX_MERGED_PAIRS.clone());
            }
        }
        fresh.reapply_merges();
        for &id in nodes.iter().filter(|&&id| self.kind(id) == Kind::Mapping) {
            if self.pairs(id) != fresh.pairs(id) {
                return Some(format!("{id:?} has other effective pairs than its items give"));
            }
            let mut pairs = self.pairs(id).chunks_exact(2);
            if let Some(pair) = pairs.find(|pair| self.find(id, self.key(pair[0])) != fresh.find(id, self.key(pair[0])))
            {
                return Some(format!("{id:?} does not find its key {:?}", pair[0]));
            }
        }
        None
    }
}
