//! Arrays on one compressed payload, read row by row in one pass over the decoded bytes.
//!
//! One piece of the decoded bytes is in memory at a time; nothing is cached. The caller reads rows in the order of the
//! payload. [`Rows`] holds their positions.

use crate::array::payload::cache::PayloadCache;
use crate::array::payload::decoded::Compressed;
use crate::array::payload::fetch::{Fetch, Memory};
use crate::array::{Array, Datatype, Payload, ReadOptions, Region};
use crate::codec::{Decoder, Outcome};
use crate::error::{Error, Result, Status, Warning};
use crate::source::{settle, zeroed_bytes};
use std::sync::Arc;

// Tests use small sizes, so that small arrays cover every code path.
/// Payloads up to this size are decoded at once, which is faster with most codecs.
const AT_ONCE: u64 = if cfg!(test) { 64 } else { 32 << 20 };
/// Bytes decoded ahead for larger payloads.
const PIECE: u64 = if cfg!(test) { 48 } else { 4 << 20 };

/// Positions of the rows of an array in the decoded bytes. A row holds all elements of one index along the first axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    first: u64,
    stride: u64,
    extent: u64,
    count: u64,
}

impl Rows {
    /// Returns the first byte of a row.
    pub(crate) fn start(&self, row: u64) -> u64 {
        self.bytes(row).0
    }

    /// Returns the first byte of a row and the byte after its last.
    fn bytes(&self, row: u64) -> (u64, u64) {
        let start = self.first + row * self.stride;
        (start, start + self.extent)
    }

    /// Returns the number of rows, from this one on, that end at or before byte `end`.
    fn until(&self, row: u64, end: u64) -> u64 {
        let last = end.checked_sub(self.first + self.extent).map(|reach| reach.checked_div(self.stride));
        let rows = last.map_or(0, |last| last.map_or(self.count, |last| last + 1));
        rows.min(self.count).saturating_sub(row)
    }
}

/// A sliding window on the decoded bytes of one compressed payload.
pub(crate) struct Window {
    compressed: Compressed,
    decoder: Option<Decoder<'static>>,
    outcome: Option<Outcome>,
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    /// Makes a window at the start of the array's payload; `None` if the payload is not compressed.
    pub(crate) fn new(array: &Array) -> Option<Window> {
        let compressed = array.payload.compressed(array.decoded_bytes)?;
        Some(Window { compressed, decoder: None, outcome: None, start: 0, bytes: Vec::new() })
    }

    /// Decodes up to the end of a row and drops the bytes before the row. Returns the number of rows, from this one on,
    /// in the window.
    pub(crate) fn advance(&mut self, rows: &Rows, row: u64, threads: usize) -> Result<u64> {
        let (start, end) = rows.bytes(row);
        settle(&*self.compressed.source.clone(), self.decode(start, end, threads))?;
        Ok(self.rows_at_hand(rows, row))
    }

    /// Returns the number of rows, from this one on, in the window.
    pub(crate) fn rows_at_hand(&self, rows: &Rows, row: u64) -> u64 {
        if rows.bytes(row).0 < self.start { 0 } else { rows.until(row, self.end()) }
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    fn decode(&mut self, start: u64, end: u64, threads: usize) -> Result<()> {
        let all = self.compressed.data_size;
        if end <= self.end() {
            return Ok(());
        }
        if self.decoder.is_none() && all <= AT_ONCE {
            self.bytes = zeroed_bytes(all)?;
            self.outcome = Some(self.compressed.decode(&mut self.bytes, threads)?);
            return Ok(());
        }
        let decoder = match &mut self.decoder {
            Some(decoder) => decoder,
            none => none.insert(self.compressed.shared_decoder()?),
        };
        let forgotten = usize::try_from(start.saturating_sub(self.start)).unwrap_or(usize::MAX).min(self.bytes.len());
        self.bytes.drain(..forgotten);
        self.start += forgotten as u64;
        if start > self.start {
            decoder.skip(start - self.start)?;
            self.start = start;
        }
        // Decode ahead: large overlapping rows would otherwise move the window for every row.
        let size = end.saturating_add(PIECE).min(all).saturating_sub(self.start);
        let size = usize::try_from(size).map_err(|_| Error::out_of_memory(size))?;
        let mut done = self.bytes.len();
        let more = size.saturating_sub(done);
        self.bytes.try_reserve_exact(more).map_err(|_| Error::out_of_memory(size as u64))?;
        self.bytes.resize(size, 0);
        while let Some(room) = self.bytes.get_mut(done..).filter(|room| !room.is_empty()) {
            match decoder.read(room)? {
                0 => return Err(Error::new(Status::Internal, "an array lies outside its bytes")),
                count => done += count,
            }
        }
        Ok(())
    }

    /// Decodes the rest, checks the end of the data and returns the warnings about them.
    pub(crate) fn finish(self) -> Result<Vec<Warning>> {
        let Compressed { source, offset, .. } = &self.compressed;
        let outcome = match (self.outcome, self.decoder) {
            (Some(outcome), _) => outcome,
            (None, Some(decoder)) => settle(&**source, decoder.finish())?,
            (None, None) => return Ok(Vec::new()),
        };
        Ok(outcome.warnings(*offset))
    }
}

/// Positions are those in the decoded payload.
impl Fetch for &Window {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        let place = position.checked_sub(self.start);
        let place = place.ok_or_else(|| Error::new(Status::Internal, "compressed bytes cannot be read backwards"))?;
        Memory(&self.bytes).fetch(place, buffer)
    }
}

