//! Map from names to values that keeps the order of insertion.

use crate::error::Result;
use crate::reserve::{room_for, room_in};
use std::collections::HashMap;

/// With more entries than this, an index speeds up the look-up of names.
const INDEXED_FROM: usize = 16;

/// Map from distinct names to values, in the order of insertion.
#[derive(Clone, Debug)]
pub struct Named<T> {
    entries: Vec<(String, T)>,
    /// Positions by name; present only above [`INDEXED_FROM`] entries.
    index: Option<Box<Index>>,
}

/// Positions by name. It is boxed, because most of the many maps are small and need no index.
#[derive(Clone, Debug)]
struct Index(HashMap<String, usize>);

impl<T> Named<T> {
    /// Returns an empty map.
    pub fn new() -> Named<T> {
        Named { entries: Vec::new(), index: None }
    }

    /// Returns the number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns true if there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the position of a name, from 0.
    pub fn position(&self, name: &str) -> Option<usize> {
        match &self.index {
            Some(index) => index.0.get(name).copied(),
            None => self.entries.iter().position(|(other, _)| other == name),
        }
    }

    /// Returns true if an entry has this name.
    pub fn contains(&self, name: &str) -> bool {
        self.position(name).is_some()
    }

    /// Returns the value with this name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.position(name).and_then(|position| self.entries.get(position)).map(|(_, thing)| thing)
    }

    /// Returns the value with this name as a mutable reference.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.position(name).and_then(|position| self.entries.get_mut(position)).map(|(_, thing)| thing)
    }

    /// Returns the name and the value at a position, from 0.
    pub fn at(&self, position: usize) -> Option<(&str, &T)> {
        self.entries.get(position).map(|(name, thing)| (name.as_str(), thing))
    }

    /// Replaces the value with this name and returns the old value, or appends a new entry.
    pub fn insert(&mut self, name: impl Into<String>, thing: T) -> Option<T> {
        let name = name.into();
        if let Some(old) = self.get_mut(&name) {
            return Some(std::mem::replace(old, thing));
        }
        if let Some(index) = &mut self.index {
            index.0.insert(name.clone(), self.entries.len());
        }
        self.entries.push((name, thing));
        if self.index.is_none() && self.entries.len() > INDEXED_FROM {
            self.index = Some(Box::new(Index(HashMap::new())));
            self.fill_index();
        }
        None
    }

    /// Does the same as [`Named::insert`], but fails if the system refuses the memory for a new entry.
    pub(crate) fn add(&mut self, name: impl Into<String>, thing: T) -> Result<Option<T>> {
        self.make_room(1)?;
        Ok(self.insert(name, thing))
    }

    /// Makes room for new entries.
    pub(crate) fn make_room(&mut self, more: usize) -> Result<()> {
        room_for(&mut self.entries, more)?;
        match &mut self.index {
            Some(index) => room_in(&mut index.0, more),
            None => Ok(()),
        }
    }

    /// Adds the entries of another map, which replace those with the same names.
    pub(crate) fn append(&mut self, other: Named<T>) -> Result<()> {
        if self.is_empty() {
            *self = other;
            return Ok(());
        }
        other.entries.into_iter().try_for_each(|(name, thing)| self.add(name, thing).map(drop))
    }

    /// Collects entries. If a name occurs several times, the last value counts. Fails if an entry is an error.
    pub(crate) fn collected<N: Into<String>>(entries: impl IntoIterator<Item = Result<(N, T)>>) -> Result<Named<T>> {
        let mut out = Named::new();
        for entry in entries {
            let (name, thing) = entry?;
            out.add(name, thing)?;
        }
        Ok(out)
    }

    /// Removes an entry. Later entries move up, so the cost grows with the number of entries.
    pub fn remove(&mut self, name: &str) -> Option<T> {
        let (_, thing) = self.entries.remove(self.position(name)?);
        self.fill_index();
        Some(thing)
    }

    /// Removes all entries whose names `is_wanted` rejects.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&str) -> bool) {
        self.entries.retain(|(name, _)| is_wanted(name));
        self.fill_index();
    }

    /// Fills the index, if there is one, anew. After entries were removed it has the room already.
    fn fill_index(&mut self) {
        if let Some(index) = &mut self.index {
            index.0.clear();
            let positions = self.entries.iter().enumerate().map(|(position, (name, _))| (name.clone(), position));
            index.0.extend(positions);
        }
    }

    /// Iterates over all entries in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &T)> + Clone {
        self.entries.iter().map(|(name, thing)| (name.as_str(), thing))
    }

    /// Iterates over all entries in order, with mutable values.
    pub fn iter_mut(&mut self) -> impl ExactSizeIterator<Item = (&str, &mut T)> {
        self.entries.iter_mut().map(|(name, thing)| (name.as_str(), thing))
    }
}

impl<T> Default for Named<T> {
    fn default() -> Named<T> {
        Named::new()
    }
}

/// Compares names, values and order.
impl<T: PartialEq> PartialEq for Named<T> {
    fn eq(&self, other: &Named<T>) -> bool {
        self.entries == other.entries
    }
}

impl<T, N: Into<String>> FromIterator<(N, T)> for Named<T> {
    /// If a name occurs several times, the last value counts.
    fn from_iter<I: IntoIterator<Item = (N, T)>>(entries: I) -> Named<T> {
        let entries = entries.into_iter();
        let mut out = Named { entries: Vec::with_capacity(entries.size_hint().0), index: None };
        for (name, thing) in entries {
            out.insert(name, thing);
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_look_up_hold_with_and_without_an_index() {
        for count in [3, INDEXED_FROM, INDEXED_FROM + 1, 100] {
            let mut named: Named<usize> = (0..count).map(|number| (format!("n{number}"), number)).collect();
            assert_eq!(named.insert("n1", 77), Some(1));
            assert_eq!(named.remove("n0"), Some(0));
            assert_eq!(named.remove("n0"), None);
            assert_eq!(named.len(), count - 1);
            assert_eq!(named.at(0), Some(("n1", &77)));
            for number in 2..count {
                assert_eq!(named.get(&format!("n{number}")), Some(&number));
                assert_eq!(named.position(&format!("n{number}")), Some(number - 1));
            }
            assert_eq!(named.get("other"), None);
            assert!(named.iter().skip(1).map(|(_, &number)| number).eq(2..count));
            named.retain(|name| name == "n2" || name == "n9");
            assert_eq!((named.position("n2"), named.get("n1")), (Some(0), None));
        }
    }
}
