//! Mappings: typed keys, look-up, merge keys (`<<`) and repeated keys.

use super::key_index::{KeyIndex, Pairs};
use super::{Collection, EffectivePairs, Kind, NON_SPECIFIC_TAG, NodeId, Scalar, Style, TagId, Tree, scalar};
use crate::error::{Error, Result, Status};
use crate::reserve;
use crate::tags;
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::borrow::Cow;

/// The key of a mapping. ASDF allows the first three types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key<'a> {
    /// Text.
    String(&'a str),
    /// An integer within 64 bits.
    Integer(i64),
    /// `true` or `false`.
    Bool(bool),
    /// A key that ASDF does not allow but files contain (float, null, date, larger integer), as its text.
    Other(&'a str),
}

impl<'a> Key<'a> {
    /// Returns the key as an unescaped token of a path.
    pub fn text(&self) -> Cow<'a, str> {
        match *self {
            Key::String(text) | Key::Other(text) => Cow::Borrowed(text),
            Key::Integer(value) => Cow::Owned(value.to_string()),
            Key::Bool(value) => Cow::Borrowed(if value { "true" } else { "false" }),
        }
    }

    /// Returns a hash that equal keys share and different keys rarely share.
    #[inline]
    fn fingerprint(&self) -> u64 {
        match *self {
            Key::String(text) | Key::Other(text) => {
                let bytes = text.as_bytes();
                // Both ends: the bytes between them rarely make the difference.
                let (first, last) = match (bytes.first_chunk(), bytes.last_chunk()) {
                    (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
                    _ => (bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)), 0),
                };
                let word = first ^ last.rotate_left(29) ^ (bytes.len() as u64) << 57;
                word.wrapping_mul(0x9E37_79B9_7F4A_7C15)
            }
            Key::Integer(value) => value as u64,
            Key::Bool(value) => u64::from(value),
        }
    }
}

/// Maximum number of pairs that merge keys may make in one tree. It is far more than any writer needs. A tree that
/// merges each mapping into the next stays below about one second.
pub(crate) const MAX_MERGED_PAIRS: u64 = 1 << 22;

/// Mappings with more pairs than this use an index for look-ups.
const INDEXED_FROM: usize = 64;

/// Unusual keys of a mapping.
#[derive(Debug, Default)]
pub(crate) struct KeyFindings {
    /// Keys that repeat an earlier one.
    pub(crate) repeated: Vec<NodeId>,
    /// Keys with a tag, or of a type that ASDF does not allow.
    pub(crate) unusual: Vec<NodeId>,
    /// True if other mappings are merged into this one.
    pub(crate) merges: bool,
}

/// Set of the keys of a mapping read so far.
enum SeenKeys<'a> {
    Few(FewKeys<'a>),
    Many(HashSet<Key<'a>>),
}

/// Keys with their fingerprints: a linear search is faster than a collision-resistant hash here.
struct FewKeys<'a> {
    fingerprints: Vec<u64>,
    keys: Vec<Key<'a>>,
    /// A bit for each value of some bits of the fingerprints that occurs. Most new keys are known to be new by it.
    occurring: [u64; 16],
}

impl<'a> SeenKeys<'a> {
    const FEW: usize = 128;

    fn new(count: usize) -> Result<SeenKeys<'a>> {
        Ok(if count <= Self::FEW {
            let (fingerprints, keys) = (reserve::list_for(count)?, reserve::list_for(count)?);
            SeenKeys::Few(FewKeys { fingerprints, keys, occurring: [0; 16] })
        } else {
            let mut keys = HashSet::new();
            keys.try_reserve(count).map_err(|_| Error::out_of_memory((count * size_of::<Key>()) as u64))?;
            SeenKeys::Many(keys)
        })
    }

    /// Adds a key. Returns whether it is new.
    #[inline]
    fn insert(&mut self, key: Key<'a>) -> bool {
        match self {
            SeenKeys::Few(few) => {
                let fingerprint = key.fingerprint();
                let word = &mut few.occurring[(fingerprint >> 60) as usize];
                let bit = 1 << (fingerprint >> 54 & 63);
                let new = *word & bit == 0 || !few.fingerprints.contains(&fingerprint) || !few.keys.contains(&key);
                if new {
                    *word |= bit;
                    few.fingerprints.push(fingerprint);
                    few.keys.push(key);
                }
                new
            }
            SeenKeys::Many(keys) => keys.insert(key),
        }
    }
}

