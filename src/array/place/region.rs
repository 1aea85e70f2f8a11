//! Which elements a read takes, as loops over the payload and the caller's memory.
//!
//! A region is checked against the shape here, and turned into axes in the order in which the payload is best read.

use super::axes::Axis;
use super::destination::Destination;
use super::geometry::Geometry;
use crate::error::{Error, Result, Status};

/// A part of an array: along each dimension `count` elements from `start` on, `step` apart, which may lead backwards.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    /// The first index along each dimension.
    pub start: &'a [i64],
    /// How many elements along each dimension.
    pub count: &'a [i64],
    /// The distance of indices along each dimension, never 0; nothing means 1 everywhere.
    pub step: Option<&'a [i64]>,
}

impl Region<'_> {
    /// Fails with [`Status::OutOfRange`] unless the region lies within `shape`.
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
            // Where nothing is taken, it may be after the last element.
            let end = i128::from(length) + i128::from(count == 0);
            if count < 0 || !(0..end).contains(&first) || !(0..end).contains(&last) {
                let message = format!(
                    "the region takes {count} elements from {start} on in steps of {step} along dimension {axis}, \
                     which has {length}"
                );
                return Err(Error::new(Status::OutOfRange, message));
            }
        }
        Ok(())
    }
}

/// Nested loops over elements, of which there is at least one.
#[derive(Debug)]
pub(crate) struct Selection {
    /// From the longest distance in the payload to the shortest.
    pub(crate) axes: Vec<Axis>,
    /// Byte of the element in the payload where the loops begin.
    pub(crate) source: u64,
    /// Byte of that element in the caller's memory.
    pub(crate) target: usize,
}

impl Selection {
    /// The loops that take a region to its places in memory; nothing for no elements.
    ///
    /// The caller has checked the region and made the destination for it, and memory has room for that.
    pub(crate) fn new(geometry: &Geometry, region: Option<&Region>, destination: &Destination) -> Option<Selection> {
        let counts = destination.shape();
        if counts.contains(&0) {
            return None;
        }
        let mut axes = Vec::with_capacity(counts.len());
        let mut source = i128::from(geometry.offset());
        let mut target = destination.first() as isize;
        for axis in (0..counts.len()).rev() {
            let from = i128::from(geometry.strides()[axis]);
            let (start, step) =
                region.map_or((0, 1), |region| (region.start[axis], region.step.map_or(1, |s| s[axis])));
            source += from * i128::from(start);
            let count = counts[axis] as usize;
            if count == 1 {
                continue;
            }
            // Within the payload and within memory, so the products fit again.
            let mut loops = Axis { count, source: 0, target: destination.strides()[axis] as isize };
            let distance = from * i128::from(step);
            if distance < 0 {
                // Backwards through memory rather than through the payload.
                source += distance * (count as i128 - 1);
                target += (count - 1) as isize * loops.target;
                loops.target = -loops.target;
            }
            loops.source = distance.unsigned_abs() as u64;
            axes.push(loops);
        }
        axes.reverse();
        axes.sort_by_key(|axis| std::cmp::Reverse(axis.source));
        Some(Selection { axes: merge(axes), source: source as u64, target: target as usize })
    }

    /// Whether the elements of the loops are met in the order of the payload, each byte at most once but for
    /// repetitions of a single element.
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

    /// The byte of the payload behind the last that an element takes.
    pub(crate) fn end(&self, item_size: usize) -> u64 {
        let reach: u64 = self.axes.iter().map(|axis| axis.source * (axis.count as u64 - 1)).sum();
        self.source + reach + item_size as u64
    }

    /// The number of bytes if the elements are one piece in the payload and in memory.
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

/// Makes one loop of two where the outer just continues the inner.
fn merge(axes: Vec<Axis>) -> Vec<Axis> {
    let mut merged: Vec<Axis> = Vec::with_capacity(axes.len());
    for axis in axes {
        match merged.last_mut() {
            Some(outer)
                if Some(outer.source) == axis.source.checked_mul(axis.count as u64)
                    && Some(outer.target) == axis.target.checked_mul(axis.count as isize) =>
            {
                *outer = Axis { count: outer.count * axis.count, ..axis };
            }
            _ => merged.push(axis),
        }
    }
    merged
}
