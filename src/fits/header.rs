//! Header of an HDU: the cards that describe its data.

use super::card::{CARD, MAX_CARDS, Value, parts, read_value};
use crate::error::{Error, Result, Status};
use crate::source::{Source, read_exact_at, try_zeroed};

/// Size of a block. Headers and data fill whole blocks.
pub(super) const BLOCK: u64 = 2880;
/// Bytes that are read at a time.
const PIECE: u64 = 4 * BLOCK;
/// Keywords that describe data, and the first parts of numbered keywords.
const KEYWORDS: [&str; 18] = [
    "BITPIX", "BLANK", "BSCALE", "BZERO", "COMPRESS", "EXTNAME", "EXTVER", "GCOUNT", "GROUPS", "NAXIS", "PCOUNT",
    "SIMPLE", "TFIELDS", "THEAP", "XTENSION", "ZBITPIX", "ZIMAGE", "ZNAXIS",
];
const NUMBERED: [&str; 7] = ["NAXIS", "TTYPE", "TFORM", "TZERO", "TSCAL", "TDIM", "ZNAXIS"];

/// A card that describes data.
#[derive(Clone, Debug)]
struct Card {
    keyword: String,
    /// Byte of the card in the file.
    offset: u64,
    value: Value,
}

/// The cards of an HDU that describe its data.
#[derive(Clone, Debug)]
pub(super) struct Header {
    /// Number of the HDU, from 0.
    pub(super) hdu: usize,
    /// Byte of the first card in the file.
    pub(super) start: u64,
    /// Byte after the header's last block.
    pub(super) end: u64,
    /// Sorted by keyword; the first of several comes first.
    cards: Vec<Card>,
}

impl Header {
    /// Reads the header at an offset. Returns `None` if no header begins there.
    ///
    /// Fails with [`Status::FitsHeader`] or [`Status::Truncated`] for a header without end.
    pub(super) fn read(source: &dyn Source, hdu: usize, start: u64) -> Result<Option<Header>> {
        let mut header = Header { hdu, start, end: start, cards: Vec::new() };
        let first: &[u8] = if hdu == 0 { b"SIMPLE  =" } else { b"XTENSION=" };
        let mut bytes = try_zeroed(PIECE as usize)?;
        loop {
            let size = PIECE.min(source.len().saturating_sub(header.end)) / CARD as u64 * CARD as u64;
            let piece = bytes.get_mut(..size as usize).unwrap_or_default();
            read_exact_at(source, header.end, piece)?;
            if header.end == start && !piece.starts_with(first) {
                return Ok(None);
            }
            for (number, card) in piece.chunks_exact(CARD).enumerate() {
                let offset = header.end + (number * CARD) as u64;
                if card.trim_ascii_end() == b"END" {
                    header.end = start + (offset + CARD as u64 - start).next_multiple_of(BLOCK);
                    header.cards.sort_by(|one, other| one.keyword.cmp(&other.keyword));
                    return Ok(Some(header));
                }
                header.add(card, offset)?;
            }
            header.end += size;
            if size < PIECE {
                let message = format!("the header of HDU {hdu} has no card END before the end of the file");
                return Err(Error::new(Status::Truncated, message).at_offset(source.len()));
            }
        }
    }

    fn add(&mut self, bytes: &[u8], offset: u64) -> Result<()> {
        let is_next = offset > self.start && (offset - self.start).is_multiple_of(BLOCK);
        let is_text = bytes.iter().take(8).all(|byte| (0x20..0x7f).contains(byte));
        if !is_text || is_next && bytes.starts_with(b"XTENSION=") {
            let number = (offset - self.start) / CARD as u64 + 1;
            let message =
                format!("the header of HDU {} has no card END: its card {number} is not one of a header", self.hdu);
            return Err(Error::new(Status::FitsHeader, message).at_offset(offset));
        }
        if offset - self.start > (MAX_CARDS * CARD) as u64 {
            return Err(Error::limit("cards of a FITS header", MAX_CARDS as u64).at_offset(offset));
        }
        let Some((keyword, rest)) = parts(bytes).filter(|(keyword, _)| is_wanted(keyword.as_bytes())) else {
            return Ok(());
        };
        let value = read_value(&String::from_utf8_lossy(rest.trim_ascii_end()));
        if let Some(value) = value.unwrap_or_else(|reason| Some(Value::Damaged(reason.to_owned()))) {
            self.cards.push(Card { keyword: keyword.to_owned(), offset, value });
        }
        Ok(())
    }

