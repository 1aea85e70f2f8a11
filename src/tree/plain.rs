//! Plain scalars of long sequences, stored only as byte ranges.
//!
//! A sequence of a million numbers is usually read as an array, not node by node. Its items have node numbers like all
//! nodes, but all their data follow from their byte ranges, so each takes eight bytes. When one item of such a run is
//! changed, all items of the run get full node data.

use super::{Difference, Kind, NodeData, NodeId, Style, TagId, Text, Tree};
use crate::error::Result;
use crate::reserve;
use once_cell::race::OnceBox;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Byte range of a text in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Position of its first byte.
    pub(crate) start: u32,
    /// Position after its last byte.
    pub(crate) end: u32,
}

impl Extent {
    /// Makes an extent from a range in a source, which is shorter than 2^32 bytes.
    pub(crate) fn new(place: Range<usize>) -> Extent {
        Extent { start: place.start as u32, end: place.end as u32 }
    }

    /// Returns the byte range.
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Consecutive items of one sequence with consecutive node numbers.
#[derive(Clone, Debug)]
struct Run {
    first: u32,
    end: u32,
    /// Number of items in all earlier runs.
    before: u32,
    list: NodeId,
    /// Data of the nodes, once one of them has been changed.
    changed: Option<Box<[NodeData]>>,
}

/// All runs of a tree, in the order in which they were made.
#[derive(Debug, Default)]
pub(super) struct PlainNodes {
    runs: Vec<Run>,
    extents: Vec<Extent>,
    /// Index of the run found last. The next node asked for is usually in this run or the next.
    found: AtomicUsize,
}

impl Clone for PlainNodes {
    fn clone(&self) -> PlainNodes {
        PlainNodes { runs: self.runs.clone(), extents: self.extents.clone(), found: AtomicUsize::default() }
    }
}

/// Runs among the items of a sequence, and all of its items once they were asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct PlainRuns {
    runs: Vec<u32>,
    all: OnceBox<Vec<NodeId>>,
}

/// Iterates over the items of a sequence and their texts; all items are plain scalars without tags and anchors.
#[derive(Clone, Debug)]
pub(crate) struct PlainItems<'a> {
    source: &'a str,
    next: u32,
    extents: std::slice::Iter<'a, Extent>,
}

impl<'a> Iterator for PlainItems<'a> {
    type Item = (NodeId, &'a str);

    #[inline]
    fn next(&mut self) -> Option<(NodeId, &'a str)> {
        let extent = self.extents.next()?;
        let id = NodeId(self.next);
        self.next += 1;
        Some((id, &self.source[extent.range()]))
    }
}

impl PlainItems<'_> {
    /// Converts the text of the next item by `read`. If `read` returns `None`, the item stays the next one.
    #[inline]
    pub(crate) fn next_as<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let extent = self.extents.as_slice().first()?;
        let value = read(&self.source[extent.range()])?;
        self.extents.next();
        self.next += 1;
        Some(value)
    }
}

impl Run {
    fn duplicate(&self) -> Result<Run> {
        let changed = self.changed.as_deref().map(reserve::copy_of).transpose()?;
        Ok(Run { changed: changed.map(Vec::into_boxed_slice), ..*self })
    }
}

impl PlainRuns {
    /// Returns a copy, without the list of all items.
    pub(super) fn duplicate(&self) -> Result<PlainRuns> {
        Ok(PlainRuns { runs: reserve::copy_of(&self.runs)?, all: OnceBox::new() })
    }
}

impl PlainNodes {
    /// Returns a copy.
    pub(super) fn duplicate(&self) -> Result<PlainNodes> {
        let mut runs = reserve::list_for(self.runs.len())?;
        for run in &self.runs {
            runs.push(run.duplicate()?);
        }
        Ok(PlainNodes { runs, extents: reserve::copy_of(&self.extents)?, found: AtomicUsize::default() })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.extents.len()
    }

