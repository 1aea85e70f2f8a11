//! A header: its cards, and the structure that its keywords state.

use super::card::{Card, Raw, Value};
use super::{BLOCK, CARD};
use crate::failure::{Failure, Result, status};

/// Header of one HDU, with its place in the file.
#[derive(Clone)]
pub(crate) struct Header {
    /// Number of the HDU, from 0.
    pub(crate) hdu: usize,
    /// Offset of the first card in the file.
    pub(crate) offset: usize,
    /// Cards before END.
    pub(crate) cards: Vec<Raw>,
    /// Size in bytes with END and padding.
    pub(crate) size: usize,
    parsed: Vec<Card>,
}

impl Header {
    /// Reads the header at an offset.
    pub(crate) fn read(bytes: &[u8], offset: usize, hdu: usize) -> Result<Header> {
        let mut cards = Vec::new();
        let text = bytes.get(offset..).unwrap_or_default();
        for raw in text.as_chunks::<CARD>().0 {
            if raw[..8] == *b"END     " {
                let size = ((cards.len() + 1) * CARD).next_multiple_of(BLOCK);
                let parsed = cards.iter().map(Card::parse).collect();
                return Ok(Header { hdu, offset, cards, size, parsed });
            }
            cards.push(*raw);
        }
        Err(Failure::new(
            status::TRUNCATED,
            format!(
                "HDU {hdu}: the header at byte {offset} has no card END; the file ends after {} cards, at byte {}",
                cards.len(),
                bytes.len()
            ),
        ))
    }

    /// A header of cards that are not in a file.
    pub(crate) fn of_cards(cards: Vec<Raw>, hdu: usize) -> Header {
        let size = ((cards.len() + 1) * CARD).next_multiple_of(BLOCK);
        let parsed = cards.iter().map(Card::parse).collect();
        Header { hdu, offset: 0, cards, size, parsed }
    }

    /// First card of a keyword, with its number.
    fn position(&self, keyword: &str) -> Option<usize> {
        self.parsed.iter().position(|card| card.keyword == keyword)
    }

    /// First card of a keyword.
    pub(crate) fn find(&self, keyword: &str) -> Option<&Card> {
        self.position(keyword).map(|position| &self.parsed[position])
    }

    pub(crate) fn text(&self, keyword: &str) -> Option<&str> {
        self.find(keyword).and_then(Card::text)
    }

    pub(crate) fn integer(&self, keyword: &str) -> Option<i64> {
        self.find(keyword).and_then(Card::integer)
    }

    pub(crate) fn float(&self, keyword: &str) -> Option<f64> {
        self.find(keyword).and_then(Card::float)
    }

    pub(crate) fn flag(&self, keyword: &str) -> bool {
        self.find(keyword).is_some_and(|card| card.value == Value::Bool(true))
    }

    /// Returns the first keyword of some that has several cards.
    pub(crate) fn repeated(&self, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
        let mut seen = std::collections::HashSet::new();
        let keywords = self.parsed.iter().map(|card| card.keyword.as_str());
        keywords.filter(|keyword| is_wanted(keyword)).find(|keyword| !seen.insert(*keyword)).map(str::to_owned)
    }

    /// Returns the first keyword of some whose card has other bytes than printable ASCII.
    pub(crate) fn unprintable(&self, is_wanted: impl Fn(&str) -> bool) -> Option<String> {
        let is_clean = |card: &Raw| card.iter().all(|byte| (0x20..0x7f).contains(byte));
        let mut cards = self.parsed.iter().zip(&self.cards);
        cards.find(|(card, raw)| is_wanted(&card.keyword) && !is_clean(raw)).map(|(card, _)| card.keyword.clone())
    }

    /// Failure of a card: names HDU, card and byte.
    pub(crate) fn failure(&self, keyword: &str, message: impl std::fmt::Display) -> Failure {
        let place = match self.position(keyword) {
            Some(card) => format!("card {} ({keyword}) at byte {}", card + 1, self.offset + card * CARD),
            None => format!("header at byte {}", self.offset),
        };
        Failure::new(status::FITS_HEADER, format!("HDU {}: {place}: {message}", self.hdu))
    }

    /// An integer that must be there and not be negative.
    pub(crate) fn count(&self, keyword: &str) -> Result<u64> {
        let card =
            self.find(keyword).ok_or_else(|| self.failure(keyword, format!("the keyword {keyword} is missing")))?;
        match card.value {
            Value::Integer(value) => {
                u64::try_from(value).map_err(|_| self.failure(keyword, format!("{value} is negative")))
            }
            _ => Err(self.failure(keyword, "the value is not an integer within 64 bits")),
        }
    }
}
