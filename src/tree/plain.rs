//! Plain scalars of long lists, known by the places of their texts alone.
//!
//! A list of a million numbers is mostly read as an array, and never by nodes. Its items have numbers as all nodes have,
//! but what can be told of them follows from where they stand, so that each takes eight bytes. Those of a list become
//! nodes like others as soon as one of them is changed.

use super::{Kind, NodeData, NodeId, Style, TagId, Text, Tree};
use once_cell::race::OnceBox;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Where a text begins and ends in the source, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extent {
    /// Its first byte.
    pub(crate) start: u32,
    /// The byte after its last.
    pub(crate) end: u32,
}

impl Extent {
    /// The place of bytes of a source, which is shorter than 2^32 bytes.
    pub(crate) fn new(place: Range<usize>) -> Extent {
        Extent { start: place.start as u32, end: place.end as u32 }
    }

    /// The bytes.
    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Items of one list that follow one another, in the list and by their numbers.
#[derive(Clone, Debug)]
struct Run {
    first: u32,
    end: u32,
    /// How many items are in the runs before.
    before: u32,
    list: NodeId,
    /// The nodes, once one of them has been changed.
    changed: Option<Box<[NodeData]>>,
}

/// All such items of a tree, those made first before others.
#[derive(Debug, Default)]
pub(super) struct PlainNodes {
    runs: Vec<Run>,
    extents: Vec<Extent>,
    /// The run that was found last, in or behind which the next node that is asked for mostly is.
    found: AtomicUsize,
}

impl Clone for PlainNodes {
    fn clone(&self) -> PlainNodes {
        PlainNodes { runs: self.runs.clone(), extents: self.extents.clone(), found: AtomicUsize::default() }
    }
}

/// The runs among the items of a list, and all of its items once somebody has asked for them.
#[derive(Clone, Debug, Default)]
pub(super) struct PlainRuns {
    runs: Vec<u32>,
    all: OnceBox<Vec<NodeId>>,
}

/// The items of a list that are all plain scalars without tags and anchors, each with its text.
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

impl PlainNodes {
    pub(super) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.extents.len()
    }

    /// The run that the node of this number is in, or how many items come before the node.
    fn run_of(&self, number: u32) -> Result<usize, u32> {
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

    /// What is to be told of an item, or the index of a node that is none.
    pub(super) fn find(&self, number: u32) -> Result<NodeData, usize> {
        let run = &self.runs[self.run_of(number).map_err(|before| (number - before) as usize)?];
        let position = (number - run.first) as usize;
        Ok(match &run.changed {
            Some(nodes) => nodes[position],
            None => node(run.list, self.extents_of(run)[position]),
        })
    }

    /// As [`PlainNodes::find`], to be changed.
    pub(super) fn find_mut(&mut self, number: u32) -> Result<&mut NodeData, usize> {
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

    /// The items of a list in the order of their numbers, which is that of the text.
    fn merged(&self, others: &[NodeId], runs: &[u32]) -> Vec<NodeId> {
        let runs = runs.iter().map(|&run| &self.runs[run as usize]);
        let count = runs.clone().map(|run| (run.end - run.first) as usize).sum::<usize>();
        let mut out = Vec::with_capacity(others.len() + count);
        let mut rest = others;
        for run in runs {
            let (before, after) = rest.split_at(rest.partition_point(|id| id.0 < run.first));
            out.extend_from_slice(before);
            out.extend((run.first..run.end).map(NodeId));
            rest = after;
        }
        out.extend_from_slice(rest);
        out
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
    /// Adds plain scalars without tags to a list, the one `before` them first; the first of all. The list's other items
    /// follow by [`Tree::set_items`].
    pub(crate) fn add_plain_items(&mut self, list: NodeId, before: Option<Extent>, extents: &[Extent]) -> NodeId {
        // The limit on nodes lies far below 2^32.
        let first = self.node_count() as u32;
        let end = first + (before.iter().len() + extents.len()) as u32;
        self.plain.extents.reserve((end - first) as usize);
        let (extents, before) = (before.into_iter().chain(extents.iter().copied()), self.plain.len() as u32);
        self.plain.extents.extend(extents);
        self.plain.runs.push(Run { first, end, before, list, changed: None });
        let number = self.node(list).data as usize;
        let runs = self.collections[number].plain.get_or_insert_default();
        runs.runs.push((self.plain.runs.len() - 1) as u32);
        NodeId(first)
    }

    /// Takes a plain scalar without tag and anchor away, if it is the node that was made last: where it stands.
    pub(crate) fn withdraw_plain(&mut self, id: NodeId) -> Option<Extent> {
        let node = self.node(id);
        let is_plain = self.plain_text(id).is_some() && node.text == Text::Span(0) && !self.anchors.contains_key(&id);
        // The last node of all need not be among those that have data of their own.
        let is_last = id.index() + 1 == self.node_count() && self.plain.run_of(id.0).is_err();
        (is_plain && is_last && self.nodes.pop().is_some()).then_some(Extent { start: node.start, end: node.end })
    }

    /// The text of a plain scalar without a tag; nothing for any other node.
    #[inline]
    pub(crate) fn plain_text(&self, id: NodeId) -> Option<&str> {
        let node = self.node(id);
        let is_plain = node.kind == Kind::Scalar && node.style == Style::Plain && node.tag == TagId::NONE;
        is_plain.then(|| self.text_of(&node))
    }

    /// The items of a sequence, or keys and values of a mapping in turn, as they are written.
    pub fn items(&self, id: NodeId) -> &[NodeId] {
        let Some(collection) = self.collection(id) else { return &[] };
        match &collection.plain {
            None => &collection.items,
            Some(runs) => runs.all.get_or_init(|| Box::new(self.plain.merged(&collection.items, &runs.runs))),
        }
    }

    /// The number of items of a sequence, or of keys and values of a mapping.
    pub fn item_count(&self, id: NodeId) -> usize {
        match self.collection(id).map(|collection| (&collection.items, &collection.plain)) {
            None => 0,
            Some((items, None)) => items.len(),
            Some((items, Some(runs))) => {
                let runs = runs.runs.iter().map(|&run| &self.plain.runs[run as usize]);
                items.len() + runs.map(|run| (run.end - run.first) as usize).sum::<usize>()
            }
        }
    }

    /// The items of a list with their texts, if they are known by those alone and unchanged.
    pub(crate) fn plain_items(&self, id: NodeId) -> Option<PlainItems<'_>> {
        let collection = self.collection(id)?;
        let &[run] = &collection.plain.as_ref()?.runs[..] else { return None };
        let run = &self.plain.runs[run as usize];
        let is_whole = collection.items.is_empty() && run.changed.is_none();
        let extents = self.plain.extents_of(run);
        is_whole.then_some(PlainItems { source: &self.source, next: run.first, extents: extents.iter() })
    }

    /// The items of a sequence or mapping, to be changed.
    pub(super) fn items_mut(&mut self, id: NodeId) -> &mut Vec<NodeId> {
        let number = self.node(id).data as usize;
        if self.collections[number].plain.is_some() {
            self.collections[number].items = self.items(id).to_vec();
            self.collections[number].plain = None;
        }
        &mut self.collections[number].items
    }
}
