//! Layout of the elements of a read in the caller's memory: C order, Fortran order, or strides.
//!
//! The required size is computed exactly and checked before anything is written. Bytes outside the elements stay
//! untouched.

use super::axes::Axis;
use super::axes::for_each;
use super::geometry::element_count;
use crate::array::element::blanks::pad;
use crate::array::element::datatype::Datatype;
use crate::error::{Error, Result, Status};
use std::cmp::Reverse;
use std::ops::Range;

/// The layout of elements in memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Packed, the last index varying fastest.
    #[default]
    C,
    /// Packed, the first index varying fastest.
    Fortran,
    /// The distance in bytes from one element to the next, for each dimension of the selection. The memory begins with
    /// the element at the lowest address, also for negative strides.
    ///
    /// When memory is written, no two elements may share a byte, and the dimensions may not interleave: with the
    /// dimensions sorted by absolute stride, each stride must be at least the span in bytes of all smaller ones
    /// together.
    Strided(Vec<i64>),
}

/// The position of every element of a read in memory.
#[derive(Debug)]
pub(crate) struct Destination {
    shape: Vec<i64>,
    /// Bytes from one element to the next; unused for a dimension with one element.
    strides: Vec<i64>,
    item: usize,
    /// Byte of the element whose indices are all 0.
    first: usize,
    /// Bytes from the lowest address to the end of the highest element.
    size: u64,
}

impl Destination {
    /// Returns the positions of elements of `item` bytes each, in an array of this shape.
    ///
    /// Fails with [`Status::InvalidArgument`] for strides that do not fit the shape or make elements overlap, and with
    /// [`Status::Limit`] if the size in bytes overflows 64 bits.
    pub(crate) fn new(shape: &[i64], item: u64, order: &Order) -> Result<Destination> {
        Destination::of(shape, item, order, true)
    }

    /// Like [`Destination::new`], for memory that is only read: elements may overlap.
    pub(crate) fn to_read(shape: &[i64], item: u64, order: &Order) -> Result<Destination> {
        Destination::of(shape, item, order, false)
    }

    fn of(shape: &[i64], item: u64, order: &Order, written: bool) -> Result<Destination> {
        let count = element_count(shape)?;
        let packed = i64::try_from(item).ok().and_then(|item| item.checked_mul(count)).ok_or_else(uncountable)?;
        let mut destination = Destination {
            shape: shape.to_vec(),
            strides: Vec::new(),
            item: usize::try_from(item).map_err(|_| Error::out_of_memory(item))?,
            first: 0,
            size: packed as u64,
        };
        if let Order::Strided(strides) = order {
            if strides.len() != shape.len() {
                let message = format!("there are {} strides for {} dimensions", strides.len(), shape.len());
                return Err(Error::new(Status::InvalidArgument, message));
            }
            destination.strides = strides.clone();
            if count > 0 && item > 0 {
                if written {
                    destination.check_overlap()?;
                }
                destination.measure()?;
            }
            return Ok(destination);
        }
        destination.strides = vec![0; shape.len()];
        if count == 0 {
            return Ok(destination);
        }
        let mut stride = item as i64;
        for position in 0..shape.len() {
            let axis = if *order == Order::Fortran { position } else { shape.len() - 1 - position };
            destination.strides[axis] = stride;
            // No overflow: at most the total size, which was checked.
            stride *= shape[axis];
        }
        Ok(destination)
    }

    /// Sets the size and the first byte of strided elements.
    fn measure(&mut self) -> Result<()> {
        let (mut below, mut above) = (0i128, self.item as i128);
        for (count, stride) in self.axes() {
            // At most 2^126 in magnitude; the sum of several may be more.
            let reach = i128::from(count - 1) * i128::from(stride);
            let end = if reach < 0 { &mut below } else { &mut above };
            *end = end.checked_add(reach).ok_or_else(uncountable)?;
        }
        let size = above.checked_sub(below).and_then(|size| i64::try_from(size).ok()).ok_or_else(uncountable)?;
        // `-below` is smaller than the size.
        self.first = usize::try_from(below.unsigned_abs()).map_err(|_| Error::out_of_memory(size as u64))?;
        self.size = size as u64;
        Ok(())
    }

