//! A list in chunks, whose elements do not move when it grows.
//!
//! A `Vec` of millions of elements moves them when it grows, and leaves a free hole of half its size in the heap.

use crate::error::Result;
use crate::reserve;
use std::ops::{Index, IndexMut};

/// Number of elements of a chunk; a power of two.
const CHUNK: usize = 1 << 10;

/// A list that only grows.
#[derive(Clone, Debug)]
pub(super) struct Chunked<T>(Vec<Vec<T>>);

impl<T> Chunked<T> {
    pub(super) fn new() -> Chunked<T> {
        Chunked(Vec::new())
    }

    /// Iterates over the elements in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// Makes room for one more element.
    #[inline]
    pub(super) fn make_room(&mut self) -> Result<()> {
        match self.0.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => reserve::room_for(chunk, 1),
            // The first chunk grows with a small list; later chunks are allocated at full size.
            last => {
                let chunk = if last.is_some() { reserve::list_for(CHUNK)? } else { reserve::list_for(1)? };
                reserve::room_for(&mut self.0, 1)?;
                self.0.push(chunk);
                Ok(())
            }
        }
    }

    /// Appends an element and returns its index.
    pub(super) fn push(&mut self, element: T) -> usize {
        match self.0.last_mut() {
            Some(chunk) if chunk.len() < CHUNK => chunk.push(element),
            first => {
                let mut chunk = if first.is_some() { Vec::with_capacity(CHUNK) } else { Vec::new() };
                chunk.push(element);
                self.0.push(chunk);
            }
        }
        (self.0.len() - 1) * CHUNK + self.0.last().map_or(0, Vec::len) - 1
    }
}

impl<T> Index<usize> for Chunked<T> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.0[index / CHUNK][index % CHUNK]
    }
}

impl<T> IndexMut<usize> for Chunked<T> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.0[index / CHUNK][index % CHUNK]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_found_by_the_index_that_they_got() {
        let mut list = Chunked::new();
        for number in 0..3 * CHUNK + 5 {
            if number % 3 == 0 || number == CHUNK {
                list.make_room().unwrap();
            }
            assert_eq!(list.push(number), number);
        }
        list[CHUNK] = 7;
        assert!((0..3 * CHUNK + 5).all(|number| list[number] == if number == CHUNK { 7 } else { number }));
    }
}
