//! The allocator of the C library: the system's, and the reserve while the system refuses.

use super::segment::{self, Use};
use super::{AtomicU64, IS_SHORT, Ordering, REFUSED};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::ptr;

/// Largest request that the reserve serves.
const SMALL: usize = 32 << 10;
const SEGMENTS: usize = 16;
/// Alignment of segments, and the largest of a request.
const ALIGNMENT: usize = 64;

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
struct Segment(UnsafeCell<[MaybeUninit<u8>; segment::SIZE]>);

/// Segments and their uses. A piece that is kept for long holds up its own segment only.
struct Reserve {
    segments: [Segment; SEGMENTS],
    uses: [Use; SEGMENTS],
}

// SAFETY: the uses are atomic. They give each byte of the segments to one piece at most.
unsafe impl Sync for Reserve {}

impl Reserve {
    const fn new() -> Reserve {
        Reserve {
            segments: [const { Segment(UnsafeCell::new([MaybeUninit::uninit(); segment::SIZE])) }; SEGMENTS],
            uses: [const { Use(AtomicU64::new(0)) }; SEGMENTS],
        }
    }

    /// Returns the segment of an address, or `None` for memory of the system.
    #[inline]
    fn segment_of(&self, memory: *const u8) -> Option<usize> {
        let offset = memory.addr().wrapping_sub(ptr::from_ref(&self.segments).addr());
        (offset < SEGMENTS * segment::SIZE).then_some(offset / segment::SIZE)
    }

    /// Returns a piece and its segment: the first that has room.
    fn take(&self, layout: Layout) -> Option<(*mut u8, usize)> {
        self.segments.iter().zip(&self.uses).enumerate().find_map(|(index, (segment, used))| {
            let begin = used.take(layout)?;
            // SAFETY: the piece ends in the segment.
            Some((unsafe { segment.0.get().cast::<u8>().add(begin) }, index))
        })
    }

    /// Takes a piece of a segment back.
    fn release(&self, segment: usize) {
        self.uses[segment].release();
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
        assert_eq!(taken.len(), SEGMENTS * segment::SIZE / SMALL);
        assert!(reserve.take(layout(1, 1)).is_none());
        for &(_, segment) in &taken[1..] {
            reserve.release(segment);
        }
        // The first piece holds up the first segment.
        assert_eq!(reserve.take(largest).unwrap().1, 1);
        reserve.release(1);
        reserve.release(0);
        assert!(reserve.uses.iter().all(|used| used.0.load(Ordering::Relaxed) == 0));
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
        assert!(reserve.uses.iter().all(|used| used.0.load(Ordering::Relaxed) == 0));
    }

    #[test]
    fn memory_moves_out_of_the_reserve() {
        let before = crate::reserve::refused();
        let small = layout(40, 8);
        let memory = refused(small);
        assert!(RESERVE.segment_of(memory).is_some());
        assert!(crate::reserve::refused() > before);
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
