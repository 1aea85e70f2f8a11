//! A source as it was before parts of it were overwritten: the old bytes, kept elsewhere, are read in their place.

use super::{Map, OwnSource, Source};
use crate::error::{Error, Result, Status};
use std::collections::BTreeMap;
use std::fs::File;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Location of old bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kept {
    /// At this offset of the source of kept bytes.
    At(u64),
    /// The old bytes were zeros.
    Zeros,
}

impl Kept {
    fn skip(self, count: u64) -> Kept {
        match self {
            Kept::At(offset) => Kept::At(offset + count),
            Kept::Zeros => Kept::Zeros,
        }
    }
}

/// Non-overlapping ranges of a file with their original content.
#[derive(Clone, Debug, Default)]
pub(crate) struct Patches {
    /// Start of each range, mapped to its end and its old content.
    ranges: BTreeMap<u64, (u64, Kept)>,
}

impl Patches {
    /// Adds the old content of a range. Parts that were added earlier keep their content, which is older.
    pub(crate) fn add(&mut self, range: Range<u64>, kept: Kept) {
        for gap in self.gaps(range.clone()) {
            self.ranges.insert(gap.start, (gap.end, kept.skip(gap.start - range.start)));
        }
    }

    /// Returns the parts of a range without recorded content, in order.
    pub(crate) fn gaps(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut gaps = Vec::new();
        let mut at = range.start;
        let before = self.ranges.range(..range.start).next_back();
        for (&start, &(end, _)) in before.into_iter().chain(self.ranges.range(range.start..range.end.max(range.start)))
        {
            if start > at {
                gaps.push(at..start);
            }
            at = at.max(end);
        }
        if at < range.end {
            gaps.push(at..range.end);
        }
        gaps
    }

    /// Returns all ranges in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Range<u64>, Kept)> {
        self.ranges.iter().map(|(&start, &(end, kept))| (start..end, kept))
    }

    /// Returns the old content at an offset and the end of its range. Without old content, returns `None` and the start
    /// of the next range.
    fn at(&self, offset: u64) -> (Option<Kept>, u64) {
        let before = self.ranges.range(..=offset).next_back();
        match before.filter(|(_, (end, _))| *end > offset) {
            Some((&start, &(end, kept))) => (Some(kept.skip(offset - start)), end),
            None => (None, self.ranges.range(offset..).next().map_or(u64::MAX, |(&start, _)| start)),
        }
    }
}

/// A source with its old bytes and its old length.
pub(crate) struct OverlaySource {
    base: Arc<dyn Source>,
    kept: Arc<dyn Source>,
    patches: Patches,
    length: u64,
}

impl OverlaySource {
    /// Creates a source that reads patches from `kept` and all other bytes from `base`. Together they must provide at
    /// least `length` bytes.
    pub(crate) fn new(base: Arc<dyn Source>, kept: Arc<dyn Source>, patches: Patches, length: u64) -> Result<Self> {
        if !patches.gaps(base.len().min(length)..length).is_empty() {
            let message = "the file is shorter than it was at the start of an interrupted save";
            return Err(Error::new(Status::Truncated, message).at_offset(base.len()));
        }
        Ok(OverlaySource { base, kept, patches, length })
    }
}

impl Source for OverlaySource {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let available = usize::try_from(self.length.saturating_sub(offset)).unwrap_or(usize::MAX);
        let wanted = buffer.len().min(available);
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..wanted).filter(|rest| !rest.is_empty()) {
            let at = offset + done as u64;
            let (kept, end) = self.patches.at(at);
            let size = rest.len().min(usize::try_from(end - at).unwrap_or(usize::MAX));
            let piece = &mut rest[..size];
            let count = match kept {
                None => self.base.read_at(at, piece)?,
                Some(Kept::At(position)) => self.kept.read_at(position, piece)?,
                Some(Kept::Zeros) => {
                    piece.fill(0);
                    size
                }
            };
            if count == 0 {
                let message = "the file or the journal with its old bytes became shorter while it was open";
                return Err(Error::new(Status::FileChanged, message).at_offset(at));
            }
            done += count;
        }
        Ok(done)
    }

    fn abilities(&self) -> Option<&dyn OwnSource> {
        Some(self)
    }
}

