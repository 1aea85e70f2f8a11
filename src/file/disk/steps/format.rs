//! Format of the records of steps: a line of text each. Their meaning is described in [`steps`](super).

use crate::file::disk::record_line;
use std::fmt::Write;
use std::ops::Range;
use twox_hash::XxHash64;

const NAME: &str = "#asdfkit-step";
const VERSION: &str = "1";
/// Size of a record, and of both, in bytes.
pub(crate) const SLOT: usize = 1024;
pub(crate) const SLOTS: usize = 2 * SLOT;
/// Most changes of a record.
const MOST_CHANGES: usize = 64;

/// Bytes that are written over others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::file) struct Written {
    pub(in crate::file) offset: u64,
    pub(in crate::file) bytes: Vec<u8>,
}

impl Written {
    pub(super) fn range(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.bytes.len() as u64)
    }
}

/// A record: the state after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Random number of the growth. The records of one file belong to one growth.
    pub(super) session: u64,
    /// Number of the step, from 0.
    pub(super) sequence: u64,
    /// Range of the blocks of the step in the file. The file ends with them.
    pub(super) fresh: Range<u64>,
    /// XXH64 of the blocks of the step.
    pub(super) hash: u64,
    /// Offset of the records in the file.
    pub(super) slots: u64,
    /// XXH64 of the bytes before the records, after the step.
    pub(super) head: u64,
    pub(super) changes: Vec<Written>,
}

impl Record {
    /// Returns the bytes of the record. They fill its place. Returns `None` if the changes are too large.
    pub(super) fn encode(&self) -> Option<Vec<u8>> {
        let Record { session, sequence, fresh, hash, slots, head, changes } = self;
        let (from, to) = (fresh.start, fresh.end);
        let mut text =
            format!("{NAME} {VERSION} {session:016x} {sequence} {from} {to} {hash:016x} {slots} {head:016x} ");
        if changes.len() > MOST_CHANGES {
            return None;
        }
        for Written { offset, bytes } in changes {
            // Writing to a text cannot fail.
            let _ = write!(text, "{offset}:");
            if text.len() + 2 * bytes.len() > SLOT {
                return None;
            }
            bytes.iter().for_each(|byte| {
                let _ = write!(text, "{byte:02x}");
            });
            text.push(' ');
        }
        (text.len() + record_line::HASH < SLOT).then(|| record_line::encode(text, SLOT))
    }

    /// Decodes a record; `None` for anything else.
    pub(super) fn decode(bytes: &[u8]) -> Option<Record> {
        let fields: Vec<&str> = record_line::decode(bytes, SLOT)?.split(' ').collect();
        let [NAME, VERSION, session, sequence, from, to, hash, slots, head, changes @ ..] = fields.as_slice() else {
            return None;
        };
        let hex = |text| u64::from_str_radix(text, 16).ok();
        let record = Record {
            session: hex(session)?,
            sequence: sequence.parse().ok()?,
            fresh: from.parse().ok()?..to.parse().ok()?,
            hash: hex(hash)?,
            slots: slots.parse().ok()?,
            head: hex(head)?,
            changes: changes.iter().map(|change| decode_change(change)).collect::<Option<_>>()?,
        };
        (record.fresh.start <= record.fresh.end).then_some(record)
    }

    /// Returns the first bytes of each record of the same growth.
    pub(super) fn prefix(&self) -> Vec<u8> {
        format!("{NAME} {VERSION} {:016x} ", self.session).into_bytes()
    }

    /// Returns the place of the record in the file.
    pub(super) fn place(&self) -> u64 {
        self.slots + record_line::place_of(self.sequence, SLOT)
    }
}

fn decode_change(text: &str) -> Option<Written> {
    let (offset, bytes) = text.split_once(':')?;
    let digits = bytes.as_bytes();
    if digits.len() % 2 != 0 || !digits.is_ascii() {
        return None;
    }
    let bytes = digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok());
    Some(Written { offset: offset.parse().ok()?, bytes: bytes.collect::<Option<_>>()? })
}

/// Returns the offset of the records before a first block; 0 if there is no room for them.
pub(in crate::file) fn slots_before(first_block: u64) -> u64 {
    record_line::offset_before(first_block, SLOT)
}

/// Returns the hash of the bytes before the records.
pub(super) fn hash_of_head(head: &[u8]) -> u64 {
    XxHash64::oneshot(0, head)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        let changes = vec![
            Written { offset: u64::MAX, bytes: vec![0, 255, 7] },
            Written { offset: 7, bytes: vec![1; 54] },
            Written { offset: 9, bytes: Vec::new() },
        ];
        Record { session: 7, sequence: u64::MAX, fresh: 5..u64::MAX, hash: u64::MAX, slots: 512, head: 1, changes }
    }

    #[test]
    fn a_record_survives() {
        let bytes = record().encode().unwrap();
        assert_eq!(bytes.len(), SLOT);
        assert!(bytes.is_ascii() && bytes.starts_with(&record().prefix()));
        assert_eq!(Record::decode(&bytes), Some(record()));
        let without = Record { changes: Vec::new(), ..record() };
        assert_eq!(Record::decode(&without.encode().unwrap()), Some(without));
    }

    #[test]
    fn every_damage_is_noticed() {
        let whole = record().encode().unwrap();
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
    fn large_changes_have_no_record() {
        let of_size = |size| Record { changes: vec![Written { offset: 1, bytes: vec![0; size] }], ..record() };
        assert!(of_size(300).encode().is_some());
        assert!((400..600).all(|size| of_size(size).encode().is_none_or(|bytes| bytes.len() == SLOT)));
        assert!(of_size(600).encode().is_none());
        let many = vec![Written { offset: 1, bytes: vec![0] }; MOST_CHANGES + 1];
        assert!(Record { changes: many, ..record() }.encode().is_none());
    }
}
