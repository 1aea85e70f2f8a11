//! Arrays on one compressed payload, read row by row in one pass over its bytes.
//!
//! A piece of the decoded bytes is in memory at a time; nothing is kept in a cache. The caller reads rows in the order of
//! the payload; [`Rows`] holds their places.

use crate::array::payload::cache::CachePlace;
use crate::array::payload::decoded::Compressed;
use crate::array::payload::fetch::{Fetch, Memory};
use crate::array::{Array, Datatype, Payload, ReadOptions, Region};
use crate::codec::{Decoder, Outcome};
use crate::error::{Error, Result, Status, Warning};
use crate::source::{settle, try_zeroed};
use std::sync::Arc;

// Tests make these so small that small arrays take every way.
/// Payloads up to this size are decoded at once, for which codecs have faster ways.
const AT_ONCE: u64 = if cfg!(test) { 64 } else { 32 << 20 };
/// Bytes that are decoded ahead where that is not all.
const PIECE: u64 = if cfg!(test) { 48 } else { 4 << 20 };

/// Places of the rows of an array in the decoded bytes. A row holds all elements of one index along the first axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows {
    first: u64,
    stride: u64,
    extent: u64,
    count: u64,
}

impl Rows {
    /// The first byte of a row.
    pub(crate) fn start(&self, row: u64) -> u64 {
        self.bytes(row).0
    }

    /// The bytes from the first of this row to behind its last.
    fn bytes(&self, row: u64) -> (u64, u64) {
        let start = self.first + row * self.stride;
        (start, start + self.extent)
    }

    /// The number of rows from this one on that end at or before a byte.
    fn until(&self, row: u64, end: u64) -> u64 {
        let last = end.checked_sub(self.first + self.extent).map(|reach| reach.checked_div(self.stride));
        let rows = last.map_or(0, |last| last.map_or(self.count, |last| last + 1));
        rows.min(self.count).saturating_sub(row)
    }
}

/// The decoded bytes of one compressed payload from the first to the last, a piece of them at a time.
pub(crate) struct Window {
    compressed: Compressed,
    decoder: Option<Decoder<'static>>,
    outcome: Option<Outcome>,
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    /// Before the first byte of the payload of an array; nothing if that is not compressed.
    pub(crate) fn new(array: &Array) -> Option<Window> {
        let compressed = array.payload.compressed(array.decoded_bytes)?;
        Some(Window { compressed, decoder: None, outcome: None, start: 0, bytes: Vec::new() })
    }

    /// Decodes up to the end of a row, and forgets the bytes before the row. Returns the number of rows from this one on
    /// that are in the window then.
    pub(crate) fn advance(&mut self, rows: &Rows, row: u64, threads: usize) -> Result<u64> {
        let (start, end) = rows.bytes(row);
        settle(&*self.compressed.source.clone(), self.decode(start, end, threads))?;
        Ok(self.rows_at_hand(rows, row))
    }

    /// The number of rows from this one on that are in the window.
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
            self.bytes = try_zeroed(usize::try_from(all).map_err(|_| Error::out_of_memory(all))?)?;
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
        // More than is asked for, or each row of many large ones that overlap would move the window.
        let size = end.saturating_add(PIECE).min(all).saturating_sub(self.start);
        let size = usize::try_from(size).map_err(|_| Error::out_of_memory(size))?;
        let mut done = self.bytes.len();
        let more = size.saturating_sub(done);
        self.bytes.try_reserve_exact(more).map_err(|_| Error::out_of_memory(size as u64))?;
        self.bytes.resize(size, 0);
        while let Some(room) = self.bytes.get_mut(done..).filter(|room| !room.is_empty()) {
            match decoder.read(room)? {
                0 => return Err(Error::new(Status::Internal, "an array outside its bytes")),
                count => done += count,
            }
        }
        Ok(())
    }

    /// Decodes the rest, checks the end of the data, and returns the warnings about them.
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

/// The bytes of a window, by their places in the payload.
impl Fetch for &Window {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        let place = position.checked_sub(self.start);
        let place = place.ok_or_else(|| Error::new(Status::Internal, "an array read backwards"))?;
        Memory(&self.bytes).fetch(place, buffer)
    }
}

impl Array {
    /// The rows of an array on a compressed payload, if they follow one another there and each lies within so many bytes.
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

    /// Whether the elements fill the whole payload in C order, so that one read decodes them in place.
    pub(crate) fn is_whole_payload(&self) -> bool {
        let size = (self.geometry.count() as u64).checked_mul(self.geometry.item_size() as u64);
        self.geometry.is_contiguous() && size.is_some() && size == self.payload.length()
    }

    /// Reads rows that are at hand in a window on the payload of this array, as [`Array::read_region`] does.
    pub(crate) fn read_rows(
        &self,
        window: &Window,
        [first, count]: [u64; 2],
        target: &Datatype,
        out: &mut [u8],
        options: &ReadOptions,
    ) -> Result<Vec<Warning>> {
        let mut start = vec![0; self.shape().len()];
        let mut counts = self.shape().to_vec();
        if let (Some(start), Some(number)) = (start.first_mut(), counts.first_mut()) {
            (*start, *number) = (first as i64, count as i64);
        }
        let region = Region { start: &start, count: &counts, step: None };
        self.read_fetched(&region, &mut &*window, target, out, options)
    }
}

/// Identity of a payload, to find the arrays that share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PayloadKey(usize, u64);

impl Payload {
    /// Two payloads of files that are open have the same key only if they are the same bytes.
    pub(crate) fn key(&self) -> Option<PayloadKey> {
        match self {
            Payload::Stored { source, offset, .. } | Payload::Encoded { source, offset, .. } => {
                Some(PayloadKey(Arc::as_ptr(source).cast::<()>() as usize, *offset))
            }
            Payload::Absent { .. } => None,
        }
    }

    /// The bytes that are stored, compressed or not.
    pub(crate) fn stored_bytes(&self) -> u64 {
        match self {
            Payload::Stored { length, .. } => *length,
            Payload::Encoded { used_size, .. } => *used_size,
            Payload::Absent { .. } => 0,
        }
    }

    /// The place of a compressed payload in its cache.
    pub(crate) fn cache(&self) -> Option<&CachePlace> {
        match self {
            Payload::Encoded { cache, .. } => Some(cache),
            _ => None,
        }
    }
}
