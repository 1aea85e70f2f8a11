//! The bytes of a header, with cards that are changed or added. All other bytes stay.

use super::card::{CARD, parts};
use super::header::BLOCK;
use crate::error::{Error, Result, Status};
use crate::source::{Source, read_vec_at};
use std::ops::Range;

/// First byte of the comment in a card that is written, if the value is short enough.
const COMMENT: usize = 31;

/// The bytes of a header, up to the end of its last block.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cards(Vec<u8>);

impl Cards {
    /// Begins a new header, which has no cards yet.
    pub(super) fn new() -> Cards {
        Cards(Vec::new())
    }

    /// Reads the header in a range of the file.
    pub(super) fn read(source: &dyn Source, range: Range<u64>) -> Result<Cards> {
        read_vec_at(source, range.start, range.end - range.start).map(Cards)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Returns the number of the first card with a keyword.
    fn find(&self, keyword: &str) -> Option<usize> {
        self.0.chunks_exact(CARD).position(|card| parts(card).is_some_and(|(found, _)| found == keyword))
    }

    /// Returns whether the header has a card with this keyword.
    pub(super) fn has(&self, keyword: &str) -> bool {
        self.find(keyword).is_some()
    }

    /// Replaces the value of a card, if the header has one with this keyword. The comment stays.
    pub(super) fn set_integer(&mut self, keyword: &str, value: u64) {
        self.set(keyword, &format!("{value:>20}"));
    }

    /// Replaces the value of a card by a text. Otherwise like [`Cards::set_integer`].
    pub(super) fn set_text(&mut self, keyword: &str, value: &str) {
        self.set(keyword, &quoted(value));
    }

    fn set(&mut self, keyword: &str, value: &str) {
        let Some(number) = self.find(keyword) else { return };
        if let Some(card) = self.0.get_mut(number * CARD..(number + 1) * CARD) {
            let comment = comment_of(card).to_vec();
            card.copy_from_slice(&new_card(keyword, value, &comment));
        }
    }

    /// Adds a card with an integer, a logical or another value that has no quotes.
    pub(super) fn add(&mut self, keyword: &str, value: &str, comment: &str) {
        self.0.extend_from_slice(&new_card(keyword, &format!("{value:>20}"), comment.as_bytes()));
    }

    /// Adds a card with a text.
    pub(super) fn add_text(&mut self, keyword: &str, value: &str, comment: &str) {
        self.0.extend_from_slice(&new_card(keyword, &quoted(value), comment.as_bytes()));
    }

    /// Adds the card `END`, and the blanks after it.
    pub(super) fn end(mut self) -> Cards {
        self.0.extend_from_slice(b"END");
        let length = self.0.len().next_multiple_of(BLOCK as usize);
        self.0.resize(length, b' ');
        self
    }

    /// Makes the header describe an ASDF file of this length, in an HDU with this number of axes.
    ///
    /// Fails with [`Status::Unsupported`] for a table with more than the ASDF file.
    pub(super) fn describe_asdf(&mut self, length: u64, axes: usize, is_table: bool) -> Result<()> {
        self.set_integer("NAXIS1", length);
        for axis in 2..=axes {
            self.set_integer(&format!("NAXIS{axis}"), 1);
        }
        // The number of zeros that NAXIS1 includes in files of asdf 2.0.
        self.set_integer("DATASIZE", 0);
        if is_table {
            self.set_text("TFORM1", &format!("{length}B"));
            if self.has("TFORM2") || self.has("THEAP") {
                let message = "the table that holds ASDF has several columns or a heap, so it is not changed";
                return Err(Error::new(Status::Unsupported, message));
            }
        }
        Ok(())
    }
}

/// Returns a text in quotes, which take at least 10 bytes.
fn quoted(text: &str) -> String {
    format!("{:<20}", format!("'{:<8}'", text.replace('\'', "''")))
}

fn new_card(keyword: &str, value: &str, comment: &[u8]) -> [u8; CARD] {
    let mut card = [b' '; CARD];
    let mut text = format!("{keyword:<8}= {value}").into_bytes();
    if !comment.is_empty() {
        text.resize(text.len().max(COMMENT - 1), b' ');
        text.extend_from_slice(b" / ");
        text.extend_from_slice(comment);
    }
    card.iter_mut().zip(text).for_each(|(byte, new)| *byte = new);
    card
}

/// Returns the comment of a card with a value, without blanks around it.
fn comment_of(card: &[u8]) -> &[u8] {
    let Some((_, rest)) = parts(card) else { return b"" };
    let mut in_text = false;
    let slash = rest.iter().position(|&byte| {
        in_text ^= byte == b'\'';
        byte == b'/' && !in_text
    });
    slash.and_then(|slash| rest.get(slash + 1..)).unwrap_or_default().trim_ascii()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_change_and_comments_stay() {
        let mut cards = Cards::new();
        cards.add("NAXIS1", "12", "length of the axis");
        cards.add_text("TFORM1", "12B", "it's a / form");
        cards.add("GCOUNT", "1", "");
        let mut cards = cards.end();
        assert_eq!(cards.bytes().len() as u64, BLOCK);
        let before = cards.clone();
        cards.set_integer("NAXIS9", 7);
        assert_eq!(cards, before);
        cards.set_integer("NAXIS1", 1234);
        cards.set_text("TFORM1", "1234B");
        let line = |number: usize| std::str::from_utf8(&cards.bytes()[number * CARD..][..CARD]).unwrap().trim_end();
        assert_eq!(line(0), "NAXIS1  =                 1234 / length of the axis");
        assert_eq!(line(1), "TFORM1  = '1234B   '           / it's a / form");
        assert_eq!(line(2), "GCOUNT  =                    1");
        assert_eq!(line(3), "END");
    }
}
