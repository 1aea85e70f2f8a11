//! Copy of a selection from the payload into the caller's memory, with conversion.
//!
//! Decides which bytes are read together, and in which order. The [`Fetch`] reads bytes, the kernel converts elements.

use crate::array::convert::kernel::{Kernel, Misfit};
use crate::array::convert::masking::Masking;
use crate::array::convert::stage::Stage;
use crate::array::payload::fetch::Fetch;
use crate::array::place::axes::{Axis, for_each};
use crate::array::place::destination::Destination;
use crate::array::place::region::Selection;
use crate::error::{Error, Result, Status};
use crate::progress::{self, Counted};
use crate::source::{Map, Source, read_exact_at, try_zeroed};
use std::sync::Arc;

// Tests use small sizes, so that small arrays cover every code path.
/// Size of the buffer for payload bytes: small enough for the cache of a core.
const BUFFER: usize = if cfg!(test) { 96 } else { 128 * 1024 };
/// Size of the buffer if memory is not filled in payload order. A larger buffer makes the runs in memory longer.
const TRANSPOSING_BUFFER: usize = if cfg!(test) { 192 } else { 4 * 1024 * 1024 };
/// Gap between wanted bytes up to which one read of all bytes of a file is cheaper than two reads.
const GAP: u64 = if cfg!(test) { 24 } else { 12 * 1024 };
/// The most bytes, and the most ranges, for which a source of the caller is asked at once.
const TOGETHER: usize = if cfg!(test) { 192 } else { 4 * 1024 * 1024 };
const RANGES: usize = if cfg!(test) { 7 } else { 4096 };
/// The most elements packed together before they are converted or scattered.
const PIECE: usize = if cfg!(test) { 5 } else { 2048 };
/// The same limit in bytes, for large elements; a single element may be larger.
const PIECE_BYTES: usize = if cfg!(test) { 80 } else { 32 * 1024 };

/// Uncompressed bytes in a source, read by positioned reads unless they are in memory already. A memory map would cost
/// a page fault for each page: reading a tile of 1024² elements from an array of 16384² took twice as long with a map,
/// a strip of 16 columns 2.5 times as long.
#[derive(Clone)]
pub(super) struct Stored<'a> {
    source: &'a dyn Source,
    /// The source to read, if it is behind `source`.
    behind: Option<Arc<dyn Source>>,
    offset: u64,
    memory: Option<Map>,
    is_of_caller: bool,
}

impl<'a> Stored<'a> {
    pub(super) fn new(source: &'a dyn Source, offset: u64, length: u64) -> Stored<'a> {
        let (behind, memory) = (source.behind(), source.in_memory(offset, length));
        let is_of_caller = behind.as_deref().unwrap_or(source).abilities().is_none();
        Stored { source, behind, offset, memory, is_of_caller }
    }

    /// Returns whether several threads may read. Sources of the caller are read on its own thread only.
    pub(super) fn is_shareable(&self) -> bool {
        self.memory.is_some() || self.source.file().is_some()
    }

    fn read_source(&self) -> &dyn Source {
        self.behind.as_deref().unwrap_or(self.source)
    }
}

impl Fetch for Stored<'_> {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        if let Some(bytes) = self.borrow(position, buffer.len()) {
            buffer.copy_from_slice(bytes);
            return Ok(());
        }
        match self.offset.checked_add(position) {
            Some(offset) => read_exact_at(self.read_source(), offset, buffer),
            None => Err(ends_before_array()),
        }
    }

    fn borrow(&self, position: u64, size: usize) -> Option<&[u8]> {
        self.memory.as_ref()?.get(usize::try_from(position).ok()?..)?.get(..size)
    }

    fn callers_source(&self) -> Option<(&dyn Source, u64)> {
        self.is_of_caller.then(|| (self.read_source(), self.offset))
    }
}

fn ends_before_array() -> Error {
    Error::new(Status::Truncated, "the file ends before the array")
}

/// Reads and converts all elements of `selection` into `out`, whose size is that of `destination`. Elements that are
/// missing according to `masking` need not fit.
pub(crate) fn copy(
    selection: &Selection,
    fetch: &mut dyn Fetch,
    kernel: &Kernel,
    destination: &Destination,
    out: &mut [u8],
    masking: Option<&mut Masking>,
) -> Result<()> {
    let memory_part = MemoryPart { destination, start: 0, whole: out.len() };
    copy_part(selection, fetch, kernel, &memory_part, out, masking)
}

