//! Reads of a selection from compressed bytes: the choice of the bytes to decode and of the decoded bytes to keep.
//!
//! | selection | method |
//! |---|---|
//! | the whole payload, in its order | decoded directly into memory, or through a small buffer; nothing is kept |
//! | a part of a payload with chunks | the touched chunks are decoded and kept |
//! | any other part | decoded up to the last byte needed; all decoded bytes are kept |
//! | larger than the cache limits | decoded through a small buffer if in payload order; otherwise into memory up to the limit, or into a temporary file |

use super::copy::{copy, for_each_read};
use super::options::ReadOptions;
use crate::array::convert::kernel::Kernel;
use crate::array::convert::masking::Masking;
use crate::array::payload::cache::PayloadCache;
use crate::array::payload::decoded::{Compressed, Decoded};
use crate::array::payload::fetch::{Fetch, Forward};
use crate::array::place::destination::Destination;
use crate::array::place::region::{Region, Selection};
use crate::codec::{ChunkIndex, CodedChunk, Outcome, parallel};
use crate::error::{Error, Result, Status};
use crate::limits::Limit;
use crate::progress::{self, Counted};
use crate::source::{try_zeroed, zeroed_for};
use std::sync::Arc;

/// Options of decoding.
#[derive(Clone, Copy)]
pub(super) struct Decoding {
    /// The largest number of threads, including the caller's.
    pub(super) threads: usize,
    /// Decode and check all data up to their end, for any selection.
    pub(super) verify: bool,
}

impl Decoding {
    /// Returns the options for a read of a region, or of a whole array, which is verified up to its end.
    pub(super) fn new(region: Option<&Region>, options: &ReadOptions) -> Decoding {
        Decoding { threads: options.threads, verify: region.is_none() }
    }
}

/// A compressed payload with its place in a cache.
pub(super) struct Encoded<'a> {
    pub(super) compressed: Compressed,
    pub(super) cache: &'a PayloadCache,
    pub(super) decoding: Decoding,
}

impl Encoded<'_> {
    /// Reads and converts a selection. Returns the findings besides the data if decoding reached the end of the
    /// payload.
    pub(super) fn copy(
        &self,
        selection: &Selection,
        kernel: &Kernel,
        destination: &Destination,
        out: &mut [u8],
        masking: Option<&mut Masking>,
    ) -> Result<Option<Outcome>> {
        let all = self.compressed.data_size;
        let Decoding { threads, verify } = self.decoding;
        let last = selection.end(kernel.source_size());
        let is_forward = selection.is_forward(kernel.source_size());
        let kept = self.cache.bytes();
        let piece = selection.piece(kernel.source_size(), kernel.target_size());
        // A region may cover the whole payload.
        let is_whole = selection.source == 0 && last == all && (verify || piece.is_some());
        if is_whole && kept.as_ref().is_none_or(|kept| kept.outcome().is_none()) {
            if let Some(out) = piece.filter(|_| kernel.is_in_place()).and_then(|size| out.get_mut(..size)) {
                let outcome = self.compressed.decode(out, threads)?;
                kernel.fix(out);
                if let Some(masking) = masking {
                    masking.look(out, (0, 1));
                }
                return Ok(Some(outcome));
            }
            if is_forward {
                return self.stream(selection, kernel, destination, out, masking);
            }
        }
        if !verify
            && kept.is_none()
            && let Some(index) = self.cache.index(&self.compressed)?
            && self.is_read_by_chunks(&index, selection, kernel)
        {
            let mut chunks = Chunks::new(self, &index);
            chunks.decode_together(selection, kernel)?;
            copy(selection, &mut chunks, kernel, destination, out, masking)?;
            return Ok(None);
        }
        let kept = match kept {
            Some(kept) => Some(kept),
            None => self.cache.keep_bytes(&self.compressed)?,
        };
        let end = if verify { all } else { last };
        match kept {
            Some(decoded) => {
                progress::expect_more(Counted::Elements, decoded.missing_up_to(end));
                decoded.advance(end, threads).inspect_err(|_| self.cache.forget_bytes())?;
                copy(selection, &mut &*decoded, kernel, destination, out, masking)?;
                Ok(decoded.outcome())
            }
            None if is_forward => self.stream(selection, kernel, destination, out, masking),
            None => {
                let decoded = self.decode_for_once()?;
                progress::expect_more(Counted::Elements, decoded.missing_up_to(end));
                decoded.advance(end, threads)?;
                copy(selection, &mut &decoded, kernel, destination, out, masking)?;
                Ok(decoded.outcome())
            }
        }
    }

    /// Returns whether decoding chunk by chunk is the best method.
    fn is_read_by_chunks(&self, index: &ChunkIndex, selection: &Selection, kernel: &Kernel) -> bool {
        let memory = self.cache.limits().memory;
        let item = kernel.source_size();
        // A selection that is not in payload order would decode chunks repeatedly unless all of them can be kept.
        let span = if selection.is_forward(item) { 0 } else { selection.end(item) - selection.source };
        // Chunks larger than the memory limit may still fit together into a temporary file.
        let largest = index.chunks.iter().map(|chunk| chunk.decoded_length).max().unwrap_or(0);
        span <= memory / 2 && (largest <= memory || memory == 0)
    }

    /// Decodes through a small buffer.
    fn stream(
        &self,
        selection: &Selection,
        kernel: &Kernel,
        destination: &Destination,
        out: &mut [u8],
        masking: Option<&mut Masking>,
    ) -> Result<Option<Outcome>> {
        let mut forward = Forward { decoder: self.compressed.decoder()?, position: 0 };
        copy(selection, &mut forward, kernel, destination, out, masking)?;
        if self.decoding.verify || forward.position == self.compressed.data_size {
            return forward.decoder.finish().map(Some);
        }
        Ok(None)
    }

    /// Makes storage for decoded bytes that are used once and not cached.
    fn decode_for_once(&self) -> Result<Decoded> {
        let Compressed { data_size, decoded_bytes, .. } = self.compressed;
        if data_size <= decoded_bytes {
            return Decoded::in_memory(&self.compressed);
        }
        let decoded = self.cache.in_file(&self.compressed);
        decoded.ok_or_else(|| Limit::DecodedBytes.exceeded("memory for decoded block bytes", decoded_bytes))
    }
}

