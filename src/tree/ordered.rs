//! Ordered mappings (`!!omap`) and lists of pairs (`!!pairs`), which YAML 1.1 writes as a sequence of mappings with one
//! pair each.

use super::{Kind, NodeId, Tree};
use crate::error::{Error, Result, Status};

/// The full tag of ordered mappings.
pub(crate) const ORDERED_MAPPING_TAG: &str = "tag:yaml.org,2002:omap";

/// The full tag of lists of pairs, whose keys may repeat.
const PAIRS_TAG: &str = "tag:yaml.org,2002:pairs";

impl Tree {
    /// Returns the value under a key of an ordered mapping or a list of pairs, which is a sequence in the tree. Of equal
    /// keys, the first one is used.
    pub(super) fn find_in_pairs(&self, sequence: NodeId, token: &str) -> Option<NodeId> {
        if !matches!(self.tag(sequence), Some(ORDERED_MAPPING_TAG | PAIRS_TAG)) {
            return None;
        }
        let pairs = self.items(sequence).iter().map(|&item| self.dealias(item));
        pairs.filter(|&pair| self.kind(pair) == Kind::Mapping).find_map(|pair| self.find_token(pair, token))
    }

    /// Converts a sequence of mappings with one pair each to one mapping. It keeps its tag, so that a writer can
    /// restore the sequence.
    ///
    /// Fails with [`Status::TagContent`] if an item is anything else.
    pub(crate) fn make_ordered_mapping(&mut self, id: NodeId) -> Result<()> {
        let mut pairs = Vec::new();
        for item in self.items(id).to_vec() {
            let inner = self.dealias(item);
            let pair = match (self.kind(inner), self.items(inner)) {
                (Kind::Mapping, &[key, value]) => [key, value],
                _ => {
                    let message = "each item of an ordered mapping (!!omap) must be a mapping with one pair";
                    return Err(self.locate(Error::new(Status::TagContent, message), item));
                }
            };
            pairs.extend(if item == inner { self.moved(pair, inner, id) } else { self.aliases_of(pair, id) });
        }
        self.node_mut(id).kind = Kind::Mapping;
        self.set_items(id, pairs);
        Ok(())
    }

    /// Makes aliases of a pair that belongs to another mapping, too.
    fn aliases_of(&mut self, pair: [NodeId; 2], mapping: NodeId) -> [NodeId; 2] {
        pair.map(|node| {
            let target = self.dealias(node);
            let span = (self.node(node).start, self.node(node).end);
            self.add_alias(target, mapping, span)
        })
    }

    /// Moves a pair out of the mapping that contains only this pair. That mapping is removed, unless it has an anchor:
    /// then it keeps aliases of the pair.
    fn moved(&mut self, pair: [NodeId; 2], from: NodeId, to: NodeId) -> [NodeId; 2] {
        let left = if self.anchor(from).is_some() { self.aliases_of(pair, from).to_vec() } else { Vec::new() };
        self.node_mut(from).removed = left.is_empty();
        self.set_items(from, left);
        for node in pair {
            self.node_mut(node).parent = to;
        }
        pair
    }
}