    fn check_overlap(&self) -> Result<()> {
        let mut axes: Vec<_> = self.axes().collect();
        axes.sort_by_key(|(_, stride)| stride.unsigned_abs());
        let mut span = self.item as u128;
        for (count, stride) in axes {
            let distance = u128::from(stride.unsigned_abs());
            if distance < span {
                let message = format!(
                    "a stride of {stride} bytes is too small: elements overlap or interleave unless it is at least \
                     {span} bytes"
                );
                return Err(Error::new(Status::InvalidArgument, message));
            }
            span = (distance * (count as u128 - 1)).checked_add(span).ok_or_else(uncountable)?;
        }
        Ok(())
    }

    /// Count and stride of each dimension with more than one element.
    fn axes(&self) -> impl Iterator<Item = (i64, i64)> {
        self.shape.iter().copied().zip(self.strides.iter().copied()).filter(|&(count, _)| count > 1)
    }

    /// The number of elements along each dimension.
    pub(in crate::array) fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// Bytes from one element to the next along each dimension; unused for a dimension with one element.
    pub(in crate::array) fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// Byte of the element whose indices are all 0.
    pub(in crate::array) fn first(&self) -> usize {
        self.first
    }

    /// The required size of the memory in bytes.
    pub(crate) fn size(&self) -> u64 {
        self.size
    }

    /// Returns the layout of the mask: one byte for each element, in the order of the elements. The mask byte of an
    /// element at byte `n * item` of memory is byte `n`.
    ///
    /// Fails with [`Status::InvalidArgument`] for strides that are not multiples of the element size.
    pub(crate) fn of_mask(&self) -> Result<Destination> {
        let Some(item) = i64::try_from(self.item).ok().filter(|&item| item > 0) else {
            return Destination::new(&self.shape, 1, &Order::C);
        };
        if let Some((_, stride)) = self.axes().find(|(_, stride)| stride % item != 0) {
            let message = format!(
                "the stride of {stride} bytes must be a multiple of the element size, {item} bytes, for an array \
                 with a mask"
            );
            return Err(Error::new(Status::InvalidArgument, message));
        }
        let strides = self.strides.iter().map(|stride| stride / item).collect();
        Destination::new(&self.shape, 1, &Order::Strided(strides))
    }

    /// Returns the part of `memory` that the elements occupy. Fails with [`Status::BufferTooSmall`]; `taken` is the
    /// start of the message ("the elements take").
    pub(crate) fn part_of<'a>(&self, memory: &'a mut [u8], taken: &str) -> Result<&'a mut [u8]> {
        let capacity = memory.len();
        usize::try_from(self.size).ok().and_then(|size| memory.get_mut(..size)).ok_or_else(|| {
            let message = format!("{taken} {} bytes, but the buffer has {capacity} bytes", self.size);
            Error::new(Status::BufferTooSmall, message)
        })
    }

    /// Calls `visit` with each contiguous range of bytes that elements occupy. The memory must have been allocated, so
    /// that positions fit `usize`.
    pub(crate) fn for_each_piece(&self, visit: &mut dyn FnMut(Range<usize>)) -> Result<()> {
        if self.size == 0 {
            return Ok(());
        }
        let mut axes: Vec<Axis> = self
            .axes()
            .map(|(count, stride)| Axis { count: count as usize, source: stride.unsigned_abs(), target: 0 })
            .collect();
        axes.sort_by_key(|axis| Reverse(axis.source));
        let mut piece = self.item;
        while let Some(axis) = axes.pop_if(|axis| axis.source == piece as u64) {
            piece *= axis.count;
        }
        for_each(&axes, 0, 0, &mut |from, _| {
            visit(from as usize..from as usize + piece);
            Ok(())
        })
    }

    /// Pads strings with blanks in place of trailing NULs.
    pub(crate) fn pad(&self, datatype: &Datatype, memory: &mut [u8]) -> Result<()> {
        let mut padded = Ok(());
        self.for_each_piece(&mut |piece| {
            if padded.is_ok() {
                padded = pad(datatype, memory.get_mut(piece).unwrap_or_default());
            }
        })?;
        padded
    }

    /// Returns the number, in C order, of the element that begins at this byte.
    pub(crate) fn number(&self, byte: usize) -> i64 {
        let mut axes: Vec<usize> = (0..self.shape.len()).filter(|&axis| self.shape[axis] > 1).collect();
        axes.sort_by_key(|&axis| Reverse(self.strides[axis].unsigned_abs()));
        let mut indices = vec![0; self.shape.len()];
        let mut rest = byte as u64;
        for axis in axes {
            let stride = self.strides[axis];
            let steps = rest.checked_div(stride.unsigned_abs()).unwrap_or(0);
            rest -= steps * stride.unsigned_abs();
            indices[axis] = if stride < 0 { self.shape[axis] - 1 - steps as i64 } else { steps as i64 };
        }
        indices.iter().zip(&self.shape).fold(0, |number, (index, count)| number * count + index)
    }
}

