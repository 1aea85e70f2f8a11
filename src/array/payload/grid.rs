//! Grid of the chunks of an array: a regular division of its elements into boxes of one shape.

use crate::array::place::geometry::{element_count, uncountable};
use crate::error::{Error, Result, Status};

/// The chunks of an array. Those at the end of a dimension may reach beyond the array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    shape: Vec<i64>,
    chunk: Vec<i64>,
    /// Number of chunks along each dimension.
    counts: Vec<i64>,
}

impl Grid {
    /// Divides an array of this shape. Fails with [`Status::BadArray`] if the shape of the chunks has another number of
    /// dimensions or a dimension below 1, and with [`Status::Bounds`] if the number of chunks exceeds 2^63 - 1.
    pub(crate) fn new(shape: &[i64], chunk: &[i64]) -> Result<Grid> {
        if shape.len() != chunk.len() {
            let message = format!("the chunks have {} dimensions, but the array has {}", chunk.len(), shape.len());
            return Err(Error::new(Status::BadArray, message));
        }
        if chunk.iter().any(|&extent| extent < 1) || shape.iter().any(|&extent| extent < 0) {
            return Err(Error::new(Status::BadArray, "a dimension of the chunks must be at least 1"));
        }
        let counts: Vec<i64> = shape.iter().zip(chunk).map(|(&extent, &chunk)| div_ceil(extent, chunk)).collect();
        element_count(&counts)?;
        Ok(Grid { shape: shape.to_vec(), chunk: chunk.to_vec(), counts })
    }

    /// The shape of the array.
    pub(crate) fn shape(&self) -> &[i64] {
        &self.shape
    }

    /// The shape of a chunk.
    pub(crate) fn chunk(&self) -> &[i64] {
        &self.chunk
    }

    /// The number of chunks.
    pub(crate) fn len(&self) -> u64 {
        element_count(&self.counts).map_or(0, i64::unsigned_abs)
    }

    /// Returns the number of a chunk, in C order.
    pub(crate) fn number(&self, index: &[i64]) -> u64 {
        index.iter().zip(&self.counts).fold(0, |number, (&index, &count)| number * count as u64 + index as u64)
    }

    /// Like [`Grid::number`]; `None` for a chunk outside of the grid.
    pub(crate) fn number_within(&self, index: &[i64]) -> Option<u64> {
        let is_within = index.iter().zip(&self.counts).all(|(&index, &count)| index < count);
        is_within.then(|| self.number(index))
    }

    /// Returns the indices of the chunk with this number.
    pub(crate) fn index(&self, number: u64) -> Vec<i64> {
        let mut index = vec![0; self.counts.len()];
        let mut rest = number;
        for (index, &count) in index.iter_mut().zip(&self.counts).rev() {
            let count = count.max(1) as u64;
            (*index, rest) = ((rest % count) as i64, rest / count);
        }
        index
    }

    /// Returns the bytes from one element of `item_size` bytes to the next in a chunk, along each dimension, and the bytes
    /// of a chunk. `order` holds the dimensions, slowest first. Fails with [`Status::Bounds`] if they overflow.
    pub(crate) fn chunk_strides(&self, order: &[usize], item_size: i64) -> Result<(Vec<i64>, u64)> {
        let mut strides = vec![0; self.chunk.len()];
        let mut size = item_size;
        for &axis in order.iter().rev() {
            strides[axis] = size;
            size = size.checked_mul(self.chunk[axis]).ok_or_else(uncountable)?;
        }
        Ok((strides, size.unsigned_abs()))
    }

    /// Returns the first element of a chunk, and the number of elements that lie within the array, along each dimension.
    pub(crate) fn box_of(&self, index: &[i64]) -> (Vec<i64>, Vec<i64>) {
        let origin: Vec<i64> = index.iter().zip(&self.chunk).map(|(&index, &chunk)| index * chunk).collect();
        let within = origin.iter().zip(&self.shape).zip(&self.chunk);
        let extents = within.map(|((&origin, &extent), &chunk)| chunk.min(extent - origin)).collect();
        (origin, extents)
    }
}

fn div_ceil(extent: i64, chunk: i64) -> i64 {
    extent / chunk + i64::from(extent % chunk != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_counted_and_numbered() {
        let grid = Grid::new(&[5, 8], &[2, 8]).unwrap();
        assert_eq!((&grid.counts[..], grid.len()), (&[3, 1][..], 3));
        assert_eq!((grid.number(&[2, 0]), grid.index(2)), (2, vec![2, 0]));
        assert_eq!(grid.box_of(&[2, 0]), (vec![4, 0], vec![1, 8]));
        assert_eq!(Grid::new(&[], &[]).unwrap().len(), 1);
        assert_eq!(Grid::new(&[0, 3], &[4, 2]).unwrap().len(), 0);
        assert_eq!(Grid::new(&[i64::MAX], &[i64::MAX]).unwrap().len(), 1);
        let status = |shape: &[i64], chunk: &[i64]| Grid::new(shape, chunk).unwrap_err().status();
        assert_eq!(status(&[4], &[0]), Status::BadArray);
        assert_eq!(status(&[4], &[2, 2]), Status::BadArray);
        assert_eq!(status(&[1 << 40, 1 << 40], &[1, 1]), Status::Bounds);
    }
}
