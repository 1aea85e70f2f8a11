//! A source of a part of another source.

use super::{Map, OwnSource, Source, Witness};
use crate::error::Result;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// A range of bytes of another source. The range must lie within it.
pub(crate) struct PartSource {
    whole: Arc<dyn Source>,
    range: Range<u64>,
}

impl PartSource {
    /// Creates a source of these bytes.
    pub(crate) fn new(whole: Arc<dyn Source>, range: Range<u64>) -> PartSource {
        PartSource { whole, range }
    }

    /// Returns the place of bytes in the whole; `None` if they do not lie in the part.
    fn place(&self, offset: u64, length: u64) -> Option<u64> {
        let inside = offset.checked_add(length).is_some_and(|end| end <= self.len());
        inside.then(|| self.range.start + offset)
    }
}

impl Source for PartSource {
    fn len(&self) -> u64 {
        self.range.end - self.range.start
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.len().saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(available);
        match buffer.get_mut(..wanted).filter(|wanted| !wanted.is_empty()) {
            Some(wanted) => self.whole.read_at(self.range.start + offset, wanted),
            None => Ok(0),
        }
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        if ranges.iter().any(|(offset, buffer)| self.place(*offset, buffer.len() as u64).is_none()) {
            return ranges.iter_mut().try_for_each(|(offset, buffer)| super::fill(self, *offset, buffer));
        }
        let moved = ranges.iter_mut().map(|(offset, buffer)| (self.range.start + *offset, &mut **buffer));
        self.whole.read_ranges(&mut moved.collect::<Vec<_>>())
    }

    fn request_cost(&self) -> u64 {
        self.whole.request_cost()
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for PartSource {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        self.place(offset, length).map_or(Ok(None), |place| self.whole.map(place, length))
    }

    fn in_memory(&self, offset: u64, length: u64) -> Option<Map> {
        self.whole.in_memory(self.place(offset, length)?, length)
    }

    fn opened_file(&self) -> Option<Arc<File>> {
        self.whole.opened_file()
    }

    fn will_need(&self, offset: u64, length: u64) {
        if let Some(place) = self.place(offset, length) {
            self.whole.will_need(place, length);
        }
    }

    fn remember(&self, witness: Witness) {
        let start = self.range.start;
        match witness {
            // A header witness would replace the others of the whole.
            Witness::Header(bytes) => self.whole.remember(Witness::TreeHash(start, (*bytes).as_ref())),
            Witness::Tree(offset, bytes) => self.whole.remember(Witness::Tree(start + offset, bytes)),
            Witness::TreeHash(offset, bytes) => self.whole.remember(Witness::TreeHash(start + offset, bytes)),
            // A part of another file does not grow.
            Witness::Growing(..) => {}
            Witness::Part(offset, bytes) => self.whole.remember(Witness::Part(start + offset, bytes)),
        }
    }

    fn check_unchanged(&self) -> Result<()> {
        self.whole.check_unchanged()
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.whole.is_at(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{MemorySource, read_vec_at};

    #[test]
    fn a_part_begins_and_ends_within_the_whole() {
        let part = PartSource::new(Arc::new(MemorySource::of_vec(b"abcdef".to_vec())), 2..5);
        assert_eq!((part.len(), read_vec_at(&part, 0, 3).unwrap()), (3, b"cde".to_vec()));
        assert_eq!((part.read_at(1, &mut [0; 9]).unwrap(), part.read_at(3, &mut [0; 9]).unwrap()), (2, 0));
        assert_eq!(part.read_at(u64::MAX, &mut [0; 1]).unwrap(), 0);
        assert_eq!(&part.map(1, 2).unwrap().unwrap()[..], b"de");
        assert!(part.map(1, 3).unwrap().is_none() && part.in_memory(u64::MAX, 2).is_none());
        let (mut first, mut second) = ([0; 1], [0; 2]);
        part.read_ranges(&mut [(2, &mut first), (0, &mut second)]).unwrap();
        assert_eq!((&first, &second), (b"e", b"cd"));
        assert!(part.read_ranges(&mut [(2, &mut second)]).is_err());
    }
}
