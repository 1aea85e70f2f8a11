//! Selection of the elements of a read, as loops over the payload and the caller's memory.
//!
//! Checks a region against the shape and turns it into axes in the order that reads the payload forwards.

use super::axes::Axis;
use super::destination::Destination;
use super::geometry::Geometry;
use crate::error::{Error, Result, Status};
use std::ops::{Bound, Range, RangeBounds, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

/// A part of an array: along each dimension, `count` elements from index `start` on with distance `step`. A negative
/// step selects backwards.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// The first index along each dimension.
    pub start: &'a [i64],
    /// The number of elements along each dimension.
    pub count: &'a [i64],
    /// The distance between indices along each dimension, not 0; `None` means 1 for all dimensions.
    pub step: Option<&'a [i64]>,
}

/// A part of an array, as an argument of a call: a [`Region`], or a range of indices for each dimension.
///
/// | argument | part |
/// |---|---|
/// | `[0..10, 5..8]` | ranges of one type, in an array, a slice or a vector |
/// | `(.., 5..8)`, `(2.., ..=4, 7..=7)` | ranges of any types |
/// | `0..10`, `5..` | of an array with one dimension |
pub trait Select {
    /// Calls `work` with the region, for an array of this shape.
    fn with_region<T>(&self, shape: &[i64], work: impl FnOnce(&Region) -> T) -> T;
}

impl Select for Region<'_> {
    fn with_region<T>(&self, _shape: &[i64], work: impl FnOnce(&Region) -> T) -> T {
        work(self)
    }
}

impl<R: RangeBounds<i64>> Select for [R] {
    fn with_region<T>(&self, shape: &[i64], work: impl FnOnce(&Region) -> T) -> T {
        let lengths = shape.iter().copied().chain(std::iter::repeat(0));
        let (start, count): (Vec<i64>, Vec<i64>) = self.iter().zip(lengths).map(|(range, l)| along(range, l)).unzip();
        work(&Region { start: &start, count: &count, step: None })
    }
}

impl<R: RangeBounds<i64>, const RANK: usize> Select for [R; RANK] {
    fn with_region<T>(&self, shape: &[i64], work: impl FnOnce(&Region) -> T) -> T {
        self.as_slice().with_region(shape, work)
    }
}

impl<R: RangeBounds<i64>> Select for Vec<R> {
    fn with_region<T>(&self, shape: &[i64], work: impl FnOnce(&Region) -> T) -> T {
        self.as_slice().with_region(shape, work)
    }
}

impl<S: Select + ?Sized> Select for &S {
    fn with_region<T>(&self, shape: &[i64], work: impl FnOnce(&Region) -> T) -> T {
        (**self).with_region(shape, work)
    }
}

macro_rules! select_by_ranges {
    ($($range:ty)*) => {
        $(impl Select for $range {
            fn with_region<T>(&self, shape: &[i64], work: impl FnOnce(&Region) -> T) -> T {
                std::slice::from_ref(self).with_region(shape, work)
            }
        })*
    };
}

select_by_ranges!(Range<i64> RangeInclusive<i64> RangeFrom<i64> RangeTo<i64> RangeToInclusive<i64> RangeFull);

macro_rules! select_by_tuples {
    ($(($($name:ident $axis:tt),+))*) => {
        $(impl<$($name: RangeBounds<i64>),+> Select for ($($name,)+) {
            fn with_region<T>(&self, shape: &[i64], work: impl FnOnce(&Region) -> T) -> T {
                let bounds = [$((self.$axis.start_bound().cloned(), self.$axis.end_bound().cloned())),+];
                bounds.with_region(shape, work)
            }
        })*
    };
}

select_by_tuples!((A 0)(A 0, B 1)(A 0, B 1, C 2)(A 0, B 1, C 2, D 3)(A 0, B 1, C 2, D 3, E 4)(A 0, B 1, C 2, D 3, E 4, F 5));

/// Returns start and count of a range along a dimension of this length.
fn along(range: &impl RangeBounds<i64>, length: i64) -> (i64, i64) {
    let start = match range.start_bound() {
        Bound::Included(&start) => start,
        Bound::Excluded(&before) => before.saturating_add(1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&last) => last.saturating_add(1),
        Bound::Excluded(&end) => end,
        Bound::Unbounded => length,
    };
    (start, end.saturating_sub(start).max(0))
}