    /// Returns the index of the run that contains the node with this number. Otherwise returns as `Err` the number of
    /// run items before the node.
    fn run_of(&self, number: u32) -> std::result::Result<usize, u32> {
        let begins_after = |run: Option<&Run>| run.is_none_or(|run| number < run.first);
        if begins_after(self.runs.first()) {
            return Err(0);
        }
        let mut index = self.found.load(Relaxed);
        if begins_after(self.runs.get(index)) || !begins_after(self.runs.get(index + 1)) {
            index = self.runs.partition_point(|run| run.first <= number) - 1;
            self.found.store(index, Relaxed);
        }
        let run = &self.runs[index];
        if number < run.end { Ok(index) } else { Err(run.before + (run.end - run.first)) }
    }

    fn extents_of(&self, run: &Run) -> &[Extent] {
        &self.extents[run.before as usize..][..(run.end - run.first) as usize]
    }

    /// Returns the data of an item. For a node outside all runs, returns its index in `Tree::nodes` as `Err`.
    pub(super) fn find(&self, number: u32) -> std::result::Result<NodeData, usize> {
        let run = &self.runs[self.run_of(number).map_err(|before| (number - before) as usize)?];
        let position = (number - run.first) as usize;
        Ok(match &run.changed {
            Some(nodes) => nodes[position],
            None => node(run.list, self.extents_of(run)[position]),
        })
    }

    /// Like [`PlainNodes::find`], with mutable data.
    pub(super) fn find_mut(&mut self, number: u32) -> std::result::Result<&mut NodeData, usize> {
        let index = self.run_of(number).map_err(|before| (number - before) as usize)?;
        if self.runs[index].changed.is_none() {
            let run = &self.runs[index];
            let nodes = self.extents_of(run).iter().map(|&extent| node(run.list, extent)).collect();
            self.runs[index].changed = Some(nodes);
        }
        let run = &mut self.runs[index];
        let position = (number - run.first) as usize;
        let nodes = run.changed.as_deref_mut().unwrap_or_default();
        Ok(&mut nodes[position])
    }

    /// Returns the number of items in runs.
    fn count(&self, runs: &[u32]) -> usize {
        let runs = runs.iter().map(|&run| &self.runs[run as usize]);
        runs.map(|run| (run.end - run.first) as usize).sum()
    }

    /// Adds the items of a sequence to a list, in the order of their numbers, which is document order.
    fn merge(&self, others: &[NodeId], runs: &[u32], out: &mut Vec<NodeId>) {
        let mut rest = others;
        for run in runs.iter().map(|&run| &self.runs[run as usize]) {
            let (before, after) = rest.split_at(rest.partition_point(|id| id.0 < run.first));
            out.extend_from_slice(before);
            out.extend((run.first..run.end).map(NodeId));
            rest = after;
        }
        out.extend_from_slice(rest);
    }

    /// Returns the items of a sequence as a list. Fails if there is no memory for it.
    fn merged(&self, others: &[NodeId], runs: &[u32]) -> Result<Vec<NodeId>> {
        let mut all = reserve::list_for(others.len() + self.count(runs))?;
        self.merge(others, runs, &mut all);
        Ok(all)
    }
}

fn node(list: NodeId, extent: Extent) -> NodeData {
    NodeData {
        kind: Kind::Scalar,
        style: Style::Plain,
        text: Text::Span(0),
        removed: false,
        tag: TagId::NONE,
        start: extent.start,
        end: extent.end,
        data: 0,
        parent: list,
    }
}

impl Tree {
    /// Appends plain scalars without tags to a sequence, and returns the first of them.
    /// [`Tree::set_items`] sets the other items of the sequence.
    pub(crate) fn add_plain_items(
        &mut self,
        list: NodeId,
        extents: impl ExactSizeIterator<Item = Extent>,
    ) -> Result<NodeId> {
        reserve::room_for(&mut self.plain.extents, extents.len())?;
        reserve::room_for(&mut self.plain.runs, 1)?;
        let number = self.node(list).data as usize;
        if let Some(Difference::Runs(runs)) = self.collections[number].difference.as_deref_mut() {
            reserve::room_for(&mut runs.runs, 1)?;
        }
        // Node limits keep the count below 2^32.
        let first = self.node_count() as u32;
        let end = first + extents.len() as u32;
        let before = self.plain.len() as u32;
        self.plain.extents.extend(extents);
        match self.plain.runs.last_mut() {
            Some(run) if run.list == list && run.end == first => run.end = end,
            _ => {
                self.plain.runs.push(Run { first, end, before, list, changed: None });
                let run = (self.plain.runs.len() - 1) as u32;
                let new = || Box::new(Difference::Runs(PlainRuns::default()));
                // Only mappings have holes.
                if let Difference::Runs(runs) = &mut **self.collections[number].difference.get_or_insert_with(new) {
                    runs.runs.push(run);
                }
            }
        }
        Ok(NodeId(first))
    }

