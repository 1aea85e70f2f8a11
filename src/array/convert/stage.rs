//! Support for the loops over elements: optional CPU instructions, and stores that bypass the caches.
//!
//! Measured with `make bench` (W2, W3): writing a result larger than the caches is 1.5 times as fast with stores that
//! bypass the caches. They neither read the cache lines first nor evict other data. AVX2 makes byte swapping faster by
//! a fifth.
#![allow(unsafe_code)]

/// Results of at least this size bypass the caches: the caches could not hold the start until the end is written.
pub(super) const LARGE: usize = if cfg!(test) { 300 } else { 32 << 20 };

/// Size of a cache line in bytes.
pub(super) const LINE: usize = 64;

/// Bytes computed before they are stored: few, so that computing and storing overlap.
pub(super) const BLOCK: usize = 4096;

/// A buffer between computing results and storing them past the caches. Errors and panics leave no partial state.
pub(crate) struct Stage {
    /// Empty if results are written directly to their destination.
    block: Vec<u8>,
}

impl Stage {
    /// Returns a stage that writes results directly to their destination.
    pub(crate) fn none() -> Stage {
        Stage { block: Vec::new() }
    }

    /// Returns a stage that bypasses the caches if the machine supports this and `size` is large enough.
    pub(crate) fn for_size(size: usize) -> Stage {
        let pays = cfg!(all(target_arch = "x86_64", target_feature = "sse2")) && size >= LARGE;
        Stage { block: if pays { vec![0; BLOCK] } else { Vec::new() } }
    }

    /// Returns whether stores bypass the caches.
    pub(crate) fn streams(&self) -> bool {
        !self.block.is_empty()
    }

    /// Returns the memory for results whose destination is `out`, at most [`BLOCK`] bytes. Its content is arbitrary.
    /// [`Stage::store`] then brings the results to `out`.
    #[inline(always)]
    pub(super) fn place<'a>(&'a mut self, out: &'a mut [u8]) -> &'a mut [u8] {
        if self.block.is_empty() { out } else { &mut self.block[..out.len()] }
    }

    /// Stores the results that were written to [`Stage::place`].
    #[inline(always)]
    pub(super) fn store(&mut self, out: &mut [u8]) {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        if !self.block.is_empty() {
            store(&self.block[..out.len()], out);
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
        let _ = out;
    }

    /// Returns how many elements of `item` bytes come before the first whole cache line of `out`. Batches that begin
    /// there store whole lines only. Returns 0 if stores do not bypass the caches.
    #[inline(always)]
    pub(super) fn head(&self, out: &[u8], item: usize) -> usize {
        if self.block.is_empty() {
            return 0;
        }
        let head = out.as_ptr().align_offset(LINE).min(out.len());
        if head.is_multiple_of(item) { head / item } else { 0 }
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Drop for Stage {
    fn drop(&mut self) {
        if self.streams() {
            // The fence makes the stores visible to every thread that learns of the results.
            // SAFETY: the instruction belongs to SSE, which the condition above implies.
            unsafe { std::arch::x86_64::_mm_sfence() };
        }
    }
}

/// Copies bytes past the caches, in whole cache lines. Other threads may see them only after a fence, which dropping
/// the [`Stage`] executes.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
fn store(bytes: &[u8], out: &mut [u8]) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    let head = out.as_ptr().align_offset(LINE).min(out.len());
    let (first, bytes) = bytes.split_at(head);
    let (start, out) = out.split_at_mut(head);
    start.copy_from_slice(first);
    let (bytes, last) = bytes.as_chunks::<LINE>();
    let (out, end) = out.as_chunks_mut::<LINE>();
    end.copy_from_slice(last);
    for (from, to) in bytes.iter().zip(out) {
        let (from, to) = (from.as_ptr().cast::<__m128i>(), to.as_mut_ptr().cast::<__m128i>());
        // SAFETY: both point to 64 bytes. `to` is aligned to 64 bytes, because the unaligned start of `out` was split
        // off. The instructions belong to SSE2, which the condition above requires.
        unsafe {
            _mm_stream_si128(to, _mm_loadu_si128(from));
            _mm_stream_si128(to.add(1), _mm_loadu_si128(from.add(1)));
            _mm_stream_si128(to.add(2), _mm_loadu_si128(from.add(2)));
            _mm_stream_si128(to.add(3), _mm_loadu_si128(from.add(3)));
        }
    }
}

/// A loop over elements. Its method and all functions that it calls must be `#[inline(always)]`: they are then compiled
/// for the instructions of the caller. Closures and function pointers would not be.
pub(crate) trait Loop {
    /// Result of the loop.
    type Result;
    /// Runs the loop.
    fn run(self) -> Self::Result;
}

/// Runs a loop, compiled for AVX2 if the machine supports it.
#[inline(always)]
pub(crate) fn run_widest<L: Loop>(work: L) -> L::Result {
    #[cfg(target_arch = "x86_64")]
    if has_avx2() {
        // SAFETY: the machine supports AVX2, as just checked.
        return unsafe { run_with_avx2(work) };
    }
    work.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn run_with_avx2<L: Loop>(work: L) -> L::Result {
    work.run()
}

#[cfg(target_arch = "x86_64")]
pub(super) fn has_avx2() -> bool {
    #[cfg(test)]
    if tests::PLAIN.get() {
        return false;
    }
    std::arch::is_x86_feature_detected!("avx2")
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::array::tests::Lcg;
    use std::cell::Cell;

    thread_local! {
        /// True if this thread must not use optional instructions.
        pub(in crate::array) static PLAIN: Cell<bool> = const { Cell::new(false) };
    }

    /// Calls `test` with and without optional instructions.
    pub(in crate::array) fn both_ways(test: impl Fn()) {
        for plain in [false, true] {
            PLAIN.set(plain);
            test();
        }
        PLAIN.set(false);
    }

    #[test]
    fn bytes_arrive_at_every_length_and_alignment() {
        let bytes = Lcg(1).bytes(BLOCK);
        let mut memory = vec![0; BLOCK + 70];
        for length in (0..200).chain([BLOCK - 1, BLOCK]) {
            for start in 0..65 {
                for mut stage in [Stage::none(), Stage::for_size(LARGE)] {
                    memory.fill(0xA5);
                    let out = &mut memory[start..start + length];
                    let head = stage.head(out, 4);
                    assert!(head == 0 || out[4 * head..].as_ptr().align_offset(LINE) == 0 || 4 * head == length);
                    stage.place(out).copy_from_slice(&bytes[..length]);
                    stage.store(out);
                    drop(stage);
                    assert_eq!(memory[start..start + length], bytes[..length]);
                    assert!(memory[..start].iter().chain(&memory[start + length..]).all(|&byte| byte == 0xA5));
                }
            }
        }
    }

    #[test]
    fn only_large_results_go_past_the_caches() {
        assert!(!Stage::for_size(LARGE - 1).streams() && !Stage::none().streams());
        assert_eq!(Stage::for_size(LARGE).streams(), cfg!(target_arch = "x86_64"));
    }
}
