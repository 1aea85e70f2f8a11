//! A list of texts in one buffer.

use crate::error::{Error, Result};
use std::ops::Range;

/// A list of UTF-8 texts: concatenated bytes with offsets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    bytes: String,
    /// Start of each text in `bytes`, then the end of the last text.
    offsets: Vec<i64>,
}

impl Default for Text {
    fn default() -> Text {
        Text { bytes: String::new(), offsets: vec![0] }
    }
}

impl Text {
    /// An empty list.
    pub fn new() -> Text {
        Text::default()
    }

    /// The number of texts.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Returns whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the text at this index; empty if the index is out of range.
    pub fn get(&self, index: usize) -> &str {
        match self.offsets.get(index..).unwrap_or_default() {
            [start, end, ..] => self.bytes.get(*start as usize..*end as usize).unwrap_or_default(),
            _ => "",
        }
    }

    /// Returns the memory in bytes that texts and offsets take.
    pub(crate) fn memory(&self) -> u64 {
        (self.bytes.len() + size_of_val(self.offsets.as_slice())) as u64
    }

    /// Appends a text.
    pub fn push(&mut self, text: &str) -> Result<()> {
        self.bytes.try_reserve(text.len()).map_err(|_| Error::out_of_memory(text.len() as u64))?;
        self.offsets.try_reserve(1).map_err(|_| Error::out_of_memory(8))?;
        self.bytes.push_str(text);
        self.offsets.push(self.bytes.len() as i64);
        Ok(())
    }

    /// Reserves memory for `texts` more texts with `bytes` bytes in total.
    pub(crate) fn reserve(&mut self, texts: usize, bytes: usize) -> Result<()> {
        self.offsets.try_reserve(texts).map_err(|_| Error::out_of_memory(texts as u64 * 8))?;
        self.bytes.try_reserve(bytes).map_err(|_| Error::out_of_memory(bytes as u64))
    }

    /// Appends all texts of another list.
    pub(crate) fn append(&mut self, other: &Text) -> Result<()> {
        self.append_range(other, 0..other.len())
    }

    /// Appends the texts of another list with these indices. Indices out of range are left out.
    pub(crate) fn append_range(&mut self, other: &Text, range: Range<usize>) -> Result<()> {
        let offsets = other.offsets.get(range.start..).unwrap_or_default();
        let [first, ends @ ..] = offsets else { return Ok(()) };
        let ends = ends.get(..range.len()).unwrap_or(ends);
        let Some(last) = ends.last() else { return Ok(()) };
        let texts = other.bytes.get(*first as usize..*last as usize).unwrap_or_default();
        self.reserve(ends.len(), texts.len())?;
        let shift = self.bytes.len() as i64 - first;
        self.bytes.push_str(texts);
        self.offsets.extend(ends.iter().map(|end| end + shift));
        Ok(())
    }

    /// Removes all texts, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.offsets.truncate(1);
    }

    /// Releases unused memory.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.bytes.shrink_to_fit();
        self.offsets.shrink_to_fit();
    }

    /// Returns a copy. Fails with [`Status::OutOfMemory`](crate::Status::OutOfMemory).
    pub(crate) fn copy(&self) -> Result<Text> {
        let mut copy = Text::new();
        copy.append(self)?;
        Ok(copy)
    }

    /// Returns the concatenated texts and the offsets; see [`Text::offsets`].
    pub(crate) fn into_parts(self) -> (String, Vec<i64>) {
        (self.bytes, self.offsets)
    }

    /// The concatenated texts.
    pub fn bytes(&self) -> &str {
        &self.bytes
    }

    /// Start of each text in [`Text::bytes`], then the end of the last text: one more offset than texts.
    pub fn offsets(&self) -> &[i64] {
        &self.offsets
    }

    /// Iterates over the texts.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        let mut text = Text::new();
        assert!(text.is_empty());
        for piece in ["a", "", "日本"] {
            text.push(piece).unwrap();
        }
        assert_eq!(text.iter().collect::<Vec<_>>(), ["a", "", "日本"]);
        assert_eq!((text.get(3), text.offsets()), ("", &[0, 1, 1, 7][..]));
        text.append(&text.clone()).unwrap();
        assert_eq!(text.iter().collect::<Vec<_>>(), ["a", "", "日本", "a", "", "日本"]);
        let mut part = Text::new();
        for range in [2..4, 1..1, 5..9, 7..8] {
            part.append_range(&text, range).unwrap();
        }
        assert_eq!((part.iter().collect::<Vec<_>>(), part.offsets()), (vec!["日本", "a", "日本"], &[0, 6, 7, 13][..]));
    }
}
