//! Reserve: small requests for memory are served from a static reserve while the system refuses memory.
//!
//! The standard library aborts the program if a small request fails, for instance while an error is created. Here such
//! a request is served, and the running call ends with [`Status::OutOfMemory`] at its next check. Large requests are
//! refused; code that makes them reserves memory fallibly.
//!
//! The allocator exists with the cargo feature `reserve` only. It needs no locks and no thread-local variables, so it
//! works in the child of a fork and while a thread ends.

use crate::error::{Error, Result, Status};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Number of requests that the system refused and the reserve received.
static REFUSED: AtomicU64 = AtomicU64::new(0);
/// True after the reserve lost a quarter, until the system gives memory again.
static IS_SHORT: AtomicBool = AtomicBool::new(false);

/// Returns the number of small requests that the system has refused so far.
pub(crate) fn refused() -> u64 {
    REFUSED.load(Ordering::Relaxed)
}

/// Fails with [`Status::OutOfMemory`] while the reserve is in use for more than the few pieces of a short call.
#[inline]
pub(crate) fn check() -> Result<()> {
    if IS_SHORT.load(Ordering::Relaxed) { Err(error()) } else { Ok(()) }
}

/// Does the same as [`check`] at the begin of a call. First looks whether the system gives memory again.
#[inline]
pub(crate) fn check_at_begin() -> Result<()> {
    if !IS_SHORT.load(Ordering::Relaxed) {
        return Ok(());
    }
    // A smaller piece can be one that this thread has just freed.
    let mut probe = Vec::<u8>::new();
    if probe.try_reserve_exact(PROBE).is_ok() {
        IS_SHORT.store(false, Ordering::Relaxed);
    }
    check()
}

/// Makes room for `more` elements of a list whose length follows from a file or from a request.
#[inline]
pub(crate) fn room_for<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    if list.capacity() - list.len() >= more { Ok(()) } else { grow(list, more) }
}

#[cold]
fn grow<T>(list: &mut Vec<T>, more: usize) -> Result<()> {
    list.try_reserve(more).map_err(|_| out_of::<T>(more))
}

/// Makes room for `more` entries of a table whose length follows from a file or from a request.
#[inline]
pub(crate) fn room_in<K: Eq + Hash, V, S: BuildHasher>(table: &mut HashMap<K, V, S>, more: usize) -> Result<()> {
    if table.capacity() - table.len() >= more { Ok(()) } else { grow_table(table, more) }
}

#[cold]
fn grow_table<K: Eq + Hash, V, S: BuildHasher>(table: &mut HashMap<K, V, S>, more: usize) -> Result<()> {
    table.try_reserve(more).map_err(|_| out_of::<(K, V)>(more))
}

/// Returns an empty list with room for `count` elements.
pub(crate) fn list_for<T>(count: usize) -> Result<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).map_err(|_| out_of::<T>(count))?;
    Ok(list)
}

/// Fails if the system has no room for this many bytes now. It precedes work whose many small lists grow infallibly.
///
/// Another thread can take the memory afterwards, so lists of one large size reserve their memory fallibly instead.
pub(crate) fn expect_room(bytes: u64) -> Result<()> {
    let room = list_for::<u8>(usize::try_from(bytes).unwrap_or(usize::MAX))?;
    // Without this the compiler may leave the request out.
    std::hint::black_box(room);
    Ok(())
}

/// Returns a copy of a list.
pub(crate) fn copy_of<T: Copy>(elements: &[T]) -> Result<Vec<T>> {
    let mut list = list_for(elements.len())?;
    list.extend_from_slice(elements);
    Ok(list)
}

/// Returns a copy of a text.
pub(crate) fn text_of(text: &str) -> Result<Box<str>> {
    let mut copy = String::new();
    copy.try_reserve_exact(text.len()).map_err(|_| out_of::<u8>(text.len()))?;
    copy.push_str(text);
    Ok(copy.into_boxed_str())
}

fn out_of<T>(count: usize) -> Error {
    Error::out_of_memory((count as u64).saturating_mul(size_of::<T>() as u64))
}

/// Number of bytes that the system must give before calls are accepted again.
const PROBE: usize = 1 << 20;

fn error() -> Error {
    Error::new(Status::OutOfMemory, "the system refused to give memory")
}

#[cfg(feature = "reserve")]
#[allow(unsafe_code)]
mod allocator {
    use super::{IS_SHORT, REFUSED};
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::cell::UnsafeCell;
    use std::mem::MaybeUninit;
    use std::ptr;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Largest request that the reserve serves.
    pub(super) const SMALL: usize = 32 << 10;
    const SEGMENT: usize = 128 << 10;
    const SEGMENTS: usize = 16;
    /// Alignment of segments, and the largest of a request.
    const ALIGNMENT: usize = 64;
    /// Bits of a state below the number of pieces: the offset of free memory.
    const OFFSET_BITS: u32 = 32;

