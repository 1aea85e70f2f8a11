//! Holes of a large mapping: pairs that were removed, but still stand in its list of items. Without holes, each removal
//! would move all pairs behind it.

use super::{Collection, Difference, NodeId, Tree};
use crate::error::Result;
use crate::reserve;
use once_cell::race::OnceBox;
use std::sync::Mutex;

/// Number of items from which on a mapping gets holes. A shorter list is moved as fast.
const HOLED_FROM: usize = 1024;

/// Holes among the items of a mapping.
#[derive(Debug, Default)]
pub(super) struct Holes {
    /// A bit for each pair, which is set for a hole. Pairs beyond the end are none.
    bits: Vec<u64>,
    count: usize,
    /// Items without those of holes, once they were asked for.
    all: OnceBox<Vec<NodeId>>,
    /// An empty list with room for `all`: who asks for items cannot be told that memory ran out.
    room: Mutex<Vec<NodeId>>,
    /// True if the items were asked for between two removals. Copying them each time would cost more than moving them.
    are_read: bool,
}

impl Holes {
    fn holds(&self, pair: usize) -> bool {
        self.bits.get(pair / 64).is_some_and(|word| word >> (pair % 64) & 1 == 1)
    }

    /// Returns the number of items of holes.
    pub(super) fn item_count(&self) -> usize {
        2 * self.count
    }

    /// Returns the items without those of holes.
    pub(super) fn without<'a>(&'a self, items: &'a [NodeId]) -> &'a [NodeId] {
        if self.count == 0 {
            return items;
        }
        let pairs = items.chunks_exact(2).enumerate().filter(|(pair, _)| !self.holds(*pair));
        self.all.get_or_init(|| {
            // Another thread can have the list at the same time, also one of a parent process.
            let mut all = self.room.try_lock().map(|mut room| std::mem::take(&mut *room)).unwrap_or_default();
            all.extend(pairs.flat_map(|(_, nodes)| nodes));
            Box::new(all)
        })
    }

    /// Returns whether `all` is not made yet, and has room for this many items.
    fn has_room_for(&mut self, count: usize) -> bool {
        let room = self.room.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.all.get().is_none() && room.capacity() >= count
    }

    /// Makes room for the items without holes, and forgets those that were asked for.
    fn make_room_for(&mut self, count: usize) -> Result<()> {
        self.all = OnceBox::new();
        if !self.has_room_for(count) {
            self.room = Mutex::new(reserve::list_for(count)?);
        }
        Ok(())
    }

    /// Returns a copy for a list of this many items.
    pub(super) fn duplicate(&self, count: usize) -> Result<Holes> {
        let room = Mutex::new(reserve::list_for(count)?);
        let bits = reserve::copy_of(&self.bits)?;
        Ok(Holes { bits, count: self.count, all: OnceBox::new(), room, are_read: self.are_read })
    }
}

impl Clone for Holes {
    fn clone(&self) -> Holes {
        let (bits, room) = (self.bits.clone(), Mutex::default());
        Holes { bits, count: self.count, all: OnceBox::new(), room, are_read: self.are_read }
    }
}

impl Collection {
    /// Adds a pair behind all others.
    pub(super) fn push_pair(&mut self, pair: [NodeId; 2]) {
        self.items.extend(pair);
        let count = self.items.len();
        if let Some(Difference::Holes(holes)) = self.difference.as_deref_mut()
            && !holes.has_room_for(count)
        {
            self.close_holes();
        }
    }

    /// Takes the holes out of the items.
    pub(super) fn close_holes(&mut self) {
        let Some(Difference::Holes(holes)) = self.difference.as_deref_mut() else { return };
        if holes.count == 0 {
            return;
        }
        let are_read = holes.are_read || holes.all.get().is_some();
        let gone = std::mem::replace(holes, Holes { are_read, ..Holes::default() });
        let mut number = 0;
        self.items.retain(|_| {
            number += 1;
            !gone.holds((number - 1) / 2)
        });
    }
}

