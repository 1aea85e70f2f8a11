//! MD5 of several ranges of a source at once.
//!
//! Each step of MD5 needs the one before, so a processor cannot do two steps of one stream at once. In the lanes of
//! vector registers it does one step of eight streams at once.

use super::Checksum;
use super::md5::{BLOCK, Hasher};
use super::steps::{DigestWords, Word, initial, take_block};
use crate::error::Result;
use crate::progress::{self, Counted};
use crate::source::{Source, read_exact_at, try_zeroed};
use std::arch::x86_64::{
    __m256i, _mm256_permute2x128_si256, _mm256_setzero_si256, _mm256_unpackhi_epi32, _mm256_unpackhi_epi64,
    _mm256_unpacklo_epi32, _mm256_unpacklo_epi64,
};
use std::ops::Range;

const LANES: usize = 8;
/// With fewer streams, one after the other is as fast.
const FEWEST: usize = 3;
/// Bytes read at a time for each lane.
const PIECE: u64 = 256 << 10;

/// One word of each stream.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Lanes([u32; LANES]);

impl Lanes {
    // A loop, as everywhere in the kernel: functions of the standard library that call a closure are compiled without
    // AVX2 and may stay calls.
    #[inline(always)]
    fn each(function: impl Fn(usize) -> u32) -> Lanes {
        let mut words = [0; LANES];
        for (lane, word) in words.iter_mut().enumerate() {
            *word = function(lane);
        }
        Lanes(words)
    }
}

impl Word for Lanes {
    #[inline(always)]
    fn of(constant: u32) -> Lanes {
        Lanes([constant; LANES])
    }

    #[inline(always)]
    fn plus(self, other: Lanes) -> Lanes {
        Lanes::each(|lane| self.0[lane].wrapping_add(other.0[lane]))
    }

    #[inline(always)]
    fn and(self, other: Lanes) -> Lanes {
        Lanes::each(|lane| self.0[lane] & other.0[lane])
    }

    #[inline(always)]
    fn or(self, other: Lanes) -> Lanes {
        Lanes::each(|lane| self.0[lane] | other.0[lane])
    }

    #[inline(always)]
    fn xor(self, other: Lanes) -> Lanes {
        Lanes::each(|lane| self.0[lane] ^ other.0[lane])
    }

    #[inline(always)]
    fn not(self) -> Lanes {
        Lanes::each(|lane| !self.0[lane])
    }

    #[inline(always)]
    fn rotated<const BITS: u32>(self) -> Lanes {
        Lanes::each(|lane| self.0[lane].rotate_left(BITS))
    }

    /// Several chains of steps are under way at once, so their order does not matter.
    #[inline(always)]
    fn settled(self) -> Lanes {
        self
    }
}

/// Takes whole blocks of each stream. All slices have the same length.
#[target_feature(enable = "avx2")]
fn take_blocks(state: &mut DigestWords<Lanes>, streams: [&[u8]; LANES]) {
    let streams = streams.map(|bytes| bytes.as_chunks::<{ BLOCK / 2 }>().0);
    let halves = streams.iter().map(|halves| halves.len()).min().unwrap_or(0);
    for half in (0..halves & !1).step_by(2) {
        let mut message = [Lanes([0; LANES]); 16];
        for (part, words) in message.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let mut rows = [_mm256_setzero_si256(); LANES];
            for (row, stream) in rows.iter_mut().zip(&streams) {
                *row = bytemuck::cast(stream[half + part]);
            }
            for (word, column) in words.iter_mut().zip(transposed(rows)) {
                *word = Lanes(bytemuck::cast(column));
            }
        }
        take_block(state, &message);
    }
}

/// Returns the columns of 8 rows of 8 words.
#[target_feature(enable = "avx2")]
fn transposed(rows: [__m256i; 8]) -> [__m256i; 8] {
    let mut columns = rows;
    for half in columns.as_chunks_mut::<4>().0 {
        // Four rows become their words of the columns 0 to 3, and in the upper halves those of the columns 4 to 7.
        let [a, b, c, d] = *half;
        let (ab, cd) = (_mm256_unpacklo_epi32(a, b), _mm256_unpacklo_epi32(c, d));
        let (ab_back, cd_back) = (_mm256_unpackhi_epi32(a, b), _mm256_unpackhi_epi32(c, d));
        *half = [
            _mm256_unpacklo_epi64(ab, cd),
            _mm256_unpackhi_epi64(ab, cd),
            _mm256_unpacklo_epi64(ab_back, cd_back),
            _mm256_unpackhi_epi64(ab_back, cd_back),
        ];
    }
    for column in 0..4 {
        let (front, back) = (columns[column], columns[column + 4]);
        columns[column] = _mm256_permute2x128_si256::<0x20>(front, back);
        columns[column + 4] = _mm256_permute2x128_si256::<0x31>(front, back);
    }
    columns
}

