//! A source for which each request takes long, such as a server: few requests instead of many small ones.
//!
//! The first read fetches the start and the end of the source together, where header, tree, first block and block index
//! of most files are. Reads that go on from there fetch twice as much each time. Ranges with small gaps become one.

use super::Source;
use crate::error::Result;
use crate::process::ForkMutex;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

/// Cost of a request to a local file, in bytes.
pub(crate) const LOCAL_COST: u64 = 12 << 10;
/// Bytes that the first read fetches from the start and from the end.
const HEAD: u64 = 1 << 20;
const TAIL: u64 = 64 << 10;
/// Bytes that a read apart from all others fetches at least.
const SMALL: u64 = 64 << 10;
/// Most bytes that are fetched before they are asked for.
const LARGEST: u64 = 4 << 20;
/// Most bytes of ranges with gaps that are fetched together, in one call.
const JOINED: u64 = 4 << 20;

/// Requests to sources of the program, and bytes asked for.
#[derive(Default)]
pub(crate) struct TransferCounts {
    requests: AtomicU64,
    bytes: AtomicU64,
}

/// Number of requests to the sources of the program, and of the bytes asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Transfers {
    /// Number of requests. Ranges that are asked for together count as one request if the source says that a request
    /// costs more than one to a local file.
    pub requests: u64,
    /// Number of bytes, with those that were read ahead.
    pub bytes: u64,
}

impl TransferCounts {
    fn add(&self, requests: u64, bytes: u64) {
        self.requests.fetch_add(requests, Relaxed);
        self.bytes.fetch_add(bytes, Relaxed);
    }

    /// Returns the counts so far.
    pub(crate) fn now(&self) -> Transfers {
        Transfers { requests: self.requests.load(Relaxed), bytes: self.bytes.load(Relaxed) }
    }
}

/// Bytes of the source from an offset on.
#[derive(Clone, Default)]
struct Window {
    start: u64,
    bytes: Arc<Vec<u8>>,
}

impl Window {
    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Copies the bytes from an offset on into the start of a buffer, and returns how many these are.
    fn copy(&self, offset: u64, buffer: &mut [u8]) -> usize {
        let within = offset.checked_sub(self.start).and_then(|within| usize::try_from(within).ok());
        let Some(bytes) = within.and_then(|within| self.bytes.get(within..)) else { return 0 };
        let count = bytes.len().min(buffer.len());
        buffer[..count].copy_from_slice(&bytes[..count]);
        count
    }
}

/// Bytes that were fetched and are kept.
#[derive(Clone, Default)]
struct Kept {
    head: Window,
    tail: Window,
    /// Bytes of the last read ahead.
    ahead: Window,
}

impl Kept {
    fn copy(&self, offset: u64, buffer: &mut [u8]) -> usize {
        let windows = [&self.head, &self.ahead, &self.tail];
        windows.into_iter().map(|window| window.copy(offset, buffer)).find(|&count| count > 0).unwrap_or(0)
    }

    /// Returns the bytes that a read of `size` bytes at an offset fetches; `None` if it fetches those alone.
    fn wanted(&self, offset: u64, size: u64, length: u64) -> Option<Range<u64>> {
        let last = if self.ahead.bytes.is_empty() { &self.head } else { &self.ahead };
        let goes_on = !last.bytes.is_empty() && offset == last.end();
        let least = if goes_on { (2 * last.bytes.len() as u64).min(LARGEST) } else { SMALL };
        // The end is kept already.
        let end = if offset < self.tail.start { self.tail.start.min(length) } else { length };
        (size < least).then(|| offset..end.min(offset.saturating_add(least)))
    }
}

/// A source of the program that counts its requests and, if they take long, makes few.
pub(crate) struct RequestSource {
    inner: Arc<dyn Source>,
    counts: Arc<TransferCounts>,
    cost: u64,
    has_begun: AtomicBool,
    kept: ForkMutex<Kept>,
}

impl RequestSource {
    /// Wraps a source of the program; others stay as they are.
    pub(crate) fn wrap(source: Arc<dyn Source>, counts: &Arc<TransferCounts>) -> Arc<dyn Source> {
        if source.abilities().is_some() {
            return source;
        }
        let (cost, counts) = (source.request_cost(), counts.clone());
        let (has_begun, kept) = (AtomicBool::new(false), ForkMutex::default());
        Arc::new(RequestSource { inner: source, counts, cost, has_begun, kept })
    }

