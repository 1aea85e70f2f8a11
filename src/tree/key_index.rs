//! Index of the pairs of a large mapping by the texts of their keys.

use super::NodeId;
use crate::error::{Error, Result};
use crate::reserve;
use foldhash::quality::RandomState;
use once_cell::race::OnceBox;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::sync::Arc;

/// The index of a mapping, or none yet. The first look-up in a large mapping makes it; concurrent look-ups may each
/// make one, and one is kept. A lock is not used, because a forked child could wait forever for one that was held
/// during the fork.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex(OnceBox<Arc<Pairs>>);

impl KeyIndex {
    pub(super) fn get_or_try_init(&self, make: impl Fn() -> Result<Pairs>) -> Result<&Pairs> {
        Ok(self.0.get_or_try_init(|| Ok::<_, Error>(Box::new(Arc::new(make()?))))?)
    }

    /// Changes the index, if it was made. An index that another tree shares, or that there is no memory for, is dropped:
    /// the next look-up makes a new one.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Pairs) -> Result<()>) {
        let made = std::mem::take(&mut self.0).get().cloned();
        if let Some(mut made) = made
            && Arc::get_mut(&mut made).is_some_and(|pairs| change(pairs).is_ok())
        {
            self.0 = OnceBox::with_value(Box::new(made));
        }
    }
}

/// Pairs by the hashes of the texts of their keys. The texts themselves are in the tree. An edit changes the entry of
/// its own pair only, because entries do not hold positions in the mapping.
#[derive(Debug)]
pub(super) struct Pairs {
    /// With a random key, so that no file can make many texts have the same hash.
    hasher: RandomState,
    chains: HashMap<u64, Chain, BuildHasherDefault<Hash>>,
    entries: Vec<Entry>,
}

/// A pair: key and value.
#[derive(Clone, Copy, Debug)]
struct Entry {
    pair: [NodeId; 2],
    /// The next entry with the same hash; 0 if there is none.
    next: u32,
}

/// The first and the last entry of those with the same hash.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: u32,
    last: u32,
}

impl Pairs {
    pub(super) fn with_capacity(pairs: usize) -> Result<Pairs> {
        let mut chains = HashMap::default();
        reserve::room_in(&mut chains, pairs)?;
        Ok(Pairs { hasher: RandomState::default(), chains, entries: reserve::list_for(pairs)? })
    }

    /// Adds a pair, whose key has this text.
    pub(super) fn push(&mut self, text: &str, pair: [NodeId; 2]) -> Result<()> {
        reserve::room_in(&mut self.chains, 1)?;
        // There are fewer than 2^32 entries, because each has nodes of its own and a tree has fewer nodes.
        let number = self.entries.len() as u32;
        reserve::push(&mut self.entries, Entry { pair, next: 0 })?;
        let hash = self.hasher.hash_one(text);
        let chain = self.chains.entry(hash).or_insert(Chain { first: number, last: number });
        if chain.last < number {
            self.entries[chain.last as usize].next = number;
            chain.last = number;
        }
        Ok(())
    }

    /// Removes the pair of a key with this text that has this value.
    pub(super) fn remove(&mut self, text: &str, value: NodeId) {
        let hash = self.hasher.hash_one(text);
        let mut before = None;
        let Some(number) = self.chain(hash).find(|&number| {
            let is_wanted = self.entries[number].pair[1] == value;
            before = if is_wanted { before } else { Some(number) };
            is_wanted
        }) else {
            return;
        };
        let next = self.entries[number].next;
        let Some(chain) = self.chains.get_mut(&hash) else { return };
        match before {
            Some(before) => {
                self.entries[before].next = next;
                if next == 0 {
                    chain.last = before as u32;
                }
            }
            None if next == 0 => drop(self.chains.remove(&hash)),
            None => chain.first = next,
        }
    }

    /// Returns the pairs whose keys can have this text, in order.
    pub(super) fn of(&self, text: &str) -> impl Iterator<Item = [NodeId; 2]> {
        self.chain(self.hasher.hash_one(text)).map(|number| self.entries[number].pair)
    }

    /// Returns the numbers of the entries with this hash.
    fn chain(&self, hash: u64) -> impl Iterator<Item = usize> + use<'_> {
        let first = self.chains.get(&hash).map(|chain| chain.first as usize);
        std::iter::successors(first, |&number| {
            self.entries.get(number).filter(|entry| entry.next > 0).map(|entry| entry.next as usize)
        })
    }
}

/// Hasher of hashes.
#[derive(Default)]
struct Hash(u64);

impl Hasher for Hash {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(number: usize) -> NodeId {
        NodeId(number as u32)
    }

    fn values_of(pairs: &Pairs, text: &str) -> Vec<u32> {
        pairs.of(text).map(|[_, value]| value.number()).collect()
    }

    #[test]
    fn pairs_are_found_in_order_and_removed_one_by_one() {
        let texts = ["a", "b", "a", "", "a"];
        // Every order of removal.
        for number in 0..120 {
            let mut pairs = Pairs::with_capacity(0).unwrap();
            for (number, text) in texts.iter().enumerate() {
                pairs.push(text, [value(number), value(number)]).unwrap();
            }
            let of = |text| values_of(&pairs, text);
            assert_eq!((of("a"), of("b"), of(""), of("c")), (vec![0, 2, 4], vec![1], vec![3], vec![]));
            let (mut left, mut code) = (vec![0, 1, 2, 3, 4], number);
            while !left.is_empty() {
                let removed = left.remove(code % left.len());
                code /= left.len() + 1;
                pairs.remove(texts[removed], value(removed));
                pairs.remove("c", value(removed));
                for text in texts {
                    let expected: Vec<u32> =
                        left.iter().filter(|&&number| texts[number] == text).map(|&number| number as u32).collect();
                    assert_eq!(values_of(&pairs, text), expected);
                }
            }
            pairs.push("a", [value(9), value(9)]).unwrap();
            assert_eq!(values_of(&pairs, "a"), [9]);
        }
    }

    #[test]
    fn a_change_reaches_only_a_made_index_and_no_copy_of_it() {
        let mut index = KeyIndex::default();
        index.change(|_| panic!("there is no index"));
        let make = || Pairs::with_capacity(0);
        assert_eq!(index.get_or_try_init(make).unwrap().of("a").count(), 0);
        index.change(|pairs| pairs.push("a", [value(0), value(1)]));
        let found = |index: &KeyIndex| index.get_or_try_init(make).unwrap().of("a").count();
        assert_eq!(found(&index), 1);
        // A change leaves the copy as it is, and drops its own index, which it shares.
        let copy = index.clone();
        index.change(|pairs| pairs.push("a", [value(2), value(3)]));
        assert_eq!((found(&index), found(&copy)), (0, 1));
    }
}