    fn find(&self, keyword: &str) -> Option<&Card> {
        let place = self.cards.partition_point(|card| card.keyword.as_str() < keyword);
        self.cards.get(place).filter(|card| card.keyword == keyword)
    }

    /// Returns the byte of a card, or that of the header if it has no such card.
    fn offset_of(&self, keyword: &str) -> u64 {
        self.find(keyword).map_or(self.start, |card| card.offset)
    }

    /// Returns an error about a card.
    pub(super) fn wrong(&self, keyword: &str, what: &str) -> Error {
        let message = format!("HDU {}: {keyword} {what}", self.hdu);
        Error::new(Status::FitsHeader, message).at_offset(self.offset_of(keyword))
    }

    fn value(&self, keyword: &str) -> Result<Option<&Value>> {
        let Some(card) = self.find(keyword) else { return Ok(None) };
        match &card.value {
            Value::Damaged(reason) => Err(self.wrong(keyword, &format!("cannot be read: {reason}"))),
            value => Ok(Some(value)),
        }
    }

    /// Returns an integer. Fails for another value, or one outside of the range.
    pub(super) fn integer(&self, keyword: &str, range: std::ops::RangeInclusive<i64>) -> Result<Option<i64>> {
        let integer = match self.value(keyword)? {
            None => return Ok(None),
            Some(Value::Integer(integer)) => *integer,
            // A float that is an integer, such as `32768.`.
            Some(Value::Number(number)) if number.fract() == 0.0 && number.abs() < 9e15 => *number as i64,
            Some(Value::Number(number)) => return Err(self.wrong(keyword, &format!("is {number}, not an integer"))),
            Some(_) => return Err(self.wrong(keyword, "is not an integer")),
        };
        if !range.contains(&integer) {
            let (low, high) = range.into_inner();
            let what = match high {
                i64::MAX => format!("is {integer}; the lowest value is {low}"),
                _ => format!("is {integer}; expected an integer from {low} to {high}"),
            };
            return Err(self.wrong(keyword, &what));
        }
        Ok(Some(integer))
    }

    /// Returns an integer that the header must have.
    pub(super) fn needed(&self, keyword: &str, range: std::ops::RangeInclusive<i64>) -> Result<i64> {
        self.integer(keyword, range)?.ok_or_else(|| self.wrong(keyword, "is missing"))
    }

    /// Returns a number.
    pub(super) fn number(&self, keyword: &str) -> Result<Option<f64>> {
        match self.value(keyword)? {
            None => Ok(None),
            Some(Value::Integer(integer)) => Ok(Some(*integer as f64)),
            Some(Value::Number(number)) => Ok(Some(*number)),
            Some(_) => Err(self.wrong(keyword, "is not a number")),
        }
    }

    /// Returns a text without blanks at its end.
    pub(super) fn text(&self, keyword: &str) -> Result<Option<&str>> {
        match self.value(keyword)? {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.trim_end())),
            Some(_) => Err(self.wrong(keyword, "is not a text")),
        }
    }

    /// Returns true if a card has the value T.
    pub(super) fn is_true(&self, keyword: &str) -> bool {
        matches!(self.value(keyword), Ok(Some(Value::Logical(true))))
    }
}

fn is_wanted(keyword: &[u8]) -> bool {
    let digits = keyword.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let letters = keyword.get(..keyword.len() - digits).unwrap_or_default();
    let has = |list: &[&str], word: &[u8]| list.iter().any(|known| known.as_bytes() == word);
    if digits == 0 { has(&KEYWORDS, keyword) } else { has(&NUMBERED, letters) }
}