impl Array {
    /// Returns the rows of an array on a compressed payload. `None` unless the first stride is positive and each row
    /// spans at most `longest` bytes. Also `None` for a masked array and for an array without elements.
    pub(crate) fn rows(&self, longest: u64) -> Option<Rows> {
        if !matches!(self.payload, Payload::Encoded { .. }) || self.is_masked() || self.element_count() == 0 {
            return None;
        }
        let (&count, &stride) = self.shape().first().zip(self.geometry.strides().first())?;
        let (first, span) = self.geometry.span();
        let count = u64::try_from(count).ok()?;
        let stride = if count == 1 { 0 } else { u64::try_from(stride).ok().filter(|&stride| stride > 0)? };
        let extent = span.checked_sub(stride.checked_mul(count - 1)?)?;
        (extent > 0 && extent <= longest).then_some(Rows { first, stride, extent, count })
    }

    /// Returns whether the elements fill the whole payload in C order, so that one read can decode them in place.
    pub(crate) fn is_whole_payload(&self) -> bool {
        let size = (self.geometry.count() as u64).checked_mul(self.geometry.item_size() as u64);
        self.geometry.is_contiguous() && size.is_some() && size == self.payload.length()
    }

    /// Reads rows that are in a window on this array's payload, like [`Array::read_region`].
    pub(crate) fn read_rows(
        &self,
        window: &Window,
        [first, count]: [u64; 2],
        target: &Datatype,
        out: &mut [u8],
        options: &ReadOptions,
    ) -> Result<()> {
        let mut start = vec![0; self.shape().len()];
        let mut counts = self.shape().to_vec();
        if let (Some(start), Some(number)) = (start.first_mut(), counts.first_mut()) {
            (*start, *number) = (first as i64, count as i64);
        }
        let region = Region { start: &start, count: &counts, step: None };
        self.checked(|| Ok(((), self.read_fetched(&region, &mut &*window, target, out, options)?)))
    }
}

/// Identity of a payload, for finding the arrays that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PayloadKey(usize, u64);

impl Payload {
    /// Returns the key. Two payloads of open files have the same key only if they are the same bytes.
    pub(crate) fn key(&self) -> Option<PayloadKey> {
        match self {
            Payload::Stored { source, offset, .. } | Payload::Encoded { source, offset, .. } => {
                Some(PayloadKey(Arc::as_ptr(source).cast::<()>() as usize, *offset))
            }
            Payload::Chunked(chunks) => Some(PayloadKey(Arc::as_ptr(chunks) as usize, 0)),
            Payload::Absent { .. } => None,
        }
    }

    /// Returns the number of stored bytes, compressed or not.
    pub(crate) fn stored_bytes(&self) -> u64 {
        match self {
            Payload::Stored { length, .. } => *length,
            Payload::Encoded { used_size, .. } => *used_size,
            // Chunks that cannot be counted do not count.
            Payload::Chunked(chunks) => chunks.store.stored_bytes(&chunks.grid).unwrap_or(0),
            Payload::Absent { .. } => 0,
        }
    }

    /// Returns the cache entries of a compressed payload.
    pub(crate) fn cache(&self) -> Option<&PayloadCache> {
        match self {
            Payload::Encoded { cache, .. } => Some(cache),
            _ => None,
        }
    }
}
