//! The bytes of an undo journal: its header and its records, written and read.
//!
//! Numbers are big-endian. A header is [`MAGIC`], a random number of 16 bytes, the length of the file before it was changed
//! (64 bits), and the MD5 of all that. Records follow: kind, offset and length (64 bits each), the MD5 of the random number,
//! the record's place in the journal and those three, and if the kind has a payload, that and its MD5. A record of the kind
//! [`Kind::Ready`] ends a batch. Nothing is overwritten before the batch that keeps it has that end, so a batch without one
//! is of no importance, and neither is a journal that is not whole.

use crate::layout::{Checksum, Hasher, md5};
use std::hash::{BuildHasher, RandomState};
use std::time::SystemTime;

const MAGIC: [u8; 16] = *b"asdf undo log 1\n";
pub(super) const CHECKSUM: usize = size_of::<Checksum>();
pub(super) const HEADER: usize = MAGIC.len() + size_of::<Nonce>() + 8 + CHECKSUM;
/// Bytes of a record without its payload.
pub(super) const RECORD: usize = 3 * 8 + CHECKSUM;

/// Random number of a journal. It distinguishes the records of one journal from those of another.
pub(super) type Nonce = [u8; 16];

/// Kind of a record, by its code. No byte of a code is zero: that tells a record from bytes that were never written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Kind {
    /// A batch is whole. No payload.
    Ready = u64::from_be_bytes(*b"ready..."),
    /// Bytes that are not overwritten, by which the file is known again: their MD5.
    Witness = u64::from_be_bytes(*b"witness."),
    /// Bytes that are overwritten by anything: those that were there.
    Old = u64::from_be_bytes(*b"old....."),
    /// Bytes that are overwritten by known ones: those that were there, and those that come.
    Changed = u64::from_be_bytes(*b"changed."),
    /// Zeros that are overwritten by anything. No payload.
    Zeros = u64::from_be_bytes(*b"zeros..."),
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Ready, Kind::Witness, Kind::Old, Kind::Changed, Kind::Zeros];

    /// Bytes of the payload of a record about so many bytes of the file; `None` if that is too large a number.
    fn payload_size(self, length: u64) -> Option<u64> {
        match self {
            Kind::Ready | Kind::Zeros => Some(0),
            Kind::Witness => Some(CHECKSUM as u64),
            Kind::Old => Some(length),
            Kind::Changed => length.checked_mul(2),
        }
    }
}

/// A random number.
pub(super) fn nonce() -> Nonce {
    let random = || RandomState::new().hash_one((SystemTime::now(), std::process::id()));
    (u128::from(random()) << 64 | u128::from(random())).to_be_bytes()
}

/// The header of the journal of a file that had this length.
pub(super) fn encode_header(nonce: &Nonce, length: u64) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(nonce);
    header.extend(length.to_be_bytes());
    header.extend(md5(&header));
    header
}

/// The random number of a journal and the length that the file had; `None` for a header of another form, or a damaged one.
pub(super) fn decode_header(header: &[u8; HEADER]) -> Option<(Nonce, u64)> {
    let (content, checksum) = header.split_last_chunk::<CHECKSUM>()?;
    let (nonce, length) = content.strip_prefix(&MAGIC)?.split_first_chunk()?;
    (md5(content) == *checksum).then_some((*nonce, u64::from_be_bytes(*length.first_chunk()?)))
}

/// A record without its payload: its kind, and the bytes of the file that it is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordHead {
    pub(super) kind: Kind,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// Bytes of the payload, without their checksum.
    pub(super) payload_size: u64,
}

/// Appends the head of a record that begins at a place of the journal.
pub(super) fn encode_record(kind: Kind, offset: u64, length: u64, nonce: &Nonce, place: u64, out: &mut Vec<u8>) {
    let start = out.len();
    for number in [kind as u64, offset, length] {
        out.extend(number.to_be_bytes());
    }
    let digest = record_digest(nonce, place, out.get(start..).unwrap_or_default());
    out.extend(digest);
}

/// The head of a record at a place of the journal; `None` if there is none that is whole.
pub(super) fn decode_record(head: &[u8; RECORD], nonce: &Nonce, place: u64) -> Option<RecordHead> {
    let (content, checksum) = head.split_last_chunk::<CHECKSUM>()?;
    let [code, offset, length] = content.as_chunks().0 else { return None };
    let [code, offset, length] = [code, offset, length].map(|bytes| u64::from_be_bytes(*bytes));
    let kind = Kind::ALL.into_iter().find(|kind| *kind as u64 == code)?;
    let payload_size = kind.payload_size(length)?;
    let is_whole = record_digest(nonce, place, content) == *checksum;
    is_whole.then_some(RecordHead { kind, offset, length, payload_size })
}

/// The checksum of a record without its payload, which no record of another journal or at another place has.
fn record_digest(nonce: &Nonce, place: u64, content: &[u8]) -> Checksum {
    let mut hasher = Hasher::new();
    hasher.update(nonce);
    hasher.update(&place.to_be_bytes());
    hasher.update(content);
    hasher.finish()
}