impl Tree {
    /// Takes the pair with this value out of a large mapping by a hole, and returns it; `None` if a hole is not possible
    /// or does not pay. An edit of the pair must change nothing but the pair, and the items are recorded.
    pub(super) fn take_pair_by_hole(&mut self, mapping: NodeId, value: NodeId) -> Option<[NodeId; 2]> {
        if !self.has_plain_pairs(mapping) {
            return None;
        }
        let collection = self.collection(mapping)?;
        let holes = collection.holes();
        let is_read = holes.is_some_and(|holes| holes.are_read || holes.all.get().is_some());
        if collection.items.len() < HOLED_FROM || is_read {
            let number = self.node(mapping).data as usize;
            if let Some(Difference::Holes(holes)) = self.collections[number].difference.as_deref_mut() {
                holes.are_read = is_read;
            }
            return None;
        }
        let position = Tree::position_among(&collection.items, value)?;
        let pair = position / 2;
        let &[key, found] = collection.items.get(2 * pair..2 * pair + 2)? else { return None };
        if position % 2 == 0 || found != value || holes.is_some_and(|holes| holes.holds(pair)) || self.is_merge_key(key)
        {
            return None;
        }
        let number = self.node(mapping).data as usize;
        let collection = &mut self.collections[number];
        // Pairs that are added later have room, too.
        let room = collection.items.capacity();
        let words = room / 128 + 1;
        let new = || Box::new(Difference::Holes(Holes::default()));
        // Only sequences have runs.
        let Difference::Holes(holes) = &mut **collection.difference.get_or_insert_with(new) else { return None };
        let more = words.saturating_sub(holes.bits.len());
        reserve::room_for(&mut holes.bits, more).and_then(|()| holes.make_room_for(room)).ok()?;
        holes.bits.resize(holes.bits.len() + more, 0);
        holes.bits[pair / 64] |= 1 << (pair % 64);
        holes.count += 1;
        if 4 * holes.count > collection.items.len() {
            collection.close_holes();
        }
        self.unindex_pair(mapping, [key, value]);
        Some([key, value])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::Style;
    use crate::tree::edit::Content;

    const PAIRS: usize = 2000;

    fn set(tree: &mut Tree, key: &str) {
        let id = tree.place(tree.root(), key).unwrap();
        tree.replace(id, Content::Scalar("1", Style::Plain));
    }

    fn tree() -> Tree {
        let mut tree = Tree::new();
        for number in 0..PAIRS {
            set(&mut tree, &format!("k{number}"));
        }
        tree
    }

    fn keys(tree: &Tree) -> Vec<String> {
        tree.pairs(tree.root()).chunks_exact(2).map(|pair| tree.text(pair[0]).to_owned()).collect()
    }

    fn remove(tree: &mut Tree, key: &str) {
        tree.remove(tree.lookup(tree.root(), key).unwrap()).unwrap();
    }

    fn has_holes(tree: &Tree) -> bool {
        tree.collection(tree.root()).unwrap().holes().is_some_and(|holes| holes.count > 0)
    }

    /// Removes keys in an order that steps through all of them, with additions in between, and compares with a list.
    #[test]
    fn keys_are_removed_in_any_order() {
        for step in [1, 7, 333, PAIRS - 1] {
            let mut tree = tree();
            let mut expected: Vec<String> = (0..PAIRS).map(|number| format!("k{number}")).collect();
            let mut number = 0;
            for turn in 0..PAIRS {
                number = (number + step) % PAIRS;
                let key = format!("k{number}");
                remove(&mut tree, &key);
                expected.retain(|other| *other != key);
                assert!(tree.find_path(tree.root(), &key).is_none());
                if turn % 50 == 7 {
                    set(&mut tree, &format!("new{turn}"));
                    expected.push(format!("new{turn}"));
                }
                assert_eq!(tree.item_count(tree.root()), 2 * expected.len());
                if turn == 300 {
                    assert!(has_holes(&tree));
                    assert_eq!(keys(&tree.clone()), expected);
                }
            }
            assert_eq!(keys(&tree), expected);
        }
    }

    #[test]
    fn items_that_are_read_between_removals_have_no_holes() {
        let mut tree = tree();
        let mut expected: Vec<String> = (0..PAIRS).map(|number| format!("k{number}")).collect();
        for _ in 0..PAIRS {
            let first = expected.remove(0);
            remove(&mut tree, &first);
            assert_eq!(keys(&tree), expected);
        }
        assert!(!has_holes(&tree));
    }

    #[test]
    fn a_pair_beside_holes_is_inserted_and_renamed() {
        let mut tree = tree();
        for number in (0..600).step_by(3) {
            remove(&mut tree, &format!("k{number}"));
        }
        assert!(has_holes(&tree));
        let copy = tree.duplicate().unwrap();
        tree.rename_key(tree.root(), "k1", "first").unwrap();
        remove(&mut tree, "k2");
        assert_eq!(keys(&tree)[..3], ["first", "k4", "k5"]);
        assert_eq!(keys(&copy)[..3], ["k1", "k2", "k4"]);
    }
}
