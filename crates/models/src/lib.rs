//! Models of the lock-free code of the library: loom runs them in each order of three threads that the memory model of
//! Rust allows, with at most three switches of a running thread, and fails if one order lets two threads use the same
//! memory.

#![cfg(test)]

use loom::cell::UnsafeCell;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
use loom::thread;
use std::alloc::Layout;

#[path = "../../../src/ffi/boundary/handle/owners.rs"]
mod owners;
#[path = "../../../src/reserve/segment.rs"]
mod segment;

/// Bytes of a piece of the reserve: half of a segment, so that a third piece needs memory that was given back.
const PIECE: usize = segment::SIZE / 2;

fn model(run: impl Fn() + Send + Sync + 'static) {
    let mut orders = loom::model::Builder::new();
    orders.preemption_bound = Some(3);
    orders.check(run);
}

/// A segment. Each half is one cell, which loom watches.
struct Segment {
    used: segment::Use,
    halves: [UnsafeCell<usize>; 2],
}

impl Segment {
    /// Takes a piece if there is room, writes to it and gives it back. Returns whether there was room.
    fn write(&self, mark: usize) -> bool {
        let Some(offset) = self.used.take(Layout::from_size_align(PIECE, 64).unwrap()) else { return false };
        let half = &self.halves[offset / PIECE];
        half.with_mut(|piece| unsafe { *piece = mark });
        half.with(|piece| assert_eq!(unsafe { *piece }, mark));
        self.used.release();
        true
    }
}

#[test]
fn pieces_of_the_reserve_belong_to_one_thread_at_a_time() {
    model(|| {
        let used = segment::Use(AtomicU64::new(0));
        let segment = Arc::new(Segment { used, halves: [UnsafeCell::new(0), UnsafeCell::new(0)] });
        let others: Vec<_> = (1..3)
            .map(|mark| {
                let segment = segment.clone();
                thread::spawn(move || segment.write(mark))
            })
            .collect();
        let served = usize::from(segment.write(3));
        let served = others.into_iter().fold(served, |sum, thread| sum + usize::from(thread.join().unwrap()));
        assert!(served >= 2, "two pieces fit at once");
        assert_eq!(segment.used.0.load(Ordering::Relaxed), 0);
    });
}

#[test]
fn the_last_owner_of_a_handle_sees_what_the_others_did() {
    model(|| {
        let handle = Arc::new((owners::Owners(AtomicUsize::new(1)), UnsafeCell::new(0usize)));
        let freed = Arc::new(AtomicUsize::new(0));
        let users: Vec<_> = (0..2)
            .map(|_| {
                handle.0.add();
                let (handle, freed) = (handle.clone(), freed.clone());
                thread::spawn(move || give_up(&handle, &freed))
            })
            .collect();
        give_up(&handle, &freed);
        for user in users {
            user.join().unwrap();
        }
        assert_eq!(freed.load(Ordering::Relaxed), 1);
    });
}

/// Reads the value of a handle, and gives up one owner. The last one changes the value, as freeing does.
fn give_up((owners, value): &(owners::Owners, UnsafeCell<usize>), freed: &AtomicUsize) {
    value.with(|value| assert_eq!(unsafe { *value }, 0));
    if owners.give_up() {
        value.with_mut(|value| unsafe { *value = 1 });
        freed.fetch_add(1, Ordering::Relaxed);
    }
}