    /// Returns the text of a plain scalar without a tag; `None` for any other node.
    #[inline]
    pub(crate) fn plain_text(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        let is_plain = node.kind == Kind::Scalar && node.style == Style::Plain && node.tag == TagId::NONE;
        is_plain.then(|| self.text_of(&node))
    }

    /// Returns the items of a sequence, or keys and values of a mapping in turn, as written.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        let Some(collection) = self.collection(id) else { return &[] };
        match collection.difference.as_deref() {
            None => &collection.items,
            Some(Difference::Runs(runs)) => runs.all.get_or_init(|| {
                let mut all = Vec::with_capacity(self.item_count(id));
                self.plain.merge(&collection.items, &runs.runs, &mut all);
                Box::new(all)
            }),
            Some(Difference::Holes(holes)) => holes.without(&collection.items),
        }
    }

    /// Like [`Tree::items`], which makes the list of a long sequence of numbers when it is first asked for. Fails if there
    /// is no memory for that list.
    pub(crate) fn try_items(&self, id: NodeId) -> Result<&[NodeId]> {
        if let Some(collection) = self.collection(id)
            && let Some(runs) = collection.runs()
        {
            return Ok(runs.all.get_or_try_init(|| self.plain.merged(&collection.items, &runs.runs).map(Box::new))?);
        }
        Ok(self.items(id))
    }

    /// Returns the number of items of a sequence, or of keys and values of a mapping.
    pub(crate) fn item_count(&self, id: NodeId) -> usize {
        let Some(collection) = self.collection(id) else { return 0 };
        match collection.difference.as_deref() {
            None => collection.items.len(),
            Some(Difference::Runs(runs)) => collection.items.len() + self.plain.count(&runs.runs),
            Some(Difference::Holes(holes)) => collection.items.len() - holes.item_count(),
        }
    }

    /// Returns key and value of a mapping with one pair, or both items of a sequence of two.
    pub(crate) fn two_items(&self, id: NodeId) -> Option<[NodeId; 2]> {
        let collection = self.collection(id)?;
        match collection.difference {
            None => collection.items[..].try_into().ok(),
            _ if self.item_count(id) == 2 => self.items(id).try_into().ok(),
            // The items of a large mapping with holes are not asked for.
            _ => None,
        }
    }

    /// Returns the items of a sequence with their texts, if all items are in one run and unchanged.
    pub(crate) fn plain_items(&self, id: NodeId) -> Option<PlainItems<'_>> {
        let collection = self.collection(id)?;
        let &[run] = &collection.runs()?.runs[..] else { return None };
        let run = &self.plain.runs[run as usize];
        let is_whole = collection.items.is_empty() && run.changed.is_none();
        let extents = self.plain.extents_of(run);
        is_whole.then_some(PlainItems { source: &self.source, next: run.first, extents: extents.iter() })
    }

    /// Prepares an edit of the children of a collection: they are recorded, and all of them are in its list.
    pub(super) fn prepare_children(&mut self, id: NodeId) -> Result<()> {
        if let Some(collection) = self.collection(id)
            && let Some(runs) = collection.runs()
        {
            let items = self.plain.merged(&collection.items, &runs.runs)?;
            self.set_all_items(id, items);
        }
        self.try_note_items(id)
    }

    fn set_all_items(&mut self, id: NodeId, items: Vec<NodeId>) {
        let number = self.node(id).data as usize;
        let collection = &mut self.collections[number];
        collection.items = items;
        collection.difference = None;
    }

    /// Returns the items of a sequence or mapping as a mutable list.
    pub(super) fn items_mut(&mut self, id: NodeId) -> &mut Vec<NodeId> {
        let number = self.node(id).data as usize;
        if self.collections[number].runs().is_some() {
            self.set_all_items(id, self.items(id).to_vec());
        }
        self.collections[number].close_holes();
        &mut self.collections[number].items
    }
}