impl Tree {
    /// Returns the typed key of a key node. A key that is not a value of the type that its tag demands is
    /// [`Key::Other`]; [`Tree::check_key`] tells why.
    pub fn key(&self, id: NodeId) -> Key<'_> {
        let id = self.dealias(id);
        let node = self.node(id);
        if node.kind != Kind::Scalar {
            return Key::Other("");
        }
        let text = self.text_of(&node);
        if node.tag == TagId::NONE && (node.style != Style::Plain || scalar::is_surely_string(text)) {
            return Key::String(text);
        }
        match self.unplaced_scalar(id) {
            Ok(Scalar::String(text)) => Key::String(text),
            Ok(Scalar::Bool(value)) => Key::Bool(value),
            Ok(Scalar::Integer(integer)) => integer.to_i64().map_or(Key::Other(text), Key::Integer),
            _ => Key::Other(text),
        }
    }

    /// Fails as [`Tree::scalar`] does if the text of a key is not a value of the type that its tag demands.
    pub(crate) fn check_key(&self, key: NodeId) -> Result<()> {
        self.unplaced_scalar(self.dealias(key)).map(drop).map_err(|error| self.locate(error, key))
    }

    /// Returns keys and values in turn, after merge keys and repeated keys have been applied. Merged pairs come first;
    /// of equal keys, the last value is used.
    pub fn pairs(&self, mapping: NodeId) -> &[NodeId] {
        let effective = self.collection(mapping).and_then(|collection| collection.effective.as_deref());
        effective.map_or_else(|| self.items(mapping), |effective| &effective.0)
    }

    /// Returns the children of a collection to be written: with merge keys, and without repeated keys if there is no
    /// merge key.
    pub(crate) fn pairs_to_write(&self, collection: NodeId) -> &[NodeId] {
        let items = self.items(collection);
        let merges =
            self.kind(collection) == Kind::Mapping && items.chunks_exact(2).any(|pair| self.is_merge_key(pair[0]));
        if merges { items } else { self.pairs(collection) }
    }

    /// Returns the value under exactly this key.
    pub fn find(&self, mapping: NodeId, key: Key) -> Option<NodeId> {
        self.candidates(mapping, &key.text(), |found, _| found == key)
    }

    /// Returns the value under the string key `token`; otherwise the value under the integer or boolean with this text.
    pub(crate) fn find_token(&self, mapping: NodeId, token: &str) -> Option<NodeId> {
        let mut other = None;
        let string = self.candidates(mapping, token, |key, value| {
            other = other.or(Some(value));
            matches!(key, Key::String(_))
        });
        string.or(other)
    }

    /// Returns the first value that is accepted, of those whose keys have this text.
    fn candidates(&self, mapping: NodeId, text: &str, mut accept: impl FnMut(Key, NodeId) -> bool) -> Option<NodeId> {
        let mut matches = |pair: &[NodeId]| {
            let key = self.key(pair[0]);
            (key.text() == text && accept(key, pair[1])).then_some(pair[1])
        };
        let collection = self.collection(mapping)?;
        let pairs = match (&collection.effective, collection.holes()) {
            (Some(effective), _) => Some(&effective.0[..]),
            (None, None) => Some(&collection.items[..]),
            // The pairs of a mapping with holes are many, and not asked for.
            (None, Some(_)) => None,
        };
        if let Some(pairs) = pairs.filter(|pairs| pairs.len() <= 2 * INDEXED_FROM) {
            return pairs.chunks_exact(2).find_map(matches);
        }
        let index = collection.index.get_or_try_init(|| {
            let pairs = self.pairs(mapping);
            let mut index = Pairs::with_capacity(pairs.len() / 2)?;
            for pair in pairs.chunks_exact(2) {
                index.push(&self.key(pair[0]).text(), [pair[0], pair[1]])?;
            }
            Ok(index)
        });
        // Without memory for an index, every pair is compared.
        let Ok(index) = index else { return self.pairs(mapping).chunks_exact(2).find_map(matches) };
        index.of(text).find_map(|pair| matches(&pair))
    }

    /// Returns whether merge keys and repeated keys change neither this mapping nor others. Then an edit of a pair
    /// changes nothing but the pair.
    pub(super) fn has_plain_pairs(&self, mapping: NodeId) -> bool {
        let has_derived = |collection: &Collection| collection.effective.is_some();
        self.merging.is_empty()
            && self.kind(mapping) == Kind::Mapping
            && !self.collection(mapping).is_some_and(has_derived)
    }

    /// Returns the position of the key of `value` among the items of a mapping, if an edit of this pair changes nothing
    /// but the pair.
    pub(super) fn plain_pair(&self, mapping: NodeId, value: NodeId) -> Option<usize> {
        let position = self.has_plain_pairs(mapping).then(|| self.position_of_pair(mapping, value)).flatten()?;
        let key = *self.items(mapping).get(position)?;
        (!self.is_merge_key(key)).then_some(position)
    }

    /// Returns the position of the key of `value` among the items of a mapping.
    pub(super) fn position_of_pair(&self, mapping: NodeId, value: NodeId) -> Option<usize> {
        let position = Tree::position_among(self.items(mapping), value)?;
        (position % 2 == 1).then_some(position & !1)
    }

    /// Returns the key before a value among the items of a mapping.
    pub(crate) fn key_before(&self, mapping: NodeId, value: NodeId) -> Option<NodeId> {
        self.position_of_pair(mapping, value).and_then(|position| self.items(mapping).get(position).copied())
    }

    /// Inserts a pair into the items of a mapping, before the key at `position`. Its key is not in the mapping yet.
    pub(super) fn insert_pair(&mut self, mapping: NodeId, position: usize, pair: [NodeId; 2]) {
        self.note_items(mapping);
        let is_plain = self.has_plain_pairs(mapping);
        self.items_mut(mapping).splice(position..position, pair);
        if is_plain {
            self.index_pair(mapping, pair);
        } else {
            self.reapply_keys(mapping);
        }
    }

    /// Takes the pair whose key is at `position` out of the items of a mapping, and returns it. An edit of the pair must
    /// change nothing but the pair, and the items are recorded.
    pub(super) fn take_plain_pair(&mut self, mapping: NodeId, position: usize) -> Vec<NodeId> {
        if let &[key, value] = &self.items(mapping)[position..position + 2] {
            self.unindex_pair(mapping, [key, value]);
        }
        self.items_mut(mapping).drain(position..position + 2).collect()
    }

    /// Adds a pair to the index of a mapping.
    pub(super) fn index_pair(&mut self, mapping: NodeId, pair: [NodeId; 2]) {
        self.change_index(mapping, pair[0], |pairs, text| pairs.push(text, pair));
    }

    /// Removes a pair from the index of a mapping.
    pub(super) fn unindex_pair(&mut self, mapping: NodeId, pair: [NodeId; 2]) {
        self.change_index(mapping, pair[0], |pairs, text| {
            pairs.remove(text, pair[1]);
            Ok(())
        });
    }

    fn change_index(&mut self, mapping: NodeId, key: NodeId, change: impl FnOnce(&mut Pairs, &str) -> Result<()>) {
        let number = self.node(mapping).data as usize;
        let mut index = std::mem::take(&mut self.collections[number].index);
        index.change(|pairs| change(pairs, &self.key(key).text()));
        self.collections[number].index = index;
    }

    /// Appends a pair whose key is not in the mapping yet.
    pub(super) fn push_pair(&mut self, mapping: NodeId, key: NodeId, value: NodeId) {
        self.note_items(mapping);
        self.index_pair(mapping, [key, value]);
        let number = self.node(mapping).data as usize;
        let collection = &mut self.collections[number];
        collection.push_pair([key, value]);
        if let Some(effective) = &mut collection.effective {
            effective.0.extend([key, value]);
        }
    }

    /// Clears the data derived from the pairs of a mapping. Other nodes have no such data.
    pub(super) fn clear_derived(&mut self, mapping: NodeId) {
        let node = self.node(mapping);
        if node.kind != Kind::Mapping {
            return;
        }
        let collection = &mut self.collections[node.data as usize];
        collection.effective = None;
        collection.index = KeyIndex::default();
    }

    /// Reapplies merge keys and repeated keys after the pairs of a mapping changed.
    pub(super) fn reapply_keys(&mut self, mapping: NodeId) {
        self.reapply_keys_of(mapping);
        // A changed tag can make a key a merge key.
        if self.has_merge_key(mapping) && !self.merging.contains(&mapping) {
            self.merging.push(mapping);
        }
        self.reapply_merges();
    }

    fn reapply_keys_of(&mut self, mapping: NodeId) {
        self.clear_derived(mapping);
        let mut budget = MAX_MERGED_PAIRS;
        // If merging fails, the pairs as written are used.
        let _ = self.apply_keys(mapping, &mut budget);
    }

    /// Reapplies all merge keys, because the merged mappings may have changed.
    pub(super) fn reapply_merges(&mut self) {
        if self.merging.is_empty() {
            return;
        }
        self.merging = self.sources_first();
        for mapping in self.merging.clone() {
            self.reapply_keys_of(mapping);
        }
    }

    /// Returns the mappings with merge keys, each once and after the mappings that it merges.
    pub(super) fn sources_first(&self) -> Vec<NodeId> {
        let mut order = Vec::with_capacity(self.merging.len());
        let mut known: HashMap<NodeId, bool> = self.merging.iter().map(|&mapping| (mapping, false)).collect();
        for &mapping in &self.merging {
            let mut stack = vec![(mapping, false)];
            while let Some((mapping, has_sources)) = stack.pop() {
                if has_sources {
                    order.push(mapping);
                } else if let Some(is_met @ false) = known.get_mut(&mapping) {
                    *is_met = true;
                    if self.check(mapping).is_ok() && self.has_merge_key(mapping) {
                        stack.push((mapping, true));
                        stack.extend(self.merged_into(mapping).into_iter().map(|source| (source, false)));
                    }
                }
            }
        }
        order
    }

    /// Returns whether other mappings are merged into this one.
    pub(super) fn has_merge_key(&self, mapping: NodeId) -> bool {
        self.kind(mapping) == Kind::Mapping && self.items(mapping).iter().step_by(2).any(|&key| self.is_merge_key(key))
    }

    /// Records that `to` has the content that `from` had.
    pub(super) fn move_merging(&mut self, from: NodeId, to: NodeId) {
        if let Some(mapping) = self.merging.iter_mut().find(|mapping| **mapping == from) {
            *mapping = to;
        }
    }

    /// Applies merge keys and repeated keys after all pairs of a mapping are known. Returns the unusual keys.
    ///
    /// `budget` limits the pairs that merging makes in a whole tree. Fails for a key without a value, as
    /// [`Tree::check_key`] does.
    pub(crate) fn finish_mapping(&mut self, mapping: NodeId, budget: &mut u64) -> Result<KeyFindings> {
        let findings = self.apply_keys(mapping, budget)?;
        for &key in &findings.unusual {
            self.check_key(key)?;
        }
        if findings.merges {
            reserve::room_for(&mut self.merging, 1)?;
            self.merging.push(mapping);
        }
        Ok(findings)
    }

    pub(super) fn apply_keys(&mut self, mapping: NodeId, budget: &mut u64) -> Result<KeyFindings> {
        let mut findings = KeyFindings::default();
        let items = self.items(mapping);
        let mut seen = SeenKeys::new(items.len() / 2)?;
        for &key in items.iter().step_by(2) {
            let value = self.key(key);
            let is_tagged = self.node(self.dealias(key)).tag != TagId::NONE;
            if (is_tagged || value == Key::String("<<")) && self.is_merge_key(key) {
                findings.merges = true;
                continue;
            }
            if matches!(value, Key::Other(_)) || is_tagged {
                reserve::room_for(&mut findings.unusual, 1)?;
                findings.unusual.push(key);
            }
            if !seen.insert(value) {
                reserve::room_for(&mut findings.repeated, 1)?;
                findings.repeated.push(key);
            }
        }
        if findings.merges || !findings.repeated.is_empty() {
            let effective = self.effective_pairs(mapping, budget)?;
            let number = self.node(mapping).data as usize;
            let exact = EffectivePairs(reserve::copy_of(&effective)?);
            self.collections[number].effective = Some(Box::new(exact));
        }
        Ok(findings)
    }

    /// Returns whether a key is a merge key, as in PyYAML: `<<`, any text with the tag `!!merge`, or an alias of one.
    pub(crate) fn is_merge_key(&self, key: NodeId) -> bool {
        let key = self.dealias(key);
        self.kind(key) == Kind::Scalar
            && match self.tag(key) {
                None => self.style(key) == Style::Plain && self.text(key) == "<<",
                Some(NON_SPECIFIC_TAG) => self.text(key) == "<<",
                Some(tag) => tag == tags::FULL_MERGE,
            }
    }

    /// Returns the mappings that are merged into this mapping by its own merge keys.
    pub(super) fn merged_into(&self, mapping: NodeId) -> Vec<NodeId> {
        let pairs = self.items(mapping).chunks_exact(2).filter(|pair| self.is_merge_key(pair[0]));
        pairs.flat_map(|pair| self.merge_sources(mapping, pair[1]).unwrap_or_default()).collect()
    }

    /// Fails with [`Status::Tree`] if a merge key of a mapping has a value that cannot be merged.
    pub(crate) fn check_merges(&self, mapping: NodeId) -> Result<()> {
        let mut pairs = self.items(mapping).chunks_exact(2).filter(|pair| self.is_merge_key(pair[0]));
        pairs.try_for_each(|pair| self.merge_sources(mapping, pair[1]).map(drop))
    }

    fn effective_pairs(&self, mapping: NodeId, budget: &mut u64) -> Result<Vec<NodeId>> {
        let mut out = Vec::new();
        let mut positions: HashMap<Key, usize> = HashMap::new();
        let mut add = |pair: &[NodeId], budget: &mut u64| -> Result<()> {
            *budget = budget.checked_sub(1).ok_or_else(|| {
                let message = format!("merge keys and repeated keys make more than {MAX_MERGED_PAIRS} pairs");
                Error::new(Status::Limit, message)
            })?;
            reserve::room_in(&mut positions, 1)?;
            reserve::room_for(&mut out, 2)?;
            match positions.entry(self.key(pair[0])) {
                std::collections::hash_map::Entry::Occupied(entry) => out[*entry.get()..][..2].copy_from_slice(pair),
                std::collections::hash_map::Entry::Vacant(entry) => {
                    entry.insert(out.len());
                    out.extend_from_slice(pair);
                }
            }
            Ok(())
        };
        let items = self.items(mapping);
        for pair in items.chunks_exact(2).filter(|pair| self.is_merge_key(pair[0])) {
            // Of several merged mappings the first takes precedence, so it is applied last.
            for &source in self.merge_sources(mapping, pair[1])?.iter().rev() {
                for merged in self.pairs(source).chunks_exact(2) {
                    add(merged, budget)?;
                }
            }
        }
        for pair in items.chunks_exact(2).filter(|pair| !self.is_merge_key(pair[0])) {
            add(pair, budget)?;
        }
        Ok(out)
    }

    fn merge_sources(&self, mapping: NodeId, value: NodeId) -> Result<Vec<NodeId>> {
        let target = self.dealias(value);
        let sources: Vec<NodeId> = match self.kind(target) {
            Kind::Sequence => self.items(target).iter().map(|&item| self.dealias(item)).collect(),
            _ => vec![target],
        };
        for &source in &sources {
            if self.kind(source) != Kind::Mapping {
                let error = Error::new(
                    Status::Tree,
                    "the value of the merge key '<<' must be a mapping or a sequence of mappings",
                );
                return Err(self.locate(error, value));
            }
            let mut ancestor = Some(mapping);
            while let Some(id) = ancestor {
                if id == source {
                    return Err(self.locate(Error::new(Status::Tree, "a mapping cannot be merged into itself"), value));
                }
                ancestor = self.parent(id);
            }
        }
        Ok(sources)
    }
}