    #[global_allocator]
    static ALLOCATOR: Reserving = Reserving;
    static RESERVE: Reserve = Reserve::new();

    struct Reserving;

    // SAFETY: all memory comes from the system or from the reserve. Its address tells which of them takes it back.
    unsafe impl GlobalAlloc for Reserving {
        #[inline]
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            // SAFETY: the caller keeps the rules of this function.
            let memory = unsafe { System.alloc(layout) };
            if memory.is_null() { refused(layout) } else { memory }
        }

        #[inline]
        unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
            // SAFETY: as above.
            let memory = unsafe { System.alloc_zeroed(layout) };
            if memory.is_null() { refused_zeroed(layout) } else { memory }
        }

        #[inline]
        unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
            match RESERVE.segment_of(memory) {
                // SAFETY: as above; the memory is that of the system.
                None => unsafe { System.dealloc(memory, layout) },
                Some(segment) => RESERVE.release(segment),
            }
        }

        #[inline]
        unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
            if RESERVE.segment_of(memory).is_none() {
                // SAFETY: as above.
                let moved = unsafe { System.realloc(memory, layout, size) };
                if !moved.is_null() {
                    return moved;
                }
                if size > SMALL {
                    return ptr::null_mut();
                }
            }
            // SAFETY: the caller keeps the rules of this function.
            unsafe { move_piece(memory, layout, size) }
        }
    }

    /// Moves memory that the system cannot move: from the reserve, or into it.
    #[cold]
    unsafe fn move_piece(memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the rules of `realloc` say that the size is valid for this alignment, and that the memory has
        // `layout`. The new memory is another piece.
        unsafe {
            let moved = ALLOCATOR.alloc(Layout::from_size_align_unchecked(size, layout.align()));
            if !moved.is_null() {
                ptr::copy_nonoverlapping(memory, moved, layout.size().min(size));
                ALLOCATOR.dealloc(memory, layout);
            }
            moved
        }
    }

    #[cold]
    #[inline(never)]
    fn refused(layout: Layout) -> *mut u8 {
        if layout.size() > SMALL || layout.align() > ALIGNMENT {
            return ptr::null_mut();
        }
        REFUSED.fetch_add(1, Ordering::Relaxed);
        match RESERVE.take(layout) {
            Some((memory, segment)) => {
                if segment >= SEGMENTS / 4 {
                    IS_SHORT.store(true, Ordering::Relaxed);
                }
                memory
            }
            None => ptr::null_mut(),
        }
    }

    #[cold]
    #[inline(never)]
    fn refused_zeroed(layout: Layout) -> *mut u8 {
        let memory = refused(layout);
        if !memory.is_null() {
            // SAFETY: the piece has this size. It can hold bytes of an earlier piece.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    #[repr(C, align(64))]
    struct Segment(UnsafeCell<[MaybeUninit<u8>; SEGMENT]>);

    /// Segments, each with the number of pieces in use and the offset of its free memory. A segment whose pieces are
    /// all free is empty again. A piece that is kept for long holds up its own segment only.
    struct Reserve {
        segments: [Segment; SEGMENTS],
        states: [AtomicU64; SEGMENTS],
    }

    // SAFETY: the states are atomic. They give each byte of the segments to one piece at most.
    unsafe impl Sync for Reserve {}

    impl Reserve {
        const fn new() -> Reserve {
            Reserve {
                segments: [const { Segment(UnsafeCell::new([MaybeUninit::uninit(); SEGMENT])) }; SEGMENTS],
                states: [const { AtomicU64::new(0) }; SEGMENTS],
            }
        }

        /// Returns the segment of an address, or `None` for memory of the system.
        #[inline]
        fn segment_of(&self, memory: *const u8) -> Option<usize> {
            let offset = memory.addr().wrapping_sub(ptr::from_ref(&self.segments).addr());
            (offset < SEGMENTS * SEGMENT).then_some(offset / SEGMENT)
        }

        /// Returns a piece and its segment: the first that has room.
        fn take(&self, layout: Layout) -> Option<(*mut u8, usize)> {
            for (index, (segment, state)) in self.segments.iter().zip(&self.states).enumerate() {
                let taken = state.fetch_update(Ordering::Acquire, Ordering::Relaxed, |state| {
                    let (pieces, offset) = (state >> OFFSET_BITS, state as u32 as usize);
                    let end = offset.next_multiple_of(layout.align()) + layout.size().max(1);
                    (end <= SEGMENT).then_some((pieces + 1) << OFFSET_BITS | end as u64)
                });
                if let Ok(before) = taken {
                    let start = (before as u32 as usize).next_multiple_of(layout.align());
                    // SAFETY: the update has seen that the piece ends in the segment.
                    return Some((unsafe { segment.0.get().cast::<u8>().add(start) }, index));
                }
            }
            None
        }

        /// Takes a piece of a segment back.
        #[cold]
        fn release(&self, segment: usize) {
            let _ = self.states[segment].fetch_update(Ordering::Release, Ordering::Relaxed, |state| {
                let pieces = (state >> OFFSET_BITS).saturating_sub(1);
                Some(if pieces == 0 { 0 } else { pieces << OFFSET_BITS | u64::from(state as u32) })
            });
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn layout(size: usize, align: usize) -> Layout {
            Layout::from_size_align(size, align).unwrap()
        }

        /// A reserve of its own; on the heap, because it is larger than the stack of a test may be.
        fn reserve() -> Box<Reserve> {
            // SAFETY: zeros are a valid reserve: no pieces, and memory without a meaning.
            unsafe { Box::<Reserve>::new_zeroed().assume_init() }
        }

        #[test]
        fn pieces_are_aligned_and_do_not_overlap() {
            let reserve = reserve();
            let mut pieces = Vec::new();
            for number in 0..4000usize {
                let layout = layout(number % 97, 1 << (number % 7));
                let (memory, segment) = reserve.take(layout).unwrap();
                assert_eq!(memory.addr() % layout.align(), 0);
                assert_eq!(reserve.segment_of(memory), Some(segment));
                pieces.push(memory.addr()..memory.addr() + layout.size());
            }
            pieces.sort_by_key(|piece| piece.start);
            assert!(pieces.windows(2).all(|pair| pair[0].end <= pair[1].start));
            let outside = Box::new(0u8);
            assert_eq!(reserve.segment_of(&raw const *outside), None);
        }

        #[test]
        fn a_segment_is_empty_again_when_its_last_piece_is_released() {
            let reserve = reserve();
            let largest = layout(SMALL, 16);
            let taken: Vec<_> = std::iter::from_fn(|| reserve.take(largest)).collect();
            assert_eq!(taken.len(), SEGMENTS * SEGMENT / SMALL);
            assert!(reserve.take(layout(1, 1)).is_none());
            for &(_, segment) in &taken[1..] {
                reserve.release(segment);
            }
            // The first piece holds up the first segment.
            assert_eq!(reserve.take(largest).unwrap().1, 1);
            reserve.release(1);
            reserve.release(0);
            assert!(reserve.states.iter().all(|state| state.load(Ordering::Relaxed) == 0));
        }

        #[test]
        fn threads_take_and_release_at_once() {
            let reserve = reserve();
            std::thread::scope(|scope| {
                for mark in 1..=4u8 {
                    let reserve = &reserve;
                    scope.spawn(move || {
                        for round in 0..3000usize {
                            let layout = layout(1 + round % 300, 8);
                            let (memory, segment) = reserve.take(layout).unwrap();
                            // SAFETY: the piece belongs to this thread.
                            let bytes = unsafe {
                                memory.write_bytes(mark, layout.size());
                                std::slice::from_raw_parts(memory, layout.size())
                            };
                            std::thread::yield_now();
                            assert!(bytes.iter().all(|&byte| byte == mark));
                            reserve.release(segment);
                        }
                    });
                }
            });
            assert!(reserve.states.iter().all(|state| state.load(Ordering::Relaxed) == 0));
        }

        #[test]
        fn memory_moves_out_of_the_reserve() {
            let before = super::super::refused();
            let small = layout(40, 8);
            let memory = refused(small);
            assert!(RESERVE.segment_of(memory).is_some());
            assert!(super::super::refused() > before);
            // SAFETY: the memory has this layout, and its content is written before it is read.
            unsafe {
                memory.write_bytes(7, 40);
                let moved = ALLOCATOR.realloc(memory, small, 100_000);
                assert!(RESERVE.segment_of(moved).is_none());
                assert!(std::slice::from_raw_parts(moved, 40).iter().all(|&byte| byte == 7));
                ALLOCATOR.dealloc(moved, layout(100_000, 8));
            }
            assert!(refused(layout(SMALL + 1, 8)).is_null());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_begin_of_a_call_finds_out_that_memory_is_there_again() {
        // Other tests run meanwhile, so this one does not set the flag: their calls would fail.
        assert!(check_at_begin().is_ok());
        assert_eq!(error().status(), Status::OutOfMemory);
    }
}