/// The memory of a part in the memory of the whole copy.
pub(super) struct MemoryPart<'a> {
    pub(super) destination: &'a Destination,
    /// First byte of the part.
    pub(super) start: usize,
    /// Size of the whole memory in bytes.
    pub(super) whole: usize,
}

/// Like [`copy`], for a part of a selection and of the caller's memory.
pub(super) fn copy_part(
    selection: &Selection,
    fetch: &mut dyn Fetch,
    kernel: &Kernel,
    memory_part: &MemoryPart,
    out: &mut [u8],
    masking: Option<&mut Masking>,
) -> Result<()> {
    let gap = fetch.callers_source().map_or(GAP, |(source, _)| source.request_cost());
    let plan = Plan::new(selection, kernel.source_size(), kernel.is_in_place(), kernel.is_copy(), gap);
    // With a mask, results are read again immediately, so they should stay in the caches.
    let stage = if masking.is_some() { Stage::none() } else { Stage::for_size(memory_part.whole) };
    // Bytes in memory that change are read once, where they are.
    let is_in_memory = fetch.borrow(selection.source, 0).is_some();
    let is_copy = kernel.is_copy();
    let direct = plan.direct && (is_copy || !(stage.streams() || is_in_memory));
    let mut writer = Writer { kernel, memory_part, out, stage, masking, packed: Vec::new(), converted: Vec::new() };
    if plan.largest_read() <= TOGETHER as u64 / 2
        && let Some((source, offset)) = fetch.callers_source()
    {
        return Together { plan: &plan, source, offset, waiting: Vec::new(), size: 0 }.copy(selection, &mut writer);
    }
    let mut buffer = Vec::new();
    plan.for_each_read(selection, &mut |read| {
        let size = read.size as usize;
        if direct {
            // The chunk is contiguous in the payload and in memory.
            let piece = &mut writer.out[read.target as usize..][..size];
            let (most, mut source) = (progress::piece_size(size).max(1), read.source);
            for part in piece.chunks_mut(most) {
                fetch.fetch(source, part)?;
                source += part.len() as u64;
                progress::advance(Counted::Elements, part.len() as u64)?;
            }
            if !is_copy {
                kernel.fix(piece);
            }
            if let Some(masking) = &mut writer.masking {
                masking.look(piece, (read.target / kernel.target_size() as isize, 1));
            }
            return Ok(());
        }
        let bytes = match fetch.borrow(read.source, size) {
            Some(bytes) => bytes,
            None => {
                if buffer.len() < size {
                    buffer = try_zeroed(size)?;
                }
                fetch.fetch(read.source, &mut buffer[..size])?;
                &buffer[..size]
            }
        };
        writer.read(&plan, &read, bytes)
    })
}

/// Reads that a source of the caller is asked for at once.
struct Together<'a> {
    plan: &'a Plan<'a>,
    source: &'a dyn Source,
    /// Offset of the payload in the source.
    offset: u64,
    waiting: Vec<Read>,
    /// Bytes of the waiting reads.
    size: usize,
}

impl Together<'_> {
    fn copy(mut self, selection: &Selection, writer: &mut Writer) -> Result<()> {
        let mut buffer = Vec::new();
        self.plan.for_each_read(selection, &mut |read| {
            if self.waiting.len() == RANGES || self.size + read.size as usize > TOGETHER {
                self.ask(&mut buffer, writer)?;
            }
            self.size += read.size as usize;
            self.waiting.push(read);
            Ok(())
        })?;
        self.ask(&mut buffer, writer)
    }

    fn ask(&mut self, buffer: &mut Vec<u8>, writer: &mut Writer) -> Result<()> {
        grow(buffer, std::mem::take(&mut self.size))?;
        let (mut ranges, mut rest) = (Vec::with_capacity(self.waiting.len()), &mut buffer[..]);
        for read in &self.waiting {
            let (piece, after) = rest.split_at_mut(read.size as usize);
            ranges.push((self.offset.checked_add(read.source).ok_or_else(ends_before_array)?, piece));
            rest = after;
        }
        self.source.read_ranges(&mut ranges)?;
        let mut rest = &buffer[..];
        for read in self.waiting.drain(..) {
            let (bytes, after) = rest.split_at(read.size as usize);
            writer.read(self.plan, &read, bytes)?;
            rest = after;
        }
        Ok(())
    }
}

