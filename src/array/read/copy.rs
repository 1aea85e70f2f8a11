//! The copy of a selection from where its bytes are into the caller's memory, converted on the way.
//!
//! It decides what is read in one piece and in which order; how bytes are had is the business of the [`Fetch`] it is
//! given, and what becomes of an element that of the kernel.

use crate::array::convert::kernel::{Kernel, Misfit};
use crate::array::convert::masking::Masking;
use crate::array::convert::stage::Stage;
use crate::array::payload::fetch::Fetch;
use crate::array::place::axes::{Axis, for_each};
use crate::array::place::destination::Destination;
use crate::array::place::region::Selection;
use crate::error::{Error, Result, Status};
use crate::progress::{self, Counted};
use crate::source::{Source, read_exact_at, try_zeroed};

// Tests make these so small that small arrays take every way.
/// Bytes on the way to the caller's memory: few enough to stay in a core's cache.
const BUFFER: usize = if cfg!(test) { 96 } else { 128 * 1024 };
/// The same where memory is not filled in the payload's order, so that longer runs of it are met together.
const TRANSPOSING_BUFFER: usize = if cfg!(test) { 192 } else { 4 * 1024 * 1024 };
/// Unwanted bytes between wanted ones up to which one read of all is cheaper than two reads.
const GAP: u64 = if cfg!(test) { 24 } else { 12 * 1024 };
/// Elements that are packed before they are converted or spread out.
const PIECE: usize = if cfg!(test) { 5 } else { 2048 };
/// The same where elements are large, in bytes; one element may be more.
const PIECE_BYTES: usize = if cfg!(test) { 80 } else { 32 * 1024 };

/// Bytes in a source, as they are, by positioned reads. A map would cost a fault for each page: a tile of 1024² elements
/// of 16384² took twice the time of the reads, a strip of 16 columns two and a half times.
pub(super) struct Stored<'a> {
    pub(super) source: &'a dyn Source,
    pub(super) offset: u64,
}

impl Fetch for Stored<'_> {
    fn fetch(&mut self, position: u64, buffer: &mut [u8]) -> Result<()> {
        match self.offset.checked_add(position) {
            Some(offset) => read_exact_at(self.source, offset, buffer),
            None => Err(Error::new(Status::Truncated, "the file ends before the array")),
        }
    }
}

/// Reads and converts all elements of `selection` into `out`, which is the memory that `destination` needs. Those that
/// are missing by `masking` need not fit.
pub(crate) fn copy(
    selection: &Selection,
    fetch: &mut dyn Fetch,
    kernel: &Kernel,
    destination: &Destination,
    out: &mut [u8],
    masking: Option<&mut Masking>,
) -> Result<()> {
    let plan = Plan::new(selection, kernel.source_size(), kernel.is_in_place(), kernel.is_copy());
    // Where the mask is asked after, results are read again at once.
    let stage = if masking.is_some() { Stage::none() } else { Stage::for_size(out.len()) };
    let direct = plan.direct && (kernel.is_copy() || !stage.streams());
    let mut writer = Writer { kernel, destination, out, stage, masking, packed: Vec::new(), converted: Vec::new() };
    let mut buffer = Vec::new();
    plan.for_each_read(selection, &mut |read| {
        let size = read.size as usize;
        if direct {
            // The chunk is one piece in the payload and in memory.
            let piece = &mut writer.out[read.target as usize..][..size];
            let (most, mut source) = (progress::piece(size).max(1), read.source);
            for part in piece.chunks_mut(most) {
                fetch.fetch(source, part)?;
                source += part.len() as u64;
                progress::advance(Counted::Elements, part.len() as u64)?;
            }
            kernel.fix(piece);
            if let Some(masking) = &mut writer.masking {
                masking.look(piece, (read.target / kernel.target_size() as isize, 1));
            }
            return Ok(());
        }
        if buffer.len() < size {
            buffer = try_zeroed(size)?;
        }
        fetch.fetch(read.source, &mut buffer[..size])?;
        let largest = kernel.source_size().max(kernel.target_size());
        plan.for_each_row(&read, largest, &mut |from, row, target| writer.row(&buffer[from..], row, target))?;
        progress::advance(Counted::Elements, plan.elements(&read).saturating_mul(kernel.source_size() as u64))
    })
}