impl OwnSource for OverlaySource {
    fn map(&self, offset: u64, length: u64) -> Result<Option<Map>> {
        let Some(end) = offset.checked_add(length).filter(|&end| end <= self.length) else { return Ok(None) };
        match self.patches.at(offset) {
            (None, free) if end <= free => self.base.map(offset, length),
            _ => Ok(None),
        }
    }

    fn opened_file(&self) -> Option<Arc<File>> {
        self.base.opened_file()
    }

    fn will_need(&self, offset: u64, length: u64) {
        self.base.will_need(offset, length);
    }

    fn check_unchanged(&self) -> Result<()> {
        self.base.check_unchanged()
    }

    fn is_at(&self, path: &Path) -> Result<bool> {
        self.base.is_at(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::{MemorySource, read_vec_at};

    #[test]
    fn the_oldest_content_is_kept() {
        let mut patches = Patches::default();
        patches.add(10..20, Kept::At(100));
        patches.add(5..25, Kept::At(200));
        patches.add(0..40, Kept::Zeros);
        patches.add(7..7, Kept::Zeros);
        let found: Vec<_> = patches.iter().collect();
        let expected = [
            (0..5, Kept::Zeros),
            (5..10, Kept::At(200)),
            (10..20, Kept::At(100)),
            (20..25, Kept::At(215)),
            (25..40, Kept::Zeros),
        ];
        assert_eq!(found, expected);
        assert_eq!(patches.gaps(3..50), vec![40..50]);
        assert!(patches.gaps(39..40).is_empty());
    }

    /// Compares reads with a byte-by-byte overlay.
    #[test]
    fn reads_as_bytes_laid_over_bytes_do() {
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let base: Vec<u8> = (0..random(60)).map(|byte| byte as u8).collect();
            let kept: Vec<u8> = (0..64).map(|byte| 100 + byte).collect();
            let mut patches = Patches::default();
            let mut expected: Vec<Option<u8>> = base.iter().copied().map(Some).collect();
            expected.resize(80, None);
            let mut known = [false; 80];
            for _ in 0..random(5) {
                let (start, size) = (random(60), random(20));
                let zeros = random(3) == 0;
                let from = random(40);
                patches.add(start..start + size, if zeros { Kept::Zeros } else { Kept::At(from) });
                for at in 0..size {
                    let place = (start + at) as usize;
                    if !std::mem::replace(&mut known[place], true) {
                        expected[place] = Some(if zeros { 0 } else { kept[(from + at) as usize] });
                    }
                }
            }
            let length = random(80);
            let expected: Option<Vec<u8>> = expected[..length as usize].iter().copied().collect();
            let (base, kept) = (MemorySource::of_vec(base), MemorySource::of_vec(kept));
            let overlay = OverlaySource::new(Arc::new(base), Arc::new(kept), patches, length);
            match (overlay, expected) {
                (Err(error), None) => assert_eq!(error.status(), Status::Truncated),
                (Ok(overlay), Some(expected)) => {
                    assert_eq!(read_vec_at(&overlay, 0, length).unwrap(), expected);
                    let (offset, size) = (random(length + 1), random(30));
                    let mut buffer = vec![0; size as usize];
                    let count = overlay.read_at(offset, &mut buffer).unwrap();
                    let end = (offset + size).min(length);
                    assert_eq!(buffer[..count], expected[offset as usize..end as usize]);
                    if let Some(map) = overlay.map(offset, end - offset).unwrap() {
                        assert_eq!(map[..], expected[offset as usize..end as usize]);
                    }
                }
                (overlay, expected) => panic!("{} {expected:?}", overlay.is_ok()),
            }
        }
    }
}
