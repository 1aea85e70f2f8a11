//! The stored bytes of one payload, read from the source in pieces.
//!
//! The input tracks its position in the file and never reads past the payload. It does not interpret the bytes.

use super::memory::try_resize;
use crate::error::{Error, Result, Status};
use crate::source::{Map, Source, read_exact_at, try_zeroed};
use std::ops::Deref;
use std::sync::Arc;

/// Number of bytes read from the source at a time.
const PIECE: u64 = 256 * 1024;

/// Most stored bytes that are read into memory only to decode faster.
const LARGEST_AT_ONCE: u64 = 1 << 30;

/// Location of the stored bytes of a payload in a source.
#[derive(Clone, Copy)]
pub(super) struct StoredBytes<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) offset: u64,
    pub(super) used_size: u64,
}

impl<'a> StoredBytes<'a> {
    /// Opens the bytes for reading. Fails with [`Status::Truncated`] if the source ends before their end.
    pub(super) fn input(self) -> Result<Input<'a>> {
        Input::new(self.source, self.offset, self.used_size)
    }

    /// Returns all bytes in memory. Reads them if they are not there already; then returns `None` for more than
    /// `LARGEST_AT_ONCE` bytes.
    pub(super) fn read_at_once(self) -> Result<Option<Map>> {
        if let Some(bytes) = self.source.in_memory(self.offset, self.used_size) {
            return Ok(Some(bytes));
        }
        if self.used_size > LARGEST_AT_ONCE {
            return Ok(None);
        }
        self.input()?.take_rest().map(|bytes| Some(Map::of_vec(bytes)))
    }
}

/// A source, borrowed or shared.
pub(super) enum Origin<'a> {
    Lent(&'a dyn Source),
    Shared(Arc<dyn Source>),
}

impl<'a> From<&'a dyn Source> for Origin<'a> {
    fn from(source: &'a dyn Source) -> Origin<'a> {
        Origin::Lent(source)
    }
}

impl<'a> Deref for Origin<'a> {
    type Target = dyn Source + 'a;

    fn deref(&self) -> &Self::Target {
        match self {
            Origin::Lent(source) => *source,
            Origin::Shared(source) => &**source,
        }
    }
}

/// The stored bytes of a payload, read in order.
pub(super) struct Input<'a> {
    source: Origin<'a>,
    /// Offset in the file of the byte after the buffer.
    offset: u64,
    /// Number of payload bytes after the buffer.
    beyond: u64,
    buffer: Vec<u8>,
    start: usize,
    end: usize,
}

impl<'a> Input<'a> {
    /// Opens the `used_size` bytes at `offset`. Fails with [`Status::Truncated`] if the source ends before their end.
    pub(super) fn new(source: impl Into<Origin<'a>>, offset: u64, used_size: u64) -> Result<Input<'a>> {
        Input::with_piece(source, offset, used_size, PIECE)
    }

    /// Same as [`Input::new`], but reads at most `piece` bytes at a time.
    pub(super) fn with_piece(
        source: impl Into<Origin<'a>>,
        offset: u64,
        used_size: u64,
        piece: u64,
    ) -> Result<Input<'a>> {
        let source = source.into();
        let available = source.len().saturating_sub(offset);
        if used_size > available {
            let message = format!("the file ends {} bytes before the end of the block", used_size - available);
            return Err(Error::new(Status::Truncated, message).at_offset(source.len()));
        }
        // A piece is small, so the cast cannot truncate.
        let buffer = try_zeroed(used_size.min(piece) as usize)?;
        Ok(Input { source, offset, beyond: used_size, buffer, start: 0, end: 0 })
    }

    /// Returns the offset in the file of the next byte.
    pub(super) fn position(&self) -> u64 {
        self.offset - (self.end - self.start) as u64
    }

    /// Returns the number of payload bytes that are not consumed yet.
    pub(super) fn remaining(&self) -> u64 {
        self.beyond + (self.end - self.start) as u64
    }

