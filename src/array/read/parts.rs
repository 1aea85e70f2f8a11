//! Copies of large selections on several threads.
//!
//! The outermost loop is divided into parts whose elements lie in separate ranges of the caller's memory. Each part is
//! a copy of its own. The error of the first failing part is that of a copy on one thread.

use super::copy::{MemoryPart, Stored, copy, copy_part};
use crate::array::convert::kernel::Kernel;
use crate::array::place::axes::Axis;
use crate::array::place::destination::Destination;
use crate::array::place::region::Selection;
use crate::codec::parallel;
use crate::error::Result;

/// Memory that a thread fills at a time, in bytes: enough to make the start of a thread worth its time.
const SHARE: usize = if cfg!(test) { 48 } else { 1 << 20 };

/// Reads and converts all elements of a selection on up to `threads` threads, like [`copy`] without a mask.
pub(super) fn copy_on_threads(
    selection: &Selection,
    stored: &Stored,
    kernel: &Kernel,
    destination: &Destination,
    out: &mut [u8],
    threads: usize,
) -> Result<()> {
    let whole = out.len();
    let parts = match threads > 1 && stored.is_shareable() {
        true => parts(selection, kernel.target_size(), out),
        false => Err(out),
    };
    match parts {
        Ok(parts) => parallel::for_each(parts.into_iter(), threads, |_: &mut (), part: Part| {
            let memory_part = MemoryPart { destination, start: part.start, whole };
            copy_part(&part.selection, &mut stored.clone(), kernel, &memory_part, part.out, None)
        }),
        Err(out) => copy(selection, &mut stored.clone(), kernel, destination, out, None),
    }
}

/// A part of a selection with its memory, which begins at byte `start` of the whole memory.
struct Part<'a> {
    selection: Selection,
    start: usize,
    out: &'a mut [u8],
}

/// Divides a selection of elements that take `item` bytes in memory. Returns the memory if it cannot be divided: it is
/// small, or the elements of the parts would lie between one another or in descending order.
fn parts<'a>(
    selection: &Selection,
    item: usize,
    out: &'a mut [u8],
) -> std::result::Result<Vec<Part<'a>>, &'a mut [u8]> {
    let Some((outer, inner)) = selection.axes.split_first() else { return Err(out) };
    let (mut below, mut above) = (0, item as isize);
    for axis in inner {
        let reach = axis.target * (axis.count as isize - 1);
        *(if reach < 0 { &mut below } else { &mut above }) += reach;
    }
    if outer.target < above - below {
        return Err(out);
    }
    let step = outer.target as usize;
    let rounds = (SHARE / step).max(1);
    if rounds >= outer.count || rounds * step > out.len() {
        return Err(out);
    }
    let mut parts = Vec::with_capacity(outer.count.div_ceil(rounds));
    let (mut done, mut start) = (0, 0);
    let mut rest = out;
    while done < outer.count {
        let count = rounds.min(outer.count - done);
        // The first part also has all bytes before the elements, the last one those after them.
        let next = (selection.target as isize + below) as usize + (done + count) * step;
        let size = if done + count < outer.count { next - start } else { rest.len() };
        let (out, after) = rest.split_at_mut(size);
        let mut axes = selection.axes.clone();
        axes[0] = Axis { count, ..*outer };
        let source = selection.source + outer.source * done as u64;
        let target = selection.target + step * done - start;
        parts.push(Part { selection: Selection { axes, source, target }, start, out });
        (done, start, rest) = (done + count, start + size, after);
    }
    Ok(parts)
}
