//! Index of the pairs of a large mapping by the texts of their keys.

use foldhash::quality::RandomState;
use once_cell::race::OnceBox;
use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher};
use std::sync::Arc;

/// The index of a mapping, or none yet. The first look-up in a large mapping makes it; concurrent look-ups may each
/// make one, and one is kept. A lock is not used, because a forked child could wait forever for one that was held
/// during the fork.
#[derive(Clone, Debug, Default)]
pub(super) struct KeyIndex(OnceBox<Arc<Positions>>);

impl KeyIndex {
    pub(super) fn get_or_init(&self, make: impl Fn() -> Positions) -> &Positions {
        self.0.get_or_init(|| Box::new(Arc::new(make())))
    }

    /// Changes the index, if it was made.
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Positions)) {
        // Take the index out first, so that `make_mut` copies it only if another tree shares it.
        let made = std::mem::take(&mut self.0).get().cloned();
        if let Some(mut made) = made {
            change(Arc::make_mut(&mut made));
            self.0 = OnceBox::with_value(Box::new(made));
        }
    }
}

/// Positions of pairs by the hashes of the texts of their keys. The texts themselves are in the tree.
#[derive(Clone, Debug)]
pub(super) struct Positions {
    /// With a random key, so that no file can make many texts have the same hash.
    hasher: RandomState,
    chains: HashMap<u64, Chain, BuildHasherDefault<Hash>>,
    /// For each pair, the position of the next one with the same hash; 0 if there is none.
    next: Vec<u32>,
}

/// The first and the last pair of those with the same hash.
#[derive(Clone, Copy, Debug)]
struct Chain {
    first: u32,
    last: u32,
}

impl Positions {
    pub(super) fn with_capacity(pairs: usize) -> Positions {
        Positions {
            hasher: RandomState::default(),
            chains: HashMap::with_capacity_and_hasher(pairs, BuildHasherDefault::default()),
            next: Vec::with_capacity(pairs),
        }
    }

    /// Adds the next pair, whose key has this text.
    pub(super) fn push(&mut self, text: &str) {
        // A mapping has fewer than 2^32 pairs, because its tree has fewer nodes.
        let position = self.next.len() as u32;
        self.next.push(0);
        let hash = self.hasher.hash_one(text);
        let chain = self.chains.entry(hash).or_insert(Chain { first: position, last: position });
        if chain.last < position {
            self.next[chain.last as usize] = position;
            chain.last = position;
        }
    }

    /// Returns the positions of the pairs whose keys can have this text, in order.
    pub(super) fn of(&self, text: &str) -> impl Iterator<Item = usize> {
        let first = self.chains.get(&self.hasher.hash_one(text)).map(|chain| chain.first as usize);
        std::iter::successors(first, |&position| {
            self.next.get(position).filter(|&&next| next > 0).map(|&next| next as usize)
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

    #[test]
    fn pairs_are_found_in_order() {
        let mut positions = Positions::with_capacity(0);
        for text in ["a", "b", "a", "", "a"] {
            positions.push(text);
        }
        let of = |text| positions.of(text).collect::<Vec<_>>();
        assert_eq!((of("a"), of("b"), of(""), of("c")), (vec![0, 2, 4], vec![1], vec![3], vec![]));
    }

    #[test]
    fn a_change_reaches_only_a_made_index_and_no_copy_of_it() {
        let mut index = KeyIndex::default();
        index.change(|_| panic!("there is no index"));
        let make = || Positions::with_capacity(0);
        assert_eq!(index.get_or_init(make).of("a").count(), 0);
        let copy = index.clone();
        index.change(|positions| positions.push("a"));
        assert_eq!((index.get_or_init(make).of("a").count(), copy.get_or_init(make).of("a").count()), (1, 0));
    }
}