/// The chunks of a payload, decoded on first access.
struct Chunks<'a> {
    encoded: &'a Encoded<'a>,
    index: &'a ChunkIndex,
    /// The chunk used last, with its number.
    current: Option<(usize, Arc<Vec<u8>>)>,
    scratch: Vec<u8>,
}

impl<'a> Chunks<'a> {
    fn new(encoded: &'a Encoded<'a>, index: &'a ChunkIndex) -> Chunks<'a> {
        Chunks { encoded, index, current: None, scratch: Vec::new() }
    }

    fn chunk(&self, number: usize) -> Result<CodedChunk> {
        let chunk = self.index.chunks.get(number).copied();
        chunk.ok_or_else(|| Error::new(Status::Internal, "an array lies outside its bytes"))
    }

    fn bytes_of(&mut self, number: usize) -> Result<Arc<Vec<u8>>> {
        if let Some((current, bytes)) = &self.current
            && *current == number
        {
            return Ok(bytes.clone());
        }
        self.current = None;
        let chunk = self.chunk(number)?;
        let Encoded { compressed, cache, .. } = self.encoded;
        let (index, scratch) = (self.index, &mut self.scratch);
        let bytes = cache.chunk(number, &chunk, &mut || {
            let mut bytes = try_zeroed(size_of(&chunk, compressed)?)?;
            index.decode(&chunk, &*compressed.source, scratch, &mut bytes)?;
            Ok(bytes)
        })?;
        self.current = Some((number, bytes.clone()));
        Ok(bytes)
    }

    /// Decodes the touched chunks in parallel, if all of them can be kept. The calling thread reads the bytes; all
    /// threads decode. A source of the caller is asked for many chunks at once.
    fn decode_together(&self, selection: &Selection, kernel: &Kernel) -> Result<()> {
        let Encoded { compressed, cache, decoding } = self.encoded;
        if decoding.threads < 2 && !compressed.source.is_of_caller() {
            return Ok(());
        }
        let mut wanted = touched_chunks(self.index, selection, kernel);
        let size: u64 = wanted.iter().map(|(_, chunk)| chunk.decoded_length).sum();
        if size > cache.limits().memory / 2 {
            return Ok(());
        }
        wanted.retain(|(number, _)| !cache.has_chunk(*number));
        progress::expect_more(Counted::Elements, wanted.iter().map(|(_, chunk)| chunk.decoded_length).sum());
        let mut wanted = wanted.into_iter();
        while wanted.len() > 1 {
            let (mut jobs, mut held) = (Vec::new(), 0);
            while held < parallel::HELD
                && let Some((number, chunk)) = wanted.next()
            {
                held += chunk.stored_length;
                jobs.push((number, chunk, zeroed_for(&*compressed.source, chunk.stored_offset, chunk.stored_length)?));
            }
            let mut ranges =
                Vec::from_iter(jobs.iter_mut().map(|(_, chunk, stored)| (chunk.stored_offset, &mut stored[..])));
            compressed.source.read_ranges(&mut ranges)?;
            parallel::for_each(jobs.into_iter(), decoding.threads, |_: &mut (), (number, chunk, stored)| {
                let decode = &mut || {
                    let mut bytes = try_zeroed(size_of(&chunk, compressed)?)?;
                    self.index.decode_stored(&chunk, &stored, &mut bytes)?;
                    Ok(bytes)
                };
                cache.chunk(number, &chunk, decode)?;
                progress::advance(Counted::Elements, chunk.decoded_length)
            })?;
        }
        Ok(())
    }
}

/// Returns the number of the chunk that holds a decoded byte.
fn number_at(index: &ChunkIndex, position: u64) -> usize {
    index.chunks.partition_point(|chunk| chunk.decoded_offset + chunk.decoded_length <= position)
}

/// Returns the chunks with bytes of a selection, with their numbers.
pub(super) fn touched_chunks(index: &ChunkIndex, selection: &Selection, kernel: &Kernel) -> Vec<(usize, CodedChunk)> {
    let mut touched = vec![false; index.chunks.len()];
    for_each_read(selection, kernel, &mut |from, size| {
        let (first, last) = (number_at(index, from), number_at(index, from + size - 1));
        touched.get_mut(first..=last).unwrap_or_default().fill(true);
    });
    let chunks = index.chunks.iter().copied().enumerate().zip(touched);
    chunks.filter(|(_, touched)| *touched).map(|(chunk, _)| chunk).collect()
}

/// Returns the decoded size of a chunk. Fails with [`Status::Limit`] if it exceeds the memory limit.
fn size_of(chunk: &CodedChunk, compressed: &Compressed) -> Result<usize> {
    let size = chunk.decoded_length;
    if size > compressed.decoded_bytes {
        let error = Limit::DecodedBytes.exceeded("memory for decoded block bytes", compressed.decoded_bytes);
        return Err(error.at_offset(chunk.stored_offset));
    }
    usize::try_from(size).map_err(|_| Error::out_of_memory(size))
}

impl Fetch for Chunks<'_> {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        let (mut position, mut rest) = (position, buffer);
        let mut number = number_at(self.index, position);
        while !rest.is_empty() {
            let chunk = self.chunk(number)?;
            let skipped = (position - chunk.decoded_offset) as usize;
            let bytes = self.bytes_of(number)?;
            let bytes = bytes.get(skipped..).unwrap_or_default();
            let (piece, after) = rest.split_at_mut(bytes.len().min(rest.len()));
            piece.copy_from_slice(&bytes[..piece.len()]);
            position += piece.len() as u64;
            rest = after;
            number += 1;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::tests::{Lcg, NATIVE, cached, contiguous, encoded, encoded_in_chunks, limits};
    use crate::array::{Array, CacheLimits, DeclaredShape, Geometry, Payload, ScalarType};
    use crate::codec::Codec;
    use crate::source::Source;
    use std::sync::atomic::{AtomicU64, Ordering};

    const ROWS: usize = 160;
    const COLUMNS: usize = 3200;

    /// Source that counts the bytes read.
    struct Counting(Arc<dyn Source>, AtomicU64);

    impl Source for Counting {
        fn len(&self) -> u64 {
            self.0.len()
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
            self.1.fetch_add(buffer.len() as u64, Ordering::Relaxed);
            self.0.read_at(offset, buffer)
        }
    }

    /// An image and the number of bytes read from its file.
    struct Image {
        pixels: Vec<u8>,
        array: Array,
        counting: Arc<Counting>,
        used_size: u64,
    }

    impl Image {
        fn new(encode: impl Fn(&[u8]) -> Payload, kept: CacheLimits, decoded_bytes: u64) -> Image {
            let mut random = Lcg(9);
            // Large enough for several reads of the source, and noisy enough to compress badly.
            let pixels: Vec<u8> = (0..ROWS * COLUMNS).map(|n| (n / 999) as u8 ^ random.below(64) as u8).collect();
            let Payload::Encoded { source, offset, used_size, data_size, codec, .. } = encode(&pixels) else {
                unreachable!()
            };
            let counting = Arc::new(Counting(source, AtomicU64::new(0)));
            let cache = PayloadCache::default();
            let payload = Payload::Encoded { source: counting.clone(), offset, used_size, data_size, codec, cache };
            let shape = [ROWS as i64, COLUMNS as i64];
            let array = contiguous(ScalarType::Uint8, NATIVE, &shape, cached(payload, kept));
            let array = Array { decoded_bytes, ..array };
            Image { pixels, array, counting, used_size }
        }

        /// Reads a part and compares it. Returns the number of bytes read from the file.
        fn read(&self, start: [usize; 2], count: [usize; 2], threads: usize) -> u64 {
            let before = self.counting.1.load(Ordering::Relaxed);
            let [from, size] = [start, count].map(|pair| pair.map(|n| n as i64));
            let region = Region { start: &from, count: &size, step: None };
            let mut found = vec![0; count[0] * count[1]];
            let options = ReadOptions { threads, ..ReadOptions::default() };
            self.array.read_region(&region, &ScalarType::Uint8.into(), &mut found, &options).unwrap();
            for (row, found) in found.chunks(count[1]).enumerate() {
                assert_eq!(*found, self.pixels[(start[0] + row) * COLUMNS + start[1]..][..count[1]]);
            }
            self.counting.1.load(Ordering::Relaxed) - before
        }

        fn read_tiles(&self, number: usize, threads: usize) -> u64 {
            let mut random = Lcg(1);
            let mut below = |most: usize| random.below(most as u64) as usize;
            let ends = [[0, 0], [ROWS - 3, COLUMNS - 40]];
            let others: Vec<_> = (2..number).map(|_| [below(ROWS - 3), below(COLUMNS - 40)]).collect();
            ends.iter().chain(&others).map(|start| self.read(*start, [3, 40], threads)).sum()
        }
    }

    #[test]
    fn a_thousand_tiles_decode_an_array_once() {
        for &codec in Codec::ALL {
            for kept in [limits(8 << 20, 0), limits(1, 8 << 20)] {
                let image = Image::new(|pixels| encoded(pixels, codec), kept, 8 << 20);
                assert!(image.used_size > 300_000);
                let read = image.read_tiles(1000, 1);
                assert!(read <= image.used_size + 9000, "{codec:?}: {read} bytes of {}", image.used_size);
                // Other arrays on the block use the same cache entries.
                let again = Image { array: image.array.clone(), ..image };
                assert_eq!(again.read_tiles(1000, 2), 0);
            }
            let image = Image::new(|pixels| encoded(pixels, codec), CacheLimits::NOTHING, 8 << 20);
            assert!(image.read_tiles(5, 1) > 2 * image.used_size);
        }
        for threads in [1, 3] {
            let image = Image::new(|pixels| encoded_in_chunks(pixels, 50_000), limits(8 << 20, 0), 8 << 20);
            let read = image.read_tiles(1000, threads);
            assert!(read <= image.used_size + 9000 + 4096 * 20, "{read} bytes of {}", image.used_size);
        }
    }

    #[test]
    fn whole_reads_are_not_kept() {
        for &codec in Codec::ALL {
            let image = Image::new(|pixels| encoded(pixels, codec), limits(8 << 20, 0), 8 << 20);
            image.read([0, 0], [ROWS, COLUMNS], 2);
            let Payload::Encoded { cache, .. } = &image.array.payload else { unreachable!() };
            assert!(cache.bytes().is_none() && !cache.has_chunk(0), "{codec:?}");
            image.read([0, 0], [1, 1], 1);
            assert!(cache.bytes().is_some() || cache.has_chunk(0), "{codec:?}");
        }
    }

    #[test]
    fn only_touched_parts_are_decoded() {
        let encode = |pixels: &[u8]| encoded_in_chunks(pixels, 10_000);
        for threads in [1, 4] {
            for kept in [limits(8 << 20, 0), limits(30_000, 0), CacheLimits::NOTHING] {
                let image = Image::new(encode, kept, 8 << 20);
                // A read takes the headers of the chunks, and one or two chunks.
                let first = image.read([ROWS / 2, 0], [1, 40], threads);
                let most = image.used_size / 10_000 * 4096 + 60_000;
                assert!(most < image.used_size);
                assert!(first < most, "{first} bytes");
                assert!(image.read([3, 0], [8, 40], threads) < most);
            }
        }
        for codec in [Codec::Zlib, Codec::Bzp2] {
            for kept in [limits(8 << 20, 0), limits(1, 8 << 20), CacheLimits::NOTHING] {
                let image = Image::new(|pixels| encoded(pixels, codec), kept, 8 << 20);
                // The source is read in pieces of 256 KiB, and bzip2 decodes blocks of 900,000 bytes.
                assert!(image.read([0, 0], [2, 40], 1) <= image.used_size.min(3 << 18));
                if codec == Codec::Zlib {
                    assert!(image.read([10, 0], [2, 40], 1) <= 1 << 18);
                }
            }
        }
    }

    #[test]
    fn the_least_recently_used_entry_is_removed() {
        let encode = |pixels: &[u8]| encoded_in_chunks(pixels, 32_000);
        let image = Image::new(encode, limits(100_000, 0), 8 << 20);
        let row_in_chunk = |number: usize| image.read([10 * number, 0], [1, 99], 1);
        row_in_chunk(0);
        let one = row_in_chunk(1);
        assert!(one > 10_000);
        // The limit allows three chunks and the index.
        assert_eq!([0, 1, 0, 1].map(row_in_chunk), [0; 4]);
        assert_eq!([2, 3].map(|number| row_in_chunk(number) > 10_000), [true; 2]);
        assert_eq!([2, 3, 1].map(row_in_chunk), [0; 3]);
        assert!(row_in_chunk(0) > 10_000);
    }

    #[test]
    fn without_memory_a_file_is_used_or_the_read_fails() {
        let overlapping = |image: &Image| {
            // Overlapping rows, which need bytes that a streaming decoder has passed.
            let shape = DeclaredShape::Fixed(vec![500, 400]);
            let geometry = Geometry::new(&shape, Some(&[100, 100]), 0, 1, Some(image.pixels.len() as u64)).unwrap();
            let array = Array { geometry, ..image.array.clone() };
            let mut found = vec![0; 200_000];
            array.read(&ScalarType::Uint8.into(), &mut found, &ReadOptions::default()).map(|_| {
                let place = |number: usize| (number / 400 + number % 400) * 100;
                assert!(found.iter().enumerate().all(|(number, &pixel)| pixel == image.pixels[place(number)]));
            })
        };
        let with = |kept, decoded_bytes| Image::new(|pixels| encoded(pixels, Codec::Zlib), kept, decoded_bytes);
        overlapping(&with(CacheLimits::NOTHING, 1 << 20)).unwrap();
        overlapping(&with(limits(0, 1 << 20), 1000)).unwrap();
        overlapping(&with(limits(1000, 1 << 20), 1000)).unwrap();
        let never = CacheLimits { files: crate::array::TemporaryFiles::Never, ..limits(1000, 1 << 20) };
        for kept in [CacheLimits::NOTHING, limits(1000, 1000), never] {
            assert_eq!(overlapping(&with(kept, 1000)).unwrap_err().status(), Status::Limit);
        }
    }

    #[test]
    fn whole_reads_find_damage_at_the_end_and_partial_ones_may_not() {
        for kept in [limits(8 << 20, 0), limits(1, 8 << 20), CacheLimits::NOTHING] {
            let mut image = Image::new(|pixels| encoded(pixels, Codec::Zlib), kept, 8 << 20);
            let Payload::Encoded { used_size, .. } = &mut image.array.payload else { unreachable!() };
            *used_size -= 1;
            for _ in 0..2 {
                image.read([0, 0], [3, 40], 1);
                let mut out = vec![0; image.pixels.len()];
                let error = image.array.read(&ScalarType::Uint8.into(), &mut out, &ReadOptions::default()).unwrap_err();
                assert_eq!(error.status(), Status::Truncated);
            }
        }
    }
}
