//! Format of the records of an array that grows: a line of text each, in a disk sector of its own. Their meaning is
//! described in [`growth`](super::growth).

use super::record_line;
use crate::error::Result;
use crate::source::{Source, read_vec_at};
use std::ops::Range;
use twox_hash::XxHash64;

const NAME: &str = "#asdfkit-growth";
const VERSION: &str = "1";
/// Size of a record, and of both, in bytes.
pub(super) const SLOT: usize = 512;
pub(crate) const SLOTS: usize = 2 * SLOT;
/// Number of bytes of the number of rows in the tree: the longest number that fits 64 signed bits.
pub(crate) const DIGITS: usize = 19;

/// A record: the state after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Random number of the growth. The records of one file belong to one growth.
    pub(super) session: u64,
    /// Number of the step, from 0.
    pub(super) sequence: u64,
    /// Number of rows after the step.
    pub(super) rows: i64,
    /// Range of the rows of the step in the file. The file ends with them.
    pub(super) fresh: Range<u64>,
    /// XXH64 of the rows of the step.
    pub(super) hash: u64,
    /// Range of the tree in the file.
    pub(super) tree: Range<u64>,
    /// XXH64 of the tree with spaces in place of the number of rows.
    pub(super) tree_hash: u64,
    /// Offset of the number of rows in the tree.
    pub(super) number: u64,
}

impl Record {
    /// Returns the bytes of the record. They fill its place.
    pub(super) fn encode(&self) -> Vec<u8> {
        let Record { session, sequence, rows, fresh, hash, tree, tree_hash, number } = self;
        let (from, to, start, end) = (fresh.start, fresh.end, tree.start, tree.end);
        let text = format!(
            "{NAME} {VERSION} {session:016x} {sequence} {rows} {from} {to} {hash:016x} {start} {end} {tree_hash:016x} \
             {number} "
        );
        record_line::encode(text, SLOT)
    }

    /// Decodes a record; `None` for anything else.
    pub(super) fn decode(bytes: &[u8]) -> Option<Record> {
        let fields: Vec<&str> = record_line::decode(bytes, SLOT)?.split(' ').collect();
        let [NAME, VERSION, session, sequence, rows, from, to, hash, start, end, tree_hash, number] = fields[..] else {
            return None;
        };
        let hex = |text| u64::from_str_radix(text, 16).ok();
        Some(Record {
            session: hex(session)?,
            sequence: sequence.parse().ok()?,
            rows: rows.parse().ok().filter(|&rows: &i64| rows >= 0)?,
            fresh: from.parse().ok()?..to.parse().ok()?,
            hash: hex(hash)?,
            tree: start.parse().ok()?..end.parse().ok()?,
            tree_hash: hex(tree_hash)?,
            number: number.parse().ok()?,
        })
    }

    /// Returns true if the number of rows lies in the tree.
    pub(super) fn is_consistent(&self) -> bool {
        let end = self.number.checked_add(DIGITS as u64);
        self.tree.start <= self.number
            && end.is_some_and(|end| end <= self.tree.end)
            && self.fresh.start <= self.fresh.end
    }

    /// Returns the first bytes of each record of the same growth.
    pub(super) fn prefix(&self) -> Vec<u8> {
        format!("{NAME} {VERSION} {:016x} ", self.session).into_bytes()
    }
}

/// Returns the number of rows as it stands in the tree.
pub(crate) fn encode_rows(rows: i64) -> [u8; DIGITS] {
    let mut place = [b' '; DIGITS];
    let text = rows.max(0).to_string();
    place.iter_mut().zip(text.bytes()).for_each(|(place, digit)| *place = digit);
    place
}

/// Returns the number of rows that stands at a place of the tree; `None` for anything else.
pub(super) fn decode_rows(place: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(place).ok()?.trim_end_matches(' ');
    let rows = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?;
    rows.filter(|&rows| encode_rows(rows) == *place)
}

/// Returns the hash of a tree with spaces in place of the number of rows.
pub(super) fn tree_hash(file: &dyn Source, tree: &Range<u64>, number: u64) -> Result<u64> {
    let mut text = read_vec_at(file, tree.start, tree.end.saturating_sub(tree.start))?;
    let start = usize::try_from(number.saturating_sub(tree.start)).unwrap_or(usize::MAX);
    if let Some(place) = text.get_mut(start..).and_then(|rest| rest.get_mut(..DIGITS)) {
        place.fill(b' ');
    }
    Ok(XxHash64::oneshot(0, &text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            session: 7,
            sequence: u64::MAX,
            rows: i64::MAX,
            fresh: u64::MAX - 1..u64::MAX,
            hash: u64::MAX,
            tree: 0..u64::MAX,
            tree_hash: 1,
            number: u64::MAX,
        }
    }

    #[test]
    fn a_record_is_one_sector_and_survives() {
        let bytes = record().encode();
        assert_eq!(bytes.len(), SLOT);
        assert!(bytes.is_ascii() && bytes.starts_with(&record().prefix()));
        assert_eq!(Record::decode(&bytes), Some(record()));
    }

    #[test]
    fn every_damage_is_noticed() {
        let whole = record().encode();
        let used = whole.trim_ascii_end().len();
        for at in 0..used {
            for bit in 0..8 {
                let mut bytes = whole.clone();
                bytes[at] ^= 1 << bit;
                let is_case = bytes[at].eq_ignore_ascii_case(&whole[at]);
                assert!(is_case || Record::decode(&bytes) != Some(record()), "{at} {bit}");
            }
        }
        assert_eq!(Record::decode(&whole[..used]), None);
        assert_eq!(Record::decode(&[b' '; SLOT]), None);
    }

    #[test]
    fn numbers_fill_their_place() {
        for rows in [0, 1, 1234, i64::MAX] {
            assert_eq!(decode_rows(&encode_rows(rows)), Some(rows));
        }
        for place in
            [&b"12, 3              "[..], b" 12                ", b"                   ", b"012                "]
        {
            assert_eq!(decode_rows(place), None);
        }
    }
}
