//! Ordered mappings (`!!omap`) and lists of pairs (`!!pairs`), which YAML 1.1 writes as a sequence of mappings with one
//! pair each.

use super::edit::Content;
use super::{Kind, NodeId, Style, Tree, path};
use crate::error::{Error, Result, Status};
use crate::reserve;
use crate::tags::{FULL_ORDERED_MAPPING, FULL_PAIRS};

impl Tree {
    /// Returns whether a node is an ordered mapping or a list of pairs, as a sequence.
    pub(crate) fn is_list_of_pairs(&self, id: NodeId) -> bool {
        self.kind(id) == Kind::Sequence && matches!(self.tag(id), Some(FULL_ORDERED_MAPPING | FULL_PAIRS))
    }

    /// Returns whether `token` is a key that an ordered mapping or a list of pairs does not have yet.
    pub(super) fn is_new_key(&self, sequence: NodeId, token: &str) -> bool {
        let is_key = token != "-" && path::index(token).is_none();
        is_key && self.is_list_of_pairs(sequence) && self.find_in_pairs(sequence, token).is_none()
    }

    /// Appends an item without a pair to an ordered mapping or a list of pairs. The caller adds the pair.
    pub(super) fn append_pair_item(&mut self, sequence: NodeId) -> NodeId {
        self.append_item(sequence, Content::Mapping(Style::Block))
    }

    /// Returns the item of an ordered mapping or a list of pairs whose pair has this value. It can be an alias.
    pub(super) fn item_with(&self, sequence: NodeId, value: NodeId) -> Option<NodeId> {
        if !self.is_list_of_pairs(sequence) {
            return None;
        }
        let pair = self.parent(value);
        self.items(sequence).iter().copied().find(|&item| Some(self.dealias(item)) == pair)
    }

    /// Returns the ordered mapping or list of pairs that has `item` as an item, if the item is a mapping with one pair.
    pub(super) fn list_of_single_pair(&self, item: NodeId) -> Option<NodeId> {
        let is_single = self.kind(item) == Kind::Mapping && self.items(item).len() == 2;
        self.parent(item).filter(|&list| is_single && self.is_list_of_pairs(list))
    }

    /// Returns the node to remove at `path` below `start`. In an ordered mapping or a list of pairs, a value is removed
    /// with its whole item, because an item must have one pair.
    ///
    /// Fails as [`Tree::own_entry`] does.
    pub(crate) fn entry_to_remove(&self, start: NodeId, path: &str) -> Result<NodeId> {
        let (parent, place) = self.own_entry(start, path)?;
        let is_single = |pair: &NodeId| self.kind(*pair) == Kind::Mapping && self.item_count(*pair) == 2;
        let Some(pair) = parent.filter(is_single) else { return Ok(place) };
        let item = self.collection_of(start, path)?.and_then(|list| self.item_with(list, place));
        Ok(item.or_else(|| self.list_of_single_pair(pair).map(|_| pair)).unwrap_or(place))
    }

    /// Returns the value under a key of an ordered mapping or a list of pairs, which is a sequence in the tree. Of equal
    /// keys, the first one is used.
    pub(super) fn find_in_pairs(&self, sequence: NodeId, token: &str) -> Option<NodeId> {
        if !self.is_list_of_pairs(sequence) {
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
        for item in reserve::copy_of(self.items(id))? {
            let inner = self.dealias(item);
            let pair = match (self.kind(inner), self.items(inner)) {
                (Kind::Mapping, &[key, value]) => [key, value],
                _ => {
                    let message = "each item of an ordered mapping (!!omap) must be a mapping with one pair";
                    return Err(self.locate(Error::new(Status::TagContent, message), item));
                }
            };
            reserve::room_for(&mut pairs, 2)?;
            pairs.extend(if item == inner { self.moved(pair, inner, id)? } else { self.aliases_of(pair, id)? });
        }
        self.node_mut(id).kind = Kind::Mapping;
        self.set_items(id, pairs);
        Ok(())
    }

    /// Makes aliases of a pair that belongs to another mapping, too.
    fn aliases_of(&mut self, mut pair: [NodeId; 2], mapping: NodeId) -> Result<[NodeId; 2]> {
        for node in &mut pair {
            self.make_room()?;
            let target = self.dealias(*node);
            let span = (self.node(*node).start, self.node(*node).end);
            *node = self.add_alias(target, mapping, span);
        }
        Ok(pair)
    }

    /// Moves a pair out of the mapping that contains only this pair. That mapping is removed, unless it has an anchor:
    /// then it keeps aliases of the pair.
    fn moved(&mut self, pair: [NodeId; 2], from: NodeId, to: NodeId) -> Result<[NodeId; 2]> {
        let left = if self.anchor(from).is_some() { self.aliases_of(pair, from)?.to_vec() } else { Vec::new() };
        self.node_mut(from).removed = left.is_empty();
        self.set_items(from, left);
        for node in pair {
            self.node_mut(node).parent = to;
        }
        Ok(pair)
    }
}