/// Calls `visit` with the start and the size of each range of payload bytes that [`copy`] will fetch.
pub(super) fn for_each_read(selection: &Selection, kernel: &Kernel, visit: &mut dyn FnMut(u64, u64)) {
    let plan = Plan::new(selection, kernel.source_size(), kernel.is_in_place(), kernel.is_copy(), GAP);
    // The callback never fails.
    let _ = plan.for_each_read(selection, &mut |read| {
        visit(read.source, read.size);
        Ok(())
    });
}

/// The division of a selection into contiguous ranges that are read, or overwritten, together.
pub(crate) struct Plan<'a> {
    /// Loops around the reads.
    outer: &'a [Axis],
    /// The loop whose iterations are read in groups of `chunk`.
    chunked: Axis,
    chunk: usize,
    /// Inner loops, read as a whole.
    inner: &'a [Axis],
    /// Payload bytes from the first to the last byte of one iteration of `chunked`.
    inner_span: u64,
    /// True if a chunk is contiguous in memory, so that it can be read there directly.
    pub(crate) direct: bool,
}

/// One read of a plan.
pub(crate) struct Read {
    /// The first payload byte, and the number of bytes.
    pub(crate) source: u64,
    pub(crate) size: u64,
    /// Position of the first element in memory.
    pub(crate) target: isize,
    /// Iterations of the plan's `chunked` loop.
    rounds: usize,
}

impl<'a> Plan<'a> {
    pub(crate) fn for_each_read(&self, selection: &Selection, visit: &mut dyn FnMut(Read) -> Result<()>) -> Result<()> {
        for_each(self.outer, selection.source, selection.target as isize, &mut |source, target| {
            let mut done = 0;
            while done < self.chunked.count {
                let rounds = self.chunk.min(self.chunked.count - done);
                visit(Read {
                    source: source + self.chunked.source * done as u64,
                    size: self.chunked.source * (rounds as u64 - 1) + self.inner_span,
                    target: target + self.chunked.target * done as isize,
                    rounds,
                })?;
                done += rounds;
            }
            Ok(())
        })
    }

