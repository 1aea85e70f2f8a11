//! Headers with the cards of a WCS, read and written.

use crate::error::{Error, Result, Status};
pub(super) use crate::fits::card::Value;
use crate::fits::card::{CARD, MAX_CARDS, parts, read_value};
use crate::float::Notation;
use crate::reserve;
use std::fmt::Write as _;

/// The cards with a value, by keyword. Of several with one keyword the last one counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Header {
    /// Keyword, number in the header and value, sorted by keyword.
    cards: Vec<(String, usize, Value)>,
}

/// Returns an error of the content of a header.
pub(super) fn wrong<T>(message: impl Into<String>) -> Result<T> {
    Err(Error::new(Status::InvalidArgument, message))
}

impl Header {
    /// Reads cards of 80 characters in a row, or lines with a card each, up to the card `END`.
    ///
    /// A card that cannot be read is an error only where its value is needed.
    pub(super) fn parse(bytes: &[u8]) -> Result<Header> {
        if bytes.contains(&b'\n') {
            Header::of_pieces(bytes.split(|byte| *byte == b'\n'))
        } else {
            Header::of_pieces(bytes.chunks(CARD))
        }
    }

    fn of_pieces<'a>(pieces: impl Iterator<Item = &'a [u8]>) -> Result<Header> {
        let mut cards = Vec::new();
        for (number, piece) in pieces.enumerate() {
            if number == MAX_CARDS {
                return Err(Error::limit("cards of a header", MAX_CARDS as u64));
            }
            let piece = piece.trim_ascii_end();
            if piece == b"END" {
                break;
            }
            let Some((keyword, rest)) = parts(piece) else { continue };
            let value = match rest.iter().find(|byte| !(0x20..0x7f).contains(*byte)) {
                Some(byte) => Err(format!("the byte {byte:#04x} cannot be in a header")),
                None => read_value(&String::from_utf8_lossy(rest)).map_err(str::to_owned),
            };
            let shown = || String::from_utf8_lossy(piece).escape_debug().to_string();
            let damaged = |reason| Some(Value::Damaged(format!("card {} ('{}'): {reason}", number + 1, shown())));
            if let Some(value) = value.unwrap_or_else(damaged) {
                reserve::room_for(&mut cards, 1)?;
                cards.push((keyword.to_owned(), number, value));
            }
        }
        Ok(Header::new(cards))
    }

    /// Makes a header of keywords, increasing numbers and values. All numbers become floats.
    pub(super) fn new(mut cards: Vec<(String, usize, Value)>) -> Header {
        for (_, _, value) in &mut cards {
            if let Value::Integer(integer) = *value {
                *value = Value::Number(integer as f64);
            }
        }
        // The last card of a keyword comes first, and stays.
        cards.sort_unstable_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)));
        cards.dedup_by(|one, other| one.0 == other.0);
        Header { cards }
    }

    /// Returns the value of a keyword.
    pub(super) fn get(&self, keyword: &str) -> Option<&Value> {
        let place = self.cards.binary_search_by(|(known, ..)| known.as_str().cmp(keyword)).ok()?;
        self.cards.get(place).map(|(.., value)| value)
    }

    /// Returns the keywords.
    pub(super) fn keywords(&self) -> impl Iterator<Item = &str> {
        self.cards.iter().map(|(keyword, ..)| keyword.as_str())
    }

    /// Returns a number. Fails for a value of another kind.
    pub(super) fn number(&self, keyword: &str) -> Result<Option<f64>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(*number)),
            Some(Value::Damaged(reason)) => wrong(reason),
            Some(_) => wrong(format!("the value of {keyword} is not a number")),
        }
    }

    /// Returns a text without blanks at its end. Fails for a value of another kind.
    pub(super) fn text(&self, keyword: &str) -> Result<Option<&str>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.trim_end())),
            Some(Value::Damaged(reason)) => wrong(reason),
            Some(_) => wrong(format!("the value of {keyword} is not a text")),
        }
    }

    /// Returns an integer within a range. Fails for a value of another kind, or outside.
    pub(super) fn integer(&self, keyword: &str, range: std::ops::RangeInclusive<i64>) -> Result<Option<i64>> {
        let Some(number) = self.number(keyword)? else { return Ok(None) };
        if number.fract() != 0.0 || number < *range.start() as f64 || number > *range.end() as f64 {
            let (low, high) = range.into_inner();
            return wrong(format!("{keyword} is {number}; expected an integer from {low} to {high}"));
        }
        Ok(Some(number as i64))
    }
}

/// Header cards in the making.
#[derive(Clone, Debug, Default)]
pub(super) struct CardWriter {
    text: String,
}

