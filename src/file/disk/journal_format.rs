//! Format of an undo journal.
//!
//! All numbers are big-endian. The journal has a header and records.
//!
//! * Header: [`MAGIC`], a random number (16 bytes), the length of the file before the changes (64 bits), and the MD5 of
//!   all these.
//! * Record: kind, offset and length (64 bits each), and the MD5 of the random number, the offset of the record in the
//!   journal, and these three numbers. A payload, if the kind has one, and its MD5 follow.
//!
//! A record of the kind [`Kind::Ready`] completes a batch. Bytes are overwritten only after the batch that keeps them
//! is complete, so an incomplete batch can be ignored. The same holds for an incomplete header.

use crate::layout::{Checksum, Hasher, md5};
use std::hash::{BuildHasher, RandomState};
use std::time::SystemTime;

const MAGIC: [u8; 16] = *b"asdf undo log 1\n";
pub(super) const CHECKSUM: usize = size_of::<Checksum>();
pub(super) const HEADER: usize = MAGIC.len() + size_of::<Nonce>() + 8 + CHECKSUM;
/// Size of a record without its payload, in bytes.
pub(super) const RECORD: usize = 3 * 8 + CHECKSUM;

/// Random number of a journal. It distinguishes the records of one journal from those of another.
pub(super) type Nonce = [u8; 16];

/// Kind of a record, by its code. No byte of a code is zero, which distinguishes a record from bytes that were never
/// written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(super) enum Kind {
    /// Completes a batch. No payload.
    Ready = u64::from_be_bytes(*b"ready..."),
    /// Bytes that are not overwritten and identify the file. Payload: their MD5.
    Witness = u64::from_be_bytes(*b"witness."),
    /// Bytes that are overwritten by unknown bytes. Payload: the old bytes.
    Old = u64::from_be_bytes(*b"old....."),
    /// Bytes that are overwritten by known bytes. Payload: the old bytes, then the new ones.
    Changed = u64::from_be_bytes(*b"changed."),
    /// Zeros that are overwritten by unknown bytes. No payload.
    Zeros = u64::from_be_bytes(*b"zeros..."),
}

impl Kind {
    const ALL: [Kind; 5] = [Kind::Ready, Kind::Witness, Kind::Old, Kind::Changed, Kind::Zeros];

    /// Returns the payload size of a record about `length` bytes of the file; `None` on overflow.
    fn payload_size(self, length: u64) -> Option<u64> {
        match self {
            Kind::Ready | Kind::Zeros => Some(0),
            Kind::Witness => Some(CHECKSUM as u64),
            Kind::Old => Some(length),
            Kind::Changed => length.checked_mul(2),
        }
    }
}

/// Returns a random number.
pub(super) fn nonce() -> Nonce {
    let random = || RandomState::new().hash_one((SystemTime::now(), std::process::id()));
    (u128::from(random()) << 64 | u128::from(random())).to_be_bytes()
}

/// Encodes the header of the journal of a file with this length.
pub(super) fn encode_header(nonce: &Nonce, length: u64) -> Vec<u8> {
    let mut header = Vec::with_capacity(HEADER);
    header.extend(MAGIC);
    header.extend(nonce);
    header.extend(length.to_be_bytes());
    header.extend(md5(&header));
    header
}

/// Decodes a header into the random number and the old length of the file; `None` for an unknown format or a damaged
/// header.
pub(super) fn decode_header(header: &[u8; HEADER]) -> Option<(Nonce, u64)> {
    let (content, checksum) = header.split_last_chunk::<CHECKSUM>()?;
    let (nonce, length) = content.strip_prefix(&MAGIC)?.split_first_chunk()?;
    (md5(content) == *checksum).then_some((*nonce, u64::from_be_bytes(*length.first_chunk()?)))
}

/// A record without its payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RecordHead {
    pub(super) kind: Kind,
    pub(super) offset: u64,
    pub(super) length: u64,
    /// Size of the payload without its checksum, in bytes.
    pub(super) payload_size: u64,
}

/// Appends a record without its payload. `place` is the offset of the record in the journal.
pub(super) fn encode_record(kind: Kind, offset: u64, length: u64, nonce: &Nonce, place: u64, out: &mut Vec<u8>) {
    let start = out.len();
    for number in [kind as u64, offset, length] {
        out.extend(number.to_be_bytes());
    }
    let digest = record_digest(nonce, place, out.get(start..).unwrap_or_default());
    out.extend(digest);
}

/// Decodes a record without its payload at the offset `place` of the journal; `None` if it is incomplete or damaged.
pub(super) fn decode_record(head: &[u8; RECORD], nonce: &Nonce, place: u64) -> Option<RecordHead> {
    let (content, checksum) = head.split_last_chunk::<CHECKSUM>()?;
    let [code, offset, length] = content.as_chunks().0 else { return None };
    let [code, offset, length] = [code, offset, length].map(|bytes| u64::from_be_bytes(*bytes));
    let kind = Kind::ALL.into_iter().find(|kind| *kind as u64 == code)?;
    let payload_size = kind.payload_size(length)?;
    let is_whole = record_digest(nonce, place, content) == *checksum;
    is_whole.then_some(RecordHead { kind, offset, length, payload_size })
}

/// Returns the checksum of a record without its payload. It is unique for the journal and the offset.
fn record_digest(nonce: &Nonce, place: u64, content: &[u8]) -> Checksum {
    let mut hasher = Hasher::new();
    hasher.update(nonce);
    hasher.update(&place.to_be_bytes());
    hasher.update(content);
    hasher.finish()
}
