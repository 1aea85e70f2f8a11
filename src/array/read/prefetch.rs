//! Prefetch: announces the bytes of a later read to the operating system, which can load them in the meantime.

use super::copy::for_each_read;
use super::encoded::touched_chunks;
use super::pieces::Pieces;
use crate::array::convert::kernel::Kernel;
use crate::array::place::destination::{Destination, Order};
use crate::array::place::region::{Region, Selection};
use crate::array::{Array, Payload};
use crate::error::Result;
use crate::source::Source;

impl Array {
    /// Asks the system to load the bytes of a region, or of the whole array, in the background. Returns at once. Does
    /// nothing if the source cannot do this; files on Linux can. Covers the touched chunks of compressed bytes, or all
    /// stored bytes for codecs without chunks.
    ///
    /// Fails like [`Array::read_region`] for a region outside the array and for unavailable bytes.
    pub fn prefetch(&self, region: Option<&Region>) -> Result<()> {
        self.located(|| self.ask_for(region))
    }

    fn ask_for(&self, region: Option<&Region>) -> Result<()> {
        self.payload.check()?;
        let shape = self.selected_shape(region)?;
        let kernel = Kernel::new(&self.datatype, self.byteorder, &self.datatype, false)?;
        let destination = Destination::new(shape, kernel.target_size() as u64, &Order::C)?;
        let selection = match Selection::new(&self.geometry, region, &destination) {
            Some(selection) if kernel.source_size() > 0 => selection,
            _ => return Ok(()),
        };
        match &self.payload {
            Payload::Stored { source, offset, .. } => {
                let mut wanted = Wanted::of(&**source);
                for_each_read(&selection, &kernel, &mut |from, size| wanted.add(offset.saturating_add(from), size));
                wanted.ask();
            }
            Payload::Encoded { source, offset, used_size, cache, .. } => {
                let compressed = self.payload.compressed(self.decoded_bytes);
                let index = compressed.map_or(Ok(None), |compressed| cache.index(&compressed))?;
                let mut wanted = Wanted::of(&**source);
                match index {
                    Some(index) => {
                        let chunks = touched_chunks(&index, &selection, &kernel);
                        chunks.iter().for_each(|(_, chunk)| wanted.add(chunk.stored_offset, chunk.stored_length));
                    }
                    None => wanted.add(*offset, *used_size),
                }
                wanted.ask();
            }
            Payload::Chunked(chunks) => {
                for piece in Pieces::new(&chunks.grid, region, &destination) {
                    if let Some(chunk) = chunks.store.chunk(&chunks.grid, piece.number)?
                        && let Some((source, offset)) = chunk.payload.place()
                    {
                        source.will_need(offset, chunk.payload.stored_bytes());
                    }
                }
            }
            Payload::Absent { .. } => {}
        }
        Ok(())
    }
}

/// Requested ranges of bytes; close ranges are merged.
struct Wanted<'a> {
    source: &'a dyn Source,
    /// Distance up to which ranges are close.
    gap: u64,
    from: u64,
    to: u64,
}

impl Wanted<'_> {
    fn of(source: &dyn Source) -> Wanted<'_> {
        Wanted { source, gap: source.request_cost(), from: 0, to: 0 }
    }

    fn add(&mut self, offset: u64, length: u64) {
        let end = offset.saturating_add(length);
        if self.from == self.to || offset < self.from || offset > self.to.saturating_add(self.gap) {
            self.ask();
            (self.from, self.to) = (offset, end);
        }
        self.to = self.to.max(end);
    }

    fn ask(&self) {
        if self.to > self.from {
            self.source.will_need(self.from, self.to - self.from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::ScalarType;
    use crate::array::tests::{NATIVE, contiguous, encoded, encoded_in_chunks, stored};
    use crate::codec::Codec;
    use crate::source::OwnSource;
    use std::sync::{Arc, Mutex};

    /// Source that records the prefetched ranges.
    struct Asked(Arc<dyn Source>, Mutex<Vec<(u64, u64)>>);

    impl Source for Asked {
        fn len(&self) -> u64 {
            self.0.len()
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
            self.0.read_at(offset, buffer)
        }

        fn abilities(&self) -> Option<&dyn OwnSource> {
            Some(self)
        }
    }

    impl OwnSource for Asked {
        fn will_need(&self, offset: u64, length: u64) {
            self.1.lock().unwrap().push((offset, length));
        }
    }

    const SHAPE: [i64; 2] = [100, 30_000];

    fn asked(payload: Payload, region: Option<&Region>) -> Vec<(u64, u64)> {
        let mut payload = payload;
        let (Payload::Stored { source, .. } | Payload::Encoded { source, .. }) = &mut payload else { unreachable!() };
        let recorder = Arc::new(Asked(source.clone(), Mutex::default()));
        *source = recorder.clone();
        let array = contiguous(ScalarType::Uint8, NATIVE, &SHAPE, payload);
        array.prefetch(region).unwrap();
        let outside = Region { start: &[0, 1], count: &SHAPE, step: None };
        assert_eq!(array.prefetch(Some(&outside)).unwrap_err().status(), crate::Status::OutOfRange);
        let asked = recorder.1.lock().unwrap();
        asked.clone()
    }

    #[test]
    fn bytes_of_the_next_read_are_requested() {
        let bytes = vec![7; 3_000_000];
        let region = Region { start: &[10, 500], count: &[3, 40], step: None };
        assert_eq!(asked(stored(&bytes, 100), None), [(100, 3_000_000)]);
        let rows = [(300_600, 40), (330_600, 40), (360_600, 40)];
        assert_eq!(asked(stored(&bytes, 100), Some(&region)), rows);
        let none = Region { start: &[10, 500], count: &[3, 0], step: None };
        assert_eq!(asked(stored(&bytes, 100), Some(&none)), []);
        let zlib = encoded(&bytes, Codec::Zlib);
        let Payload::Encoded { used_size, .. } = zlib else { unreachable!() };
        assert_eq!(asked(zlib, Some(&region)), [(5, used_size)]);
        let chunks = encoded_in_chunks(&bytes, 100_000);
        let Payload::Encoded { used_size, .. } = chunks else { unreachable!() };
        // Three of 30 chunks, which have the same size.
        let each = used_size / 30;
        assert_eq!(asked(chunks, Some(&region)), [(5 + 3 * each + 8, each - 8)]);
    }
}