impl CardWriter {
    /// Appends a number.
    pub(super) fn number(&mut self, keyword: &str, value: f64, comment: &str) {
        let mut text = String::new();
        Notation::PYTHON.write(&mut text, value);
        self.card(keyword, &format!("{:>20}", text.to_ascii_uppercase()), comment);
    }

    /// Appends an integer.
    pub(super) fn integer(&mut self, keyword: &str, value: i64, comment: &str) {
        self.card(keyword, &format!("{value:>20}"), comment);
    }

    /// Appends a text.
    pub(super) fn text(&mut self, keyword: &str, value: &str, comment: &str) {
        self.card(keyword, &format!("{:<20}", format!("'{:<8}'", value.replace('\'', "''"))), comment);
    }

    fn card(&mut self, keyword: &str, value: &str, comment: &str) {
        let mut card = format!("{keyword:<8}= {value}");
        // A value of several lines does not occur.
        if card.len() + 3 + comment.len() <= CARD && !comment.is_empty() {
            let _ = write!(card, " / {comment}");
        }
        card.truncate(CARD);
        let _ = write!(self.text, "{card:<80}");
    }

    /// Returns the cards in a row, with the card `END`.
    pub(super) fn finish(mut self) -> String {
        let _ = write!(self.text, "{:<80}", "END");
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_have_values_of_each_kind() {
        let text = [
            "SIMPLE  =                    T / conforms to FITS standard",
            "CRVAL1  =             1.25D+02 / [deg]",
            "CRVAL2  = -.5",
            "CTYPE1  = 'RA---TAN'           / it''s",
            "OBJECT  = 'Barnard''s star / 1'",
            "COMMENT = no value",
            "CRPIX1  = 3",
            "CRPIX1  = 4",
            "EMPTY   =",
            "END",
            "CRPIX2  = x",
        ];
        for joined in [text.join("\n"), text.map(|card| format!("{card:<80}")).concat()] {
            let header = Header::parse(joined.as_bytes()).unwrap();
            assert_eq!(header.get("SIMPLE"), Some(&Value::Logical(true)));
            assert_eq!(header.number("CRVAL1").unwrap(), Some(125.0));
            assert_eq!(header.number("CRVAL2").unwrap(), Some(-0.5));
            assert_eq!(header.text("CTYPE1").unwrap(), Some("RA---TAN"));
            assert_eq!(header.text("OBJECT").unwrap(), Some("Barnard's star / 1"));
            assert_eq!(header.integer("CRPIX1", 0..=9).unwrap(), Some(4));
            assert_eq!(header.number("CRPIX2").unwrap(), None);
            assert!(header.integer("CRPIX1", 5..=9).is_err());
            assert!(header.number("CTYPE1").is_err());
            assert!(header.text("CRVAL1").is_err());
        }
    }

    #[test]
    fn damaged_cards_are_errors_where_their_value_is_needed() {
        for card in ["CRVAL1  = 1.5x", "CTYPE1  = 'RA---TAN", "CRVAL1  = 1e999", "CRVAL1  = inf", "CTYPE1  = '\u{e9}'"]
        {
            let header = Header::parse(format!("NAXIS   = 2\n{card}\nOBJECT  = 'x").as_bytes()).unwrap();
            let errors = [header.number("CRVAL1").map(|_| ()), header.text("CTYPE1").map(|_| ())];
            let error = errors.into_iter().find_map(std::result::Result::err).unwrap();
            assert_eq!(error.status(), Status::InvalidArgument, "{card}");
            assert!(error.message().starts_with("card 2"), "{error}");
            assert_eq!(header.number("NAXIS").unwrap(), Some(2.0));
        }
    }

    #[test]
    fn written_cards_are_read_again() {
        let mut writer = CardWriter::default();
        writer.number("CRVAL1", 1.0 / 3.0, "[deg]");
        writer.number("CD1_1", -1e-300, "");
        writer.integer("A_ORDER", 3, "order");
        writer.text("CTYPE1", "RA---TAN-SIP", "projection");
        let text = writer.finish();
        assert_eq!(text.len() % CARD, 0);
        let header = Header::parse(text.as_bytes()).unwrap();
        assert_eq!(header.number("CRVAL1").unwrap(), Some(1.0 / 3.0));
        assert_eq!(header.number("CD1_1").unwrap(), Some(-1e-300));
        assert_eq!(header.number("A_ORDER").unwrap(), Some(3.0));
        assert_eq!(header.text("CTYPE1").unwrap(), Some("RA---TAN-SIP"));
    }
}
