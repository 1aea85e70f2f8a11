//! Peak heap use, counted in requested bytes.
//!
//! Counting is on only when requested, so that it does not affect the measured times.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};

struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static IN_USE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call is forwarded unchanged to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as i64);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-(layout.size() as i64));
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size as i64 - layout.size() as i64);
        unsafe { System.realloc(memory, layout, size) }
    }
}

fn count(change: i64) {
    if ON.load(Relaxed) {
        let now = IN_USE.fetch_add(change, Relaxed) + change;
        PEAK.fetch_max(now, Relaxed);
    }
}

/// Starts counting.
pub(crate) fn start() {
    ON.store(true, Relaxed);
}

/// Stops counting. Returns the peak number of bytes in use minus those at the start.
pub(crate) fn stop() -> i64 {
    ON.store(false, Relaxed);
    PEAK.load(Relaxed)
}