    /// Plans the overwriting of stored elements of `item` bytes, like [`Plan::new`].
    pub(crate) fn of_overwriting(selection: &'a Selection, item: usize, is_in_place: bool, is_copy: bool) -> Plan<'a> {
        Plan::new(selection, item, is_in_place, is_copy, GAP)
    }

    /// Plans the reads for stored elements of `item` bytes. `is_in_place`: elements have the same size in memory.
    /// `is_copy`: they also have the same bytes. Bytes with smaller gaps than `gap` are read together.
    fn new(selection: &'a Selection, item: usize, is_in_place: bool, is_copy: bool, gap: u64) -> Plan<'a> {
        let axes = &selection.axes[..];
        let item = item as u64;
        let one_piece = |axis: &Axis| axis.source == item && axis.target == item as isize;
        // The fastest loop in the payload is also the fastest in memory.
        let in_order = axes
            .last()
            .is_none_or(|last| axes.iter().all(|axis| axis.target.unsigned_abs() >= last.target.unsigned_abs()));
        let buffer = if in_order { BUFFER as u64 } else { TRANSPOSING_BUFFER as u64 };
        let buffer = buffer.max(gap.saturating_mul(2).min(TRANSPOSING_BUFFER as u64));
        let mut first = axes.len();
        let (mut inner_span, mut span) = (item, item);
        while let Some(axis) = axes[..first].last() {
            let direct = is_in_place && axes[first..].len() == 1 && one_piece(&axes[first]);
            // Direct reads into memory save a copy through the buffer. Each byte saved counts as half a byte of gap.
            let gap = if direct { gap.saturating_sub(span / 2) } else { gap };
            if axis.source > span + gap || (first < axes.len() && span > buffer / 2) {
                break;
            }
            first -= 1;
            inner_span = span;
            span += axis.source * (axis.count as u64 - 1);
        }
        let chunked = axes.get(first).copied().unwrap_or(Axis { count: 1, source: 0, target: 0 });
        let inner = axes.get(first + 1..).unwrap_or(&[]);
        let direct = is_in_place && inner.is_empty() && (first == axes.len() || one_piece(&chunked));
        let chunk = if (direct && is_copy) || chunked.source == 0 {
            chunked.count
        } else {
            let rounds = buffer.saturating_sub(inner_span) / chunked.source + 1;
            usize::try_from(rounds).unwrap_or(usize::MAX).min(chunked.count)
        };
        Plan { outer: &axes[..first], chunked, chunk, inner, inner_span, direct }
    }

    /// Returns the number of bytes of the largest read.
    fn largest_read(&self) -> u64 {
        self.chunked.source.saturating_mul(self.chunk as u64 - 1).saturating_add(self.inner_span)
    }

    /// Returns the number of elements in a read.
    pub(crate) fn elements(&self, read: &Read) -> u64 {
        self.inner.iter().fold(read.rounds as u64, |product, axis| product.saturating_mul(axis.count as u64))
    }

    /// Splits a read into short loops and calls `visit` for each one. Elements have at most `largest` bytes. The
    /// arguments are the first byte relative to the start of the read, the loop, and the position of the first element
    /// in memory.
    pub(crate) fn for_each_row(
        &self,
        read: &Read,
        largest: usize,
        visit: &mut dyn FnMut(usize, &Axis, isize) -> Result<()>,
    ) -> Result<()> {
        let mut axes = Vec::with_capacity(self.inner.len() + 1);
        axes.push(Axis { count: read.rounds, ..self.chunked });
        axes.extend_from_slice(self.inner);
        // Sequential access to memory is fastest.
        axes.sort_by_key(|axis| std::cmp::Reverse(axis.target.unsigned_abs()));
        let row = axes.pop().unwrap_or(self.chunked);
        let most = (PIECE_BYTES / largest.max(1)).clamp(1, PIECE);
        for_each(&axes, 0, read.target, &mut |source, target| {
            let mut done = 0;
            while done < row.count {
                let piece = Axis { count: most.min(row.count - done), ..row };
                let from = source + row.source * done as u64;
                visit(from as usize, &piece, target + row.target * done as isize)?;
                done += piece.count;
            }
            Ok(())
        })
    }
}

/// The caller's memory, and buffers for elements that cannot be written there directly.
struct Writer<'a, 'b> {
    kernel: &'a Kernel,
    memory_part: &'a MemoryPart<'a>,
    out: &'a mut [u8],
    stage: Stage,
    masking: Option<&'a mut Masking<'b>>,
    packed: Vec<u8>,
    converted: Vec<u8>,
}

impl Writer<'_, '_> {
    /// Writes the elements of one read, whose bytes these are.
    fn read(&mut self, plan: &Plan, read: &Read, bytes: &[u8]) -> Result<()> {
        let item = self.kernel.source_size();
        let largest = item.max(self.kernel.target_size());
        plan.for_each_row(read, largest, &mut |from, row, target| self.row(&bytes[from..], row, target))?;
        progress::advance(Counted::Elements, plan.elements(read).saturating_mul(item as u64))
    }

    /// Writes the elements of one short loop. `bytes` begins with the first of them.
    fn row(&mut self, bytes: &[u8], row: &Axis, target: isize) -> Result<()> {
        let kernel = self.kernel;
        let (item, made) = (kernel.source_size(), kernel.target_size());
        let packed_size = row.count * item;
        let numbers = || (target / made as isize, row.target / made as isize);
        let out_is_packed = row.target == made as isize || row.count == 1;
        if kernel.is_in_place() && out_is_packed {
            let out = &mut self.out[target as usize..][..packed_size];
            if row.source == item as u64 && !kernel.is_copy() {
                kernel.fix_into(&bytes[..packed_size], out, &mut self.stage);
            } else {
                gather(bytes, 0, row.source as isize, item, out);
                kernel.fix(out);
            }
            if let Some(masking) = &mut self.masking {
                masking.look(out, numbers());
            }
            return Ok(());
        }
        let input = if row.source == item as u64 && !kernel.swaps() && !kernel.is_in_place() {
            &bytes[..packed_size]
        } else {
            grow(&mut self.packed, packed_size)?;
            let packed = &mut self.packed[..packed_size];
            if row.source == item as u64 {
                kernel.fix_into(&bytes[..packed_size], packed, &mut Stage::none());
            } else {
                gather(bytes, 0, row.source as isize, item, packed);
                if kernel.is_in_place() || kernel.swaps() {
                    kernel.fix(packed);
                }
            }
            packed
        };
        if let Some(masking) = &mut self.masking {
            masking.look(input, numbers());
        }
        let masking = self.masking.as_deref();
        let is_missing = |index: usize| {
            let (first, step) = numbers();
            masking.is_some_and(|masking| masking.is_missing(first + step * index as isize))
        };
        let convert = |out: &mut [u8], stage: &mut Stage| -> Result<()> {
            match kernel.convert(input, out, stage) {
                Err(misfit) if is_missing(misfit.index) => kernel.convert_present(input, out, is_missing),
                result => result,
            }
            .map_err(|misfit: Misfit| {
                let byte = self.memory_part.start as isize + target + row.target * misfit.index as isize;
                let number = self.memory_part.destination.number(byte as usize);
                kernel.error(number, &misfit)
            })
        };
        if out_is_packed {
            let out = &mut self.out[target as usize..][..row.count * made];
            return convert(out, &mut self.stage);
        }
        let result = if kernel.is_in_place() {
            input
        } else {
            grow(&mut self.converted, row.count * made)?;
            let converted = &mut self.converted[..row.count * made];
            convert(converted, &mut Stage::none())?;
            converted
        };
        scatter(result, made, self.out, target, row.target);
        Ok(())
    }
}

/// Extends a buffer to at least `size` bytes.
pub(crate) fn grow(buffer: &mut Vec<u8>, size: usize) -> Result<()> {
    if buffer.len() < size {
        buffer.try_reserve_exact(size - buffer.len()).map_err(|_| Error::out_of_memory(size as u64))?;
        buffer.resize(size, 0);
    }
    Ok(())
}

/// Packs elements that begin `stride` bytes apart, starting at byte `source`.
pub(crate) fn gather(bytes: &[u8], source: isize, stride: isize, item: usize, out: &mut [u8]) {
    if stride == item as isize {
        let size = out.len();
        out.copy_from_slice(&bytes[source as usize..][..size]);
        return;
    }
    match item {
        1 => gather_items::<1>(bytes, source, stride, out),
        2 => gather_items::<2>(bytes, source, stride, out),
        4 => gather_items::<4>(bytes, source, stride, out),
        8 => gather_items::<8>(bytes, source, stride, out),
        16 => gather_items::<16>(bytes, source, stride, out),
        _ => {
            let mut at = source;
            for element in out.chunks_exact_mut(item) {
                element.copy_from_slice(&bytes[at as usize..][..item]);
                at = at.wrapping_add(stride);
            }
        }
    }
}

fn gather_items<const N: usize>(bytes: &[u8], source: isize, stride: isize, out: &mut [u8]) {
    let mut at = source;
    for item in out.as_chunks_mut::<N>().0 {
        item.copy_from_slice(&bytes[at as usize..][..N]);
        at = at.wrapping_add(stride);
    }
}

/// Writes packed elements to positions `stride` bytes apart, starting at byte `target`.
pub(crate) fn scatter(packed: &[u8], item: usize, out: &mut [u8], target: isize, stride: isize) {
    match item {
        1 => scatter_items::<1>(packed, out, target, stride),
        2 => scatter_items::<2>(packed, out, target, stride),
        4 => scatter_items::<4>(packed, out, target, stride),
        8 => scatter_items::<8>(packed, out, target, stride),
        16 => scatter_items::<16>(packed, out, target, stride),
        _ => {
            let mut at = target;
            for element in packed.chunks_exact(item) {
                out[at as usize..][..item].copy_from_slice(element);
                at += stride;
            }
        }
    }
}

fn scatter_items<const N: usize>(packed: &[u8], out: &mut [u8], target: isize, stride: isize) {
    let mut at = target;
    for item in packed.as_chunks::<N>().0 {
        out[at as usize..][..N].copy_from_slice(item);
        at += stride;
    }
}