/// The stream of a lane: a range of the source.
struct Stream {
    /// Number of the range.
    number: usize,
    /// Rest of the range that was not read.
    unread: Range<u64>,
    /// Whole blocks that were read.
    bytes: Vec<u8>,
    /// Number of those bytes that were taken.
    taken: usize,
    /// Number of bytes of the range that were taken.
    done: u64,
}

impl Stream {
    fn waiting(&self) -> usize {
        self.bytes.len() - self.taken
    }

    /// Reads further blocks if none waits. Returns false if the range has no whole block left.
    fn fill(&mut self, source: &dyn Source) -> Result<bool> {
        if self.waiting() > 0 {
            return Ok(true);
        }
        let rest = self.unread.end - self.unread.start;
        let size = PIECE.min(rest - rest % BLOCK as u64);
        self.taken = 0;
        if (self.bytes.len() as u64) < size {
            self.bytes = try_zeroed(size as usize)?;
        }
        self.bytes.truncate(size as usize);
        read_exact_at(source, self.unread.start, &mut self.bytes)?;
        self.unread.start += size;
        progress::advance(Counted::Stored, size)?;
        Ok(size > 0)
    }

    /// Takes what is left, from the state after the blocks that were taken.
    fn finish(&self, state: DigestWords<u32>, source: &dyn Source) -> Result<Checksum> {
        let mut hasher = Hasher::after(state, self.done);
        hasher.update(&self.bytes[self.taken..]);
        super::update_by(&mut hasher, source, self.unread.clone(), Counted::Stored)?;
        Ok(hasher.finish())
    }
}

/// Returns the digests of ranges of a source, which lie inside it, if this machine computes several at once.
pub(super) fn md5_of_ranges(source: &dyn Source, ranges: &[Range<u64>]) -> Result<Option<Vec<Checksum>>> {
    // Builds for debugging do not optimize the steps.
    let is_optimized = cfg!(any(test, not(debug_assertions)));
    if ranges.len() < FEWEST || !is_optimized || !std::arch::is_x86_feature_detected!("avx2") {
        return Ok(None);
    }
    let mut digests = vec![Checksum::default(); ranges.len()];
    let mut state: DigestWords<Lanes> = initial();
    let of_lane = |state: &DigestWords<Lanes>, lane: usize| state.map(|word| word.0[lane]);
    let mut next = ranges.iter().cloned().enumerate();
    let mut streams: [Option<Stream>; LANES] = [const { None }; LANES];
    loop {
        for (lane, place) in streams.iter_mut().enumerate() {
            loop {
                if let Some(stream) = place {
                    if stream.fill(source)? {
                        break;
                    }
                    digests[stream.number] = stream.finish(of_lane(&state, lane), source)?;
                }
                let Some((number, range)) = next.next() else {
                    *place = None;
                    break;
                };
                let bytes = place.take().map(|stream| stream.bytes).unwrap_or_default();
                *place = Some(Stream { number, unread: range, taken: bytes.len(), bytes, done: 0 });
                for (word, first) in state.iter_mut().zip(initial()) {
                    word.0[lane] = first;
                }
            }
        }
        let active = streams.iter().flatten();
        if active.clone().count() < FEWEST {
            break;
        }
        let size = active.clone().map(Stream::waiting).min().unwrap_or(0);
        let Some(filler) = active.clone().next() else { break };
        let pieces = streams.each_ref().map(|stream| {
            let stream = stream.as_ref().unwrap_or(filler);
            &stream.bytes[stream.taken..stream.taken + size]
        });
        // SAFETY: the machine has AVX2.
        #[allow(unsafe_code)]
        unsafe {
            take_blocks(&mut state, pieces);
        }
        for stream in streams.iter_mut().flatten() {
            stream.taken += size;
            stream.done += size as u64;
        }
    }
    for (lane, stream) in streams.iter().enumerate() {
        if let Some(stream) = stream {
            digests[stream.number] = stream.finish(of_lane(&state, lane), source)?;
        }
    }
    Ok(Some(digests))
}
