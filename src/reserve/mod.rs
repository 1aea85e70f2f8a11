//! Reserve: small requests for memory are served from a static reserve while the system refuses memory.
//!
//! The standard library aborts the program if a small request fails, for instance while an error is created. Here such
//! a request is served, and the running call ends with [`Status::OutOfMemory`] at its next check. Large requests are
//! refused; code that makes them reserves memory fallibly.
//!
//! The allocator exists with the cargo feature `reserve` only. It needs no locks and no thread-local variables, so it
//! works in the child of a fork and while a thread ends.

#[cfg(feature = "reserve")]
#[allow(unsafe_code)]
mod allocator;
#[cfg(feature = "reserve")]
mod segment;
mod text;

use crate::error::{Error, Result, Status};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
pub(crate) use text::GrowingText;

/// Number of requests that the system refused and the reserve received.
static REFUSED: AtomicU64 = AtomicU64::new(0);
/// True after the reserve lost a quarter, until the system gives memory again.
static IS_SHORT: AtomicBool = AtomicBool::new(false);

/// Returns the number of small requests that the system has refused so far.
pub(crate) fn refused() -> u64 {
    REFUSED.load(Ordering::Relaxed)
}

/// Fails with [`Status::OutOfMemory`] while the reserve is in use for more than the few pieces of a short call.
#[inline]
pub(crate) fn check() -> Result<()> {
    if IS_SHORT.load(Ordering::Relaxed) { Err(error()) } else { Ok(()) }
}

/// Does the same as [`check`] at the begin of a call. First looks whether the system gives memory again.
#[inline]
pub(crate) fn check_at_begin() -> Result<()> {
    if !IS_SHORT.load(Ordering::Relaxed) {
        return Ok(());
    }
    // A smaller piece can be one that this thread has just freed.
    let mut probe = Vec::<u8>::new();
    if probe.try_reserve_exact(PROBE).is_ok() {
        IS_SHORT.store(false, Ordering::Relaxed);
    }
    check()
}

/// Makes room for `more` elements of a list whose length follows from a file or from a request.
#[inline]
pub(crate) fn room_for<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    if list.capacity() - list.len() >= more { Ok(()) } else { grow(list, more) }
}

#[cold]
fn grow<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    list.try_reserve(more).map_err(|_| out_of::<T>(more))
}

/// Adds an item to a list.
#[inline]
pub(crate) fn push<T>(list: &mut Vec<T>, item: T) -> Result<()> {
    room_for(list, 1)?;
    list.push(item);
    Ok(())
}

/// Adds items to a list.
#[inline]
pub(crate) fn extend<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Result<()> {
    let items = items.into_iter();
    room_for(list, items.size_hint().0)?;
    for item in items {
        push(list, item)?;
    }
    Ok(())
}

/// Sorts a list. Items with the same key stay in their order.
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) -> Result<()> {
    if list.is_sorted_by_key(&key) {
        return Ok(());
    }
    let mut places = list_for(list.len())?;
    places.extend(list.iter().map(key).enumerate().map(|(place, key)| (key, place)));
    places.sort_unstable();
    // Each cycle of places is followed once. A place takes its item from the next one of its cycle.
    for first in 0..list.len() {
        let mut place = first;
        loop {
            let from = std::mem::replace(&mut places[place].1, place);
            if from == first || from == place {
                break;
            }
            list.swap(place, from);
            place = from;
        }
    }
    Ok(())
}

/// Adds text to a text.
#[inline]
pub(crate) fn append(text: &mut String, more: &str) -> Result<()> {
    room_in_text(text, more.len())?;
    text.push_str(more);
    Ok(())
}

/// Makes room for `more` bytes of a text whose length follows from a file or from a request.
#[inline]
pub(crate) fn room_in_text(text: &mut String, more: usize) -> Result<()> {
    if text.capacity() - text.len() >= more { Ok(()) } else { grow_text(text, more) }
}

#[cold]
fn grow_text(text: &mut String, more: usize) -> Result<()> {
    text.try_reserve(more).map_err(|_| out_of::<u8>(more))
}

/// Adds an item to a set. Returns false if the set had it.
#[inline]
pub(crate) fn insert<T: Eq + Hash, S: BuildHasher>(set: &mut HashSet<T, S>, item: T) -> Result<bool> {
    room_in_set(set, 1)?;
    Ok(set.insert(item))
}

/// Makes room for `more` items of a set whose length follows from a file or from a request.
#[inline]
pub(crate) fn room_in_set<T: Eq + Hash, S: BuildHasher>(set: &mut HashSet<T, S>, more: usize) -> Result<()> {
    if set.capacity() - set.len() >= more { Ok(()) } else { grow_set(set, more) }
}

#[cold]
fn grow_set<T: Eq + Hash, S: BuildHasher>(set: &mut HashSet<T, S>, more: usize) -> Result<()> {
    set.try_reserve(more).map_err(|_| out_of::<T>(more))
}

