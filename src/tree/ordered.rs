//! Ordered mappings (`!!omap`), which YAML 1.1 writes as a sequence of mappings with one pair each.

use super::{Kind, NodeId, Tree};
use crate::error::{Error, Result, Status};

/// The full tag of ordered mappings.
pub(crate) const ORDERED_MAPPING_TAG: &str = "tag:yaml.org,2002:omap";

impl Tree {
    /// Makes a sequence of mappings with one pair each the mapping that they are together. It keeps its tag, by which a
    /// writer knows what it was.
    ///
    /// Fails with [`Status::TagContent`] if an item is anything else.
    pub(crate) fn make_ordered_mapping(&mut self, id: NodeId) -> Result<()> {
        let mut pairs = Vec::new();
        for item in self.items(id).to_vec() {
            let inner = self.dealias(item);
            let pair = match (self.kind(inner), self.items(inner)) {
                (Kind::Mapping, &[key, value]) => [key, value],
                _ => {
                    let message = "an item of an ordered mapping is not a mapping of one key to one value";
                    return Err(self.locate(Error::new(Status::TagContent, message), item));
                }
            };
            pairs.extend(if item == inner { self.moved(pair, inner, id) } else { self.aliases_of(pair, id) });
        }
        self.node_mut(id).kind = Kind::Mapping;
        self.set_items(id, pairs);
        Ok(())
    }

    /// Aliases of a pair that belongs to a mapping elsewhere, too.
    fn aliases_of(&mut self, pair: [NodeId; 2], mapping: NodeId) -> [NodeId; 2] {
        pair.map(|node| {
            let target = self.dealias(node);
            let span = (self.node(node).start, self.node(node).end);
            self.add_alias(target, mapping, span)
        })
    }

    /// A pair taken out of the mapping that it was alone in, and which is gone then unless it is meant elsewhere.
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
