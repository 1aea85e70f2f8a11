//! The entries of a collection: as written in the source, and after the edits.

use super::surroundings::Surroundings;
use crate::error::Result;
use crate::reserve;
use crate::tree::{Kind, NodeId, Style, Tree};
use crate::yaml::write::Context;
use std::collections::{HashMap, HashSet};

/// An entry of a collection as written in the source.
pub(super) struct Entry {
    /// Position of its dash, of its key, or of the question mark before the key; in a flow sequence, of its value.
    pub(super) start: usize,
    /// End of its dash or colon; `None` for a pair without a colon.
    pub(super) after: Option<usize>,
    pub(super) end: usize,
    /// True if its value has no text, apart from a tag or an anchor.
    pub(super) is_empty: bool,
    pub(super) key: Option<NodeId>,
    pub(super) value: NodeId,
}

impl Entry {
    /// Finds the original entries of a collection in the source after `start`. Returns `None` if an entry is not at its
    /// expected position.
    pub(super) fn all_of(
        tree: &Tree,
        around: &Surroundings,
        id: NodeId,
        start: usize,
        context: Context,
    ) -> Result<Option<Vec<Entry>>> {
        let width = 1 + usize::from(tree.kind(id) == Kind::Mapping);
        let room = reserve::list_for(tree.original_items(id).len() / width)?;
        Ok(Entry::found(tree, around, id, (start, context), room))
    }

    /// Returns `entries`, which has room for all of them, with the entries.
    fn found(
        tree: &Tree,
        around: &Surroundings,
        id: NodeId,
        (start, context): (usize, Context),
        mut entries: Vec<Entry>,
    ) -> Option<Vec<Entry>> {
        // The range of the content of a node when it was read.
        let span = |id: NodeId| tree.replaced(id).or_else(|| tree.span(id));
        let flow = tree.style(id) == Style::Flow;
        let mapping = tree.kind(id) == Kind::Mapping;
        let mut at = match context {
            Context::Root => start,
            // The span of an unindented sequence begins after its first dash.
            _ => around.properties(start).map_or(start, |range| range.end),
        };
        if flow {
            at = around.skip(at, false);
            let bracket = if mapping { b'{' } else { b'[' };
            if around.0.get(at) != Some(&bracket) {
                return None;
            }
            at += 1;
        }
        let items = tree.original_items(id);
        for entry in items.chunks_exact(1 + usize::from(mapping)) {
            at = around.skip(at, flow);
            let start = at;
            let (key, value) = if mapping { (Some(entry[0]), entry[1]) } else { (None, entry[0]) };
            let after = match key {
                Some(key) => {
                    let key_end = span(key)?.end;
                    if key_end < start {
                        return None;
                    }
                    let colon = around.skip(key_end, false);
                    at = key_end;
                    (around.0.get(colon) == Some(&b':')).then_some(colon + 1)
                }
                None if flow => Some(start),
                None => (around.0.get(start) == Some(&b'-')).then_some(start + 1),
            };
            if after.is_none() && !(flow && mapping) {
                return None;
            }
            if let Some(after) = after {
                at = around.properties(after).map_or(after, |range| range.end);
            }
            let value_span = span(value)?;
            if !value_span.is_empty() {
                if value_span.start < at {
                    return None;
                }
                at = value_span.end;
            }
            entries.push(Entry { start, after, end: at, is_empty: value_span.is_empty(), key, value });
        }
        Some(entries)
    }
}

impl Entry {
    /// Returns the text to write between this entry of a flow collection and what follows. Without a blank, readers take
    /// a comma or brace after a colon or a tag for a part of it.
    pub(super) fn blank_after(&self) -> &'static str {
        if self.is_empty { " " } else { "" }
    }
}

/// The entries of a collection after the edits.
pub(super) struct CurrentEntries {
    pub(super) entries: Vec<(Option<NodeId>, NodeId)>,
    /// Original values whose entries remain, with the current values of these entries.
    values: HashMap<NodeId, NodeId>,
    /// Values of new entries.
    new: HashSet<NodeId>,
}

impl CurrentEntries {
    pub(super) fn new(tree: &Tree, id: NodeId) -> Result<CurrentEntries> {
        let mapping = tree.kind(id) == Kind::Mapping;
        let width = 1 + usize::from(mapping);
        let entry = |entry: &[NodeId]| if mapping { (Some(entry[0]), entry[1]) } else { (None, entry[0]) };
        let entries = reserve::collected(tree.items(id).chunks_exact(width).map(|items| Ok(entry(items))))?;
        let original = || tree.original_items(id).chunks_exact(width).map(entry);
        let (mut values, mut keys) = (HashSet::new(), HashMap::new());
        for (key, value) in original() {
            reserve::insert(&mut values, value)?;
            // A remaining key may have another value, which was moved there.
            if let Some(key) = key.filter(|_| tree.has_moved()) {
                reserve::room_in(&mut keys, 1)?;
                keys.insert(key, value);
            }
        }
        let mut now = CurrentEntries { entries, values: HashMap::new(), new: HashSet::new() };
        for &(key, value) in &now.entries {
            reserve::room_in(&mut now.values, 1)?;
            if values.contains(&value) && !tree.is_moved(value) {
                now.values.insert(value, value);
            } else if let Some(&former) = key.and_then(|key| keys.get(&key)) {
                now.values.insert(former, value);
            } else {
                reserve::insert(&mut now.new, value)?;
            }
        }
        Ok(now)
    }

    /// Returns whether an original entry remains, possibly with another value.
    pub(super) fn has(&self, entry: &Entry) -> bool {
        self.values.contains_key(&entry.value)
    }

    /// Returns the current value of an original entry.
    pub(super) fn value_at(&self, entry: &Entry) -> NodeId {
        self.values.get(&entry.value).copied().unwrap_or(entry.value)
    }

    pub(super) fn is_new(&self, value: NodeId) -> bool {
        self.new.contains(&value)
    }

    /// Returns whether the remaining entries have kept their order.
    pub(super) fn keeps_order(&self, entries: &[Entry]) -> bool {
        let staying = self.entries.iter().map(|&(_, value)| value).filter(|&value| !self.is_new(value));
        entries.iter().filter_map(|entry| self.values.get(&entry.value).copied()).eq(staying)
    }
}
