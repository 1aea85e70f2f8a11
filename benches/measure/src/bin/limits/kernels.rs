//! Byte swapping and conversion at the speed of memory: AVX2, with stores that bypass the caches.

/// Swaps the bytes of each float64. `out` is aligned to 32 bytes.
pub(crate) fn swap(bytes: &[u8], out: &mut [u8]) {
    assert!(bytes.len() == out.len() && bytes.len() % 32 == 0 && out.as_ptr().align_offset(32) == 0);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; sizes and alignment were checked.
        return unsafe { wide::swap(bytes, out) };
    }
    for (from, to) in bytes.as_chunks::<8>().0.iter().zip(out.as_chunks_mut::<8>().0) {
        *to = u64::from_ne_bytes(*from).swap_bytes().to_ne_bytes();
    }
}

/// Converts float32 to float64. `out` is aligned to 32 bytes.
pub(crate) fn convert(bytes: &[u8], out: &mut [u8]) {
    assert!(2 * bytes.len() == out.len() && bytes.len() % 16 == 0 && out.as_ptr().align_offset(32) == 0);
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2; sizes and alignment were checked.
        return unsafe { wide::convert(bytes, out) };
    }
    for (from, to) in bytes.as_chunks::<4>().0.iter().zip(out.as_chunks_mut::<8>().0) {
        *to = f64::from(f32::from_ne_bytes(*from)).to_ne_bytes();
    }
}

#[cfg(target_arch = "x86_64")]
mod wide {
    use std::arch::x86_64::*;

    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn swap(bytes: &[u8], out: &mut [u8]) {
        let order = _mm256_set_epi64x(
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
            0x0809_0a0b_0c0d_0e0f,
            0x0001_0203_0405_0607,
        );
        for (from, to) in bytes.as_chunks::<32>().0.iter().zip(out.as_chunks_mut::<32>().0) {
            // SAFETY: both point to 32 bytes; the caller has checked the alignment of `to`.
            unsafe {
                let units = _mm256_shuffle_epi8(_mm256_loadu_si256(from.as_ptr().cast()), order);
                _mm256_stream_si256(to.as_mut_ptr().cast(), units);
            }
        }
        _mm_sfence();
    }

    #[target_feature(enable = "avx2")]
    pub(super) unsafe fn convert(bytes: &[u8], out: &mut [u8]) {
        for (from, to) in bytes.as_chunks::<16>().0.iter().zip(out.as_chunks_mut::<32>().0) {
            // SAFETY: they point to 16 and 32 bytes; the caller has checked the alignment of `to`.
            unsafe {
                _mm256_stream_pd(to.as_mut_ptr().cast(), _mm256_cvtps_pd(_mm_loadu_ps(from.as_ptr().cast())));
            }
        }
        _mm_sfence();
    }
}
