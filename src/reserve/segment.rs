//! Use of one segment of the reserve: the number of its pieces, and the offset of its free memory.
//!
//! The atomic types come from the parent module: `crates/models` compiles this file with types that try all orders of
//! the threads.

use super::{AtomicU64, Ordering};
use std::alloc::Layout;

/// Bytes of a segment.
pub(super) const SIZE: usize = 128 << 10;
/// Bits of a use below the number of pieces: the offset of free memory.
const OFFSET_BITS: u32 = 32;

/// Use of a segment; 0 while it is empty. A segment whose pieces are all free is empty again.
pub(super) struct Use(pub(super) AtomicU64);

impl Use {
    /// Returns the offset of a new piece, or `None` if the segment has no room for it.
    pub(super) fn take(&self, layout: Layout) -> Option<usize> {
        let before = self.0.fetch_update(Ordering::Acquire, Ordering::Relaxed, |state| {
            let end = begin(state, layout) + layout.size().max(1);
            (end <= SIZE).then_some(((state >> OFFSET_BITS) + 1) << OFFSET_BITS | end as u64)
        });
        before.ok().map(|state| begin(state, layout))
    }

    /// Takes a piece back.
    #[cold]
    pub(super) fn release(&self) {
        let _ = self.0.fetch_update(Ordering::Release, Ordering::Relaxed, |state| {
            let pieces = (state >> OFFSET_BITS).saturating_sub(1);
            Some(if pieces == 0 { 0 } else { pieces << OFFSET_BITS | u64::from(state as u32) })
        });
    }
}

/// Returns the offset at which the next piece begins.
fn begin(state: u64, layout: Layout) -> usize {
    (state as u32 as usize).next_multiple_of(layout.align())
}