/// Calls `visit` with the start and the number of the bytes of the payload that [`copy`] will fetch at a time.
pub(super) fn for_each_read(selection: &Selection, kernel: &Kernel, visit: &mut dyn FnMut(u64, u64)) {
    let plan = Plan::new(selection, kernel.source_size(), kernel.is_in_place(), kernel.is_copy());
    // Nothing in it fails.
    let _ = plan.for_each_read(selection, &mut |read| {
        visit(read.source, read.size);
        Ok(())
    });
}

/// What is read, or written over, in one piece.
pub(crate) struct Plan<'a> {
    /// Loops around the reads.
    outer: &'a [Axis],
    /// The loop of which `chunk` rounds are read together.
    chunked: Axis,
    chunk: usize,
    /// Loops inside, read together as a whole.
    inner: &'a [Axis],
    /// Bytes of the payload from the first to the last of one round.
    inner_span: u64,
    /// Whether a chunk is one piece of memory and can be read right there.
    pub(crate) direct: bool,
}

/// One read of a plan.
pub(crate) struct Read {
    /// The first byte, and how many.
    pub(crate) source: u64,
    pub(crate) size: u64,
    /// Where in memory the first element goes.
    pub(crate) target: isize,
    /// Rounds of the plan's chunked loop.
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

    /// For stored elements of so many bytes. They may take as many in memory (`is_in_place`), and be the same there
    /// (`is_copy`).
    pub(crate) fn new(selection: &'a Selection, item: usize, is_in_place: bool, is_copy: bool) -> Plan<'a> {
        let axes = &selection.axes[..];
        let item = item as u64;
        let one_piece = |axis: &Axis| axis.source == item && axis.target == item as isize;
        // The loop that runs fastest through the payload does so through memory.
        let in_order = axes
            .last()
            .is_none_or(|last| axes.iter().all(|axis| axis.target.unsigned_abs() >= last.target.unsigned_abs()));
        let buffer = if in_order { BUFFER } else { TRANSPOSING_BUFFER } as u64;
        let mut first = axes.len();
        let (mut inner_span, mut span) = (item, item);
        while let Some(axis) = axes[..first].last() {
            let direct = is_in_place && axes[first..].len() == 1 && one_piece(&axes[first]);
            // A read right into memory saves the way through the buffer, which counts as half a byte each.
            let gap = if direct { GAP.saturating_sub(span / 2) } else { GAP };
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

    /// The number of elements in a read.
    pub(crate) fn elements(&self, read: &Read) -> u64 {
        self.inner.iter().fold(read.rounds as u64, |product, axis| product.saturating_mul(axis.count as u64))
    }

    /// Calls `visit` with short loops that together are those of a read, where elements have at most `largest` bytes: with
    /// the first byte counted from the start of the read, the loop, and the place of the first element in memory.
    pub(crate) fn for_each_row(
        &self,
        read: &Read,
        largest: usize,
        visit: &mut dyn FnMut(usize, &Axis, isize) -> Result<()>,
    ) -> Result<()> {
        let mut axes = Vec::with_capacity(self.inner.len() + 1);
        axes.push(Axis { count: read.rounds, ..self.chunked });
        axes.extend_from_slice(self.inner);
        // Memory is best gone through in its own order.
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

/// The caller's memory, and room for elements that cannot go there straight.
struct Writer<'a, 'b> {
    kernel: &'a Kernel,
    destination: &'a Destination,
    out: &'a mut [u8],
    stage: Stage,
    masking: Option<&'a mut Masking<'b>>,
    packed: Vec<u8>,
    converted: Vec<u8>,
}

impl Writer<'_, '_> {
    /// Writes the elements of one short loop, the first of which begins `bytes`.
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
                let number = self.destination.number((target + row.target * misfit.index as isize) as usize);
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

/// Gives a buffer room for so many bytes.
pub(crate) fn grow(buffer: &mut Vec<u8>, size: usize) -> Result<()> {
    if buffer.len() < size {
        buffer.try_reserve_exact(size - buffer.len()).map_err(|_| Error::out_of_memory(size as u64))?;
        buffer.resize(size, 0);
    }
    Ok(())
}

/// Packs elements that begin `stride` bytes apart, the first at byte `source`.
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

/// Spreads packed elements so that they begin `stride` bytes apart.
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