impl Region<'_> {
    /// Fails with [`Status::OutOfRange`] unless the region lies within `shape`, and with [`Status::InvalidArgument`]
    /// for another number of dimensions or a step of 0.
    pub(crate) fn check(&self, shape: &[i64]) -> Result<()> {
        let rank = shape.len();
        let lengths = [self.start.len(), self.count.len(), self.step.map_or(rank, <[i64]>::len)];
        if lengths.iter().any(|&length| length != rank) {
            let message = format!("the region must have as many dimensions as the array, which has {rank}");
            return Err(Error::new(Status::InvalidArgument, message));
        }
        for (axis, &length) in shape.iter().enumerate() {
            let (start, count, step) = (self.start[axis], self.count[axis], self.step.map_or(1, |step| step[axis]));
            if step == 0 {
                let message = format!("the step is 0 along dimension {axis}");
                return Err(Error::new(Status::InvalidArgument, message));
            }
            let first = i128::from(start);
            let last = first + i128::from(count.max(1) - 1) * i128::from(step);
            // An empty selection may start at the end.
            let end = i128::from(length) + i128::from(count == 0);
            if count < 0 || !(0..end).contains(&first) || !(0..end).contains(&last) {
                let message = format!(
                    "the region selects {count} elements from index {start} on with step {step} along dimension \
                     {axis}, which has {length} elements"
                );
                return Err(Error::new(Status::OutOfRange, message));
            }
        }
        Ok(())
    }
}

/// Nested loops over at least one element.
#[derive(Debug)]
pub(crate) struct Selection {
    /// The loops, from the longest distance in the payload to the shortest.
    pub(crate) axes: Vec<Axis>,
    /// Payload byte of the element at which the loops begin.
    pub(crate) source: u64,
    /// Byte of the same element in the caller's memory.
    pub(crate) target: usize,
}

impl Selection {
    /// Returns the loops that copy a region to its positions in memory; `None` for a region without elements.
    ///
    /// The caller must have checked the region and the size of the memory, and built the destination for this region.
    pub(crate) fn new(geometry: &Geometry, region: Option<&Region>, destination: &Destination) -> Option<Selection> {
        let counts = destination.shape();
        if counts.contains(&0) {
            return None;
        }
        let mut loops = Vec::with_capacity(counts.len());
        let mut source = i128::from(geometry.offset());
        for axis in 0..counts.len() {
            let from = i128::from(geometry.strides()[axis]);
            let (start, step) =
                region.map_or((0, 1), |region| (region.start[axis], region.step.map_or(1, |s| s[axis])));
            source += from * i128::from(start);
            loops.push((counts[axis] as usize, from * i128::from(step), destination.strides()[axis] as isize));
        }
        Some(Selection::of_loops(source, destination.first() as isize, loops))
    }

    /// Returns the loops with these counts, none 0, and distances in the payload and in memory. They begin with the
    /// element at these bytes. Every element must lie within the payload and within memory.
    pub(crate) fn of_loops(
        mut source: i128,
        mut target: isize,
        loops: impl IntoIterator<Item = (usize, i128, isize)>,
    ) -> Selection {
        let mut axes = Vec::new();
        for (count, distance, to) in loops {
            if count == 1 {
                continue;
            }
            // The products fit, because the elements do.
            let mut axis = Axis { count, source: distance.unsigned_abs() as u64, target: to };
            if distance < 0 {
                // Reverse the loop: the payload is read forwards, memory is written backwards.
                source += distance * (count as i128 - 1);
                target += (count - 1) as isize * to;
                axis.target = -to;
            }
            axes.push(axis);
        }
        axes.sort_by_key(|axis| std::cmp::Reverse(axis.source));
        merge(&mut axes);
        Selection { axes, source: source as u64, target: target as usize }
    }

    /// Returns whether the loops visit the payload forwards and read each byte at most once. Repetitions of an element
    /// (stride 0) are allowed.
    pub(crate) fn is_forward(&self, item_size: usize) -> bool {
        let mut span = item_size as u64;
        for axis in self.axes.iter().rev().filter(|axis| axis.source != 0) {
            if axis.source < span {
                return false;
            }
            span += axis.source * (axis.count as u64 - 1);
        }
        true
    }

    /// Returns the payload byte after the last element.
    pub(crate) fn end(&self, item_size: usize) -> u64 {
        let reach: u64 = self.axes.iter().map(|axis| axis.source * (axis.count as u64 - 1)).sum();
        self.source + reach + item_size as u64
    }

    /// Returns the number of payload bytes if the elements are contiguous in the payload and in memory.
    pub(crate) fn piece(&self, source_size: usize, target_size: usize) -> Option<usize> {
        match self.axes[..] {
            [] => Some(source_size),
            [axis] if axis.source == source_size as u64 && axis.target == target_size as isize => {
                Some(axis.count * source_size)
            }
            _ => None,
        }
    }
}

/// Merges neighbouring loops into one where each iteration of the outer loop begins where the inner loop ended.
fn merge(axes: &mut Vec<Axis>) {
    axes.dedup_by(|axis, outer| {
        let follows = Some(outer.source) == axis.source.checked_mul(axis.count as u64)
            && Some(outer.target) == axis.target.checked_mul(axis.count as isize);
        if follows {
            *outer = Axis { count: outer.count * axis.count, ..*axis };
        }
        follows
    });
}
