//! Kernels for the commonest loops over large arrays: they store their results past the caches, from registers.
//!
//! Measured with `make bench` (W2, W3, mapped): without the buffer of a [`Stage`], reading and storing overlap. A
//! swap then takes two thirds of the time, a conversion three quarters.
#![allow(unsafe_code)]

use super::stage::Stage;

/// Swaps the bytes of units of 2, 4 or 8 bytes. Returns the number of bytes that are done, a multiple of `unit`; it is
/// 0 unless the stage bypasses the caches and the machine supports AVX2.
pub(super) fn swap(unit: usize, input: &[u8], output: &mut [u8], stage: &Stage) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(head) = aligned_start(output, unit, stage) {
        let (first, input) = input.split_at(head);
        let (start, output) = output.split_at_mut(head);
        let units = first.chunks_exact(unit).zip(start.chunks_exact_mut(unit));
        units.for_each(|(from, to)| to.iter_mut().zip(from.iter().rev()).for_each(|(to, from)| *to = *from));
        // SAFETY: the machine supports AVX2, and `output` is aligned, as `aligned_start` has checked.
        return head + unsafe { wide::swap(unit, input, output) };
    }
    let _ = (unit, input, output, stage);
    0
}

/// Converts float32 to float64. Returns the number of elements that are done; see [`swap`].
pub(super) fn widen(input: &[u8], output: &mut [u8], stage: &Stage) -> usize {
    #[cfg(target_arch = "x86_64")]
    if let Some(head) = aligned_start(output, size_of::<f64>(), stage) {
        let (first, input) = input.split_at(head / 2);
        let (start, output) = output.split_at_mut(head);
        let pairs = first.as_chunks().0.iter().zip(start.as_chunks_mut().0);
        pairs.for_each(|(from, to)| *to = f64::from(f32::from_ne_bytes(*from)).to_ne_bytes());
        // SAFETY: the machine supports AVX2, and `output` is aligned, as `aligned_start` has checked.
        return head / size_of::<f64>() + unsafe { wide::widen(input, output) };
    }
    let _ = (input, output, stage);
    0
}

/// Returns the number of bytes before the first cache line of `output` if elements of `item` bytes end there.
#[cfg(target_arch = "x86_64")]
fn aligned_start(output: &[u8], item: usize, stage: &Stage) -> Option<usize> {
    if !stage.streams() || !super::stage::has_avx2() {
        return None;
    }
    let head = item * stage.head(output, item);
    output.get(head..).filter(|rest| rest.as_ptr().align_offset(super::stage::LINE) == 0).map(|_| head)
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    /// Two vectors are one cache line.
    const VECTOR: usize = 32;

    /// Swaps whole vectors and returns the number of bytes. `output` must be aligned to a vector.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn swap(unit: usize, input: &[u8], output: &mut [u8]) -> usize {
        let [low, high]: [i64; 2] = match unit {
            2 => [0x0607_0405_0203_0001, 0x0e0f_0c0d_0a0b_0809],
            4 => [0x0405_0607_0001_0203, 0x0c0d_0e0f_0809_0a0b],
            _ => [0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f],
        };
        let order = _mm256_set_epi64x(high, low, high, low);
        let (inputs, outputs) = (input.as_chunks::<VECTOR>().0, output.as_chunks_mut::<VECTOR>().0);
        for (from, to) in inputs.iter().zip(&mut *outputs) {
            // SAFETY: both point to 32 bytes, and the caller guarantees the alignment of `to`.
            unsafe {
                let units = _mm256_loadu_si256(from.as_ptr().cast());
                _mm256_stream_si256(to.as_mut_ptr().cast(), _mm256_shuffle_epi8(units, order));
            }
        }
        VECTOR * inputs.len().min(outputs.len())
    }

    /// Converts whole vectors and returns the number of elements. `output` must be aligned to a vector.
    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn widen(input: &[u8], output: &mut [u8]) -> usize {
        let (inputs, outputs) = (input.as_chunks::<{ VECTOR / 2 }>().0, output.as_chunks_mut::<VECTOR>().0);
        for (from, to) in inputs.iter().zip(&mut *outputs) {
            // SAFETY: they point to 16 and 32 bytes, and the caller guarantees the alignment of `to`.
            unsafe {
                let floats = _mm_loadu_ps(from.as_ptr().cast());
                _mm256_stream_pd(to.as_mut_ptr().cast(), _mm256_cvtps_pd(floats));
            }
        }
        VECTOR / size_of::<f64>() * inputs.len().min(outputs.len())
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use crate::array::convert::stage::tests::both_ways;
    use crate::array::convert::stage::{LARGE, LINE, has_avx2};

    #[test]
    fn all_whole_vectors_are_done_if_the_machine_can() {
        let input = vec![1; 4000];
        both_ways(|| {
            for shift in [0, 8, 56] {
                let mut memory = vec![0; 4000 + LINE];
                let start = memory.as_ptr().align_offset(LINE) + shift;
                let output = &mut memory[start..][..4000 - shift];
                let (fast, slow) = (Stage::for_size(LARGE), Stage::none());
                for unit in [2, 4, 8] {
                    assert_eq!(swap(unit, &input, output, &slow), 0);
                    assert_eq!(swap(unit, &input, output, &fast) > 3900 - shift, has_avx2(), "{unit} {shift}");
                }
                assert_eq!(widen(&input, output, &slow), 0);
                assert_eq!(widen(&input, output, &fast) > (3900 - shift) / 8, has_avx2(), "{shift}");
            }
        });
    }
}