    fn is_local(&self) -> bool {
        self.cost <= LOCAL_COST
    }

    /// Returns what is kept, of which another thread may replace parts meanwhile. The lock is not held while the
    /// program reads.
    fn kept(&self) -> Result<Kept> {
        Ok(self.kept.lock()?.clone())
    }

    fn ask(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        self.counts.add(1, ranges.iter().map(|(_, buffer)| buffer.len() as u64).sum());
        self.inner.read_ranges(ranges)
    }

    fn fetch(&self, range: Range<u64>) -> Result<Window> {
        let mut bytes = super::zeroed_bytes(range.end - range.start)?;
        self.ask(&mut [(range.start, &mut bytes)])?;
        Ok(Window { start: range.start, bytes: Arc::new(bytes) })
    }

    /// Fetches the start and the end together, unless that was done.
    fn begin(&self) -> Result<()> {
        if self.has_begun.load(Relaxed) {
            return Ok(());
        }
        let length = self.len();
        if length <= HEAD + TAIL {
            let head = if length > 0 { self.fetch(0..length)? } else { Window::default() };
            let tail = Window { start: length, ..Window::default() };
            *self.kept.lock()? = Kept { head, tail, ..Kept::default() };
        } else {
            let (mut head, mut tail) = (super::zeroed_bytes(HEAD)?, super::zeroed_bytes(TAIL)?);
            self.ask(&mut [(0, &mut head), (length - TAIL, &mut tail)])?;
            let head = Window { start: 0, bytes: Arc::new(head) };
            let tail = Window { start: length - TAIL, bytes: Arc::new(tail) };
            *self.kept.lock()? = Kept { head, tail, ..Kept::default() };
        }
        self.has_begun.store(true, Relaxed);
        Ok(())
    }

    /// Asks for ranges at once. Those with small gaps become one.
    fn ask_joined(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        ranges.sort_unstable_by_key(|(offset, _)| *offset);
        let spans: Vec<Range<u64>> =
            ranges.iter().map(|(offset, buffer)| *offset..offset.saturating_add(buffer.len() as u64)).collect();
        let groups = joined(&spans, self.cost);
        let size = |group: &Group| if group.count > 1 { group.range.end - group.range.start } else { 0 };
        let mut memory = super::zeroed_bytes(groups.iter().map(size).sum())?;
        {
            let (mut asked, mut rest, mut waiting) = (Vec::with_capacity(groups.len()), &mut memory[..], &mut *ranges);
            for group in &groups {
                let (members, others) = waiting.split_at_mut(group.count);
                waiting = others;
                match members {
                    [(offset, buffer)] => asked.push((*offset, &mut **buffer)),
                    _ => {
                        let (piece, after) = rest.split_at_mut(size(group) as usize);
                        rest = after;
                        asked.push((group.range.start, piece));
                    }
                }
            }
            self.ask(&mut asked)?;
        }
        let (mut bytes, mut waiting) = (&memory[..], ranges);
        for group in groups.iter() {
            let (members, others) = waiting.split_at_mut(group.count);
            waiting = others;
            if group.count > 1 {
                let (piece, after) = bytes.split_at(size(group) as usize);
                bytes = after;
                for (offset, buffer) in members {
                    buffer.copy_from_slice(&piece[(*offset - group.range.start) as usize..][..buffer.len()]);
                }
            }
        }
        Ok(())
    }
}

/// Neighbouring ranges that are fetched as one.
struct Group {
    range: Range<u64>,
    count: usize,
}

/// Joins ranges, in the order of their starts, if their gap costs less than a request. All bytes of joined ranges
/// together are at most [`JOINED`].
fn joined(spans: &[Range<u64>], cost: u64) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::with_capacity(spans.len());
    let mut left = JOINED;
    for span in spans {
        if let Some(group) = groups.last_mut()
            && span.start <= group.range.end.saturating_add(cost)
        {
            let end = group.range.end.max(span.end);
            let before = if group.count > 1 { group.range.start..group.range.end } else { 0..0 };
            let grows = (end - group.range.start) - (before.end - before.start);
            if grows <= left {
                left -= grows;
                (group.range.end, group.count) = (end, group.count + 1);
                continue;
            }
        }
        groups.push(Group { range: span.clone(), count: 1 });
    }
    groups
}

