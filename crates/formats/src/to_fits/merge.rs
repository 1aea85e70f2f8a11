//! Joining the exact cards of a header with its entries in the tree, which may have been edited.
//!
//! A card whose entry is still there keeps its bytes. Cards that the tree cannot hold stay where they were. An entry
//! without a card becomes a new one; a card without its entry is removed.

use super::entries::{card_of, same};
use super::structure::is_structural;
use crate::fits::format::format;
use crate::fits::group::Group;
use crate::report::Report;
use crate::to_asdf::{Entry, held_entries};

/// Largest number of comparisons for the best match of what differs.
const MAX_COMPARISONS: usize = 4_000_000;

/// Joined header.
pub(crate) struct Merged {
    pub(crate) groups: Vec<Group>,
    /// True if a card was added or removed.
    pub(crate) is_changed: bool,
}

/// Joins exact cards and entries.
pub(crate) fn merge(
    exact: Vec<Group>,
    entries: Vec<Entry>,
    is_compressed: bool,
    place: &str,
    report: &mut Report,
) -> Merged {
    let is_own = |keyword: &str| is_compressed && matches!(keyword, "SIMPLE" | "XTENSION");
    let entries: Vec<Entry> = entries.into_iter().filter(|entry| !is_own(&entry.keyword)).collect();
    // Entries that the cards had, with the number of their group and whether they are the first of it.
    let mut held = Vec::new();
    let mut is_held = vec![false; exact.len()];
    for (index, group) in exact.iter().enumerate() {
        for (part, entry) in held_entries(group, is_compressed).into_iter().enumerate() {
            is_held[index] = true;
            held.push((index, part == 0, entry));
        }
    }
    let pairs = matches(&held, &entries);
    let mut joined = Joined { is_compressed, groups: Vec::new(), is_changed: false, place, report };
    let mut exact: Vec<Option<Group>> = exact.into_iter().map(Some).collect();
    let (mut next_group, mut next_entry) = (0, 0);
    for (index, entry) in pairs {
        let (group, is_first, _) = held[index];
        joined.keep(&mut exact, &is_held, &mut next_group, group);
        for new in &entries[next_entry..entry] {
            joined.add(new);
        }
        next_entry = entry + 1;
        if is_first || exact[group].is_some() {
            joined.groups.extend(exact[group].take());
        }
        next_group = next_group.max(group + 1);
    }
    let end = exact.len();
    joined.keep(&mut exact, &is_held, &mut next_group, end);
    for new in &entries[next_entry..] {
        joined.add(new);
    }
    Merged { groups: joined.groups, is_changed: joined.is_changed }
}

/// The header while it is joined.
struct Joined<'a> {
    is_compressed: bool,
    groups: Vec<Group>,
    is_changed: bool,
    place: &'a str,
    report: &'a mut Report,
}

impl Joined<'_> {
    /// Keeps the groups before one that the tree cannot hold, and those that state the structure.
    fn keep(&mut self, exact: &mut [Option<Group>], is_held: &[bool], next: &mut usize, end: usize) {
        while *next < end {
            let Some(group) = exact[*next].take() else {
                *next += 1;
                continue;
            };
            if !is_held[*next] || is_structural(&group.card.keyword) {
                self.groups.push(group);
            } else {
                self.is_changed = true;
            }
            *next += 1;
        }
    }

    /// Adds an entry as a new card.
    fn add(&mut self, entry: &Entry) {
        if is_structural(&entry.keyword) && (self.is_compressed || !self.groups.is_empty()) {
            return;
        }
        let card = card_of(entry);
        match format(&card) {
            Some(raw) => {
                let is_continued = raw.len() > 1;
                self.groups.push(Group { raw, card, is_continued });
                self.is_changed = true;
            }
            None => self.report.loss(self.place, format!("no card can hold the entry {}", entry.keyword)),
        }
    }
}

/// Finds pairs of equal entries, in the order of both lists.
fn matches(held: &[(usize, bool, Entry)], entries: &[Entry]) -> Vec<(usize, usize)> {
    let is_same = |index: usize, entry: usize| same(&held[index].2, &entries[entry]);
    let shorter = held.len().min(entries.len());
    let before = (0..shorter).take_while(|&index| is_same(index, index)).count();
    let after = (1..=shorter - before).take_while(|&back| is_same(held.len() - back, entries.len() - back)).count();
    let (rows, columns) = (held.len() - after - before, entries.len() - after - before);
    let mut pairs: Vec<(usize, usize)> = (0..before).map(|index| (index, index)).collect();
    if rows.saturating_mul(columns) <= MAX_COMPARISONS {
        pairs.extend(
            longest(rows, columns, |row, column| is_same(before + row, before + column))
                .into_iter()
                .map(|(row, column)| (before + row, before + column)),
        );
    } else {
        let mut next = before;
        for entry in before..before + columns {
            let found = (next..(next + 64).min(before + rows)).find(|&index| is_same(index, entry));
            if let Some(index) = found {
                pairs.push((index, entry));
                next = index + 1;
            }
        }
    }
    pairs.extend((1..=after).rev().map(|back| (held.len() - back, entries.len() - back)));
    pairs
}

/// Longest common subsequence of two lists.
fn longest(rows: usize, columns: usize, is_same: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
    let width = columns + 1;
    let mut lengths = vec![0_u32; (rows + 1) * width];
    for row in (0..rows).rev() {
        for column in (0..columns).rev() {
            lengths[row * width + column] = if is_same(row, column) {
                lengths[(row + 1) * width + column + 1] + 1
            } else {
                lengths[(row + 1) * width + column].max(lengths[row * width + column + 1])
            };
        }
    }
    let (mut row, mut column) = (0, 0);
    let mut pairs = Vec::new();
    while row < rows && column < columns {
        if is_same(row, column) {
            pairs.push((row, column));
            row += 1;
            column += 1;
        } else if lengths[(row + 1) * width + column] >= lengths[row * width + column + 1] {
            row += 1;
        } else {
            column += 1;
        }
    }
    pairs
}