fn uncountable() -> Error {
    Error::new(Status::Limit, "the elements are too large: their size in bytes exceeds 2^63 - 1")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(shape: &[i64], item: u64, strides: &[i64]) -> Result<Destination> {
        Destination::new(shape, item, &Order::Strided(strides.to_vec()))
    }

    #[test]
    fn required_size_is_exact() {
        type Case = (&'static [i64], u64, &'static [i64], u64, usize);
        let cases: &[Case] = &[
            (&[], 8, &[], 8, 0),
            (&[3], 2, &[2], 6, 0),
            (&[3], 2, &[5], 12, 0),
            (&[3], 2, &[-5], 12, 10),
            (&[2, 3], 4, &[100, -8], 120, 16),
            (&[2, 3], 4, &[-4, 8], 24, 4),
            (&[1, 3], 4, &[i64::MIN, 4], 12, 0),
            (&[0, 3], 4, &[0, 0], 0, 0),
            (&[2, 2], 0, &[0, 0], 0, 0),
            (&[2], 1, &[i64::MAX - 1], i64::MAX as u64, 0),
        ];
        for &(shape, item, strides, size, first) in cases {
            let destination = strided(shape, item, strides).unwrap();
            assert_eq!((destination.size(), destination.first()), (size, first), "{shape:?} {strides:?}");
        }
        for (order, strides) in [(Order::C, [48, 16, 4]), (Order::Fortran, [4, 8, 24])] {
            let destination = Destination::new(&[2, 3, 4], 4, &order).unwrap();
            assert_eq!((destination.strides(), destination.size()), (&strides[..], 96));
        }
    }

    #[test]
    fn invalid_strides_are_refused() {
        type Case = (&'static [i64], &'static [i64], Status);
        let cases: &[Case] = &[
            (&[2, 3], &[12], Status::InvalidArgument),
            (&[2, 3], &[12, 4, 4], Status::InvalidArgument),
            (&[2, 3], &[12, 3], Status::InvalidArgument),
            (&[2, 3], &[11, 4], Status::InvalidArgument),
            (&[2, 3], &[4, -4], Status::InvalidArgument),
            (&[2], &[0], Status::InvalidArgument),
            (&[2], &[i64::MAX], Status::Limit),
            (&[2], &[i64::MIN], Status::Limit),
            (&[i64::MAX], &[i64::MAX], Status::Limit),
            (&[2, 2], &[1 << 62, i64::MIN], Status::Limit),
            (&[i64::MAX, 2], &[4, 4], Status::Bounds),
        ];
        for &(shape, strides, status) in cases {
            let error = strided(shape, 4, strides).unwrap_err();
            assert_eq!(error.status(), status, "{shape:?} {strides:?}: {error}");
        }
        assert_eq!(Destination::new(&[i64::MAX], 2, &Order::C).unwrap_err().status(), Status::Limit);
    }

    #[test]
    fn places_and_numbers_belong_together() {
        let cases: &[(&[i64], &[i64])] = &[
            (&[2, 3, 4], &[48, 16, 4]),
            (&[2, 3, 4], &[-4, 8, 100]),
            (&[5], &[-9]),
            (&[2, 1, 3], &[20, 7, -4]),
            (&[], &[]),
        ];
        for &(shape, strides) in cases {
            let destination = strided(shape, 4, strides).unwrap();
            let mut taken = vec![false; destination.size() as usize];
            let count: i64 = shape.iter().product();
            for number in 0..count {
                let (mut rest, mut at) = (number, destination.first() as i64);
                for axis in (0..shape.len()).rev() {
                    at += rest % shape[axis] * strides[axis];
                    rest /= shape[axis];
                }
                assert_eq!(destination.number(at as usize), number);
                taken[at as usize..][..4].fill(true);
            }
            let mut seen = vec![false; taken.len()];
            destination.for_each_piece(&mut |piece| seen[piece].fill(true)).unwrap();
            assert_eq!(seen, taken);
        }
    }
}