/// Returns a copy of a set.
pub(crate) fn set_of<T: Copy + Eq + Hash>(items: &HashSet<T>) -> Result<HashSet<T>> {
    let mut set = HashSet::new();
    room_in_set(&mut set, items.len())?;
    set.extend(items);
    Ok(set)
}

/// Makes room for `more` entries of a table whose length follows from a file or from a request.
#[inline]
pub(crate) fn room_in<K: Eq + Hash, V, S: BuildHasher>(table: &mut HashMap<K, V, S>, more: usize) -> Result<()> {
    if table.capacity() - table.len() >= more { Ok(()) } else { grow_table(table, more) }
}

#[cold]
fn grow_table<K: Eq + Hash, V, S: BuildHasher>(table: &mut HashMap<K, V, S>, more: usize) -> Result<()> {
    table.try_reserve(more).map_err(|_| out_of::<(K, V)>(more))
}

/// Returns an empty list with room for `count` elements.
pub(crate) fn list_for<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| out_of::<T>(count))?;
    Ok(list)
}

/// Collects items into a list. Fails if an item is an error.
pub(crate) fn collected<T>(items: impl Iterator<Item = Result<T>>) -> Result<Vec<T>> {
    let mut list = list_for(items.size_hint().0)?;
    for item in items {
        push(&mut list, item?)?;
    }
    Ok(list)
}

/// Collects entries into a table.
pub(crate) fn table_of<K: Eq + Hash, V>(entries: impl IntoIterator<Item = (K, V)>) -> Result<HashMap<K, V>> {
    let mut table = HashMap::new();
    for (key, value) in entries {
        room_in(&mut table, 1)?;
        table.insert(key, value);
    }
    Ok(table)
}

/// A list that grows with a file or a request. Once the system has refused memory it takes no more, and
/// [`GrowingList::finish`] fails, so that the functions that fill it need no results of their own.
pub(crate) struct GrowingList<T> {
    items: Vec<T>,
    is_refused: bool,
}

impl<T> GrowingList<T> {
    pub(crate) fn new() -> GrowingList<T> {
        GrowingList { items: Vec::new(), is_refused: false }
    }

    pub(crate) fn push(&mut self, item: T) {
        self.is_refused = self.is_refused || push(&mut self.items, item).is_err();
    }

    /// Notes that an item could not be made.
    pub(crate) fn refuse(&mut self) {
        self.is_refused = true;
    }

    /// Returns the items so far.
    pub(crate) fn items(&mut self) -> &mut Vec<T> {
        &mut self.items
    }

    /// Returns the list. Fails with [`Status::OutOfMemory`] if an item is missing.
    pub(crate) fn finish(self) -> Result<Vec<T>> {
        if self.is_refused { Err(out_of::<T>(self.items.len())) } else { Ok(self.items) }
    }
}

/// Fails if the system has no room for this many bytes now. It precedes work whose many small lists grow infallibly.
///
/// Another thread can take the memory afterwards, so lists of one large size reserve their memory fallibly instead.
pub(crate) fn expect_room(bytes: u64) -> Result<()> {
    let room = list_for::<u8>(usize::try_from(bytes).unwrap_or(usize::MAX))?;
    // Without this the compiler may leave the request out.
    std::hint::black_box(room);
    Ok(())
}

/// Returns a copy of a list.
pub(crate) fn copy_of<T: Copy>(elements: &[T]) -> Result<Vec<T>> {
    let mut list = list_for(elements.len())?;
    list.extend_from_slice(elements);
    Ok(list)
}

/// Returns a copy of a text.
pub(crate) fn text_of(text: &str) -> Result<Box<str>> {
    let mut copy = String::new();
    copy.try_reserve_exact(text.len()).map_err(|_| out_of::<u8>(text.len()))?;
    copy.push_str(text);
    Ok(copy.into_boxed_str())
}

fn out_of<T>(count: usize) -> Error {
    Error::out_of_memory((count as u64).saturating_mul(size_of::<T>() as u64))
}

/// Number of bytes that the system must give before calls are accepted again.
const PROBE: usize = 1 << 20;

fn error() -> Error {
    Error::new(Status::OutOfMemory, "the system refused to give memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_with_the_same_key_stay_in_their_order() {
        let mut state = 1_u32;
        for length in 0..200 {
            let mut next = || {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state >> 16
            };
            let mut list: Vec<(u32, u32)> = (0..length).map(|number| (next() % (1 + length / 3), number)).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|item| item.0);
            sort_by_key(&mut list, |item| item.0).unwrap();
            assert_eq!(list, expected);
        }
    }

    #[test]
    fn the_begin_of_a_call_finds_out_that_memory_is_there_again() {
        // Other tests run meanwhile, so this one does not set the flag: their calls would fail.
        assert!(check_at_begin().is_ok());
        assert_eq!(error().status(), Status::OutOfMemory);
    }
}