impl Source for RequestSource {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let length = self.len();
        let wanted = usize::try_from(length.saturating_sub(offset)).unwrap_or(usize::MAX).min(buffer.len());
        if self.is_local() {
            self.counts.add(1, wanted as u64);
            return self.inner.read_at(offset, buffer);
        }
        self.begin()?;
        let mut done = 0;
        while let Some(rest) = buffer.get_mut(done..wanted).filter(|rest| !rest.is_empty()) {
            let at = offset + done as u64;
            let kept = self.kept()?;
            let count = kept.copy(at, rest);
            if count > 0 {
                done += count;
                continue;
            }
            // The bytes after these may be kept.
            let end = if at < kept.tail.start { kept.tail.start } else { length };
            let size = rest.len().min(usize::try_from(end - at).unwrap_or(usize::MAX));
            match kept.wanted(at, size as u64, length) {
                Some(range) => {
                    let window = self.fetch(range)?;
                    done += window.copy(at, rest);
                    self.kept.lock()?.ahead = window;
                }
                None => {
                    self.ask(&mut [(at, &mut rest[..size])])?;
                    done += size;
                }
            }
        }
        Ok(done)
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        let length = self.len();
        let is_inside = |offset: u64, size: usize| offset.checked_add(size as u64).is_some_and(|end| end <= length);
        if !ranges.iter().all(|(offset, buffer)| is_inside(*offset, buffer.len())) {
            return ranges.iter_mut().try_for_each(|(offset, buffer)| super::fill(self, *offset, buffer));
        }
        if self.is_local() {
            self.counts.add(ranges.len() as u64, ranges.iter().map(|(_, buffer)| buffer.len() as u64).sum());
            return self.inner.read_ranges(ranges);
        }
        self.begin()?;
        let kept = self.kept()?;
        let mut missing: Vec<(u64, &mut [u8])> = Vec::new();
        for (offset, buffer) in ranges {
            let done = kept.copy(*offset, buffer);
            if done < buffer.len() {
                missing.push((*offset + done as u64, &mut buffer[done..]));
            }
        }
        if missing.is_empty() { Ok(()) } else { self.ask_joined(&mut missing) }
    }

    fn request_cost(&self) -> u64 {
        self.cost
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Offset and size of each range of each request.
    type Requests = Arc<Mutex<Vec<Vec<(u64, usize)>>>>;

    /// Source of the program that records the ranges of each request.
    struct Recorder {
        bytes: Vec<u8>,
        cost: u64,
        requests: Requests,
    }

    impl Source for Recorder {
        fn len(&self) -> u64 {
            self.bytes.len() as u64
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
            buffer.copy_from_slice(&self.bytes[offset as usize..][..buffer.len()]);
            Ok(buffer.len())
        }

        fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
            self.requests.lock().unwrap().push(ranges.iter().map(|(offset, buffer)| (*offset, buffer.len())).collect());
            ranges.iter_mut().try_for_each(|(offset, buffer)| self.read_at(*offset, buffer).map(drop))
        }

        fn request_cost(&self) -> u64 {
            self.cost
        }
    }

    fn source(size: usize, cost: u64) -> (Vec<u8>, Arc<dyn Source>, Requests, Arc<TransferCounts>) {
        let bytes: Vec<u8> = (0..size).map(|number| (number % 251) as u8).collect();
        let (requests, counts) = (Requests::default(), Arc::default());
        let recorder = Recorder { bytes: bytes.clone(), cost, requests: requests.clone() };
        (bytes, RequestSource::wrap(Arc::new(recorder), &counts), requests, counts)
    }

    #[test]
    fn start_and_end_come_first_and_then_twice_as_much_each_time() {
        let (bytes, source, requests, counts) = source(20 << 20, 1 << 20);
        let mut buffer = vec![0; 32 << 10];
        for piece in 0..200 {
            super::super::read_exact_at(&*source, piece * (32 << 10), &mut buffer).unwrap();
            assert!(buffer == bytes[(piece as usize) << 15..][..32 << 10]);
        }
        let asked = requests.lock().unwrap().clone();
        let (mebi, tail) = (1 << 20, (20 << 20) - (64 << 10));
        assert_eq!(asked[0], [(0, mebi), (tail, 64 << 10)]);
        assert_eq!(asked[1..], [[(mebi as u64, 2 * mebi)], [(3 << 20, 4 * mebi)]]);
        let all = ((7 << 20) + (64 << 10)) as u64;
        assert_eq!(counts.now(), Transfers { requests: 3, bytes: all });
        super::super::read_exact_at(&*source, (20 << 20) - 100, &mut buffer[..100]).unwrap();
        assert_eq!(counts.now().requests, 3);
    }

    #[test]
    fn a_small_source_takes_one_request() {
        for size in [0, 1, (1 << 20) + (64 << 10)] {
            let (bytes, source, requests, _) = source(size, 1 << 20);
            let mut buffer = vec![0; size + 10];
            assert_eq!(source.read_at(0, &mut buffer).unwrap(), size);
            assert!(buffer[..size] == bytes[..]);
            assert_eq!(source.read_at(size as u64 + 3, &mut buffer).unwrap(), 0);
            assert_eq!(requests.lock().unwrap().len(), usize::from(size > 0));
        }
    }

    #[test]
    fn ranges_with_small_gaps_are_one() {
        let (bytes, source, requests, _) = source(60 << 20, 100_000);
        let offsets = [5_000_000, 2_000_000, 2_000_500, 2_150_000, 10, 40_000_000];
        let mut buffers = vec![vec![0; 600]; offsets.len()];
        let mut ranges: Vec<_> =
            offsets.iter().copied().zip(buffers.iter_mut().map(|buffer| &mut buffer[..])).collect();
        source.read_ranges(&mut ranges).unwrap();
        for (offset, buffer) in offsets.iter().zip(&buffers) {
            assert!(*buffer == bytes[*offset as usize..][..600], "{offset}");
        }
        let asked = requests.lock().unwrap().clone();
        let apart = [(2_000_000, 1100), (2_150_000, 600), (5_000_000, 600), (40_000_000, 600)];
        assert_eq!(asked[1..], [apart]);
        let mut ends = [0; 20];
        let beyond = source.read_ranges(&mut [((60 << 20) - 10, &mut ends)]).unwrap_err();
        assert_eq!(beyond.status(), crate::Status::Truncated);
    }

    #[test]
    fn joined_ranges_take_little_memory() {
        let spans: Vec<_> = (0..4000).map(|number| number * 1_000_000..number * 1_000_000 + 54).collect();
        let groups = joined(&spans, 1 << 20);
        assert_eq!(groups.iter().map(|group| group.count).sum::<usize>(), 4000);
        let memory: u64 =
            groups.iter().filter(|group| group.count > 1).map(|group| group.range.end - group.range.start).sum();
        assert!(memory <= JOINED && groups.len() == 3996, "{memory} {}", groups.len());
    }

    #[test]
    fn reads_of_any_kind_give_the_bytes() {
        let (bytes, source, _, _) = source(9 << 20, 1 << 20);
        let mut state = 1_u64;
        let mut random = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for _ in 0..300 {
            let offset = random(bytes.len() as u64);
            let most = if random(4) == 0 { 6 << 20 } else { 100_000 };
            let mut buffer = vec![0; random(most) as usize];
            let count = source.read_at(offset, &mut buffer).unwrap();
            assert_eq!(count, buffer.len().min(bytes.len() - offset as usize));
            assert!(buffer[..count] == bytes[offset as usize..][..count]);
        }
    }

    #[test]
    fn local_sources_are_only_counted() {
        let (bytes, source, requests, counts) = source(3 << 20, LOCAL_COST);
        let mut buffer = [0; 10];
        assert_eq!(source.read_at(77, &mut buffer).unwrap(), 10);
        let (mut first, mut second) = ([0; 10], [0; 5]);
        source.read_ranges(&mut [(5, &mut first), (100, &mut second)]).unwrap();
        assert!(buffer == bytes[77..87] && second == bytes[100..105]);
        assert_eq!(requests.lock().unwrap().clone(), [[(5, 10), (100, 5)]]);
        assert_eq!(counts.now(), Transfers { requests: 3, bytes: 25 });
    }
}
