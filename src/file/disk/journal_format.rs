//! Format of an undo journal.
//!
//! All numbers are big-endian. The journal has a header and records.
//!
//! * Header: [`MAGIC`], a random number (16 bytes), the length of the file before the changes, its number and the time of
//!   its creation, what the journal is for (64 bits each), the number of the system's start (16 bytes), and the MD5 of
//!   all these.
//! * Record: kind, offset and length (64 bits each), and the MD5 of the random number, the offset of the record in the
//!   journal, and these three numbers. A payload, if the kind has one, and its MD5 follow. [`Kind::New`] has no MD5 of
//!   its payload.
//!
//! A record of the kind [`Kind::Ready`] completes a batch. Bytes are overwritten only after the batch that keeps them
//! is complete, so an incomplete batch can be ignored. The same holds for an incomplete header.
//!
//! The modification time of the journal tells whether the file was changed since: [`is_at_rest`].

use super::identity::{Boot, Identity};
use crate::layout::{Checksum, Hasher, md5};
use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const MAGIC: [u8; 16] = *b"asdf undo log 2\n";
pub(super) const CHECKSUM: usize = size_of::<Checksum>();
pub(super) const HEADER: usize = MAGIC.len() + size_of::<Nonce>() + 4 * 8 + size_of::<Boot>() + CHECKSUM;
/// Size of a record without its payload, in bytes.
pub(super) const RECORD: usize = 3 * 8 + CHECKSUM;

/// Size of the payload of [`Kind::Sum`], in bytes.
pub(super) const SUM: usize = CHECKSUM + 2 * 8;

/// Random number of a journal. It distinguishes the records of one journal from those of another.
pub(super) type Nonce = [u8; 16];

/// Modification time of a journal while its writer changes the file.
pub(super) const WRITING: SystemTime = UNIX_EPOCH;
/// Some file systems have no times before 1980.
const LATEST_WRITING: Duration = Duration::from_secs(11 * 366 * 24 * 3600);

/// Returns true if a journal with this modification time was left by a writer that was not changing the file at that
/// time. The file must then not be newer than its journal.
pub(super) fn is_at_rest(journal_modified: SystemTime) -> bool {
    journal_modified > WRITING + LATEST_WRITING
}

/// The purpose of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u64)]
pub(crate) enum Purpose {
    /// A save in place: one batch. The file is complete when all new bytes are in it.
    Save = u64::from_be_bytes(*b"save...."),
    /// Overwritten elements. The file is never complete as long as the journal exists.
    Regions = u64::from_be_bytes(*b"regions."),
}

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
    /// The checksum in a block header, which is removed while the block is overwritten. Payload: the old checksum, and
    /// offset and length of the bytes that it belongs to.
    Sum = u64::from_be_bytes(*b"checksum"),
    /// A block without a checksum is overwritten. Its offset; no payload.
    Bare = u64::from_be_bytes(*b"bare...."),
    /// Bytes that are written over kept ones. Payload: these bytes.
    New = u64::from_be_bytes(*b"new....."),
    /// From here on, bytes are written over kept ones without a record [`Kind::New`]. No payload.
    Loose = u64::from_be_bytes(*b"loose..."),
    /// The modification time of the journal says nothing. No payload.
    Untimed = u64::from_be_bytes(*b"untimed."),
}

impl Kind {
    const ALL: [Kind; 10] = [
        Kind::Ready,
        Kind::Witness,
        Kind::Old,
        Kind::Changed,
        Kind::Zeros,
        Kind::Sum,
        Kind::Bare,
        Kind::New,
        Kind::Loose,
        Kind::Untimed,
    ];

    /// Returns the payload size of a record about `length` bytes of the file; `None` on overflow.
    fn payload_size(self, length: u64) -> Option<u64> {
        match self {
            Kind::Ready | Kind::Zeros | Kind::Bare | Kind::Loose | Kind::Untimed => Some(0),
            Kind::Witness => Some(CHECKSUM as u64),
            Kind::Old | Kind::New => Some(length),
            Kind::Changed => length.checked_mul(2),
            Kind::Sum => Some(SUM as u64),
        }
    }

    /// Returns true if the MD5 of the payload follows the payload. [`Kind::New`] is only used as long as the system
    /// runs, so it has none, which saves time.
    pub(super) fn is_checked(self) -> bool {
        self != Kind::New
    }
}

/// Returns a random number.
pub(super) fn nonce() -> Nonce {
    let random = || RandomState::new().hash_one((SystemTime::now(), std::process::id()));
    (u128::from(random()) << 64 | u128::from(random())).to_be_bytes()
}

/// Header of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) nonce: Nonce,
    /// Length of the file before the changes, in bytes.
    pub(super) length: u64,
    pub(super) identity: Identity,
    pub(super) purpose: Purpose,
    pub(super) boot: Boot,
}

impl Header {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut header = Vec::with_capacity(HEADER);
        header.extend(MAGIC);
        header.extend(self.nonce);
        for number in [self.length, self.identity.inode, self.identity.born, self.purpose as u64] {
            header.extend(number.to_be_bytes());
        }
        header.extend(self.boot);
        header.extend(md5(&header));
        header
    }

    /// Decodes a header; `None` for an unknown format or a damaged header.
    pub(super) fn decode(header: &[u8; HEADER]) -> Option<Header> {
        let (content, checksum) = header.split_last_chunk::<CHECKSUM>()?;
        let (nonce, numbers) = content.strip_prefix(&MAGIC)?.split_first_chunk()?;
        let (numbers, boot) = numbers.split_last_chunk()?;
        let [length, inode, born, purpose] = numbers.as_chunks().0 else { return None };
        let [length, inode, born, purpose] = [length, inode, born, purpose].map(|bytes| u64::from_be_bytes(*bytes));
        let purpose = [Purpose::Save, Purpose::Regions].into_iter().find(|known| *known as u64 == purpose)?;
        let header = Header { nonce: *nonce, length, identity: Identity { inode, born }, purpose, boot: *boot };
        (md5(content) == *checksum).then_some(header)
    }
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