    /// Returns the place of the bytes that are not consumed yet.
    #[cfg(any(feature = "bls2", feature = "blsc"))]
    pub(super) fn rest(&self) -> StoredBytes<'_> {
        StoredBytes { source: &*self.source, offset: self.position(), used_size: self.remaining() }
    }

    /// Returns bytes at any place of the source, without changing the position.
    #[cfg(any(feature = "bls2", feature = "blsc"))]
    pub(super) fn bytes_at(&self, offset: u64, length: u64) -> Result<Vec<u8>> {
        Input::with_piece(&*self.source, offset, length, 0)?.take_rest()
    }

    /// Returns the buffered bytes and reads more if there are none. The result is empty only at the end of the payload.
    pub(super) fn fill(&mut self) -> Result<&[u8]> {
        if self.start == self.end && self.beyond > 0 {
            self.refill()?;
        }
        Ok(&self.buffer[self.start..self.end])
    }

    /// Consumes the first `count` of the bytes that [`Input::fill`] returned.
    pub(super) fn consume(&mut self, count: usize) {
        self.start = (self.start + count).min(self.end);
    }

    /// Returns the next `N` bytes without consuming them, or `None` if fewer remain. `N` must be small.
    pub(super) fn peek<const N: usize>(&mut self) -> Result<Option<[u8; N]>> {
        if self.end - self.start < N && self.beyond > 0 {
            self.refill()?;
        }
        Ok(self.buffer[self.start..self.end].first_chunk::<N>().copied())
    }

    /// Consumes and returns the next `N` bytes. Fails with [`Status::Truncated`] if fewer remain. `N` must be small.
    pub(super) fn take<const N: usize>(&mut self) -> Result<[u8; N]> {
        let bytes = self.peek::<N>()?.ok_or_else(|| self.ends_early())?;
        self.consume(N);
        Ok(bytes)
    }

    /// Skips the next `count` bytes. Bytes outside the buffer are not read.
    pub(super) fn skip(&mut self, count: u64) -> Result<()> {
        if count > self.remaining() {
            return Err(self.ends_early());
        }
        let buffered = (self.end - self.start) as u64;
        if let Some(unread) = count.checked_sub(buffered) {
            self.start = self.end;
            self.offset += unread;
            self.beyond -= unread;
        } else {
            self.start += count as usize;
        }
        Ok(())
    }

    /// Consumes and returns the next `count` bytes as one slice: from the buffer if it holds them, otherwise copied to
    /// `scratch`. The caller limits `count`.
    pub(super) fn take_slice<'b>(&'b mut self, count: u64, scratch: &'b mut Vec<u8>) -> Result<&'b [u8]> {
        if count > self.remaining() {
            return Err(self.ends_early());
        }
        let buffered = self.end - self.start;
        if count <= buffered as u64 {
            let start = self.start;
            self.start += count as usize;
            return Ok(&self.buffer[start..self.start]);
        }
        let scratch = try_resize(scratch, count)?;
        let (head, tail) = scratch.split_at_mut(buffered);
        head.copy_from_slice(&self.buffer[self.start..self.end]);
        read_exact_at(&*self.source, self.offset, tail)?;
        self.offset += tail.len() as u64;
        self.beyond -= tail.len() as u64;
        self.start = self.end;
        Ok(scratch)
    }

    /// Reads all remaining bytes into new memory.
    pub(super) fn take_rest(&mut self) -> Result<Vec<u8>> {
        let mut rest = Vec::new();
        let buffered = self.end - self.start;
        let (head, tail) = try_resize(&mut rest, self.remaining())?.split_at_mut(buffered);
        head.copy_from_slice(&self.buffer[self.start..self.end]);
        read_exact_at(&*self.source, self.offset, tail)?;
        self.skip(self.remaining())?;
        Ok(rest)
    }

    /// Returns the error for a payload that ends before its codec expects.
    pub(super) fn ends_early(&self) -> Error {
        Error::new(Status::Truncated, "the compressed data end early").at_offset(self.position() + self.remaining())
    }

    /// Moves the buffered bytes to the front of the buffer and reads more behind them.
    fn refill(&mut self) -> Result<()> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        let free = self.buffer.len() - self.end;
        let count = usize::try_from(self.beyond).unwrap_or(usize::MAX).min(free);
        read_exact_at(&*self.source, self.offset, &mut self.buffer[self.end..self.end + count])?;
        self.end += count;
        self.offset += count as u64;
        self.beyond -= count as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::MemorySource;

    #[test]
    fn pieces_join_without_loss() {
        let bytes: Vec<u8> = (0..PIECE * 3 + 77).map(|index| (index % 251) as u8).collect();
        let source = MemorySource::of_vec(bytes.clone());
        let mut input = Input::new(&source as &dyn Source, 5, bytes.len() as u64 - 10).unwrap();
        let mut seen = Vec::new();
        let mut scratch = Vec::new();
        while input.remaining() > 0 {
            assert_eq!(input.position(), 5 + seen.len() as u64);
            if let Some(next) = input.peek::<7>().unwrap() {
                assert_eq!(input.take::<7>().unwrap(), next);
                seen.extend_from_slice(&next);
            }
            let count = input.remaining().min(PIECE / 3 + seen.len() as u64);
            seen.extend_from_slice(input.take_slice(count, &mut scratch).unwrap());
            let some = input.fill().unwrap();
            let count = some.len() / 2;
            seen.extend_from_slice(&some[..count]);
            input.consume(count);
        }
        assert_eq!(seen, bytes[5..bytes.len() - 5]);
        assert!(input.fill().unwrap().is_empty());
        assert_eq!(input.take::<1>().unwrap_err().status(), Status::Truncated);
    }

    #[test]
    fn a_payload_outside_the_source_takes_no_memory() {
        let source = MemorySource::of_vec(vec![0; 10]);
        for (offset, size) in [(0, u64::MAX), (u64::MAX, 1), (4, 7)] {
            let error = Input::new(&source as &dyn Source, offset, size).err().unwrap();
            assert_eq!(error.status(), Status::Truncated);
        }
        assert_eq!(Input::new(&source as &dyn Source, u64::MAX, 0).unwrap().remaining(), 0);
    }
}
